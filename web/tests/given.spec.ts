// SPDX-License-Identifier: BSD-3-Clause
// Reports written by the program: STURM_REPORTS names them, separated by colons. Where a results.json lies beside a
// report, or STURM_RESULTS names it, its numbers must be in the tables.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { plusMinus } from "../src/format";
import { expectQuiet, open, picture, sectionIds, shots, startViewer } from "./open";

const files = (process.env["STURM_REPORTS"] ?? "").split(":").filter(Boolean);

for (const file of files)
  test(`report of ${path.basename(path.dirname(file))}`, async ({ page }) => {
    expect(statSync(file).size).toBeLessThan(8e6);
    const watch = await open(page, file);
    for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
    await page.locator(".theme").click();
    if (await page.locator(".stage").count()) {
      await startViewer(page);
      const drawn = await picture(page);
      expect(drawn.colours).toBeGreaterThan(20);
      const thresholdOf = await page.locator("#threshold-value").textContent();
      await page.locator("#threshold").fill("900");
      await expect.poll(async () => (await picture(page)).hash).not.toBe(drawn.hash);
      expect(await page.locator("#threshold-value").textContent()).not.toBe(thresholdOf);
      const rows = page.locator("#clusters tbody tr");
      const last = rows.nth((await rows.count()) - 1);
      const before = await page.locator("#crosshair-mm").textContent();
      await last.click();
      if ((await rows.count()) > 1) await expect(page.locator("#crosshair-mm")).not.toHaveText(before!);
      await page.screenshot({ path: path.join(shots, `given-${path.basename(path.dirname(file))}.png`) });
    }
    for (const kind of ["SVG", "PNG", "TSV"]) {
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: kind, exact: true }).first().click(),
      ]);
      const bytes = readFileSync(await saved.path());
      if (kind === "SVG") expect(bytes.toString()).toMatch(/^(<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/);
      else if (kind === "PNG") expect(bytes.subarray(1, 4).toString()).toBe("PNG");
      else expect(bytes.toString().split("\n")[0]).toContain("\t");
    }
    const beside = process.env["STURM_RESULTS"] ?? path.join(path.dirname(file), "results.json");
    if (existsSync(beside)) {
      const results = JSON.parse(readFileSync(beside, "utf8"));
      for (const [name, method] of Object.entries<{ [key: string]: number }>(results.methods)) {
        const row = page
          .locator('[data-table="table"] tbody tr', { has: page.getByText(name, { exact: true }) })
          .first();
        const key = results.score as string;
        await expect(row).toContainText(plusMinus(key, method[key], method[`${key}_sd`]));
        await expect(row).toContainText(plusMinus("sparsity", method["sparsity"], method["sparsity_sd"]));
      }
    }
    expectQuiet(watch);
  });
