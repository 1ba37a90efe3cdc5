// SPDX-License-Identifier: BSD-3-Clause
// Methods against each other: the matrix has the numbers of results.json either way round, in marks and in words.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { probability } from "../src/format";
import { scores } from "../src/schema";
import type { CvResults } from "../src/results";
import { expectQuiet, open, openSample, shots } from "./open";
import { fillPage } from "./sample/fill";
import { readReport, reportFile, reports, samples } from "./sample/report";
import { writeFileSync } from "node:fs";

const matrix = '[data-table="comparisons"]';
const signed = (value: number, digits: number) =>
  (Number(value.toFixed(digits)) > 0 ? "+" : "") + value.toFixed(digits).replace("-", "−").replace(/^−(0(\.0+)?)$/, "$1");

for (const name of ["study", "regression", "paired", "auc", "balanced", "correlation", "classes", "resized"])
  test(`${name}: each cell is the difference and the corrected p of results.json`, async ({ page }) => {
    const { study } = readReport(path.join(reports, name, "report.html"));
    const results = JSON.parse(readFileSync(path.join(reports, name, "results.json"), "utf8")) as CvResults;
    const watch = await openSample(page, name);
    const grid = page.locator(matrix);
    const names = await grid.locator("tbody th").allTextContents();
    expect(names).toEqual(Object.keys(results.methods));
    expect((await grid.locator("thead th").allTextContents()).slice(1)).toEqual(names);
    await expect(grid.locator("caption")).toContainText("cannot be told apart");
    for (const ground of ["samples", "folds"] as const) {
      await grid.getByLabel("Compared").selectOption(ground);
      for (const pair of results.comparisons!) {
        const [difference, p] =
          ground === "samples" ? [pair.difference!, pair.p_adjusted] : [pair.fold_difference!, pair.fold_p_adjusted];
        const { percent } = scores[ground === "folds" ? study.score : study.target.classes === null ? "r2" : "accuracy"];
        for (const [row, column, sign] of [
          [pair.first, pair.second, 1],
          [pair.second, pair.first, -1],
        ] as const) {
          const cell = grid.locator("tbody tr").nth(names.indexOf(row)).locator("td").nth(names.indexOf(column));
          await expect(cell.locator(".difference")).toHaveText(signed(sign * difference * (percent ? 100 : 1), percent ? 1 : 3));
          await expect(cell.locator(".p")).toHaveText(p === null ? "" : `p ${probability(p)}`);
          const told = p === null ? "unknown" : p > 0.05 || difference === 0 ? "tie" : sign * difference > 0 ? "better" : "worse";
          await expect(cell).toHaveClass(`pair ${told}`);
          await expect(cell.locator(".mark")).toHaveText({ tie: "=", better: "▲", worse: "▼", unknown: "" }[told]);
        }
      }
    }
    const pairs = page.locator('[data-table="pairs"] tbody tr');
    await expect(pairs).toHaveCount(Math.min(15, results.comparisons!.length));
    for (const [i, text] of (await pairs.locator("td:nth-child(2)").allTextContents()).entries())
      expect(text).toContain((results.comparisons![i]!.p_adjusted ?? 1) > 0.05 && (results.comparisons![i]!.fold_p_adjusted ?? 1) > 0.05 ? "cannot be told apart" : "better");
    expectQuiet(watch);
  });

test("the matrix goes home as a table with a row for each method", async ({ page }) => {
  await openSample(page, "study");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(matrix).getByRole("button", { name: "TSV", exact: true }).click(),
  ]);
  const rows = readFileSync(await file.path(), "utf8").trimEnd().split("\n").map((row) => row.split("\t"));
  const { study } = readReport(reportFile("study"));
  const [first] = study.comparisons;
  const row = rows.find(([method]) => method === first!.second)!;
  expect(Number(row[rows[0]!.indexOf(`less ${first!.first}`)])).toBeCloseTo(-first!.difference!, 12);
  expect(Number(row[rows[0]!.indexOf(`p against ${first!.first}`)])).toBe(first!.p_adjusted);
  expect(row[rows[0]!.indexOf(`less ${first!.second}`)]).toBe("n/a");
});

// Fifteen methods and all of their pairs, made of two.
test("fifteen methods fit side by side", async ({ page }) => {
  const read = readReport(reportFile("study"));
  const [one, two] = read.study.methods;
  const pair = read.study.comparisons[0]!;
  const verdict = read.study.pairs[0]!;
  read.study.methods = Array.from({ length: 15 }, (_, i) => ({ ...(i % 2 ? one! : two!), name: `method-${i}` }));
  read.study.comparisons = [];
  read.study.pairs = [];
  for (let i = 0; i < 15; ++i)
    for (let j = i + 1; j < 15; ++j) {
      read.study.comparisons.push({ ...pair, first: `method-${i}`, second: `method-${j}` });
      read.study.pairs.push(verdict);
    }
  read.study.volumes = [];
  const file = path.join(samples, "fifteen.html");
  writeFileSync(file, fillPage(readFileSync(path.join(import.meta.dirname, "../dist/index.html"), "utf8"), read));
  await page.setViewportSize({ width: 1280, height: 1000 });
  await open(page, file);
  const grid = page.locator(matrix);
  await grid.scrollIntoViewIfNeeded();
  await expect(grid.locator("tbody td")).toHaveCount(225);
  // Rows as high as two lines: nothing wraps.
  const heights = await grid.locator("tbody tr").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(46);
  await grid.screenshot({ path: path.join(shots, "matrix-15.png") });
  await page.setViewportSize({ width: 390, height: 860 });
  await grid.screenshot({ path: path.join(shots, "matrix-390.png") });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await openSample(page, "paired");
  await expect(page.locator(`${matrix} tbody tr`)).toHaveCount(2);
  await page.locator(matrix).screenshot({ path: path.join(shots, "matrix-2.png") });
});
