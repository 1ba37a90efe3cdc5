#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every benchmark program of this build beside the same program of another build, in turn and the best of each: what a
shared machine does to one, it does to the other. That the results are right is what the other benchmarks check."""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
from smooth_study import study  # noqa: E402
from solver_grid import PAPER, volumes  # noqa: E402


class Cases:
    """Yields a name and, given a folder of programs and a number of threads, the seconds of one run."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def save(self, name, X, y):
        np.save(self.folder / f"{name}.npy", X)
        y.tofile(self.folder / f"{name}.raw")
        return [self.folder / f"{name}.npy", self.folder / f"{name}.raw"]

    def program(self, programs, name, *arguments):
        done = subprocess.run([str(a) for a in (programs / "bench" / name, *arguments)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{programs / 'bench' / name} failed with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def summary(self, programs, name, *arguments):
        self.program(programs, name, *arguments)
        found = json.loads((self.folder / "out/summary.json").read_text())
        return (found[0] if isinstance(found, list) else found)["seconds"]

    def grid(self, name, shape, samples, problems):
        data = self.save(name, *volumes(shape, samples))
        table = self.folder / f"{name}.tsv"
        table.write_text("tau\tgamma\n" + "".join(f"{tau:.17g}\t{gamma:.17g}\n" for tau, gamma in problems))
        return lambda programs, threads, *more: self.summary(
            programs, "solver_bench", *data, table, self.folder / "out", "--threads", threads, "--gap", "1e-3",
            "--precision", "f32", *more)

    def all(self, samples):
        paper = [(tau, gamma) for tau in PAPER for gamma in PAPER]
        box = self.grid("box", (37, 45, 32), 194, paper)
        yield "169 penalties, 37x45x32, 194 volumes", 2, box
        yield "the same, Remurs", 2, lambda programs, threads: box(programs, threads, "--remurs")
        large = self.grid("large", (91, 109, 91), 58, [(tau, gamma) for tau in (1, 10, 100) for gamma in (0.1, 1, 10)])
        yield "9 penalties, 91x109x91, 58 volumes", 1, large

        X, planted = study((43, 51, 43), 232)
        svm = self.save("svm", X, planted)
        for c in ("1e-6", "1"):
            yield f"SVM, 232 volumes of 43x51x43, C = {c}", 3, lambda programs, threads, c=c: self.summary(
                programs, "svm_bench", *svm, self.folder / "out", "--C", c, "--precision", "f32", "--threads", threads,
                "--repeats", 10)
        y = planted[:194] - planted[:194].mean()
        lasso = self.save("lasso", np.asfortranarray(X[:194] - X[:194].mean(0)), y)
        rows = np.load(lasso[0]).reshape(len(y), -1, order="F")
        most = np.abs(y @ rows.astype(np.float64)).max()
        gammas = self.folder / "gammas.raw"
        np.geomspace(most, most / 100, 101)[1:].tofile(gammas)
        l2 = 1e-3 * np.linalg.eigvalsh(rows.astype(np.float64) @ rows.T)[-1]
        for name, value in (("lasso", 0.0), ("elastic net", float(l2))):
            yield f"path of the {name}, 100 strengths", 2, lambda programs, threads, value=value: self.summary(
                programs, "lasso_path_bench", *lasso, gammas, self.folder / "out", "--gap", "1e-4", "--l2", repr(value),
                "--threads", threads, "--repeats", 2)
        if samples.exists():
            yield "loading 96 volumes of 91x109x91", 3, lambda programs, threads: min(json.loads(self.program(
                programs, "load_volumes_bench", samples, "--threads", threads, "--repeat", 5)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path, help="folder of this build, build/release")
    parser.add_argument("before", type=Path, help="folder of the other build; bench/ is below it in both")
    parser.add_argument("--threads", type=int, nargs="+", default=(1, 2))
    parser.add_argument("--samples", type=Path,
                        default=Path(__file__).parents[2] / "shared/data/word_object/samples.tsv")
    args = parser.parse_args()
    print(f"{'seconds, the best of runs in turn':44} {'threads':>7} {'before':>9} {'now':>9} {'now/before':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name, rounds, run in Cases(folder).all(args.samples):
            for threads in args.threads:
                old, new = np.min([[run(p, threads) for p in (args.before, args.programs)] for _ in range(rounds)], 0)
                print(f"{name:44} {threads:7d} {old:9.3f} {new:9.3f} {new / old:10.2f}", flush=True)


if __name__ == "__main__":
    main()
