// SPDX-License-Identifier: BSD-3-Clause
// Fills the built page with made-up studies; the tests and the curious open them.
import path from "node:path";
import { test } from "@playwright/test";
import { makeSamples } from "./sample/make";

test("write the sample reports", () => {
  const web = path.join(import.meta.dirname, "..");
  makeSamples(
    process.env["STURM_SAMPLES"] ?? path.join(web, "test-results/samples"),
    path.join(web, "dist/index.html"),
  );
});
