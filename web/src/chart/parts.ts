// SPDX-License-Identifier: BSD-3-Clause
// Axes, markers and legends that the charts are put together from.
import { s } from "../dom";
import type { Marker } from "../colours";
import type { Scale } from "./scale";

export const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function text(
  x: number,
  y: number,
  content: string,
  attributes: { [name: string]: string | number } = {},
): SVGTextElement {
  return s("text", { x, y, ...attributes }, content);
}

/** Labels come from files and can be of any length. */
export const shorten = (label: string, length = 24): string =>
  label.length > length ? label.slice(0, length - 1) + "…" : label;

const ruler = document.createElement("canvas").getContext("2d");

/** Room a label takes, if bold. */
export function labelWidth(label: string, size = 12): number {
  if (!ruler) return label.length * size * 0.6;
  ruler.font = `600 ${size}px ${fontFamily}`;
  return ruler.measureText(label).width;
}

export function bottomAxis(scale: Scale, box: Box, title: string, grid = true): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const tick of scale.ticks) {
    const x = Math.round(scale(tick)) + 0.5;
    if (grid) parts.push(s("line", { x1: x, x2: x, y1: box.top, y2: box.bottom, stroke: "var(--grid)" }));
    parts.push(
      text(x, box.bottom + 16, scale.label(tick), { "text-anchor": "middle", fill: "var(--soft)", "font-size": 11 }),
    );
  }
  parts.push(
    s("line", { x1: box.left, x2: box.right, y1: box.bottom + 0.5, y2: box.bottom + 0.5, stroke: "var(--axis)" }),
  );
  parts.push(
    text((box.left + box.right) / 2, box.bottom + 34, title, { "text-anchor": "middle", fill: "var(--soft)" }),
  );
  return parts;
}

export function leftAxis(scale: Scale, box: Box, title: string, grid = true): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const tick of scale.ticks) {
    const y = Math.round(scale(tick)) + 0.5;
    if (grid) parts.push(s("line", { x1: box.left, x2: box.right, y1: y, y2: y, stroke: "var(--grid)" }));
    parts.push(
      text(box.left - 8, y + 4, scale.label(tick), { "text-anchor": "end", fill: "var(--soft)", "font-size": 11 }),
    );
  }
  parts.push(text(box.left - 8, box.top - 10, title, { fill: "var(--soft)", "text-anchor": "start", dx: -34 }));
  return parts;
}

export function marker(
  kind: Marker,
  x: number,
  y: number,
  size: number,
  attributes: { [name: string]: string | number } = {},
): SVGElement {
  const path = (d: string) => s("path", { d, ...attributes });
  const r = size;
  switch (kind) {
    case "square":
      return s("rect", { x: x - r * 0.88, y: y - r * 0.88, width: r * 1.76, height: r * 1.76, ...attributes });
    case "triangle":
      return path(`M${x} ${y - r * 1.2}L${x + r * 1.1} ${y + r * 0.8}L${x - r * 1.1} ${y + r * 0.8}Z`);
    case "down":
      return path(`M${x} ${y + r * 1.2}L${x + r * 1.1} ${y - r * 0.8}L${x - r * 1.1} ${y - r * 0.8}Z`);
    case "diamond":
      return path(`M${x} ${y - r * 1.25}L${x + r * 1.25} ${y}L${x} ${y + r * 1.25}L${x - r * 1.25} ${y}Z`);
    case "cross": {
      const a = r * 0.4;
      const b = r * 1.1;
      return path(
        `M${x - a} ${y - b}h${2 * a}v${b - a}h${b - a}v${2 * a}h${a - b}v${b - a}h${-2 * a}v${a - b}h${a - b}v${-2 * a}h${b - a}Z`,
      );
    }
    default:
      return s("circle", { cx: x, cy: y, r, ...attributes });
  }
}

/** A vertical line with a word at its top. */
export function reference(x: number, box: Box, label: string, dash = "5 4"): SVGElement[] {
  return [
    s("line", {
      x1: x,
      x2: x,
      y1: box.top,
      y2: box.bottom,
      stroke: "var(--soft)",
      "stroke-dasharray": dash,
      "stroke-width": 1.25,
    }),
    text(Math.min(x, box.right - labelWidth(label, 11) / 2), box.top - 6, label, {
      "text-anchor": "middle",
      fill: "var(--soft)",
      "font-size": 11,
    }),
  ];
}

export interface LegendEntry {
  label: string;
  colour: string;
  marker?: Marker;
}

/** Entries in rows as wide as allowed; the height tells the caller how much room they took. */
export function legend(
  entries: LegendEntry[],
  left: number,
  top: number,
  width: number,
): { parts: SVGElement[]; height: number } {
  const parts: SVGElement[] = [];
  let x = left;
  let y = top + 8;
  for (const entry of entries) {
    const label = shorten(entry.label, 34);
    const room = 22 + labelWidth(label, 12) + 12;
    if (x > left && x + room > left + width) {
      x = left;
      y += 20;
    }
    if (entry.marker) parts.push(marker(entry.marker, x + 7, y, 4.5, { fill: entry.colour }));
    else parts.push(s("line", { x1: x, x2: x + 14, y1: y, y2: y, stroke: entry.colour, "stroke-width": 3 }));
    parts.push(text(x + 20, y + 4, label));
    x += room;
  }
  return { parts, height: entries.length ? y - top + 14 : 0 };
}
