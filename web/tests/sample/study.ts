// SPDX-License-Identifier: BSD-3-Clause
// A made-up study whose numbers agree with each other: scores come from its predictions.
import type { Method, Prediction, Study } from "../../src/study";
import { deviation, mean, scores } from "./scores";
import { blobs, randomNumbers } from "./volumes";

interface Kind {
  name: string;
  title: string;
  /** How well decisions follow the labels, and the share of zeros. */
  strength: number;
  sparsity: number;
  axes: { name: string; values: number[] }[];
}

const steps = (low: number, high: number, count: number) =>
  Array.from({ length: count }, (_, i) => Number((low * (high / low) ** (i / (count - 1))).toPrecision(4)));
const C = { name: "C", values: steps(1e-4, 100, 7) };
const gamma = { name: "gamma", values: steps(0.01, 1, 10) };
const tau = { name: "tau", values: steps(0.01, 10, 8) };
const l2 = { name: "l2", values: steps(0.1, 1000, 6) };

export const kinds: Kind[] = [
  { name: "svm", title: "Linear support vector machine", strength: 1.1, sparsity: 0.742, axes: [C] },
  { name: "lasso", title: "Lasso", strength: 1.15, sparsity: 0.9991, axes: [gamma] },
  { name: "enet", title: "Elastic net", strength: 1.35, sparsity: 0.9934, axes: [l2, gamma] },
  {
    name: "remurs",
    title: "Remurs: Tucker nuclear norm and l1 norm",
    strength: 1.5,
    sparsity: 0.883,
    axes: [tau, gamma],
  },
  { name: "sturm", title: "Sturm: tubal nuclear norm and l1 norm", strength: 1.9, sparsity: 0.952, axes: [tau, gamma] },
  {
    name: "lasso+svm",
    title: "Lasso, then a linear SVM on its voxels",
    strength: 1.2,
    sparsity: 0.9989,
    axes: [gamma, C],
  },
  {
    name: "enet+svm",
    title: "Elastic net, then a linear SVM on its voxels",
    strength: 1.3,
    sparsity: 0.9921,
    axes: [l2, gamma],
  },
  {
    name: "remurs+svm",
    title: "Remurs, then a linear SVM on its voxels",
    strength: 1.55,
    sparsity: 0.979,
    axes: [tau, gamma, C],
  },
  {
    name: "sturm+svm",
    title: "Sturm, then a linear SVM on its voxels",
    strength: 1.8,
    sparsity: 0.986,
    axes: [tau, gamma, C],
  },
  { name: "ridge", title: "Ridge", strength: 1, sparsity: 0.742, axes: [l2] },
];

/** What a method lacks in the report of a fit: nothing was tested. */
export const untested = () => ({
  scores: {},
  interval: null,
  confusion: null,
  grid: [],
  chosen: [],
  p: { permutation: null, binomial: null },
});

export interface StudyOptions {
  title: string;
  methods: number;
  samples: number;
  folds: number;
  regression?: boolean;
  permutations?: number;
  resizes?: number[];
}

function grid(kind: Kind, resizes: number[], folds: number, random: () => number): Method["grid"] {
  const all = resizes.map((resize, r) => {
    const sizes = kind.axes.map(({ values }) => values.length);
    const cells = sizes.reduce((product, size) => product * size, 1);
    const score = Array.from({ length: cells }, (_, cell) => {
      let rest = cell;
      let distance = 0;
      for (let a = sizes.length - 1; a >= 0; --a) {
        distance += ((rest % sizes[a]!) / sizes[a]! - 0.45 - 0.08 * r) ** 2;
        rest = Math.floor(rest / sizes[a]!);
      }
      return Math.max(0.5, 0.9 - 0.02 * r - 0.8 * distance + 0.02 * random());
    });
    return {
      resize,
      axes: kind.axes,
      score,
      sparsity: score.map((_, i) => 0.2 + (0.79 * (i % sizes.at(-1)!)) / sizes.at(-1)!),
      chosen: new Array<number>(cells).fill(0),
    };
  });
  for (let fold = 0; fold < folds; ++fold) {
    const block = all[fold % 3 === 2 ? all.length - 1 : 0]!;
    const order = block.score.map((value, i) => ({ value, i })).sort((a, b) => b.value - a.value);
    block.chosen[order[fold % 4 < 2 ? 0 : Math.min(fold % 4, order.length - 1)]!.i]! += 1;
  }
  return all;
}

