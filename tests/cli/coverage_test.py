#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where volumes have values: masks that are learnt, labels that coverage gives away, volumes that stand out, mask files,
caches that were altered, and kernels that say nothing."""
import json
import shutil
import unittest

import numpy as np
from safetensors import safe_open
from study import write_table
from volumes import SHAPE, SHARED, VolumeStudy, load, needs_shared, save


def mask_of(folder):
    """Of a model of volumes that were not resized."""
    with safe_open(folder / "model.safetensors", "numpy") as model:
        return model.get_tensor("mask") != 0


class Coverage(VolumeStudy):
    target = ("--target", "group", "--positive", "patient")

    def write(self):
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)

    def run_on(self, command, *arguments, code=0, samples="samples.tsv"):
        result = self.run_sturm(command, "--samples", samples, *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def ridge(self, output, *arguments):
        """A fit whose map is other than 0 in every voxel of its mask."""
        result = self.run_on("fit", *self.target, "--method", "ridge", "--l2", 1, "-o", output, *arguments)
        return result, self.folder / output

    def cv(self, output, *arguments, code=0):
        outer = () if "--outer" in arguments else ("--outer", 3)
        result = self.run_on("cv", *self.target, "--methods", "ridge", *outer, "--inner", 2, "-o", output,
                             "--work", f"{output}.work", *arguments, code=code)
        return result, self.folder / output

    def data(self, folder):
        return json.loads((folder / "data.json").read_text())


class Masks(Coverage):
    def ragged(self):
        """NaN in two volumes, zeros in two others, a voxel that is the same in all: each in the brain, and apart."""
        self.v[3, 5, 6, 4] = self.v[8, 5, 7, 4] = np.nan
        self.v[10, 4, 6:9, 5] = self.v[11, 6, 6, 3] = 0
        self.v[:, 6, 8, 5] = 7
        self.write()
        expected = self.brain.copy()
        expected[5, 6, 4] = expected[5, 7, 4] = expected[6, 6, 3] = expected[6, 8, 5] = False
        expected[4, 6:9, 5] = False
        return expected

    def test_fit_and_cv_learn_the_same_mask(self):
        expected = self.ragged()
        result, fit = self.ridge("fit")
        np.testing.assert_array_equal(mask_of(fit), expected)
        np.testing.assert_array_equal(load(fit / "coef.nii.gz") != 0, expected)
        for words in (f"--mask auto takes {expected.sum()} of {expected.size} voxels, those that all 24 volumes cover",
                      f"{(~self.brain).sum()} that are 0 or NaN in every volume", "2 that are NaN or infinite in some",
                      "4 that are 0 in some volume", "1 that are the same in all"):
            self.assertIn(words, result.stderr)
        result, cv = self.cv("cv")
        np.testing.assert_array_equal(load(cv / "map_ridge.nii.gz") != 0, expected)
        self.assertIn(f"--mask auto takes {expected.sum()} of", result.stderr)
        self.assertIn("Each training set learns its own", result.stderr)
        self.assertRegex(result.stderr, r"In \d of 3 outer folds, volumes left out lack voxels .* count as 0 there")
        self.assertTrue(any("takes" in warning for warning in self.data(cv)["warnings"]))

    def test_resized_too(self):
        self.ragged()
        fit = self.ridge("fit", "--resize", 0.5)[1]
        cv = self.cv("cv", "--resize", "0.5")[1]
        np.testing.assert_array_equal(load(cv / "map_ridge.nii.gz") != 0, load(fit / "coef.nii.gz") != 0)

    def test_arrays_as_volumes(self):
        expected = self.ragged()
        np.save(self.folder / "V.npy", self.v)
        write_table(self.folder / "labels.tsv", participant_id=self.ids, group=self.groups)
        source = ("--array", "V.npy", "--labels", "labels.tsv", *self.target, "--mask", "auto")
        result = self.run_sturm("fit", *source, "--method", "ridge", "--l2", 1, "-o", "fit")
        self.assertEqual(result.returncode, 0, result.stderr)
        np.testing.assert_array_equal(np.load(self.folder / "fit/coef.npy") != 0, expected)
        result = self.run_sturm("cv", *source, "--methods", "ridge", "--outer", 3, "--inner", 2, "-o", "cv")
        self.assertEqual(result.returncode, 0, result.stderr)
        np.testing.assert_array_equal(np.load(self.folder / "cv/map_ridge.npy") != 0, expected)

    def test_a_fold_learns_from_its_training_set(self):
        """Without its last eight volumes a study has the mask that they are tested with."""
        self.v[20:, 4:7, 6, 4] = np.nan
        self.v[2, 7, 7, 4] = np.nan
        self.write()
        part = ["a"] * 8 + ["b"] * 8 + ["c"] * 8
        self.samples(part=part)
        self.cv("cv", "--outer", "column:part")
        self.samples("some.tsv", participant_id=self.ids[:16], path=self.paths[:16], group=self.groups[:16],
                     score=None)
        self.run_on("fit", *self.target, "--method", "ridge", "--l2", 1, "-o", "fit", samples="some.tsv")
        inside = mask_of(self.folder / "fit").sum()
        self.assertEqual(inside, self.brain.sum() - 1)
        folds = [line.split("\t") for line in (self.folder / "cv/folds.tsv").read_text().splitlines()]
        row = next(row for row in folds[1:] if row[folds[0].index("fold")] == "c")
        # The map of ridge has a coefficient in each voxel of the mask: the rest of the box is 0.
        self.assertAlmostEqual(float(row[folds[0].index("sparsity")]), 1 - inside / self.brain.size, delta=1e-12)
        self.assertEqual(float(row[folds[0].index("sparsity_in_mask")]), 0)

    def test_union(self):
        self.ragged()
        result, fit = self.ridge("fit", "--mask", "union")
        expected = self.brain.copy()
        expected[6, 8, 5] = False
        np.testing.assert_array_equal(mask_of(fit), expected)
        self.assertIn("--mask union takes", result.stderr)
        np.testing.assert_array_equal(load(self.cv("cv", "--mask", "union")[1] / "map_ridge.nii.gz") != 0, expected)

    def test_an_empty_one_says_why(self):
        self.v[2, :6] = 0
        self.v[3, 6:] = 0
        self.write()
        self.before = self.listing()
        self.assert_refused(self.run_sturm("fit", "--samples", "samples.tsv", *self.target, "-o", "out"), 3,
                            "--mask auto", "leaves no voxel", "are 0 in some", "--mask union")
        for value, words in ((0, ("nothing but 0 and NaN",)), (np.nan, ("no finite number",))):
            for m in (4, 9):
                save(self.folder / self.paths[m], np.full(SHAPE, value, np.float32))
            for command in (("fit",), ("cv", "--methods", "ridge", "--outer", 3, "--inner", 2)):
                self.assert_refused(self.run_sturm(*command, "--samples", "samples.tsv", *self.target, "-o", "out"), 3,
                                    self.paths[4], self.paths[9], *words)
        self.assertIn("no finite number", self.run_on("check", code=3).stderr)

    def test_mask_files(self):
        soft = np.where(self.brain, 0.7, 0).astype(np.float32)
        soft[self.brain.nonzero()[0][0], self.brain.nonzero()[1][0], self.brain.nonzero()[2][0]] = 0.1
        save(self.folder / "soft.nii", soft)
        result, fit = self.ridge("soft", "--mask", "soft.nii")
        np.testing.assert_array_equal(mask_of(fit), self.brain)
        for words in ("soft.nii", "probabilities", "above 0 is inside", "1 of them below 0.5"):
            self.assertIn(words, result.stderr)
        atlas = np.where(self.brain, np.arange(SHAPE[0])[:, None, None] + 3, 0).astype(np.int16)
        save(self.folder / "atlas.nii", atlas)
        self.assertIn("atlas", self.ridge("atlas", "--mask", "atlas.nii")[0].stderr)
        holes = np.where(self.brain, 1, 0).astype(np.float32)
        holes[5, 6, 4] = np.nan
        save(self.folder / "holes.nii", holes)
        np.save(self.folder / "holes.npy", holes)
        result, fit = self.ridge("holes", "--mask", "holes.nii")
        self.assertIn("NaN in 1 voxel, which counts as outside", result.stderr)
        self.assertFalse(mask_of(fit)[5, 6, 4])
        self.assertFalse(mask_of(self.ridge("npy", "--mask", "holes.npy")[1])[5, 6, 4])
        self.assertNotIn("holds", self.ridge("plain", "--mask", "auto")[0].stderr)
        save(self.folder / "nothing.nii", np.full(SHAPE, np.nan, np.float32))
        self.before = self.listing()
        self.assert_refused(self.fit_volumes("--mask", "nothing.nii", output="x"), 3, "nothing.nii", "0 or NaN")


class Leaks(Coverage):
    def cut(self, rows):
        for m in rows:
            self.v[m, :, 11:] = 0
        self.write()

    def test_a_leak_is_told_by_check_cv_and_fit(self):
        random = np.random.default_rng(1)
        for m in range(24):  # every window ends somewhere
            self.v[m, :, :, :2 + random.integers(3)] = 0
        self.cut(range(1, 24, 2))
        found = json.loads(self.run_on("check", *self.target, "--json").stdout)
        self.assertTrue(found["coverage"]["leak"])
        self.assertGreater(found["coverage"]["volumes"]["value"], 0.95)
        self.assertEqual(found["coverage"]["varying_in_mask"], 0)
        said = [f["what"] for f in found["findings"] if f["severity"] == "warning" and "COVERAGE LEAK" in f["what"]]
        self.assertEqual(len(said), 1, found["findings"])
        self.assertRegex(said[0], r"group can be told from where the volumes are 0 or NaN alone, with AUC \d\.\d+ ")
        for name, arguments in (("fit", ()), ("cv", ())):
            result, out = (self.ridge if name == "fit" else self.cv)(name, *arguments)
            self.assertIn("COVERAGE LEAK: group can be told", result.stderr)
            self.assertIn("gone there", result.stderr)
            self.assertTrue(self.data(out)["coverage"]["leak"])
            self.assertIn("COVERAGE LEAK", json.dumps(self.data(out)["facts"]))
        result = self.ridge("union", "--mask", "union")[0]
        self.assertIn("It is inside the mask, too", result.stderr)

    def test_a_clean_study_is_not(self):
        random = np.random.default_rng(2)
        for m in range(24):
            self.v[m, :, :, :2 + random.integers(3)] = 0
        self.write()
        found = json.loads(self.run_on("check", *self.target, "--json").stdout)
        self.assertFalse(found["coverage"]["leak"])
        self.assertGreater(found["coverage"]["varying"], 0)
        self.assertTrue(any("By that alone group is told with AUC" in f["what"] for f in found["findings"]))
        result, out = self.cv("cv")
        self.assertNotIn("LEAK", result.stderr)
        self.assertFalse(self.data(out)["coverage"]["leak"])

    def test_arrays(self):
        self.cut(range(1, 24, 2))
        np.save(self.folder / "V.npy", self.v)
        write_table(self.folder / "labels.tsv", participant_id=self.ids, group=self.groups)
        source = ("--array", "V.npy", "--labels", "labels.tsv", *self.target)
        self.assertIn("COVERAGE LEAK", self.run_sturm("check", *source).stderr)
        result = self.run_sturm("cv", *source, "--methods", "ridge", "--outer", 3, "--inner", 2, "-o", "cv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("It is inside the mask, too", result.stderr)


class Outliers(Coverage):
    def test_a_volume_that_stands_out(self):
        random = np.random.default_rng(5)
        wild = self.v[9] * np.where(random.random(SHAPE) < 0.4, 1e4, 1)
        save(self.folder / self.paths[9], wild.astype(np.float32))
        found = json.loads(self.run_on("check", *self.target, "--json").stdout)
        self.assertEqual([m for m, f in enumerate(found["files"]) if f["verdict"] != "ok"], [9])
        self.assertEqual(found["files"][9]["verdict"], "outlier")
        said = [f["what"] for f in found["findings"] if "stands out" in f["what"]]
        self.assertEqual(len(said), 1)
        self.assertIn(self.paths[9], said[0])
        self.assertIn("of its voxels are far from the rest of it", said[0])
        for result, out in (self.ridge("fit"), self.cv("cv")):
            self.assertIn(f"{self.paths[9]}: stands out from the other volumes", result.stderr)
            self.assertTrue(any("stands out" in warning for warning in self.data(out)["warnings"]))


class Cache(Coverage):
    def test_an_altered_file_is_told_and_made_anew(self):
        self.v[3, 5, 6, 4] = np.nan
        self.v[10, 4, 6:9, 5] = 0
        self.write()
        for flags in (("--resize", 0.5), ("--resize", 1), ("--mask", "none", "--nan", "zero")):
            shutil.rmtree(self.folder / "kept", ignore_errors=True)
            expected = (self.ridge("plain", *flags, "--force")[1] / "coef.nii.gz").read_bytes()

            def cached():
                result, out = self.ridge("out", *flags, "--cache", "kept", "--force")
                return (out / "coef.nii.gz").read_bytes(), result.stderr

            self.assertEqual(cached()[0], expected)
            found, words = cached()
            self.assertEqual(found, expected)
            self.assertIn("volumes taken from", words)
            for suffix in (".npy", ".safetensors"):
                file = next((self.folder / "kept").glob("*" + suffix))
                whole = file.read_bytes()
                for at in (len(whole) - 5, 3 * len(whole) // 4, len(whole) // 2):
                    data = bytearray(whole)
                    data[at] ^= 0x10
                    file.write_bytes(bytes(data))
                    found, words = cached()
                    self.assertEqual(found, expected, f"{suffix} {at}")
                    self.assertNotIn("volumes taken from", words)
                    self.assertIn("so the volumes are read anew", words)
                file.write_bytes(whole[:-9])
                self.assertEqual(cached()[0], expected)
            self.assertIn("volumes taken from", cached()[1])

    def test_cv_takes_masks_from_it(self):
        self.v[3, 5, 6, 4] = np.nan
        self.v[10, 4, 6:9, 5] = 0
        self.write()
        plain = self.cv("plain", "--resize", "0.5,1")[1]
        for output in ("first", "second"):
            result, out = self.cv(output, "--resize", "0.5,1", "--cache", "kept")
            for name in ("results.json", "folds.tsv", "predictions.tsv", "map_ridge.nii.gz"):
                self.assertEqual((out / name).read_bytes(), (plain / name).read_bytes(), name)
        self.assertIn("volumes taken from", result.stderr)


class Kernels(Coverage):
    def test_a_width_that_says_nothing_is_refused(self):
        for method, flag, settings in (("svm-rbf", "--width", ("--C", 1)), ("mmk", "--sigma", ("--rank", 2, "--C", 1)),
                                       ("dusk", "--sigma", ("--rank", 2, "--C", 1))):
            for value, words in ((1e-308, "unlike"), (1e-150, "unlike"), (1e-3, "unlike"), (1e12, "alike")):
                with self.subTest(method=method, value=value):
                    result = self.run_sturm("fit", "--samples", "samples.tsv", *self.target, "--method", method, flag,
                                            value, *settings, "-o", "out")
                    self.assertEqual(result.returncode, 2, result.stderr)
                    for word in (f"{flag} {value:g}", words, "nothing can be learnt"):
                        self.assertIn(word, result.stderr)
                    self.assertEqual(self.listing(), self.before)
        self.run_on("fit", *self.target, "--method", "svm-rbf", "--width", 1, "--C", 1, "-o", "out")


@needs_shared("data/analyze")
class Analyze(Coverage):
    def test_fit_and_cv_agree_on_real_images(self):
        """Two contrast images of SPM, NaN outside the brain, and small changes of them for a study of twelve."""
        import nibabel as nib
        images = [nib.load(SHARED / f"data/analyze/con_0081000{n}.hdr") for n in (1, 2)]
        random = np.random.default_rng(6)
        paths, finite = [], True
        for m in range(12):
            values = np.asarray(images[m % 2].dataobj, np.float32).squeeze()
            values = values + np.float32(0.1) * random.standard_normal(values.shape).astype(np.float32)
            values[tuple(random.integers(20, 30, 3))] = np.nan
            finite &= np.isfinite(values)
            paths.append(f"a{m:02}.nii")
            nib.save(nib.Nifti1Image(values, images[0].affine), self.folder / paths[-1])
        write_table(self.folder / "spm.tsv", path=paths, kind=["a" if m % 2 else "b" for m in range(12)])
        about = ("--samples", "spm.tsv", "--target", "kind", "--positive", "a")
        fit = self.run_sturm("fit", *about, "--method", "ridge", "--l2", 1, "-o", "fit")
        self.assertEqual(fit.returncode, 0, fit.stderr)
        cv = self.run_sturm("cv", *about, "--methods", "ridge", "--outer", 3, "--inner", 2, "-o", "cv")
        self.assertEqual(cv.returncode, 0, cv.stderr)
        mask = mask_of(self.folder / "fit")
        self.assertFalse(mask[~finite].any())
        self.assertGreater(mask.sum(), 0.99 * finite.sum())
        np.testing.assert_array_equal(load(self.folder / "cv/map_ridge.nii.gz") != 0, mask)


if __name__ == "__main__":
    unittest.main()
