// SPDX-License-Identifier: BSD-3-Clause
// Charts of single predictions and of counts: scatter, histogram, bars, confusion matrix.
import type { ConfusionCounts } from "../study";
import { s } from "../dom";
import { css, inkOn, ramp, type Rgb } from "../colours";
import { bottomAxis, labelWidth, leftAxis, reference, shorten, text, type Box } from "./parts";
import { extent, linear } from "./scale";
import { tip } from "./tip";

export interface Point {
  x: number;
  y: number;
  tip: string[];
}

/** Points, with the line y = x or y = 0 that a perfect model would put them on. */
export function scatter(
  points: Point[],
  width: number,
  xTitle: string,
  yTitle: string,
  perfect: "equal" | "zero",
  colour: string,
) {
  const height = Math.min(380, Math.max(260, width * 0.8));
  const box: Box = { left: 52, right: width - 14, top: 28, bottom: height - 42 };
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const both = perfect === "equal" ? extent([...xs, ...ys]) : null;
  const x = linear(both ?? extent(xs), [box.left + 6, box.right - 6]);
  const y = linear(both ?? extent([...ys, 0]), [box.bottom - 6, box.top + 4]);
  const parts: SVGElement[] = [...leftAxis(y, box, yTitle), ...bottomAxis(x, box, xTitle)];
  const ends = both ? ([both[0], both[1]] as const) : extent(xs);
  const value = (at: number) => (perfect === "equal" ? at : 0);
  parts.push(
    s("line", {
      x1: x(ends[0]),
      y1: y(value(ends[0])),
      x2: x(ends[1]),
      y2: y(value(ends[1])),
      stroke: "var(--soft)",
      "stroke-dasharray": "5 4",
      "stroke-width": 1.25,
    }),
  );
  for (const point of points)
    parts.push(
      tip(
        s("circle", { cx: x(point.x), cy: y(point.y), r: 4, fill: colour, "fill-opacity": 0.6, stroke: colour }),
        point.tip,
      ),
    );
  return { width, height, parts };
}

/** Values under permuted labels, and where the observed one lies. */
export function histogram(values: number[], observed: number | null, width: number, title: string, colour: string) {
  const height = 260;
  const box: Box = { left: 46, right: width - 14, top: 28, bottom: height - 42 };
  const [low, high] = extent([...values, observed]);
  const x = linear([low, high], [box.left + 6, box.right - 6]);
  const bins = Math.min(40, Math.max(8, Math.round(Math.sqrt(values.length) * 2)));
  const [start, end] = extent(values);
  const size = (end - start) / bins || 1;
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) counts[Math.min(bins - 1, Math.floor((value - start) / size))]! += 1;
  const y = linear([0, Math.max(...counts)], [box.bottom, box.top + 4], { count: Math.min(4, Math.max(...counts)) });
  const parts: SVGElement[] = [...leftAxis(y, box, "Permutations"), ...bottomAxis(x, box, title, false)];
  counts.forEach((count, i) => {
    if (!count) return;
    const from = start + i * size;
    const left = x(from);
    const right = Math.max(left + 1.5, x(from + size) - 1);
    const bar = s("rect", {
      x: left,
      y: y(count),
      width: right - left,
      height: box.bottom - y(count),
      fill: "var(--soft)",
      "fill-opacity": 0.55,
    });
    parts.push(
      tip(bar, [`${count} of ${values.length} permutations`, `${from.toFixed(2)} to ${(from + size).toFixed(2)}`]),
    );
  });
  if (observed !== null) {
    const at = x(observed);
    parts.push(
      ...reference(at, box, "observed", "none").map(
        (part) => (part.setAttribute("stroke", part.tagName === "line" ? colour : "none"), part),
      ),
    );
  }
  return { width, height, parts };
}

export interface Bar {
  label: string;
  count: number;
}

export function bars(entries: Bar[], width: number, title: string) {
  const rowHeight = 24;
  const labels =
    Math.min(width * 0.42, Math.max(30, ...entries.map(({ label }) => labelWidth(shorten(label, 28), 12)))) + 12;
  const box: Box = { left: labels, right: width - 44, top: 4, bottom: 4 + entries.length * rowHeight };
  const x = linear([0, Math.max(1, ...entries.map(({ count }) => count))], [box.left, box.right], {
    count: 4,
    nice: false,
  });
  const parts: SVGElement[] = [];
  entries.forEach(({ label, count }, i) => {
    const y = box.top + i * rowHeight;
    parts.push(text(box.left - 10, y + 16, shorten(label, 28), { "text-anchor": "end" }));
    parts.push(
      tip(
        s("rect", {
          x: box.left,
          y: y + 3,
          width: Math.max(1, x(count) - box.left),
          height: rowHeight - 7,
          rx: 2,
          fill: "var(--accent)",
          "fill-opacity": 0.75,
        }),
        [label, `${count} ${title}`],
      ),
    );
    parts.push(text(x(count) + 6, y + 16, String(count), { fill: "var(--soft)", "font-size": 11.5 }));
  });
  return { width, height: box.bottom + 6, parts };
}

export const blues: Rgb[] = [
  [247, 251, 255],
  [158, 202, 225],
  [49, 130, 189],
  [8, 69, 128],
];

/** Rows are what is, columns what was said; a cell's shade is its share of the row. */
export function confusionMatrix(given: ConfusionCounts, positive: string, negative: string, width: number) {
  const left = Math.min(140, Math.max(70, labelWidth(shorten(positive, 16)), labelWidth(shorten(negative, 16))) + 20);
  const size = Math.min(128, (width - left - 10) / 2);
  const tall = Math.min(96, size * 0.8);
  const top = 52;
  const cells = [
    [given.true_positive ?? 0, given.false_negative ?? 0],
    [given.false_positive ?? 0, given.true_negative ?? 0],
  ];
  const names = [shorten(positive, 16), shorten(negative, 16)];
  const parts: SVGElement[] = [
    text(left + size, 14, "Predicted", { "text-anchor": "middle", fill: "var(--soft)" }),
    text(0, top - 12, "Actual", { fill: "var(--soft)" }),
  ];
  names.forEach((name, i) => {
    parts.push(text(left + (i + 0.5) * size, top - 12, name, { "text-anchor": "middle", "font-weight": 600 }));
    parts.push(text(left - 12, top + (i + 0.5) * tall + 4, name, { "text-anchor": "end", "font-weight": 600 }));
  });
  cells.forEach((row, i) => {
    const total = row[0]! + row[1]!;
    row.forEach((count, j) => {
      const share = total ? count / total : 0;
      const colour = ramp(blues, share * 0.92);
      const [x, y] = [left + j * size, top + i * tall];
      parts.push(
        tip(s("rect", { x: x + 1.5, y: y + 1.5, width: size - 3, height: tall - 3, rx: 5, fill: css(colour) }), [
          `${count} of ${total}`,
          `actual ${names[i]}, predicted ${names[j]}`,
        ]),
        text(x + size / 2, y + tall / 2 + 2, String(count), {
          "text-anchor": "middle",
          "font-size": 22,
          "font-weight": 600,
          fill: inkOn(colour),
          "pointer-events": "none",
        }),
        text(x + size / 2, y + tall / 2 + 22, total ? `${(100 * share).toFixed(1)} %` : "", {
          "text-anchor": "middle",
          "font-size": 11.5,
          fill: inkOn(colour),
          "pointer-events": "none",
        }),
      );
    });
  });
  return { width, height: top + 2 * tall + 8, parts };
}
