// SPDX-License-Identifier: BSD-3-Clause
// Tables that sort by any column, show a page at a time, and go home as TSV.
import { button, h, replace, type Child } from "./dom";
import { downloadTsv, type Cell } from "./download";
import { describe, termOf } from "./glossary";

export interface Column<Row> {
  title: string;
  /** What is sorted by and exported. */
  value: (row: Row) => Cell;
  /** What is shown; the value itself without it. */
  show?: (row: Row) => Child;
  numeric?: boolean;
  /** What goes into the file, where that is more than the value or in another unit: title and cell of each column. */
  file?: { [title: string]: (row: Row) => Cell };
  class?: (row: Row) => string;
}

export interface TableOptions<Row> {
  name: string;
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  pageSize?: number;
  sortable?: boolean;
  /** Makes a button of the first cell of a row; the mouse may take the whole row. */
  onRow?: (row: Row) => void;
  rowLabel?: (row: Row) => string;
  /** A first order other than the given one. */
  sort?: { column: number; descending: boolean };
}

function compare(a: Cell, b: Cell): number {
  const missing = (cell: Cell) =>
    cell === null || cell === undefined || (typeof cell === "number" && !Number.isFinite(cell));
  if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

export interface Table<Row> {
  element: HTMLElement;
  setRows: (rows: Row[]) => void;
}

export function table<Row>(options: TableOptions<Row>): Table<Row> {
  const { columns } = options;
  const pageSize = options.pageSize ?? 1e9;
  let rows = options.rows;
  let order = options.sort ?? null;
  let shown = pageSize;
  const body = h("tbody");
  const more = h("div", { class: "more" });
  const headers = columns.map((column, index) => {
    const header = h("th", { scope: "col", class: column.numeric ? "number" : "" });
    if (options.sortable === false) {
      header.append(column.title);
      return header;
    }
    const sort = button(column.title, () => {
      // A first click on numbers asks for the largest.
      const again = order?.column === index;
      order = { column: index, descending: again ? !order!.descending : Boolean(column.numeric) };
      fill();
    });
    const term = termOf(column.title);
    if (term) describe(sort, term);
    header.append(sort);
    return header;
  });

  function sorted(): Row[] {
    if (!order) return rows;
    const { column, descending } = order;
    const value = columns[column]!.value;
    return rows
      .map((row, index) => ({ row, index }))
      .sort((a, b) => {
        const [x, y] = [value(a.row), value(b.row)];
        const missing = (cell: Cell) => cell === null || cell === undefined;
        // Rows without a value stay last either way.
        if (missing(x) || missing(y)) return compare(x, y) || a.index - b.index;
        return (descending ? -compare(x, y) : compare(x, y)) || a.index - b.index;
      })
      .map(({ row }) => row);
  }

  function makeRow(row: Row): HTMLTableRowElement {
    const cells = columns.map((column, index) => {
      const shownValue = (column.show ? column.show(row) : column.value(row)) ?? "–";
      const names = [column.numeric ? "number" : "", column.class?.(row) ?? ""].join(" ").trim() || null;
      if (index > 0) return h("td", { class: names }, shownValue);
      // The click of the button is that of the row.
      const content = options.onRow
        ? h("button", { type: "button", class: "go", "aria-label": options.rowLabel?.(row) }, shownValue)
        : shownValue;
      return h("th", { scope: "row", class: names }, content);
    });
    const element = h("tr", {}, ...cells);
    if (options.onRow) {
      element.classList.add("clickable");
      element.addEventListener("click", () => {
        for (const other of body.children) {
          other.classList.toggle("current", other === element);
          other.querySelector(".go")?.setAttribute("aria-pressed", String(other === element));
        }
        options.onRow!(row);
      });
    }
    return element;
  }

  function fill(): void {
    headers.forEach((header, index) => {
      if (order?.column === index) header.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    });
    const all = sorted();
    replace(body, ...all.slice(0, shown).map(makeRow));
    if (all.length > shown) {
      replace(
        more,
        h("span", {}, `${shown} of ${all.length} rows`),
        button("Show more", () => ((shown += Math.max(pageSize, 100)), fill())),
        button("Show all", () => ((shown = Infinity), fill())),
      );
    } else replace(more);
  }

  fill();
  const element = h(
    "div",
    { class: "card table-card", "data-table": options.name },
    h(
      "div",
      { class: "card-head" },
      h("h3", {}, options.caption),
      h(
        "div",
        { class: "tools" },
        button(
          "TSV",
          () =>
            downloadTsv(options.name, [
              columns.flatMap(({ title, file }) => (file ? Object.keys(file) : [title])),
              ...sorted().map((row) =>
                columns.flatMap(({ value, file }) => (file ? Object.values(file).map((cell) => cell(row)) : [value(row)])),
              ),
            ]),
          {
            title: "Save this table as TSV",
          },
        ),
      ),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": options.caption },
      h("table", { class: columns.length > 8 ? "dense" : null }, h("thead", {}, h("tr", {}, ...headers)), body),
    ),
    more,
  );
  return {
    element,
    setRows(next) {
      rows = next;
      shown = pageSize;
      fill();
    },
  };
}
