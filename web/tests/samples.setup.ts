// SPDX-License-Identifier: BSD-3-Clause
// Makes the samples that the program does not write by itself from those that it wrote.
import path from "node:path";
import { expect, test } from "@playwright/test";
import { makeSamples } from "./sample/make";
import { reportNames, reports } from "./sample/report";

test("change the program's reports", () => {
  expect(reportNames(), `reports in ${reports}; scripts/browser.sh writes them`).toEqual(
    expect.arrayContaining(["auc", "classes", "classes_fit", "fit", "paired", "regression", "study"]),
  );
  makeSamples(path.join(import.meta.dirname, "../dist/index.html"));
});
