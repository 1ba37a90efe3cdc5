#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The linear support vector machine beside scikit-learn's LinearSVC and SVC on the raw matrix, 232 x 94,299.

Times are of training alone, the kernel included: ours is `seconds` of fit.json, theirs the call of fit(). SVC solves the
same problem, and its decision values are compared before anything is printed; LinearSVC also punishes the intercept.
Needs scikit-learn (requirements-test.txt).
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.svm import SVC, LinearSVC

SHAPE = (43, 51, 43)


def best(function, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


def ours(program, folder, c, precision, repeats):
    seconds = []
    for _ in range(repeats):
        subprocess.run([program, "fit", "--array", folder / f"{precision}.npy", "--labels", folder / "y.tsv", "--positive",
                        "1", "--method", "svm", "--C", str(c), "--precision", precision, "-o", folder / "out", "--force",
                        "-q"], check=True)
        seconds.append(json.loads((folder / "out/fit.json").read_text())["seconds"])
    coef = np.load(folder / "out/coef.npy")
    return min(seconds), coef.ravel(), json.loads((folder / "out/fit.json").read_text())["intercept"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/sturm")
    parser.add_argument("--quick", action="store_true", help="one C, one run each")
    options = parser.parse_args()
    repeats = 1 if options.quick else 3
    random = np.random.default_rng(0)
    y = np.where(np.arange(232) < 101, 1, -1)
    x = random.standard_normal((232, *SHAPE), dtype=np.float32)
    x[y > 0, 10:20, 10:20, 10:20] += 0.1
    rows = x.reshape(232, -1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "f32.npy", np.asfortranarray(x))
        np.save(folder / "f64.npy", np.asfortranarray(x.astype(np.float64)))
        (folder / "y.tsv").write_text("class\n" + "\n".join(map(str, y)) + "\n")
        print(f"seconds, {rows.shape[0]} x {rows.shape[1]}; scikit-learn takes float64 rows, in place")
        print(f"{'C':>8} {'LinearSVC':>10} {'SVC':>8} {'ours f32':>9} {'ours f64':>9} {'LinearSVC/f32':>14} "
              f"{'SVC/f32':>8}  difference from SVC")
        wide = rows.astype(np.float64)
        for c in (1e-5,) if options.quick else (1e-6, 1e-5, 1):
            svc_seconds, svc = best(lambda: SVC(kernel="linear", C=c, tol=1e-3).fit(wide, y), repeats)
            linear_seconds, _ = best(lambda: LinearSVC(C=c, dual=True, loss="hinge", max_iter=10000).fit(wide, y),
                                     repeats)
            theirs = svc.decision_function(wide)
            found = {}
            for precision in ("f32", "f64"):
                seconds, coef, intercept = ours(options.program, folder, c, precision, repeats)
                found[precision] = seconds
                error = np.abs(wide @ coef + intercept - theirs).max() / np.abs(theirs).max()
                if not error < 1e-2:  # SVC stops at 1e-3 of the margin
                    sys.exit(f"C = {c}: our decision values differ from SVC's by {error:.1e} of their scale")
            print(f"{c:>8.0e} {linear_seconds:>10.2f} {svc_seconds:>8.2f} {found['f32']:>9.3f} {found['f64']:>9.3f} "
                  f"{linear_seconds / found['f32']:>14.1f} {svc_seconds / found['f32']:>8.1f}  {error:.0e}", flush=True)


if __name__ == "__main__":
    main()
