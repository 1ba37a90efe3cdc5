// SPDX-License-Identifier: BSD-3-Clause
// Every number and label of a report that the program wrote is that of results.json and the tables beside it: each cell of
// each table and of its file, each tile, each answer, each axis.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { general, integer, plusMinus, probability, score, scoreTitleWithUnit, scoreWithUnit, setting } from "../src/format";
import type { CvResults, FitResults, MethodResults } from "../src/results";
import { scores, type ScoreKey, type Study } from "../src/schema";
import { opensWith } from "../src/ranking";
import { withInterval } from "../src/sections/compared";
import { expectQuiet, open } from "./open";
import { readReport, reportFile, reportNames, reports } from "./sample/report";

/** Tables whose cells other tests compare. */
const elsewhere = /^(comparisons|pairs|readable_maps)$/;

const keys = Object.keys(scores) as ScoreKey[];
const beside = (name: string, file: string): string => path.join(reports, name, file);
const json = <T>(name: string, file: string): T => JSON.parse(readFileSync(beside(name, file), "utf8")) as T;
const keyTitled = (title: string): ScoreKey | undefined => keys.find((key) => scoreTitleWithUnit(key) === title);
/** p of the best of so many methods, with the digits of a sentence. */
function correctedWords(p: number, methods: number): number {
  const value = Math.min(1, p * Math.max(1, methods));
  return Number(value < 1e-3 ? value.toExponential(1) : value.toPrecision(3));
}

/** The rows of a file, by the names of its columns. */
function rowsOf(name: string, file: string): { [column: string]: string }[] {
  if (!existsSync(beside(name, file))) return [];
  const [head, ...rows] = readFileSync(beside(name, file), "utf8").trimEnd().split("\n");
  const columns = head!.split("\t");
  return rows.map((row) => Object.fromEntries(row.split("\t").map((cell, i) => [columns[i]!, cell])));
}

const settingOf = (all: NonNullable<MethodResults["all_samples"]>): { [name: string]: number } => {
  const described = ["resize", "inner_score", "objective", "relative_gap", "iterations", "status", "sparsity"];
  const rest = [...described, "sparsity_in_mask", "tubal_rank", "shape"];
  return Object.fromEntries(Object.entries(all).filter(([key]) => !rest.includes(key))) as { [name: string]: number };
};

/** What a cell of a table of methods should hold; undefined where nobody knows the column. */
function cellOf(table: string, title: string, method: MethodResults): string | undefined {
  const key = keyTitled(title);
  const all = method.all_samples;
  if (key && table === "pooled") return withInterval(key, method[`pooled_${key}`], method[`pooled_${key}_interval`]);
  if (key) return plusMinus(key, method[key], method[`${key}_sd`]);
  const known: { [title: string]: () => string } = {
    "What it is": () => method.title,
    "Sparsity in the mask (%)": () => plusMinus("sparsity", method.sparsity_in_mask, method.sparsity_in_mask_sd),
    "Sparsity of the box (%)": () => plusMinus("sparsity", method.sparsity, method.sparsity_sd),
    "p, permutation (one-sided)": () => probability(method.permutation_p),
    "p of accuracy, against the largest class (one-sided)": () => probability(method.binomial_p ?? method.group_p),
    "Tubal rank": () => String(all?.tubal_rank ?? "–"),
    "Inner fits": () => integer(method.inner_fits),
    Unconverged: () => integer(method.inner_fits_unconverged),
    "Worst gap": () => general(method.inner_worst_gap, 2),
    "Forced choice (%)": () => withInterval("accuracy", method.forced_choice, method.forced_choice_interval),
    "p, forced choice (one-sided)": () => probability(method.forced_choice_p),
    Dice: () => score("auc", method.truth?.dice),
    AUC: () => score("auc", method.truth?.auc),
    "Rank correlation": () => score("auc", method.truth?.rank_correlation),
    Resize: () => general(all?.resize),
    Setting: () => setting(settingOf(all!)),
    Status: () => all!.status,
    "Relative gap": () => general(all?.relative_gap, 2),
    Iterations: () => integer(all?.iterations),
  };
  return known[title]?.();
}

/** Heads and cells as they are shown, all rows of them. */
async function shown(table: Locator): Promise<{ heads: string[]; rows: string[][] }> {
  for (const more of await table.getByRole("button", { name: "Show all" }).all()) await more.click();
  return table.evaluate((it) => ({
    heads: [...it.querySelectorAll("thead th")].map((cell) => cell.textContent!),
    rows: [...it.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent!)),
  }));
}

async function saved(page: Page, frame: Locator): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    frame.getByRole("button", { name: "TSV", exact: true }).click(),
  ]);
  return readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
}

