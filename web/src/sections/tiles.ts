// SPDX-License-Identifier: BSD-3-Clause
// How well: the numbers of the best method, as large as they deserve.
import { classCounts, severalClasses } from "../classes";
import { h, type Child } from "../dom";
import * as format from "../format";
import { best } from "../ranking";
import type { Maybe, ScoreKey, Study } from "../study";

function tile(value: string, label: string, note = ""): HTMLElement {
  return h(
    "div",
    { class: "tile" },
    h("div", { class: "tile-value" }, value),
    h("div", { class: "tile-label" }, label),
    note ? h("div", { class: "tile-note" }, note) : null,
  );
}

const digits = (key: ScoreKey): number => (format.isPercent(key) ? 1 : 2);

function intervalWords(key: ScoreKey, interval: [number, number] | null, over: string): string {
  if (!interval) return "";
  const [low, high] = interval.map((value: Maybe) => format.score(key, value, digits(key)));
  return `95 % interval ${low} to ${high}${over ? ` over ${over}` : ""}`;
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

/** The numbers of a model that was fitted to everything. */
function ofAFit(study: Study): Child[] {
  const leader = best(study);
  if (!leader) return [];
  return [
    leader.sparsity.in_mask !== null &&
      tile(
        format.scoreWithUnit("sparsity", leader.sparsity.in_mask, 1),
        `Sparsity of ${leader.name}`,
        "coefficients in the mask that are exactly zero",
      ),
    leader.final &&
      tile(
        leader.final.status,
        "Status of the fit",
        leader.final.relative_gap === null ? "" : `relative gap ${format.general(leader.final.relative_gap, 2)}`,
      ),
  ];
}

function pTile(study: Study): HTMLElement | null {
  const leader = best(study);
  if (!leader) return null;
  const largest = leader.p.binomial ?? leader.p.groups;
  if (leader.p.permutation !== null)
    return tile(
      format.probability(leader.p.permutation),
      "Permutation p, one-sided",
      `${format.integer(study.permutations)} permutations of the labels${study.smallest_p === null ? "" : `; never below ${format.probability(study.smallest_p)}`}`,
    );
  if (largest !== null && study.score === "accuracy")
    return tile(format.probability(largest), "Binomial p, one-sided", "labels were not permuted");
  return null;
}

export function tiles(study: Study): HTMLElement {
  const key = study.score;
  const leader = best(study);
  const score = leader?.scores[key];
  const entries: Child[] = [];
  if (leader && score) {
    const pooled = score.pooled !== null;
    entries.push(
      tile(
        format.scoreWithUnit(key, score.pooled ?? score.mean, digits(key)),
        `${format.scoreTitle(key)} of ${leader.name}`,
        pooled
          ? ["all predictions together", intervalWords(key, leader.interval, study.answers.interval_of)]
              .filter(Boolean)
              .join("; ")
          : "mean over the folds",
      ),
    );
  }
  if (study.chance !== null) {
    const larger = severalClasses(study) ? "largest" : "larger";
    const majority =
      study.majority !== null && key === "accuracy"
        ? `the ${larger} class: ${format.scoreWithUnit(key, study.majority, 1)}`
        : "";
    entries.push(tile(format.scoreWithUnit(key, study.chance, digits(key)), "Chance", majority));
  }
  const choice = leader?.forced_choice;
  if (leader && choice)
    entries.push(
      tile(
        format.scoreWithUnit("accuracy", choice.score, 1),
        `Forced choice of ${leader.name}`,
        intervalWords("accuracy", choice.interval, ""),
      ),
    );
  entries.push(pTile(study));
  if (!score) entries.push(...ofAFit(study));
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
