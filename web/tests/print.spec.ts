// SPDX-License-Identifier: BSD-3-Clause
// The brain on paper and as a picture: there before anybody scrolled to it, with sides, places, scale and key.
import { readFileSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { css, palettes, ramp } from "../src/colours";
import { readStudy } from "./sample/report";
import { openSample, shots, startViewer } from "./open";
import { tilesOf, firstStage } from "./slices";

interface Picture {
  width: number;
  height: number;
  coloured: number;
  grey: number;
}

/** What is in a picture, decoded by the browser. */
const look = (page: Page, png: Buffer): Promise<Picture> =>
  page.evaluate(async (text) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${text}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const context = canvas.getContext("2d")!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [coloured, grey] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const [most, least] = [
        Math.max(data[i]!, data[i + 1]!, data[i + 2]!),
        Math.min(data[i]!, data[i + 1]!, data[i + 2]!),
      ];
      if (most - least > 60) ++coloured;
      else if (most > 40 && most < 235) ++grey;
    }
    return { width: picture.width, height: picture.height, coloured, grey };
  }, png.toString("base64"));

test("printing a page that nobody scrolled shows the brain", async ({ page }) => {
  await openSample(page, "study");
  await expect(page.locator(".stage[data-ready]")).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".on-paper canvas")).toHaveCount(1);
  const drawn = await look(page, await page.locator(".on-paper canvas").screenshot());
  expect(drawn.grey).toBeGreaterThan(0.1 * drawn.width * drawn.height);
  expect(drawn.coloured).toBeGreaterThan(100);
  await expect(page.locator(".stage")).toBeHidden();
});

/** The colours of each picture in a PDF that is not compressed further. */
function picturesIn(pdf: Buffer): { width: number; height: number; pixels: Buffer }[] {
  const text = pdf.toString("latin1");
  const number = (head: string, key: string) => Number(new RegExp(`/${key} (\\d+)`).exec(head)?.[1]);
  const found: { width: number; height: number; pixels: Buffer }[] = [];
  for (const { index, 0: whole } of text.matchAll(
    /<<(?:(?!<<|>>|stream)[^])*?\/Subtype \/Image(?:(?!stream)[^])*?>>\s*stream\r?\n/g,
  )) {
    const start = index + whole.length;
    const data = pdf.subarray(start, start + number(whole, "Length"));
    if (!/\/FlateDecode/.test(whole) || !/\/(DeviceRGB|ICCBased)/.test(whole)) continue;
    found.push({ width: number(whole, "Width"), height: number(whole, "Height"), pixels: inflateSync(data) });
  }
  return found;
}

test("the PDF of a page that nobody scrolled holds the brain", async ({ page }) => {
  await openSample(page, "study");
  // Each slice is a picture with a pixel per voxel.
  const [ni, nj, nk] = readStudy("study").volumes[0]!.shape;
  const pictures = picturesIn(await page.pdf({ format: "A4" }));
  for (const [width, height] of [
    [ni, nj],
    [ni, nk],
    [nj, nk],
  ]) {
    const slice = pictures.find((picture) => picture.width === width && picture.height === height)!;
    expect(slice, `${width} x ${height}`).toBeDefined();
    let [coloured, grey] = [0, 0];
    for (let i = 0; i < slice.pixels.length; i += 3) {
      const rgb = [...slice.pixels.subarray(i, i + 3)];
      const [most, least] = [Math.max(...rgb), Math.min(...rgb)];
      if (most - least > 60) ++coloured;
      else if (most > 40) ++grey;
    }
    expect(grey).toBeGreaterThan(0.1 * slice.width * slice.height);
    expect(coloured).toBeGreaterThan(0);
  }
});

test("a print shows what is looked at", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const printed = async () => {
    await page.emulateMedia({ media: "print" });
    await page.waitForTimeout(300);
    const png = await page.locator(".on-paper canvas").screenshot();
    await page.emulateMedia({ media: "screen" });
    return png;
  };
  const before = await printed();
  await page.locator("canvas.slices").focus();
  for (let i = 0; i < 4; ++i) await page.keyboard.press("PageUp");
  // Until the slices are drawn anew, which a busy machine takes its time for.
  await expect.poll(async () => (await printed()).equals(before), { timeout: 30_000 }).toBe(false);
});

/** Pixels of the canvas between two corners, in the unit of the page, that are not black. */
async function inkIn(page: Page, name: string, box: [number, number, number, number]): Promise<number> {
  return page.locator(`canvas.${name}`).evaluate((canvas: HTMLCanvasElement, [left, top, width, height]) => {
    const dense = canvas.width / canvas.clientWidth;
    const context = canvas.getContext("2d")!;
    const { data } = context.getImageData(left! * dense, top! * dense, width! * dense, height! * dense);
    let ink = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3]! > 100 && data[i]! > 100) ++ink;
    return ink;
  }, box);
}

test("each slice has its sides, its place and a scale beside it", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const tiles = await tilesOf(firstStage(page));
  expect(tiles.map(({ letters }) => letters)).toEqual([
    ["L", "R"],
    ["L", "R"],
    ["P", "A"],
  ]);
  for (const { left, top, width, height, low, high } of tiles) {
    expect(low[0]).toBeLessThan(high[0]);
    expect(await inkIn(page, "marks", [left - 15, top + height / 2 - 8, 14, 16])).toBeGreaterThan(8);
    expect(await inkIn(page, "marks", [left + width + 1, top + height / 2 - 8, 14, 16])).toBeGreaterThan(8);
    expect(await inkIn(page, "marks", [left, top + height + 2, width / 2, 18])).toBeGreaterThan(30);
    expect(await inkIn(page, "marks", [left + width / 2, top + height + 2, width / 2 + 2, 18])).toBeGreaterThan(30);
    // And nothing over the voxels.
    expect(await inkIn(page, "marks", [left + 1, top + 1, width - 2, height - 2])).toBe(0);
  }
  // The render has its letters within.
  const box = (await page.locator(".stage .render").boundingBox())!;
  const stage = (await firstStage(page).boundingBox())!;
  expect(await inkIn(page, "marks", [box.x - stage.x, box.y - stage.y, box.width, box.height])).toBeGreaterThan(20);
  await page.locator(".brain").screenshot({ path: path.join(shots, "brain.png") });
});

test("a saved picture has the key to its colours", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Picture (PNG)" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^brain_.*_coefficients\.png$/);
  const png = readFileSync(await file.path());
  await file.saveAs(path.join(shots, "picture.png"));
  const { width, height, coloured, grey } = await look(page, png);
  expect(grey).toBeGreaterThan(0.05 * width * height);
  expect(coloured).toBeGreaterThan(0);
  // From the strongest negative colour to the strongest positive one, near the lower right corner.
  const bar = await page.evaluate(async (text) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${text}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const context = canvas.getContext("2d")!;
    context.drawImage(picture, 0, 0);
    return [684 + 1, 684 + 199].map((x) => [...context.getImageData(2 * x, 2 * 686, 1, 1).data.slice(0, 3)]);
  }, png.toString("base64"));
  expect(bar.map((colour) => css(colour as [number, number, number]))).toEqual([
    css(ramp(palettes.negative, 1)),
    css(ramp(palettes.positive, 1)),
  ]);
});
