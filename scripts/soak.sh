#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The unit tests under the sanitizers, shuffled by a new seed each round, for SOAK_MINUTES.
set -euo pipefail
cd "$(dirname "$0")/.."
end=$((SECONDS + 60 * ${SOAK_MINUTES:-10}))
round=0
while ((SECONDS < end)); do
  round=$((round + 1))
  build/asan/tests/sturm_tests --gtest_shuffle --gtest_random_seed=$((RANDOM + 1)) --gtest_brief=1
done
echo "soak: $round rounds, no failure"
