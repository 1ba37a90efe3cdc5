#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of fits, of regressions, of phantoms, and of studies that are large."""
import json
import unittest

import nibabel as nib
import numpy as np
from cv_study import read_table
from report_page import EMPTY, Page, values
from report_study import Reports
from scipy import ndimage
from study import write_table


class OtherStudies(Reports):
    def test_a_fit(self):
        self.sturm("fit", "--array", "X.npy", "--labels", "y.tsv", "--target", "group", "--positive", "patient", "-o", "fit")
        page = Page((self.folder / "fit/report.html").read_text())
        facts = json.loads((self.folder / "fit/fit.json").read_text())
        study, [method] = page.study, page.study["methods"]
        self.assertEqual((study["kind"], method["name"], method["scores"]), ("fit", "sturm", {}))
        self.assertEqual(method["final"]["relative_gap"], facts["relative_gap"])
        self.assertEqual(method["sparsity"]["mean"], facts["sparsity"])
        self.assertEqual(len(method["trace"]), len(read_table(self.folder / "fit/trace.tsv")))
        self.assertIn("sturm cv", study["verdict"])
        self.assertEqual({v["kind"] for v in study["volumes"]}, {"map", "pattern", "background"})
        self.assertIn("A weight is not an activation", study["sentences"]["pattern"])
        self.assertNotIn(str(facts["seconds"]), json.dumps(study))

    def test_a_method_without_a_map(self):
        self.sturm("fit", "--array", "X.npy", "--labels", "y.tsv", "--target", "group", "--positive", "patient",
                   "--method", "svm-rbf", "-o", "fit")
        page = Page((self.folder / "fit/report.html").read_text())
        self.assertEqual((page.study["missing"], page.study["methods"][0]["clusters"]), ([], []))

    def test_a_regression_with_one_method(self):
        out = self.cv("--target", "score", "--positive", "", methods="ridge")
        page = Page((out / "report.html").read_text())
        self.assertEqual((page.study["score"], page.study["target"]["positive"], page.study["chance"]), ("r2", None, None))
        self.assertEqual(set(page.method("ridge")["scores"]), {"r2", "correlation", "mean_absolute_error"})
        self.assertEqual(page.method("ridge")["interval"], page.method("ridge")["scores"]["r2"]["interval"])
        self.assertIn("R²", page.study["verdict"])
        tube = "ignored errors below 0.25 standard deviations"
        self.assertNotIn(tube, json.dumps(page.study))
        out_of_svm = self.cv("--target", "score", "--positive", "", "--tube", 0.25, methods="svm,dummy", output="svm")
        self.assertIn(tube, json.dumps(Page((out_of_svm / "report.html").read_text()).study))
        self.sturm("report", "out", "--figures", "figures")
        self.assertTrue((self.folder / "figures/scatter.svg").exists())

    def test_no_report(self):
        self.assertNotIn("report.html", self.results("--no-report", variables=self.variables))

    def test_the_truth_of_a_phantom(self):
        self.sturm("phantom", "-o", "study", "--subjects", 20, "--size", "12x14x12", "-q")
        self.sturm("fit", "--samples", "study/samples.tsv", "--target", "group", "--positive", "patient", "-o", "fit")
        page = Page((self.folder / "fit/report.html").read_text())
        truth = values(nib.load(self.folder / "study/truth.nii.gz"))
        np.testing.assert_allclose(values(page.volume("truth")), truth, atol=np.abs(truth).max() * (1 / 254 + 1e-6))
        for name, value in (("voxels", "12x14x12"), ("orientation", "LAS")):
            self.assertIn({"name": name, "value": value}, page.study["data"]["facts"])

    def test_samples_that_were_left_out(self):
        table = read_table(self.folder / "y.tsv")
        for row in table[:2]:
            row["group"] = "n/a"
        write_table(self.folder / "y.tsv", **{key: [row[key] for row in table] for key in table[0]})
        page = Page((self.cv("--drop-missing", methods="svm") / "report.html").read_text())
        self.assertEqual(page.study["data"]["excluded"], 2 * [{"sample": "sub-00", "reason": "no value of group"}])
        self.assertTrue(any("2 rows without a value" in warning for warning in page.study["data"]["warnings"]))


class Size(Reports):
    def test_ten_methods_at_two_millimetres(self):
        """Maps of 91x109x91, some of them without a zero, with stability maps and folds: below 8 MB with a page of 2.5."""
        shape, random = (91, 109, 91), np.random.default_rng(7)
        out = self.folder / "large"
        out.mkdir()
        i, j, k = np.ogrid[:91, :109, :91]
        brain = ((i - 45) / 36) ** 2 + ((j - 54) / 45) ** 2 + ((k - 45) / 38) ** 2 <= 1
        affine = np.array([[-2.0, 0, 0, 90], [0, 2, 0, -126], [0, 0, 2, -72], [0, 0, 0, 1]])

        def save(name, data):
            nib.save(nib.Nifti1Image(np.asarray(data, np.float32), affine), out / f"{name}.nii.gz")

        methods = {}
        for m in range(10):
            name = f"m{m}"
            methods[name] = {"title": name, "accuracy": 0.5 + 0.04 * m, "sparsity": 0.9}
            if m < 4:  # as dense as an SVM's
                save(f"map_{name}", random.standard_normal(shape) * brain)
                save(f"stability_{name}", brain)
            else:
                blobs = ndimage.gaussian_filter(random.standard_normal(shape), 4) * brain
                kept = np.abs(blobs) > np.quantile(np.abs(blobs[brain]), 0.8)
                save(f"map_{name}", np.where(kept, blobs, 0))
                save(f"stability_{name}", np.where(kept, random.integers(1, 11, shape) / 10, 0))
        save("background", ndimage.gaussian_filter(random.standard_normal(shape), 2) * brain + 5 * brain)
        (out / "results.json").write_text(json.dumps({"score": "accuracy", "samples": 100, "target": "t", "labels": ["a", "b"],
                                                      "outer_folds": 10, "methods": methods}))
        (self.folder / "page.html").write_text(EMPTY.replace("<main>", "<main>" + "x" * 2_500_000))
        page = self.report("large")
        self.assertLess((self.folder / "page-out.html").stat().st_size, 8_000_000)
        kinds = [volume["kind"] for volume in page.study["volumes"]]
        self.assertEqual((kinds.count("map"), kinds.count("background")), (10, 1))
        self.assertEqual(kinds.count("stability") + len(page.study["left_out"]), 10)
        for sentence in page.study["left_out"]:
            self.assertIn("Share of folds", sentence)


if __name__ == "__main__":
    unittest.main()
