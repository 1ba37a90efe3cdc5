#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every method of `sturm info --methods`, fitted and used for predictions, on arrays and on volumes."""
import json
import unittest

import numpy as np
from study import write_table
from volumes import VolumeStudy

# Sound values for the flags without one of their own.
FLAGS = {"enet": ["--l2", 10], "enet+svm": ["--l2", 10], "ridge": ["--l2", 100], "mmk": ["--rank", 1, "--sigma", 3],
         "dusk": ["--rank", 2, "--sigma", 3], "surf": ["--rank", 2]}
EXPECTED = ["sturm", "remurs", "lasso", "enet", "svm", "svm-rbf", "mmk", "dusk", "surf", "ridge", "dummy",
            "sturm+svm", "remurs+svm", "lasso+svm", "enet+svm"]


class EveryMethod(VolumeStudy):
    def setUp(self):
        super().setUp()
        np.save(self.folder / "V.npy", self.v)
        np.save(self.folder / "brain.npy", self.brain)
        write_table(self.folder / "labels.tsv", group=self.groups, score=self.score)
        self.methods = json.loads(self.run_sturm("info", "--methods", "--json").stdout)

    def fit_both(self, name, *target):
        """The decisions of the training volumes, after a fit to volumes and after one to an array of the same."""
        flags = ["--method", name, *target, *FLAGS.get(name, [])]
        ways = {"v": (["--samples", "samples.tsv"], []),
                "a": (["--array", "V.npy", "--labels", "labels.tsv"], ["--mask", "brain.npy"])}
        decisions = {}
        for way, (source, mask) in ways.items():
            out = f"{name}-{target[1]}-{way}"
            result = self.run_sturm("fit", *source, *mask, *flags, "-o", out)
            self.assertEqual(result.returncode, 0, result.stderr)
            facts = json.loads((self.folder / out / "fit.json").read_text())
            self.assertEqual(facts["method"], name)
            self.assertIn(facts["status"], ("converged", "zero_solution"))
            result = self.run_sturm("predict", "--model", out, *source, "-o", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = [line.split("\t") for line in result.stdout.splitlines()]
            column = rows[0].index("decision")
            decisions[way] = np.array([float(row[column]) for row in rows[1:]])
        return decisions

    def fit_classes(self, name, *flags, output):
        return self.run_sturm("fit", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--method",
                              name, *flags, "-o", output)

    def test_all_are_there(self):
        self.assertEqual([method["name"] for method in self.methods], EXPECTED)

    def test_two_classes(self):
        patient = np.array([group == "patient" for group in self.groups])
        for method in self.methods:
            name = method["name"]
            with self.subTest(name):
                decisions = self.fit_both(name, "--target", "group", "--positive", "patient")
                # The same numbers by two ways: the design has another order in memory, and sums round.
                np.testing.assert_allclose(decisions["a"], decisions["v"], rtol=0, atol=1e-5)
                if name != "dummy":
                    self.assertGreaterEqual(np.mean((decisions["v"] >= 0) == patient), 0.9)

    def test_regression(self):
        for method in self.methods:
            name = method["name"]
            with self.subTest(name):
                decisions = self.fit_both(name, "--target", "score")
                np.testing.assert_allclose(decisions["a"], decisions["v"], rtol=0, atol=1e-5)
                if name != "dummy":
                    self.assertGreater(np.corrcoef(decisions["v"], self.score)[0, 1], 0.8)

    def test_the_support_of_a_kernel_is_told(self):
        for name in ("svm-rbf", "mmk", "dusk"):
            self.fit_classes(name, *FLAGS.get(name, []), output=name)
            described = json.loads(self.run_sturm("info", f"{name}/model.safetensors", "--json").stdout)
            self.assertEqual(described["method"], name)
            self.assertGreater(described["support_vectors"], 0)

    def test_strength_is_relative_to_the_zero_point(self):
        """At 1.01 times it everything is zero, at 0.9 times it something is not."""
        for name in ("sturm", "remurs", "lasso", "enet"):
            for strength, zero in ((1.01, True), (0.9, False)):
                out = f"{name}-{strength}"
                result = self.fit_volumes("--method", name, "--strength", strength, *FLAGS.get(name, []), output=out)
                self.assertEqual(result.returncode, 0, result.stderr)
                facts = json.loads((self.folder / out / "fit.json").read_text())
                self.assertEqual(facts["sparsity"] == 1, zero, (name, strength))

    def test_a_rank_too_large_for_the_memory_is_refused(self):
        result = self.fit_classes("mmk", "--rank", 900, "--sigma", 1, "--memory", "200M", output="refused")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("--rank 900", result.stderr)


if __name__ == "__main__":
    unittest.main()