function trace(random: () => number): Method["trace"] {
  return Array.from({ length: 24 }, (_, i) => ({
    iteration: 3 + 3 * i,
    objective: 13 + 1.2 * Math.exp(-i / 4) + 0.002 * random(),
    gap: 0.3 * Math.exp(-i / 3.6) * (1 + 0.3 * random()) + 3e-4,
    change: 0.3 * Math.exp(-i / 3.2) * (1 + 0.4 * random()) + 5e-5,
  }));
}

export function makeStudy(options: StudyOptions): Study {
  const random = randomNumbers(17);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [positive, negative] = ["patient", "control"];
  const regression = options.regression ?? false;
  const sites = ["Utrecht", "Sheffield", "Kyoto"];
  const people = Array.from({ length: options.samples }, (_, i) => ({
    participant: `sub-${String(i + 1).padStart(3, "0")}`,
    path: `volumes/sub-${String(i + 1).padStart(3, "0")}.nii.gz`,
    fold: String((Math.floor(i / 2) % options.folds) + 1),
    site: sites[Math.floor(random() * 3)]!,
    label: i % 2,
    age: 20 + 60 * random(),
  }));
  const predictions: Prediction[] = [];
  const score = regression ? "r2" : "accuracy";
  const methods = kinds.slice(0, options.methods).map((kind): Method => {
    const rows = people.map((person): Prediction => {
      const decision = regression ? null : (person.label ? 1 : -1) * 0.8 * kind.strength + normal();
      const guess = regression ? 50 + 0.5 * kind.strength * 0.8 * (person.age - 50) + 7 * normal() : null;
      return {
        method: kind.name,
        participant: person.participant,
        path: person.path,
        fold: person.fold,
        actual: regression ? person.age.toFixed(1) : person.label ? positive : negative,
        predicted: regression ? guess!.toFixed(2) : decision! > 0 ? positive : negative,
        decision,
      };
    });
    predictions.push(...rows);
    const folds = Array.from({ length: options.folds }, (_, i) => rows.filter((row) => row.fold === String(i + 1)));
    const all: Method["scores"] = {};
    for (const [key, of] of Object.entries(scores(regression, positive))) {
      const values = folds.map(of);
      all[key] = { mean: mean(values), sd: deviation(values), pooled: of(rows), folds: values };
    }
    const pooled = all[score]!.pooled!;
    const half = regression ? 0.09 : 1.96 * Math.sqrt((pooled * (1 - pooled)) / rows.length);
    const count = (actual: string, predicted: string) =>
      rows.filter((row) => row.actual === actual && row.predicted === predicted).length;
    const setting = Object.fromEntries(
      kind.axes.map(({ name, values }) => [name, values[Math.floor(values.length / 2)]!]),
    );
    const permutations = options.permutations ?? 0;
    return {
      name: kind.name,
      title: kind.title,
      scores: all,
      interval: [pooled - half, Math.min(1, pooled + half * 0.8)],
      p: {
        permutation: permutations ? 1 / (permutations + 1) : null,
        binomial: regression ? null : 2.6e-9 / kind.strength,
      },
      null_scores: Array.from(
        { length: permutations },
        () => (regression ? -0.1 : 0.5) + (regression ? 0.06 : 0.055) * normal(),
      ),
      sparsity: {
        mean: kind.sparsity,
        sd: kind.axes.length > 1 ? 0.012 : 0.0003,
        in_mask: Math.max(0, 1 - (1 - kind.sparsity) * 3.9),
      },
      confusion: regression
        ? null
        : {
            tp: count(positive, positive),
            fn: count(positive, negative),
            fp: count(negative, positive),
            tn: count(negative, negative),
          },
      tubal_rank: /sturm/.test(kind.name) ? 14 : null,
      fits: { inner: 1200, unconverged: kind.name === "remurs" ? 3 : 0, worst_gap: 9.7e-4 },
      chosen: folds.map((_, i) => ({ fold: String(i + 1), resize: 1, setting, inner_score: 0.9, status: "converged" })),
      final: {
        resize: 1,
        setting,
        status: kind.name === "remurs" ? "iteration limit" : "converged",
        relative_gap: kind.name === "remurs" ? 0.0042 : 9.1e-4,
        iterations: 39,
      },
      grid: grid(kind, options.resizes ?? [1], options.folds, random),
      trace: /sturm|remurs|enet/.test(kind.name) ? trace(random) : [],
      cluster_rule: "connected voxels whose coefficient is not 0",
      clusters: blobs.map(({ centre, radius, weight, region }, i) => ({
        peak: [...centre],
        voxel: [Math.round((centre[0] + 90) / 2), Math.round((centre[1] + 126) / 2), Math.round((centre[2] + 72) / 2)],
        voxels: Math.round(0.5 * radius ** 3),
        volume: Math.round(4 * radius ** 3),
        peak_weight: weight * 0.0123,
        share: [0.37, 0.21, 0.17, 0.11, 0.06][i]!,
        selected: [1, 0.9, 1, 0.8, 0.6][i]!,
        region,
      })),
    };
  });
  const order = [...methods].sort((a, b) => b.scores[score]!.mean! - a.scores[score]!.mean!);
  const first = order[0]!;
  const best = first.scores[score]!;
  const verdict = regression
    ? `${first.name} explains ${(100 * best.pooled!).toFixed(0)} % of the variance of age in participants it has not seen (R² ${best.pooled!.toFixed(2)}).`
    : `${first.name} tells patients from controls in ${(100 * best.pooled!).toFixed(1)} % of cases it has not seen (95 % interval ${(100 * first.interval![0]).toFixed(1)} to ${(100 * first.interval![1]).toFixed(1)} %), where chance is 50 %${options.permutations ? ` (permutation p = ${first.p.permutation!.toFixed(4)})` : ""}.`;
  const tally = (column: string, of: (person: (typeof people)[number]) => string) =>
    [...new Set(people.map(of))].map((value) => ({
      column,
      value,
      count: people.filter((person) => of(person) === value).length,
    }));
  return {
    kind: "cv",
    title: options.title,
    missing: [],
    target: regression
      ? { column: "age", classes: null, positive: null, negative: null, unit: "years" }
      : { column: "group", classes: [negative, positive], positive, negative },
    counts: {
      samples: people.length,
      positive: regression ? null : people.filter(({ label }) => label).length,
      classes: null,
      groups: people.length,
      group_column: "participant_id",
      folds: options.folds,
    },
    score,
    chance: regression ? 0 : 0.5,
    majority: regression ? null : 0.5,
    permutations: options.permutations ?? 0,
    verdict,
    best: first.name,
    methods,
    predictions,
    groups: methods.flatMap(({ name }) =>
      sites.map((site, i) => ({ method: name, group: `run-${i + 1} ${site}`, n: 10 + i, score: 0.7 + 0.05 * i })),
    ),
    sites: methods.flatMap(({ name }) =>
      sites.map((site) => {
        const rows = predictions.filter(
          (row) =>
            row.method === name && people.find(({ participant }) => participant === row.participant)!.site === site,
        );
        return { method: name, site, n: rows.length, score: scores(regression, positive)[score]!(rows) };
      }),
    ),
    data: {
      table: [
        ...(regression ? [] : tally("group", ({ label }) => (label ? positive : negative))),
        ...tally("site", ({ site }) => site),
      ],
      facts: [
        { name: "Shape of the volumes", value: "91 × 109 × 91" },
        { name: "Voxels in the mask", value: "228 453" },
        { name: "Space", value: "MNI152, 2 mm" },
      ],
      excluded: [
        { sample: "sub-131", reason: "no label" },
        { sample: "sub-140", reason: "not-a-number in 12 voxels" },
      ],
      warnings: ["Three volumes are brighter than the others by more than four deviations: sub-004, sub-017, sub-090."],
    },
    warnings: [
      `There are ${people.length} samples: a score can be off by chance by about ${(98 / Math.sqrt(people.length)).toFixed(0)} percentage points.`,
      "Site and group are not independent (chi-squared p = 0.03): part of what is decoded may be the scanner.",
      "3 of 1200 inner fits of remurs did not converge; the worst gap is 0.004.",
    ],
    text: {
      methods: `Linear models were trained on ${people.length} volumes to predict ${regression ? "age" : "group"}. Settings were chosen by an inner cross-validation in each of ${options.folds} outer folds; all volumes of a participant were kept in the same fold.\n\nSparsity is the share of coefficients that are exactly zero. Intervals are Wilson intervals of the pooled predictions.`,
      references: [
        "Song, X., & Lu, H. (2017). Multilinear regression for embedded feature selection with application to fMRI analysis. AAAI.",
        "Tibshirani, R. (1996). Regression shrinkage and selection via the lasso. JRSS B, 58(1), 267–288.",
      ],
      command: `sturm cv --table samples.tsv --target ${regression ? "age" : "group --positive patient"} --methods ${methods.map(({ name }) => name).join(",")} --outer ${options.folds} --seed 0`,
    },
    provenance: [
      { name: "sturm", value: "0.1.0" },
      { name: "Seed", value: "0" },
      { name: "Hash of the table", value: "8cbaec391a26d474cc8c9974b510f224" },
      { name: "Hash of the volumes", value: "e257b42cd1bd179d3fdf45aa613adcfa" },
    ],
    volumes: [],
    left_out: [],
  };
}
