# SPDX-License-Identifier: BSD-3-Clause
"""Small studies in a temporary folder, and the program run on them. STURM names the program."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

STURM = os.environ["STURM"]
SHAPE = (6, 7, 5)


def write_table(path, /, **columns):
    rows = zip(*columns.values())
    text = ["\t".join(columns)] + ["\t".join(str(value) for value in row) for row in rows]
    path.write_text("\n".join(text) + "\n")


def names_in(folder):
    """The files of a folder but report.html, which is there where the program was built with its page."""
    return sorted(path.name for path in folder.iterdir() if path.name != "report.html")


class Study(unittest.TestCase):
    """X.npy, y.tsv (participant_id, score, group, weight) and one.tsv (score alone) in self.folder."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sturm-test-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        random = np.random.default_rng(1)
        self.x = random.standard_normal((24, *SHAPE)).astype(np.float32)
        w = np.zeros(SHAPE)
        w[2:4, 2:5, 1:3] = 1
        self.y = (self.x * w).sum((1, 2, 3)) + 0.1 * random.standard_normal(24) + 3
        np.save(self.folder / "X.npy", self.x)
        self.ids = [f"sub-{m:02}" for m in range(24)]
        self.groups = ["patient" if value > 3 else "control" for value in self.y]
        write_table(self.folder / "y.tsv", participant_id=self.ids, score=self.y, group=self.groups,
                    weight=[1 + m % 2 for m in range(24)])
        write_table(self.folder / "one.tsv", score=self.y)
        self.before = self.listing()

    def listing(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def command(self, *arguments):
        return [STURM, *map(str, arguments)]

    def run_sturm(self, *arguments, **variables):
        return subprocess.run(self.command(*arguments), cwd=self.folder, env=os.environ | variables,
                              capture_output=True, text=True, timeout=120)

    def fit(self, *arguments, array="X.npy", labels="one.tsv", output="out", **variables):
        return self.run_sturm("fit", "--array", array, "--labels", labels, "-o", output, *arguments, **variables)

    def fitted(self, *arguments, **options):
        """A fit that must succeed; its folder."""
        result = self.fit(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        return self.folder / options.get("output", "out")

    def assert_refused(self, result, code, *words):
        """One sentence on stderr with these words, or one line per problem below it, perhaps after warnings, the exit code, and no file that was
        not there before."""
        self.assertRegex(result.stderr, r"^((note|warning): [^\n]+\n)*sturm: [^\n]+\n(  [^\n]+\n)*$")
        for word in words:
            self.assertIn(str(word), result.stderr)
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(self.listing(), self.before)
