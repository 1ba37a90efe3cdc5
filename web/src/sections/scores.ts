// SPDX-License-Identifier: BSD-3-Clause
// Section 7: scores of folds, groups and sites, ROC, confusion matrix, and every prediction.
import { isRegression, severalClasses } from "../classes";
import { absent, h, replace, select, type Child } from "../dom";
import { classMatrix, classMatrixWidth } from "../chart/class-matrix";
import { figure } from "../chart/figure";
import { heat } from "../chart/heat";
import { extent } from "../chart/scale";
import { confusionMatrix } from "../chart/scatter";
import * as format from "../format";
import { methodSelect, type State } from "../state";
import { scoresOf, type Maybe, type Prediction, type ScoreKey, type Study } from "../study";
import { table } from "../table";
import { decisionCharts } from "./diagnostics";
import { regressionCharts } from "./regression";
import { rocChart } from "./roc";
import { section, type Section } from "./section";

/** Methods down, folds or sites across. */
function scoreMap(
  study: Study,
  key: ScoreKey,
  name: string,
  title: string,
  across: string,
  columns: string[],
  value: (method: string, column: number) => Maybe,
): HTMLElement {
  const methods = study.methods;
  const all = methods.flatMap((method) => columns.map((_, j) => value(method.name, j)));
  const [low, high] = extent(all);
  const said = (value: number) => format.scoreWithUnit(key, value, format.isPercent(key) ? 1 : 2);
  return figure({
    name,
    title,
    caption: Number.isFinite(low)
      ? `One scale for all methods: from ${said(low)} (darkest) to ${said(high)} (lightest).`
      : undefined,
    wide: columns.length > 6,
    draw: (width) =>
      heat({
        width,
        rows: methods.map((method) => method.name),
        columns,
        rowTitle: "",
        columnTitle: across,
        value: (i, j) => value(methods[i]!.name, j),
        label: (i, j) => format.score(key, value(methods[i]!.name, j), format.isPercent(key) ? 1 : 2),
        tip: (i, j) => [
          methods[i]!.name,
          `${across} ${columns[j]}: ${format.scoreWithUnit(key, value(methods[i]!.name, j))}`,
        ],
        range: Number.isFinite(low) ? [low, high] : [0, 1],
        rangeLabel: (it) => format.score(key, it, format.isPercent(key) ? 0 : 2),
        cellHeight: 30,
      }),
    rows: () => [
      ["method", ...columns],
      ...methods.map((method) => [method.name, ...columns.map((_, j) => value(method.name, j))]),
    ],
  }).element;
}

function foldMap(study: Study): HTMLElement | null {
  const count = Math.max(0, ...study.methods.map((method) => method.scores[study.score]?.folds.length ?? 0));
  if (count === 0) return null;
  const names = study.methods.find((method) => method.chosen.length === count)?.chosen.map(({ fold }) => fold);
  const columns = names ?? Array.from({ length: count }, (_, i) => String(i + 1));
  const find = (method: string, column: number) =>
    study.methods.find(({ name }) => name === method)?.scores[study.score]?.folds[column] ?? null;
  return scoreMap(study, study.score, "folds", `${format.scoreTitle(study.score)} by fold`, "Fold", columns, find);
}

function siteMap(study: Study): HTMLElement | null {
  if (study.sites.length === 0) return null;
  const columns = [...new Set(study.sites.map(({ part }) => part))];
  const find = (method: string, column: number) =>
    study.sites.find((entry) => entry.method === method && entry.part === columns[column])?.score ?? null;
  return scoreMap(study, study.part_score, "sites", `${format.scoreTitle(study.part_score)} by site`, "Site", columns, find);
}

function confusion(study: Study, state: State): HTMLElement | null {
  const several = severalClasses(study);
  const usable = study.methods.filter((method) => method.confusion);
  if (usable.length === 0) return null;
  const current = () => usable.find(({ name }) => name === state.focus.value);
  const [positive, negative] = [study.target.positive ?? "positive", study.target.negative ?? "negative"];
  const chart = figure({
    name: "confusion",
    title: "Confusion matrix",
    caption: several
      ? "All held-out predictions of the method in focus: counts, coloured by their share of the row. Correct predictions are framed."
      : "All held-out predictions of the method in focus; shares are of the row.",
    maxWidth: several ? classMatrixWidth(several.length) : 460,
    wide: several !== null && several.length > 4,
    draw: (width) => {
      const given = current()?.confusion;
      if (!given) return { width, height: 20, parts: [] };
      return given.matrix
        ? classMatrix(given.matrix, several ?? [], width)
        : confusionMatrix(given, positive, negative, width);
    },
    rows: () =>
      several
        ? [
            ["method", "actual", ...several.map((name) => `predicted ${name}`)],
            ...usable.flatMap(({ name, confusion: c }) =>
              (c?.matrix ?? []).map((row, i) => [name, several[i], ...row]),
            ),
          ]
        : [
            ["method", "true_positive", "false_positive", "true_negative", "false_negative"],
            ...usable.map(({ name, confusion: c }) => [
              name,
              c?.true_positive,
              c?.false_positive,
              c?.true_negative,
              c?.false_negative,
            ]),
          ],
  });
  state.focus.onChange(() => chart.redraw());
  const summary = h("dl", { class: "facts narrow" });
  state.focus.watch(() => {
    const scores = scoresOf(current());
    replace(
      summary,
      ...scores.map(([key, { pooled }]) =>
        h("div", {}, h("dt", {}, format.scoreTitle(key)), h("dd", {}, format.scoreWithUnit(key, pooled))),
      ),
    );
  });
  chart.element.append(summary);
  return chart.element;
}