/** The file of a table has its heads and their units: percent where they say so, and standard deviations or intervals. */
function expectFile(table: string, rows: string[][], methods: { [name: string]: MethodResults }): void {
  const [heads, ...cells] = rows as [string[], ...string[][]];
  for (const row of cells)
    heads.forEach((head, i) => {
      const method = methods[row[0]!]!;
      const [title, part] = head.split(", ").length > 1 ? [head.slice(0, head.lastIndexOf(", ")), head.split(", ").at(-1)] : [head, ""];
      const key = keyTitled(title!) ?? (title === "Forced choice (%)" ? "accuracy" : undefined);
      const sparsity = { "Sparsity in the mask (%)": "sparsity_in_mask", "Sparsity of the box (%)": "sparsity" }[title!];
      if (!key && !sparsity) return;
      const name = sparsity ?? (title === "Forced choice (%)" ? "forced_choice" : table === "pooled" ? `pooled_${key}` : key);
      const all = (table === "truth" ? method.truth : method) as unknown as { [name: string]: number | [number, number] | undefined };
      const value =
        part === "standard deviation"
          ? all[`${name}_sd`]
          : part === "low" || part === "high"
            ? (all[`${name}_interval`] as [number, number] | undefined)?.[part === "low" ? 0 : 1]
            : all[name!];
      const unit = /\(%\)/.test(head) ? 100 : 1;
      if (typeof value !== "number") expect(row[i], head).toBe("n/a");
      else expect(Number(row[i]), `${table}: ${head} of ${row[0]}`).toBeCloseTo(unit * value, 8);
    });
  if (table === "table") expect(heads.filter((head) => head.endsWith("standard deviation")).length).toBe(3);
}

async function expectTables(page: Page, name: string, study: Study, results: CvResults): Promise<void> {
  const unchecked: string[] = [];
  for (const table of await page.locator("[data-table]").all()) {
    const label = (await table.getAttribute("data-table"))!;
    if (elsewhere.test(label)) continue;
    const { heads, rows } = await shown(table);
    const expectRows = (expected: string[][]) => expect(rows, label).toEqual(expected);
    if (label === "groups") {
      const key = study.part_score;
      expectRows(
        rowsOf(name, "groups.tsv")
          .filter(({ method }) => method === study.best)
          .map((it) => [it["group"]!, it["method"]!, it["n"]!, score(key, Number(it[key]))]),
      );
    } else if (label === "predictions") {
      const regression = study.target.classes === null;
      expectRows(
        rowsOf(name, "predictions.tsv")
          .filter(({ method }) => method === study.best)
          .map((it) => [
            it["participant_id"]!,
            it["path"]!,
            it["fold"]!,
            regression ? String(Number(it["actual"])) : it["actual"]!,
            regression ? general(Number(it["predicted"]), 4) : it["predicted"]!,
            ...(heads.includes("Right") ? [it["actual"] === it["predicted"] ? "yes" : "no"] : []),
            ...(regression ? [] : [general(Number(it["decision"]))]),
          ]),
      );
    } else if (label.startsWith("clusters_")) {
      const method = opensWith(study)!;
      const maps = study.first_map?.kind === "readable" ? method.readable! : method;
      const list = study.target.classes && study.target.classes.length > 2 ? maps.class_clusters[0]! : maps;
      const at = (title: string) => heads.indexOf(title);
      expect(rows.map((row) => row[at("Voxels")])).toEqual(list.clusters.map(({ voxels }) => integer(voxels)));
      expect(rows.map((row) => row[at("Peak weight")])).toEqual(list.clusters.map((it) => general(it.peak_weight)));
      expect(rows.map((row) => row[at("Share of |w| (%)")])).toEqual(list.clusters.map((it) => (100 * it.share).toFixed(1)));
    } else if (heads[0] === "Method") {
      expect(rows.map(([method]) => method)).toEqual(
        Object.keys(results.methods).filter((it) => label !== "truth" || results.methods[it]!.truth),
      );
      for (const row of rows)
        heads.slice(1).forEach((title, i) => {
          const expected = cellOf(label === "truth" && title === "AUC" ? "" : label, title, results.methods[row[0]!]!);
          const truth = label === "truth" && title === "AUC" ? score("auc", results.methods[row[0]!]!.truth!.auc) : expected;
          if (truth === undefined) unchecked.push(`${label}: ${title}`);
          else expect(row[i + 1], `${label}: ${title} of ${row[0]}`).toBe(truth);
        });
      expectFile(label, await saved(page, table), results.methods);
    } else if (label !== "excluded") unchecked.push(label);
  }
  expect(unchecked, "cells that nobody compares with results.json").toEqual([]);
}

