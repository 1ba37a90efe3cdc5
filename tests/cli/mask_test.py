#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A mask: what it saves, and that files and predictions are those of the box."""
import json
import os
import subprocess
import unittest

import nibabel as nib
import numpy as np
from every_method_test import EXPECTED, FLAGS
from safetensors import safe_open
from study import Study, names_in
from volumes import SHAPE, VolumeStudy, load, save


def arrays(path):
    with safe_open(path, "numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}


class PeakMemory(Study):
    """60 volumes of 61x73x61, of which the mask holds a tenth."""

    def setUp(self):
        super().setUp()
        info = self.run_sturm("info").stdout
        if "sanitize" in info:
            self.skipTest("skipped: sanitizers have memory of their own")
        self.assertEqual(self.run_sturm("phantom", "-o", "study", "--subjects", 60, "--seed", 3).returncode, 0)
        image = nib.load(self.folder / "study/mask.nii.gz")
        brain = np.asarray(image.dataobj) != 0
        places = np.meshgrid(*(np.linspace(-1, 1, n) for n in brain.shape), indexing="ij")
        far = np.where(brain, sum(place ** 2 for place in places), np.inf)
        self.mask = far <= np.partition(far.ravel(), brain.size // 10)[brain.size // 10]
        save(self.folder / "mask.nii.gz", self.mask.astype(np.uint8), image.affine)

    def peak(self, *arguments):
        """The most bytes that a run of the program had in memory, the program itself among them."""
        with open(self.folder / "log", "wb") as log:
            child = subprocess.Popen(self.command(*arguments), cwd=self.folder, stdout=log, stderr=log)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0, (self.folder / "log").read_text())
        return usage.ru_maxrss * 1024

    def test_it_stays_below_a_design_of_the_box(self):
        """Two threads, since each reads a volume of its own; of the sum, a tenth of the design is 6.5 MB."""
        box = 60 * self.mask.size * 4
        for method in ("sturm", "lasso", "svm"):
            with self.subTest(method):
                peak = self.peak("fit", "--samples", "study/samples.tsv", "--target", "group", "--positive", "patient",
                                 "--method", method, "--mask", "mask.nii.gz", "--threads", 2, "-o", method)
                self.assertLess(peak, box)
                image = nib.load(self.folder / method / "coef.nii.gz")
                coef = np.asarray(image.dataobj)
                self.assertEqual(coef.shape, (61, 73, 61))
                self.assertTrue((coef[~self.mask] == 0).all() and (coef[self.mask] != 0).any())
                facts = json.loads((self.folder / method / "fit.json").read_text())
                self.assertEqual(facts["shape"], [61, 73, 61])
                # Shares of the box and of the mask: quotients of whole numbers, each rounded once or twice.
                kept = np.count_nonzero(arrays(self.folder / method / "model.safetensors")["coef"])
                self.assertAlmostEqual(facts["sparsity"], 1 - kept / self.mask.size, delta=1e-15)
                self.assertAlmostEqual(facts["sparsity_in_mask"], 1 - kept / self.mask.sum(), delta=1e-15)
                peak = self.peak("predict", "--model", method, "--samples", "study/samples.tsv", "--threads", 2, "-o",
                                 f"{method}-p")
                self.assertLess(peak, box)


class Decisions(VolumeStudy):
    """With a mask, at half the size, every volume at mean 0 and norm 1 over the mask."""

    def setUp(self):
        super().setUp()
        self.v[:, ~self.brain] = np.random.default_rng(8).standard_normal((24, int((~self.brain).sum()))) * 100
        self.v[3, 0, 0, 0] = np.nan
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)
        save(self.folder / "brain.nii.gz", self.brain.astype(np.uint8))
        self.samples()
        self.sign = np.array([1 if group == "patient" else -1 for group in self.groups])

    def fit_masked(self, name, *arguments, output=None):
        output = output or name
        result = self.run_sturm("fit", "--samples", "samples.tsv", "--target", "group", "--positive", "patient",
                                "--method", name, *FLAGS.get(name, []), "--mask", "brain.nii.gz", "--resize", 0.5,
                                "--normalize", "sample", "--precision", "f64", "-o", output, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / output

    def seen(self):
        """The samples that the fits saw, from the cache: one row each, at mean 0 and norm 1."""
        x = np.load(next((self.folder / "kept").glob("*.npy"))).reshape(24, -1, order="F")
        x = x - x.mean(1, keepdims=True)
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    def test_predictions_are_those_of_the_fit(self):
        """Predict reads the volumes anew. Linear methods: the map times what the fit saw; doubles, hence 1e-10. Kernels:
        the support vectors between the bounds lie on the margin, to the 1e-6 that machines are solved to."""
        for name in EXPECTED:
            with self.subTest(name):
                out = self.fit_masked(name, "--cache", "kept")
                decision = self.decisions("--precision", "f64", model=out)
                model, facts = arrays(out / "model.safetensors"), json.loads((out / "fit.json").read_text())
                inside = (model["mask"] != 0).ravel(order="F")
                x = self.seen()
                self.assertEqual((model["mask"].shape, x.shape), ((6, 7, 5), (24, int(inside.sum()))))
                self.assertLess(inside.sum(), inside.size)
                if "coef" in model:
                    coef = model["coef"].ravel(order="F")
                    self.assertTrue((coef[~inside] == 0).all())
                    np.testing.assert_allclose(x @ coef[inside] + facts["intercept"], decision, rtol=0, atol=1e-10)
                    self.assertEqual(load(out / "coef.nii.gz").shape, SHAPE)
                    self.assertEqual(load(out / "coef_resized.nii.gz").shape, (6, 7, 5))
                else:
                    weight = np.abs(model["support_coef"])
                    free = np.count_nonzero((weight > 0) & (weight < 0.999 * facts["parameters"]["C"]))
                    self.assertGreater(free, 0, "nothing to compare")
                    self.assertGreaterEqual(np.count_nonzero(np.abs(self.sign * decision - 1) < 1e-6), free)
                self.assertEqual(sorted(set(names_in(out)) & {"coef.nii.gz", "coef_resized.nii.gz"}),
                                 ["coef.nii.gz", "coef_resized.nii.gz"] if "coef" in model else [])

    def test_what_lies_outside_the_mask_does_not_matter(self):
        """The same bytes, whatever stands outside."""
        for name in ("sturm", "svm", "svm-rbf", "mmk", "surf"):
            self.fit_masked(name, output=f"{name}-a")
        expected = {name: self.decisions(model=f"{name}-a") for name in ("svm", "mmk")}
        self.v[:, ~self.brain] = np.inf
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)
        for name in ("sturm", "svm", "svm-rbf", "mmk", "surf"):
            self.fit_masked(name, output=f"{name}-b")
            a, b = (arrays(self.folder / f"{name}-{way}" / "model.safetensors") for way in "ab")
            for key in a:
                np.testing.assert_array_equal(a[key], b[key], f"{name} {key}")
        for name, values in expected.items():
            np.testing.assert_array_equal(self.decisions(model=f"{name}-a"), values)

    def test_a_model_of_zeros_gives_its_intercept(self):
        out = self.fit_masked("lasso", "--strength", 1.01)
        facts = json.loads((out / "fit.json").read_text())
        self.assertEqual(facts["sparsity"], 1)
        np.testing.assert_array_equal(self.decisions(model=out), np.full(24, facts["intercept"]))


