#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Several classes: --classes in sturm fit, predict and cv, against scikit-learn and against what follows by hand."""
import json
import unittest

import nibabel
import numpy as np
from cv_study import contents, read_table
from safetensors.numpy import load_file
from sklearn.metrics import confusion_matrix, roc_auc_score
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight
from study import SHAPE, Study, write_table

NAMES = ["face", "house", "na\u00efve shoe", "word"]
EVERY = {"sturm": (), "remurs": (), "lasso": (), "enet": ("--l2", 10), "svm": ("--C", 0.01), "svm-rbf": (),
         "mmk": ("--rank", 2, "--sigma", 1), "dusk": ("--rank", 2, "--sigma", 1), "surf": ("--rank", 2),
         "ridge": ("--l2", 10), "dummy": (), "lasso+svm": ("--C", 0.1)}


class Classes(Study):
    """48 volumes of four classes, not as many of each, that differ in places of their own."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(5)
        self.label = np.array([0, 0, 0, 1, 1, 2, 2, 3] * 6)
        self.x = random.standard_normal((48, *SHAPE))
        for c in range(4):
            self.x[np.ix_(self.label == c, [c, c + 1], range(2, 5), range(1, 4))] += 0.9
        self.x = self.x.astype(np.float32)
        np.save(self.folder / "X.npy", self.x)
        self.rows = self.x.reshape(48, -1).astype(float)
        write_table(self.folder / "y.tsv", participant_id=[f"s{m:02}" for m in range(48)],
                    what=[NAMES[c] for c in self.label], number=[[3, 10, 20, 100][c] for c in self.label],
                    part=[f"p{m % 3}" for m in range(48)])
        self.before = self.listing()

    def fit_classes(self, *arguments, target="what", output="out"):
        return self.fitted("--target", target, "--classes", *arguments, labels="y.tsv", output=output)

    def predicted(self, model="out", output="predicted", target="what"):
        result = self.run_sturm("predict", "--model", model, "--array", "X.npy", "--labels", "y.tsv", "--target", target,
                                "-o", output)
        self.assertEqual(result.returncode, 0, result.stderr)
        return read_table(self.folder / output / "predictions.tsv"), result.stderr


class Fits(Classes):
    def test_svm_is_one_of_scikit_learn_a_class(self):
        weights = compute_sample_weight("balanced", self.label)
        for output, flags, sample_weight in (("plain", (), None), ("balanced", ("--balanced",), weights)):
            out = self.fit_classes("--method", "svm", "--C", 0.01, *flags, output=output)
            rows, words = self.predicted(output, f"{output}-p")
            coef = np.load(out / "coef.npy")
            self.assertEqual(coef.shape, (*SHAPE, 4))
            for c, name in enumerate(NAMES):
                theirs = SVC(kernel="linear", C=0.01, tol=1e-8).fit(self.rows, self.label == c, sample_weight)
                values = theirs.decision_function(self.rows)
                ours = np.array([float(row[f"decision_{name}"]) for row in rows])
                self.assertLess(np.abs(ours - values).max(), 1e-3 * np.abs(values).max())
                self.assertLess(np.abs(coef[..., c].ravel() - theirs.coef_[0]).max(), 1e-3 * np.abs(theirs.coef_).max())
            right = sum(row["predicted"] == row["actual"] for row in rows)
            self.assertIn(f"({right} of 48; 4 classes)", words)

    def test_every_method_says_the_class_of_its_largest_value(self):
        for method, flags in EVERY.items():
            with self.subTest(method):
                out = self.fit_classes("--method", method, *flags, output=f"fit-{method}")
                rows, _ = self.predicted(f"fit-{method}", f"predicted-{method}")
                values = np.array([[float(row[f"decision_{name}"]) for name in NAMES] for row in rows])
                self.assertEqual([row["predicted"] for row in rows], [NAMES[c] for c in values.argmax(1)])
                self.assertEqual([row["actual"] for row in rows], [NAMES[c] for c in self.label])
                np.testing.assert_array_equal([float(row["decision"]) for row in rows], values.max(1))
                right = np.mean(values.argmax(1) == self.label)
                if method == "dummy":
                    self.assertEqual(right, np.mean(self.label == 0))  # the most frequent class
                elif method not in ("mmk", "dusk"):
                    self.assertGreater(right, 0.7)
                facts = json.loads((out / "fit.json").read_text())
                self.assertEqual(facts["labels"], NAMES)
                self.assertEqual([one["class"] for one in facts["classes"]], NAMES)
                self.assertAlmostEqual(facts["objective"], sum(one["objective"] for one in facts["classes"]), 9)
                if method != "surf":
                    self.assertEqual(facts["relative_gap"], max(one["relative_gap"] for one in facts["classes"]))
                    self.assertLess(facts["relative_gap"], 1e-3)
                arrays = load_file(out / "model.safetensors")
                if "coef" in arrays:  # the model file alone gives the same values
                    self.assertEqual(arrays["coef"].shape, (4, *SHAPE))
                    again = self.rows @ arrays["coef"].reshape(4, -1).T + arrays["intercept"]
                    np.testing.assert_allclose(values, again, atol=1e-9)

    def test_each_class_is_what_a_fit_of_it_alone_gives(self):
        out = self.fit_classes("--method", "sturm", "--tau", 3, "--gamma", 2, "--gap", 1e-6)
        maps = np.load(out / "coef.npy")
        for c, name in enumerate(NAMES):
            alone = self.fitted("--target", "what", "--positive", name, "--tau", 3, "--gamma", 2, "--gap", 1e-6,
                                labels="y.tsv", output=f"alone-{c}")
            np.testing.assert_allclose(maps[..., c], np.load(alone / "coef.npy"), atol=1e-5)
        # Relative penalties: the largest that any class asks for.
        facts = json.loads((self.fit_classes("--strength", 1, output="zero") / "fit.json").read_text())
        self.assertEqual((facts["status"], facts["sparsity"]), ("zero_solution", 1))

    def test_numbers_are_classes_in_the_order_of_their_size(self):
        out = self.fit_classes("--method", "ridge", "--l2", 10, target="number")
        self.assertEqual(json.loads((out / "fit.json").read_text())["labels"], ["3", "10", "20", "100"])
        rows, _ = self.predicted(target="number")
        self.assertGreater(np.mean([row["predicted"] == row["actual"] for row in rows]), 0.9)

    def test_two_values_are_two_classes(self):
        write_table(self.folder / "y.tsv", what=np.where(self.label == 1, "b", "a"))
        facts = json.loads((self.fit_classes("--method", "svm") / "fit.json").read_text())
        self.assertEqual(facts["labels"], ["a", "b"])
        self.assertNotIn("classes", facts)
        self.assertEqual(np.load(self.folder / "out/coef.npy").shape, SHAPE)

    def test_a_map_has_a_volume_a_class(self):
        affine = np.diag([3, 3, 4, 1.0])
        for m in range(48):
            nibabel.save(nibabel.Nifti1Image(self.x[m], affine), self.folder / f"{m}.nii.gz")
        write_table(self.folder / "samples.tsv", path=[f"{m}.nii.gz" for m in range(48)],
                    what=[NAMES[c] for c in self.label])
        result = self.run_sturm("fit", "--samples", "samples.tsv", "--target", "what", "--classes", "--method", "ridge",
                                "--l2", 10, "--mask", "none", "-o", "volumes")
        self.assertEqual(result.returncode, 0, result.stderr)
        image = nibabel.load(self.folder / "volumes/coef.nii.gz")
        self.assertEqual(image.shape, (*SHAPE, 4))
        np.testing.assert_array_equal(image.affine, affine)
        array = np.load(self.fit_classes("--method", "ridge", "--l2", 10) / "coef.npy")
        np.testing.assert_allclose(image.get_fdata(), array, rtol=1e-4, atol=1e-6)

    def test_says_what_is_wrong(self):
        fit = lambda *words: self.fit(*words, "--target", "what", labels="y.tsv")
        self.assert_refused(fit("--classes", "--positive", "face"), 2, "--positive", "--classes")
        self.assert_refused(fit("--method", "svm"), 3, "--classes", "--positive")
        self.assert_refused(fit(), 3, "y.tsv", "what", "face, house", "--classes")
        self.assert_refused(self.fit("--classes", "--target", "participant_id", labels="y.tsv"), 3, "participant_id",
                            "every row")
        self.fit_classes("--method", "ridge", "--l2", 1)
        write_table(self.folder / "other.tsv", what=["face", "horse"] * 24)
        self.before = self.listing()
        result = self.run_sturm("predict", "--model", "out", "--array", "X.npy", "--labels", "other.tsv", "-o", "p")
        self.assert_refused(result, 3, "other.tsv, line 3, column what", "'horse'", "face, house")


class Probabilities(Classes):
    def test_are_sigmoids_of_the_decisions(self):
        for method in ("svm", "lasso", "svm-rbf"):
            out = self.fit_classes("--method", method, "--probabilities", output=f"fit-{method}")
            rows, _ = self.predicted(f"fit-{method}", f"predicted-{method}")
            values = np.array([[float(row[f"decision_{name}"]) for name in NAMES] for row in rows])
            facts = json.loads((out / "fit.json").read_text())["classes"]
            slope, offset = np.array([one["sigmoid"] for one in facts]).T
            raw = 1 / (1 + np.exp(slope * values + offset))
            found = np.array([[float(row[f"probability_{name}"]) for name in NAMES] for row in rows])
            np.testing.assert_allclose(found, raw / raw.sum(1, keepdims=True), atol=1e-12)
            self.assertGreater(found[np.arange(48), self.label].mean(), 0.5)
            if method != "svm-rbf":
                stored = load_file(out / "model.safetensors")["sigmoid"]
                np.testing.assert_array_equal(stored, np.stack([slope, offset], 1))
        out = self.fitted("--target", "what", "--positive", "face", "--method", "svm", "--probabilities", labels="y.tsv")
        slope, offset = json.loads((out / "fit.json").read_text())["sigmoid"]
        for row in self.predicted()[0]:
            value = 1 / (1 + np.exp(slope * float(row["decision"]) + offset))
            self.assertAlmostEqual(float(row["probability"]), value, 12)
        self.fit_classes("--method", "svm", output="none")
        self.assertNotIn("probability_face", self.predicted("none", "none-p")[0][0])

    def test_are_learnt_from_people_left_out(self):
        """Each volume twice under one name, with labels by chance: where both copies are seen, nothing is uncertain."""
        random = np.random.default_rng(8)
        x = np.repeat(random.standard_normal((30, *SHAPE)).astype(np.float32), 2, 0)
        np.save(self.folder / "X.npy", x)
        label = np.repeat(random.permutation(["a", "b"] * 15), 2)
        write_table(self.folder / "people.tsv", participant_id=np.repeat([f"s{m}" for m in range(30)], 2), what=label)
        write_table(self.folder / "rows.tsv", what=label)
        doubt = {}
        for table in ("people", "rows"):
            self.fitted("--positive", "a", "--target", "what", "--method", "svm", "--probabilities", labels=f"{table}.tsv",
                        output=table)
            result = self.run_sturm("predict", "--model", table, "--array", "X.npy", "-o", f"{table}-p")
            self.assertEqual(result.returncode, 0, result.stderr)
            values = [float(row["probability"]) for row in read_table(self.folder / f"{table}-p" / "predictions.tsv")]
            doubt[table] = np.mean(np.abs(np.array(values) - 0.5))
        self.assertLess(doubt["people"], 0.3)
        self.assertGreater(doubt["rows"], 0.45)

    def test_say_what_is_wrong(self):
        self.assert_refused(self.fit("--probabilities", "--target", "number", labels="y.tsv"), 2, "--probabilities")
        write_table(self.folder / "y.tsv", what=["a"] + ["b"] * 47)
        self.before = self.listing()
        result = self.fit("--probabilities", "--classes", "--method", "svm", labels="y.tsv")
        self.assert_refused(result, 3, "--probabilities", "one sample")


class CrossValidation(Classes):
    METHODS = "svm,lasso,lasso+svm,dummy"

    def run_cv(self, *arguments, output="cv"):
        result = self.run_sturm("cv", "--array", "X.npy", "--labels", "y.tsv", "--target", "what", "--classes", "--methods",
                                self.METHODS, "--outer", "column:part", "--inner", 3, "-o", output, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / output

    def test_results_follow_from_the_predictions(self):
        out = self.run_cv("--permutations", 2)
        facts = json.loads((out / "results.json").read_text())
        self.assertEqual((facts["labels"], facts["class_samples"]), (NAMES, [18, 12, 12, 6]))
        self.assertEqual((facts["chance"], facts["majority"]), (0.25, 18 / 48))
        predictions = read_table(out / "predictions.tsv")
        folds = read_table(out / "folds.tsv")
        self.assertNotIn("sensitivity", folds[0])
        for method, result in facts["methods"].items():
            rows = [row for row in predictions if row["method"] == method]
            self.assertEqual(len(rows), 48)
            values = np.array([[float(row[f"decision_{name}"]) for name in NAMES] for row in rows])
            actual = np.array([NAMES.index(row["actual"]) for row in rows])
            part = np.array([row["fold"] for row in rows])
            self.assertEqual([row["predicted"] for row in rows], [NAMES[c] for c in values.argmax(1)])
            accuracy, auc = [], []
            for fold in ("p0", "p1", "p2"):
                own = part == fold
                accuracy.append(np.mean(values[own].argmax(1) == actual[own]))
                auc.append(np.mean([roc_auc_score(actual[own] == c, values[own, c]) for c in range(4)]))
            self.assertAlmostEqual(result["accuracy"], np.mean(accuracy), 12)
            self.assertAlmostEqual(result["auc"], np.mean(auc), 12)
            matrix = confusion_matrix(actual, values.argmax(1))
            self.assertEqual(result["confusion"]["matrix"], matrix.tolist())
            recall = matrix.diagonal() / matrix.sum(1)
            self.assertAlmostEqual(result["pooled_balanced_accuracy"], recall.mean(), 12)
        self.assertGreater(facts["methods"]["svm"]["accuracy"], 0.6)
        self.assertAlmostEqual(facts["methods"]["dummy"]["pooled_accuracy"], 18 / 48, 12)
        self.assertLess(abs(facts["methods"]["svm"]["null_mean"] - 0.3), 0.2)

    def test_the_map_is_that_of_a_fit_with_the_same_setting(self):
        out = self.run_cv()
        facts = json.loads((out / "results.json").read_text())["methods"]["lasso"]["all_samples"]
        fit = self.fit_classes("--method", "lasso", "--gamma", facts["gamma"])
        maps = np.load(out / "map_lasso.npy")
        self.assertEqual(maps.shape, (*SHAPE, 4))
        np.testing.assert_allclose(maps, np.load(fit / "coef.npy"), atol=1e-5)
        # Stability: the share of the folds in which any class uses the voxel.
        stability = np.load(out / "stability_lasso.npy")
        np.testing.assert_allclose(stability * 3, np.round(stability * 3), atol=1e-6)

    def test_parts_give_the_same_bytes(self):
        whole = contents(self.run_cv("--no-report"))
        for part in ("1/2", "2/2"):
            self.run_cv("--no-report", "--shard", part, output="parts")
        parts = contents(self.folder / "parts")
        for name in whole:
            if name != "data.json":  # it holds the command
                self.assertEqual(whole[name], parts[name], name)

    def test_a_score_of_a_regression_is_refused(self):
        result = self.run_sturm("cv", "--array", "X.npy", "--labels", "y.tsv", "--target", "what", "--classes", "--methods",
                                "svm", "--score", "r2", "-o", "cv")
        self.assert_refused(result, 2, "--score r2", "--classes")

    def test_check_knows_classes(self):
        result = self.run_sturm("check", "--array", "X.npy", "--labels", "y.tsv", "--target", "what", "--classes")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        plain = self.run_sturm("check", "--array", "X.npy", "--labels", "y.tsv", "--target", "what")
        self.assertIn("--classes", plain.stdout + plain.stderr)


if __name__ == "__main__":
    unittest.main()
