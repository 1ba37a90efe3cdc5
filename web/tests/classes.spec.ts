// SPDX-License-Identifier: BSD-3-Clause
// Several classes, told apart one against the rest: named, counted, drawn and looked at one by one.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { severalClasses } from "../src/classes";
import { general } from "../src/format";
import { expectQuiet, openSample, picture, sectionIds, shots, startViewer } from "./open";
import { readStudy as read } from "./sample/report";

const names = severalClasses(read("classes"))!;

test("the classes are named and counted, and chance is one of them", async ({ page }) => {
  const study = read("classes");
  const watch = await openSample(page, "classes");
  for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
  await expect(page.locator("header .subtitle")).toHaveText(
    `kind: ${names.slice(0, -1).join(", ")} and ${names.at(-1)}, told apart one against the rest`,
  );
  await expect(page.locator(".tile", { hasText: "Chance" })).toContainText(`${(100 / names.length).toFixed(1)} %`);
  await expect(page.locator(".tile", { hasText: "Chance" })).toContainText("the largest class");
  await expect(page.locator(".tile", { hasText: "Samples" })).toContainText(`${study.counts.classes![0]} ${names[0]}`);
  const facts = page.locator("#data .facts > div");
  for (const [c, name] of study.target.classes!.entries())
    await expect(facts.filter({ has: page.getByText(name, { exact: true }) })).toContainText(
      String(study.counts.classes![c]),
    );
  expectQuiet(watch);
});

test("the confusion matrix has a cell a pair of classes, and is exported with their names", async ({ page }) => {
  const study = read("classes");
  await openSample(page, "classes");
  const chart = page.locator('[data-chart="confusion"]');
  const matrixOf = (name: string) => {
    const { confusion } = study.methods.find((method) => method.name === name)!;
    return confusion!.matrix!;
  };
  const counts = () =>
    chart
      .locator("svg text")
      .evaluateAll((all) => all.map((it) => it.textContent!).filter((text) => /^\d+$/.test(text)));
  await expect(chart.locator("svg rect")).toHaveCount(names.length ** 2);
  expect(await counts()).toEqual(matrixOf(study.best!).flat().map(String));
  await page.locator("#scores").getByLabel("Method").selectOption("svm");
  await expect.poll(counts).toEqual(matrixOf("svm").flat().map(String));
  for (const absent of ["roc", "predicted_against_actual", "residuals"])
    await expect(page.locator(`[data-chart="${absent}"]`)).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    chart.getByRole("button", { name: "TSV", exact: true }).click(),
  ]);
  const rows = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
  expect(rows[0]!.slice(0, 3)).toEqual(["method", "actual", `predicted ${names[0]}`]);
  expect(rows.length).toBe(1 + study.methods.length * names.length);
  expect(rows.find(([method, actual]) => method === "sturm" && actual === names[1])!.slice(2)).toEqual(
    matrixOf("sturm")[1]!.map(String),
  );
});

// Labels that lie on each other cannot be read; pairs of boxes are compared.
for (const width of [1280, 390])
  test(`${width} pixels: no two labels of the confusion matrix overlap`, async ({ page }) => {
    await page.setViewportSize({ width, height: 860 });
    await openSample(page, "classes");
    await page.locator('[data-chart="confusion"] svg').scrollIntoViewIfNeeded();
    const overlaps = await page.locator('[data-chart="confusion"] svg').evaluate((svg) => {
      const boxes = [...svg.querySelectorAll("text")].map((it) => ({
        text: it.textContent,
        box: it.getBoundingClientRect(),
      }));
      const room = svg.getBoundingClientRect();
      const found: string[] = boxes
        .filter(({ box }) => box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1)
        .map(({ text }) => `${text} runs out`);
      boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b) => {
          const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          // Boxes of glyphs have room above and below them.
          if (across > 1 && down > 4) found.push(`${a.text} and ${b.text}`);
        }),
      );
      return found;
    });
    expect(overlaps).toEqual([]);
  });

test("predictions say right or wrong, by the names of the classes", async ({ page }) => {
  const study = read("classes");
  await openSample(page, "classes");
  const table = page.locator('[data-table="predictions"]');
  const rows = study.predictions.filter(({ method }) => method === study.best);
  const wrong = rows.filter(({ actual, predicted }) => actual !== predicted);
  expect(wrong.length).toBeGreaterThan(0);
  const first = table.locator("tbody tr").first();
  await expect(first.locator("th, td").nth(3)).toHaveText(rows[0]!.actual);
  await expect(first.locator("th, td").nth(4)).toHaveText(rows[0]!.predicted);
  await expect(first.locator("th, td").nth(5)).toHaveText(rows[0]!.actual === rows[0]!.predicted ? "yes" : "no");
  await table.getByLabel("Show").selectOption("wrong");
  await expect(table.locator("tbody tr")).toHaveCount(Math.min(20, wrong.length));
  for (const text of await table.locator("tbody td:nth-child(6)").allTextContents()) expect(text).toBe("no");
});

