// SPDX-License-Identifier: BSD-3-Clause
// Reports to look at and to test, one for each thing that can be there or missing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Study, Volume } from "../../src/study";
import { fillPage } from "./fill";
import { classFit, classStudy, classWeight, objects } from "./classes";
import { hostile } from "./hostile";
import { makeStudy, untested } from "./study";
import * as volumes from "./volumes";

type Bytes = Map<string, Uint8Array>;

function add(
  study: Study,
  bytes: Bytes,
  space: volumes.Space,
  kind: Volume["kind"],
  method: string | null,
  fold: string | null,
  label: string,
  values: Float32Array,
  ofClass: string | null = null,
): void {
  const id = `v${study.volumes.length}`;
  const { bytes: packed, limit } = volumes.encode(space, values);
  bytes.set(id, packed);
  study.volumes.push({ id, kind, method, fold, class: ofClass, label, shape: space.shape, limit, in_world: true });
}

/** A background, and a map, a stability map and folds of each method. */
function addVolumes(study: Study, space: volumes.Space, withFolds: boolean): Bytes {
  const bytes: Bytes = new Map();
  const template = process.env["STURM_TEMPLATE"];
  if (template) {
    const { bytes: packed, shape } = volumes.readTemplate(template);
    bytes.set("background", packed);
    study.volumes.push({
      id: "background",
      kind: "background",
      method: null,
      fold: null,
      label: "Template",
      shape,
      limit: 1,
      in_world: true,
    });
  } else add(study, bytes, space, "background", null, null, "Mean volume", volumes.fill(space, volumes.anatomy));
  study.methods.forEach(({ name }, index) => {
    const random = volumes.randomNumbers(100 + index);
    const dense = /^(svm|ridge)$/.test(name);
    const points = /^lasso/.test(name);
    const map = volumes.fill(space, (x, y, z) => {
      if (volumes.depth(x, y, z) > 0.97) return 0;
      const signal = volumes.truth(x, y, z);
      if (dense) return 0.004 * signal + 0.002 * (random() + random() + random() - 1.5);
      if (points) return signal && random() < 0.12 ? 0.02 * signal * random() : 0;
      return signal ? 0.012 * signal * (0.6 + 0.4 * random()) : 0;
    });
    add(study, bytes, space, "map", name, null, "Coefficients, all samples", map);
    add(
      study,
      bytes,
      space,
      "stability",
      name,
      null,
      "Share of folds that select a voxel",
      map.map((value) => (value ? Math.ceil(5 * Math.min(1, Math.abs(value) / 0.009)) / 5 : 0)),
    );
    if (withFolds)
      for (let fold = 1; fold <= 3; ++fold)
        add(
          study,
          bytes,
          space,
          "fold",
          name,
          String(fold),
          `Fold ${fold}`,
          map.map((value) => (random() < 0.8 ? value : 0)),
        );
  });
  add(study, bytes, space, "truth", null, null, "Truth of the phantom", volumes.fill(space, volumes.truth));
  return bytes;
}

/** A background, and a map a class and a stability map of each method. */
function addClassVolumes(study: Study, space: volumes.Space): Bytes {
  const bytes: Bytes = new Map();
  add(study, bytes, space, "background", null, null, "Mean volume", volumes.fill(space, volumes.anatomy));
  for (const { name } of study.methods) {
    study.target.classes!.forEach((label, c) => {
      const map = volumes.fill(space, classWeight(c));
      add(study, bytes, space, "map", name, null, `${name}: ${label}`, map, label);
    });
    const stability = volumes.fill(space, (x, y, z) => (volumes.truth(x, y, z) ? 0.8 : 0));
    add(study, bytes, space, "stability", name, null, "Share of folds that select a voxel", stability);
  }
  return bytes;
}

const fieldsThatArePicked = new Set(["kind", "score", "id", "status"]);

/** Puts texts into every free text of a study; names of methods stay apart from each other and agree everywhere. */
function poison(study: Study): Study {
  let next = 0;
  const renamed = new Map<string, string>();
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "string") {
      if (fieldsThatArePicked.has(key)) return value;
      if (!renamed.has(value))
        renamed.set(value, `${hostile[next++ % hostile.length]}${next > hostile.length ? ` ${next}` : ""}`);
      return renamed.get(value);
    }
    if (Array.isArray(value)) return value.map((entry) => walk(entry, key));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, walk(entry, name)]));
    return value;
  };
  return walk(study, "") as Study;
}

