// SPDX-License-Identifier: BSD-3-Clause
// Made-up studies of several classes, told apart one against the rest.
import type { ClassFit, Method, Prediction, Study } from "../../src/study";
import { deviation, mean } from "./scores";
import { makeStudy, untested } from "./study";
import { blobs, randomNumbers } from "./volumes";

export const objects = ["face", "house", "cat", "bottle", "scissors", "shoe", "chair", "scrambled picture of nothing"];

const share = (rows: Prediction[]) =>
  rows.length ? rows.filter(({ actual, predicted }) => actual === predicted).length / rows.length : 0;

/** The classes of a person and what is said of them; people of a study come in the order of their first predictions. */
function predict(study: Study, classes: string[]): void {
  const random = randomNumbers(23);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const people = [...new Set(study.predictions.map(({ participant }) => participant))];
  for (const row of study.predictions) {
    const actual = people.indexOf(row.participant) % classes.length;
    const strength = /sturm/.test(row.method) ? 2.2 : 1.3;
    // The last two classes look alike.
    const near = (c: number) => (c === actual ? strength : Math.min(c, actual) === classes.length - 2 ? 0.8 : 0);
    const decisions = classes.map((_, c) => near(c) + normal() - 1);
    row.decision = Math.max(...decisions);
    row.actual = classes[actual]!;
    row.predicted = classes[decisions.indexOf(row.decision)]!;
  }
}

function score(method: Method, rows: Prediction[], classes: string[]): void {
  const folds = [...new Set(rows.map(({ fold }) => fold))].sort((a, b) => Number(a) - Number(b));
  const balanced = (some: Prediction[]) =>
    mean(
      classes
        .filter((name) => some.some(({ actual }) => actual === name))
        .map((name) => share(some.filter(({ actual }) => actual === name))),
    );
  const of = (value: (rows: Prediction[]) => number) => {
    const values = folds.map((fold) => value(rows.filter((row) => row.fold === fold)));
    return { mean: mean(values), sd: deviation(values), pooled: value(rows), folds: values };
  };
  method.scores = { accuracy: of(share), balanced_accuracy: of(balanced), auc: of((some) => 0.5 + share(some) / 2) };
  const pooled = method.scores["accuracy"]!.pooled!;
  const half = 1.96 * Math.sqrt((pooled * (1 - pooled)) / rows.length);
  method.interval = [pooled - half, Math.min(1, pooled + half)];
  method.null_scores = method.null_scores.map((value) => value / (classes.length / 2));
  method.confusion = {
    matrix: classes.map((actual) =>
      classes.map(
        (predicted) => rows.filter((row) => row.actual === actual && row.predicted === predicted).length,
      ),
    ),
  };
}

/** A cluster a class and method, at one of the places of the maps. */
function place(method: Method, classes: string[]): void {
  const all = method.clusters;
  method.clusters = [];
  method.class_clusters = classes.map((name, c) => ({
    class: name,
    rule: `connected voxels whose coefficient for ${name} is not 0`,
    clusters: [all[c % all.length]!, all[(c + 2) % all.length]!],
  }));
}

/** The weights of a class: two of the places, the second against it. */
export const classWeight =
  (c: number) =>
  (x: number, y: number, z: number): number => {
    const within = ({ centre, radius }: (typeof blobs)[number]) =>
      Math.hypot(x - centre[0], y - centre[1], z - centre[2]) < radius;
    if (within(blobs[c % blobs.length]!)) return 0.01;
    return within(blobs[(c + 2) % blobs.length]!) ? -0.006 : 0;
  };

export function classStudy(title: string, classes: string[], samples: number): Study {
  const study = makeStudy({ title, methods: 5, samples, folds: 5, permutations: 200 });
  study.methods = study.methods.filter(({ name }) => /^(svm|lasso|sturm)$/.test(name));
  const names = study.methods.map(({ name }) => name);
  study.predictions = study.predictions.filter(({ method }) => names.includes(method));
  study.groups = [];
  predict(study, classes);
  for (const method of study.methods) {
    score(
      method,
      study.predictions.filter((row) => row.method === method.name),
      classes,
    );
    place(method, classes);
  }
  const sites = [...new Set(study.sites.map(({ site }) => site))];
  study.sites = names.flatMap((method) =>
    sites.map((site, i) => {
      const rows = study.predictions.filter((row) => row.method === method && Number(row.fold) % sites.length === i);
      return { method, site, n: rows.length, score: share(rows) };
    }),
  );
  const own = study.predictions.filter(({ method }) => method === names[0]);
  const counts = classes.map((name) => own.filter(({ actual }) => actual === name).length);
  study.target = { column: "stimulus", classes, positive: null, negative: null };
  study.counts = { ...study.counts, positive: null, classes: counts };
  study.chance = 1 / classes.length;
  study.majority = Math.max(...counts) / samples;
  const best = study.methods.at(-1)!;
  study.best = best.name;
  study.verdict = `${best.name} is right for ${(100 * best.scores["accuracy"]!.pooled!).toFixed(1)} % of ${samples} samples of ${classes.length} classes, where chance is ${(100 * study.chance).toFixed(1)} %.`;
  study.data.table = [
    ...classes.map((value, c) => ({ column: "stimulus", value, count: counts[c]! })),
    ...study.data.table.filter(({ column }) => column !== "group"),
  ];
  return study;
}

/** The same as one model of all samples, with what each class is worth. */
export function classFit(title: string, classes: string[], samples: number): Study {
  const study = classStudy(title, classes, samples);
  const method = study.methods.at(-1)!;
  Object.assign(study, {
    kind: "fit",
    methods: [method],
    predictions: [],
    sites: [],
    chance: null,
    majority: null,
    score: "",
  });
  study.counts.folds = null;
  const fits = classes.map(
    (name, c): ClassFit => ({
      class: name,
      status: c === 1 ? "iteration_limit" : "converged",
      objective: 1.5 + 0.25 * c,
      dual: 1.4985 + 0.25 * c,
      relative_gap: c === 1 ? 0.0123 : 8.7e-4,
      iterations: 40 + c,
      sparsity: 0.95 - 0.01 * c,
      sparsity_in_mask: 0.8 - 0.01 * c,
      tubal_rank: 9 + c,
      intercept: -0.5 + 0.1 * c,
    }),
  );
  Object.assign(method, {
    ...untested(),
    null_scores: [],
    final: { ...method.final!, relative_gap: 0.0123, status: "iteration_limit", classes: fits },
  });
  study.verdict = `${method.name} was fitted to ${samples} samples of ${classes.length} classes, each against the rest.`;
  return study;
}
