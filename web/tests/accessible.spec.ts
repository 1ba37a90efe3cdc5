// SPDX-License-Identifier: BSD-3-Clause
// The page for everybody: axe-core on every kind of report, the keyboard alone, fingers, small screens, readers of the screen.
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { axeSource, violations } from "./axe";
import { explains, operates, skips, walk, type Driver } from "./keyboard";
import { expectQuiet, openSample, startViewer } from "./open";
import { readStudy } from "./sample/report";

const kinds = ["study", "classes", "regression", "paired", "fit"];

const driverOf = (page: Page): Driver => ({
  press: (key) => page.keyboard.press(key),
  run: (code) => page.evaluate(code),
  runWith: (code, given) => page.evaluate(code as (given: unknown) => never, given as unknown),
});

for (const scheme of ["light", "dark"] as const)
  test(`axe finds nothing in five kinds of report, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of kinds) {
      const watch = await openSample(page, name);
      // What opens is looked at open.
      for (const button of (await page.getByRole("button", { name: "Table", exact: true }).all()).slice(0, 2)) await button.click();
      await page.locator(".term").first().focus();
      await page.evaluate(axeSource);
      expect(await page.evaluate(violations), name).toEqual([]);
      expectQuiet(watch);
    }
  });

test("the viewer and the open licences pass axe, too", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  await page.locator("#licences > summary").click();
  await page.evaluate(axeSource);
  expect(await page.evaluate(violations)).toEqual([]);
});

test("axe is not blind", async ({ page }) => {
  await openSample(page, "fit");
  await page.evaluate(() => {
    document.querySelector("main")!.append(document.createElement("button"));
    document.querySelector<HTMLElement>(".lead, .quiet")!.style.color = "#ccc";
  });
  await page.evaluate(axeSource);
  const found = await page.evaluate(violations);
  expect(found.map((line) => line.split(":")[0])).toEqual(expect.arrayContaining(["button-name", "color-contrast"]));
});

test("every control is reached by Tab and seen to have the focus", async ({ page }) => {
  const watch = await openSample(page, "study");
  await startViewer(page);
  expect(await walk(driverOf(page))).toBeGreaterThan(60);
  expectQuiet(watch);
});

test("the keyboard alone works the page", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const watch = await openSample(page, "study");
  await startViewer(page);
  const driver = driverOf(page);
  await skips(driver);
  await operates(driver);
  await explains(driver);
  const tsv = page.locator('[data-table="table"] .tools button');
  await tsv.focus();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(readFileSync(await saved.path(), "utf8")).toContain("Method\t");
  expectQuiet(watch);
});

test("terms are explained where the pointer is, and listed in a print", async ({ page }) => {
  await openSample(page, "study");
  const term = page.locator('[data-term="relative_gap"]').first();
  await term.scrollIntoViewIfNeeded();
  await term.hover();
  const tip = page.locator(".tip");
  await expect(tip).toContainText("a bound on how much better any other map could be", { ignoreCase: true });
  // The pointer may go to the lines, and they are still there.
  await tip.hover();
  await page.waitForTimeout(400);
  await expect(tip).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(tip).toBeHidden();
  await expect(page.locator("#glossary")).toBeHidden();
  await page.emulateMedia({ media: "print" });
  const list = page.locator("#glossary");
  await expect(list).toBeVisible();
  const used = await page.locator("[aria-describedby^='term-']").evaluateAll((all) => [
    ...new Set(all.map((it) => it.getAttribute("aria-describedby")!)),
  ]);
  expect(used.length).toBeGreaterThan(8);
  for (const id of used) await expect(page.locator(`#${id}`)).toBeVisible();
  expect(await list.locator("dd:visible").count()).toBe(used.length);
});

test("warnings stand near the top of the list of sections, with their number", async ({ page }) => {
  const { warnings } = readStudy("study");
  expect(warnings.length).toBeGreaterThan(0);
  await openSample(page, "study");
  const second = page.getByRole("navigation").getByRole("link").nth(1);
  await expect(second).toHaveAccessibleName(`Warnings ${warnings.length}`);
  await second.click();
  await expect(page.locator("#warnings h2")).toBeInViewport();
});

