#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm cv: its numbers, its honesty, and what it refuses."""
import json
import subprocess
import unittest

import numpy as np
from cv_study import PEOPLE, CvStudy, contents, read_table
from study import STURM


def rows_of(table, **wanted):
    return [row for row in table if all(row[key] == value for key, value in wanted.items())]


class Numbers(CvStudy):
    def test_results_follow_from_the_predictions(self):
        """Accuracy, AUC and their spread recomputed by NumPy from predictions.tsv."""
        files = self.results()
        out = self.folder / "out"
        facts = json.loads(files["results.json"])
        predictions = read_table(out / "predictions.tsv")
        self.assertEqual(list(facts["methods"]), self.methods.split(","))
        for method, result in facts["methods"].items():
            rows = rows_of(predictions, method=method)
            self.assertEqual(len(rows), 2 * PEOPLE)
            accuracy, auc = [], []
            for part in ("p0", "p1", "p2"):
                fold = rows_of(rows, fold=part)
                accuracy.append(np.mean([row["actual"] == row["predicted"] for row in fold]))
                up = [float(row["decision"]) for row in fold if row["actual"] == "patient"]
                down = [float(row["decision"]) for row in fold if row["actual"] == "control"]
                auc.append(np.mean([(u > d) + (u == d) / 2 for u in up for d in down]))
                self.assertTrue(all((float(r["decision"]) >= 0) == (r["predicted"] == "patient") for r in fold))
            self.assertAlmostEqual(result["accuracy"], np.mean(accuracy), 12)
            self.assertAlmostEqual(result["accuracy_sd"], np.std(accuracy, ddof=1), 12)
            self.assertAlmostEqual(result["auc"], np.mean(auc), 12)
            self.assertAlmostEqual(result["pooled_accuracy"], np.mean([r["actual"] == r["predicted"] for r in rows]), 12)
            low, high = result["pooled_accuracy_interval"]
            self.assertTrue(low < result["pooled_accuracy"] < high or result["pooled_accuracy"] == high == 1)
        self.assertEqual((facts["chance"], facts["majority"], facts["samples"]), (0.5, 0.5, 2 * PEOPLE))
        self.assertGreater(facts["methods"]["sturm"]["accuracy"], 0.8)  # the signal is strong

    def test_the_chosen_setting_is_the_best_of_the_grid(self):
        self.results()
        grid, folds = (read_table(self.folder / "out" / name) for name in ("grid.tsv", "folds.tsv"))
        for fold in folds:
            points = rows_of(grid, method=fold["method"], fold=fold["fold"])
            best = max(float(point["score"]) for point in points)
            chosen = [point for point in points if point["chosen"] == "1"]
            self.assertEqual(len(chosen), 1)
            self.assertEqual((float(chosen[0]["score"]), chosen[0]["setting"]), (best, fold["setting"]))
            tied = [point for point in points if float(point["score"]) == best]
            self.assertEqual(float(chosen[0]["sparsity"]), max(float(point["sparsity"]) for point in tied))
            self.assertAlmostEqual(np.mean([float(s) for s in chosen[0]["scores"].split(",")]), best, 12)

    def test_maps_are_those_of_a_fit_with_the_same_setting(self):
        """sturm fit on all samples with the setting that was chosen gives the map."""
        facts = json.loads(self.results()["results.json"])
        chosen = facts["methods"]["sturm"]["all_samples"]
        subprocess.run([STURM, "fit", "--array", "X.npy", "--labels", "y.tsv", "--target", "group", "--positive",
                        "patient", "--tau", repr(chosen["tau"]), "--gamma", repr(chosen["gamma"]), "-o", "fit"],
                       cwd=self.folder, check=True, capture_output=True)
        ours, theirs = np.load(self.folder / "out/map_sturm.npy"), np.load(self.folder / "fit/coef.npy")
        # In float32, and with the samples in another order: that of their names.
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5 * np.abs(theirs).max())
        share = np.load(self.folder / "out/stability_sturm.npy")
        self.assertTrue(set(np.round(share * 3, 9).ravel()) <= {0, 1, 2, 3})

    def test_a_regression(self):
        facts = json.loads(self.results("--target", "score", "--positive", "", methods="lasso,ridge")["results.json"])
        self.assertIn("r2", facts["methods"]["ridge"])
        result = self.run_cv("--target", "score", "--positive", "", "--tube", -1, output="other")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--tube", result.stderr)

    def test_permutations_give_a_p_value(self):
        facts = json.loads(self.results("--permutations", 19, methods="svm")["results.json"])
        null = [float(row["score"]) for row in read_table(self.folder / "out/null.tsv")]
        self.assertEqual(len(null), 19)
        observed = facts["methods"]["svm"]["accuracy"]
        self.assertAlmostEqual(facts["methods"]["svm"]["permutation_p"], (1 + sum(n >= observed for n in null)) / 20)
        self.assertEqual(facts["permuted"], "whole groups of equal size")  # both volumes of a person have one label
        self.assertLess(abs(np.mean(null) - 0.5), 0.15)

    def test_the_papers_protocol(self):
        facts = json.loads(self.results("--preset", "paper", "--inner", 2, methods="sturm,sturm+svm")["results.json"])
        self.assertEqual(facts["settings"]["solver"], "paper")
        self.assertEqual(facts["methods"]["sturm"]["inner_fits"], 3 * 2 * 169)
        self.assertGreater(facts["methods"]["sturm"]["inner_worst_gap"], 0)

    def test_a_dry_run_writes_nothing(self):
        before = sorted(p.name for p in self.folder.iterdir())
        result = self.run_cv("--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sturm, sturm+svm", result.stdout)
        self.assertRegex(result.stdout, r"svm +88 ")  # 7 settings in 3 inner folds and the model chosen, 4 times
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)


