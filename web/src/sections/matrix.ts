// SPDX-License-Identifier: BSD-3-Clause
// Methods against each other: a matrix of differences and corrected p, and each pair in words.
import { button, h, replace, select, type Child } from "../dom";
import { downloadTsv, type Cell } from "../download";
import * as format from "../format";
import type { Comparison, Maybe, PairVerdict, Study } from "../study";
import { table } from "../table";

/** On the same samples, or over the outer folds. */
export type Ground = "samples" | "folds";

/** What a row says of a column. */
export interface Entry {
  difference: Maybe;
  p: Maybe;
  told: "better" | "worse" | "tie" | "unknown";
}

const unknown: Entry = { difference: null, p: null, told: "unknown" };

/** The method of the row less that of the column. */
export function entryOf(study: Study, ground: Ground, row: string, column: string): Entry {
  const index = study.comparisons.findIndex(
    ({ first, second }) => (first === row && second === column) || (first === column && second === row),
  );
  const pair = study.comparisons[index];
  if (!pair) return unknown;
  const turned = pair.first !== row;
  const difference = ground === "samples" ? pair.difference : pair.fold_difference;
  const said: PairVerdict["same_samples"] = study.pairs[index]?.[ground === "samples" ? "same_samples" : "outer_folds"] ?? "unknown";
  const better = said === (turned ? "second" : "first");
  return {
    difference: difference === null ? null : turned ? -difference : difference,
    p: ground === "samples" ? pair.p_adjusted : pair.fold_p_adjusted,
    told: said === "unknown" ? "unknown" : said === "neither" ? "tie" : better ? "better" : "worse",
  };
}

const marks = { better: "▲", worse: "▼", tie: "=", unknown: "" };
const words = { better: "better", worse: "worse", tie: "cannot be told apart", unknown: "not tested" };

/** What the differences are of: on the same samples accuracy or R², over the folds the headline. */
const measureOf = (study: Study, ground: Ground) =>
  ground === "folds" ? study.score : study.target.classes === null ? "r2" : "accuracy";

export function differenceText(study: Study, ground: Ground, difference: Maybe): string {
  const key = measureOf(study, ground);
  const text = format.score(key, difference, format.isPercent(key) ? 1 : 3);
  return difference !== null && Number(text.replace("−", "-")) > 0 ? `+${text}` : text.replace(/^−(0(\.0+)?)$/, "$1");
}

function cell(study: Study, ground: Ground, row: string, column: string): HTMLTableCellElement {
  if (row === column) return h("td", { class: "itself" }, "–");
  const { difference, p, told } = entryOf(study, ground, row, column);
  if (told === "unknown" && difference === null) return h("td", {}, format.nothing);
  return h(
    "td",
    { class: `pair ${told}` },
    h("span", { "aria-hidden": "true", class: "mark" }, marks[told]),
    h("span", { class: "unseen" }, `${words[told]}, `),
    h("span", { class: "difference" }, differenceText(study, ground, difference)),
    h("span", { class: "p" }, p === null ? "" : `p ${format.probability(p)}`),
  );
}

function caption(study: Study, ground: Ground): string {
  const key = measureOf(study, ground);
  const unit = format.isPercent(key) ? ", in percentage points" : "";
  const where =
    ground === "samples"
      ? `${format.scoreTitle(key)} of all predictions, on the same samples`
      : `${format.scoreTitle(key)} over the outer folds`;
  return (
    `${where}: row less column${unit}. ▲ the row is better, ▼ it is worse, = the two cannot be told apart ` +
    "(two-sided p above 0.05 after correction for all pairs). Below each difference stands its corrected p."
  );
}

function pairTable(study: Study): HTMLElement {
  type Row = Comparison & { words: string };
  const rows: Row[] = study.comparisons.map((pair, i) => ({ ...pair, words: study.pairs[i]?.words ?? "" }));
  const p = (title: string, value: (row: Row) => Maybe) => ({
    title,
    numeric: true,
    value,
    show: (row: Row) => format.probability(value(row)),
  });
  const difference = (title: string, ground: Ground, value: (row: Row) => Maybe) => ({
    title,
    numeric: true,
    value,
    show: (row: Row) => differenceText(study, ground, value(row)),
  });
  return table<Row>({
    name: "pairs",
    caption: "Each pair in words: differences are of the first less the second",
    columns: [
      { title: "Pair", value: ({ first, second }) => `${first} and ${second}` },
      { title: "What can be said", value: (row) => row.words, class: () => "words" },
      difference("Same samples", "samples", (row) => row.difference),
      p("p, same samples", (row) => row.p),
      p("corrected p, same samples", (row) => row.p_adjusted),
      difference("Outer folds", "folds", (row) => row.fold_difference),
      p("p, outer folds", (row) => row.fold_p),
      p("corrected p, outer folds", (row) => row.fold_p_adjusted),
    ],
    rows,
    pageSize: 15,
  }).element;
}

/** The matrix with its choice of test, and the list of pairs; nothing where no pair was compared. */
export function comparisonMatrix(study: Study): Child[] {
  const names = study.methods
    .map(({ name }) => name)
    .filter((name) => study.comparisons.some(({ first, second }) => first === name || second === name));
  if (names.length < 2) return [];
  let ground: Ground = "samples";
  const grid = h("table", { class: names.length > 8 ? "matrix dense" : "matrix" });
  const fill = () =>
    replace(
      grid,
      h("caption", {}, h("span", {}, caption(study, ground))),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "Method"), ...names.map((name) => h("th", { scope: "col" }, name))),
      ),
      h(
        "tbody",
        {},
        ...names.map((row) =>
          h("tr", {}, h("th", { scope: "row" }, row), ...names.map((column) => cell(study, ground, row, column))),
        ),
      ),
    );
  fill();
  const choice = select(
    "Compared",
    [
      { value: "samples", label: "on the same samples" },
      { value: "folds", label: "over the outer folds" },
    ],
    ground,
    (value) => {
      ground = value as Ground;
      fill();
    },
  );
  const rows = (): Cell[][] => [
    ["method", ...names.flatMap((name) => [`less ${name}`, `p against ${name}`])],
    ...names.map((row) => [
      row,
      ...names.flatMap((column) => {
        const { difference, p } = row === column ? unknown : entryOf(study, ground, row, column);
        return [difference, p];
      }),
    ]),
  ];
  const title = "Methods against each other";
  return [
    h(
      "div",
      { class: "card table-card", "data-table": "comparisons" },
      h(
        "div",
        { class: "card-head" },
        h("h3", {}, title),
        h(
          "div",
          { class: "tools" },
          choice.element,
          button("TSV", () => downloadTsv(`comparisons_${ground}`, rows()), { title: "Save this table as TSV" }),
        ),
      ),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, grid),
    ),
    pairTable(study),
    study.sentences.comparisons ? h("p", { class: "quiet" }, study.sentences.comparisons) : null,
  ];
}
