// SPDX-License-Identifier: BSD-3-Clause
// The maps: drawn, thresholded, switched and pointed at, with WebGL2 and without.
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { expectQuiet, openSample, picture, startViewer } from "./open";
import { readStudy } from "./sample/report";

/** The method that the page opens with. */
const study = readStudy("study");
const shown = study.methods.find(({ name }) => name === study.best)!;
const inWords = (peak: number[]) => peak.map((at) => at.toFixed(1).replace("-", "−")).join(", ");

async function setThreshold(page: Page, value: number): Promise<void> {
  await page.locator("#threshold").fill(String(value));
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
      await setThreshold(page, 800);
      await expect.poll(async () => (await picture(page)).coloured).toBeLessThan(before.coloured);
      expect(await page.locator("#threshold-value").textContent()).not.toBe(count);
      await setThreshold(page, 0);
      await expect.poll(async () => (await picture(page)).coloured).toBeGreaterThanOrEqual(before.coloured);
    });

    test("a click in the cluster table moves the crosshair", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      const rows = page.locator("#clusters tbody tr");
      const first = await picture(page);
      const [second, third] = [shown.clusters[1]!, shown.clusters[2]!];
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
      const maps = page.locator(".panel select").nth(1);
      const seen = new Set<number>();
      const own = study.volumes.filter(({ method, kind }) => method === shown.name || kind === "truth");
      expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(["map", "stability", "fold", "truth"]));
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
      await page.locator(".stage canvas").focus();
      await page.keyboard.press("ArrowRight");
      const x = (text: string | null) => Number(text!.split(",")[0]!.replace("−", "-"));
      await expect.poll(async () => x(await page.locator("#crosshair-mm").textContent())).toBeGreaterThan(x(before));
    });

    test("the picture and the map can be saved", async ({ page }) => {
      await openSample(page, "study");
      await startViewer(page);
      const [png] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Picture (PNG)" }).click(),
      ]);
      expect(
        readFileSync(await png.path())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      const [map] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Map (NIfTI)" }).click(),
      ]);
      expect(
        gunzipSync(readFileSync(await map.path()))
          .subarray(344, 347)
          .toString(),
      ).toBe("n+1");
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
