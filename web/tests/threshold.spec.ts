// SPDX-License-Identifier: BSD-3-Clause
// What is coloured is what passes the threshold, is what the sentence counts, is what the map file holds: by pixels, on
// reports of the program, for weights of every size.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { opensWith } from "../src/ranking";
import { expectQuiet, open, openSample, startViewer } from "./open";
import { countAtLeast, readMap, readNifti, scaleMap } from "./sample/map-file";
import { reports, samples, readStudy } from "./sample/report";
import { colouredInRender, control, expectSlices, firstStage, readSentence, settle } from "./slices";

const program = process.env["STURM"] ?? path.join(reports, "../sturm");
const study = readStudy("study");
const mapOf = (folder: string, method: string) => readMap(path.join(folder, `map_${method}.nii.gz`));
const folderOf = (name: string) => path.join(reports, name);

async function cutAt(page: Page, position: number): Promise<void> {
  await page.locator("#threshold").fill(String(position));
  await settle(page);
}

/** All that the slider offers: the sentence is true to the file. */
async function expectCounts(page: Page, map: ReturnType<typeof readMap>): Promise<number[]> {
  const last = Number(await page.locator("#threshold").getAttribute("max"));
  const thresholds: number[] = [];
  for (let position = 0; position <= last; ++position) {
    await page.locator("#threshold").fill(String(position));
    const { threshold, shown, all } = await readSentence(page.locator("#threshold-value"));
    expect(shown, `at ${threshold}`).toBe(countAtLeast(map, threshold));
    expect(all).toBe(countAtLeast(map, 0));
    thresholds.push(threshold);
  }
  return thresholds;
}

async function withoutGl(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
      return String(given[0]).startsWith("webgl") ? null : original.apply(this, given);
    } as typeof HTMLCanvasElement.prototype.getContext;
  });
}

for (const withGl of [true, false])
  test(`slices colour the voxels that pass, and no others${withGl ? "" : ", without WebGL2"}`, async ({ page }) => {
    if (!withGl) await withoutGl(page);
    const watch = await openSample(page, "study");
    await startViewer(page);
    for (const method of ["svm", "sturm"]) {
      await control(page, "Method").selectOption(method);
      const map = mapOf(folderOf("study"), method);
      const thresholds = await expectCounts(page, map);
      const last = thresholds.length - 1;
      for (const position of [0, Math.floor(last / 2), last - 1]) {
        await cutAt(page, position);
        await expectSlices(firstStage(page), map, thresholds[position]!);
      }
    }
    expectQuiet(watch);
  });

test("over all slices together as many voxels are coloured as the sentence counts", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  await control(page, "View").selectOption("slices");
  const method = opensWith(study)!.name;
  const map = mapOf(folderOf("study"), method);
  const last = Number(await page.locator("#threshold").getAttribute("max"));
  await cutAt(page, Math.floor(last / 3));
  const { threshold, shown } = await readSentence(page.locator("#threshold-value"));
  await page.locator("canvas.slices").focus();
  const slice = async () => Number((await page.locator("#crosshair-voxel").textContent())!.split(", ")[2]);
  while ((await slice()) > 0) await page.keyboard.press("PageDown");
  let coloured = 0;
  for (let k = 0; k < map.shape[2]; ++k) {
    await settle(page);
    coloured += (await expectSlices(firstStage(page), map, threshold))[0]!;
    await page.keyboard.press("PageUp");
  }
  expect(coloured).toBe(shown);
});

test("the render colours no more than the voxels that pass", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  await control(page, "Method").selectOption("svm");
  const last = Number(await page.locator("#threshold").getAttribute("max"));
  await cutAt(page, 0);
  const all = await colouredInRender(firstStage(page));
  expect(all.coloured).toBeGreaterThan(0.1 * all.pixels);
  await cutAt(page, last);
  const { shown } = await readSentence(page.locator("#threshold-value"));
  expect(shown).toBeLessThanOrEqual(2);
  const few = await colouredInRender(firstStage(page));
  // A voxel of this phantom is less than a twentieth of the render across, seen along its diagonal.
  expect(few.coloured).toBeGreaterThan(0);
  expect(few.coloured).toBeLessThan((shown * few.pixels) / 400);
});

test("a sparse map comes first, and each opens where its clusters are cut", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const first = opensWith(study)!;
  expect(first.sparsity.in_mask!).toBeGreaterThan(0.5);
  expect(await control(page, "Method").inputValue()).toBe(first.name);
  expect((await readSentence(page.locator("#threshold-value"))).threshold).toBe(0);
  const dense = study.methods.find(({ name }) => name === "svm")!;
  await control(page, "Method").selectOption("svm");
  const { threshold, shown } = await readSentence(page.locator("#threshold-value"));
  expect(dense.cluster_rule).toContain(`|w| is at least ${threshold}:`);
  await expect(page.locator("#clusters")).toContainText(dense.cluster_rule);
  if (!dense.cluster_rule.includes("with most weight"))
    expect(dense.clusters.reduce((sum, { voxels }) => sum + voxels, 0)).toBe(shown);
  const map = mapOf(folderOf("study"), "svm");
  expect(shown / map.values.length).toBeGreaterThan(0.0195);
  expect(shown / map.values.length).toBeLessThan(0.021);
});

