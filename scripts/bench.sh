#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every benchmark of build/release/bench and what stands beside it in bench/.
set -euo pipefail
cd "$(dirname "$0")/.."
found=0
for program in build/release/bench/*_bench; do
  [[ -x "$program" ]] || continue
  found=1
  "$program"
done
[[ $found -eq 1 ]] || { echo "No benchmarks are built." >&2; exit 1; }