test("maps and clusters follow the class, from either list", async ({ page }) => {
  const study = read("classes");
  const method = study.methods.find(({ name }) => name === study.best)!;
  const other = study.methods.find(({ name }) => name !== study.best && name !== "lasso")!;
  const [first, second, third] = names;
  const watch = await openSample(page, "classes");
  await startViewer(page);
  const maps = page.locator(".panel select").nth(1);
  const own = study.volumes.filter((volume) => volume.method === method.name);
  const label = (name: string) => own.find((volume) => volume.class === name)!.label;
  await expect(maps.locator("option").first()).toHaveText(label(first!));
  await expect(page.locator("#brain .lead")).toContainText(`Weights for ${first} are orange, weights against it blue`);
  const before = await picture(page);
  await maps.selectOption({ label: label(second!) });
  await expect(page.locator("#weights-of")).toHaveText(second!);
  await expect(page.locator("#clusters h3")).toHaveText(`Clusters of ${method.name}: ${second}`);
  await expect.poll(async () => (await picture(page)).hash).not.toBe(before.hash);
  await page.locator("#clusters").getByLabel("Class").selectOption(third!);
  await expect(maps.locator("option:checked")).toHaveText(label(third!));
  await expect(page.locator("#clusters h3")).toHaveText(`Clusters of ${method.name}: ${third}`);
  const peak = method.class_clusters[2]!.clusters[0]!.peak;
  await page.locator("#clusters tbody tr").first().click();
  await expect(page.locator("#crosshair-mm")).toHaveText(
    peak.map((value) => value.toFixed(1).replace("-", "−")).join(", "),
  );
  // Another method keeps the class.
  await page.locator(".panel select").first().selectOption(other.name);
  await expect(page.locator("#clusters h3")).toHaveText(`Clusters of ${other.name}: ${third}`);
  // The stability map is of all classes; a class chosen then shows its map.
  const stability = study.volumes.find((volume) => volume.method === other.name && volume.kind === "stability")!;
  await maps.selectOption(stability.id);
  await page.locator("#clusters").getByLabel("Class").selectOption(first!);
  await expect(maps.locator("option:checked")).toHaveText(`${other.name}: ${first}`);
  expectQuiet(watch);
});

test("a map that was left out is said to be, and the words are of the map that is shown", async ({ page }) => {
  const [first, second, third] = names;
  await openSample(page, "classes_left_out");
  await startViewer(page);
  await page.locator(".panel select").first().selectOption("lasso");
  await page.locator("#clusters").getByLabel("Class").selectOption(second!);
  await expect(page.locator("#brain-note")).toHaveText(`The map of lasso: ${second} is not in this file.`);
  await expect(page.locator("#weights-of")).toHaveText(first!);
  await page.locator("#clusters").getByLabel("Class").selectOption(third!);
  await expect(page.locator("#weights-of")).toHaveText(third!);
  await expect(page.locator("#brain-note")).toHaveText("");
});

test("a fit has its certificate class by class", async ({ page }) => {
  const fits = read("classes_fit").methods[0]!.final!.classes!;
  const watch = await openSample(page, "classes_fit");
  const rows = page.locator('[data-table="classes_sturm"] tbody tr');
  await expect(rows).toHaveCount(fits.length);
  for (const [row, fit] of fits.entries()) {
    await expect(rows.nth(row)).toContainText(fit.class);
    await expect(rows.nth(row)).toContainText(fit.status);
    await expect(rows.nth(row)).toContainText(general(fit.relative_gap, 2));
  }
  await startViewer(page);
  await expect(page.locator("#weights-of")).toHaveText(fits[0]!.class);
  expectQuiet(watch);
});

test("two classes and regressions have nothing of it", async ({ page }) => {
  for (const [name, of] of [
    ["study", "patient"],
    ["regression", "higher age"],
  ] as const) {
    await openSample(page, name);
    await expect(page.locator("#brain .lead")).toHaveText(
      `Weights for ${of} are orange, weights against it blue. Left is left. Click or drag to move the crosshair; after a click, the wheel scrolls through slices.`,
    );
    await expect(page.locator("#clusters").getByLabel("Class")).toHaveCount(0);
    await expect(page.locator('[data-table^="classes_"]')).toHaveCount(0);
    await expect(page.locator('[data-table="predictions"] th', { hasText: "Right" })).toHaveCount(0);
  }
});

test("hostile names of classes stay texts", async ({ page }) => {
  const watch = await openSample(page, "hostile_classes");
  await startViewer(page);
  await page.evaluate(() => {
    for (const control of document.querySelectorAll("select"))
      for (let i = 0; i < control.options.length; ++i) {
        control.selectedIndex = i;
        control.dispatchEvent(new Event("change"));
      }
    for (const mark of document.querySelectorAll("figure.chart svg *"))
      mark.dispatchEvent(new PointerEvent("pointerenter", { clientX: 400, clientY: 300 }));
  });
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
  expect(await page.locator("main img:not(.picture), main script, main iframe").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expectQuiet(watch);
});

for (const [label, width] of [
  ["wide", 1280],
  ["phone", 390],
] as const)
  test(`${label}: nothing of several classes runs out of the page`, async ({ page }) => {
    await page.setViewportSize({ width, height: 860 });
    for (const name of ["classes", "classes_fit"]) {
      await openSample(page, name);
      await startViewer(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.screenshot({ path: path.join(shots, `${name}_${label}.png`), fullPage: true });
    }
  });
