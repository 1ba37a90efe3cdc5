// SPDX-License-Identifier: BSD-3-Clause
// Every report that the program wrote: its maps are drawn, its files can be saved, and each number of results.json is the
// one that is shown.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import {
  integer,
  lowerIsBetter,
  plusMinus,
  probability,
  score,
  scoreTitleWithUnit,
  scoreWithUnit,
} from "../src/format";
import type { CvResults, FitResults, MethodResults } from "../src/results";
import { scores, type ScoreKey, type Study } from "../src/schema";
import { withInterval } from "../src/sections/compared";
import { expectQuiet, open, picture, sectionIds, shots, startViewer } from "./open";
import { readReport, reportFile, reportNames, reports } from "./sample/report";

const keys = Object.keys(scores) as ScoreKey[];
const keyOf = (results: CvResults): ScoreKey => results.score.replace("-", "_") as ScoreKey;
const beside = (name: string, file: string): string => path.join(reports, name, file);
const table = (page: Page, name: string) => page.locator(`[data-table="${name}"]`);
const rowOf = (page: Page, name: string, method: string) =>
  table(page, name)
    .locator("tbody tr", { has: page.getByText(method, { exact: true }) })
    .first();

/** The cell of a method in the column of that title. */
async function cell(page: Page, name: string, method: string, title: string) {
  const titles = await table(page, name).locator("thead th").allTextContents();
  expect(titles).toContain(title);
  return rowOf(page, name, method).locator("th, td").nth(titles.indexOf(title));
}

/** Best is bold: of scores the largest, of errors the smallest. */
function bestOf(methods: [string, MethodResults][], key: ScoreKey): number {
  const values = methods.map(([, method]) => method[key]).filter((value) => typeof value === "number");
  return lowerIsBetter(key) ? Math.min(...values) : Math.max(...values);
}

async function expectScores(page: Page, results: CvResults): Promise<void> {
  const methods = Object.entries(results.methods);
  const first = keyOf(results);
  for (const key of keys.filter((key) => methods.some(([, method]) => method[key] !== undefined))) {
    const where = key === first ? "table" : "scores";
    const best = bestOf(methods, key);
    for (const [name, method] of methods) {
      const shown = await cell(page, where, name, scoreTitleWithUnit(key));
      await expect(shown).toHaveText(plusMinus(key, method[key] ?? null, method[`${key}_sd`] ?? null));
      const bold = methods.length > 1 && Number(method[key]?.toFixed(9)) === Number(best.toFixed(9));
      await expect(shown.locator("strong")).toHaveCount(bold ? 1 : 0);
    }
  }
  for (const [name, method] of methods) {
    const box = await cell(page, "table", name, "Sparsity of the box (%)");
    await expect(box).toHaveText(plusMinus("sparsity", method.sparsity ?? null, method.sparsity_sd ?? null));
    const mask = await cell(page, "table", name, "Sparsity in the mask (%)");
    await expect(mask).toHaveText(
      plusMinus("sparsity", method.sparsity_in_mask ?? null, method.sparsity_in_mask_sd ?? null),
    );
    await expect(await cell(page, "scores", name, "Inner fits")).toHaveText(integer(method.inner_fits));
  }
}

/** Intervals, p, forced choice, pairs of methods and agreement with a planted map: as in results.json. */
async function expectInference(page: Page, results: CvResults): Promise<void> {
  const methods = Object.entries(results.methods);
  for (const [name, method] of methods) {
    for (const key of keys) {
      const interval = method[`pooled_${key}_interval`];
      if (!interval) continue;
      const shown = await cell(page, "pooled", name, scoreTitleWithUnit(key));
      await expect(shown).toHaveText(withInterval(key, method[`pooled_${key}`], interval));
    }
    const p = await cell(page, "scores", name, "p of accuracy, against the largest class (one-sided)");
    await expect(p).toHaveText(probability(method.binomial_p ?? method.group_p));
    if (method.forced_choice !== undefined) {
      const choice = await cell(page, "pooled", name, "Forced choice (%)");
      await expect(choice).toHaveText(withInterval("accuracy", method.forced_choice, method.forced_choice_interval));
      const itsP = await cell(page, "pooled", name, "p, forced choice (one-sided)");
      await expect(itsP).toHaveText(probability(method.forced_choice_p));
    } else expect(await table(page, "pooled").locator("th").allTextContents()).not.toContain("Forced choice (%)");
    if (method.truth) {
      await expect(await cell(page, "truth", name, "Dice")).toHaveText(score("auc", method.truth.dice));
      await expect(await cell(page, "truth", name, "AUC")).toHaveText(score("auc", method.truth.auc));
      await expect(await cell(page, "truth", name, "Rank correlation")).toHaveText(
        score("auc", method.truth.rank_correlation),
      );
    }
  }
  for (const { first, second, p, p_adjusted, fold_p, fold_p_adjusted } of results.comparisons ?? []) {
    const row = table(page, "pairs").locator("tbody tr", { has: page.getByText(`${first} and ${second}`, { exact: true }) });
    const numbers = await row.locator("td.number").allTextContents();
    expect([1, 2, 4, 5].map((column) => numbers[column])).toEqual([p, p_adjusted, fold_p, fold_p_adjusted].map(probability));
  }
}

