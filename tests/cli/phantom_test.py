#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm phantom: the same bytes for a seed, and a planted region that a fit finds again."""
import json
import unittest

import nibabel as nib
import numpy as np
from study import Study
from volumes import load, read_table


def auc(score, truth):
    """The share of pairs of a planted and another voxel in which the planted one has the higher score; ties count half."""
    values, rank = np.unique(score, return_inverse=True)
    planted, other = np.bincount(rank[truth], minlength=values.size), np.bincount(rank[~truth], minlength=values.size)
    below = np.cumsum(other) - other
    return (planted * (below + other / 2)).sum() / planted.sum() / other.sum()


class Phantom(Study):
    def phantom(self, *arguments, output="study"):
        result = self.run_sturm("phantom", "-o", output, *arguments)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        return self.folder / output

    def test_it_writes_a_study_that_check_likes(self):
        out = self.phantom("--subjects", 10, "--size", "20x24x20", "--sites", 3, "--seed", 4)
        self.assertEqual(sorted(p.name for p in out.iterdir()),
                         ["mask.nii.gz", "phantom.json", "samples.tsv", "truth.nii.gz", "volumes"])
        rows = read_table(out / "samples.tsv")
        self.assertEqual(list(rows[0]), ["participant_id", "path", "group", "site", "age"])
        self.assertEqual([row["group"] for row in rows].count("patient"), 5)
        self.assertEqual({row["site"] for row in rows}, {"site-1", "site-2", "site-3"})
        mask, truth = load(out / "mask.nii.gz"), load(out / "truth.nii.gz")
        self.assertTrue((truth[mask == 0] == 0).all())
        self.assertEqual(np.abs(truth).max(), 1)
        for row in rows:
            image = nib.load(out / row["path"])
            self.assertEqual(image.shape, (20, 24, 20))
            self.assertTrue((np.asarray(image.dataobj)[mask == 0] == 0).all())
        self.assertEqual(json.loads((out / "phantom.json").read_text())["seed"], 4)
        result = self.run_sturm("check", "--samples", "study/samples.tsv", "--target", "group", "--positive", "patient")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("warning", result.stderr.replace("warnings", ""))

    def test_a_seed_gives_the_same_bytes_on_any_number_of_threads(self):
        few = ("--subjects", 6, "--size", "20x24x20")
        folders = [self.phantom(*few, "--seed", 7, "--threads", threads, output=f"t{threads}") for threads in (1, 2)]
        other = self.phantom(*few, "--seed", 8, output="other")
        names = ["mask.nii.gz", "truth.nii.gz", "samples.tsv"] + [f"volumes/sub-{m:03}.nii.gz" for m in range(1, 7)]
        for name in names:
            self.assertEqual((folders[0] / name).read_bytes(), (folders[1] / name).read_bytes(), name)
        self.assertNotEqual((folders[0] / names[-1]).read_bytes(), (other / names[-1]).read_bytes())

    def test_an_earlier_phantom_is_replaced_only_on_request(self):
        few = ("--subjects", 2, "--size", "20x24x20")
        self.phantom(*few)
        self.before = self.listing()
        self.assert_refused(self.run_sturm("phantom", "-o", "study", *few), 3, "not empty", "--force")
        self.phantom(*few, "--force", "--seed", 2)
        self.assertEqual(self.listing(), self.before)
        for arguments, word in {("--size", "2x2"): "--size", ("--subjects", 1): "--subjects", ("--rank", 9): "--rank"}.items():
            self.assert_refused(self.run_sturm("phantom", "-o", "new", *arguments), 2, word)

    def test_a_fit_finds_the_planted_region(self):
        """40 volumes of 61x73x61 at the default strength, resized by half to be quick; over the voxels of the mask."""
        self.phantom("--seed", 1)
        result = self.run_sturm("fit", "--samples", "study/samples.tsv", "--target", "group", "--positive", "patient",
                                "--resize", 0.5, "--balance", 0.9, "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        mask, truth = load(self.folder / "study/mask.nii.gz") != 0, load(self.folder / "study/truth.nii.gz") != 0
        coef = load(self.folder / "out/coef.nii.gz")
        self.assertTrue((coef[~mask] == 0).all())
        self.assertGreater(auc(np.abs(coef[mask]), truth[mask]), 0.9)


if __name__ == "__main__":
    unittest.main()
