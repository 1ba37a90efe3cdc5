#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our solver on grids of penalties, beside (a) the same algorithm in NumPy, one problem at a time, and (b) the paper's
Algorithm 2 for 500 iterations in NumPy (solver_rivals.py).

Every result of ours has its gap recomputed in float64 by plain formulas before its time counts. The rivals get the same
data in the same run with the same OpenBLAS, kernels and threads. Unless --full is given they solve a sample: all points
in the order of our iterations, cut into strata of like work, one drawn from each, its time counted for its stratum.
"""
import argparse
import csv
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.ndimage import gaussian_filter

sys.dont_write_bytecode = True
import solver_rivals as rivals  # noqa: E402

GAP = 1e-3
PAPER = [mantissa * 10.0**power for power in range(-3, 3) for mantissa in (1, 5)] + [1e3]
STRENGTHS = (0.3, 0.1, 0.03, 0.01, 0.001)
BALANCES = (0.001, 0.1, 0.5, 0.9, 0.999)


def volumes(shape, samples, seed=0, labels=True):
    """Smooth gaussian fields, z-scored over samples; y follows two planted blobs of opposite sign, plus noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((samples, *shape))
    for volume in X:
        gaussian_filter(volume, 1.5, output=volume)
    X -= X.mean(0)
    X /= X.std(0)
    signal = np.zeros(samples)
    for sign in (1, -1):
        i, j, k = rng.integers(3, shape[0] - 8), rng.integers(3, shape[1] - 8), rng.integers(3, shape[2] - 7)
        side, depth = np.hanning(8)[1:-1], np.hanning(7)[1:-1]
        signal += sign * np.einsum("mijk,i,j,k->m", X[:, i:i + 6, j:j + 6, k:k + 5], side, side, depth)
    y = signal / signal.std() + 0.5 * rng.standard_normal(samples)
    y = np.sign(y) if labels else y
    return np.asfortranarray(X, np.float32), y - y.mean()


