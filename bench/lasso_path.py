#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A path of 100 lasso or elastic net problems at the size of a study, beside celer, skglm and scikit-learn.

The same smooth volumes (one block in Fortran order, centred), labels and strengths for all, on the same number of
threads. Everyone's relative duality gap is computed here in double: the primal value from the coefficients, the bound
from the better of their residual and our dual point, scaled into the dual set. Rivals take float32 or float64, whichever is
faster for them; their tolerances are the loosest of a decade's steps that bring every strength within the gap, as
--search finds them. skglm compiles before it is timed. Needs requirements-test.txt. Ratios are a rival's time over ours.

--l2 makes it elastic nets: 1/2 |y - Xw|^2 + gamma |w|_1 + l2/2 |w|^2, with l2 given relative to the largest eigenvalue
of XX' and the same for all, as SLEP and our grid have it. Rivals have an l1_ratio in its place, and get the one of each
strength, one call a strength from the coefficients of the one before.
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
from scipy.optimize import minimize_scalar

from smooth_study import study, timed


def ours(program, volumes, y, gammas, l2, gap, repeats):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "x.npy", volumes)
        y.tofile(folder / "y.raw")
        gammas.tofile(folder / "gammas.raw")
        subprocess.run([program, *(str(folder / f) for f in ("x.npy", "y.raw", "gammas.raw", "out")), "--gap", str(gap),
                        "--l2", repr(l2), "--threads", threads, "--repeats", str(repeats)], check=True)
        summary = json.loads((folder / "out/summary.json").read_text())
        w, theta = (np.fromfile(folder / f"out/{name}.raw").reshape(len(gammas), -1).T for name in ("w", "theta"))
    return summary, w, theta


def residuals(x, y, w):
    out = np.empty((len(y), w.shape[1]))
    for k in range(w.shape[1]):
        kept = np.flatnonzero(w[:, k])
        out[:, k] = y - x[:, kept].astype(float) @ w[kept, k].astype(float)
    return out


def objectives(x, y, gammas, l2, w):
    w = w.astype(float)
    return (residuals(x, y, w)**2).sum(0) / 2 + gammas * np.abs(w).sum(0) + l2 / 2 * (w**2).sum(0)


def bounds(x, y, gammas, l2, thetas):
    """The best dual value on the ray of each theta, in double."""
    squares, along = (thetas**2).sum(0), y @ thetas
    z = np.concatenate([np.abs(x[:, first:first + 8192].astype(float).T @ thetas) for first in range(0, x.shape[1], 8192)])
    if l2 == 0:
        scale = np.minimum(gammas / z.max(0), along / squares)
        return scale * along - scale**2 * squares / 2

    def best(k):
        at = lambda s: s * along[k] - s**2 * squares[k] / 2 - (np.maximum(0, s * z[:, k] - gammas[k])**2).sum() / (2 * l2)
        return max(at(1), -minimize_scalar(lambda s: -at(s), bounds=(0.9, 1.1), method="bounded").fun)

    return np.array([best(k) for k in range(len(gammas))])


def one_by_one(x, gammas, l2, call):
    """Every strength from the coefficients of the one before; call(alpha, l1_ratio, w)."""
    w, out = np.zeros(x.shape[1], x.dtype), []
    for gamma in gammas:
        w = call((gamma + l2) / len(x), gamma / (gamma + l2), w)
        out.append(w.copy())
    return np.array(out).T


def with_celer(x, y, gammas, l2, tolerance):
    from celer import celer_path
    # Strengths in double would turn its dual point into double, which its float32 code refuses.
    more = dict(pb="lasso", tol=tolerance, prune=1, max_iter=50)
    if l2 == 0:
        return celer_path(x, y, alphas=(gammas / len(x)).astype(x.dtype), **more)[1]
    single = x.dtype.type
    return one_by_one(x, gammas, l2, lambda alpha, ratio, w: celer_path(
        x, y, alphas=np.array([alpha], x.dtype), l1_ratio=single(ratio), coef_init=w, **more)[1][:, 0])


def with_skglm(x, y, gammas, l2, tolerance):
    from numba import bool_, float32
    from numba.experimental import jitclass
    from skglm.datafits import Quadratic
    from skglm.penalties import L1, L1_plus_L2
    from skglm.solvers import AndersonCD
    from skglm.utils.jit_compilation import compiled_clone
    single = x.dtype == np.float32
    datafit = compiled_clone(Quadratic(), to_float32=single)
    solver = AndersonCD(tol=tolerance, fit_intercept=False, warm_start=True, ws_strategy="subdiff")
    # Its own conversion to float32 does not know the bool of these penalties.
    if l2 == 0:
        penalty = jitclass([("alpha", float32), ("positive", bool_)])(L1)(1.0, False) if single else compiled_clone(L1(1.0))
        return solver.path(x, y, datafit, penalty, alphas=gammas / len(x))[1]
    kind = jitclass([("alpha", float32), ("l1_ratio", float32), ("positive", bool_)])(L1_plus_L2) if single else None
    datafit.initialize(x, y)
    return one_by_one(x, gammas, l2, lambda alpha, ratio, w: solver.solve(
        x, y, datafit, kind(alpha, ratio, False) if single else compiled_clone(L1_plus_L2(alpha, ratio)),
        w, x @ w)[0])


