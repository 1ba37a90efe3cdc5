// SPDX-License-Identifier: BSD-3-Clause
// Curves: convergence, ROC, scores along one axis of settings.
import { s } from "../dom";
import type { Marker } from "../colours";
import { bottomAxis, leftAxis, legend, marker, type Box } from "./parts";
import type { Scale } from "./scale";
import { tip } from "./tip";

export interface Curve {
  label: string;
  colour: string;
  points: { x: number; y: number; tip?: string[]; ringed?: boolean }[];
  marker?: Marker;
}

export interface LinesOptions {
  width: number;
  height: number;
  curves: Curve[];
  x: (range: [number, number]) => Scale;
  y: (range: [number, number]) => Scale;
  xTitle: string;
  yTitle: string;
  legend?: boolean;
  /** Label of the curve that lies above the others, and is thicker. */
  front?: string;
  /** Marks without a dot still have their tips. */
  dots?: boolean;
  /** Drawn below the curves. */
  under?: (x: Scale, y: Scale, box: Box) => SVGElement[];
}

export function lines(options: LinesOptions): { width: number; height: number; parts: SVGElement[] } {
  const { width, height, curves } = options;
  const box: Box = { left: 52, right: width - 14, top: 28, bottom: height - 42 };
  const x = options.x([box.left + 4, box.right - 4]);
  const y = options.y([box.bottom - 4, box.top + 2]);
  const parts: SVGElement[] = [...leftAxis(y, box, options.yTitle), ...bottomAxis(x, box, options.xTitle)];
  if (options.under) parts.push(...options.under(x, y, box));
  const ordered = [...curves].sort((a, b) => Number(a.label === options.front) - Number(b.label === options.front));
  for (const curve of ordered) {
    const path = curve.points
      .map((point, i) => `${i ? "L" : "M"}${x(point.x).toFixed(2)} ${y(point.y).toFixed(2)}`)
      .join("");
    parts.push(
      s("path", {
        d: path,
        fill: "none",
        stroke: curve.colour,
        "stroke-width": curve.label === options.front ? 2.8 : 1.8,
        "stroke-linejoin": "round",
      }),
    );
  }
  const dots = options.dots !== false;
  for (const curve of ordered)
    for (const point of curve.points) {
      if (!point.tip) continue;
      const [cx, cy] = [x(point.x), y(point.y)];
      if (point.ringed)
        parts.push(s("circle", { cx, cy, r: 8, fill: "none", stroke: "var(--chosen)", "stroke-width": 2.2 }));
      parts.push(
        tip(
          marker(curve.marker ?? "circle", cx, cy, 3.2, {
            fill: dots ? curve.colour : "transparent",
            stroke: "transparent",
            "stroke-width": 10,
          }),
          point.tip,
        ),
      );
    }
  if (!options.legend) return { width, height, parts };
  const entries = curves.map(({ label, colour }) => ({ label, colour }));
  const key = legend(entries, 8, height + 2, width - 16);
  parts.push(...key.parts);
  return { width, height: height + key.height + 2, parts };
}
