// SPDX-License-Identifier: BSD-3-Clause
// Single values in columns, with a box for their quartiles: a class, a site, a person in each.
import { s } from "../dom";
import type { Marker } from "../colours";
import { labelWidth, leftAxis, marker, shorten, text, type Box } from "./parts";
import { extent, linear } from "./scale";
import { tip } from "./tip";

export interface StripPoint {
  value: number;
  colour: string;
  marker: Marker;
  tip: string[];
  /** Points of one name are joined, column by column. */
  joined?: string;
}

export interface Strip {
  label: string;
  points: StripPoint[];
  box?: { low: number; q1: number; median: number; q3: number; high: number; tip: string[] };
}

export function strips(columns: Strip[], width: number, title: string, across: string) {
  const slot = (width - 66) / Math.max(1, columns.length);
  const widest = Math.max(0, ...columns.map(({ label }) => labelWidth(shorten(label, 18), 11)));
  const turned = widest + 6 > slot;
  const named = !turned || slot >= 13;
  const foot = 24 + (named ? (turned ? widest + 10 : 16) : 4);
  const height = 260 + foot;
  const box: Box = { left: 52, right: width - 14, top: 28, bottom: height - foot };
  const [low, high] = extent([...columns.flatMap(({ points }) => points.map(({ value }) => value)), 0]);
  const y = linear([low, high], [box.bottom - 6, box.top + 4]);
  const parts: SVGElement[] = [
    ...leftAxis(y, box, title),
    s("line", { x1: box.left, x2: box.right, y1: box.bottom + 0.5, y2: box.bottom + 0.5, stroke: "var(--axis)" }),
    s("line", {
      x1: box.left,
      x2: box.right,
      y1: y(0),
      y2: y(0),
      stroke: "var(--soft)",
      "stroke-dasharray": "5 4",
      "stroke-width": 1.25,
    }),
  ];
  const middle = (column: number) => box.left + (column + 0.5) * slot;
  const places = new Map<string, [number, number][]>();
  const marks: SVGElement[] = [];
  columns.forEach(({ label, points, box: five }, column) => {
    const centre = middle(column);
    if (five) {
      const half = Math.min(26, slot * 0.3);
      const line = (x1: number, y1: number, x2: number, y2: number, wide = 1.2) =>
        parts.push(s("line", { x1, y1, x2, y2, stroke: "var(--soft)", "stroke-width": wide }));
      line(centre, y(five.low), centre, y(five.q1));
      line(centre, y(five.q3), centre, y(five.high));
      const [top, bottom] = [y(five.q3), y(five.q1)];
      const body = s("rect", {
        x: centre - half,
        y: top,
        width: 2 * half,
        height: Math.max(1, bottom - top),
        fill: "var(--grid)",
        "fill-opacity": 0.8,
        stroke: "var(--soft)",
      });
      parts.push(tip(body, five.tip));
      line(centre - half, y(five.median), centre + half, y(five.median), 2.2);
    }
    points.forEach((point, i) => {
      // Side by side in a fixed pattern, so that equal values can be told apart and a picture stays the same.
      const shift = points.length > 1 ? (((i * 7) % 11) / 10 - 0.5) * Math.min(34, slot * 0.5) : 0;
      const [px, py] = [centre + (five ? shift : 0), y(point.value)];
      if (point.joined !== undefined) places.set(point.joined, [...(places.get(point.joined) ?? []), [px, py]]);
      marks.push(
        tip(
          marker(point.marker, px, py, 3.4, {
            fill: point.colour,
            "fill-opacity": 0.75,
            stroke: "var(--card)",
            "stroke-width": 0.6,
          }),
          point.tip,
        ),
      );
    });
    if (!named) return;
    const at = box.bottom + 15;
    parts.push(
      turned
        ? text(centre + 4, box.bottom + 8, shorten(label, 18), {
            "text-anchor": "end",
            "font-size": 11,
            fill: "var(--soft)",
            transform: `rotate(-90 ${centre + 4} ${box.bottom + 8})`,
          })
        : text(centre, at, shorten(label, 18), { "text-anchor": "middle", "font-size": 11, fill: "var(--soft)" }),
    );
  });
  for (const line of places.values())
    if (line.length > 1)
      parts.push(
        s("path", {
          d: line.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(2)} ${py.toFixed(2)}`).join(""),
          fill: "none",
          stroke: "var(--axis)",
          "stroke-width": 1,
        }),
      );
  parts.push(...marks);
  parts.push(
    text((box.left + box.right) / 2, height - 6, across, { "text-anchor": "middle", fill: "var(--soft)" }),
  );
  return { width, height, parts };
}
