// SPDX-License-Identifier: BSD-3-Clause
// Reports written by the program: STURM_REPORTS names them, separated by colons. Where a results.json lies beside a
// report, or STURM_RESULTS names it, its numbers must be in the tables.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { plusMinus } from "../src/format";
import { expectQuiet, open, picture, sectionIds, startViewer } from "./open";

const files = (process.env["STURM_REPORTS"] ?? "").split(":").filter(Boolean);

for (const file of files)
  test(`report ${path.basename(file)}`, async ({ page }) => {
    expect(statSync(file).size).toBeLessThan(8e6);
    const watch = await open(page, file);
    for (const id of sectionIds) await expect(page.locator(`section#${id} h2`)).toBeVisible();
    await page.locator(".theme").click();
    if (await page.locator(".stage").count()) {
      await startViewer(page);
      expect((await picture(page)).colours).toBeGreaterThan(20);
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
