// SPDX-License-Identifier: BSD-3-Clause
// The program's reports with something changed: texts that attack, and parts that are missing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { scores, type Study } from "../../src/study";
import { fillPage } from "./fill";
import { poison } from "./poison";
import { readReport, reportFile, samples, type Read } from "./report";

/** As the program leaves a study of which no model of all samples is done, and of the folds the first alone. */
function interrupt(study: Study): void {
  study.missing = [
    "The study is not finished: 2 of 16 tasks are done; the same sturm cv command continues with the others.",
  ];
  study.volumes = [];
  for (const method of study.methods) {
    Object.assign(method, { final: null, clusters: [], trace: [], grid: [], interval: null, confusion: null });
    method.chosen = method.chosen.slice(0, 1);
    method.p = { permutation: null, binomial: null, groups: null };
    Object.assign(method, { forced_choice: null, truth: null });
    for (const key of Object.keys(scores) as (keyof typeof scores)[]) {
      const score = method.scores[key];
      if (score) Object.assign(score, { sd: null, pooled: null, interval: null, folds: score.folds.slice(0, 1) });
    }
  }
  study.methods.at(-1)!.scores = {};
  const first = study.methods[0]!.chosen[0]!.fold;
  study.predictions = study.predictions.filter(({ fold }) => fold === first);
}

/** Where the list of hostile texts is begun. */
export const hostileRounds = [0, 20, 40, 60, 80];

export function makeSamples(page: string): void {
  const template = readFileSync(page, "utf8");
  mkdirSync(samples, { recursive: true });
  const write = (name: string, of: string, change: (study: Study) => Study | void) => {
    const read: Read = readReport(reportFile(of));
    const study = change(read.study) ?? read.study;
    writeFileSync(path.join(samples, `${name}.html`), fillPage(template, { ...read, study }));
  };
  write("interrupted", "study", interrupt);
  write("no_maps", "auc", (study) => {
    study.volumes = [];
    study.missing = ["The folder has no maps.", "grid.tsv is not in the folder."];
    Object.assign(study.where, { volume: null, method: null, words: "", voxels: 0, pictures: [] });
    for (const method of study.methods) Object.assign(method, { clusters: [], trace: [], grid: [] });
  });
  write("classes_left_out", "classes", (study) => {
    const name = study.target.classes![1]!;
    study.volumes = study.volumes.filter((volume) => volume.method !== "lasso" || volume.class !== name);
    study.left_out = [`lasso: ${name} was left out: the page has a limit of size.`];
  });
  // As the program writes maps that it had to round, but for the rounding.
  const rounded = readReport(reportFile("study"));
  for (const volume of rounded.study.volumes.filter(({ kind }) => kind === "map" || kind === "readable")) {
    volume.exact = false;
    const file = gunzipSync(Buffer.from(rounded.volumes.get(volume.id)!, "base64"));
    const planes = Buffer.from(file);
    const count = (file.length - 352) / 4;
    for (let i = 0; i < 4 * count; ++i) planes[352 + (i % 4) * count + Math.floor(i / 4)] = file[352 + i]!;
    rounded.volumes.set(volume.id, gzipSync(planes).toString("base64"));
  }
  writeFileSync(path.join(samples, "rounded.html"), fillPage(template, rounded));
  write("hostile", "study", (study) => poison(study).study);
  write("hostile_classes", "classes", (study) => poison(study).study);
  // Each text that there is once in a study, such as its title, is another one in each of these.
  for (const first of hostileRounds)
    for (const of of ["paired", "fit"])
      write(`hostile_${of}_${first}`, of, (study) => ({ ...poison(study, first).study, volumes: [] }));
  write("nothing", "fit", () => ({ kind: "cv", title: "nothing", volumes: [] as Study["volumes"] }) as Study);
}
