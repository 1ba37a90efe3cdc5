// SPDX-License-Identifier: BSD-3-Clause
// Opens a report from disk and keeps watch: errors, warnings and requests are collected.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import { fileOf } from "./sample/report";

export const sectionIds = [
  "verdict",
  "tables",
  "brain",
  "clusters",
  "sensitivity",
  "convergence",
  "scores",
  "data",
  "methods",
  "warnings",
];
export const shots = path.join(import.meta.dirname, "../test-results/screenshots");

export interface Watch {
  problems: string[];
  requests: string[];
}

export async function open(page: Page, file: string): Promise<Watch> {
  const watch: Watch = { problems: [], requests: [] };
  const address = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The browser's own remarks on a software renderer, and on tests that read pixels back, are not the page's.
    if (/GPU stall due to ReadPixels|GL Driver Message|software WebGL|Multiple readback operations/.test(message.text())) return;
    watch.problems.push(message.text());
  });
  page.on("pageerror", (error) => watch.problems.push(error.message));
  page.on("dialog", (dialog) => {
    watch.problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== address && !/^(data|blob):/.test(request.url())) watch.requests.push(request.url());
  });
  await page.goto(address);
  await page.waitForSelector("main");
  return watch;
}

export const openSample = (page: Page, name: string): Promise<Watch> => open(page, fileOf(name));

export function expectQuiet(watch: Watch): void {
  expect(watch.problems).toEqual([]);
  expect(watch.requests).toEqual([]);
}

/** Scrolls to the viewer and waits until it has drawn. */
export async function startViewer(page: Page): Promise<void> {
  await page.locator("#brain").scrollIntoViewIfNeeded();
  await page.waitForSelector(".stage[data-ready]", { timeout: 60_000 });
}

/** Colours of the viewer's canvas, and how many pixels are strongly coloured rather than grey. */
export async function picture(page: Page): Promise<{ colours: number; coloured: number; hash: number }> {
  // Two frames, so that what was asked for has been drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".stage canvas")!;
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext("2d")!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const colours = new Set<number>();
    let coloured = 0;
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      colours.add((r << 16) | (g << 8) | b);
      // The crosshair is green; maps are orange and blue.
      if (Math.abs(r - b) > 60) ++coloured;
      hash = (Math.imul(hash, 31) + r + 7 * g + 13 * b) | 0;
    }
    return { colours: colours.size, coloured, hash };
  });
}
