// SPDX-License-Identifier: BSD-3-Clause
// The maps: drawn, thresholded, switched and pointed at, with WebGL2 and without.
import { expect, test, type Page } from "@playwright/test";
import { expectQuiet, openSample, picture, startViewer } from "./open";
import { control, firstStage, tilesOf } from "./slices";
import { opensWith } from "../src/ranking";
import { readStudy } from "./sample/report";

/** The method that the page opens with. */
const study = readStudy("study");
const shown = opensWith(study)!;
const dense = study.methods.find(({ name }) => name === "svm")!;
const inWords = (peak: number[]) => peak.map((at) => at.toFixed(1).replace("-", "−")).join(", ");

/** A share of the slider's way. */
async function setThreshold(page: Page, share: number): Promise<void> {
  const slider = page.locator("#threshold");
  await slider.fill(String(Math.round(share * Number(await slider.getAttribute("max")))));
}

for (const withGl of [true, false])
  test.describe(withGl ? "with WebGL2" : "without WebGL2", () => {
    test.beforeEach(async ({ page }) => {
      if (withGl) return;
      await page.addInitScript(() => {
        const original = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
        HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
          return String(given[0]).startsWith("webgl") ? null : original.apply(this, given);
        } as typeof HTMLCanvasElement.prototype.getContext;
      });
    });

    test("the canvas shows anatomy and a map", async ({ page }) => {
      const watch = await openSample(page, "study");
      await startViewer(page);
      const { colours, coloured } = await picture(page);
      expect(colours).toBeGreaterThan(50);
      expect(coloured).toBeGreaterThan(100);
      if (!withGl) await expect(page.locator("#brain-note")).toContainText("WebGL2");
      expectQuiet(watch);
    });

    test("the threshold changes the picture", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      const before = await picture(page);
      const count = await page.locator("#threshold-value").textContent();
      await setThreshold(page, 0.8);
      await expect.poll(async () => (await picture(page)).coloured).toBeLessThan(before.coloured);
      expect(await page.locator("#threshold-value").textContent()).not.toBe(count);
      await setThreshold(page, 0);
      await expect.poll(async () => (await picture(page)).coloured).toBeGreaterThanOrEqual(before.coloured);
    });

    test("a click in the cluster table moves the crosshair", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      await control(page, "Method").selectOption("svm");
      const rows = page.locator("#clusters tbody tr");
      const first = await picture(page);
      const [second, third] = [dense.clusters[1]!, dense.clusters[2]!];
      await rows.nth(1).click();
      await expect(page.locator("#crosshair-mm")).toHaveText(inWords(second.peak));
      await expect.poll(async () => (await picture(page)).hash).not.toBe(first.hash);
      await rows.nth(2).getByRole("button").focus();
      await page.keyboard.press("Enter");
      await expect(page.locator("#crosshair-mm")).toHaveText(inWords(third.peak));
      await expect(page.locator("#crosshair-value")).not.toHaveText("outside");
    });

    test("methods, folds, stability and truth can be switched", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      const maps = control(page, "Map");
      const seen = new Set<number>();
      const own = study.volumes.filter(({ method, kind }) => method === shown.name || kind === "truth");
      expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(["map", "pattern", "stability", "fold", "truth"]));
      for (const { id } of own) {
        await maps.selectOption(id);
        await page.waitForTimeout(400);
        seen.add((await picture(page)).hash);
      }
      await page.locator(".panel select").first().selectOption("svm");
      await page.waitForTimeout(400);
      seen.add((await picture(page)).hash);
      expect(seen.size).toBeGreaterThanOrEqual(4);
      await expect(page.locator("#clusters h3")).toHaveText("Clusters of svm");
    });

    test("arrow keys move the crosshair by a voxel", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      const before = await page.locator("#crosshair-mm").textContent();
      await page.locator(".stage canvas.slices").focus();
      await page.keyboard.press("ArrowRight");
      const x = (text: string | null) => Number(text!.split(",")[0]!.replace("−", "-"));
      await expect.poll(async () => x(await page.locator("#crosshair-mm").textContent())).toBeGreaterThan(x(before));
    });
  });

test("the wheel scrolls the page until the viewer is clicked", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  await page.locator(".stage").hover();
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 120);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
});

test("the zoom comes towards the crosshair, by keys and by the wheel", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const slices = page.locator("canvas.slices");
  const width = async () => {
    const { low, high } = (await tilesOf(firstStage(page)))[0]!;
    return high[0] - low[0];
  };
  const all = await width();
  const place = await page.locator("#crosshair-mm").textContent();
  await slices.focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect.poll(width).toBeCloseTo(all / 1.25 ** 2, 3);
  for (const { at, low, high, through, right } of await tilesOf(firstStage(page))) {
    const mm = place!.split(", ").map((text) => Number(text.replace("−", "-")));
    expect(at).toBeCloseTo(mm[through]!, 0);
    expect(mm[right]!).toBeGreaterThan(low[0]);
    expect(mm[right]!).toBeLessThan(high[0]);
  }
  await page.keyboard.press("0");
  await expect.poll(width).toBeCloseTo(all, 6);
  await slices.hover({ position: { x: 120, y: 120 } });
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Shift");
  await expect.poll(width).toBeLessThan(all);
  await expect(page.locator("#crosshair-mm")).toHaveText(place!);
});
