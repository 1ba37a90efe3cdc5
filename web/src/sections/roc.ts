// SPDX-License-Identifier: BSD-3-Clause
// The ROC curves of all methods; the one in focus stands out.
import { s } from "../dom";
import { methodColour } from "../colours";
import { figure } from "../chart/figure";
import { lines } from "../chart/lines";
import { linear, type Scale } from "../chart/scale";
import * as format from "../format";
import type { State } from "../state";
import type { Method, Prediction, Study } from "../study";

/** Corners of the curve from the strictest threshold to the loosest; ties move along both axes at once. */
export function rocPoints(predictions: Prediction[], positive: string): { x: number; y: number; threshold: number }[] {
  const scored = predictions
    .filter((it): it is Prediction & { decision: number } => it.decision !== null)
    .sort((a, b) => b.decision - a.decision);
  const positives = scored.filter(({ actual }) => actual === positive).length;
  const negatives = scored.length - positives;
  if (positives === 0 || negatives === 0) return [];
  const points = [{ x: 0, y: 0, threshold: Infinity }];
  let hits = 0;
  let alarms = 0;
  scored.forEach(({ actual, decision }, i) => {
    if (actual === positive) ++hits;
    else ++alarms;
    if (scored[i + 1]?.decision !== decision)
      points.push({ x: alarms / negatives, y: hits / positives, threshold: decision });
  });
  return points;
}

/** Mean ± standard deviation over the folds, of the method in focus. */
function band(study: Study, state: State, x: Scale, y: Scale): SVGElement[] {
  const index = study.methods.findIndex(({ name }) => name === state.focus.value);
  const roc = study.methods[index]?.roc;
  if (!roc) return [];
  const place = (i: number, side: number) => {
    const height = Math.min(1, Math.max(0, roc.mean[i]! + side * roc.sd[i]!));
    return `${x(roc.false_positive[i]!).toFixed(2)} ${y(height).toFixed(2)}`;
  };
  const steps = roc.false_positive.map((_, i) => i);
  const upper = steps.map((i) => place(i, 1));
  const lower = steps.map((i) => place(i, -1)).reverse();
  return [
    s("path", {
      class: "band",
      d: `M${[...upper, ...lower].join("L")}Z`,
      fill: methodColour(index),
      "fill-opacity": 0.16,
    }),
  ];
}

export function rocChart(study: Study, state: State): HTMLElement | null {
  const positive = study.target.positive;
  if (positive === null) return null;
  const curves = study.methods
    .map((method, index) => ({
      method,
      index,
      points: rocPoints(
        study.predictions.filter((it) => it.method === method.name),
        positive,
      ),
    }))
    .filter(({ points }) => points.length > 0);
  if (curves.length === 0) return null;
  const bands = study.methods.filter(({ roc }) => roc !== null);
  const label = (method: Method) => `${method.name} ${format.score("auc", method.scores["auc"]?.pooled)}`;
  const chart = figure({
    name: "roc",
    title: "ROC, all predictions together",
    caption:
      "Lines: decisions of all folds on one scale; the number is the area below the line." +
      (bands.length
        ? " Shaded, for the method in focus: mean ± one standard deviation of the outer folds' own curves, read at the same false positive rate (vertical averaging over the folds that have both classes)."
        : ""),
    maxWidth: 560,
    draw: (width) => {
      return lines({
        width,
        height: Math.min(400, Math.max(280, width * 0.82)),
        front: curves.filter(({ method }) => method.name === state.focus.value).map(({ method }) => label(method))[0],
        dots: false,
        curves: curves.map(({ method, index, points }) => ({
          label: label(method),
          colour: methodColour(index),
          points: points.map(({ x, y, threshold }) => ({
            x,
            y,
            tip:
              method.name === state.focus.value
                ? [
                    method.name,
                    `Decision ≥ ${Number.isFinite(threshold) ? format.general(threshold) : "∞"}`,
                    `Sensitivity ${(100 * y).toFixed(1)} %, specificity ${(100 * (1 - x)).toFixed(1)} %`,
                  ]
                : undefined,
          })),
        })),
        x: (range) => linear([0, 1], range),
        y: (range) => linear([0, 1], range),
        xTitle: "False positive rate",
        yTitle: "True positive rate",
        legend: true,
        under: (x, y) => [
          ...band(study, state, x, y),
          s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), stroke: "var(--soft)", "stroke-dasharray": "5 4" }),
        ],
      });
    },
    rows: () => [
      ["method", "false_positive_rate", "true_positive_rate", "threshold"],
      ...curves.flatMap(({ method, points }) => points.map(({ x, y, threshold }) => [method.name, x, y, threshold])),
      ...bands.flatMap(({ name, roc }) => [
        ...roc!.false_positive.map((x, i) => [`${name}, mean of ${roc!.folds} folds`, x, roc!.mean[i], null]),
        ...roc!.false_positive.map((x, i) => [`${name}, standard deviation over folds`, x, roc!.sd[i], null]),
      ]),
    ],
  });
  state.focus.onChange(() => chart.redraw());
  return chart.element;
}
