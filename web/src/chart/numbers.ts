// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a chart for those who do not see it: in a sentence, and as a table.
import type { Cell } from "../download";
import { h } from "../dom";
import { general } from "../format";

const said = (cell: Cell): string => {
  if (cell === null || cell === undefined) return "none";
  return typeof cell === "number" ? general(cell) : cell;
};
const title = (cell: Cell): string => said(cell).replaceAll("_", " ");

/** Every row where there are few, otherwise how many there are and from where to where each column runs. */
export function sayNumbers([head, ...rows]: Cell[][], most = 24): string {
  if (!head || rows.length === 0) return "There are no numbers.";
  if (rows.length <= most)
    return rows
      .map((row) => row.map((cell, i) => (i === 0 && typeof cell === "string" ? cell : `${title(head[i])} ${said(cell)}`)).join(", "))
      .map((text) => `${text}.`)
      .join(" ");
  const columns = head.flatMap((name, i) => {
    const values = rows.map((row) => row[i]);
    const numbers = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
    if (numbers.length > 0) {
      const [low, high] = numbers.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
      return [`${title(name)} from ${general(low)} to ${general(high)}`];
    }
    const different = [...new Set(values.filter((value) => typeof value === "string"))];
    return different.length > 0 && different.length <= 8 ? [`${title(name)}: ${different.join(", ")}`] : [];
  });
  return `${rows.length} rows: ${columns.join("; ")}.`;
}

/** At most this many rows are shown; the file has all. */
const mostRows = 200;

export function numbersTable(caption: string, [head, ...rows]: Cell[][]): HTMLElement {
  const number = (cell: Cell) => (typeof cell === "number" ? "number" : null);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `${caption}: numbers` },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...(head ?? []).map((cell, i) => h("th", { scope: "col", class: number(rows[0]?.[i]) }, title(cell))))),
      h(
        "tbody",
        {},
        ...rows.slice(0, mostRows).map((row) =>
          h(
            "tr",
            {},
            ...row.map((cell, i) =>
              i === 0 ? h("th", { scope: "row", class: number(cell) }, said(cell)) : h("td", { class: number(cell) }, said(cell)),
            ),
          ),
        ),
      ),
    ),
    rows.length > mostRows ? h("p", { class: "quiet" }, `The first ${mostRows} of ${rows.length} rows; the TSV has all.`) : null,
  );
}
