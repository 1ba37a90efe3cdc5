#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Forward patterns of sturm fit and sturm cv: the formula of Haufe et al. (2014) in NumPy, from the files of the volumes and
the map that the program wrote. And the readable maps of cv: their files, numbers and bits."""
import json
import subprocess
import unittest

import numpy as np
from cv_study import CvStudy, contents, read_table
from study import STURM, write_table
from volumes import SHAPE, VolumeStudy, load, save

WEIGHTS = "1 2 0 1".split()


def tents(size, small):
    """Rows: what a coarse voxel takes of the fine ones (docs: a tent as wide as two coarse voxels)."""
    step = size / small
    out = np.zeros((small, size))
    for j in range(small):
        centre = (j + 0.5) * step - 0.5
        out[j] = np.clip(1 - np.abs(np.arange(size) - centre) / max(1, step), 0, None)
        out[j] /= out[j].sum()
    return out


def shrunk(volumes, factor):
    small = [int(np.floor(n * factor + 0.5 + 1e-9)) for n in volumes.shape[-3:]]
    a, b, c = (tents(n, s) for n, s in zip(volumes.shape[-3:], small))
    return np.einsum("ai,bj,ck,...ijk->...abc", a, b, c, volumes, optimize=True)


def on_grid(coarse, shape):
    """Each voxel has the value of the coarse voxel that holds its middle."""
    index = [(2 * np.arange(n) + 1) * m // (2 * n) for n, m in zip(shape, coarse.shape)]
    return coarse[np.ix_(*index)]


def forward_pattern(x, w, weights=None):
    """Cov(X) w / Var(X w) by the covariance matrix itself; x is samples x voxels."""
    weights = np.ones(len(x)) if weights is None else np.asarray(weights, float)
    centred = x - np.average(x, axis=0, weights=weights)
    covariance = (centred * weights[:, None]).T @ centred / weights.sum()
    return covariance @ w / (w @ covariance @ w)


def unit_norm(x):
    x = x - x.mean(1, keepdims=True)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


class Patterns(VolumeStudy):
    """With a mask; the volumes have a mean of 50, as images do. Files are float32, hence 1e-5 of the largest value."""

    def setUp(self):
        super().setUp()
        self.v += 50
        self.v[:, ~self.brain] = np.random.default_rng(8).standard_normal((24, int((~self.brain).sum()))) * 100
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)
        save(self.folder / "brain.nii.gz", self.brain.astype(np.uint8))
        self.age = np.random.default_rng(9).uniform(20, 60, 24)
        self.samples(age=self.age, weight=[WEIGHTS[m % 4] for m in range(24)],
                     site=[("a", "b", "c")[m % 3] for m in range(24)])
        self.x = np.stack([load(self.folder / path) for path in self.paths])

    def sturm(self, command, output, *arguments):
        result = self.run_sturm(command, "--samples", "samples.tsv", "-o", output, "--mask", "brain.nii.gz", "--precision",
                                "f64", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / output

    def seen(self, factor=1, normalize="none"):
        """The volumes as the coefficients multiply them, and the mask that they lie in."""
        masked = self.x * self.brain
        mask = self.brain if factor == 1 else shrunk(self.brain.astype(float), factor) >= 0.5
        x = (masked if factor == 1 else shrunk(masked, factor))[:, mask]
        return (unit_norm(x) if normalize == "sample" else x), mask

    def expected(self, w, factor=1, normalize="none", weights=None, confounds=None):
        x, mask = self.seen(factor, normalize)
        if confounds is not None:
            design = np.column_stack([np.ones(len(x)), confounds])
            x = x - (design @ np.linalg.lstsq(design, x, rcond=None)[0])
        found = np.zeros(mask.shape)
        found[mask] = forward_pattern(x, w[mask], weights)
        return found if factor == 1 else on_grid(found, SHAPE) * self.brain

    def assert_close(self, found, expected):
        self.assertEqual(found.shape, expected.shape)
        self.assertGreater(np.abs(expected).max(), 0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())

    def test_of_a_fit(self):
        for method, factor, normalize, extra in (
                ("sturm", 1, "none", []), ("sturm", 0.5, "none", []), ("svm", 1, "voxel", []), ("svm", 0.5, "sample", []),
                ("lasso", 1, "sample", []), ("lasso+svm", 1, "none", []), ("ridge", 0.5, "voxel", []),
                ("remurs", 1, "none", ["--weights", "weight"]), ("surf", 1, "none", [])):
            with self.subTest(f"{method} {factor} {normalize}"):
                name = f"{method}-{factor}-{normalize}-{len(extra)}"
                out = self.sturm("fit", name, "--target", "group", "--positive", "patient", "--method", method, "--resize",
                                 factor, "--normalize", normalize, *extra)
                w = load(out / ("coef.nii.gz" if factor == 1 else "coef_resized.nii.gz"))
                weights = [int(WEIGHTS[m % 4]) for m in range(24)] if extra else None
                self.assert_close(load(out / "pattern.nii.gz"), self.expected(w, factor, normalize, weights))

    def test_of_several_classes(self):
        out = self.sturm("fit", "out", "--target", "site", "--classes", "--method", "svm")
        w, found = load(out / "coef.nii.gz"), load(out / "pattern.nii.gz")
        self.assertEqual(found.shape, (*SHAPE, 3))
        for c in range(3):
            self.assert_close(found[..., c], self.expected(w[..., c]))

    def test_of_a_cross_validation(self):
        for factor, normalize, confounds in ((1, "none", None), (0.5, "voxel", None), (1, "voxel", "age"), (1, "sample", None)):
            with self.subTest(f"{factor} {normalize} {confounds}"):
                out = self.sturm("cv", f"cv-{factor}-{normalize}-{confounds}", "--target", "group", "--positive", "patient",
                                 "--methods", "svm,lasso,lasso+svm,svm-rbf,dummy", "--outer", 3, "--inner", 2, "--resize", factor,
                                 "--normalize", normalize, *(["--confounds", confounds] if confounds else []), "--no-report")
                for method in ("svm", "lasso", "lasso+svm"):
                    w = load(out / f"map_{method}.nii.gz")
                    if factor != 1:
                        # The same decision values as the coarse coefficients: the pattern is their covariance with them.
                        x, mask = self.seen(factor, normalize)
                        d = (self.x * w).sum((1, 2, 3))
                        expected = np.zeros(mask.shape)
                        expected[mask] = (x - x.mean(0)).T @ (d - d.mean()) / ((d - d.mean()) ** 2).sum()
                        expected = on_grid(expected, SHAPE) * self.brain
                    else:
                        expected = self.expected(w, factor, normalize, confounds=self.age if confounds else None)
                    self.assert_close(load(out / f"pattern_{method}.nii.gz"), expected)
                self.assertFalse((out / "pattern_svm-rbf.nii.gz").exists(), "no coefficients")
                self.assertFalse((out / "pattern_dummy.nii.gz").exists(), "it says the same of all samples")

    def test_choosing_gives_the_same(self):
        flags = ["--target", "group", "--positive", "patient", "--inner", 2, "--confounds", "age"]
        cv = self.sturm("cv", "cv", *flags, "--methods", "lasso", "--outer", 3, "--no-report")
        fit = self.sturm("fit", "fit", *flags, "--method", "lasso", "--choose")
        np.testing.assert_array_equal(load(fit / "pattern.nii.gz"), load(cv / "pattern_lasso.nii.gz"))


class Readable(CvStudy):
    methods = "lasso,sturm,sturm+svm,svm"

    def test_it_is_the_sparsest_near_the_best(self):
        """By its definition, from grid.tsv; its map is there, as sparse as is told, and proven."""
        files = self.results()
        out = self.folder / "out"
        found = json.loads(files["results.json"])["methods"]
        grid = [row for row in read_table(out / "grid.tsv") if row["fold"] == "all"]
        self.assertNotIn("readable", found["svm"])
        self.assertNotIn("readable", found["sturm+svm"])
        for method in ("lasso", "sturm"):
            told = found[method]["readable"]
            rows = [row for row in grid if row["method"] == method]
            scores = [np.array([float(s) for s in row["scores"].split(",")]) for row in rows]
            best = max(scores, key=np.mean)
            error = best.std(ddof=1) / np.sqrt(len(best))
            self.assertAlmostEqual(told["best_score"], best.mean(), 12)
            reach = best.mean() - error
            near = [float(row["sparsity_in_mask"]) for row, s in zip(rows, scores)
                    if s.mean() >= reach - 1e-9 and float(row["sparsity_in_mask"]) < 1]
            mine = [row for row in rows if row["setting"] ==
                    " ".join(f"{name}={told[name]!r}" for name in ("tau", "gamma") if name in told)]
            self.assertEqual(len(mine), 1, told)
            self.assertAlmostEqual(float(mine[0]["sparsity_in_mask"]), max(near), 12)
            self.assertAlmostEqual(float(mine[0]["score"]), told["inner_score"], 12)
            if len({tuple(s) for s in scores if s.mean() >= best.mean() - 1e-12}) == 1:
                self.assertAlmostEqual(told["standard_error"], error, 12)
            values = np.load(out / f"readable_{method}.npy")
            self.assertAlmostEqual((values == 0).mean(), told["sparsity_in_mask"], 12)
            self.assertLessEqual(told["relative_gap"], 1e-3)
            self.assertEqual(told["same_as_chosen"], mine[0]["chosen"] == "1")
            self.assertEqual(told["same_as_chosen"],
                             np.array_equal(values, np.load(out / f"map_{method}.npy")))

    def test_the_same_bits_in_parts_and_with_any_threads(self):
        self.assertEqual(*[{k: v for k, v in self.results("--threads", n, "--no-report", output=f"t{n}", methods="sturm,lasso",
                                                         ).items() if k != "data.json"} for n in (1, 2)])
        for part in ("1/2", "2/2"):
            result = self.run_cv("--shard", part, "--no-report", "--work", "shared", methods="sturm,lasso", output="parts")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({k: v for k, v in contents(self.folder / "parts").items() if k != "data.json"},
                         {k: v for k, v in contents(self.folder / "t1").items() if k != "data.json"})

    def test_a_dry_run_counts_its_fit(self):
        """Each setting in three inner folds and the model chosen, in three folds and of all samples; and one more model."""
        said = self.run_cv("--dry-run", methods="lasso").stdout
        self.results("--no-report", methods="lasso")
        settings = sum(row["fold"] == "all" for row in read_table(self.folder / "out/grid.tsv"))
        self.assertRegex(said, rf"lasso +{4 * (3 * settings + 1) + 1} ")

    def test_with_one_standard_error_it_is_the_chosen_one(self):
        found = json.loads(self.results("--one-standard-error", "--no-report", methods="lasso")["results.json"])
        self.assertTrue(found["methods"]["lasso"]["readable"]["same_as_chosen"])
        np.testing.assert_array_equal(np.load(self.folder / "out/readable_lasso.npy"), np.load(self.folder / "out/map_lasso.npy"))

    def test_stability_is_agreement_on_the_sign(self):
        """A dense map is not stable because it is dense. Each fold is a fit with its setting, on the samples of two parts."""
        self.results("--no-report", methods="svm")
        stable = np.load(self.folder / "out/stability_svm.npy")
        self.assertLess(stable.mean(), 0.95, "the noise has no sign that folds agree on")
        signs = []
        for row in read_table(self.folder / "out/folds.tsv"):
            train = np.array([part != row["fold"] for part in self.part])
            table = read_table(self.folder / "y.tsv")
            np.save(self.folder / "part.npy", self.x[train])
            keep = [line for line, here in zip(table, train) if here]
            write_table(self.folder / "part.tsv", **{key: [line[key] for line in keep] for key in keep[0]})
            subprocess.run([STURM, "fit", "--array", "part.npy", "--labels", "part.tsv", "--target", "group", "--positive",
                            "patient", "--method", "svm", "--C", row["setting"].split("=")[1], "-o", "one", "--force"],
                           cwd=self.folder, check=True, capture_output=True)
            signs.append(np.sign(np.load(self.folder / "one/coef.npy")))
        expected = np.abs(np.sum(signs, axis=0)) / len(signs)
        # Samples in another order are another rounding: a weight of nearly 0 may have another sign.
        self.assertGreater((np.abs(stable - expected) < 1e-6).mean(), 0.97)


if __name__ == "__main__":
    unittest.main()
