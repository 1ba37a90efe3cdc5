#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our solver on grids of penalties, beside NumPy, one problem at a time (solver_rivals.py):
(a) our own algorithm, with every trick that carries over; (a2) the usual consensus ADMM with adaptive rho to the same
gap; (b) the paper's Algorithm 2 for 500 iterations, as printed; (b2) the same with our tricks for its steps.

First a masked brain, a quarter of its box (brain_study.py). The rivals hold the voxels of the mask alone, and the
low-rank part on the rows and columns that have any of them. Then boxes full of signal.

Every result of ours has its gap recomputed in float64 by plain formulas before its time counts. The rivals get the same
data in the same run with the same OpenBLAS, kernels and threads; scripts/bench.sh sets them. (a) solves every point,
the others a sample unless --full is given, two points in each row and column of the grid, and their mean is scaled up;
(b) is timed over 25 iterations, since each of them takes the same, after its result is compared with that of (b2).
"""
import argparse
import contextlib
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
import solver_judge as judge  # noqa: E402
import solver_rivals as rivals  # noqa: E402
from brain_study import brain_volumes  # noqa: E402

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
    def __init__(self, program, folder, X, y, mask=None):
        self.program, self.folder, self.shape, self.y, self.mask = program, folder, X.shape[1:], y, mask
        np.save(self.path("X.npy"), X)
        y.tofile(self.path("y.raw"))
        if mask is not None:
            np.save(self.path("mask.npy"), mask.astype(np.uint8))
        # For the judge: samples x voxels in the order of a tensor's ravel(), or of tensor[mask].
        self.X = (X.reshape(len(y), -1) if mask is None else X[:, mask]).astype(np.float64)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def call(self, table, header, rows, out, *options):
        os.makedirs(self.path(out), exist_ok=True)
        with open(self.path(table), "w", encoding="utf-8") as file:
            file.write("\t".join(header) + "\n")
            file.writelines("\t".join(f"{value:.17g}" for value in row) + "\n" for row in rows)
        before = ["zero"] if out == "zero" else []
        command = [self.program, self.path("X.npy"), self.path("y.raw"), *before, self.path(table), self.path(out)]
        if self.mask is not None:
            command += ["--mask", self.path("mask.npy")]
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
            primal, _, gap = self.certificate(result["w"], theta, self.tensor(out, "g2", index), tau, gamma)
            if not gap <= GAP:
                sys.exit(f"tau {tau:g}, gamma {gamma:g}: our gap, recomputed, is {gap:.2e}")
            result["primal"], worst = primal, max(worst, gap)
        with open(self.path(out, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        summary["worst_gap"] = worst
        return results, summary

    def certificate(self, w, theta, g2, tau, gamma):
        return judge.certificate(self.X, self.y, w, theta, g2, tau, gamma, self.mask)

    def tensor(self, out, name, index):
        return np.fromfile(self.path(out, f"{name}_{index}.raw"), np.float32).reshape(self.shape, order="F")

    def zero_points(self, balances):
        self.call("balances.tsv", ("balance",), [(b,) for b in balances], "zero")
        return [(float(row["lo"]), float(row["hi"])) for row in self.table("zero", "zero.tsv")]


def lattice(side):
    """Points of a side x side grid, twice in each row and column: the cost of (b) depends on tau and gamma."""
    return sorted({i * side + (2 * i + shift) % side for i in range(side) for shift in (0, side // 2)})


class Clock:
    """Seconds, and how much of them this process had a core: on a busy machine the two differ."""

    def __init__(self):
        self.seconds = self.processor = 0.0

    def run(self, function, *args, **options):
        start, start_processor = time.perf_counter(), time.process_time()
        result = function(*args, **options)
        self.last = time.perf_counter() - start
        self.seconds += self.last
        self.processor += time.process_time() - start_processor
        return result


@contextlib.contextmanager
def blas_threads(count):
    """NumPy with so many threads in its BLAS, which the environment has set to one."""
    library = ctypes.CDLL("libopenblas.so.0")
    library.openblas_set_num_threads(count)
    try:
        yield
    finally:
        library.openblas_set_num_threads(1)


class Rival:
    """One way to solve the grid, or a sample of it: results are checked by the caller, times kept here."""

    def __init__(self, name, solve):
        self.name, self.solve, self.clock, self.points = name, solve, Clock(), 0
        self.two = Clock()  # the same with two threads, at a few points
        self.beside = 0.0  # what one thread took for those

    def run(self, *penalties, twice=False):
        result = self.clock.run(self.solve, *penalties)
        self.points += 1
        if twice:
            self.beside += self.clock.last
            with blas_threads(2):
                self.two.run(self.solve, *penalties)
        return result

    def seconds(self, total, preparation, threads):
        gain = min(1.0, self.two.seconds / self.beside) if threads == 2 and self.beside else 1.0
        return gain * (preparation + self.clock.seconds * total / self.points)


def race(ours, X, problems, usual, sampled, iterations):
    """One grid. (a) solves all of it, (a2) the points in `usual`, (b) and (b2) the sampled ones."""
    shape, y, mask, total = ours.shape, ours.y, ours.mask, len(problems)
    one, summary = ours.solve(problems, 1)
    two, summary2 = ours.solve(problems, 2)
    same = all(np.array_equal(a["w"], b["w"]) for a, b in zip(one, two))
    counts = np.array([int(r["iterations"]) for r in one])
    print(f"all {total} gaps recomputed in float64: worst {max(summary['worst_gap'], summary2['worst_gap']):.2e}; "
          f"W zero in {sum(not r['w'].any() for r in one)}; iterations median {np.median(counts):.0f}, "
          f"worst {counts.max()}, sum {counts.sum()}; 1 and 2 threads give {'the same bits' if same else 'OTHER BITS'}")

    data = rivals.Prepared(X, y, shape, mask=mask)
    clock = Clock()
    clock.run(rivals.Prepared, X, y, shape, mask=mask)
    plain_x, steps = np.ascontiguousarray(X.reshape(len(y), -1) if mask is None else X[:, mask]), 25
    a = Rival("(a) our algorithm", lambda t, g: rivals.certified(None, y, shape, t, g, GAP, data=data))
    a2 = Rival("(a2) consensus ADMM to the same gap",
               lambda t, g: rivals.certified_plain(None, y, shape, t, g, GAP, data=data))
    b2 = Rival(f"(b2) Algorithm 2, {iterations} iterations, tuned",
               lambda t, g: rivals.algorithm2(None, y, shape, t, g, iterations=iterations, data=data))
    b = Rival(f"(b) Algorithm 2, {iterations} iterations, as printed",
              lambda t, g: rivals.algorithm2_plain(plain_x, y, shape, t, g, iterations=steps, mask=mask))
    gaps_a, counts_a, missed, excess = [], [], 0, []
    print(f"{'tau':>7} {'gamma':>7} {'ours it':>7} {'(a) it':>7} {'(a) s':>8} {'(a2) it':>7} {'(a2) s':>8} {'(b2) s':>8} "
          f"{'our objective':>14} {'(a) above':>10} {'(b2) above':>10}")
    for i, (tau, gamma) in enumerate(problems):
        chosen = i in sampled
        found = a.run(tau, gamma, twice=chosen or (not sampled and 1 <= i < 3))
        primal, _, gap = ours.certificate(found.w, found.theta, found.g2, tau, gamma)
        gaps_a.append(gap)
        counts_a.append(found.iterations)
        mine = one[i]["primal"]
        words = [f"{tau:7g} {gamma:7g} {one[i]['iterations']:>7} {found.iterations:7d} {a.clock.last:8.3f}"]
        if i in usual:
            other = a2.run(tau, gamma)
            missed += ours.certificate(other.w, other.theta, other.g2, tau, gamma)[2] > GAP
        words.append(f"{other.iterations:7d} {a2.clock.last:8.3f}" if i in usual else f"{'':16}")
        if chosen:
            printed = b2.run(tau, gamma, twice=True)
            excess.append(judge.objective(ours.X, y, printed.w, tau, gamma, mask) / mine - 1)
            if b.points < 6:
                # Compared in float64: in float32 the printed steps lose two digits more than the tuned ones.
                b.run(tau, gamma, twice=True)
                same_steps = rivals.algorithm2(None, y, shape, tau, gamma, iterations=steps, data=data).w
                exact = rivals.algorithm2_plain(plain_x.astype(np.float64), y, shape, tau, gamma, iterations=steps,
                                                mask=mask)
                apart = np.abs(exact - same_steps).max()
                if not apart <= 1e-3 * np.abs(same_steps).max() + 1e-7:
                    sys.exit(f"Algorithm 2 as printed and tuned differ by {apart:.1e} at {tau}, {gamma}")
        words.append(f"{b2.clock.last:8.3f}" if chosen else f"{'':8}")
        if chosen or not sampled:
            print(" ".join(words), f"{mine:14.7g} {primal / mine - 1:10.1e}",
                  f"{excess[-1]:10.1e}" if chosen else "", flush=True)

    print(f"(a): worst gap recomputed {max(gaps_a):.2e}{'' if max(gaps_a) <= GAP else ', MORE THAN ASKED'}; iterations "
          f"median {np.median(counts_a):.0f}, worst {max(counts_a)}, sum {sum(counts_a)}")
    print(f"(a2): has not arrived after 1000 iterations at {missed} of {a2.points} points")
    if excess:
        print(f"objective of (b2) above ours at {len(excess)} points: least {min(excess):.1e}, median "
              f"{np.median(excess):.1e}, most {max(excess):.1e}; it is lower at {sum(e < 0 for e in excess)}, by more "
              f"than the gap at {sum(e < -GAP for e in excess)}")
    b.clock.seconds *= iterations / steps
    a2.two, a2.beside = a.two, a.beside  # the same steps: they gain alike from the second thread
    report(total, summary, summary2, [r for r in (a, a2, b2, b) if r.points], clock.seconds)
    clocks = [r.clock for r in (a, a2, b2) if r.points]
    share = sum(c.processor for c in clocks) / sum(c.seconds for c in clocks)
    if share < 0.97:
        print(f"THE MACHINE WAS BUSY: the rivals had a core {100 * share:.0f} % of the time; do not use these ratios")


def report(total, summary, summary2, raced, preparation):
    """Ratios are taken at equal threads: with two, NumPy has two in its BLAS where that helps it, one where not."""
    one, two = summary["seconds"], summary2["seconds"]
    print(f"{f'{total} points, seconds':62} {'1 thread':>9} {'ratio':>7} {'2 threads':>10} {'ratio':>7}")
    print(f"{'ours':62} {one:9.2f} {'':7} {two:10.2f}")
    for rival in raced:
        name = rival.name + ("" if rival.points == total else f" (from {rival.points} points)")
        first, second = (rival.seconds(total, preparation, threads) for threads in (1, 2))
        print(f"{name:62} {first:9.2f} {first / one:7.1f} {second:10.2f} {second / two:7.1f}")
    for threads, each in (("1 thread", summary), ("2 threads", summary2)):
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in each["shares"].items())
        print(f"ours, {threads}: peak memory {each['peak_bytes'] / 2**20:.0f} MiB (X {each['x_bytes'] / 2**20:.0f}); "
              f"{shares}; products at {each['products_gflops']:.0f} of {each['gemm_gflops']:.0f} GFLOP/s")


def grids(options):
    brain, box, samples, values, steps = (53, 64, 46), (37, 45, 32), 194, PAPER, 500
    if options.quick:
        brain, box, samples, values, steps = (18, 21, 16), (16, 19, 14), 40, PAPER[::3], 50
    problems = [(tau, gamma) for tau in values for gamma in values]
    sampled = range(len(problems)) if options.full else lattice(len(values))
    runs = [(True, brain, samples, problems, sampled, sampled, steps)]
    if not options.masked:
        runs.append((False, box, samples, problems, sampled, sampled, steps))
    if not options.masked and not options.quick:
        large = [(tau, gamma) for tau in (1, 10, 100) for gamma in (0.1, 1, 10)]
        runs.append((False, (91, 109, 91), 58, large, (1, 5, 6), (), 0))  # each row and column once
    for masked, shape, samples, problems, usual, sampled, steps in runs:
        X, y, mask = brain_volumes(shape, samples) if masked else (*volumes(shape, samples), None)
        print(f"\n{'a masked brain in ' if masked else ''}{'x'.join(map(str, shape))}, {samples} samples, "
              f"{len(problems)} pairs of penalties, gap {GAP:g}")
        if masked:
            print(f"{mask.sum()} voxels in the mask, {100 * mask.mean():.0f} % of the box; "
                  f"{mask.any((1, 2)).sum()}x{mask.any((0, 2)).sum()} rows and columns have any")
        with tempfile.TemporaryDirectory() as folder:
            race(Ours(options.program, folder, X, y, mask), X, problems, usual, sampled, steps)


def overlapped(w):
    """(1/3) sum over the unfoldings of their nuclear norms."""
    unfoldings = (np.moveaxis(w, n, 0).reshape(w.shape[n], -1) for n in range(3))
    return sum(np.linalg.svd(u, compute_uv=False).sum() for u in unfoldings) / 3


def remurs_grid(options):
    """The same grid for Remurs and for Sturm. Objectives of Remurs are recomputed; its gaps are the program's own proof."""
    shape, samples, values = ((16, 19, 14), 40, PAPER[::3]) if options.quick else ((37, 45, 32), 194, PAPER)
    problems = [(tau, gamma) for tau in values for gamma in values]
    X, y = volumes(shape, samples)
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(options.program, folder, X, y)
        for threads in (1, 2):
            _, sturm = ours.solve(problems, threads)
            ours.call("problems.tsv", ("tau", "gamma"), problems, "remurs", "--threads", threads, "--gap", GAP,
                      "--precision", "f32", "--save", "all", "--remurs")
            results = ours.table("remurs", "results.tsv")
            for index, (tau, gamma) in enumerate(problems):
                w = ours.tensor("remurs", "w", index).astype(np.float64)
                residual = y - ours.X.astype(np.float64) @ w.ravel()
                value = residual @ residual / 2 + tau * overlapped(w) + gamma * np.abs(w).sum()
                if abs(value / float(results[index]["objective"]) - 1) > 1e-6:
                    sys.exit(f"tau {tau:g}, gamma {gamma:g}: the objective is {value}, not {results[index]['objective']}")
            with open(ours.path("remurs", "summary.json"), encoding="utf-8") as file:
                remurs = json.load(file)
            worst = max(float(r["gap"]) for r in results)
            print(f"{'x'.join(map(str, shape))}, {samples} samples, {len(problems)} pairs of penalties, {threads} threads: "
                  f"Sturm {sturm['seconds']:.1f} s, Remurs {remurs['seconds']:.1f} s "
                  f"({sum(r['status'] == 'iteration_limit' for r in results)} at the limit, worst gap {worst:.1e}, "
                  f"median {np.median([int(r['iterations']) for r in results]):.0f} iterations)", flush=True)


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
                problems = [(s * np.sqrt(lo * hi) * b * judge.spectral(xy),
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
    parser.add_argument("--remurs", action="store_true", help="the grid of Remurs beside that of Sturm instead")
    parser.add_argument("--masked", action="store_true", help="of the grids that of the masked brain alone")
    parser.add_argument("--full", action="store_true", help="(b) solves every point, not a sample")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that all of it runs")
    options = parser.parse_args()
    (iterations_table if options.iterations else remurs_grid if options.remurs else grids)(options)


if __name__ == "__main__":
    main()
