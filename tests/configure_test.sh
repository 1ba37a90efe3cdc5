#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A plain configure works without what only the tests, the benchmarks or the page of reports need, and says what it leaves
# out.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# configure WORDS OPTIONS...: must say the words.
configure() {
  local words="$1"
  shift
  rm -rf "$scratch/build"
  cmake -S "$source" -B "$scratch/build" "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
  grep -q "$words" "$scratch/log" || { cat "$scratch/log"; echo "does not say: $words"; exit 1; }
}
configure "so the tests are left out" -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON -DSTURM_NPM=
configure "command line and of the layers are left out" -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON
configure "does without --config" -DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON -DSTURM_TESTS=OFF
configure "so the benchmarks are left out" -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DSTURM_CLI=OFF
configure "so figures are SVG alone" -DCMAKE_DISABLE_FIND_PACKAGE_cairo=ON -DSTURM_TESTS=OFF -DSTURM_BENCH=OFF
configure "at the pace of zlib" -DCMAKE_DISABLE_FIND_PACKAGE_libdeflate=ON -DSTURM_TESTS=OFF -DSTURM_BENCH=OFF
