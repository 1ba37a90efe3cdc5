#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh [prox|solver|iterations|remurs|volumes|svm|lasso|enet|protocol|cores|viewer|before] [options]: runs all benchmarks but
# the last two, or one; `before BUILD` runs ours in turn with those of another build. Ours and the
# rivals get the same OpenBLAS, the same kernel set and the same threads; svm, whose rivals have one thread, prints the
# processor time beside the wall time of every processor.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=build/release/bench
python=/usr/bin/python3 # its NumPy is linked with the system's OpenBLAS, as we are
unset OPENBLAS_CORETYPE # the program then finds the best set of this processor, and everybody gets that
kernels="$(build/release/sturm info --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["blas"]["kernels"])')"
export OPENBLAS_CORETYPE="$kernels" OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
which="${1:-all}"
[[ $# -eq 0 ]] || shift
run() { [[ $which == all || $which == "$1" ]]; }
run prox && "$python" bench/prox_tnn.py "$programs/prox_tnn_bench" "$@"
run iterations && "$python" bench/solver_grid.py "$programs/solver_bench" --iterations "$@"
run solver && "$python" bench/solver_grid.py "$programs/solver_bench" "$@"
run remurs && "$python" bench/solver_grid.py "$programs/solver_bench" --remurs "$@"
run volumes && .venv/bin/python bench/load_volumes.py "$programs/load_volumes_bench" "$@" # nibabel is in .venv alone
run svm && .venv/bin/python bench/svm.py "$programs/svm_bench" "$@" # so are scikit-learn, celer and skglm
run lasso && .venv/bin/python bench/lasso_path.py "$programs/lasso_path_bench" "$@"
run enet && .venv/bin/python bench/lasso_path.py "$programs/lasso_path_bench" --l2 1e-3 "$@"
run cores && "$python" bench/cores.py build/release "$@"
run protocol && "$python" bench/paper_protocol.py build/release/sturm "$@"
if [[ $which == viewer ]]; then (cd web && node bench/viewer.mjs ../build/release/sturm "$@"); fi # needs Chromium
if [[ $which == before ]]; then "$python" bench/before.py build/release "$@"; fi
exit 0
