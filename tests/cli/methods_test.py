#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm fit --method, sturm predict and sturm info --methods; support vector machines against scikit-learn's."""
import csv
import json
import unittest

import numpy as np
from safetensors import safe_open
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from study import SHAPE, Study, names_in, write_table

CLASSES = ("--target", "group", "--positive", "patient")


def read_json(folder):
    return json.loads((folder / "fit.json").read_text())


def decisions(path):
    with open(path / "predictions.tsv", newline="") as file:
        return np.array([float(row["decision"]) for row in csv.DictReader(file, delimiter="\t")])


class Classes(Study):
    """Forty volumes of two classes that overlap, and twenty more to predict."""

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(2)
        self.labels = np.where(np.arange(60) % 3 == 0, 1, -1)
        x = 100 + random.standard_normal((60, *SHAPE))
        x[self.labels > 0, :3, :3] += 0.3
        self.x = x.astype(np.float32)
        self.weights = 0.5 + random.random(60).round(2)
        for name, rows in {"train": slice(0, 40), "test": slice(40, 60)}.items():
            np.save(self.folder / f"{name}.npy", self.x[rows])
            write_table(self.folder / f"{name}.tsv", weight=self.weights[rows],
                        group=["patient" if value > 0 else "control" for value in self.labels[rows]])
        self.before = self.listing()

    def run_method(self, method, *arguments, output="out"):
        """The fit, and its predictions of all sixty volumes."""
        out = self.fitted("--method", method, *CLASSES, *arguments, array="train.npy", labels="train.tsv", output=output)
        values = []
        for part in ("train", "test"):
            result = self.run_sturm("predict", "--model", output, "--array", f"{part}.npy", "--labels", f"{part}.tsv",
                                    "-o", f"{output}-{part}")
            self.assertEqual(result.returncode, 0, result.stderr)
            values.append(decisions(self.folder / f"{output}-{part}"))
        return out, np.concatenate(values)

    def seen(self, normalize="none"):
        """All sixty volumes as rows, normalised as the forty training ones say."""
        x = self.x.reshape(60, -1).astype(float)
        if normalize == "sample":
            x -= x.mean(1, keepdims=True)
            x /= np.linalg.norm(x, axis=1, keepdims=True)
        if normalize == "voxel":
            x = StandardScaler().fit(x[:40]).transform(x)
        return x

    def assert_like(self, ours, theirs):
        """Theirs stops at violations of 1e-8 of the margin but keeps its kernel in single precision, ours at 1e-9."""
        self.assertLess(np.abs(ours - theirs).max(), 1e-3 * np.abs(theirs).max())


