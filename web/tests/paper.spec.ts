// SPDX-License-Identifier: BSD-3-Clause
// "Make my figure": the files that the program put into the page, and PNG at 300 dots per inch made from them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { expectQuiet, openSample, shots } from "./open";
import { readReport, reportFile } from "./sample/report";

async function save(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

for (const name of ["study", "regression", "classes", "fit"])
  test(`${name}: the figure is shown and saved in two widths`, async ({ page }) => {
    const { study, figures } = readReport(reportFile(name));
    const watch = await openSample(page, name);
    const card = page.locator("#figure");
    await card.getByRole("button", { name: "Make my figure" }).click();
    const canvas = card.locator("canvas");
    await expect(canvas).toBeVisible();
    const colours = await canvas.evaluate((it: HTMLCanvasElement) => {
      const { data } = it.getContext("2d")!.getImageData(0, 0, it.width, it.height);
      const found = new Set<number>();
      for (let i = 0; i < data.length; i += 4) found.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
      return found.size;
    });
    expect(colours).toBeGreaterThan(30);
    for (const [width, pixels] of [
      [89, 1051],
      [183, 2161],
    ] as const) {
      const row = card.getByRole("group", { name: `${width} mm` });
      const svg = await save(page, row.getByRole("button", { name: "SVG", exact: true }));
      expect(svg.name).toBe(`figure_${width}mm.svg`);
      expect(svg.bytes).toEqual(gunzipSync(Buffer.from(figures.get(`${width}-svg`)!, "base64")));
      const root = await page.evaluate((source) => {
        const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
        return { name: parsed.documentElement.nodeName, scripts: parsed.querySelectorAll("script,[onload],a").length };
      }, svg.bytes.toString("utf8"));
      expect(root).toEqual({ name: "svg", scripts: 0 });
      const png = await save(page, row.getByRole("button", { name: "PNG", exact: true }));
      expect(png.name).toBe(`figure_${width}mm.png`);
      expect(png.bytes.readUInt32BE(16)).toBe(pixels);
      const size = png.bytes.indexOf("pHYs");
      expect([png.bytes.readUInt32BE(size + 4), png.bytes.readUInt32BE(size + 8), png.bytes[size + 12]]).toEqual([11811, 11811, 1]);
      writeFileSync(path.join(shots, `figure-${name}-${width}.png`), png.bytes);
      if (!study.figures.some(({ id }) => id === `${width}-pdf`)) continue;
      const pdf = await save(page, row.getByRole("button", { name: "PDF", exact: true }));
      expect(pdf.name).toBe(`figure_${width}mm.pdf`);
      expect(pdf.bytes.subarray(0, 5).toString()).toBe("%PDF-");
      if (!existsSync("/usr/bin/pdftotext")) continue;
      const text = execFileSync("/usr/bin/pdftotext", ["-", "-"], { input: pdf.bytes }).toString();
      expect(text).toContain("Map of");
      expect(text).toContain("weight");
      for (const method of name === "study" ? study.methods : []) expect(text).toContain(method.name);
    }
    await expect(page.locator("#methods")).toContainText(study.text.caption);
    await expect(page.locator(".bibtex")).toHaveText(study.text.bibtex);
    expect(study.text.bibtex).toContain("@misc{sturm,");
    expectQuiet(watch);
  });

test("a picture of the card", async ({ page }) => {
  await openSample(page, "study");
  const card = page.locator("#figure");
  await card.getByRole("button", { name: "Make my figure" }).click();
  await expect(card.locator("canvas")).toBeVisible();
  await card.screenshot({ path: path.join(shots, "make-my-figure.png") });
});
