#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A path of 100 lasso problems at the size of a study, beside celer, skglm and scikit-learn.

The same smooth volumes (one block in Fortran order, centred), labels and strengths for all, on the same number of
threads. Everyone's relative duality gap is computed here in double: the primal value from the coefficients, the bound
from the better of their residual and ours, scaled into the dual set. Rivals take float32 or float64, whichever is
faster for them; their tolerances are the loosest of a decade's steps that bring every strength within the gap, as
--search finds them. skglm compiles before it is timed. Needs requirements-test.txt. Ratios are a rival's time over ours.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

threads = os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", threads)

import numpy as np

from smooth_study import study, timed


def ours(program, volumes, y, gammas, gap, repeats):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "x.npy", volumes)
        y.tofile(folder / "y.raw")
        gammas.tofile(folder / "gammas.raw")
        subprocess.run([program, *(str(folder / f) for f in ("x.npy", "y.raw", "gammas.raw", "out")), "--gap", str(gap),
                        "--threads", threads, "--repeats", str(repeats)], check=True)
        summary = json.loads((folder / "out/summary.json").read_text())
        w = np.fromfile(folder / "out/w.raw").reshape(len(gammas), -1).T
    return summary, w


def values(x, y, gammas, w):
    """1/2 |y - Xw|^2 + gamma |w|_1 and the best dual value on the ray of the residual, in double."""
    rest = np.empty((len(y), len(gammas)))
    for k in range(len(gammas)):
        kept = np.flatnonzero(w[:, k])
        rest[:, k] = y - x[:, kept].astype(float) @ w[kept, k].astype(float)
    largest = np.zeros(len(gammas))
    for first in range(0, x.shape[1], 8192):
        largest = np.maximum(largest, np.abs(x[:, first:first + 8192].astype(float).T @ rest).max(0))
    squares, along = (rest**2).sum(0), y @ rest
    scale = np.minimum(gammas / largest, along / squares)
    primal = squares / 2 + gammas * np.abs(w.astype(float)).sum(0)
    return primal, scale * along - scale**2 * squares / 2


def with_celer(x, y, alphas, tolerance):
    from celer import celer_path
    # Strengths in double would turn its dual point into double, which its float32 code refuses.
    return celer_path(x, y, pb="lasso", alphas=alphas.astype(x.dtype), tol=tolerance, prune=1, max_iter=50)[1]


def with_skglm(x, y, alphas, tolerance):
    from numba import bool_, float32
    from numba.experimental import jitclass
    from skglm.datafits import Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD
    from skglm.utils.jit_compilation import compiled_clone
    single = x.dtype == np.float32
    datafit = compiled_clone(Quadratic(), to_float32=single)
    # Its own conversion to float32 does not know the bool of this penalty.
    penalty = jitclass([("alpha", float32), ("positive", bool_)])(L1)(1.0, False) if single else compiled_clone(L1(1.0))
    solver = AndersonCD(tol=tolerance, fit_intercept=False, warm_start=True, ws_strategy="subdiff")
    return solver.path(x, y, datafit, penalty, alphas=alphas)[1]


def with_sklearn(x, y, alphas, tolerance):
    from sklearn.linear_model import lasso_path
    # Its tolerance is a gap relative to |y|^2 / M. A Gram matrix of the voxels would have 9e9 entries.
    return lasso_path(x, y, alphas=alphas, tol=tolerance, max_iter=100000, precompute=False)[1]


RIVALS = {"celer": with_celer, "skglm": with_skglm, "scikit-learn": with_sklearn}
# The precision and the tolerance that --search found for the study below.
SETTINGS = {"celer": ("f32", 3e-6), "skglm": ("f32", 1e-4), "scikit-learn": ("f32", 3e-4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bench/lasso_path_bench")
    parser.add_argument("--shape", type=int, nargs=3, default=(43, 51, 43))
    parser.add_argument("--samples", type=int, default=194)
    parser.add_argument("--sigma", type=float, default=1.5, help="of the smoothing, in voxels")
    parser.add_argument("--strengths", type=int, default=100)
    parser.add_argument("--least", type=float, default=0.01, help="smallest strength, relative to the zero point")
    parser.add_argument("--gap", type=float, default=1e-4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rivals", nargs="+", choices=RIVALS, default=tuple(RIVALS))
    parser.add_argument("--search", type=float, nargs="+", metavar="TOL", help="try these tolerances, falling")
    args = parser.parse_args()
    warnings.simplefilter("ignore")

    volumes, y = study(args.shape, args.samples, args.sigma)
    y -= y.mean()
    x = volumes.reshape(args.samples, -1, order="F")
    gammas = np.abs(x.T.astype(float) @ y).max() * np.geomspace(1, args.least, args.strengths)
    summary, w = ours(args.program, volumes, y, gammas, args.gap, 3 * args.repeats)
    primal, bound = values(x, y, gammas, w)
    worst = ((primal - bound) / primal).max()
    if not worst <= args.gap:
        sys.exit(f"our gap is {worst:.1e}")
    print(f"X {args.samples} x {x.shape[1]}, {args.strengths} strengths down to {args.least}, gap {args.gap:g}, "
          f"threads {threads}")
    print(f"{'':22} {'wall s':>8} {'cpu s':>8} {'/ ours':>8} {'/ ours':>8}  {'worst gap':>9}")
    print(f"{'sturm, float32':22} {summary['seconds']:8.2f} {summary['cpu']:8.2f} {1:8.1f} {1:8.1f}  {worst:9.1e}  "
          f"passes {summary['passes']} + {summary['exact_passes']} in double, working set {summary['working']}", flush=True)
    inputs = {"f32": (x, y.astype(np.float32)), "f64": (np.asfortranarray(x, dtype=float), y)}
    for name in args.rivals:
        trials = ([(p, t) for p in inputs for t in args.search] if args.search else [SETTINGS[name]])
        for precision, tolerance in trials:
            data, labels = inputs[precision]
            call = lambda d=data, g=gammas: RIVALS[name](d, labels, g / args.samples, tolerance)
            if name == "skglm":
                call(np.asfortranarray(data[:, :500]), gammas[:2])
            wall, cpu, found = timed(call, 1 if args.search or name == "scikit-learn" else args.repeats)
            theirs, own = values(x, y, gammas, np.asarray(found))
            worst = ((theirs - np.maximum(own, bound)) / theirs).max()
            missed = "" if worst <= args.gap else "  (not within the gap)"
            print(f"{name + ', ' + precision + f' {tolerance:g}':22} {wall:8.2f} {cpu:8.2f} "
                  f"{wall / summary['seconds']:8.1f} {cpu / summary['cpu']:8.1f}  {worst:9.1e}{missed}", flush=True)


if __name__ == "__main__":
    main()
