// SPDX-License-Identifier: BSD-3-Clause
// The checks of accessible.spec.ts and the viewer's pixels once more, in the Firefox of the distribution.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { axeSource, violations } from "./axe";
import { Firefox, firefoxPath } from "./firefox";
import { explains, operates, skips, walk } from "./keyboard";
import { shots } from "./open";
import { fileOf } from "./sample/report";

test.describe.configure({ mode: "serial" });
test.skip(firefoxPath === null, "there is no Firefox: install firefox-esr, or set FIREFOX to its path");

let firefox: Firefox;
test.beforeAll(async () => {
  if (firefoxPath) firefox = await Firefox.start(1280, 860);
});
test.afterAll(() => firefox?.close());

async function openViewer(name: string): Promise<void> {
  await firefox.open(fileOf(name));
  await firefox.run(async () => {
    document.getElementById("brain")!.scrollIntoView();
    const end = Date.now() + 60_000;
    while (!document.querySelector(".stage[data-ready]")) {
      if (Date.now() > end) throw new Error("the viewer did not draw");
      await new Promise((done) => setTimeout(done, 50));
    }
  });
}

/** Pixels of the canvas that are strongly coloured, by what the browser itself reads back. */
const coloured = (): Promise<number> =>
  firefox.run(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const canvas = document.querySelector<HTMLCanvasElement>(".stage canvas")!;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d")!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += Number(Math.abs(data[i]! - data[i + 2]!) > 60);
    return count;
  });

const setThreshold = (value: number): Promise<void> =>
  firefox.runWith((it) => {
    const slider = document.querySelector<HTMLInputElement>("#threshold")!;
    slider.value = String(it);
    slider.dispatchEvent(new Event("input"));
  }, value);

test("axe finds nothing in five kinds of report, light and dark", async () => {
  for (const name of ["study", "classes", "regression", "paired", "fit"]) {
    await firefox.open(fileOf(name));
    await firefox.source(axeSource);
    for (const dark of [false, true]) {
      await firefox.darkOrLight(dark);
      expect(await firefox.run(violations), `${name}, ${dark ? "dark" : "light"}`).toEqual([]);
    }
  }
  expect(firefox.problems).toEqual([]);
});

test("the threshold hides what is below it", async () => {
  await openViewer("study");
  await setThreshold(0);
  const all = await coloured();
  await setThreshold(700);
  const strongest = await coloured();
  expect(all).toBeGreaterThan(200);
  expect(strongest).toBeGreaterThan(0);
  expect(strongest).toBeLessThan(0.5 * all);
  mkdirSync(shots, { recursive: true });
  await firefox.screenshot(path.join(shots, "study_firefox.png"));
  expect(firefox.problems).toEqual([]);
});

test("the keyboard alone reaches and works everything", async () => {
  await openViewer("study");
  await skips(firefox);
  await operates(firefox);
  await explains(firefox);
  await firefox.run(() => document.querySelector<HTMLElement>('[data-table="table"] .tools button')!.focus());
  await firefox.press("Enter");
  const saved = path.join(firefox.downloads, "table.tsv");
  await expect.poll(() => existsSync(saved) && readFileSync(saved, "utf8").length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(readdirSync(firefox.downloads)).toEqual(["table.tsv"]);
  expect(readFileSync(saved, "utf8")).toContain("Method\t");
  // Last: beyond the end of the page the address bar has the focus.
  await openViewer("study");
  expect(await walk(firefox)).toBeGreaterThan(60);
  expect(firefox.problems).toEqual([]);
});
