#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The paper's whole protocol for Sturm on a phantom of the shape of its Resting 2, 216 x 53x64x46: 10 x 9 folds, 13 x 13
penalties, three resize factors, 45,630 inner fits, each certified to a gap of 1e-2; beside the printed algorithm.

The printed algorithm in NumPy (solver_rivals.algorithm2_plain, 500 iterations a fit) would take days: each of its
iterations takes the same, so that a few at every size tell the whole. Its accuracy is that of `sturm cv --solver paper`,
which takes the same steps (the tests hold it to them), on the grid of the smallest size with three inner folds, which
both can finish; the certified solver runs there again, so that the two differ in nothing else.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.dont_write_bytecode = True
import solver_rivals as rivals  # noqa: E402
from solver_grid import volumes  # noqa: E402

SIZE, SUBJECTS, FACTORS, FITS_A_FACTOR = (53, 64, 46), 216, (0.3, 0.5, 0.7), 169 * 90


def numpy_seconds(steps, iterations=500):
    """For all inner fits, from a few steps at each size with the samples of an inner fold."""
    total = 0.0
    samples = SUBJECTS * 9 // 10 * 8 // 9
    for factor in FACTORS:
        shape = tuple(max(1, round(factor * extent)) for extent in SIZE)
        X, y = volumes(shape, samples)
        plain = np.ascontiguousarray(X.reshape(samples, -1))
        rivals.algorithm2_plain(plain, y, shape, 1.0, 1.0, iterations=1)
        times = []
        for tau, gamma in ((0.01, 0.01), (1.0, 1.0), (100.0, 10.0)):
            start = time.process_time()  # one thread: what it would take on a core of its own
            rivals.algorithm2_plain(plain, y, shape, tau, gamma, iterations=steps)
            times.append((time.process_time() - start) / steps)
        fit = iterations * float(np.mean(times))
        print(f"NumPy, {'x'.join(map(str, shape))}, {samples} samples: {fit:.2f} s a fit of {iterations} iterations, "
              f"{fit * FITS_A_FACTOR / 3600:.1f} hours for {FITS_A_FACTOR} fits", flush=True)
        total += fit * FITS_A_FACTOR
    return total


class Study:
    def __init__(self, program, folder, effect, subjects, size):
        self.program, self.folder = program, folder
        self.environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
        self.call("phantom", "-o", "study", "--subjects", subjects, "--size", size, "--effect", effect, "-q")

    def call(self, *words):
        """Its peak memory in MiB."""
        process = subprocess.Popen([self.program, *map(str, words)], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"sturm {' '.join(map(str, words))} failed")
        return usage.ru_maxrss / 1024

    def cv(self, name, *words):
        """results.json, seconds and peak memory in MiB of a cross-validation with the paper's protocol."""
        start = time.perf_counter()
        peak = self.call("cv", "--samples", "study/samples.tsv", "--target", "group", "--positive", "patient",
                         "--methods", "sturm", "--preset", "paper", "-o", name, "--progress", "none", *words)
        seconds = time.perf_counter() - start
        with open(os.path.join(self.folder, name, "results.json"), encoding="utf-8") as file:
            result = json.load(file)["methods"]["sturm"]
        print(f"sturm cv --preset paper {' '.join(map(str, words))}: {result['inner_fits']} inner fits, worst gap "
              f"{result['inner_worst_gap']:.1e}, {result['inner_fits_unconverged']} not converged; {seconds / 60:.1f} min, "
              f"{peak:.0f} MiB; accuracy {result['accuracy']:.3f} ± {result['accuracy_sd']:.3f}, sparsity "
              f"{result['sparsity']:.3f}", flush=True)
        return result, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/sturm")
    parser.add_argument("--effect", default=0.5, help="of the phantom: 0.5 is hard enough for accuracies to differ")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that all of it runs")
    options = parser.parse_args()
    subjects, size = (30, "20x24x18") if options.quick else (SUBJECTS, "x".join(map(str, SIZE)))
    certified = ("--solver", "certified", "--gap", "1e-2")
    with tempfile.TemporaryDirectory() as folder:
        study = Study(os.path.abspath(options.program), folder, options.effect, subjects, size)
        _, seconds = study.cv("certified", *certified)
        smallest = ("--resize", FACTORS[0], "--inner", 3)
        ours, _ = study.cv("small", *certified, *smallest)
        printed, _ = study.cv("printed", *smallest, *(("--iterations", 50) if options.quick else ()))
        print(f"accuracy at {FACTORS[0]}: certified {ours['accuracy']:.3f}, printed {printed['accuracy']:.3f}")
        if not options.quick:
            rival = numpy_seconds(steps=25)
            print(f"NumPy would take {rival / 3600:.1f} hours on one thread: {rival / seconds:.0f} times ours on all")


if __name__ == "__main__":
    main()
