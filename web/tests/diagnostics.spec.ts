// SPDX-License-Identifier: BSD-3-Clause
// Behind the scores: what is drawn is what the tables of the study hold.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { expectQuiet, openSample, shots } from "./open";
import { readReport, reportFile, reports } from "./sample/report";

/** Rows of a table of results, by column. */
function rowsOf(name: string, file: string): { [column: string]: string }[] {
  const [head, ...rows] = readFileSync(path.join(reports, name, file), "utf8").trimEnd().split("\n");
  const columns = head!.split("\t");
  return rows.map((row) => Object.fromEntries(row.split("\t").map((cell, i) => [columns[i]!, cell])));
}

test("decision values: a mark for each sample of the method in focus, by class and by site", async ({ page }) => {
  const { study } = readReport(reportFile("study"));
  const watch = await openSample(page, "study");
  const chart = page.locator('[data-chart="decisions"]');
  const own = rowsOf("study", "predictions.tsv").filter(({ method }) => method === study.best);
  const count = (actual: string) => own.filter((row) => row["actual"] === actual).length;
  await expect(chart.locator("svg circle")).toHaveCount(count(study.target.positive!));
  for (const by of ["class", "site"]) {
    await chart.getByLabel("By").selectOption(by);
    await expect(chart.locator("svg circle")).toHaveCount(count(study.target.positive!));
    await chart.screenshot({ path: path.join(shots, `decisions-${by}.png`) });
  }
  const sites = [...new Set(own.map((row) => row["site"]!))];
  expect(sites.length).toBeGreaterThan(1);
  for (const site of sites) await expect(chart.locator("svg")).toContainText(`${site}, `.slice(0, 17));
  // Each person has one sample: there is nothing to show by person.
  await expect(chart.getByLabel("By").locator("option")).toHaveText(["class", "site"]);
  expectQuiet(watch);
});

test("a positive sample with a higher decision value lies higher", async ({ page }) => {
  const { study } = readReport(reportFile("study"));
  await openSample(page, "study");
  const own = study.predictions.filter(({ method, actual }) => method === study.best && actual === study.target.positive);
  own.sort((a, b) => a.participant.localeCompare(b.participant, "en", { numeric: true }));
  const heights = await page
    .locator('[data-chart="decisions"] svg circle')
    .evaluateAll((all) => all.map((mark) => Number(mark.getAttribute("cy"))));
  const byValue = own.map(({ decision }, i) => ({ decision: decision!, height: heights[i]! })).sort((a, b) => a.decision - b.decision);
  for (let i = 1; i < byValue.length; ++i) expect(byValue[i]!.height).toBeLessThanOrEqual(byValue[i - 1]!.height + 1e-9);
});

test("of pairs the two samples of a person are joined, and persons can be looked at", async ({ page }) => {
  const { study } = readReport(reportFile("paired"));
  const watch = await openSample(page, "paired");
  const chart = page.locator('[data-chart="decisions"]');
  const people = new Set(study.predictions.map(({ participant }) => participant)).size;
  await expect(chart.locator('svg path[stroke="var(--axis)"]')).toHaveCount(people);
  await chart.screenshot({ path: path.join(shots, "decisions-paired.png") });
  await chart.getByLabel("By").selectOption("person");
  await expect(chart.locator('svg path[stroke="var(--axis)"]')).toHaveCount(people);
  await expect(chart.locator("figcaption")).toContainText("they should rise");
  await chart.screenshot({ path: path.join(shots, "decisions-person.png") });
  expectQuiet(watch);
});

test("shares by decision value count every sample once", async ({ page }) => {
  const { study } = readReport(reportFile("study"));
  const method = study.methods.find(({ name }) => name === study.best)!;
  const own = rowsOf("study", "predictions.tsv").filter((row) => row["method"] === study.best);
  expect(method.reliability.length).toBeGreaterThanOrEqual(3);
  expect(method.reliability.reduce((sum, { n }) => sum + n, 0)).toBe(own.length);
  for (const bin of method.reliability) {
    const inside = own.filter((row) => Number(row["decision"]) >= bin.from && Number(row["decision"]) <= bin.to);
    expect(inside.length).toBe(bin.n);
    expect(inside.filter((row) => row["actual"] === study.target.positive).length).toBe(bin.positive);
  }
  await openSample(page, "study");
  const chart = page.locator('[data-chart="reliability"]');
  await expect(chart.locator("svg")).toContainText("Decision value");
  await chart.screenshot({ path: path.join(shots, "reliability.png") });
});

test("the band of the ROC curves is that of the method in focus", async ({ page }) => {
  const { study } = readReport(reportFile("study"));
  await openSample(page, "study");
  const band = page.locator('[data-chart="roc"] path.band');
  await expect(band).toHaveCount(1);
  const shape = await band.getAttribute("d");
  await page.locator("#scores").getByRole("combobox", { name: "Method" }).selectOption(study.methods.find(({ name }) => name !== study.best)!.name);
  await expect.poll(() => band.getAttribute("d")).not.toBe(shape);
  await expect(page.locator('[data-chart="roc"] figcaption')).toContainText("vertical averaging");
  await page.locator('[data-chart="roc"]').screenshot({ path: path.join(shots, "roc-band.png") });
});

test("what resizing did is the mean over folds of the best inner score of each size", async ({ page }) => {
  const { study } = readReport(reportFile("resized"));
  const grid = rowsOf("resized", "grid.tsv").filter(({ fold }) => fold !== "all");
  const watch = await openSample(page, "resized");
  await expect(page.locator('[data-chart="resizing"]')).toBeVisible();
  for (const { name, resizing } of study.methods) {
    expect(resizing.length).toBe(2);
    for (const { resize, mean, chosen } of resizing) {
      const own = grid.filter((row) => row["method"] === name && Number(row["resize"]) === resize);
      const folds = [...new Set(own.map((row) => row["fold"]))];
      const best = folds.map((fold) => Math.max(...own.filter((row) => row["fold"] === fold).map((row) => Number(row["score"]))));
      expect(mean).toBeCloseTo(best.reduce((sum, value) => sum + value, 0) / best.length, 10);
      expect(chosen).toBe(own.filter((row) => row["chosen"] === "1").length);
    }
  }
  await page.locator('[data-chart="resizing"]').screenshot({ path: path.join(shots, "resizing.png") });
  expectQuiet(watch);
});

test("heat maps have one scale for all methods, said in words, and name what they leave out", async ({ page }) => {
  const { study } = readReport(reportFile("study"));
  await openSample(page, "study");
  const all = study.methods.flatMap(({ grid }) => grid.flatMap(({ score }) => score)).filter((it) => it !== null);
  const said = `from ${(100 * Math.min(...all)).toFixed(1)} % (darkest) to ${(100 * Math.max(...all)).toFixed(1)} % (lightest)`;
  const section = page.locator("#sensitivity");
  const dropped = study.methods.filter(({ grid }) => grid.some(({ best_over }) => best_over.length > 0));
  expect(dropped.length).toBeGreaterThan(0);
  for (const { name, grid } of study.methods) {
    await section.getByLabel("Method").selectOption(name);
    await expect(section).toContainText(said);
    if (grid[0]!.best_over.length) await expect(section.locator("figure h3").first()).toContainText(`best over ${grid[0]!.best_over.join(" and ")}`);
  }
  await section.screenshot({ path: path.join(shots, "heat.png") });
});
