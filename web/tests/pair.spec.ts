// SPDX-License-Identifier: BSD-3-Clause
// Two brains side by side: any two maps, one crosshair, one view, one zoom, cut alike.
import path from "node:path";
import { expect, test } from "@playwright/test";
import { general } from "../src/format";
import { opensWith } from "../src/ranking";
import { expectQuiet, openSample, shots, startViewer } from "./open";
import { countAtLeast, readMap } from "./sample/map-file";
import { readStudy, reports } from "./sample/report";
import { control, expectSlices, readSentence, settle, tilesOf } from "./slices";

const study = readStudy("study");
const mapOf = (method: string) => readMap(path.join(reports, "study", `map_${method}.nii.gz`));
const passes = (least: number) => (value: number) => value !== 0 && Math.abs(value) >= least;

test("a second brain shows another map, cut alike and moved along", async ({ page }) => {
  const watch = await openSample(page, "study");
  await startViewer(page);
  const button = page.getByRole("button", { name: "Second brain" });
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  const [left, right] = [page.locator(".stage").first(), page.locator(".stage").nth(1)];
  await page.waitForSelector(".second .stage[data-ready]");

  // What was planted comes first, with the numbers of results.json.
  const first = opensWith(study)!;
  const { dice, auc, planted } = first.truth!;
  await expect(page.locator("#second-compared")).toContainText(
    `${first.name} against what was planted in ${planted} voxels: Dice ${general(dice, 3)}, AUC ${general(auc, 3)}.`,
  );

  await page.locator("#second-map").selectOption(study.volumes.find(({ method }) => method === "svm")!.id);
  const maps = [mapOf(first.name), mapOf("svm")] as const;
  const last = Number(await page.locator("#threshold").getAttribute("max"));
  for (const position of [0, Math.floor(last / 2)]) {
    await page.locator("#threshold").fill(String(position));
    await settle(page);
    const [a, b] = [
      await readSentence(page.locator("#threshold-value")),
      await readSentence(page.locator("#second-value")),
    ];
    expect(a.shown).toBe(countAtLeast(maps[0], a.threshold));
    expect(b.shown).toBe(countAtLeast(maps[1], b.threshold));
    // As nearly the same number as the thresholds allow.
    const svm = study.volumes.find(({ method, kind }) => method === "svm" && kind === "map")!;
    const off = (count: number) => Math.abs(Math.log((count + 0.5) / (a.shown + 0.5)));
    expect(off(b.shown)).toBeCloseTo(Math.min(...svm.voxels.map(off)), 9);
    await expectSlices(left, maps[0], a.threshold);
    await expectSlices(right, maps[1], b.threshold);
    const both = maps[0].values.filter(
      (value, i) => passes(a.threshold)(value) && passes(b.threshold)(maps[1].values[i]!),
    ).length;
    await expect(page.locator("#second-compared")).toContainText(`${both} voxels are shown in both.`);
  }
  await page.locator(".brain").screenshot({ path: path.join(shots, "pair.png") });

  // One crosshair and one zoom, whichever of the two is used.
  const [axial] = await tilesOf(right);
  await right.locator("canvas.slices").click({
    position: { x: axial!.left + 0.7 * axial!.width, y: axial!.top + 0.4 * axial!.height },
  });
  await settle(page);
  const look = (tiles: Awaited<ReturnType<typeof tilesOf>>) => tiles.map(({ at, low, high }) => ({ at, low, high }));
  expect(look(await tilesOf(left))).toEqual(look(await tilesOf(right)));
  const x = Number((await page.locator("#crosshair-mm").textContent())!.split(",")[0]!.replace("−", "-"));
  expect(x).toBeCloseTo(axial!.low[0] + 0.7 * (axial!.high[0] - axial!.low[0]), 0);
  await page.keyboard.press("+");
  await settle(page);
  const zoomed = look(await tilesOf(left));
  expect(zoomed[0]!.high[0] - zoomed[0]!.low[0]).toBeLessThan(axial!.high[0] - axial!.low[0]);
  expect(zoomed).toEqual(look(await tilesOf(right)));

  // One view.
  await control(page, "View").selectOption("slices");
  await expect(left.locator(".render")).toBeHidden();
  await expect(right.locator(".render")).toBeHidden();
  await control(page, "View").selectOption("both");
  // Turned by hand, both turn.
  const turnOf = (stage: typeof left) =>
    stage.locator(".render canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL().length);
  const before = await turnOf(right);
  const box = (await left.locator(".render").boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 20, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => turnOf(right)).not.toBe(before);

  await button.click();
  await expect(page.locator(".stage")).toHaveCount(1);
  expectQuiet(watch);
});

test("one class beside another", async ({ page }) => {
  const watch = await openSample(page, "classes");
  await startViewer(page);
  await page.getByRole("button", { name: "Second brain" }).click();
  const classes = readStudy("classes");
  const other = classes.volumes.find(
    ({ method, class: name }) => method === "lasso" && name === classes.target.classes![2],
  )!;
  await page.locator("#second-map").selectOption(other.id);
  const map = readMap(path.join(reports, "classes", "map_lasso.nii.gz"), 2);
  const { threshold, shown } = await readSentence(page.locator("#second-value"));
  expect(shown).toBe(countAtLeast(map, threshold));
  await settle(page);
  await expectSlices(page.locator(".stage").nth(1), map, threshold);
  expectQuiet(watch);
});
