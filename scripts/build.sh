#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# build.sh PRESET [-DNAME=VALUE ...]: configures and builds a preset, with few words.
set -euo pipefail
cd "$(dirname "$0")/.."
preset="$1"
shift
mkdir -p build
cmake --preset "$preset" "$@" >"build/$preset.log" 2>&1 || {
  cat "build/$preset.log" >&2
  exit 1
}
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}"
