// SPDX-License-Identifier: BSD-3-Clause
// The confusion matrix of more than two classes.
import { s } from "../dom";
import { css, inkOn, ramp } from "../colours";
import { labelWidth, shorten, text } from "./parts";
import { blues } from "./scatter";
import { tip } from "./tip";

/** Few classes have room for larger cells. */
const largest = (classes: number): number => Math.max(58, Math.min(104, 360 / classes));

/** The width that the matrix does not grow beyond. */
export const classMatrixWidth = (classes: number): number => 170 + largest(classes) * classes;

/** Rows are what is, columns what was said; a cell has its count, and its shade is its share of the row. */
export function classMatrix(matrix: number[][], classes: string[], width: number) {
  const names = classes.map((name) => shorten(name, width < 480 ? 10 : 16));
  const widest = Math.max(40, ...names.map((name) => labelWidth(name, 12)));
  const left = widest + 18;
  const size = Math.min(largest(classes.length), (width - left - 6) / Math.max(1, classes.length));
  const tall = Math.min(size, Math.max(44, 0.7 * size));
  const withShare = tall >= 50 && size >= 60;
  const upright = widest + 8 > size;
  const top = upright ? widest + 34 : 48;
  const right = left + size * classes.length;
  const parts: SVGElement[] = [
    text((left + right) / 2, 14, "Predicted", { "text-anchor": "middle", fill: "var(--soft)" }),
    text(0, top - 12, "Actual", { fill: "var(--soft)" }),
  ];
  names.forEach((name, i) => {
    const [x, y] = [left + (i + 0.5) * size, top - 10];
    parts.push(
      upright
        ? text(x + 4, y, name, { "font-weight": 600, transform: `rotate(-90 ${x + 4} ${y})` })
        : text(x, y, name, { "font-weight": 600, "text-anchor": "middle" }),
      text(left - 12, top + (i + 0.5) * tall + 4, name, { "font-weight": 600, "text-anchor": "end" }),
    );
  });
  const digits = Math.max(1, ...matrix.flat().map((count) => String(count).length));
  const fontSize = Math.max(7, Math.min(withShare ? 18 : 15, (size - 6) / (0.62 * digits)));
  matrix.forEach((row, i) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    row.forEach((count, j) => {
      const share = total ? count / total : 0;
      const colour = ramp(blues, share * 0.92);
      const [x, y] = [left + j * size, top + i * tall];
      parts.push(
        tip(
          s("rect", {
            x: x + 1,
            y: y + 1,
            width: size - 2,
            height: tall - 2,
            rx: 3,
            fill: css(colour),
            // Right ones lie on the diagonal.
            stroke: i === j ? "var(--ink)" : "none",
            "stroke-width": 1.25,
          }),
          [
            `${count} of ${total}${total ? `, ${(100 * share).toFixed(1)} %` : ""}`,
            `actual ${classes[i]}, predicted ${classes[j]}`,
          ],
        ),
        text(x + size / 2, y + tall / 2 + (withShare ? 0 : fontSize * 0.35), String(count), {
          "text-anchor": "middle",
          "font-size": fontSize,
          "font-weight": i === j ? 700 : 400,
          // What did not happen stays in the background.
          fill: inkOn(colour),
          "fill-opacity": count ? 1 : 0.45,
          "pointer-events": "none",
        }),
      );
      if (withShare)
        parts.push(
          text(x + size / 2, y + tall / 2 + 17, total ? `${(100 * share).toFixed(1)} %` : "", {
            "text-anchor": "middle",
            "font-size": 11,
            fill: inkOn(colour),
            "fill-opacity": count ? 1 : 0.45,
            "pointer-events": "none",
          }),
        );
    });
  });
  return { width, height: top + tall * classes.length + 8, parts };
}
