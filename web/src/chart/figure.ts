// SPDX-License-Identifier: BSD-3-Clause
// A chart in its frame: title, drawing that follows the width, caption, and buttons to take it home.
import { append, button, h, replace, s, type Child } from "../dom";
import { downloadPng, downloadSvg, downloadTsv, type Cell } from "../download";
import { fontFamily } from "./parts";
import { numbersTable, sayNumbers } from "./numbers";
import { hideMarkTip } from "./tip";

export interface Drawing {
  width: number;
  height: number;
  parts: Child[];
}

export interface FigureOptions {
  /** Also the name of exported files. */
  name: string;
  title: string;
  caption?: string;
  /** Called again whenever the frame changes its width. */
  draw: (width: number) => Drawing;
  rows: () => Cell[][];
  /** What a screen reader says of it; the numbers of its rows without one. */
  label?: () => string;
  wide?: boolean;
  /** Small charts need not grow with the frame. */
  maxWidth?: number;
}

function makeSvg(label: string, { width, height, parts }: Drawing): SVGSVGElement {
  const chart = s("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": label,
    "font-family": fontFamily,
    "font-size": 12,
    fill: "var(--ink)",
  });
  append(chart, parts);
  return chart;
}

export interface Figure {
  element: HTMLElement;
  redraw: () => void;
}

export function figure(options: FigureOptions): Figure {
  const frame = h("div", { class: "drawing" });
  const numbers = h("div", { class: "numbers" });
  let chart: SVGSVGElement | null = null;
  let drawn = 0;
  const draw = (width: number): void => {
    hideMarkTip();
    drawn = width;
    const label = `${options.title}. ${options.label ? options.label() : sayNumbers(options.rows())}`;
    chart = makeSvg(label, options.draw(Math.min(width, options.maxWidth ?? 2000)));
    replace(frame, chart);
    if (numbers.childElementCount) replace(numbers, numbersTable(options.title, options.rows()));
  };
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    // The height of the frame follows the chart, so only a change of width asks for a new one.
    if (width > 0 && width !== drawn) draw(width);
  }).observe(frame);
  const withChart = (action: (chart: SVGSVGElement) => void) => () => {
    if (!chart) draw(600);
    action(chart!);
  };
  const asTable: HTMLButtonElement = button(
    "Table",
    () => {
      const open = numbers.childElementCount === 0;
      replace(numbers, open && numbersTable(options.title, options.rows()));
      asTable.setAttribute("aria-expanded", String(open));
    },
    { title: "Show the numbers of this chart", "aria-expanded": "false" },
  );
  const tools = h(
    "div",
    { class: "tools", role: "group", "aria-label": `${options.title}: numbers and files` },
    asTable,
    button(
      "SVG",
      withChart((it) => downloadSvg(options.name, it)),
      { title: "Save this chart as SVG" },
    ),
    button(
      "PNG",
      withChart((it) => void downloadPng(options.name, it)),
      { title: "Save this chart as PNG" },
    ),
    button("TSV", () => downloadTsv(options.name, options.rows()), { title: "Save the numbers of this chart as TSV" }),
  );
  const element = h(
    "figure",
    { class: options.wide ? "card chart wide" : "card chart", "data-chart": options.name },
    h("div", { class: "card-head" }, h("h3", {}, options.title), tools),
    frame,
    numbers,
    options.caption ? h("figcaption", {}, options.caption) : null,
  );
  return { element, redraw: () => draw(drawn || 600) };
}
