#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# browser.sh: reports that build/dev/sturm writes of phantoms and, where they are, of real volumes, opened in Chromium with
# the tests of web/, and then in Firefox with some of them. Screenshots are left in web/test-results.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -x .node/bin/npm ]] && export PATH="$PWD/.node/bin:$PATH"
sturm=build/dev/sturm
out="$PWD/build/dev/reports"
rm -rf "$out"
mkdir -p "$out"
"$sturm" phantom -o "$out/phantom" --subjects 24 --size 24x28x24 --quiet
samples="$out/phantom/samples.tsv"
# Four classes: controls, and the patients of each of three sites. Pairs: a patient and a control in the place of one person.
awk -F'\t' -v OFS='\t' 'NR == 1 { print $0, "kind"; next } { print $0, $3 == "control" ? $3 : $4 }' \
  "$samples" > "$out/phantom/kinds.tsv"
awk -F'\t' -v OFS='\t' 'NR == 1 { print; next } { n = ++seen[$3]; $1 = sprintf("pair-%02d", n); print }' \
  "$samples" > "$out/phantom/pairs.tsv"
study() { # NAME TABLE ...
  local name="$1" table="$2"
  shift 2
  "$sturm" cv --samples "$out/phantom/$table.tsv" --inner 2 --progress none --quiet -o "$out/$name" "$@"
}
patients=(--target group --positive patient)
study study samples "${patients[@]}" --methods svm,lasso,sturm,sturm+svm --outer 3 --permutations 9
study regression samples --target age --methods svm,lasso,ridge --outer 3
study paired pairs "${patients[@]}" --methods svm,lasso --outer 3 --learning-curve 3
study resized samples "${patients[@]}" --methods svm,lasso --outer 3 --resize 0.5,1
study auc samples "${patients[@]}" --methods svm,lasso --outer 3 --score auc
study classes kinds --target kind --classes --methods svm,lasso,sturm --outer 2
"$sturm" phantom -o "$out/small" --subjects 24 --size 10x12x10 --quiet
study balanced ../small/samples "${patients[@]}" --methods svm,lasso --outer 3 --score balanced-accuracy --permutations 39
study correlation ../small/samples --target age --methods svm,lasso --outer 3 --score correlation --permutations 19
"$sturm" fit --samples "$samples" "${patients[@]}" --progress none --quiet -o "$out/fit"
"$sturm" fit --samples "$out/phantom/kinds.tsv" --target kind --classes --progress none --quiet -o "$out/classes_fit"
real=../shared/data/word_object/samples.tsv
if [[ -e "$real" ]]; then
  "$sturm" cv --samples "$real" --target condition --positive words --methods svm,lasso,sturm+svm --resize 0.3 --outer 3 \
    --inner 2 --progress none --quiet -o "$out/word_object"
else
  echo "SKIPPED: the report of word_object, since $real is not there" >&2
fi
cd web
npm run --silent check
if [[ ! -x "${FIREFOX:-/usr/bin/firefox-esr}" && ! -x /usr/bin/firefox ]]; then
  echo "SKIPPED: the report in Firefox, which is not installed (firefox-esr; FIREFOX names another)" >&2
fi
STURM_REPORTS="$out" npx playwright test