/** The report that the program writes of the same results with weights of another size. */
function scaled(factor: number): string {
  const folder = path.join(samples, `scaled_${factor}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(folderOf("auc"), folder, { recursive: true });
  for (const file of readdirSync(folder)) if (/^map_.*\.nii\.gz$/.test(file)) scaleMap(path.join(folder, file), factor);
  execFileSync(program, ["report", folder, "--force", "--quiet"]);
  return folder;
}

for (const factor of [1e-8, 1e-12, 1e6])
  test(`weights ${factor} times as large look the same`, async ({ page }) => {
    test.skip(!existsSync(program), `${program} is not there`);
    const folder = scaled(factor);
    const seen: { [name: string]: { coloured: number; hash: number }[] } = {};
    for (const [name, from] of Object.entries({ usual: folderOf("auc"), scaled: folder })) {
      const watch = await open(page, path.join(from, "report.html"));
      await startViewer(page);
      seen[name] = [];
      for (const method of ["svm", "lasso"]) {
        await control(page, "Method").selectOption(method);
        await settle(page);
        const map = mapOf(from, method);
        const { threshold, shown } = await readSentence(page.locator("#threshold-value"));
        expect(shown).toBe(countAtLeast(map, threshold));
        await expectSlices(firstStage(page), map, threshold);
        seen[name].push(await colouredInRender(firstStage(page)));
      }
      expectQuiet(watch);
    }
    // Rounding of float32 moves a colour by a level here and there; thresholds of few digits may count a voxel more.
    seen["usual"]!.forEach(({ coloured }, i) => {
      expect(Math.abs(seen["scaled"]![i]!.coloured - coloured)).toBeLessThan(0.1 * coloured + 20);
    });
  });

test("what is saved is the map, under a name that says which", async ({ page }) => {
  await openSample(page, "study");
  await startViewer(page);
  const save = async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Map (NIfTI)" }).click(),
    ]);
    return { name: file.suggestedFilename(), map: readNifti(readFileSync(await file.path())) };
  };
  for (const method of ["svm", "lasso", "sturm"]) {
    await control(page, "Method").selectOption(method);
    const own = study.volumes.filter((volume) => volume.method === method);
    for (const { id, kind, fold, thresholds, voxels } of own) {
      await control(page, "Map").selectOption(id);
      const { name, map } = await save();
      const folds = study.methods.find((each) => each.name === method)!.chosen.map((choice) => choice.fold);
      const file = `${kind === "fold" ? "folds" : kind}_${method}`;
      const there = readMap(path.join(folderOf("study"), `${file}.nii.gz`), kind === "fold" ? folds.indexOf(fold!) : 0);
      expect(name).toBe(
        ({ map: `${method}_coefficients`, fold: `${method}_fold_${fold}_selected` }[kind as "map"] ??
          `${method}_${kind}`) + ".nii.gz",
      );
      expect(map.shape).toEqual(there.shape);
      expect(map.affine).toEqual(there.affine);
      expect(map.values).toEqual(there.values);
      // The counts of the page are those of the file.
      thresholds.forEach((least, at) => expect(voxels[at]).toBe(countAtLeast(there, least)));
    }
  }
  await control(page, "Map").selectOption("truth");
  expect((await save()).name).toBe("planted.nii.gz");
  // Of several classes the name says which.
  await openSample(page, "classes");
  await startViewer(page);
  const { methods, target, volumes } = readStudy("classes");
  const second = volumes.find(({ kind, class: name }) => kind === "map" && name === target.classes![1])!;
  expect(methods.some(({ name }) => name === second.method)).toBe(true);
  await control(page, "Method").selectOption(second.method!);
  await control(page, "Map").selectOption(second.id);
  const saved = await save();
  expect(saved.name).toBe(`${second.method}_coefficients_${second.class}.nii.gz`);
  expect(saved.map.values).toEqual(readMap(path.join(folderOf("classes"), `map_${second.method}.nii.gz`), 1).values);
});

test("a map that had to be rounded says so", async ({ page }) => {
  await openSample(page, "rounded");
  await startViewer(page);
  await expect(page.locator("#brain-note")).toContainText("rounded by less than 0.8 %");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Map (NIfTI)" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/_coefficients_rounded\.nii\.gz$/);
  // An ordinary file all the same, and what the slices show.
  const map = mapOf(folderOf("study"), opensWith(study)!.name);
  expect(readNifti(readFileSync(await file.path())).values).toEqual(map.values);
  await expectSlices(firstStage(page), map, (await readSentence(page.locator("#threshold-value"))).threshold);
});

test("where there is room nothing is rounded", () => {
  for (const name of ["study", "auc", "regression", "fit"])
    for (const { id, kind, exact } of readStudy(name).volumes)
      if (kind !== "background") expect(exact, `${name} ${id}`).toBe(true);
});