export function makeSamples(folder: string, page: string): void {
  const template = readFileSync(page, "utf8");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, study: Study, bytes: Bytes = new Map()) => {
    writeFileSync(path.join(folder, `${name}.html`), fillPage(template, study, bytes));
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(study));
  };

  const large = makeStudy({
    title: "word_object",
    methods: 10,
    samples: 120,
    folds: 10,
    permutations: 1000,
    resizes: [0.5, 1],
  });
  const largeBytes = addVolumes(large, volumes.whole, false);
  large.left_out = ["The maps of 10 folds of 10 methods."];
  write("large", large, largeBytes);

  const small = makeStudy({ title: "phantom", methods: 6, samples: 60, folds: 5 });
  write("small", small, addVolumes(small, volumes.coarse, true));

  const regression = makeStudy({ title: "brain_age", methods: 4, samples: 90, folds: 5, regression: true });
  write("regression", regression, addVolumes(regression, volumes.coarse, false));

  const classes = classStudy("objects", objects, 160);
  write("classes", classes, addClassVolumes(classes, volumes.coarse));
  const three = classStudy("three_classes", objects.slice(0, 3), 60);
  const threeBytes = addClassVolumes(three, volumes.coarse);
  three.volumes = three.volumes.filter(({ label }) => label !== "lasso: cat");
  three.left_out = ["lasso: cat was left out: the page has a limit of size."];
  write("three_classes", three, threeBytes);
  const classesFit = classFit("objects_fit", objects.slice(0, 4), 80);
  write("classes_fit", classesFit, addClassVolumes(classesFit, volumes.coarse));
  const badNames = classStudy("hostile", objects, 48);
  const badBytes = addClassVolumes(badNames, volumes.coarse);
  write("hostile_classes", poison(badNames), badBytes);

  const one = makeStudy({ title: "one_method", methods: 1, samples: 40, folds: 4 });
  write("one", one, addVolumes(one, volumes.coarse, false));

  const bare = makeStudy({ title: "no_maps", methods: 4, samples: 60, folds: 5 });
  for (const method of bare.methods) ((method.clusters = []), (method.trace = []), (method.grid = []));
  bare.missing = ["The folder has no maps.", "The table of the grid is missing."];
  write("no_maps", bare);

  const fit = makeStudy({ title: "single_fit", methods: 5, samples: 60, folds: 5 });
  fit.kind = "fit";
  fit.methods = fit.methods.slice(4);
  Object.assign(fit, { predictions: [], groups: [], sites: [], chance: null, majority: null });
  fit.counts.folds = null;
  fit.methods.forEach((method) =>
    Object.assign(method, untested()),
  );
  fit.verdict = "sturm was fitted to 60 samples and converged; it was not tested on samples it has not seen.";
  write("fit", fit, addVolumes(fit, volumes.coarse, false));

  const interrupted = makeStudy({ title: "interrupted", methods: 3, samples: 60, folds: 5 });
  interrupted.missing = [
    "The study stopped before its end: 2 of 5 folds are done.",
    "There is no model of all samples, so there are no maps.",
  ];
  interrupted.verdict = "The study is not finished: there is no verdict yet.";
  for (const method of interrupted.methods) {
    Object.assign(method, {
      final: null,
      clusters: [],
      trace: [],
      interval: null,
      p: { permutation: null, binomial: null },
      confusion: null,
    });
    for (const score of Object.values(method.scores))
      Object.assign(score, { pooled: null, folds: score.folds.map((value, i) => (i < 2 ? value : null)) });
  }
  interrupted.methods[2]!.scores = {};
  interrupted.predictions = interrupted.predictions.filter(({ fold }) => Number(fold) <= 2);
  write("interrupted", interrupted);
  write("nothing", { kind: "cv", title: "nothing" } as Study);

  const plain = makeStudy({ title: "hostile", methods: 5, samples: 44, folds: 4, permutations: 50 });
  plain.missing = ["Something is missing."];
  plain.left_out = ["Some maps."];
  const bytes = addVolumes(plain, volumes.coarse, true);
  write("hostile", poison(plain), bytes);
}