class AgainstScikitLearn(Classes):
    def test_linear_for_every_c(self):
        x = self.seen()
        x -= x[:40].mean(0)  # changes nothing but the digits that scikit-learn has to work with
        for k, c in enumerate((1e-3, 1e-2, 0.1, 1, 10, 1e3)):
            theirs = SVC(kernel="linear", C=c, tol=1e-8).fit(x[:40], self.labels[:40])
            out, values = self.run_method("svm", "--C", c, output=f"c{k}")
            self.assert_like(values, theirs.decision_function(x))
            coef = np.load(out / "coef.npy")
            self.assertLess(np.abs(coef.ravel() - theirs.coef_[0]).max(), 1e-3 * np.abs(theirs.coef_).max())
            np.testing.assert_array_less(read_json(out)["relative_gap"], 1e-3)
            # The support vectors are the samples on their margin or inside it.
            ours = set(np.flatnonzero(values[:40] * self.labels[:40] < 1 + 1e-5))
            self.assertEqual(ours, set(np.flatnonzero(
                theirs.decision_function(x[:40]) * self.labels[:40] < 1 + 1e-5)))
            self.assertLessEqual(set(theirs.support_), ours)

    def test_precomputed_is_the_same(self):
        x = self.seen()
        x -= x[:40].mean(0)
        for k, c in enumerate((1e-3, 0.1, 10, 1e3)):
            theirs = SVC(kernel="precomputed", C=c, tol=1e-8).fit(x[:40] @ x[:40].T, self.labels[:40])
            _, values = self.run_method("svm", "--C", c, output=f"p{k}")
            self.assert_like(values, theirs.decision_function(x @ x[:40].T))

    def test_normalised(self):
        for normalize, c in (("sample", 100), ("voxel", 0.01)):
            x = self.seen(normalize)
            theirs = SVC(kernel="linear", C=c, tol=1e-8).fit(x[:40], self.labels[:40])
            _, values = self.run_method("svm", "--C", c, "--normalize", normalize, output=normalize)
            self.assert_like(values, theirs.decision_function(x))

    def test_rbf_for_every_c_and_the_support_vectors_in_its_file(self):
        x = self.seen()
        squared = ((x[:40, None] - x[None, :40]) ** 2).sum(2)[np.triu_indices(40, 1)]
        median = np.sort(squared)[squared.size // 2] ** 0.5
        for k, (c, width) in enumerate(((1e-3, 1), (1, 0.5), (1, 2), (10, 1), (1e3, 1))):
            gamma = 1 / (2 * (width * median) ** 2)
            theirs = SVC(kernel="rbf", C=c, gamma=gamma, tol=1e-8).fit(x[:40] - 100, self.labels[:40])
            out, values = self.run_method("svm-rbf", "--C", c, "--width", width, output=f"r{k}")
            self.assert_like(values, theirs.decision_function(x - 100))
            with safe_open(out / "model.safetensors", "numpy") as model:
                support, coef = model.get_tensor("support"), model.get_tensor("support_coef")
            rows = [int(np.flatnonzero((self.x == volume).all((1, 2, 3)))[0]) for volume in support]
            large = {row for row, value in zip(rows, coef) if abs(value) > 1e-6 * c}
            self.assertEqual(large, {row for row, value in zip(theirs.support_, theirs.dual_coef_[0])
                                     if abs(value) > 1e-6 * c})

    def test_weights_of_samples_and_of_classes(self):
        x = self.seen()
        x -= x[:40].mean(0)
        theirs = SVC(kernel="linear", C=0.01, tol=1e-8)
        _, values = self.run_method("svm", "--C", 0.01, "--weights", "weight")
        self.assert_like(values, theirs.fit(x[:40], self.labels[:40], self.weights[:40]).decision_function(x))
        theirs = SVC(kernel="linear", C=0.01, tol=1e-8, class_weight="balanced").fit(x[:40], self.labels[:40])
        _, values = self.run_method("svm", "--C", 0.01, "--balanced", output="balanced")
        self.assert_like(values, theirs.decision_function(x))


class Methods(Classes):
    def test_sturm_plus_svm_is_an_svm_on_the_voxels_that_sturm_chose(self):
        sturm, _ = self.run_method("sturm", "--tau", 0.5, "--gamma", 2, output="first")
        chosen = np.load(sturm / "coef.npy").ravel()
        kept = np.argsort(-np.abs(chosen), kind="stable")[:int(np.ceil(np.count_nonzero(chosen) / 2))]
        x = self.seen()[:, kept]
        x -= x[:40].mean(0)
        theirs = SVC(kernel="linear", C=0.1, tol=1e-8).fit(x[:40], self.labels[:40])
        out, values = self.run_method("sturm+svm", "--tau", 0.5, "--gamma", 2, "--eta", 50, "--C", 0.1)
        self.assert_like(values, theirs.decision_function(x))
        facts = read_json(out)
        self.assertEqual(facts["parameters"], {"tau": 0.5, "gamma": 2, "eta": 50, "C": 0.1})
        self.assertEqual((facts["tau"], facts["gamma"]), (0.5, 2))
        self.assertEqual(np.count_nonzero(np.load(out / "coef.npy")), kept.size)

    def test_what_a_method_does_not_have_is_null(self):
        out, _ = self.run_method("svm-rbf")
        facts = read_json(out)
        for key in ("tau", "gamma", "alpha", "sparsity", "sparsity_in_mask", "tubal_rank"):
            self.assertIsNone(facts[key], key)
        self.assertEqual((facts["method"], facts["n_samples"], facts["shape"]), ("svm-rbf", 40, list(SHAPE)))
        self.assertEqual(facts["parameters"], {"C": 1, "width": 1})
        self.assertEqual(names_in(out), ["background.npy", "data.json", "fit.json", "model.safetensors", "trace.tsv"])
        described = json.loads(self.run_sturm("info", "out/model.safetensors", "--json").stdout)
        self.assertGreater(described["support_vectors"], 0)

    def test_flags_of_other_methods_are_refused(self):
        def fit(*arguments):
            return self.fit(*CLASSES, *arguments, array="train.npy", labels="train.tsv")
        self.assert_refused(fit("--method", "svn"), 2, "svn", "svm-rbf", "sturm+svm")
        self.assert_refused(fit("--method", "svm", "--width", 1), 2, "--width", "--C")
        self.assert_refused(fit("--method", "sturm", "--C", 1), 2, "--C", "--tau, --gamma")
        self.assert_refused(fit("--method", "svm", "--strength", 0.1), 2, "--strength")
        self.assert_refused(fit("--method", "sturm+svm", "--tau", 1), 2, "--gamma is missing")
        self.assert_refused(fit("--method", "svm", "--C", -1), 2, "--C")
        self.assert_refused(fit("--method", "lasso", "--balance", 0.5), 2, "--balance")
        self.assert_refused(fit("--method", "lasso", "--gamma", 1, "--strength", 0.5), 2, "--gamma", "--strength")
        self.assert_refused(fit("--method", "lasso", "--solver", "paper"), 2, "--solver paper", "remurs")
        self.assert_refused(fit("--method", "mmk", "--rank", 1), 2, "--sigma is missing")
        self.assert_refused(fit("--method", "mmk", "--rank", 1.5, "--sigma", 1), 2, "--rank")
        self.assert_refused(fit("--method", "svm", "--no-intercept"), 2, "--no-intercept")
        self.assert_refused(self.fit("--method", "lasso", "--tube", 0.1), 2, "--tube")
        self.assert_refused(self.fit("--balanced"), 2, "--positive")

    def test_info_lists_every_method(self):
        methods = json.loads(self.run_sturm("info", "--methods", "--json").stdout)
        names = [method["name"] for method in methods]
        self.assertLessEqual({"svm", "svm-rbf", "sturm", "sturm+svm"}, set(names))
        table = self.run_sturm("info", "--methods").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in table[1:]], names)
        for method in methods:
            self.assertEqual(set(method), {"name", "title", "parameters", "reference"})
            help_text = self.run_sturm("fit", "--help").stdout
            for parameter in method["parameters"]:
                self.assertIn("--" + parameter["name"] + " ", help_text)


if __name__ == "__main__":
    unittest.main()
