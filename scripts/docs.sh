#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# docs.sh: builds the Python module and, with it, the site in build/docs/html; any warning is an error. The gallery's scripts run
# in this; those that passed do not run again until they change.
set -euo pipefail
cd "$(dirname "$0")/.."
JOBS="${JOBS:-$(nproc)}"
python="$PWD/.venv-docs/bin/python"
mkdir -p build
cmake -S . -B build/py -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTURM_PYTHON=ON -DSTURM_TESTS=OFF -DSTURM_BENCH=OFF \
  -DPython_EXECUTABLE="$python" >build/docs.log 2>&1 || { cat build/docs.log >&2; exit 1; }
cmake --build build/py -j "$JOBS"
export PYTHONPATH="$PWD/build/py/python" MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1
"$python" -m mypy --strict --cache-dir build/mypy examples/python
# Pages are made anew from what is there now: nothing stays of a class or a document that has gone.
rm -rf docs/site/api docs/site/reference
"$python" -m sphinx -W --keep-going -q -b html -d build/docs/doctrees docs/site build/docs/html
echo "build/docs/html/index.html"
