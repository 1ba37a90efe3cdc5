# SPDX-License-Identifier: BSD-3-Clause
"""Small studies of NIfTI volumes in a temporary folder, and the program run on them."""
import csv
import os
import unittest
from pathlib import Path

import nibabel as nib
import numpy as np
from study import Study, write_table

SHAPE = (12, 14, 10)
AFFINE = np.array([[-3.0, 0, 0, 18], [0, 3, 0, -20], [0, 0, 3, -12], [0, 0, 0, 1]])
SHARED = Path(os.environ.get("STURM_SHARED", Path(__file__).resolve().parents[2] / "../shared"))


def needs_shared(relative):
    path = SHARED / relative
    return unittest.skipUnless(path.exists(), f"skipped: no shared data ({path}); set STURM_SHARED to the folder that has it")


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def save(path, values, affine=AFFINE):
    path.parent.mkdir(parents=True, exist_ok=True)
    nib.save(nib.Nifti1Image(np.asarray(values), affine), path)


def load(path):
    return np.asarray(nib.load(path).dataobj, dtype=float)


class VolumeStudy(Study):
    """samples.tsv: participant_id, path, group, score; volumes/sub-NN.nii.gz, 0 outside self.brain."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        i, j, k = np.ogrid[:12, :14, :10]
        self.brain = ((i - 5.5) / 5) ** 2 + ((j - 6.5) / 6) ** 2 + ((k - 4.5) / 4) ** 2 <= 1
        self.signal = np.zeros(SHAPE, bool)
        self.signal[4:7, 5:9, 3:6] = True
        self.groups = ["patient" if m % 2 else "control" for m in range(24)]
        self.v = random.standard_normal((24, *SHAPE)).astype(np.float32)
        self.v[1::2, self.signal] += 1
        self.v[:, ~self.brain] = 0
        self.score = self.v[:, self.signal].mean(1) + 2
        self.paths = [f"volumes/sub-{m:02}.nii.gz" for m in range(24)]
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)
        self.samples()

    def samples(self, name="samples.tsv", **changes):
        columns = dict(participant_id=self.ids, path=self.paths, group=self.groups, score=self.score) | changes
        write_table(self.folder / name, **{key: value for key, value in columns.items() if value is not None})
        self.before = self.listing()
        return name

    def fit_volumes(self, *arguments, samples="samples.tsv", output="out"):
        return self.run_sturm("fit", "--samples", samples, "--target", "score", "-o", output, *arguments)

    def fitted_volumes(self, *arguments, **options):
        result = self.fit_volumes(*arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        return self.folder / options.get("output", "out")

    def predicted(self, *arguments, model="out", samples="samples.tsv", code=0):
        result = self.run_sturm("predict", "--model", model, "--samples", samples, "-o", "-", *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return list(csv.DictReader(result.stdout.splitlines(), delimiter="\t"))

    def decisions(self, *arguments, **options):
        return np.array([float(row["decision"]) for row in self.predicted(*arguments, **options)])
