// SPDX-License-Identifier: BSD-3-Clause
// Section 1: the answer in one sentence, four numbers and two pictures.
import { classCounts, severalClasses } from "../classes";
import { absent, h, type Child } from "../dom";
import { methodColour } from "../colours";
import { figure, type Figure } from "../chart/figure";
import { againstSparsity } from "../chart/against-sparsity";
import { sideBySide } from "../chart/side-by-side";
import { histogram } from "../chart/scatter";
import * as format from "../format";
import { best } from "../ranking";
import { methodSelect, type State } from "../state";
import type { Study } from "../study";
import { section, type Section } from "./section";

function tile(value: string, label: string, note = ""): HTMLElement {
  return h(
    "div",
    { class: "tile" },
    h("div", { class: "tile-value" }, value),
    h("div", { class: "tile-label" }, label),
    note ? h("div", { class: "tile-note" }, note) : null,
  );
}

/** Few classes by their names, many by their number. */
function classesWords(study: Study): string {
  const counts = classCounts(study);
  if (counts.length <= 4) return counts.map(({ name, count }) => `${format.integer(count)} ${name}`).join(", ");
  const sizes = counts.map(({ count }) => count);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const size = least === most ? format.integer(most) : `${format.integer(least)} to ${format.integer(most)}`;
  return `${counts.length} classes of ${size}`;
}

function tiles(study: Study): HTMLElement {
  const key = study.score;
  const leader = best(study);
  const score = leader?.scores[key];
  const entries: Child[] = [];
  if (leader && score) {
    const interval = leader.interval
      ? `95 % interval ${format.score(key, leader.interval[0], format.isPercent(key) ? 1 : 2)} to ${format.score(key, leader.interval[1], format.isPercent(key) ? 1 : 2)}`
      : "";
    entries.push(
      tile(
        format.scoreWithUnit(key, score.pooled ?? score.mean, format.isPercent(key) ? 1 : 2),
        `${format.scoreTitle(key)} of ${leader.name}`,
        interval,
      ),
    );
  }
  if (study.chance !== null) {
    const larger = severalClasses(study) ? "largest" : "larger";
    const majority =
      study.majority !== null && key === "accuracy" ? `the ${larger} class: ${format.scoreWithUnit(key, study.majority, 1)}` : "";
    entries.push(tile(format.scoreWithUnit(key, study.chance, format.isPercent(key) ? 1 : 2), "Chance", majority));
  }
  const choice = leader?.forced_choice;
  if (leader && choice) {
    const [low, high] = choice.interval ?? [null, null];
    entries.push(
      tile(
        format.scoreWithUnit("accuracy", choice.score, 1),
        `Forced choice of ${leader.name}`,
        low === null ? "" : `95 % interval ${format.score("accuracy", low, 1)} to ${format.score("accuracy", high, 1)}`,
      ),
    );
  }
  const largest = leader ? (leader.p.binomial ?? leader.p.groups) : null;
  if (leader && leader.p.permutation !== null)
    entries.push(
      tile(
        format.probability(leader.p.permutation),
        "Permutation p, one-sided",
        `${format.integer(study.permutations)} permutations of the labels${study.smallest_p === null ? "" : `; never below ${format.probability(study.smallest_p)}`}`,
      ),
    );
  else if (largest !== null && study.score === "accuracy")
    entries.push(tile(format.probability(largest), "Binomial p, one-sided", "labels were not permuted"));
  if (leader && !score && leader.sparsity.in_mask !== null)
    entries.push(
      tile(
        format.scoreWithUnit("sparsity", leader.sparsity.in_mask, 1),
        `Sparsity of ${leader.name}`,
        "coefficients in the mask that are exactly zero",
      ),
    );
  if (leader?.final && !score)
    entries.push(
      tile(
        leader.final.status,
        "Status of the fit",
        leader.final.relative_gap === null ? "" : `relative gap ${format.general(leader.final.relative_gap, 2)}`,
      ),
    );
  const { samples, positive, groups, folds } = study.counts;
  const parts = [
    positive !== null && study.target.positive !== null
      ? `${format.integer(positive)} ${study.target.positive}, ${format.integer(samples - positive)} ${study.target.negative ?? "other"}`
      : classesWords(study),
    groups !== null ? `${format.integer(groups)} groups` : "",
    folds !== null ? `${format.integer(folds)} folds` : "",
  ].filter(Boolean);
  entries.push(tile(format.integer(samples), "Samples", parts.join(" · ")));
  return h("div", { class: "tiles" }, ...entries);
}

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
  const jump = study.warnings.length
    ? h(
        "p",
        { class: "callout" },
        h("span", { class: "badge", "aria-hidden": "true" }, "!"),
        h(
          "span",
          {},
          `${study.warnings.length === 1 ? "One thing" : `${study.warnings.length} things`} to know before relying on this: `,
          h("a", { href: "#warnings" }, "read the warnings"),
          ".",
        ),
      )
    : null;
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
    h("p", { class: "verdict" }, study.verdict || "No verdict could be given."),
    tiles(study),
    jump,
    charts,
  );
  return result;
}
