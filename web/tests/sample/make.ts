// SPDX-License-Identifier: BSD-3-Clause
// The program's reports with something changed: texts that attack, and parts that are missing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { scores, type Study } from "../../src/study";
import { fillPage } from "./fill";
import { hostile } from "./hostile";
import { readReport, reportFile, samples, type Read } from "./report";

const fieldsThatArePicked = new Set(["kind", "score", "part_score", "id", "status"]);

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
    for (const method of study.methods) Object.assign(method, { clusters: [], trace: [], grid: [] });
  });
  write("classes_left_out", "classes", (study) => {
    const name = study.target.classes![1]!;
    study.volumes = study.volumes.filter((volume) => volume.method !== "lasso" || volume.class !== name);
    study.left_out = [`lasso: ${name} was left out: the page has a limit of size.`];
  });
  // As the program writes maps that it had to round, but for the rounding.
  const rounded = readReport(reportFile("study"));
  for (const volume of rounded.study.volumes.filter(({ kind }) => kind === "map")) {
    volume.exact = false;
    const file = gunzipSync(Buffer.from(rounded.volumes.get(volume.id)!, "base64"));
    const planes = Buffer.from(file);
    const count = (file.length - 352) / 4;
    for (let i = 0; i < 4 * count; ++i) planes[352 + (i % 4) * count + Math.floor(i / 4)] = file[352 + i]!;
    rounded.volumes.set(volume.id, gzipSync(planes).toString("base64"));
  }
  writeFileSync(path.join(samples, "rounded.html"), fillPage(template, rounded));
  write("hostile", "study", (study) => {
    study.missing = ["Something is missing."];
    study.left_out = ["Some maps."];
    return poison(study);
  });
  write("hostile_classes", "classes", poison);
  write("nothing", "fit", () => ({ kind: "cv", title: "nothing", volumes: [] as Study["volumes"] }) as Study);
}
