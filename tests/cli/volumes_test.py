#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm fit and sturm predict on volumes: maps, grids, masks, NaN, resizing, the cache, the ways to name files."""
import json
import shutil
import subprocess
import unittest

import nibabel as nib
import numpy as np
from safetensors import safe_open
from study import STURM, names_in, write_table
from volumes import AFFINE, SHAPE, SHARED, VolumeStudy, load, needs_shared, save


def facts(folder):
    return json.loads((folder / "fit.json").read_text())


class Maps(VolumeStudy):
    def test_the_map_lies_on_the_grid_of_the_volumes_and_in_the_brain(self):
        out = self.fitted_volumes()
        self.assertEqual(names_in(out), ["background.nii.gz", "coef.nii.gz", "data.json", "fit.json",
                                         "model.safetensors", "pattern.nii.gz", "trace.tsv"])
        image = nib.load(out / "coef.nii.gz")
        self.assertEqual(image.shape, SHAPE)
        np.testing.assert_array_equal(image.affine, AFFINE)
        coef = load(out / "coef.nii.gz")
        with safe_open(out / "model.safetensors", "numpy") as model:
            np.testing.assert_array_equal(coef, model.get_tensor("coef").astype(np.float32))
            np.testing.assert_array_equal(model.get_tensor("mask") != 0, self.brain)
            grid = json.loads(model.metadata()["grid"])
        self.assertEqual((grid["shape"], grid["resize"]), (list(SHAPE), 1))
        np.testing.assert_array_equal(np.reshape(grid["affine"], (3, 4)), AFFINE[:3])
        self.assertTrue((coef[~self.brain] == 0).all() and (coef != 0).any())
        self.assertEqual(facts(out)["grid"]["shape"], list(SHAPE))

    def test_an_array_of_the_same_numbers_gives_the_same_map(self):
        np.save(self.folder / "V.npy", self.v)
        np.save(self.folder / "brain.npy", self.brain)
        write_table(self.folder / "score.tsv", score=self.score)
        array = np.load(self.fitted("--mask", "brain.npy", array="V.npy", labels="score.tsv", output="a") / "coef.npy")
        np.testing.assert_array_equal(load(self.fitted_volumes() / "coef.nii.gz"), array.astype(np.float32))
        auto = np.load(self.fitted("--mask", "auto", array="V.npy", labels="score.tsv", output="b") / "coef.npy")
        np.testing.assert_array_equal(auto, array)

    def test_predictions_are_the_product_of_the_map_and_the_volumes(self):
        """The map is stored in float32, hence 1e-6 of the sum of the absolute terms."""
        for resize in (1, 0.5):
            out = self.fitted_volumes("--resize", resize, output=f"r{resize}")
            coef = load(out / "coef.nii.gz")
            expected = np.tensordot(self.v.astype(float), coef, 3) + facts(out)["intercept"]
            bound = 1e-6 * np.tensordot(np.abs(self.v.astype(float)), np.abs(coef), 3).max()
            np.testing.assert_allclose(self.decisions(model=out), expected, rtol=0, atol=bound)

    def test_the_decisions_are_those_of_the_fit(self):
        """The objective that the fit reports is that of the decisions that predict gives."""
        out = self.fitted_volumes("--resize", 0.5, "--tau", 0.3, "--gamma", 0.2, "--precision", "f64", "--gap", 1e-6)
        decision = self.decisions("--precision", "f64")
        with safe_open(out / "model.safetensors", "numpy") as model:
            w = model.get_tensor("coef")
        singular = np.linalg.svd(np.fft.fft(w, axis=2).transpose(2, 0, 1), compute_uv=False)
        objective = ((self.score - decision) ** 2).sum() / 2 + 0.3 * singular.sum() / w.shape[2] + 0.2 * np.abs(w).sum()
        self.assertLess(abs(objective / facts(out)["objective"] - 1), 1e-6)

    def test_resized_maps_come_in_both_sizes_over_one_box(self):
        out = self.fitted_volumes("--resize", 0.5)
        small, full = nib.load(out / "coef_resized.nii.gz"), nib.load(out / "coef.nii.gz")
        self.assertEqual((small.shape, full.shape), ((6, 7, 5), SHAPE))
        for corner in ((-0.5, -0.5, -0.5), (-0.5, 6.5, 4.5), (5.5, 6.5, -0.5)):
            outer = [(c + 0.5) * 2 - 0.5 for c in corner]
            np.testing.assert_allclose(small.affine @ [*corner, 1], full.affine @ [*outer, 1], atol=1e-5)
        self.assertTrue((load(out / "coef.nii.gz")[~self.brain] == 0).all())
        self.assertEqual((facts(out)["shape"], facts(out)["resize"]), ([6, 7, 5], 0.5))

    def test_predictions_name_files(self):
        self.run_sturm("fit", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", "-o", "out")
        rows = self.predicted()
        self.assertEqual(list(rows[0]), ["participant_id", "path", "decision", "predicted", "actual"])
        self.assertEqual([row["path"] for row in rows], self.paths)
        self.assertEqual([row["actual"] for row in rows], self.groups)

    def test_threads_do_not_change_a_bit(self):
        for threads in (1, 2):
            self.fitted_volumes("--threads", threads, "--resize", 0.7, output=f"t{threads}")
        for name in ("coef.nii.gz", "model.safetensors"):
            self.assertEqual((self.folder / "t1" / name).read_bytes(), (self.folder / "t2" / name).read_bytes())


class Grids(VolumeStudy):
    def test_other_orientations_change_nothing(self):
        expected = (self.fitted_volumes() / "coef.nii.gz").read_bytes()
        for m, code in {3: "RAS", 8: "PSR", 17: "SLA"}.items():
            image = nib.load(self.folder / self.paths[m])
            start = nib.orientations.io_orientation(image.affine)
            end = nib.orientations.axcodes2ornt(code)
            turned = image.as_reoriented(nib.orientations.ornt_transform(start, end))
            nib.save(turned, self.folder / self.paths[m])
        self.assertNotEqual(nib.load(self.folder / self.paths[8]).shape, SHAPE)
        self.assertEqual((self.fitted_volumes(output="turned") / "coef.nii.gz").read_bytes(), expected)
        decision = self.decisions()
        self.assertEqual(self.decisions(model="turned").tolist(), decision.tolist())

    def test_other_grids_are_all_named_or_resampled(self):
        self.fitted_volumes()
        before = self.decisions()
        moved = AFFINE.copy()
        moved[0, 3] += 1.5
        for m in (0, 5, 23):
            save(self.folder / self.paths[m], self.v[m], moved)
        save(self.folder / self.paths[7], np.repeat(self.v[7], 2, 0), AFFINE @ np.diag([0.5, 1, 1, 1]))
        self.before = self.listing()
        result = self.fit_volumes(output="new")
        self.assert_refused(result, 3, "4 of 24", *(self.paths[m] for m in (0, 5, 7, 23)), "--on-mismatch resample")
        self.assertNotIn(self.paths[1], result.stderr)
        for how in ("linear", "cubic"):
            out = self.fitted_volumes("--on-mismatch", "resample", "--interpolation", how, output=how)
            np.testing.assert_array_equal(nib.load(out / "coef.nii.gz").affine, AFFINE)
        result = self.run_sturm("predict", "--model", "out", "--samples", "samples.tsv", "-o", "-")
        self.assertEqual(result.returncode, 3)
        self.assertIn("grid of the model", result.stderr)
        after = self.decisions("--on-mismatch", "resample", "--nan", "zero")
        same = [m for m in range(24) if m not in (0, 5, 7, 23)]
        self.assertEqual(after[same].tolist(), before[same].tolist())
        self.assertNotEqual(after[0], before[0])

    def test_one_volume_of_a_4d_file(self):
        expected = (self.fitted_volumes() / "coef.nii.gz").read_bytes()
        save(self.folder / "all.nii.gz", self.v.transpose(1, 2, 3, 0))
        self.samples("one.tsv", path=["all.nii.gz"] * 24)
        self.assert_refused(self.fit_volumes(samples="one.tsv", output="new"), 3, "all.nii.gz", "24 volumes", "'volume'")
        self.samples("four.tsv", path=["all.nii.gz"] * 24, volume=range(24))
        out = self.fitted_volumes(samples="four.tsv", output="four")
        self.assertEqual((out / "coef.nii.gz").read_bytes(), expected)


class MasksAndNaN(VolumeStudy):
    def test_masks(self):
        mask = np.zeros(SHAPE, np.uint8)
        mask[3:9, 3:11, 2:8] = 1
        save(self.folder / "mask.nii.gz", mask)
        flipped = nib.Nifti1Image(mask, AFFINE).as_reoriented([[0, -1], [1, 1], [2, 1]])
        nib.save(flipped, self.folder / "flipped.nii")
        first = load(self.fitted_volumes("--mask", "mask.nii.gz") / "coef.nii.gz")
        self.assertTrue((first[mask == 0] == 0).all() and (first != 0).any())
        np.testing.assert_array_equal(load(self.fitted_volumes("--mask", "flipped.nii", output="b") / "coef.nii.gz"), first)
        save(self.folder / "other.nii", mask[:-1])
        save(self.folder / "empty.nii", 0 * mask)
        self.before = self.listing()
        self.assert_refused(self.fit_volumes("--mask", "other.nii", output="c"), 3, "other.nii", "11x14x10", "12x14x10")
        self.assert_refused(self.fit_volumes("--mask", "empty.nii", output="c"), 3, "empty.nii", "empty mask")
        self.assert_refused(self.fit_volumes("--mask", "absent.nii", output="c"), 3, "absent.nii")

    def test_not_finite_outside_the_mask_is_zero_and_told(self):
        expected = self.fitted_volumes("--resize", 0.5)
        for m in (2, 9):
            self.v[m][~self.brain] = np.nan if m == 2 else np.inf
            save(self.folder / self.paths[m], self.v[m])
        result = self.fit_volumes("--resize", 0.5, output="nan")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{self.paths[2]} {(~self.brain).sum()} (0 in the mask)", result.stderr)
        self.assertEqual((self.folder / "nan/coef.nii.gz").read_bytes(), (expected / "coef.nii.gz").read_bytes())
        self.assertEqual(self.decisions(model="nan").tolist(), self.decisions(model="out").tolist())

    def test_not_finite_inside_the_mask_is_an_error_or_zero(self):
        save(self.folder / "mask.nii.gz", self.brain.astype(np.uint8))
        zeroed = self.v.copy()
        zeroed[4, 5, 6, 4] = zeroed[11, 5, 6, 4] = zeroed[11, 5, 7, 4] = 0
        for m in (4, 11):
            save(self.folder / self.paths[m], zeroed[m])
        expected = (self.fitted_volumes("--mask", "mask.nii.gz") / "coef.nii.gz").read_bytes()
        zeroed[4, 5, 6, 4], zeroed[11, 5, 6, 4], zeroed[11, 5, 7, 4] = np.nan, -np.inf, np.nan
        for m in (4, 11):
            save(self.folder / self.paths[m], zeroed[m])
        self.before = self.listing()
        self.assert_refused(self.fit_volumes("--mask", "mask.nii.gz", output="new"), 3, "--nan zero",
                            f"{self.paths[4]} (1 voxel)", f"{self.paths[11]} (2 voxels)")
        out = self.fitted_volumes("--mask", "mask.nii.gz", "--nan", "zero", output="zero")
        self.assertEqual((out / "coef.nii.gz").read_bytes(), expected)
        learnt = load(self.fitted_volumes(output="auto") / "coef.nii.gz")
        self.assertEqual((learnt[5, 6, 4], learnt[5, 7, 4]), (0, 0))


class Naming(VolumeStudy):
    def test_participants_and_bids_folders_give_the_same_fit(self):
        expected = (self.fitted_volumes() / "coef.nii.gz").read_bytes()
        root = self.folder / "bids"
        for name, path in zip(self.ids, self.paths):
            folder = root / name / "func"
            folder.mkdir(parents=True)
            shutil.copy(self.folder / path, folder / f"{name}_task-a_desc-con_stat.nii.gz")
            shutil.copy(self.folder / path, folder / f"{name}_task-b_desc-con_stat.nii.gz")
        write_table(root / "participants.tsv", participant_id=self.ids, score=self.score)
        target = ("--target", "score")
        image = "sub-{participant_id}/func/sub-{participant_id}_task-a_desc-con_stat.nii.gz"
        for output, arguments in {
            "template": ("--participants", "bids/participants.tsv", "--images", image),
            "entities": ("--bids", "bids", "--entities", "task-a_stat"),
        }.items():
            result = self.run_sturm("fit", *arguments, *target, "-o", output)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual((self.folder / output / "coef.nii.gz").read_bytes(), expected)
        self.before = self.listing()
        several = self.run_sturm("fit", "--bids", "bids", "--entities", "desc-con", *target, "-o", "new")
        self.assert_refused(several, 3, "24 problems", "several", "task-a", "task-b", "--entities", "--several")

    def test_every_missing_file_is_named(self):
        paths = list(self.paths)
        paths[3], paths[20], paths[21] = "absent.nii", "../escape.nii", "n/a"
        self.samples("bad.tsv", path=paths)
        self.assert_refused(self.fit_volumes(samples="bad.tsv"), 3, "bad.tsv, line 5, column path", "absent.nii",
                            "bad.tsv, line 22", "--allow-outside", "bad.tsv, line 23")

    def test_rows_without_a_target_need_no_file(self):
        score, paths = list(self.score), list(self.paths)
        score[3], paths[3] = "n/a", "absent.nii"
        self.samples("holes.tsv", path=paths, score=score)
        self.assert_refused(self.fit_volumes(samples="holes.tsv"), 3, "line 5", "--drop-missing")
        out = self.fitted_volumes("--drop-missing", samples="holes.tsv")
        self.assertEqual(facts(out)["n_samples"], 23)

    def test_flags_that_do_not_go_together(self):
        for arguments, word in {
            ("--array", "X.npy"): "--array",
            ("--labels", "one.tsv"): "--labels",
            ("--bids", "."): "--bids",
            ("--images", "x"): "--images",
            ("--resize", "0"): "--resize",
            ("--resize", "2"): "--resize",
            ("--nan", "maybe"): "--nan",
            ("--on-mismatch", "no"): "--on-mismatch",
        }.items():
            with self.subTest(arguments):
                self.assert_refused(self.fit_volumes(*arguments), 2, word)
        self.assert_refused(self.run_sturm("fit", "--participants", "samples.tsv", "-o", "out"), 2, "--images")
        self.assert_refused(self.fit("--resize", 0.5), 2, "--resize")


class Running(VolumeStudy):
    def test_the_cache_gives_the_same_and_follows_changes(self):
        def cached(output):
            result = self.fit_volumes("--cache", "kept", "--resize", 0.5, output=output)
            self.assertEqual(result.returncode, 0, result.stderr)
            return (self.folder / output / "coef.nii.gz").read_bytes(), "taken from" in result.stderr

        expected = (self.fitted_volumes("--resize", 0.5, output="plain") / "coef.nii.gz").read_bytes()
        self.assertEqual(cached("a"), (expected, False))
        array = np.load(next((self.folder / "kept").glob("*.npy")))
        with safe_open(self.folder / "plain/model.safetensors", "numpy") as model:
            inside = int((model.get_tensor("mask") != 0).sum())
        self.assertLess(inside, 6 * 7 * 5)
        self.assertTrue(array.flags.f_contiguous and array.shape == (24, inside, 1, 1), "the voxels of the mask alone")
        self.assertEqual(cached("b"), (expected, True))
        save(self.folder / self.paths[0], self.v[1])
        changed = cached("c")
        self.assertFalse(changed[1])
        self.assertNotEqual(changed[0], expected)
        save(self.folder / self.paths[0], self.v[0])
        for file in (self.folder / "kept").glob("*.npy"):
            file.write_bytes(file.read_bytes()[:1000])
        self.assertEqual(cached("d"), (expected, False))

    def test_memory_is_refused_before_anything_is_read(self):
        self.assert_refused(self.fit_volumes("--memory", "100K"), 3, "samples.tsv", "bytes of memory", "--resize")

    def test_volumes_that_break_off_are_all_named(self):
        for m in (1, 12):
            data = (self.folder / self.paths[m]).read_bytes()
            (self.folder / self.paths[m]).write_bytes(data[:len(data) // 2])
        self.assert_refused(self.fit_volumes(), 3, self.paths[1], self.paths[12])

    def test_odd_headers_are_told(self):
        save(self.folder / "volumes/long.nii", self.v[5])
        with open(self.folder / "volumes/long.nii", "ab") as file:
            file.write(b"what is this")
        self.samples(path=[*self.paths[:5], "volumes/long.nii", *self.paths[6:]])
        expected = (self.fitted_volumes(output="odd") / "coef.nii.gz").read_bytes()
        self.assertIn("1 volume has an odd header", self.fit_volumes(output="again").stderr)
        self.samples()
        self.assertEqual((self.fitted_volumes() / "coef.nii.gz").read_bytes(), expected)

    def test_a_model_of_volumes_takes_no_array_of_another_shape(self):
        self.fitted_volumes("--resize", 0.5)
        np.save(self.folder / "V.npy", self.v)
        self.before = self.listing()
        self.assert_refused(self.run_sturm("predict", "--model", "out", "--array", "V.npy", "-o", "p"), 3, "V.npy",
                            "12x14x10", "6x7x5")


@needs_shared("data/word_object/samples.tsv")
class WordObject(VolumeStudy):
    """96 real volumes of 91x109x91: the map lies on the brain, and raw volumes give the decisions of the fit."""

    def test_a_fit_at_half_size(self):
        table = SHARED / "data/word_object/samples.tsv"
        result = subprocess.run([STURM, "fit", "--samples", table, "--target", "condition", "--positive", "words",
                                 "--resize", "0.5", "-o", self.folder / "w"], capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        coef = load(self.folder / "w/coef.nii.gz")
        self.assertEqual(coef.shape, (91, 109, 91))
        rows = self.predicted(model="w", samples=table)
        brain = np.zeros(coef.shape, bool)
        for row in rows[::12]:
            volume = load(table.parent / row["path"])
            brain |= volume != 0
            # The map is float32, and 90,000 terms of up to 500 times it are added up.
            expected = (volume * coef).sum() + facts(self.folder / "w")["intercept"]
            self.assertAlmostEqual(float(row["decision"]), expected, delta=1e-5)
        support = coef != 0
        self.assertGreater(support.sum(), 100)
        self.assertGreaterEqual((support & brain).sum(), 0.99 * support.sum())


if __name__ == "__main__":
    unittest.main()
