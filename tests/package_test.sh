#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# package_test.sh BUILD_DIR: installs the library into an empty folder and builds and runs examples/find_package with it.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

cmake --install "$1" --prefix "$scratch/prefix" >/dev/null
[[ ! -e "$scratch/prefix/include/sturm/cli" ]] || { echo "headers of the program were installed"; exit 1; }
cmake -S "$source/examples/find_package" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
"$scratch/build/example" | tee "$scratch/output"
grep -q '^sturm [0-9]' "$scratch/output"
"$scratch/prefix/bin/sturm" --version