def with_sklearn(x, y, gammas, l2, tolerance):
    from sklearn.linear_model import enet_path, lasso_path
    # Its tolerance is a gap relative to |y|^2 / M. A Gram matrix of the voxels would have 9e9 entries.
    more = dict(tol=tolerance, max_iter=100000, precompute=False)
    if l2 == 0:
        return lasso_path(x, y, alphas=gammas / len(x), **more)[1]
    return one_by_one(x, gammas, l2, lambda alpha, ratio, w: enet_path(
        x, y, l1_ratio=ratio, alphas=[alpha], coef_init=w, check_input=False, **more)[1][:, 0])


RIVALS = {"celer": with_celer, "skglm": with_skglm, "scikit-learn": with_sklearn}
# The precision and the tolerance that --search found for the study below.
SETTINGS = {"celer": ("f32", 3e-6), "skglm": ("f32", 1e-4), "scikit-learn": ("f32", 3e-4)}
WITH_L2 = {"celer": ("f32", 3e-4), "skglm": ("f32", 1e-4), "scikit-learn": ("f32", 3e-3)}  # at --l2 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bench/lasso_path_bench")
    parser.add_argument("--shape", type=int, nargs=3, default=(43, 51, 43))
    parser.add_argument("--samples", type=int, default=194)
    parser.add_argument("--sigma", type=float, default=1.5, help="of the smoothing, in voxels")
    parser.add_argument("--strengths", type=int, default=100)
    parser.add_argument("--least", type=float, default=0.01, help="smallest strength, relative to the zero point")
    parser.add_argument("--l2", type=float, default=0, help="of elastic nets, relative to the largest eigenvalue of XX'")
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
    l2 = args.l2 * float(np.linalg.eigvalsh(x.astype(float) @ x.T.astype(float))[-1]) if args.l2 > 0 else 0.0
    summary, w, theta = ours(args.program, volumes, y, gammas, l2, args.gap, 3 * args.repeats)
    primal, bound = objectives(x, y, gammas, l2, w), bounds(x, y, gammas, l2, theta)
    worst = ((primal - bound) / primal).max()
    if not worst <= args.gap:
        sys.exit(f"our gap is {worst:.1e}")
    print(f"X {args.samples} x {x.shape[1]}, {args.strengths} strengths down to {args.least}, l2 {args.l2:g}, gap {args.gap:g}, "
          f"threads {threads}")
    print(f"{'':22} {'wall s':>8} {'cpu s':>8} {'/ ours':>8} {'/ ours':>8}  {'worst gap':>9}")
    print(f"{'sturm, float32':22} {summary['seconds']:8.2f} {summary['cpu']:8.2f} {1:8.1f} {1:8.1f}  {worst:9.1e}  "
          f"passes {summary['passes']} + {summary['exact_passes']} in double, working set {summary['working']}", flush=True)
    inputs = {"f32": (x, y.astype(np.float32)), "f64": (np.asfortranarray(x, dtype=float), y)}
    for name in args.rivals:
        trials = ([(p, t) for p in inputs for t in args.search] if args.search else [(WITH_L2 if l2 > 0 else SETTINGS)[name]])
        for precision, tolerance in trials:
            data, labels = inputs[precision]
            call = lambda d=data, g=gammas: RIVALS[name](d, labels, g, l2, tolerance)
            if name == "skglm":
                call(np.asfortranarray(data[:, :500]), gammas[:2])
            wall, cpu, found = timed(call, 1 if args.search or name == "scikit-learn" else args.repeats)
            theirs = objectives(x, y, gammas, l2, np.asarray(found))
            own = bounds(x, y, gammas, l2, residuals(x, y, np.asarray(found)))
            worst = ((theirs - np.maximum(own, bound)) / theirs).max()
            missed = "" if worst <= args.gap else "  (not within the gap)"
            print(f"{name + ', ' + precision + f' {tolerance:g}':22} {wall:8.2f} {cpu:8.2f} "
                  f"{wall / summary['seconds']:8.1f} {cpu / summary['cpu']:8.1f}  {worst:9.1e}{missed}", flush=True)


if __name__ == "__main__":
    main()
