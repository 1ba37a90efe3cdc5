#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same work on 1, 2, 4, ... threads: a cross-validation of Sturm on whole boxes, a grid of penalties, and with
--samples a cross-validation of a real study. Results must be the same to the last byte at every number of threads.
Wall and processor time in seconds; the ratio is that of one thread to so many."""
import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.dont_write_bytecode = True
from smooth_study import study  # noqa: E402
from solver_grid import PAPER, volumes  # noqa: E402


def run(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}: {done.stderr.strip()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class CrossValidation:
    def __init__(self, sturm, folder, name, data, options):
        self.name, self.command, self.out = name, [sturm, "cv", *data, *options, "-q", "--progress", "none"], folder

    def run(self, threads):
        out = os.path.join(self.out, "cv")
        for old in (out, out + ".work"):
            shutil.rmtree(old, ignore_errors=True)
        times = run([*self.command, "--threads", str(threads), "-o", out])
        digest = hashlib.sha256()
        for name in ("folds.tsv", "predictions.tsv", "grid.tsv"):
            with open(os.path.join(out, name), "rb") as file:
                digest.update(file.read())
        return times, digest.hexdigest()


class Grid:
    name = "169 penalties, 194 volumes of 37x45x32, gap 1e-3"

    def __init__(self, program, folder):
        X, y = volumes((37, 45, 32), 194)
        self.program, self.folder = program, folder
        np.save(self.path("X.npy"), X)
        y.tofile(self.path("y.raw"))
        with open(self.path("problems.tsv"), "w", encoding="utf-8") as file:
            file.write("tau\tgamma\n")
            file.writelines(f"{tau:.17g}\t{gamma:.17g}\n" for tau in PAPER for gamma in PAPER)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, threads):
        _, processor = run([self.program, self.path("X.npy"), self.path("y.raw"), self.path("problems.tsv"),
                            self.path("out"), "--threads", str(threads), "--gap", "1e-3", "--precision", "f32"])
        with open(self.path("out", "summary.json"), encoding="utf-8") as file:
            wall = json.load(file)["seconds"]  # the program measures matrix products besides
        with open(self.path("out", "results.tsv"), "rb") as file:
            return (wall, processor), hashlib.sha256(file.read()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", help="folder of sturm; bench/solver_bench is below it")
    parser.add_argument("--samples", help="samples.tsv of words and objects")
    parser.add_argument("--threads", type=int, nargs="+")
    parser.add_argument("--only", nargs="+", default=["boxes", "grid", "words"])
    parser.add_argument("--inner-gap", nargs="+", default=["1e-2", "1e-3"])
    args = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    threads = args.threads or [2**i for i in range(cores.bit_length()) if 2**i <= cores]
    sturm = os.path.join(args.programs, "sturm")
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        if "boxes" in args.only:
            X, y = study((43, 51, 43), 100)
            np.save(os.path.join(folder, "V.npy"), X)
            with open(os.path.join(folder, "y.tsv"), "w", encoding="utf-8") as file:
                file.write("label\n" + "".join(f"{'a' if v > 0 else 'b'}\n" for v in y))
            data = ["--array", os.path.join(folder, "V.npy"), "--labels", os.path.join(folder, "y.tsv"), "--target",
                    "label", "--positive", "a", "--methods", "sturm", "--outer", "2", "--inner", "3"]
            cases += [CrossValidation(sturm, folder, f"cv, 100 volumes of 43x51x43, 2 x 3 folds, inner gap {gap}", data,
                                      ["--inner-gap", gap]) for gap in args.inner_gap]
        if "grid" in args.only:
            cases.append(Grid(os.path.join(args.programs, "bench", "solver_bench"), folder))
        if "words" in args.only and args.samples:
            data = ["--samples", args.samples, "--target", "condition", "--positive", "words", "--methods", "sturm",
                    "--resize", "0.5", "--outer", "3", "--inner", "3"]
            cases += [CrossValidation(sturm, folder, f"cv, words and objects at 0.5, 3 x 3 folds, inner gap {gap}", data,
                                      ["--inner-gap", gap]) for gap in args.inner_gap]
        for case in cases:
            print(case.name, flush=True)
            first = expected = None
            for count in threads:
                (wall, processor), digest = case.run(count)
                first, expected = first or wall, expected or digest
                if digest != expected:
                    sys.exit(f"{case.name}: other results on {count} threads than on {threads[0]}")
                print(f"  {count:3d} threads: {wall:7.2f} s, processor {processor:7.2f} s, ratio {first / wall:5.2f}",
                      flush=True)


if __name__ == "__main__":
    main()