/** The labels of groups and sites are those of the columns that they come from. */
async function expectParts(page: Page, name: string, study: Study): Promise<void> {
  for (const [file, chart] of [
    ["sites.tsv", "sites"],
    ["groups.tsv", "groups"],
  ] as const) {
    if (!existsSync(beside(name, file))) continue;
    const [head, ...rows] = readFileSync(beside(name, file), "utf8").trimEnd().split("\n");
    const key = head!.split("\t")[3] as ScoreKey;
    expect(study.part_score).toBe(key);
    const drawn = study[chart];
    if (drawn.length === 0) continue;
    expect(drawn.map(({ method, part, n, score }) => [method, part, String(n), Number(score)])).toEqual(
      rows.map((row) => row.split("\t")).map((it) => [it[0], it[1], it[2], Number(it[3])]),
    );
    if (chart === "groups") await expect(table(page, "groups").locator("thead th").last()).toHaveText(scoreTitleWithUnit(key));
    else
      await expect(page.locator('[data-chart="sites"] h3, [data-chart="sites"] figcaption').first()).toContainText(
        `${scores[key].title} by site`,
      );
  }
}

async function expectFit(page: Page, results: FitResults): Promise<void> {
  await expect(rowOf(page, "table", results.method)).toContainText(plusMinus("sparsity", results.sparsity, null));
  await expect(rowOf(page, "final_fits", results.method)).toContainText(results.status);
  await expect(rowOf(page, "final_fits", results.method)).toContainText(String(results.iterations));
}

for (const name of reportNames())
  test(`report of ${name}`, async ({ page }) => {
    const file = reportFile(name);
    expect(statSync(file).size).toBeLessThan(8e6);
    const { study } = readReport(file);
    const watch = await open(page, file);
    for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
    await expect(page.locator(".verdict")).toHaveText(study.verdict);
    for (const sentence of [...study.missing, ...study.warnings])
      await expect(page.locator("main")).toContainText(sentence);
    if (existsSync(beside(name, "results.json"))) {
      const results = JSON.parse(readFileSync(beside(name, "results.json"), "utf8")) as CvResults;
      expect(study.score).toBe(keyOf(results));
      await expectScores(page, results);
      await expectInference(page, results);
      await expectParts(page, name, study);
      const best = results.methods[study.best!]!;
      const pooled = best[`pooled_${study.score}`] ?? null;
      const digits = scores[study.score].percent ? 1 : 2;
      await expect(page.locator(".tile-value").first()).toHaveText(scoreWithUnit(study.score, pooled, digits));
    } else await expectFit(page, JSON.parse(readFileSync(beside(name, "fit.json"), "utf8")) as FitResults);
    await page.locator(".theme").click();
    if (await page.locator(".stage").count()) {
      await startViewer(page);
      const drawn = await picture(page);
      expect(drawn.colours).toBeGreaterThan(20);
      const thresholdOf = await page.locator("#threshold-value").textContent();
      await page.locator("#threshold").fill("900");
      await expect.poll(async () => (await picture(page)).hash).not.toBe(drawn.hash);
      expect(await page.locator("#threshold-value").textContent()).not.toBe(thresholdOf);
      const rows = page.locator("#clusters tbody tr");
      const last = rows.nth((await rows.count()) - 1);
      const before = await page.locator("#crosshair-mm").textContent();
      await last.click();
      if ((await rows.count()) > 1) await expect(page.locator("#crosshair-mm")).not.toHaveText(before!);
      await page.screenshot({ path: path.join(shots, `given-${name}.png`) });
    }
    expectQuiet(watch);
  });