class Honesty(CvStudy):
    """What is learnt for a fold may not depend on the samples that it is tested on."""

    methods = "svm,svm-rbf,lasso,enet,remurs,sturm,lasso+svm,enet+svm,remurs+svm,sturm+svm,mmk,dusk,surf,ridge,dummy"
    learnt = ["resize", "setting", "inner_score", "objective", "relative_gap", "iterations", "sparsity",
              "sparsity_in_mask", "tubal_rank"]

    def model_of_fold(self, output, part):
        """All that is known of the models of a fold, to the last digit."""
        folds = rows_of(read_table(self.folder / output / "folds.tsv"), fold=part)
        grid = rows_of(read_table(self.folder / output / "grid.tsv"), fold=part)
        return [[row[key] for key in ["method", *self.learnt]] for row in folds], grid

    def test_neither_labels_nor_volumes_of_the_test_samples_are_looked_at(self):
        arguments = ["--mask", "auto", "--normalize", "voxel", "--confounds", "age"]
        for part in ("p0", "p2"):
            test = np.array([p == part for p in self.part])
            random = np.random.default_rng(5)
            label = self.label.copy()
            label[test] = np.repeat(random.permutation(label[test][::2]), 2)
            noise = self.x.copy()
            noise[test] = 7 * random.standard_normal(noise[test].shape) + 100
            self.write("labels-", label=label)
            self.write("noise-", x=noise)
            for name in ("", "labels-", "noise-"):
                self.results(*arguments, name=name, output=f"{name}{part}")
            self.assertEqual(self.model_of_fold(part, part), self.model_of_fold(f"labels-{part}", part))
            self.assertEqual(self.model_of_fold(part, part), self.model_of_fold(f"noise-{part}", part))
            self.assertNotEqual(self.model_of_fold(part, "p1"), self.model_of_fold(f"noise-{part}", "p1"))

    def test_the_order_of_the_rows_does_not_matter(self):
        order = np.random.default_rng(6).permutation(2 * PEOPLE)
        self.write("shuffled-", order=order)
        first, second = self.results(), self.results(name="shuffled-", output="other")
        for name in ("data.json", "report.html"):  # they name the files
            self.assertEqual(first.pop(name, None) is None, second.pop(name, None) is None)
        self.assertEqual(first, second)

    def test_people_stay_together(self):
        self.results("--outer", 4, methods="svm")
        folds = {}
        for row in read_table(self.folder / "out/predictions.tsv"):
            folds.setdefault(row["participant_id"], set()).add(row["fold"])
        self.assertEqual((len(folds), max(len(f) for f in folds.values())), (PEOPLE, 1))
        self.results("--outer", 4, "--groups", "none", methods="svm", output="apart")
        apart = {}
        for row in read_table(self.folder / "apart/predictions.tsv"):
            apart.setdefault(row["participant_id"], set()).add(row["fold"])
        self.assertGreater(max(len(f) for f in apart.values()), 1)


class Refusals(CvStudy):
    methods = "svm,lasso"

    def refused(self, code, *words, **options):
        before = {p.name for p in self.folder.iterdir()}
        result = self.run_cv(*options.pop("arguments", []), **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1], r"^sturm: ")
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual({p.name for p in self.folder.iterdir()} - before, set())

    def test_another_study_in_the_same_folder_is_named(self):
        first = self.results()
        self.refused(3, "--inner", "3", "now 2", arguments=["--inner", 2, "-o", "new", "--work", "out.work"])
        self.assertEqual(contents(self.folder / "out"), first)
        noise = self.x + 1
        self.write("other-", x=noise)
        self.refused(3, "the volumes", arguments=["-o", "new", "--work", "out.work"], name="other-")

    def test_a_finished_study_is_left_alone(self):
        first = self.results()
        again = self.run_cv()
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("already", again.stderr)
        self.assertEqual(contents(self.folder / "out"), first)

    def test_usage(self):
        self.refused(2, "lazzo", methods="lazzo")
        self.refused(2, "--resize", arguments=["--resize", "2"])
        self.refused(3, "nothing", arguments=["--confounds", "nothing"])
        self.refused(3, "--outer", arguments=["--outer", "19"])
        self.refused(2, "--score", arguments=["--score", "r2"])
        self.refused(2, "--rho", arguments=["--rho", "-1"])
        self.refused(2, "--shard", arguments=["--shard", "5/4"])


if __name__ == "__main__":
    unittest.main()
