#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Support vector machines that predict a number, against scikit-learn's SVR; in cross-validation against the same by hand."""
import csv
import json
import unittest

import numpy as np
from cv_study import CvStudy, read_table
from sklearn.svm import SVR
from study import SHAPE, Study, write_table


class Numbers(Study):
    """Forty volumes whose sum over a corner is the target, with noise, and twenty more to predict."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(4)
        self.x = (100 + random.standard_normal((60, *SHAPE))).astype(np.float32)
        self.target = 500 + 3 * self.x[:, :2, :2, :2].sum((1, 2, 3)) + 4 * random.standard_normal(60)
        self.target = self.target.round(3)
        self.weights = 0.5 + random.random(60).round(2)
        for name, rows in {"train": slice(0, 40), "test": slice(40, 60)}.items():
            np.save(self.folder / f"{name}.npy", self.x[rows])
            write_table(self.folder / f"{name}.tsv", weight=self.weights[rows], score=self.target[rows])
        self.rows = self.x.reshape(60, -1).astype(float)
        self.rows -= self.rows[:40].mean(0)  # changes nothing but the digits that scikit-learn has to work with
        self.sd = self.target[:40].std()

    def run_method(self, method, *arguments, output="out"):
        """The fit, and its predictions of all sixty volumes."""
        out = self.fitted("--method", method, "--target", "score", *arguments, array="train.npy", labels="train.tsv",
                          output=output)
        values = []
        for part in ("train", "test"):
            result = self.run_sturm("predict", "--model", output, "--array", f"{part}.npy", "--labels", f"{part}.tsv",
                                    "-o", f"{output}-{part}")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(self.folder / f"{output}-{part}" / "predictions.tsv", newline="") as file:
                values += [float(row["predicted"]) for row in csv.DictReader(file, delimiter="\t")]
        return out, np.array(values)

    def assert_like(self, ours, theirs):
        """Theirs keeps its kernel in single precision."""
        self.assertLess(np.abs(ours - theirs).max(), 1e-3 * self.sd)


class AgainstScikitLearn(Numbers):
    def test_linear(self):
        for k, (c, tube) in enumerate(((1e-3, 0.1), (0.05, 0.1), (1, 0), (1, 0.5), (100, 0.1), (100, 1))):
            theirs = SVR(kernel="linear", C=c, epsilon=tube * self.sd, tol=1e-8).fit(self.rows[:40], self.target[:40])
            out, values = self.run_method("svm", "--C", c, "--tube", tube, output=f"l{k}")
            self.assert_like(values, theirs.predict(self.rows))
            coef = np.load(out / "coef.npy").ravel()
            self.assertLess(np.abs(coef - theirs.coef_[0]).max(), 1e-3 * np.abs(theirs.coef_).max())
            facts = json.loads((out / "fit.json").read_text())
            # The proof, from the files alone.
            loss = np.maximum(0, np.abs(self.target[:40] - values[:40]) - tube * self.sd).sum()
            objective = coef @ coef / 2 + c * loss
            self.assertAlmostEqual(facts["objective"] / objective, 1, places=6)
            self.assertEqual(facts["parameters"], {"C": c, "tube": tube})
            self.assertLess(facts["relative_gap"], 1e-6)
            self.assertGreaterEqual(objective, facts["dual"] * (1 - 1e-9))

    def test_weights(self):
        weights = self.weights[:40]
        mean = weights @ self.target[:40] / weights.sum()
        sd = np.sqrt(weights @ (self.target[:40] - mean) ** 2 / weights.sum())
        theirs = SVR(kernel="linear", C=0.05, epsilon=0.1 * sd, tol=1e-8)
        _, values = self.run_method("svm", "--C", 0.05, "--weights", "weight")
        self.assert_like(values, theirs.fit(self.rows[:40], self.target[:40], weights).predict(self.rows))

    def test_rbf(self):
        squared = ((self.rows[:40, None] - self.rows[None, :40]) ** 2).sum(2)[np.triu_indices(40, 1)]
        median = np.sort(squared)[squared.size // 2] ** 0.5
        for k, (c, width) in enumerate(((1, 1), (30, 2), (1e3, 1))):
            theirs = SVR(kernel="rbf", C=c, gamma=1 / (2 * (width * median) ** 2), epsilon=0.1 * self.sd, tol=1e-8)
            _, values = self.run_method("svm-rbf", "--C", c, "--width", width, output=f"r{k}")
            self.assert_like(values, theirs.fit(self.rows[:40], self.target[:40]).predict(self.rows))

    def test_on_the_voxels_that_lasso_chose(self):
        lasso, _ = self.run_method("lasso", "--gamma", 40, output="first")
        chosen = np.flatnonzero(np.load(lasso / "coef.npy").ravel())
        self.assertGreater(len(chosen), 3)
        theirs = SVR(kernel="linear", C=1, epsilon=0.1 * self.sd, tol=1e-8)
        _, values = self.run_method("lasso+svm", "--gamma", 40, "--eta", 100, "--C", 1)
        self.assert_like(values, theirs.fit(self.rows[:40][:, chosen], self.target[:40]).predict(self.rows[:, chosen]))

    def test_the_unit_of_the_target_does_not_matter(self):
        """y = 1e-6 y0 + shift with C in proportion: the same machine, to the digits that a large shift leaves."""
        _, plain = self.run_method("svm", "--C", 0.05, output="plain")
        _, hard = self.run_method("svm", "--C", 1e4, "--tube", 0, output="hard")  # goes through all training targets
        _, wide = self.run_method("svm-rbf", "--C", 50, output="wide")
        for k, (unit, shift) in enumerate(((1e-6, 0), (1e6, 0), (1, 1e9), (1e-6, -1e3))):
            write_table(self.folder / "train.tsv", score=[repr(unit * y + shift) for y in self.target[:40]])
            write_table(self.folder / "test.tsv", score=[repr(unit * y + shift) for y in self.target[40:]])
            for method, c, tube, expected in (("svm", 0.05, 0.1, plain), ("svm", 1e4, 0, hard), ("svm-rbf", 50, 0.1, wide)):
                out, values = self.run_method(method, "--C", repr(c * unit), "--tube", tube, output=f"{method}{c}{k}")
                facts = json.loads((out / "fit.json").read_text())
                self.assertEqual(facts["status"], "converged")
                self.assertLess(facts["relative_gap"], 1e-6)
                np.testing.assert_allclose((values - shift) / unit, expected, rtol=0, atol=1e-3 * self.sd)

    def test_targets_of_one_and_minus_one_are_numbers_unless_classes_are_asked_for(self):
        sign = np.where(self.target[:40] > np.median(self.target[:40]), 1.0, -1.0)
        write_table(self.folder / "train.tsv", score=sign)
        write_table(self.folder / "test.tsv", score=np.ones(20))
        theirs = SVR(kernel="linear", C=0.01, epsilon=0.1 * sign.std(), tol=1e-8).fit(self.rows[:40], sign)
        _, values = self.run_method("svm", "--C", 0.01)
        self.assertLess(np.abs(values - theirs.predict(self.rows)).max(), 1e-3)

    def test_a_tube_is_a_number_from_0_and_not_for_classes(self):
        for arguments, words in ((("--tube", -1), "--tube"), (("--tube", "nan"), "--tube"),
                                 (("--tube", 0.1, "--classes"), "classes")):
            result = self.run_sturm("fit", "--array", "train.npy", "--labels", "train.tsv", "--target", "score",
                                    "--method", "svm", *arguments, "-o", "none")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertFalse((self.folder / "none").exists())


class CrossValidated(CvStudy):
    def test_nested_by_hand(self):
        """Each outer fold's predictions are those of the SVR with the C that results.json says was chosen."""
        self.results("--target", "score", "--positive", "", methods="svm,svm-rbf,lasso+svm,mmk")
        rows = self.x.reshape(len(self.x), -1).astype(float)
        table = read_table(self.folder / "y.tsv")
        target = np.array([float(row["score"]) for row in table])
        found = {}
        for row in read_table(self.folder / "out/predictions.tsv"):
            found.setdefault(row["method"], []).append(row)
        self.assertEqual(set(found), {"svm", "svm-rbf", "lasso+svm", "mmk"})
        folds = [row for row in read_table(self.folder / "out/folds.tsv") if row["method"] == "svm"]
        self.assertEqual(len(folds), 3)
        actual = np.array([float(row["actual"]) for row in found["svm"]])
        self.assertGreater(np.corrcoef(actual, [float(row["decision"]) for row in found["svm"]])[0, 1], 0.5)
        for fold in folds:
            c = float(fold["setting"].split("=")[1]) if "=" in fold["setting"] else float(fold["setting"])
            test = np.array([part == fold["fold"] for part in self.part])
            y = target[~test]
            theirs = SVR(kernel="linear", C=c, epsilon=0.1 * y.std(), tol=1e-8).fit(rows[~test], y)
            ours = sorted(float(row["decision"]) for row in found["svm"] if row["fold"] == fold["fold"])
            np.testing.assert_allclose(ours, np.sort(theirs.predict(rows[test])), rtol=0, atol=1e-3 * y.std())


if __name__ == "__main__":
    unittest.main()
