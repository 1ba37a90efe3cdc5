// SPDX-License-Identifier: BSD-3-Clause
// How fast the viewer is without a graphics card: until a brain is drawn, and for a step of the slider. Ten methods, each
// with a map that has no zero in the brain, which is the most a page can be given. The program writes the pages; the maps
// are made here, since to learn them would take hours.
//     node bench/viewer.mjs STURM [FOLDER]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";

const program = path.resolve(process.argv[2] ?? "../build/release/sturm");
const folder = path.resolve(process.argv[3] ?? "test-results/bench");
const methods = "sturm,remurs,lasso,enet,svm,ridge,surf,sturm+svm,remurs+svm,lasso+svm";
const steps = 40;
const run = (...words) => execFileSync(program, words, { cwd: folder, stdio: "inherit" });

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
run("phantom", "-o", "phantom", "--subjects", "20", "--size", "10x12x10", "--quiet");
run(
  ..."cv --samples phantom/samples.tsv --target group --positive patient --inner 2 --outer 3 --progress none --quiet".split(
    " ",
  ),
  ...["--methods", methods, "-o", "results"],
);

/** The same random numbers each time. */
let state = 1;
const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 + 2 ** -33;
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());

/** An ellipsoid that fills a quarter of the box, as a brain does. */
function inBrain(shape, i, j, k) {
  const at = [i, j, k].map((index, axis) => (index + 0.5) / shape[axis] - 0.5);
  return at.reduce((sum, x) => sum + x * x, 0) < 0.155;
}

/** A file of the folder with other voxels: float32 of a shape. */
function rewrite(file, shape, valueOf) {
  const raw = gunzipSync(readFileSync(file));
  const header = Buffer.from(raw.subarray(0, 352));
  const volumes = header.readInt16LE(40) === 4 ? header.readInt16LE(48) : 1;
  shape.forEach((n, axis) => header.writeInt16LE(n, 42 + 2 * axis));
  header.writeInt16LE(16, 70);
  header.writeInt16LE(32, 72);
  header.writeFloatLE(352, 108);
  header.writeFloatLE(1, 112);
  header.writeFloatLE(0, 116);
  // 2 mm along each axis, the middle of the box at the origin.
  for (let row = 0; row < 3; ++row) {
    header.writeFloatLE(2, 80 + 4 * row);
    for (let column = 0; column < 4; ++column)
      header.writeFloatLE(column === row ? 2 : column === 3 ? -shape[row] : 0, 280 + 16 * row + 4 * column);
    header.writeFloatLE(-shape[row], 268 + 4 * row);
  }
  for (const at of [256, 260, 264]) header.writeFloatLE(0, at);
  const values = new Float32Array(volumes * shape[0] * shape[1] * shape[2]);
  let at = 0;
  for (let volume = 0; volume < volumes; ++volume)
    for (let k = 0; k < shape[2]; ++k)
      for (let j = 0; j < shape[1]; ++j)
        for (let i = 0; i < shape[0]; ++i) values[at++] = inBrain(shape, i, j, k) ? valueOf(i, j, k) : 0;
  writeFileSync(file, gzipSync(Buffer.concat([header, Buffer.from(values.buffer)]), { level: 1 }));
}

function page(shape) {
  const results = path.join(folder, "results");
  for (const name of readdirSync(results)) {
    const file = path.join(results, name);
    if (/^map_.*\.nii\.gz$/.test(name)) rewrite(file, shape, () => 1e-3 * normal());
    else if (/^(stability|folds)_.*\.nii\.gz$/.test(name)) rewrite(file, shape, () => 1);
    else if (name === "background.nii.gz")
      rewrite(file, shape, (i, j, k) => 500 + 100 * Math.sin(i / 3) * Math.cos(j / 4 + k / 5));
    else if (name === "truth.nii.gz") rewrite(file, shape, (i, j) => (i + j === 60 ? 1 : 0));
  }
  const file = path.join(folder, `${shape.join("x")}.html`);
  execFileSync(program, ["report", results, "-o", file, "--force", "--quiet"], { stdio: "inherit" });
  return file;
}

const browser = await chromium.launch({
  executablePath: [process.env.CHROMIUM, "/usr/bin/chromium"].find((file) => file && existsSync(file)),
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const shape of [
  [61, 73, 61],
  [91, 109, 91],
]) {
  const file = page(shape);
  const tab = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await tab.addInitScript(() => {
    window.seen = {};
    const look = () => {
      document.getElementById("brain")?.scrollIntoView();
      if (document.querySelector(".stages[data-drawn]")) window.seen.drawn ??= performance.now();
      if (document.querySelector(".stage[data-ready]")) window.seen.ready ??= performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await tab.goto(pathToFileURL(file).href);
  await tab.waitForSelector(".stage[data-ready]", { timeout: 120_000 });
  const { drawn, ready } = await tab.evaluate(() => window.seen);
  const stepping = (view) =>
    tab.evaluate(
      async ({ view, steps }) => {
        const views = [...document.querySelectorAll(".panel select")].find((list) =>
          list.querySelector("[value=both]"),
        );
        views.value = view;
        views.dispatchEvent(new Event("change"));
        const slider = document.getElementById("threshold");
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        await frame();
        const [times, rendered] = [[], []];
        for (let step = 0; step < steps; ++step) {
          const start = performance.now();
          slider.value = String(Math.round((step / steps) * Number(slider.max)));
          slider.dispatchEvent(new Event("input"));
          await frame();
          times.push(performance.now() - start);
          // The render is a frame behind, so that a slider that moves on does not wait for it.
          await frame();
          rendered.push(performance.now() - start);
        }
        return [times, rendered].map((each) => each.sort((a, b) => a - b));
      },
      { view, steps },
    );
  const one = (times) => `median ${times[steps / 2].toFixed(0)} ms, longest ${times.at(-1).toFixed(0)} ms`;
  const words = ([slices, render]) => `${one(slices)} (with the render ${one(render)})`;
  console.log(
    `${shape.join("x")}, ten methods: ${(statSync(file).size / 1e6).toFixed(2)} MB; slices drawn after ${(drawn / 1000).toFixed(2)} s, ` +
      `render too after ${(ready / 1000).toFixed(2)} s; a step of the slider: ${words(await stepping("both"))}; ` +
      `where slices alone are shown: ${one((await stepping("slices"))[0])}`,
  );
  await tab.close();
}
await browser.close();