test("landmarks, headings and tables are what they look like", async ({ page }) => {
  for (const name of kinds) {
    await openSample(page, name);
    await expect(page.getByRole("main")).toHaveCount(1);
    await expect(page.getByRole("navigation")).toHaveCount(1);
    await expect(page.getByRole("contentinfo")).toHaveCount(1);
    await expect(page.locator("h1")).toHaveCount(1);
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map((it) => Number(it.tagName[1])));
    expect(levels[0]).toBe(1);
    levels.forEach((level, i) => expect(level - (levels[i - 1] ?? level), `heading ${i}`).toBeLessThanOrEqual(1));
    const bare = await page.locator("tbody tr").evaluateAll((rows) => rows.filter((row) => !row.querySelector('th[scope="row"]')).length);
    expect(bare).toBe(0);
    expect(await page.locator("[role=button]:not(.term), tr[tabindex]").count()).toBe(0);
  }
});

test("every chart says its numbers", async ({ page }) => {
  const study = readStudy("study");
  await openSample(page, "study");
  await expect(page.locator("figure.chart:not(:has(svg))")).toHaveCount(0);
  const charts = await page.locator("figure.chart").evaluateAll((all) =>
    all.map((it) => ({ title: it.querySelector("h3")!.textContent!, label: it.querySelector("svg")?.getAttribute("aria-label") ?? "", role: it.querySelector("svg")?.getAttribute("role") })),
  );
  expect(charts.length).toBeGreaterThan(8);
  for (const { title, label, role } of charts) {
    expect(role).toBe("img");
    expect(label.startsWith(`${title}. `), label).toBe(true);
    expect(label.slice(title.length), title).toMatch(/\d/);
  }
  const methods = charts.find(({ title }) => title === "Methods side by side")!.label;
  for (const { name, scores } of study.methods)
    expect(methods).toContain(`${name}, accuracy pooled ${Number(scores.accuracy!.pooled!.toPrecision(3))}`);
  // And as a table, for those who see it but not well.
  await page.locator('[data-chart="methods"]').getByRole("button", { name: "Table" }).click();
  await expect(page.locator('[data-chart="methods"] tbody tr')).toHaveCount(study.methods.length);
});

for (const width of [1280, 390])
  test(`what is pressed is 24 px wide and tall, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const name of kinds) {
      await openSample(page, name);
      const small = await page.locator("button, select, input, summary, nav a").evaluateAll((all) =>
        all
          .map((it) => ({ what: it.outerHTML.slice(0, 80), box: it.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
          .map(({ what, box }) => `${box.width} x ${box.height}: ${what}`),
      );
      expect(small, name).toEqual([]);
    }
  });

test("at 390 px no cell has more than three lines, and the page does not scroll sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of [...kinds, "auc", "classes_fit"]) {
    await openSample(page, name);
    const tall = await page.locator("[data-table] th, [data-table] td").evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const style = getComputedStyle(cell.querySelector("button") ?? cell);
        const line = parseFloat(style.lineHeight) || 1.4 * parseFloat(style.fontSize);
        const lines = range.getBoundingClientRect().height / line;
        return lines > 3.4 ? [`${lines.toFixed(1)} lines: ${cell.textContent!.slice(0, 60)}`] : [];
      }),
    );
    expect(tall, name).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

test.describe("with a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });
  test("a tap shows what a pointer would, until a tap elsewhere", async ({ page }) => {
    await openSample(page, "study");
    const mark = page.locator('[data-chart="methods"] .pointed').first();
    await mark.scrollIntoViewIfNeeded();
    await mark.tap();
    const tip = page.locator(".tip");
    await expect(tip).toContainText("all predictions");
    await page.waitForTimeout(300);
    await expect(tip).toBeVisible();
    await page.locator("h1").tap();
    await expect(tip).toBeHidden();
    await page.locator(".term").first().tap();
    await expect(tip).toBeVisible();
    const box = (await tip.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  });
});
