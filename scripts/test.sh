#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything `make test` checks, cheapest first. Stops at the first failure; the last line says how it went.
set -euo pipefail
cd "$(dirname "$0")/.."
JOBS="${JOBS:-$(nproc)}"
export JOBS
step=start
trap '[[ $? -eq 0 ]] || echo "make test: FAILED at: $step" >&2' EXIT
# Shows failures, skips and ctest's closing lines; what passed is in build/PRESET/Testing/Temporary/LastTest.log.
run_tests() {
  ctest --preset "$1" -j "$JOBS" | grep -v '   Passed  \|^ *Start  *[0-9]'
  awk '/^\[  SKIPPED \] [0-9]+ tests?[.,]/ { n += $4 } END { if (n) print n " unit tests were skipped" }' \
    "build/$1/Testing/Temporary/LastTest.log"
}
begin() { step="$1"; echo "== $step ($SECONDS s so far)"; }

begin "layers and structure"
python3 tests/layers_test.py --quiet
python3 tests/structure_test.py --quiet
begin "build with warnings as errors"
package=()
[[ -x .venv-python/bin/python ]] && package=(-DSTURM_PYTHON=ON -DPython_EXECUTABLE="$PWD/.venv-python/bin/python")
scripts/build.sh dev -DSTURM_UNITY=ON "${package[@]}"
begin "unit, command line and package tests"
run_tests dev
if [[ ${#package[@]} -gt 0 ]]; then
  begin "the Python package"
  scripts/python.sh
else
  echo "SKIPPED: the Python package, since .venv-python is not there" >&2
fi
# The browser waits much of its time. It goes first where both want a processor: its tests have limits of time.
begin "the report in a browser, beside a build with address and undefined-behaviour sanitizers"
scripts/browser.sh >build/browser.log 2>&1 &
browser=$!
nice -n 10 scripts/build.sh asan || { kill "$browser" 2>/dev/null; false; }
wait "$browser" || { cat build/browser.log >&2; false; }
grep 'SKIPPED\|^ *[0-9]* \(passed\|failed\|skipped\)' build/browser.log || true
begin "unit tests under the sanitizers"
STURM_COVERAGE_SEEDS=1 run_tests asan # studies of six seeds took half of this stage; the build without sanitizers has them
begin "fuzzing, ${FUZZ_SECONDS:=10} s per reader"
scripts/fuzz.sh "$FUZZ_SECONDS"
begin "format and clang-tidy, quick"
scripts/lint.sh --quick
echo "make test: all passed in $SECONDS s"
