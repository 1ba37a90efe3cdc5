#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What `make demo` shows once the program is built: the algebra, then a synthetic study with a known answer from files to
# a map, a comparison of methods and its report, in demo/.
set -euo pipefail
cd "$(dirname "$0")/.."
sturm=build/release/sturm
show() {
  printf '\n$ sturm %s\n' "$*" >&2
  "$sturm" "$@"
}

build/release/algebra_demo
rm -rf demo
mkdir demo
show phantom -o demo/study --subjects 80 --size 31x37x31 --seed 1
head -n 61 demo/study/samples.tsv >demo/study/train.tsv
(head -n 1 demo/study/samples.tsv && tail -n 20 demo/study/samples.tsv) >demo/study/test.tsv
show check --samples demo/study/train.tsv --target group --positive patient >demo/check.tsv
echo "demo/check.tsv has one row per volume; these are the first:"
head -n 4 demo/check.tsv
show fit --samples demo/study/train.tsv --target group --positive patient --balance 0.9 -o demo/fit
show predict --model demo/fit --samples demo/study/test.tsv -o demo/predictions
show cv --samples demo/study/train.tsv --target group --positive patient --outer 5 --inner 4 \
  --methods svm,lasso,enet,sturm,lasso+svm,sturm+svm -o demo/cv
echo
echo "demo/fit/coef.nii.gz is the map, and demo/study/truth.nii.gz is what was planted; the report shows both:"
if ! show report demo/cv -o demo/report.html; then
  echo "(without the page there are figures)"
  show report demo/cv --figures demo/figures
fi
