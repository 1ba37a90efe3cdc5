// SPDX-License-Identifier: BSD-3-Clause
// Of section 2: all predictions together with their intervals, and what a phantom had planted.
import { h, type Child } from "../dom";
import * as format from "../format";
import { scoresOf, type Maybe, type Method, type ScoreKey, type Study } from "../study";
import { table, type Column } from "../table";

type Interval = [number, number] | null | undefined;

/** "72.92 (62.50 to 81.25)". */
export function withInterval(key: ScoreKey, value: Maybe | undefined, interval: Interval): string {
  const text = format.score(key, value);
  return interval && text !== format.nothing
    ? `${text} (${format.score(key, interval[0])} to ${format.score(key, interval[1])})`
    : text;
}

const said = (...sentences: string[]): Child => {
  const text = sentences.filter(Boolean).join(" ");
  return text ? h("p", { class: "quiet" }, text) : null;
};

const nameColumn: Column<Method> = { title: "Method", value: ({ name }) => name };

/** A number and both ends of its interval, in the unit of the title. */
const intervalFile = (
  title: string,
  key: ScoreKey,
  value: (method: Method) => Maybe | undefined,
  interval: (method: Method) => Interval,
): Column<Method>["file"] => ({
  [title]: (method) => format.inUnit(key, value(method)),
  [`${title}, low`]: (method) => format.inUnit(key, interval(method)?.[0]),
  [`${title}, high`]: (method) => format.inUnit(key, interval(method)?.[1]),
});

export function pooledTable(study: Study): Child[] {
  const keys = [...new Set(study.methods.flatMap((method) => scoresOf(method).map(([key]) => key)))].filter((key) =>
    study.methods.some(({ scores }) => scores[key]?.interval),
  );
  if (keys.length === 0) return [];
  const columns: Column<Method>[] = [
    nameColumn,
    ...keys.map((key) => ({
      title: format.scoreTitleWithUnit(key),
      numeric: true,
      value: ({ scores }: Method) => scores[key]?.pooled,
      file: intervalFile(
        format.scoreTitleWithUnit(key),
        key,
        ({ scores }: Method) => scores[key]?.pooled,
        ({ scores }: Method) => scores[key]?.interval,
      ),
      show: ({ scores }: Method) => withInterval(key, scores[key]?.pooled, scores[key]?.interval),
    })),
  ];
  if (study.methods.some(({ forced_choice }) => forced_choice))
    columns.push(
      {
        title: "Forced choice (%)",
        numeric: true,
        value: ({ forced_choice }) => forced_choice?.score,
        file: intervalFile(
          "Forced choice (%)",
          "accuracy",
          ({ forced_choice }) => forced_choice?.score,
          ({ forced_choice }) => forced_choice?.interval,
        ),
        show: ({ forced_choice }) => withInterval("accuracy", forced_choice?.score, forced_choice?.interval),
      },
      {
        title: "p, forced choice (one-sided)",
        numeric: true,
        value: ({ forced_choice }) => forced_choice?.p,
        show: ({ forced_choice }) => format.probability(forced_choice?.p),
      },
    );
  const { intervals, p, forced_choice } = study.sentences;
  return [
    table({ name: "pooled", caption: "All predictions together, with 95 % intervals", columns, rows: study.methods }).element,
    said(intervals, p, forced_choice),
  ];
}

export function truthTable(study: Study): Child[] {
  const rows = study.methods.filter(({ truth }) => truth);
  if (rows.length === 0) return [];
  const number = (title: string, value: (method: Method) => Maybe | undefined): Column<Method> => ({
    title,
    numeric: true,
    value,
    show: (method) => format.score("auc", value(method)),
  });
  return [
    table({
      name: "truth",
      caption: "Maps and what was planted",
      columns: [
        nameColumn,
        number("Dice", ({ truth }) => truth?.dice),
        number("AUC", ({ truth }) => truth?.auc),
        number("Rank correlation", ({ truth }) => truth?.rank_correlation),
      ],
      rows,
    }).element,
    said(study.sentences.truth),
  ];
}
