// SPDX-License-Identifier: BSD-3-Clause
// Reads back what the viewer shows, voxel by voxel, and holds it against the map file.
import { expect, type Locator, type Page } from "@playwright/test";
import { palettes, ramp, type Rgb } from "../src/colours";
import type { MapFile } from "./sample/map-file";

export interface Tile {
  name: string;
  right: number;
  up: number;
  through: number;
  letters: [string, string];
  left: number;
  top: number;
  width: number;
  height: number;
  low: [number, number];
  high: [number, number];
  at: number;
}

export const firstStage = (page: Page): Locator => page.locator(".stage").first();

/** A list of the viewer's. */
export const control = (page: Page, label: string): Locator =>
  page.locator(".panel label", { has: page.locator("span", { hasText: new RegExp(`^${label}$`) }) }).locator("select");

/** Two frames, so that what was asked for has been drawn. */
export const settle = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function tilesOf(stage: Locator): Promise<Tile[]> {
  return JSON.parse((await stage.locator("canvas.slices").getAttribute("data-tiles"))!) as Tile[];
}

/** Colours at points of the canvas of the slices, in the unit of the page. */
async function coloursAt(stage: Locator, points: [number, number][]): Promise<Rgb[]> {
  const flat = await stage.locator("canvas.slices").evaluate((canvas: HTMLCanvasElement, asked) => {
    const dense = canvas.width / canvas.clientWidth;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return asked.flatMap(([x, y]) => {
      const start = 4 * (Math.floor(y! * dense) * canvas.width + Math.floor(x! * dense));
      return [data[start]!, data[start + 1]!, data[start + 2]!];
    });
  }, points);
  return points.map((_, i) => flat.slice(3 * i, 3 * i + 3) as Rgb);
}

/** Blue and orange are far from grey; what lies below the maps is grey. */
export const isColoured = ([r, g, b]: Rgb): boolean => Math.max(r, g, b) - Math.min(r, g, b) > 40;

const expectedColour = (value: number, limit: number): Rgb =>
  ramp(value > 0 ? palettes.positive : palettes.negative, Math.abs(value) / limit);

/**
 * How many voxels are coloured in each slice on the screen. Each voxel of these slices must have the colour of its value
 * in the file where that is at least the threshold, and be grey otherwise.
 */
export async function expectSlices(stage: Locator, map: MapFile, threshold: number): Promise<number[]> {
  const limit = map.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const counts: number[] = [];
  for (const tile of await tilesOf(stage)) {
    // A quarter of a voxel beside the middle, where no crosshair runs.
    const points: [number, number][] = [];
    const values: number[] = [];
    const [ni, nj, nk] = map.shape;
    for (let k = 0; k < nk; ++k)
      for (let j = 0; j < nj; ++j)
        for (let i = 0; i < ni; ++i) {
          const world = map.affine.map((row) => row[0]! * i + row[1]! * j + row[2]! * k + row[3]!);
          const size = map.affine.map((row) => Math.hypot(row[0]!, row[1]!, row[2]!));
          if (Math.abs(world[tile.through]! - tile.at) > 0.499 * size[tile.through]!) continue;
          const across = (world[tile.right]! + 0.25 * size[tile.right]! - tile.low[0]) / (tile.high[0] - tile.low[0]);
          const down = (tile.high[1] - world[tile.up]! + 0.25 * size[tile.up]!) / (tile.high[1] - tile.low[1]);
          if (across < 0 || across > 1 || down < 0 || down > 1) continue;
          points.push([tile.left + across * tile.width, tile.top + down * tile.height]);
          values.push(map.values[i + ni * (j + nj * k)]!);
        }
    expect(points.length).toBeGreaterThan(0);
    const colours = await coloursAt(stage, points);
    let count = 0;
    const wrong: string[] = [];
    colours.forEach((colour, n) => {
      const value = values[n]!;
      const passes = value !== 0 && Math.abs(value) >= threshold;
      if (isColoured(colour)) ++count;
      const off = passes ? Math.max(...expectedColour(value, limit).map((part, c) => Math.abs(part - colour[c]!))) : 0;
      if (isColoured(colour) !== passes || off > 4) wrong.push(`${tile.name}: ${value} is shown as ${colour}`);
    });
    expect(wrong.slice(0, 5)).toEqual([]);
    counts.push(count);
  }
  return counts;
}

/** "|w| ≥ 0.0135: 1 812 of 8 126 voxels". */
export async function readSentence(output: Locator): Promise<{ threshold: number; shown: number; all: number }> {
  const text = (await output.textContent())!.replaceAll("\u202f", "");
  const found = /^\S+ ([≥>]) (.*): (\d+) of (\d+) voxels$/.exec(text);
  expect(found, text).not.toBeNull();
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const number = found![2]!
    .replace(" × 10", "e")
    .replace("⁻", "-")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(digits.indexOf(digit)));
  return { threshold: Number(number), shown: Number(found![3]), all: Number(found![4]) };
}

/** Pixels of the 3-D render that have a colour of the map; the crosshair is green. */
export async function colouredInRender(stage: Locator): Promise<{ coloured: number; pixels: number; hash: number }> {
  return stage.locator(".render canvas").evaluate((canvas: HTMLCanvasElement) => {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext("2d")!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let coloured = 0;
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (Math.abs(r - b) > 40) ++coloured;
      hash = (Math.imul(hash, 31) + r + 7 * g + 13 * b) | 0;
    }
    return { coloured, pixels: data.length / 4, hash };
  });
}
