#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# sturm cv killed 200 times and failed at every system call that changes the disk, 50 studies of each kind with and
# without a coverage leak, 500 for the coverage of intervals, then the unit tests under the sanitizers, shuffled by a new
# seed each round, for SOAK_MINUTES.
set -euo pipefail
cd "$(dirname "$0")/.."
CV_KILLS=200 CV_FAULT_STEP=1 STURM="$PWD/build/asan/sturm" .venv/bin/python tests/cli/cv_faults_test.py
STURM_COVERAGE_SEEDS=50 build/asan/tests/sturm_tests --gtest_filter='Kinds/CoverageOf*' --gtest_brief=1
# Intervals of 500 made-up studies with repeated measures hold the truth in 92 to 98 %.
STURM_INTERVAL_STUDIES=500 build/asan/tests/sturm_tests --gtest_filter='*IntervalCoverage*'
end=$((SECONDS + 60 * ${SOAK_MINUTES:-10}))
round=0
while ((SECONDS < end)); do
  round=$((round + 1))
  build/asan/tests/sturm_tests --gtest_shuffle --gtest_random_seed=$((RANDOM + 1)) --gtest_brief=1
done
echo "soak: $round rounds, no failure"
