#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A path of 100 lasso problems at the size of a study, beside celer, skglm and scikit-learn.

The same smooth volumes (float32, one block in Fortran order, centred), labels and strengths for all, on the same number
of threads. Everyone's objectives are recomputed in double and compared with our certified ones before times are
printed. celer and skglm are asked for a tolerance that brings their objectives within the gap; skglm compiles before
it is timed. Needs numpy, scipy, scikit-learn, celer and skglm from PyPI. Ratios are a rival's time over ours.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

threads = os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", threads)

import numpy as np
from scipy.ndimage import gaussian_filter


def study(shape, samples, sigma, seed):
    rng = np.random.default_rng(seed)
    x = np.empty((samples, *shape), np.float32)
    for m in range(samples):
        x[m] = gaussian_filter(rng.standard_normal(shape), sigma)
    x /= x.std(0)
    x -= x.mean(0)
    truth = np.zeros(shape)
    for _ in range(5):
        corner = [rng.integers(0, extent - 4) for extent in shape]
        truth[tuple(slice(c, c + 4) for c in corner)] = rng.choice([-1, 1])
    score = (x * truth).sum((1, 2, 3))
    y = np.where(score + score.std() * rng.standard_normal(samples) > 0, 1.0, -1.0)
    return np.asfortranarray(x), y - y.mean()


def ours(program, x, y, gammas, gap, repeats):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        np.save(folder / "x.npy", x)
        y.tofile(folder / "y.raw")
        gammas.tofile(folder / "gammas.raw")
        subprocess.run([program, *(str(folder / f) for f in ("x.npy", "y.raw", "gammas.raw", "out")), "--gap", str(gap),
                        "--threads", threads, "--repeats", str(repeats)], check=True)
        summary = json.loads((folder / "out/summary.json").read_text())
        w = np.fromfile(folder / "out/w.raw").reshape(len(gammas), -1).T
    return summary, w


def objectives(x, y, gammas, w):
    """1/2 |y - Xw|^2 + gamma |w|_1 in double, from the voxels that are not zero."""
    out = []
    for k, gamma in enumerate(gammas):
        kept = np.flatnonzero(w[:, k])
        rest = y - x[:, kept].astype(float) @ w[kept, k]
        out.append(0.5 * rest @ rest + gamma * np.abs(w[kept, k]).sum())
    return np.array(out)


def rivals(x, y, gammas, tolerance):
    """Name to a function that returns w, a column for every gamma. All take alpha = gamma / M."""
    m = len(y)
    alphas, y = gammas / m, y.astype(np.float32)

    def with_celer():
        from celer import celer_path
        # Strengths in double would turn its dual point into double, which its float32 code refuses.
        return celer_path(x, y, pb="lasso", alphas=alphas.astype(np.float32), tol=tolerance, prune=1, max_iter=50)[1]

    def with_skglm():
        from skglm.datafits import Quadratic
        from skglm.penalties import L1
        from skglm.solvers import AndersonCD
        from skglm.utils.jit_compilation import compiled_clone
        solver = AndersonCD(tol=tolerance, fit_intercept=False, warm_start=True, ws_strategy="subdiff")
        datafit, penalty = compiled_clone(Quadratic(), to_float32=True), compiled_clone(L1(1.0), to_float32=True)
        return solver.path(x, y, datafit, penalty, alphas=alphas)[1]

    def with_sklearn():
        from sklearn.linear_model import lasso_path
        # Its tolerance is a gap relative to |y|^2 / M.
        return lasso_path(x, y, alphas=alphas, tol=tolerance, max_iter=100000, precompute=False)[1]

    return {"celer": with_celer, "skglm": with_skglm, "scikit-learn": with_sklearn}


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
    parser.add_argument("--tolerance", type=float, nargs=3, default=(1e-4, 1e-4, 1e-4),
                        metavar=("CELER", "SKGLM", "SKL"))
    parser.add_argument("--rivals", default="celer,skglm,scikit-learn")
    args = parser.parse_args()
    warnings.simplefilter("ignore")

    volumes, y = study(args.shape, args.samples, args.sigma, seed=0)
    x = volumes.reshape(args.samples, -1, order="F")
    zero = np.abs(x.T.astype(float) @ y).max()
    gammas = zero * np.geomspace(1, args.least, args.strengths)
    summary, w = ours(args.program, volumes, y, gammas, args.gap, args.repeats)
    certified = np.array([p["objective"] for p in summary["points"]])
    bound = np.array([p["dual"] for p in summary["points"]])
    assert np.allclose(objectives(x, y, gammas, w), certified, rtol=1e-9)
    assert max(p["gap"] for p in summary["points"]) <= args.gap
    print(f"X {args.samples} x {x.shape[1]}, {args.strengths} strengths down to {args.least}, gap {args.gap}, "
          f"threads {threads}")
    print(f"sturm         {summary['seconds']:8.2f} s   passes {summary['passes']} + "
          f"{summary['exact_passes']} in double, working set {summary['working']}, inner {summary['inner']:.2f} s, proof {summary['proof']:.2f} s")
    for (name, call), tolerance in zip(rivals(x, y, gammas, None).items(), args.tolerance):
        if name not in args.rivals.split(","):
            continue
        call = rivals(x, y, gammas, tolerance)[name]
        if name == "skglm":  # compiles at its first call
            rivals(x[:, :500], y, gammas[:2], tolerance)[name]()
        start = time.perf_counter()
        found = np.asarray(call(), dtype=float)
        seconds = time.perf_counter() - start
        theirs = objectives(x, y, gammas, found)
        worst = ((theirs - bound) / theirs).max()
        print(f"{name:13} {seconds:8.2f} s   {seconds / summary['seconds']:6.1f} x   "
              f"worst gap against our bound {worst:.1e}"
              f"{'' if worst <= args.gap else '   (not within the gap)'}")


if __name__ == "__main__":
    main()
