// SPDX-License-Identifier: BSD-3-Clause
// The page as a whole: every kind of study opens, says its numbers, and says what is missing.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { plusMinus } from "../src/format";
import { expectQuiet, openSample, sectionIds, shots, startViewer } from "./open";
import { readStudy as read } from "./sample/report";

// What the program writes whole is in given.spec.ts.
const kinds = ["no_maps", "interrupted"];

test("the built page has its two places once, a strict policy, and is small", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../dist/index.html"), "utf8");
  for (const place of ["<!--STURM-STUDY-->", "<!--STURM-VOLUMES-->"]) expect(page.split(place).length).toBe(2);
  expect(page.indexOf("<!--STURM-VOLUMES-->")).toBeLessThan(page.indexOf('<script type="module">'));
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*|connect/);
  expect(page.length).toBeLessThan(1.5e6);
});

for (const name of kinds)
  test(`${name}: every section is there, with the numbers of the study`, async ({ page }) => {
    const study = read(name);
    const watch = await openSample(page, name);
    for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
    await expect(page.locator(".verdict")).toHaveText(study.verdict);
    for (const sentence of [...study.missing, ...study.warnings])
      await expect(page.locator("main")).toContainText(sentence);
    for (const method of study.methods) {
      const row = page
        .locator('[data-table="table"] tbody tr', { has: page.getByText(method.name, { exact: true }) })
        .first();
      const score = method.scores[study.score];
      if (score) await expect(row).toContainText(plusMinus(study.score, score.mean ?? score.pooled, score.sd));
      await expect(row).toContainText(plusMinus("sparsity", method.sparsity.mean, method.sparsity.sd));
    }
    if (study.volumes.length) await startViewer(page);
    else await expect(page.locator("#brain .absent")).toBeVisible();
    await page.waitForTimeout(300);
    expectQuiet(watch);
  });

test("nothing but a title: the page opens and says what is missing", async ({ page }) => {
  const watch = await openSample(page, "nothing");
  for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
  expect(await page.locator(".absent").count()).toBeGreaterThanOrEqual(6);
  expectQuiet(watch);
});

test("best is bold and second best is italic", async ({ page }) => {
  const study = read("study");
  await openSample(page, "study");
  const values = study.methods.map(({ scores }) => scores["accuracy"]!.mean!).sort((a, b) => b - a);
  const column = page.locator('[data-table="table"] tbody td:nth-child(3)');
  await expect(column.locator("strong").first()).toContainText((100 * values[0]!).toFixed(2));
  await expect(column.locator("em").first()).toContainText(
    (100 * values.find((value) => value < values[0]!)!).toFixed(2),
  );
});

test("of errors the smallest is bold", async ({ page }) => {
  const study = read("regression");
  await openSample(page, "regression");
  const table = page.locator('[data-table="scores"]');
  const titles = await table.locator("th").allTextContents();
  const column = table.locator(`tbody td:nth-child(${1 + titles.indexOf("Mean absolute error")})`);
  const errors = study.methods.map(({ scores }) => scores.mean_absolute_error!.mean!).sort((a, b) => a - b);
  expect(errors[0]!).toBeLessThan(errors.at(-1)!);
  await expect(column.locator("strong").first()).toContainText(errors[0]!.toFixed(3));
  for (const text of await column.locator("strong").allTextContents()) expect(text).not.toContain(errors.at(-1)!.toFixed(3));
});

test("a score that is no share is not held against the largest class", async ({ page }) => {
  await openSample(page, "auc");
  const tile = page.locator(".tile", { hasText: "Chance" });
  await expect(tile.locator(".tile-value")).toHaveText("0.50");
  await expect(tile).not.toContainText("class");
  await expect(page.locator('[data-chart="sites"] h3')).toHaveText("Accuracy by site");
});

test("a regression has its own charts and scores", async ({ page }) => {
  await openSample(page, "regression");
  await expect(page.locator('[data-chart="predicted_against_actual"] circle').first()).toBeVisible();
  await expect(page.locator(".score-line")).toContainText("R²");
  await expect(page.locator(".score-line")).toContainText("Mean absolute error");
  await expect(page.locator('[data-chart="roc"]')).toHaveCount(0);
});

test("the predictions can be sorted, with the keyboard too", async ({ page }) => {
  await openSample(page, "study");
  const table = page.locator('[data-table="predictions"]');
  const decisions = async () =>
    (await table.locator("tbody td:last-child").allTextContents())
      .filter((text) => text !== "–")
      .map((text) => Number(text.replace("−", "-").replace(/ × 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, power: string) => `e-${[...power].map((it) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(it)).join("")}`)));
  await table.getByRole("button", { name: "Decision" }).focus();
  await page.keyboard.press("Enter");
  const down = await decisions();
  expect(down).toEqual([...down].sort((a, b) => b - a));
  await page.keyboard.press("Enter");
  const up = await decisions();
  expect(up).toEqual([...up].sort((a, b) => a - b));
  await expect(table.locator('th[aria-sort="ascending"]')).toHaveText("Decision");
});

for (const [label, width, scheme] of [
  ["wide", 1280, "light"],
  ["dark", 1280, "dark"],
  ["phone", 390, "light"],
] as const)
  test(`${label}: nothing runs out of the page`, async ({ page }) => {
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["study", "regression", "interrupted"]) {
      await openSample(page, name);
      if (name !== "interrupted") await startViewer(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.screenshot({ path: path.join(shots, `${name}_${label}.png`), fullPage: true });
    }
  });

test("print: light, without controls", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openSample(page, "study");
  await startViewer(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.locator("nav")).toBeHidden();
  await expect(page.locator(".tools").first()).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  // A4 less its margins.
  await page.setViewportSize({ width: 688, height: 1000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(688);
  await page.screenshot({ path: path.join(shots, "study_print.png") });
  await page.pdf({ path: path.join(shots, "study.pdf"), format: "A4", printBackground: true });
  // Tables with an interval in each cell are the widest.
  for (const name of ["paired", "regression"]) {
    await openSample(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(688);
  }
});
