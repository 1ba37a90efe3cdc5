// SPDX-License-Identifier: BSD-3-Clause
// Readable maps, paths and learning curves, against the results.json that the program wrote.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import * as format from "../src/format";
import type { CvResults } from "../src/results";
import { expectQuiet, openSample } from "./open";
import { readStudy, reports } from "./sample/report";

const resultsOf = (name: string): CvResults =>
  JSON.parse(readFileSync(path.join(reports, name, "results.json"), "utf8")) as CvResults;

test("the table of readable maps holds the numbers of results.json", async ({ page }) => {
  const results = resultsOf("study");
  const watch = await openSample(page, "study");
  const rows = page.locator('[data-table="readable_maps"] tbody tr');
  const told = Object.entries(results.methods).filter(([, method]) => method.readable);
  expect(told.map(([name]) => name)).toEqual(["lasso", "sturm"]);
  await expect(rows).toHaveCount(told.length);
  for (const [index, [name, { readable }]] of told.entries()) {
    const cells = rows.nth(index).locator("td, th");
    await expect(cells.nth(0)).toHaveText(name);
    await expect(cells.nth(2)).toHaveText(format.score("accuracy", readable!.inner_score));
    await expect(cells.nth(3)).toHaveText(format.score("accuracy", readable!.best_score));
    await expect(cells.nth(4)).toHaveText(format.score("accuracy", readable!.standard_error));
    await expect(cells.nth(5)).toHaveText(format.score("sparsity", readable!.sparsity_in_mask));
    await expect(cells.nth(8)).toHaveText(readable!.same_as_chosen ? "the chosen one" : "a map of its own");
  }
  await expect(page.locator("#paths .lead")).toContainText("one standard error");
  expectQuiet(watch);
});

test("the path has a point for each setting, and both marks for each method", async ({ page }) => {
  const study = readStudy("study");
  await openSample(page, "study");
  const chart = page.locator('[data-chart="score_along_the_path"]');
  await chart.scrollIntoViewIfNeeded();
  const methods = study.methods.filter((method) => method.path.length > 0);
  expect(methods.map(({ name }) => name)).toEqual(["lasso", "sturm"]);
  for (const { path: points } of methods) {
    expect(points.filter(({ chosen }) => chosen)).toHaveLength(1);
    expect(points.filter(({ readable }) => readable)).toHaveLength(1);
  }
  // One mark a method, and one in the legend, told apart by their shapes: a ring and a cross.
  await expect(chart.locator('circle[data-mark="chosen"]')).toHaveCount(methods.length + 1);
  await expect(chart.locator('path[data-mark="readable"]')).toHaveCount(methods.length + 1);
  await expect(chart).toContainText("sparsest within one standard error");
  await expect(chart).toContainText("chosen setting");
  for (const { name } of methods) await expect(chart).toContainText(name);
  // Every setting is drawn: circles of the first method with a path, squares or others of the second.
  const drawn = await chart.locator("svg").evaluate((svg) => svg.querySelectorAll("rect, path[fill^='var(--method'], circle[fill^='var(--method']").length);
  const known = methods.flatMap(({ path: points }) => points).filter(({ score }) => score !== null).length;
  expect(drawn).toBe(known + methods.length); // with the legend's
  // The readable setting lies to the right of the chosen one, or on it.
  const places = await chart.locator("[data-mark]").evaluateAll((marks) =>
    marks.map((mark) => {
      const { left, width, top, height } = mark.getBoundingClientRect();
      return { kind: mark.getAttribute("data-mark"), x: left + width / 2, y: top + height / 2 };
    }),
  );
  const of = (kind: string) => places.filter((place) => place.kind === kind);
  methods.forEach((method, index) => {
    const [chosen, readable] = [of("chosen")[index]!, of("readable")[index]!];
    const same = method.readable!.chosen;
    if (same) expect(Math.abs(readable.x - chosen.x)).toBeLessThan(1);
    else expect(readable.x).toBeGreaterThan(chosen.x - 1);
  });
});

test("the chart stays inside a narrow page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openSample(page, "study");
  const chart = page.locator('[data-chart="score_along_the_path"]');
  await chart.scrollIntoViewIfNeeded();
  const wide = await chart.locator("svg").evaluate((svg) => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text, [data-mark]")]
      .map((one) => one.getBoundingClientRect())
      .filter(({ left, right, bottom }) => left < frame.left - 1 || right > frame.right + 1 || bottom > frame.bottom + 1).length;
  });
  expect(wide).toBe(0);
});

test("the learning curve has the points of results.json with their intervals", async ({ page }) => {
  const results = resultsOf("paired");
  const watch = await openSample(page, "paired");
  const chart = page.locator('[data-chart="learning_curve"]');
  await chart.scrollIntoViewIfNeeded();
  const points = Object.values(results.methods).flatMap(({ learning }) => learning!);
  expect(points).toHaveLength(6);
  const bars = await chart.locator("svg line[stroke-opacity='0.55']").count();
  expect(bars).toBe(points.filter(({ interval }) => interval).length);
  const study = readStudy("paired");
  study.methods.forEach((method) => {
    const told = results.methods[method.name]!.learning!;
    expect(method.learning.map(({ pooled }) => pooled)).toEqual(told.map(({ pooled }) => pooled));
    expect(method.learning.map(({ interval }) => interval)).toEqual(told.map(({ interval }) => interval));
  });
  await expect(chart.locator("figcaption")).toContainText("trained on a part of each training set");
  expectQuiet(watch);
});

test("no weight is called an activation, and stability says what it is", async ({ page }) => {
  await openSample(page, "study");
  await expect(page.locator("#brain")).toContainText("A weight is not an activation");
  await expect(page.locator("#clusters")).toContainText("Sign agreement");
  await expect(page.locator("#clusters")).toContainText("agree on the sign of a weight");
});

test("clusters of the readable map beside those of the chosen setting", async ({ page }) => {
  const method = readStudy("study").methods.find(({ name }) => name === "lasso")!;
  expect(method.readable!.chosen).toBe(false);
  await openSample(page, "study");
  const section = page.locator("#clusters");
  await section.getByLabel("Method").selectOption("lasso");
  await expect(section.locator("tbody tr")).toHaveCount(Math.min(12, method.clusters.length));
  await section.getByLabel("Map").selectOption("readable");
  await expect(section.locator("h3")).toHaveText("Clusters of lasso, readable map");
  await expect(section.locator("tbody tr")).toHaveCount(Math.min(12, method.readable!.clusters.length));
  const first = method.readable!.clusters[0]!;
  await expect(section.locator("tbody tr").first()).toContainText((100 * first.share).toFixed(1));
  // A method without a second map has no choice.
  await section.getByLabel("Method").selectOption("svm");
  await expect(section.getByLabel("Map")).toBeHidden();
});

test("a study without paths has no section for them", async ({ page }) => {
  await openSample(page, "nothing");
  await expect(page.locator("#paths")).toHaveCount(0);
});