function groupTable(study: Study, state: State): HTMLElement | null {
  // A table of groups of one sample would only repeat the predictions.
  if (!study.groups.some(({ n }) => n > 1)) return null;
  const rows = () => study.groups.filter(({ method }) => method === state.focus.value);
  const result = table({
    name: "groups",
    caption: `Scores by ${study.counts.group_column || "group"}`,
    columns: [
      { title: "Group", value: ({ part }) => part },
      { title: "Method", value: ({ method }) => method },
      { title: "Samples", numeric: true, value: ({ n }) => n },
      {
        title: format.scoreTitleWithUnit(study.part_score),
        numeric: true,
        value: ({ score }) => score,
        file: { [format.scoreTitleWithUnit(study.part_score)]: ({ score }) => format.inUnit(study.part_score, score) },
        show: ({ score }) => format.score(study.part_score, score),
      },
    ],
    rows: rows(),
    pageSize: 15,
  });
  state.focus.onChange(() => result.setRows(rows()));
  return result.element;
}

function predictionTable(study: Study, state: State): HTMLElement {
  const regression = isRegression(study);
  const several = severalClasses(study) !== null;
  type Filter = "all" | "wrong";
  let filter: Filter = "all";
  const rows = () =>
    study.predictions.filter(
      (it) => it.method === state.focus.value && (filter === "all" || it.actual !== it.predicted),
    );
  const number = (value: string) => (value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value);
  const result = table<Prediction>({
    name: "predictions",
    caption: "Every held-out prediction",
    columns: [
      { title: "Participant", value: ({ participant }) => participant },
      { title: "File", value: ({ path }) => path, class: () => "path" },
      { title: "Fold", value: ({ fold }) => number(fold) },
      { title: "Actual", numeric: regression, value: ({ actual }) => (regression ? number(actual) : actual) },
      {
        title: "Predicted",
        numeric: regression,
        value: ({ predicted }) => (regression ? number(predicted) : predicted),
        show: ({ actual, predicted }) => {
          if (regression)
            return typeof number(predicted) === "number" ? format.general(Number(predicted), 4) : predicted;
          return h("span", { class: actual === predicted ? "good" : "poor" }, predicted);
        },
      },
      ...(regression
        ? []
        : [
            ...(several
              ? [
                  {
                    title: "Right",
                    value: ({ actual, predicted }: Prediction) => (actual === predicted ? "yes" : "no"),
                  },
                ]
              : []),
            {
              title: several ? "Largest decision" : "Decision",
              numeric: true,
              value: ({ decision }: Prediction) => decision,
              show: ({ decision }: Prediction) => format.general(decision),
            },
          ]),
    ],
    rows: rows(),
    pageSize: 20,
  });
  state.focus.onChange(() => result.setRows(rows()));
  if (!regression) {
    const choice = select(
      "Show",
      [
        { value: "all", label: "all" },
        { value: "wrong", label: "wrong ones" },
      ],
      filter,
      (value) => {
        filter = value as Filter;
        result.setRows(rows());
      },
    );
    result.element.querySelector(".tools")!.prepend(choice.element);
  }
  return result.element;
}

export function scoresSection(study: Study, state: State): Section {
  const title = "Scores and predictions";
  const regression = isRegression(study);
  const charts: Child[] = [foldMap(study), siteMap(study)];
  const focused = h("div", { class: "grid" });
  if (regression) replace(focused, ...regressionCharts(study, state));
  else replace(focused, rocChart(study, state), confusion(study, state), ...decisionCharts(study, state));
  const predictions = study.predictions.length
    ? predictionTable(study, state)
    : absent("There are no held-out predictions: nothing was held out, or their table is missing.");
  return section(
    "scores",
    "Scores",
    title,
    study.kind === "fit"
      ? "A single fit has no scores: there are no samples that it has not seen."
      : "Each sample is predicted by models that have never seen it.",
    charts.some(Boolean) ? h("div", { class: "grid" }, ...charts) : null,
    study.predictions.length || study.groups.length
      ? h("div", { class: "controls" }, methodSelect(study, state))
      : null,
    focused.childElementCount ? focused : null,
    groupTable(study, state),
    predictions,
  );
}