class Threads(VolumeStudy):
    def test_a_fit_has_the_same_bytes(self):
        save(self.folder / "brain.nii.gz", self.brain.astype(np.uint8))
        for name in EXPECTED:
            for flags in ((), ("--mask", "brain.nii.gz", "--normalize", "sample", "--resize", 0.5)):
                found = []
                for threads in (1, 2, 3):
                    out = self.fitted_volumes("--method", name, *FLAGS.get(name, []), *flags, "--threads", threads,
                                              "--force")
                    facts = json.loads((out / "fit.json").read_text())
                    del facts["seconds"]
                    found.append({path.name: path.read_bytes() for path in out.iterdir()
                                  if path.name in ("coef.nii.gz", "coef_resized.nii.gz", "model.safetensors")}
                                 | {"fit.json": facts})
                self.assertIn("model.safetensors", found[0])
                for other in found[1:]:
                    self.assertEqual(found[0].keys(), other.keys())
                    for key in other:
                        self.assertTrue(found[0][key] == other[key], f"{name} {flags} {key}")

    def test_a_fit_to_many_voxels_has_the_same_bytes(self):
        """A mask of 60,000 voxels: work is cut into many pieces."""
        self.assertEqual(self.run_sturm("phantom", "-o", "study", "--subjects", 20, "--seed", 5).returncode, 0)
        for name in ("sturm", "lasso", "svm", "svm-rbf"):
            found = []
            for threads in (1, 2, 3):
                result = self.run_sturm("fit", "--samples", "study/samples.tsv", "--target", "group", "--positive",
                                        "patient", "--method", name, "--threads", threads, "-o", "out", "--force")
                self.assertEqual(result.returncode, 0, result.stderr)
                found.append((self.folder / "out/model.safetensors").read_bytes())
            self.assertTrue(found[0] == found[1] == found[2], name)

    def test_cross_validation_has_the_same_bytes(self):
        found = []
        for threads in (1, 2, 3):
            result = self.run_sturm("cv", "--samples", "samples.tsv", "--target", "group", "--positive", "patient",
                                    "--methods", "sturm,sturm+svm,lasso,svm,dusk", "--outer", 3, "--inner", 2,
                                    "--resize", 0.5, "--threads", threads, "-o", f"t{threads}", "--work", f"w{threads}")
            self.assertEqual(result.returncode, 0, result.stderr)
            found.append({path.name: path.read_bytes() for path in (self.folder / f"t{threads}").iterdir()
                          if path.suffix in (".json", ".tsv", ".gz", ".md")})
        for name in ("results.json", "predictions.tsv", "grid.tsv", "map_sturm.nii.gz", "map_svm.nii.gz"):
            self.assertIn(name, found[0])
        for other in found[1:]:
            self.assertEqual(found[0].keys(), other.keys())
            for name in other:
                self.assertTrue(found[0][name] == other[name], name)


if __name__ == "__main__":
    unittest.main()