class Ours:
    def __init__(self, program, folder, X, y):
        self.program, self.folder, self.shape, self.y = program, folder, X.shape[1:], y
        np.save(self.path("X.npy"), X)
        y.tofile(self.path("y.raw"))
        # For the judge: samples x voxels in the order of a tensor's ravel().
        self.X = X.reshape(len(y), -1).astype(np.float64)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def call(self, table, header, rows, out, *options):
        os.makedirs(self.path(out), exist_ok=True)
        with open(self.path(table), "w", encoding="utf-8") as file:
            file.write("\t".join(header) + "\n")
            file.writelines("\t".join(f"{value:.17g}" for value in row) + "\n" for row in rows)
        before = ["zero"] if out == "zero" else []
        command = [self.program, self.path("X.npy"), self.path("y.raw"), *before, self.path(table), self.path(out)]
        done = subprocess.run([*command, *map(str, options)], stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            sys.exit(f"our program failed with status {done.returncode}: {' '.join(command)}")

    def table(self, *names):
        with open(self.path(*names), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    def solve(self, problems, threads):
        """The results of all problems, each checked, and the program's own summary."""
        out = f"out{threads}"
        self.call("problems.tsv", ("tau", "gamma"), problems, out, "--threads", threads, "--gap", GAP,
                  "--precision", "f32", "--save", "all")
        results = self.table(out, "results.tsv")
        if len(results) != len(problems):
            sys.exit(f"{len(results)} results for {len(problems)} problems")
        worst = 0.0
        for index, (tau, gamma) in enumerate(problems):
            result = results[index]
            result["w"] = self.tensor(out, "w", index)
            theta = np.fromfile(self.path(out, f"theta_{index}.raw"), np.float64)
            primal, _, gap = rivals.certificate(self.X, self.y, result["w"], theta, self.tensor(out, "g2", index),
                                                tau, gamma)
            if not gap <= GAP:
                sys.exit(f"tau {tau:g}, gamma {gamma:g}: our gap, recomputed, is {gap:.2e}")
            result["primal"], worst = primal, max(worst, gap)
        with open(self.path(out, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        summary["worst_gap"] = worst
        return results, summary

    def tensor(self, out, name, index):
        return np.fromfile(self.path(out, f"{name}_{index}.raw"), np.float32).reshape(self.shape, order="F")

    def zero_points(self, balances):
        self.call("balances.tsv", ("balance",), [(b,) for b in balances], "zero")
        return [(float(row["lo"]), float(row["hi"])) for row in self.table("zero", "zero.tsv")]


def sample(results, strata):
    """(index, weight) of the points that the rivals solve; the weights add up to the number of points."""
    iterations = np.array([int(result["iterations"]) for result in results])
    order = np.argsort(iterations, kind="stable")
    work = np.cumsum(iterations[order] + 10.0)  # 10: zero solutions are many and cheap, but not to be left out
    parts = np.split(order, np.searchsorted(work, work[-1] * np.arange(1, strata) / strata))
    rng = np.random.default_rng(0)
    return [(int(rng.choice(part)), len(part)) for part in parts if len(part)]


def timed(function, *args, **options):
    start = time.perf_counter()
    result = function(*args, **options)
    return time.perf_counter() - start, result


def use_blas_threads(count):
    """False where OpenBLAS cannot be told."""
    try:
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(count)
    except (OSError, AttributeError):
        return False
    return True


def race(ours, X, problems, strata, iterations, full):
    """One grid; iterations: of Algorithm 2, or 0 to leave it out."""
    shape, y, total = ours.shape, ours.y, len(problems)
    one, summary = ours.solve(problems, 1)
    two, summary2 = ours.solve(problems, 2)
    same = all(np.array_equal(a["w"], b["w"]) for a, b in zip(one, two))
    counts = np.array([int(r["iterations"]) for r in one])
    print(f"all {total} gaps recomputed in float64: worst {max(summary['worst_gap'], summary2['worst_gap']):.2e}; "
          f"W zero in {sum(not r['w'].any() for r in one)}; iterations median {np.median(counts):.0f}, "
          f"worst {counts.max()}, sum {counts.sum()}; 1 and 2 threads give {'the same bits' if same else 'OTHER BITS'}")

    chosen = [(i, 1) for i in range(total)] if full else sample(one, strata)
    preparation, data = timed(rivals.Prepared, X, y, shape)
    seconds = {"a": preparation, "b": preparation}
    excess, pair = [], [0.0, 0.0]
    print(f"{'tau':>7} {'gamma':>7} {'counts':>6} {'ours it':>7} {'(a) it':>7} {'(a) s':>8} {'(b) s':>8} "
          f"{'our objective':>14} {'(a) above':>10} {'(b) above':>10}")
    for order, (i, weight) in enumerate(chosen):
        tau, gamma = problems[i]
        used, a = timed(rivals.certified, None, y, shape, tau, gamma, GAP, data=data)
        primal_a, _, gap_a = rivals.certificate(ours.X, y, a.w, a.theta, a.g2, tau, gamma)
        note = "" if gap_a <= GAP else f"  (a) has a gap of {gap_a:.1e}"
        seconds["a"] += weight * used
        if order % 6 == 3 and use_blas_threads(2):  # does a second thread help (a)? A few points tell
            pair[0] += used
            pair[1] += timed(rivals.certified, None, y, shape, tau, gamma, GAP, data=data)[0]
            use_blas_threads(1)
        mine, used_b, above = one[i]["primal"], 0.0, ""
        if iterations:
            used_b, b = timed(rivals.algorithm2, None, y, shape, tau, gamma, iterations=iterations, data=data)
            excess.append(rivals.objective(ours.X, y, b.w, tau, gamma) / mine - 1)
            seconds["b"] += weight * used_b
            above = f"{excess[-1]:10.1e}"
        print(f"{tau:7g} {gamma:7g} {weight:6d} {one[i]['iterations']:>7} {a.iterations:7d} {used:8.3f} {used_b:8.3f} "
              f"{mine:14.7g} {primal_a / mine - 1:10.1e} {above:>10}{note}", flush=True)

    print(f"total for {total} points" + ("" if len(chosen) == total else
                                         f"; the rivals' extrapolated from this sample of {len(chosen)}"))
    report(summary, summary2, seconds, pair, iterations)
    if iterations:
        print(f"objective of (b) above ours at {len(excess)} points: least {min(excess):.1e}, median "
              f"{np.median(excess):.1e}, most {max(excess):.1e}; (b) is lower at {sum(e < 0 for e in excess)}, by more "
              f"than the gap at {sum(e < -GAP for e in excess)}")


def report(summary, summary2, seconds, pair, iterations):
    one, two = summary["seconds"], summary2["seconds"]
    rows = [("ours, 1 thread", one), ("ours, 2 threads", two), ("(a) NumPy, our algorithm, 1 thread", seconds["a"])]
    if pair[0] > 0:
        rows.append((f"(a) with 2 threads (x {pair[1] / pair[0]:.2f} on a few points)",
                     seconds["a"] * pair[1] / pair[0]))
    if iterations:
        rows.append((f"(b) NumPy, Algorithm 2, {iterations} iterations, 1 thread", seconds["b"]))
    print(f"{'':52} {'seconds':>9} {'over 1 thr.':>11} {'over 2 thr.':>11}")
    for name, value in rows:
        print(f"{name:52} {value:9.2f} {value / one:11.2f} {value / two:11.2f}")
    for threads, each in ((1, summary), (2, summary2)):
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in each["shares"].items())
        print(f"ours, {threads} thread{'s' * (threads > 1)}: peak memory {each['peak_bytes'] / 2**20:.0f} MiB (X "
              f"{each['x_bytes'] / 2**20:.0f}); {shares}; products at {each['products_gflops']:.0f} of "
              f"{each['gemm_gflops']:.0f} GFLOP/s")


def grids(options):
    small, samples = ((16, 19, 14), 40) if options.quick else ((37, 45, 32), 194)
    values = PAPER[::3] if options.quick else PAPER
    runs = [(small, samples, [(t, g) for t in values for g in values], options.sample, 50 if options.quick else 500)]
    if not options.quick:
        runs.append(((91, 109, 91), 58, [(t, g) for t in (1, 10, 100) for g in (0.1, 1, 10)], 3, 0))
    for shape, samples, problems, strata, iterations in runs:
        print(f"\n{'x'.join(map(str, shape))}, {samples} samples, {len(problems)} pairs of penalties, gap {GAP:g}")
        X, y = volumes(shape, samples)
        with tempfile.TemporaryDirectory() as folder:
            race(Ours(options.program, folder, X, y), X, problems, strata, iterations, options.full)


def iterations_table(options):
    """Iterations to the gap over strength (a share of the zero point) and balance, from l1-heavy to TNN-heavy."""
    shape, samples = ((14, 16, 12), 30) if options.quick else ((27, 32, 23), 100)
    for seed in (0, 1):
        for labels in (False, True):
            X, y = volumes(shape, samples, seed, labels)
            with tempfile.TemporaryDirectory() as folder:
                ours = Ours(options.program, folder, X, y)
                xy = (y @ ours.X).reshape(shape)
                zero = ours.zero_points(BALANCES)
                problems = [(s * np.sqrt(lo * hi) * b * rivals.spectral(xy),
                             s * np.sqrt(lo * hi) * (1 - b) * np.abs(xy).max())
                            for b, (lo, hi) in zip(BALANCES, zero) for s in STRENGTHS]
                results, summary = ours.solve(problems, 1)
            counts = np.array([int(r["iterations"]) for r in results]).reshape(len(BALANCES), len(STRENGTHS))
            print(f"\n{'x'.join(map(str, shape))}, {samples} samples, seed {seed}, {'labels' if labels else 'real y'}: "
                  f"median {np.median(counts):.0f}, worst {counts.max()} iterations to a gap of {GAP:g} "
                  f"(recomputed: worst {summary['worst_gap']:.2e}); {summary['seconds']:.2f} s")
            print(f"{'balance':>8} {'zero point':>22}" + "".join(f"{s:>8g}" for s in STRENGTHS))
            for b, (lo, hi), row in zip(BALANCES, zero, counts):
                print(f"{b:8g} {f'{lo:.5f} to {hi:.5f}':>22}" + "".join(f"{c:8d}" for c in row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bench/solver_bench")
    parser.add_argument("--iterations", action="store_true", help="the table of iterations instead of the grids")
    parser.add_argument("--sample", type=int, default=21, help="points of the large grid that the rivals solve")
    parser.add_argument("--full", action="store_true", help="the rivals solve every point")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that all of it runs")
    options = parser.parse_args()
    use_blas_threads(1)
    (iterations_table if options.iterations else grids)(options)


if __name__ == "__main__":
    main()
