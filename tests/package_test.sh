#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# package_test.sh BUILD_DIR: installs the library into an empty folder and builds and runs the examples that are projects
# of their own with it.
set -euo pipefail
source="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

cmake --install "$1" --prefix "$scratch/prefix" >/dev/null
[[ ! -e "$scratch/prefix/include/sturm/cli" ]] || { echo "headers of the program were installed"; exit 1; }
for name in find_package logistic_loss weighted_penalty; do
  cmake -S "$source/examples/$name" -B "$scratch/$name" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
  cmake --build "$scratch/$name"
  "$scratch/$name/example" | tee "$scratch/$name/output"
done
grep -q '^sturm [0-9]' "$scratch/find_package/output"
grep -q '^  0 voxels' "$scratch/logistic_loss/output"
grep -q '^4 terms' "$scratch/weighted_penalty/output"
"$scratch/prefix/bin/sturm" --version
grep -q '^.SH STURM CV' "$scratch/prefix/share/man/man1/sturm.1"
bash -n "$scratch/prefix/share/bash-completion/completions/sturm"
grep -q '^#compdef sturm' "$scratch/prefix/share/zsh/site-functions/_sturm"
