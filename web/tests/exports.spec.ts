// SPDX-License-Identifier: BSD-3-Clause
// Every chart goes home as SVG, PNG and TSV, every table as TSV, and the files can be read.
import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { expectQuiet, openSample } from "./open";

/** A click can fall beside the button while the viewer, come near, makes room for itself: then it is made again. */
async function save(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const attempt = () => Promise.all([page.waitForEvent("download", { timeout: 15_000 }), button.click()]);
  const [file] = await attempt().catch(attempt);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

function expectTsv(bytes: Buffer): void {
  const rows = bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row.length).toBe(rows[0]!.length);
}

for (const name of ["study", "regression", "hostile", "classes"])
  test(`${name}: charts and tables are exported`, async ({ page }) => {
    test.setTimeout(180_000);
    const watch = await openSample(page, name);
    const charts = page.locator("figure.chart");
    const count = await charts.count();
    expect(count).toBeGreaterThan(6);
    for (let i = 0; i < count; ++i) {
      const chart = charts.nth(i);
      const svg = await save(page, chart.getByRole("button", { name: "SVG", exact: true }));
      const text = svg.bytes.toString("utf8");
      expect(text).not.toContain("var(");
      const root = await page.evaluate((source) => {
        const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
        return {
          name: parsed.documentElement.nodeName,
          parts: parsed.documentElement.childElementCount,
          scripts: parsed.querySelectorAll("script,[onload],a").length,
        };
      }, text);
      expect(root.name).toBe("svg");
      expect(root.parts).toBeGreaterThan(2);
      expect(root.scripts).toBe(0);
      const png = await save(page, chart.getByRole("button", { name: "PNG", exact: true }));
      expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
      expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(300);
      expectTsv((await save(page, chart.getByRole("button", { name: "TSV", exact: true }))).bytes);
    }
    const tables = page.locator("[data-table]");
    for (let i = 0; i < (await tables.count()); ++i)
      expectTsv((await save(page, tables.nth(i).getByRole("button", { name: "TSV", exact: true }))).bytes);
    expectQuiet(watch);
  });
