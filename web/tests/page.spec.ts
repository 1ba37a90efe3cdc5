// SPDX-License-Identifier: BSD-3-Clause
// The page as a whole: every kind of study opens, says its numbers, and says what is missing.
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Study } from "../src/study";
import { plusMinus } from "../src/format";
import { expectQuiet, openSample, samples, sectionIds, shots, startViewer } from "./open";

const kinds = ["large", "small", "regression", "one", "no_maps", "fit", "interrupted"];
const read = (name: string): Study => JSON.parse(readFileSync(path.join(samples, `${name}.json`), "utf8"));

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
  const study = read("small");
  await openSample(page, "small");
  const values = study.methods.map(({ scores }) => scores["accuracy"]!.mean!).sort((a, b) => b - a);
  const column = page.locator('[data-table="table"] tbody td:nth-child(3)');
  await expect(column.locator("strong").first()).toContainText((100 * values[0]!).toFixed(2));
  await expect(column.locator("em").first()).toContainText(
    (100 * values.find((value) => value < values[0]!)!).toFixed(2),
  );
});

test("a regression has its own charts and scores", async ({ page }) => {
  await openSample(page, "regression");
  await expect(page.locator('[data-chart="predicted_against_actual"] circle').first()).toBeVisible();
  await expect(page.locator(".score-line")).toContainText("R²");
  await expect(page.locator(".score-line")).toContainText("Mean absolute error");
  await expect(page.locator('[data-chart="roc"]')).toHaveCount(0);
});

test("the predictions can be sorted, with the keyboard too", async ({ page }) => {
  await openSample(page, "small");
  const table = page.locator('[data-table="predictions"]');
  const decisions = async () =>
    (await table.locator("tbody td:last-child").allTextContents())
      .filter((text) => text !== "–")
      .map((text) => Number(text.replace("−", "-").replace(" × 10⁻⁴", "e-4")));
  await table.getByRole("button", { name: "Decision" }).focus();
  await page.keyboard.press("Enter");
  const down = await decisions();
  expect(down).toEqual([...down].sort((a, b) => b - a));
  await page.keyboard.press("Enter");
  const up = await decisions();
  expect(up).toEqual([...up].sort((a, b) => a - b));
  await expect(table.locator('th[aria-sort="ascending"]')).toHaveText("Decision");
});

// The seconds are printed, not asked for: on a shared machine they are the machine's.
test("a whole-brain study of ten methods is below 8 MB and answers", async ({ page }) => {
  expect(statSync(path.join(samples, "large.html")).size).toBeLessThan(8e6);
  const start = Date.now();
  await openSample(page, "large");
  await expect(page.locator('[data-chart="methods"] svg')).toBeVisible();
  await page.locator(".theme").click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const seconds = (Date.now() - start) / 1000;
  console.log(`interactive after ${seconds.toFixed(2)} s`);
  await startViewer(page);
  console.log(`viewer drawn after ${((Date.now() - start) / 1000).toFixed(2)} s`);
});

for (const [label, width, scheme] of [
  ["wide", 1280, "light"],
  ["dark", 1280, "dark"],
  ["phone", 390, "light"],
] as const)
  test(`${label}: nothing runs out of the page`, async ({ page }) => {
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["large", "regression", "interrupted"]) {
      await openSample(page, name);
      if (name !== "interrupted") await startViewer(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.screenshot({ path: path.join(shots, `${name}_${label}.png`), fullPage: true });
    }
  });

test("print: light, without controls", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openSample(page, "small");
  await startViewer(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.locator("nav")).toBeHidden();
  await expect(page.locator(".tools").first()).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  // A4 less its margins.
  await page.setViewportSize({ width: 688, height: 1000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(688);
  await page.screenshot({ path: path.join(shots, "small_print.png") });
  await page.pdf({ path: path.join(shots, "small.pdf"), format: "A4", printBackground: true });
});
