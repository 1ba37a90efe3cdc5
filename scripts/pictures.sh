#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# pictures.sh: the first screens of the demo's report and of the study of words and objects, as docs/ shows them. Takes
# build/release/sturm (STURM names another) and Chromium; where the page is not in the program, STURM_PAGE names it.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -x .node/bin/npm ]] && export PATH="$PWD/.node/bin:$PATH"
sturm="${STURM:-build/release/sturm}"
out="${PICTURES:-build/pictures}"
mkdir -p "$out"
# The demo's results where `make demo` left them, otherwise the same study.
if [[ -e demo/cv/results.json ]]; then
  ln -sfn "$PWD/demo/cv" "$out/demo"
elif [[ ! -e "$out/demo" ]]; then
  "$sturm" phantom -o "$out/study" --subjects 80 --size 31x37x31 --seed 1 --quiet --force
  head -n 61 "$out/study/samples.tsv" >"$out/study/train.tsv"
  "$sturm" cv --samples "$out/study/train.tsv" --target group --positive patient --outer 5 --inner 4 \
    --methods svm,lasso,enet,sturm,lasso+svm,sturm+svm --quiet --no-report -o "$out/demo"
fi
real="${STURM_SHARED:-../shared}/data/word_object/samples.tsv"
if [[ ! -e "$out/word_object" && -e "$real" ]]; then
  "$sturm" cv --samples "$real" --target condition --positive words --methods svm,lasso,sturm+svm --resize 0.3 --outer 3 \
    --inner 2 --quiet --no-report -o "$out/word_object"
fi
for name in demo word_object; do
  [[ -e "$out/$name" ]] && "$sturm" report "$out/$name" -o "$out/$name.html" --force --quiet
done
out="$(realpath "$out")"
cd web
node --input-type=module -e '
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
const [out, docs] = process.argv.slice(1);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [name, picture, width, height, scheme] of [
  ["demo", "report", 1280, 800, "light"],
  ["demo", "report-phone", 390, 1600, "light"],
  ["word_object", "report-word_object", 1280, 800, "light"],
  ["demo", "report-dark", 1280, 800, "dark"],
]) {
  if (!existsSync(`${out}/${name}.html`)) continue;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  await page.goto(`file://${out}/${name}.html`);
  await page.waitForFunction(() => [...document.images].every((it) => it.complete));
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${scheme === "dark" ? out : docs}/${picture}.png` });
  await page.close();
}
await browser.close();
' "$out" "$(realpath ../docs)"
