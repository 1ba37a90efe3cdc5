// SPDX-License-Identifier: BSD-3-Clause
// The charts of a regression: predicted against actual, and what is left over.
import { h } from "../dom";
import { methodColour } from "../colours";
import { figure } from "../chart/figure";
import { scatter, type Point } from "../chart/scatter";
import * as format from "../format";
import type { State } from "../state";
import { scoresOf, type Study } from "../study";

export function regressionCharts(study: Study, state: State): HTMLElement[] {
  if (study.predictions.length === 0) return [];
  const pairs = () =>
    study.predictions
      .filter(({ method }) => method === state.focus.value)
      .map((it) => ({ ...it, x: Number(it.actual), y: Number(it.predicted) }))
      .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const colour = () =>
    methodColour(
      Math.max(
        0,
        study.methods.findIndex(({ name }) => name === state.focus.value),
      ),
    );
  const describe = (it: { participant: string; fold: string; x: number; y: number }) => [
    it.participant,
    `Actual ${format.general(it.x, 4)}, predicted ${format.general(it.y, 4)}`,
    `Fold ${it.fold}`,
  ];
  const points = (left: boolean): Point[] =>
    pairs().map((it) => ({ x: it.x, y: left ? it.y - it.x : it.y, tip: describe(it) }));
  const rows = () => [
    ["method", "participant", "fold", "actual", "predicted"],
    ...study.predictions.map((it) => [it.method, it.participant, it.fold, it.actual, it.predicted]),
  ];
  const target = study.target.column;
  const fit = figure({
    name: "predicted_against_actual",
    title: "Predicted against actual",
    caption: "The dashed line is a perfect prediction.",
    draw: (width) => scatter(points(false), width, `Actual ${target}`, "Predicted", "equal", colour()),
    rows,
  });
  const residuals = figure({
    name: "residuals",
    title: "Errors",
    caption: "Predicted minus actual. A downward slope means that extreme values are pulled towards the middle.",
    draw: (width) => scatter(points(true), width, `Actual ${target}`, "Error", "zero", colour()),
    rows,
  });
  const summary = h("p", { class: "score-line", "aria-live": "polite" });
  state.focus.watch((name) => {
    const method = study.methods.find((it) => it.name === name);
    const texts = scoresOf(method).map(
      ([key, score]) => `${format.scoreTitle(key)} ${format.score(key, score.pooled ?? score.mean)}`,
    );
    summary.textContent = texts.length ? `${name}, all predictions: ${texts.join(" · ")}` : "";
  });
  fit.element.querySelector(".card-head")!.after(summary);
  state.focus.onChange(() => {
    fit.redraw();
    residuals.redraw();
  });
  return [fit.element, residuals.element];
}
