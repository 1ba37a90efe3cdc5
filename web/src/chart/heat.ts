// SPDX-License-Identifier: BSD-3-Clause
// A table of numbers as coloured cells: grids of settings, scores of folds and sites.
import { s } from "../dom";
import { css, inkOn, palettes, ramp } from "../colours";
import type { Maybe } from "../study";
import { labelWidth, shorten, text } from "./parts";
import { tip } from "./tip";

export interface HeatOptions {
  rows: string[];
  columns: string[];
  rowTitle: string;
  columnTitle: string;
  value: (row: number, column: number) => Maybe;
  /** Text in a cell, where there is room. */
  label: (row: number, column: number) => string;
  tip: (row: number, column: number) => string[];
  /** Ringed, with a count: how many folds chose it. */
  chosen?: (row: number, column: number) => number;
  range: [number, number];
  rangeLabel: (value: number) => string;
  width: number;
  cellHeight?: number;
}

export function heat(options: HeatOptions): { width: number; height: number; parts: SVGElement[] } {
  const { rows, columns, range, width } = options;
  const left = Math.min(width * 0.34, Math.max(30, ...rows.map((row) => labelWidth(shorten(row, 18), 11.5)))) + 12;
  const top = options.rowTitle ? 26 : 4;
  const cellWidth = Math.min(120, Math.max(6, (width - left - 6) / Math.max(1, columns.length)));
  const cellHeight = options.cellHeight ?? Math.min(34, Math.max(22, cellWidth * 0.7));
  const parts: SVGElement[] = [text(0, 12, options.rowTitle, { fill: "var(--soft)", "font-size": 11.5 })];
  const share = (value: number) => (range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : 1);
  const widest = Math.max(1, ...rows.flatMap((_, i) => columns.map((__, j) => options.label(i, j).length)));
  const withText = cellWidth > widest * 6.2 + 6;
  rows.forEach((row, i) => {
    const y = top + i * cellHeight;
    parts.push(text(left - 8, y + cellHeight / 2 + 4, shorten(row, 18), { "text-anchor": "end", "font-size": 11.5 }));
    columns.forEach((_, j) => {
      const value = options.value(i, j);
      const x = left + j * cellWidth;
      const colour = value === null ? null : ramp(palettes.cividis, share(value));
      const cell = s("rect", {
        x: x + 0.75,
        y: y + 0.75,
        width: cellWidth - 1.5,
        height: cellHeight - 1.5,
        rx: 2.5,
        fill: colour ? css(colour) : "var(--grid)",
      });
      parts.push(tip(cell, options.tip(i, j)));
      if (withText && colour)
        parts.push(
          text(x + cellWidth / 2, y + cellHeight / 2 + 4, options.label(i, j), {
            "text-anchor": "middle",
            "font-size": 11,
            fill: inkOn(colour),
            "pointer-events": "none",
          }),
        );
      const count = options.chosen?.(i, j) ?? 0;
      if (count > 0) {
        // Two rings, dark within light, are seen on every colour.
        const ring = {
          x: x + 2,
          y: y + 2,
          width: cellWidth - 4,
          height: cellHeight - 4,
          rx: 2.5,
          fill: "none",
          "pointer-events": "none",
        };
        parts.push(
          s("rect", { ...ring, stroke: "#ffffff", "stroke-width": 4.2 }),
          s("rect", { ...ring, stroke: "#c22f00", "stroke-width": 2.2 }),
        );
        if (!withText && cellWidth > 12 && colour)
          parts.push(
            text(x + cellWidth / 2, y + cellHeight / 2 + 4, String(count), {
              "text-anchor": "middle",
              "font-size": 11,
              "font-weight": 700,
              fill: inkOn(colour),
              "pointer-events": "none",
            }),
          );
      }
    });
  });
  const bottom = top + rows.length * cellHeight;
  const widestColumn = Math.max(...columns.map((column) => labelWidth(shorten(column, 12), 11)));
  const every = Math.max(1, Math.ceil((widestColumn + 8) / cellWidth));
  columns.forEach((column, j) => {
    if (j % every) return;
    parts.push(
      text(left + (j + 0.5) * cellWidth, bottom + 15, shorten(column, 12), {
        "text-anchor": "middle",
        "font-size": 11,
        fill: "var(--soft)",
      }),
    );
  });
  const middle = left + (columns.length * cellWidth) / 2;
  parts.push(
    text(middle, bottom + 32, options.columnTitle, { "text-anchor": "middle", fill: "var(--soft)", "font-size": 11.5 }),
  );
  const barWidth = Math.min(150, width - left - 110);
  const barTop = bottom + 44;
  const steps = 30;
  if (barWidth > 40) {
    for (let i = 0; i < steps; ++i)
      parts.push(
        s("rect", {
          x: left + 46 + (i * barWidth) / steps,
          y: barTop,
          width: barWidth / steps + 0.6,
          height: 9,
          fill: css(ramp(palettes.cividis, i / (steps - 1))),
        }),
      );
    parts.push(
      text(left + 40, barTop + 9, options.rangeLabel(range[0]), {
        "text-anchor": "end",
        "font-size": 11,
        fill: "var(--soft)",
      }),
    );
    parts.push(
      text(left + 52 + barWidth, barTop + 9, options.rangeLabel(range[1]), { "font-size": 11, fill: "var(--soft)" }),
    );
  }
  return { width, height: barTop + 16, parts };
}
