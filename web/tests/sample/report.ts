// SPDX-License-Identifier: BSD-3-Clause
// Reports that the program wrote, and what is in them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Study } from "../../src/study";

/** A folder for each report; scripts/browser.sh writes them. */
export const reports = process.env["STURM_REPORTS"] ?? path.join(import.meta.dirname, "../../../build/dev/reports");
/** What the tests change of them. */
export const samples = process.env["STURM_SAMPLES"] ?? path.join(import.meta.dirname, "../../test-results/samples");

export const reportFile = (name: string): string => path.join(reports, name, "report.html");
export const reportNames = (): string[] =>
  existsSync(reports) ? readdirSync(reports).filter((name) => existsSync(reportFile(name))) : [];

export interface Read {
  study: Study;
  /** The text of each volume's element, by its id. */
  volumes: Map<string, string>;
  /** And of each picture's. */
  pictures: Map<string, string>;
  /** The same for figures. */
  figures: Map<string, string>;
}

export function readReport(file: string): Read {
  const page = readFileSync(file, "utf8");
  const json = /<script type="application\/json" id="study">([^<]*)<\/script>/.exec(page)![1]!;
  const files = (kind: string) =>
    new Map(
      [...page.matchAll(new RegExp(`<script type="text/plain" id="${kind}-([^"]*)">([^<]*)</script>`, "g"))].map((it) => [
        it[1]!,
        it[2]!,
      ]),
    );
  return { study: JSON.parse(json) as Study, volumes: files("volume"), pictures: files("picture"), figures: files("figure") };
}

export const readStudy = (name: string): Study => readReport(fileOf(name)).study;

/** Of a report or of a sample made from one. */
export function fileOf(name: string): string {
  const sample = path.join(samples, `${name}.html`);
  return existsSync(reportFile(name)) ? reportFile(name) : sample;
}
