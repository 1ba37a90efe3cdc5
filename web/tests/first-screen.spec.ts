// SPDX-License-Identifier: BSD-3-Clause
// The first screen: the question, four answers, and a brain that needs no WebGL.
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { methods as methodColours, negative, positive } from "../src/palette";
import { expectQuiet, openSample, shots } from "./open";
import { readReport, fileOf, reportNames, readStudy } from "./sample/report";

/** What is drawn of a picture: how many pixels have each of these colours. */
async function colours(page: Page, id: string): Promise<{ warm: number; cold: number; all: number }> {
  return page.evaluate(async (name) => {
    const image = document.querySelector<HTMLImageElement>(`img[data-picture="${name}"]`)!;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [warm, cold] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i]! - data[i + 2]! > 60) ++warm;
      if (data[i + 2]! - data[i]! > 50) ++cold;
    }
    return { warm, cold, all: data.length / 4 };
  }, id);
}

for (const name of reportNames())
  test(`${name}: question, answers, brain and trust are the program's`, async ({ page }) => {
    const { study, pictures } = readReport(fileOf(name));
    const watch = await openSample(page, name);
    await expect(page).toHaveTitle(`${study.title} · sturm report`);
    await expect(page.locator("h1")).toHaveText(study.title);
    expect(study.title).not.toBe(name);
    for (const part of study.target.classes?.slice(0, 4) ?? [study.target.column]) expect(study.title).toContain(part);
    expect(study.title).toContain(String(study.counts.samples));
    await expect(page.locator(".folder")).toHaveText(name);
    await expect(page.locator(".said")).toHaveAttribute("data-worked", study.answers.worked);
    await expect(page.locator(".sentence")).toContainText(study.answers.sentence);
    const checks = page.locator(".check");
    await expect(checks).toHaveCount(study.trust.length);
    expect(study.trust.length).toBeGreaterThanOrEqual(5);
    for (const [i, check] of study.trust.entries()) {
      await expect(checks.nth(i)).toHaveAttribute("data-answer", check.answer);
      await expect(checks.nth(i)).toHaveText(new RegExp(`^.${escaped(check.name)}: ${check.answer}\\. ${escaped(check.sentence)}$`));
      const target = (await checks.nth(i).getByRole("link").getAttribute("href"))!;
      await expect(page.locator(target)).toHaveCount(1);
      if (check.warning !== null)
        await expect(page.locator(target)).toContainText(study.warnings[check.warning]!);
    }
    expect([...pictures.keys()].sort()).toEqual(study.where.pictures.map(({ id }) => id).sort());
    await expect(page.locator("img.picture")).toHaveCount(study.where.pictures.length);
    if (study.where.pictures.length) {
      await expect(page.locator(".brain-picture figcaption")).toHaveText(study.where.words);
      for (const { id, words, width } of study.where.pictures) {
        const image = page.locator(`img[data-picture="${id}"]`);
        await expect(image).toHaveAttribute("alt", words);
        expect(await image.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(width);
      }
      const drawn = await Promise.all(study.where.pictures.map(({ id }) => colours(page, id)));
      expect(drawn.reduce((sum, { warm, cold }) => sum + warm + cold, 0)).toBeGreaterThan(50);
    }
    expectQuiet(watch);
  });

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** How far the lowest part of the first screen reaches. */
const lowest = (page: Page, parts: string): Promise<number> =>
  page.locator(parts).evaluateAll((all) => Math.max(...all.map((it) => it.getBoundingClientRect().bottom)));

for (const name of ["study", "classes", "paired", "regression"])
  test(`${name}: brain, verdict and trust list are on the first screen`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openSample(page, name);
    const study = readStudy(name);
    await page.waitForFunction(() => [...document.images].every((it) => it.complete));
    expect(await lowest(page, "h1, .sentence, .tiles, .checks, img.picture")).toBeLessThanOrEqual(800);
    expect(study.where.pictures.length).toBeGreaterThan(4);
    await page.screenshot({ path: path.join(shots, `first_${name}.png`) });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: path.join(shots, `first_${name}_dark.png`) });
  });

test("on a phone it is one column, and nothing is cut or tiny", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ["study", "classes"]) {
    await openSample(page, name);
    await page.waitForFunction(() => [...document.images].every((it) => it.complete));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    // Words of a picture are at least 9 pixels high where it is not shrunk below 0.85.
    const shrunk = await page
      .locator("img.picture")
      .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width / (it as HTMLImageElement).naturalWidth));
    expect(Math.min(...shrunk)).toBeGreaterThan(0.85);
    await page.screenshot({ path: path.join(shots, `first_${name}_phone.png`), fullPage: true });
  }
});

test("it prints with the brain, before anybody has scrolled", async ({ page }) => {
  await openSample(page, "study");
  await page.emulateMedia({ media: "print" });
  const { warm, cold } = await colours(page, "glass-1");
  expect(warm + cold).toBeGreaterThan(20);
  await expect(page.locator('img[data-picture="glass-1"]')).toBeVisible();
  expect(await page.locator(".plate").evaluate((it) => getComputedStyle(it).printColorAdjust)).toBe("exact");
});

test("the page has the program's colours", async ({ page }) => {
  await openSample(page, "fit");
  const sheet = await page.evaluate(() => {
    const probe = document.createElement("div");
    probe.className = "light-colours";
    document.body.append(probe);
    return Array.from({ length: 10 }, (_, i) => getComputedStyle(probe).getPropertyValue(`--method-${i}`).trim());
  });
  const hex = (rgb: number[]) => "#" + rgb.map((it) => it.toString(16).padStart(2, "0")).join("");
  // "#825" is "#882255".
  expect(sheet.map((it) => (it.length === 4 ? it.replace(/[^#]/g, "$&$&") : it))).toEqual(methodColours.map(hex));
  // The bar of the first screen ends in the strongest colours of the viewer's.
  const ends = await page.evaluate(async () => {
    const image = document.querySelector<HTMLImageElement>('img[data-picture="bar"]')!;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const column = [...context.getImageData(13, 30, 1, 110).data];
    const pixels = Array.from({ length: 110 }, (_, i) => column.slice(4 * i, 4 * i + 3));
    const lit = pixels.filter((it) => Math.max(...it) > 40);
    return [lit[1]!, lit.at(-2)!];
  });
  for (const [i, expected] of [positive.at(-1)!, negative.at(-1)!].entries())
    for (const [c, value] of expected.entries()) expect(Math.abs(ends[i]![c]! - value)).toBeLessThan(24);
});

