// SPDX-License-Identifier: BSD-3-Clause
// axe-core in a page: what it finds, in words short enough to read.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The engine as text, to be put into a page as the browser's own tools would; the page's policy does not see it. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs in the page: one line for each element that breaks a rule. */
export async function violations(): Promise<string[]> {
  interface Found {
    id: string;
    nodes: { target: unknown[]; failureSummary?: string }[];
  }
  const { axe } = globalThis as unknown as { axe: { run: (where: Document, how: object) => Promise<{ violations: Found[] }> } };
  const { violations: found } = await axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    resultTypes: ["violations"],
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary?.split("\n").slice(1).join(" ").trim()}`),
  );
}
