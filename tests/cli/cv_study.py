# SPDX-License-Identifier: BSD-3-Clause
"""A small study for sturm cv: 36 samples of 18 people, two each, so that groups matter."""
import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from study import STURM, write_table

SHAPE = (5, 6, 4)
PEOPLE = 18


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


class CvStudy(unittest.TestCase):
    """X.npy and y.tsv (participant_id, group, score, age, part) in self.folder; `part` holds folds that keep people whole."""

    methods = "svm,lasso,sturm,sturm+svm"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sturm-cv-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        random = np.random.default_rng(3)
        w = np.zeros(SHAPE)
        w[1:3, 2:4, 1:3] = 1
        self.label = np.repeat(np.where(np.arange(PEOPLE) % 2 == 0, 1, -1), 2)
        self.x = random.standard_normal((2 * PEOPLE, *SHAPE)).astype(np.float32)
        self.x += (0.7 * self.label[:, None, None, None] * w).astype(np.float32)
        self.people = [f"sub-{m // 2:02}" for m in range(2 * PEOPLE)]
        self.part = [f"p{m // 2 % 3}" for m in range(2 * PEOPLE)]
        self.age = random.uniform(20, 60, 2 * PEOPLE)
        self.write()

    def write(self, name="", order=None, x=None, label=None):
        """The study, or one like it, in files that begin with `name`."""
        order = np.arange(2 * PEOPLE) if order is None else order
        x, label = (self.x if x is None else x), (self.label if label is None else label)
        np.save(self.folder / f"{name}X.npy", x[order])
        write_table(self.folder / f"{name}y.tsv", participant_id=[self.people[m] for m in order],
                    group=["patient" if label[m] > 0 else "control" for m in order],
                    score=[f"{x[m].sum():.6f}" for m in order], age=[f"{self.age[m]:.3f}" for m in order],
                    part=[self.part[m] for m in order])

    def command(self, *arguments, name="", output="out", methods=None):
        """Three outer and three inner folds, unless the arguments say otherwise."""
        flags = {"--array": f"{name}X.npy", "--labels": f"{name}y.tsv", "--target": "group", "--positive": "patient",
                 "--methods": methods or self.methods, "--outer": "column:part", "--inner": "3", "-o": output,
                 "--work": f"{output}.work"}
        words = list(map(str, arguments))
        for flag in set(words) & set(flags):
            flags[flag] = words[words.index(flag) + 1]
            del words[words.index(flag):words.index(flag) + 2]
        return [STURM, "cv", *(word for flag in flags.items() if flag[1] for word in flag), *words]

    def run_cv(self, *arguments, **options):
        variables = options.pop("variables", {})
        return subprocess.run(self.command(*arguments, **options), cwd=self.folder, env=os.environ | variables,
                              capture_output=True, text=True, timeout=300)

    def results(self, *arguments, **options):
        """A run that must succeed; the bytes of its files by name."""
        result = self.run_cv(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return contents(self.folder / options.get("output", "out"))
