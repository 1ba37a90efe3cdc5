// SPDX-License-Identifier: BSD-3-Clause
// Section 2: the tables of the paper for this study.
import { absent, h } from "../dom";
import * as format from "../format";
import { ranks } from "../ranking";
import { scoresOf, type Maybe, type Method, type ScoreKey, type Study } from "../study";
import { table, type Column } from "../table";
import { comparisonTable, pooledTable, truthTable } from "./compared";
import { section, type Section } from "./section";

const value = (method: Method, key: ScoreKey): Maybe => method.scores[key]?.mean ?? method.scores[key]?.pooled ?? null;

function scoreColumn(study: Study, key: ScoreKey): Column<Method> {
  const order = ranks(
    study.methods.map((method) => ({ name: method.name, value: value(method, key) })),
    format.lowerIsBetter(key),
  );
  return {
    title: format.scoreTitleWithUnit(key),
    numeric: true,
    value: (method) => value(method, key),
    show: (method) => ranked(format.plusMinus(key, value(method, key), method.scores[key]?.sd), order.get(method.name)),
  };
}

function ranked(text: string, rank: 1 | 2 | undefined): Node {
  return rank === 1 ? h("strong", {}, text) : rank === 2 ? h("em", {}, text) : h("span", {}, text);
}

const ofFits: Column<Method>[] = [
  {
    title: "Inner fits",
    numeric: true,
    value: (method) => method.fits.inner,
    show: (method) => format.integer(method.fits.inner),
  },
  {
    title: "Unconverged",
    numeric: true,
    value: (method) => method.fits.unconverged,
    show: (method) => format.integer(method.fits.unconverged),
  },
  {
    title: "Worst gap",
    numeric: true,
    value: (method) => method.fits.worst_gap,
    show: (method) => format.general(method.fits.worst_gap, 2),
  },
];

export function tablesSection(study: Study): Section {
  const first = study.score;
  const keys = [...new Set(study.methods.flatMap((method) => scoresOf(method).map(([key]) => key)))];
  const others = keys.filter((key) => key !== first);
  const sparse = ranks(study.methods.map(({ name, sparsity }) => ({ name, value: sparsity.in_mask })));
  const name: Column<Method> = {
    title: "Method",
    value: (method) => method.name,
    show: (method) => h("span", { title: method.title }, method.name),
  };
  const sparsity: Column<Method> = {
    title: "Sparsity in the mask (%)",
    numeric: true,
    value: (method) => method.sparsity.in_mask,
    show: (method) =>
      ranked(format.plusMinus("sparsity", method.sparsity.in_mask, method.sparsity.in_mask_sd), sparse.get(method.name)),
  };
  const inBox: Column<Method> = {
    title: "Sparsity of the box (%)",
    numeric: true,
    value: (method) => method.sparsity.mean,
    show: (method) => format.plusMinus("sparsity", method.sparsity.mean, method.sparsity.sd),
  };
  const lead =
    study.kind === "cv"
      ? `Mean ± standard deviation over ${study.counts.folds === null ? "the" : format.integer(study.counts.folds)} outer folds. Best in bold, second best in italics.`
      : "Of the model fitted to all samples.";
  if (study.methods.length === 0)
    return section("tables", "Tables", "The tables", null, absent("No method has finished."));
  const main = table({
    name: "table",
    caption: keys.includes(first) ? `${format.scoreTitle(first)} and sparsity` : "Sparsity",
    columns: [
      name,
      { title: "What it is", value: ({ title }) => title },
      ...(keys.includes(first) ? [scoreColumn(study, first)] : []),
      sparsity,
      inBox,
    ],
    rows: study.methods,
  });
  const ranked_ = study.methods.some(({ tubal_rank }) => tubal_rank !== null);
  const detail = table({
    name: "scores",
    caption: "Every score and the fits behind it",
    columns: [
      name,
      ...others.map((key) => scoreColumn(study, key)),
      {
        title: "p, permutation (one-sided)",
        numeric: true,
        value: ({ p }) => p.permutation,
        show: ({ p }) => format.probability(p.permutation),
      },
      {
        title: "p, largest class (one-sided)",
        numeric: true,
        value: ({ p }) => p.binomial ?? p.groups,
        show: ({ p }) => format.probability(p.binomial ?? p.groups),
      },
      ...(ranked_
        ? [
            {
              title: "Tubal rank",
              numeric: true,
              value: ({ tubal_rank }: Method) => tubal_rank,
            } satisfies Column<Method>,
          ]
        : []),
      ...ofFits,
    ],
    rows: study.methods,
  });
  return section(
    "tables",
    "Tables",
    "The tables",
    lead,
    main.element,
    detail.element,
    ...pooledTable(study),
    ...comparisonTable(study),
    ...truthTable(study),
  );
}