/** Tiles, the answer in a sentence, and the numbers of the list of trust. */
async function expectFirstScreen(page: Page, study: Study, results: CvResults): Promise<void> {
  const key = study.score;
  const best = results.methods[study.best!]!;
  const digits = scores[key].percent ? 1 : 2;
  const pooled = best[`pooled_${key}`]!;
  const count = Object.keys(results.methods).length;
  const tile = (label: string) => page.locator(".tile", { has: page.locator(".tile-label", { hasText: label }) });
  const first = tile(`${scores[key].title} of ${study.best}`);
  await expect(first.locator(".tile-value")).toHaveText(scoreWithUnit(key, pooled, digits));
  const [low, high] = best[`pooled_${key}_interval`]!;
  // Whether a score is a mean over folds or of all predictions is said wherever one stands.
  await expect(first).toContainText(
    `all predictions together; 95 % interval ${score(key, low, digits)} to ${score(key, high, digits)} over ${results.statistics!.count} `,
  );
  if (results.labels) {
    const chance = key === "auc" ? 0.5 : results.chance!;
    await expect(tile("Chance").locator(".tile-value")).toHaveText(scoreWithUnit(key, chance, digits));
    if (key === "accuracy") await expect(tile("Chance")).toContainText(scoreWithUnit(key, results.majority, 1));
  } else await expect(tile("Chance")).toHaveCount(0);
  if (best.permutation_p !== undefined) {
    await expect(tile("Permutation p").locator(".tile-value")).toHaveText(probability(best.permutation_p));
    await expect(tile("Permutation p")).toContainText(`${results.permutations} permutations`);
    await expect(tile("Permutation p")).toContainText(`never below ${probability(results.smallest_p)}`);
  } else await expect(tile("Permutation p")).toHaveCount(0);
  if (best.forced_choice !== undefined)
    await expect(tile("Forced choice").locator(".tile-value")).toHaveText(scoreWithUnit("accuracy", best.forced_choice, 1));
  await expect(tile("Samples").locator(".tile-value")).toHaveText(integer(results.samples));
  await expect(tile("Samples")).toContainText(`${results.outer_folds} folds`);

  const sentence = (await page.locator(".sentence").textContent())!;
  const inWords = (value: number) => (scores[key].percent ? `${(100 * value).toFixed(1)} %` : value.toFixed(3));
  expect(sentence).toContain(`${study.best}`);
  expect(sentence).toContain(inWords(pooled));
  if (results.labels) expect(sentence).toContain(inWords(key === "accuracy" ? results.majority! : key === "auc" ? 0.5 : results.chance!));
  else expect(sentence).toMatch(/reaches 0/);
  const p = best.permutation_p ?? (key === "accuracy" ? (best.binomial_p ?? best.group_p) : undefined);
  const stated = /\(p = ([\d.e-]+)/.exec(sentence);
  if (stated) expect(Number(stated[1])).toBeCloseTo(correctedWords(p!, count), 12);
  else if (/\(p < 0.001/.test(sentence)) expect(correctedWords(p!, count)).toBeLessThan(0.001);
  else if (study.answers.worked === "yes") expect(p).toBeUndefined();
  // Nobody says that there is no p where one stands.
  const words = (await page.locator("#verdict").textContent())!;
  if (/p = /.test(words)) expect(words).not.toMatch(/there is no p/);

  const check = async (name: string) => (await page.locator(".check", { hasText: name }).textContent())!;
  if (results.permutations) expect(await check("Labels permuted")).toContain(`${results.permutations} permutations`);
  else expect(await check("Labels permuted")).toContain("No labels were permuted");
  const gaps = Object.values(results.methods).flatMap((it) => [it.inner_worst_gap ?? 0, it.all_samples?.relative_gap ?? 0]);
  const worst = /gap is ([\d.e+-]+\d)/.exec(await check("Every fit proven"));
  expect(Number(worst![1])).toBe(Number(Math.max(...gaps).toExponential(1)));
  if (count > 1) expect(await check("Choice of method")).toContain(`${count} methods`);
}

/** Titles of axes and charts name the score that they show; values beside marks are those of the file. */
async function expectCharts(page: Page, name: string, study: Study, results: CvResults): Promise<void> {
  const key = study.score;
  const title = scoreTitleWithUnit(key);
  const texts = (chart: string) => page.locator(`[data-chart="${chart}"] svg text`).allTextContents();
  const rows = async (chart: string) => (await saved(page, page.locator(`[data-chart="${chart}"]`))).slice(1);
  const methods = await texts("methods");
  expect(methods).toContain(title);
  const number = (value: unknown) => (value === undefined || value === null ? "n/a" : String(value));
  for (const [method, it] of Object.entries(results.methods)) expect(methods).toContain(method), void it;
  expect(await rows("methods")).toEqual(
    Object.entries(results.methods).map(([method, it]) => {
      const [low, high] = it[`pooled_${key}_interval`] ?? [];
      return [method, ...[it[`pooled_${key}`], low, high, it[key], it[`${key}_sd`]].map(number)];
    }),
  );
  if (await page.locator('[data-chart="score_against_sparsity"]').count()) {
    const labels = await texts("score_against_sparsity");
    expect(labels).toContain(title);
    expect(labels.some((label) => label.startsWith("Sparsity (%"))).toBe(true);
    expect(await rows("score_against_sparsity")).toEqual(
      Object.entries(results.methods)
        .filter(([, it]) => it.sparsity_in_mask !== undefined)
        .map(([method, it]) => [method, ...[it.sparsity_in_mask, it.sparsity_in_mask_sd, it[key], it[`${key}_sd`]].map(number)]),
    );
  }
  if (results.permutations) expect(await texts("permutations")).toContain(title);
  await expect(page.locator('[data-chart="folds"] h3')).toHaveText(`${scores[key].title} by fold`);
  const folds = rowsOf(name, "folds.tsv");
  for (const [method, ...values] of await rows("folds"))
    expect(values.map(Number)).toEqual(folds.filter((it) => it["method"] === method).map((it) => Number(it[key])));
  if (study.sites.length) {
    await expect(page.locator('[data-chart="sites"] h3')).toHaveText(`${scores[study.part_score].title} by site`);
    const sites = rowsOf(name, "sites.tsv");
    for (const [method, ...values] of await rows("sites"))
      expect(values.map(Number)).toEqual(
        sites.filter((it) => it["method"] === method).map((it) => Number(it[study.part_score])),
      );
  }
  if (study.target.classes === null)
    for (const label of [`Actual ${study.target.column}`, "Predicted"])
      expect(await texts("predicted_against_actual")).toContain(label);
  if (study.target.positive !== null) {
    const legend = await texts("roc");
    for (const [method, it] of Object.entries(results.methods))
      expect(legend).toContain(`${method} ${score("auc", it.pooled_auc)}`);
    await expect(page.locator('[data-chart="roc"] h3')).toContainText("all predictions together");
    const c = results.methods[study.best!]!.confusion!;
    const counts = (await texts("confusion")).filter((text) => /^\d+$/.test(text)).map(Number);
    expect(counts).toEqual([c.true_positive, c.false_negative, c.false_positive, c.true_negative]);
  }
}

for (const name of reportNames().filter((it) => existsSync(beside(it, "results.json"))))
  test(`${name}: tables, tiles, answers and axes are those of results.json`, async ({ page }) => {
    const results = json<CvResults>(name, "results.json");
    const { study } = readReport(reportFile(name));
    const watch = await open(page, reportFile(name));
    await expectFirstScreen(page, study, results);
    await expectTables(page, name, study, results);
    await expectCharts(page, name, study, results);
    expectQuiet(watch);
  });

for (const name of reportNames().filter((it) => existsSync(beside(it, "fit.json"))))
  test(`${name}: tables and tiles are those of fit.json`, async ({ page }) => {
    const fit = json<FitResults>(name, "fit.json");
    await open(page, reportFile(name));
    const tile = (label: string) => page.locator(".tile", { hasText: label }).locator(".tile-value");
    await expect(tile("Sparsity")).toHaveText(scoreWithUnit("sparsity", fit.sparsity_in_mask, 1));
    await expect(tile("Status")).toHaveText(fit.status);
    await expect(tile("Samples")).toHaveText(integer(fit.n_samples));
    await expect(page.locator(".said")).toHaveAttribute("data-worked", "unclear");
    await expect(page.locator(".sentence")).toContainText(`${fit.method} was fitted to all ${fit.n_samples} samples`);
    const { heads, rows } = await shown(page.locator('[data-table="table"]'));
    expect(rows[0]![heads.indexOf("Sparsity in the mask (%)")]).toBe(score("sparsity", fit.sparsity_in_mask));
    expect(rows[0]![heads.indexOf("Sparsity of the box (%)")]).toBe(score("sparsity", fit.sparsity));
    const final = await shown(page.locator('[data-table="final_fits"]'));
    expect(final.rows).toEqual([
      [fit.method, general(fit.resize), setting(fit.parameters), fit.status, general(fit.relative_gap, 2), integer(fit.iterations)],
    ]);
  });
