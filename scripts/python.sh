#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# python.sh [PYTEST OPTIONS]: the tests of the Python package that build/dev holds, beside current scikit-learn and nilearn.
set -euo pipefail
cd "$(dirname "$0")/.."
python="$PWD/.venv-python/bin/python"
export PYTHONPATH="$PWD/build/dev/python" STURM="$PWD/build/dev/sturm" PYTHONDONTWRITEBYTECODE=1
# Every test is a process's own work on one or two threads: two at a time fill two processors.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 SCIPY_ARRAY_API=1
"$python" scripts/make_stubs.py --check
"$python" -m mypy --strict --cache-dir build/mypy examples/python
"$python" -m pytest -q -n "${JOBS:-$(nproc)}" -p no:cacheprovider -W ignore tests/python "$@"
