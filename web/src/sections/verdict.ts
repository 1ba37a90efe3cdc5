// SPDX-License-Identifier: BSD-3-Clause
// Section 1: the first screen, then the answer in full and its charts.
import { absent, h } from "../dom";
import { methodColour } from "../colours";
import { figure, type Figure } from "../chart/figure";
import { againstSparsity } from "../chart/against-sparsity";
import { sideBySide } from "../chart/side-by-side";
import { histogram } from "../chart/scatter";
import * as format from "../format";
import { methodSelect, type State } from "../state";
import type { Study } from "../study";
import { firstScreen } from "./first-screen";
import { section, type Section } from "./section";

function permutationChart(study: Study, state: State): HTMLElement | null {
  const tested = study.methods.filter((method) => method.null_scores.length > 0);
  if (tested.length === 0) return null;
  const key = study.score;
  const scale = format.isPercent(key) ? 100 : 1;
  const current = () => tested.find(({ name }) => name === state.focus.value) ?? tested[0]!;
  const observed = () => current().scores[key]?.pooled ?? current().scores[key]?.mean ?? null;
  const chart: Figure = figure({
    name: "permutations",
    title: "Scores under permuted labels",
    caption:
      "What the whole procedure reaches when labels carry no information, and what it reached with the true ones.",
    wide: true,
    draw: (width) => {
      const at = observed();
      const values = current().null_scores.map((value) => scale * value);
      return histogram(
        values,
        at === null ? null : scale * at,
        width,
        format.scoreTitleWithUnit(key),
        methodColour(study.methods.indexOf(current())),
      );
    },
    rows: () => [
      ["method", "permutation", key],
      ...tested.flatMap(({ name, null_scores }) => null_scores.map((value, i) => [name, i + 1, value])),
    ],
  });
  const picker = methodSelect(study, state, (method) => tested.includes(method));
  if (picker) chart.element.querySelector(".card-head")!.after(h("div", { class: "controls" }, picker));
  state.focus.onChange(() => chart.redraw());
  return chart.element;
}

export function verdictSection(study: Study, state: State): Section {
  const scored = study.methods.some((method) => {
    const score = method.scores[study.score];
    return score && (score.pooled !== null || score.mean !== null);
  });
  const charts = scored
    ? h(
        "div",
        { class: "grid" },
        sideBySide(study).element,
        againstSparsity(study)?.element,
        permutationChart(study, state),
      )
    : absent(
        study.kind === "fit"
          ? "A single fit has no held-out scores: it says nothing about new samples. Run sturm cv for an estimate."
          : "No scores were found for this study.",
      );
  const result = section(
    "verdict",
    "Verdict",
    "The verdict",
    null,
    firstScreen(study),
    h("p", { class: "verdict" }, study.verdict || "No verdict could be given."),
    charts,
  );
  // The answers are headings enough for those who see them.
  result.element.querySelector("h2")!.classList.add("unseen");
  return result;
}
