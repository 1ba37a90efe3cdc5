// SPDX-License-Identifier: BSD-3-Clause
// The ROC curves of all methods; the one in focus stands out.
import { s } from "../dom";
import { methodColour } from "../colours";
import { figure } from "../chart/figure";
import { lines } from "../chart/lines";
import { linear } from "../chart/scale";
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
  const label = (method: Method) => `${method.name} ${format.score("auc", method.scores["auc"]?.pooled)}`;
  const chart = figure({
    name: "roc",
    title: "ROC, all predictions together",
    caption: "Decisions of different folds on one scale. The number is the area below the curve.",
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
          s("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), stroke: "var(--soft)", "stroke-dasharray": "5 4" }),
        ],
      });
    },
    rows: () => [
      ["method", "false_positive_rate", "true_positive_rate", "threshold"],
      ...curves.flatMap(({ method, points }) => points.map(({ x, y, threshold }) => [method.name, x, y, threshold])),
    ],
  });
  state.focus.onChange(() => chart.redraw());
  return chart.element;
}
