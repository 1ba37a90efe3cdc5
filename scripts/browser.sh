#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# browser.sh: reports that build/dev/sturm writes of a phantom and, where they are, of real volumes, and the sample reports
# of web/, opened in Chromium. Screenshots are left in web/test-results.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -x .node/bin/npm ]] && export PATH="$PWD/.node/bin:$PATH"
sturm=build/dev/sturm
out="$PWD/build/dev/reports"
rm -rf "$out"
mkdir -p "$out"
study() { "$sturm" cv "$@" --target "$target" --positive "$positive" --outer 3 --inner 2 --progress none --quiet; }
"$sturm" phantom -o "$out/phantom" --subjects 24 --size 24x28x24 --quiet
target=group positive=patient
study --samples "$out/phantom/samples.tsv" --methods svm,lasso,sturm,sturm+svm --permutations 9 -o "$out/study"
reports="$out/study/report.html"
# Four classes: controls, and the patients of each of three sites.
awk -F'\t' -v OFS='\t' 'NR == 1 { print $0, "kind"; next } { print $0, $3 == "control" ? $3 : $4 }' \
  "$out/phantom/samples.tsv" > "$out/phantom/kinds.tsv"
"$sturm" cv --samples "$out/phantom/kinds.tsv" --target kind --classes --methods svm,lasso,sturm --outer 2 --inner 2 \
  --progress none --quiet -o "$out/classes"
"$sturm" fit --samples "$out/phantom/kinds.tsv" --target kind --classes --progress none --quiet -o "$out/classes_fit"
reports+=":$out/classes/report.html:$out/classes_fit/report.html"
real=../shared/data/word_object/samples.tsv
if [[ -e "$real" ]]; then
  target=condition positive=words
  study --samples "$real" --methods svm,lasso,sturm+svm --resize 0.3 -o "$out/word_object"
  reports+=":$out/word_object/report.html"
else
  echo "SKIPPED: the report of word_object, since $real is not there" >&2
fi
cd web
npm run --silent check
STURM_REPORTS="$reports" npx playwright test
