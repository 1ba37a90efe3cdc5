#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The models that sturm cv leaves, fits that choose their setting or take confounds out, and what predict says of them."""
import json
import subprocess
import unittest

import numpy as np
from cv_study import PEOPLE, CvStudy, read_table
from study import STURM, write_table
from volumes import VolumeStudy, save

EVERY = "svm,svm-rbf,lasso,enet,remurs,sturm,lasso+svm,enet+svm,remurs+svm,sturm+svm,mmk,dusk,surf,ridge,dummy"


def digits(rows):
    """What is said of each person's samples, as it is written; a person's samples in any order."""
    found = {}
    for row in rows:
        values = tuple(value for key, value in row.items() if key.startswith("decision") or key == "predicted")
        found.setdefault(row["participant_id"], []).append(values)
    return {person: sorted(values) for person, values in found.items()}


class Program:
    def sturm(self, *arguments, code=0):
        result = subprocess.run([STURM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def predictions(self, model, *source):
        text = self.sturm("predict", "--model", model, *source, "-o", "-").stdout.splitlines()
        return [dict(zip(text[0].split("\t"), line.split("\t"))) for line in text[1:]]

    def assert_models_say_what_was_noted(self, output, methods, *source):
        """sturm predict, with the model of each method, gives the digits of fitted.tsv."""
        noted = read_table(self.folder / output / "fitted.tsv")
        for method in methods.split(","):
            with self.subTest(f"{output} {method}"):
                mine = [row for row in noted if row["method"] == method]
                said = self.predictions(f"{output}/model_{method}.safetensors", *source)
                self.assertEqual(len(said), len(mine))
                self.assertEqual(digits(said), digits(mine))


class Arrays(Program, CvStudy):
    methods = EVERY
    source = ("--array", "X.npy", "--labels", "y.tsv")

    def test_every_model_says_what_was_noted(self):
        """Two classes with learnt masks, scaled voxels and confounds of numbers and words; then a regression."""
        self.results("--mask", "auto", "--normalize", "voxel", "--confounds", "age,part", "--outer", 3, "--inner", 2)
        self.assert_models_say_what_was_noted("out", EVERY, *self.source)
        few = "svm,svm-rbf,sturm,lasso+svm,ridge,dummy"
        self.results("--target", "score", "--positive", "", "--normalize", "sample", "--weights", "age", methods=few,
                     output="numbers")
        self.assert_models_say_what_was_noted("numbers", few, *self.source)

    def test_a_fit_that_chooses_is_the_model_of_all_samples(self):
        """The same setting, map, grid and predictions as cv's, to the last bit, and what its score is worth."""
        flags = ["--target", "group", "--positive", "patient", "--inner", 3, "--confounds", "age"]
        for method in ("sturm", "lasso+svm", "svm-rbf"):
            out = self.folder / method
            self.results("--confounds", "age", methods=method, output=method)
            said = self.sturm("fit", "--choose", *self.source, *flags, "--method", method, "-o", f"fit-{method}").stderr
            self.assertIn("optimistic", said)
            theirs = json.loads((out / "results.json").read_text())["methods"][method]["all_samples"]
            facts = json.loads((self.folder / f"fit-{method}/fit.json").read_text())
            self.assertEqual(facts["choice"]["inner_score"], theirs["inner_score"])
            self.assertEqual(facts["confounds"], ["age"])
            for name, value in facts["parameters"].items():
                self.assertEqual(value, theirs[name])
            grid = [row for row in read_table(out / "grid.tsv") if row["fold"] == "all"]
            self.assertEqual(read_table(self.folder / f"fit-{method}/grid.tsv"), grid)
            self.assertEqual(self.predictions(f"fit-{method}", *self.source),
                             self.predictions(out / f"model_{method}.safetensors", *self.source))
            if method != "svm-rbf":
                np.testing.assert_array_equal(np.load(self.folder / f"fit-{method}/coef.npy").astype(np.float32),
                                              np.load(out / f"map_{method}.npy"))

    def test_what_does_not_go_with_choosing(self):
        base = ["fit", *self.source, "--target", "group", "--positive", "patient", "-o", "no"]
        for flags, words in ((["--choose", "--tau", 1], ["--tau", "--choose"]), (["--inner", 3], ["--inner", "--choose"]),
                             (["--choose", "--strength", 1], ["--strength"]),
                             (["--probabilities", "--confounds", "age"], ["--probabilities", "--confounds"])):
            said = self.sturm(*base, *flags, code=2).stderr
            for word in words:
                self.assertIn(word, said)

    def test_confounds_of_a_fit_are_those_of_a_fold(self):
        """A fit to the training samples of an outer fold, with the setting that the fold chose, predicts what cv says of
        the samples left out. In double precision, so that the order of the samples is rounding alone."""
        methods = "svm,ridge,lasso"
        self.results("--confounds", "age,part", "--groups", "none", "--outer", "column:third", "--precision", "f64",
                     "--gap", 1e-8, methods=methods)
        train = np.array([third != "t0" for third in self.third])
        table = [dict(row) for row in read_table(self.folder / "y.tsv")]
        for name, rows in (("train", train), ("test", ~train)):
            np.save(self.folder / f"{name}.npy", self.x[rows])
            kept = [row for row, here in zip(table, rows) if here]
            write_table(self.folder / f"{name}.tsv", **{key: [row[key] for row in kept] for key in table[0]})
        chosen = {row["method"]: row for row in read_table(self.folder / "out/folds.tsv") if row["fold"] == "t0"}
        for method in methods.split(","):
            setting = [word for part in chosen[method]["setting"].split() for word in ("--" + part.split("=")[0],
                                                                                     part.split("=")[1])]
            self.sturm("fit", "--array", "train.npy", "--labels", "train.tsv", "--target", "group", "--positive", "patient",
                       "--method", method, *setting, "--confounds", "age,part", "--precision", "f64", "--gap", 1e-8,
                       "-o", f"fit-{method}")
            said = self.sturm("predict", "--model", f"fit-{method}", "--array", "test.npy", "--labels", "test.tsv",
                              "--precision", "f64", "-o", "-").stdout.splitlines()
            ours = sorted((row[0], float(row[1])) for row in (line.split("\t") for line in said[1:]))
            theirs = sorted((row["participant_id"], float(row["decision"]))
                            for row in read_table(self.folder / "out/predictions.tsv")
                            if row["method"] == method and row["fold"] == "t0")
            self.assertEqual([name for name, _ in ours], [name for name, _ in theirs])
            # A gap of 1e-8 leaves coefficients that differ in the fourth digit; what they predict differs by less.
            np.testing.assert_allclose([v for _, v in ours], [v for _, v in theirs], rtol=0, atol=1e-3)

    def write(self, name="", **changes):
        super().write(name, **changes)
        self.third = [f"t{m % 3}" for m in range(2 * PEOPLE)]
        rows = read_table(self.folder / f"{name}y.tsv")
        write_table(self.folder / f"{name}y.tsv", **{key: [row[key] for row in rows] for key in rows[0]}, third=self.third)

    def test_predict_needs_the_confounds(self):
        self.sturm("fit", *self.source, "--target", "group", "--positive", "patient", "--confounds", "age,part", "-o", "fit")
        rows = read_table(self.folder / "y.tsv")
        columns = {key: [row[key] for row in rows] for key in rows[0]}

        def refused(*words, **changes):
            write_table(self.folder / "other.tsv", **{k: v for k, v in (columns | changes).items() if v is not None})
            said = self.sturm("predict", "--model", "fit", "--array", "X.npy", "--labels", "other.tsv", "-o", "-", code=3)
            for word in words:
                self.assertIn(word, said.stderr)
        refused("other.tsv", "age", age=None)
        refused("line 2", "part", "p7", part=["p7"] + columns["part"][1:])
        refused("line 3", "age", age=[30, "n/a"] + columns["age"][2:])
        self.assertIn("--labels", self.sturm("predict", "--model", "fit", "--array", "X.npy", "-o", "-", code=2).stderr)

    def test_samples_that_were_trained_on_are_told(self):
        np.save(self.folder / "part.npy", self.x[:20])
        rows = read_table(self.folder / "y.tsv")
        write_table(self.folder / "part.tsv", **{key: [row[key] for row in rows[:20]] for key in rows[0]})
        for method in ("sturm", "dummy", "svm-rbf"):
            self.sturm("fit", "--array", "part.npy", "--labels", "part.tsv", "--target", "group", "--positive", "patient",
                       "--method", method, "-o", method)
            said = self.sturm("predict", "--model", method, *self.source, "-o", "-").stderr
            self.assertIn("trained on 20 of these 36 volumes", said)
            self.assertRegex(said, r"accuracy [\d.]+ % \(\d+ of 16\) on samples the model was not trained on\n")
            self.assertRegex(said, r"accuracy [\d.]+ % \(\d+ of 20\) on samples the model was trained on")
            np.save(self.folder / "rest.npy", self.x[20:])
            write_table(self.folder / "rest.tsv", **{key: [row[key] for row in rows[20:]] for key in rows[0]})
            said = self.sturm("predict", "--model", method, "--array", "rest.npy", "--labels", "rest.tsv", "-o", "-").stderr
            self.assertNotIn("trained", said)

    def test_a_target_of_another_kind_is_refused(self):
        self.sturm("fit", *self.source, "--target", "group", "--positive", "patient", "-o", "fit")
        self.sturm("fit", *self.source, "--target", "score", "--method", "ridge", "-o", "numbers")
        for model, target in (("fit", "age"), ("fit", "part"), ("numbers", "group")):
            said = self.sturm("predict", "--model", model, *self.source, "--target", target, "-o", "-", code=3).stderr
            self.assertIn(f"line 2, column {target}", said)

    def test_methods_with_defaults_of_their_own(self):
        for method in ("ridge", "surf"):
            self.sturm("fit", *self.source, "--target", "group", "--positive", "patient", "--method", method, "-o", method)
        # --strength of ridge: of the largest eigenvalue of the centred Gram matrix.
        facts = json.loads((self.folder / "ridge/fit.json").read_text())
        rows = self.x.reshape(len(self.x), -1).astype(float)
        largest = np.linalg.norm(rows - rows.mean(0), 2) ** 2
        self.assertAlmostEqual(facts["parameters"]["l2"] / largest, 0.1, 5)  # the volumes are float32
        self.assertEqual(json.loads((self.folder / "surf/fit.json").read_text())["parameters"]["rank"], 4)


class Protocols(Program, CvStudy):
    methods = "svm,ridge"

    def test_folds_dealt_again(self):
        """Means over all folds of all deals, recomputed; decisions are means over the deals."""
        facts = json.loads(self.results("--outer", 4, "--repeats", 3, "--permutations", 3)["results.json"])
        self.assertEqual((facts["outer_folds"], facts["repeats"]), (4, 3))
        out = self.folder / "out"
        single, mean, folds = (read_table(out / name) for name in ("repeats.tsv", "predictions.tsv", "folds.tsv"))
        for method, result in facts["methods"].items():
            rows = [row for row in single if row["method"] == method]
            self.assertEqual(len(rows), 3 * 2 * PEOPLE)
            by_fold = {}
            for row in rows:
                by_fold.setdefault(row["fold"], []).append(row["actual"] == row["predicted"])
            accuracy = {fold: np.mean(right) for fold, right in by_fold.items()}
            self.assertEqual(len(accuracy), 12)
            self.assertEqual({r["fold"]: float(r["accuracy"]) for r in folds if r["method"] == method}, accuracy)
            self.assertAlmostEqual(result["accuracy"], np.mean(list(accuracy.values())), 12)
            self.assertAlmostEqual(result["accuracy_sd"], np.std(list(accuracy.values()), ddof=1), 12)
            deals = [np.mean([a for fold, a in accuracy.items() if fold.startswith(f"{deal}.")]) for deal in (1, 2, 3)]
            self.assertAlmostEqual(result["accuracy_sd_of_repeats"], np.std(deals, ddof=1), 12)
            means = [row for row in mean if row["method"] == method]
            self.assertEqual({row["fold"] for row in means}, {"mean"})
            total = sum(float(row["decision"]) for row in rows)
            self.assertAlmostEqual(3 * sum(float(row["decision"]) for row in means), total, 9)
            self.assertAlmostEqual(result["pooled_accuracy"], np.mean([r["actual"] == r["predicted"] for r in means]), 12)
        self.assertIn("dealt 3 times", (out / "table.md").read_text())
        # The first deal is that of a study with one.
        self.results("--outer", 4, methods="svm", output="once")
        once = {row["fold"]: row["accuracy"] for row in read_table(self.folder / "once/folds.tsv")}
        again = {row["fold"][2:]: row["accuracy"] for row in folds if row["method"] == "svm" and row["fold"][0] == "1"}
        self.assertEqual(once, again)
        self.assertIn("--repeats", self.sturm(*self.command("--repeats", 2, output="no")[1:], code=2).stderr)

    def test_leave_one_out(self):
        self.results("--outer", "loo", methods="ridge")
        self.assertEqual({row["fold"] for row in read_table(self.folder / "out/folds.tsv")}, set(self.people))
        self.results("--outer", "loo", "--groups", "none", methods="ridge", output="apart")
        folds = read_table(self.folder / "apart/folds.tsv")
        self.assertEqual([row["fold"] for row in folds], [str(f) for f in range(1, 2 * PEOPLE + 1)])
        self.assertEqual({row["n_test"] for row in folds}, {"1"})

    def test_as_many_folds_as_fit(self):
        """Nine people in each class: nine outer folds, and eight inside them; a number that does not fit is an error."""
        result = self.run_cv("--outer", "", "--inner", "", methods="ridge")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("9 outer folds in place of 10", result.stderr)
        self.assertIn("8 to 9 inner folds in place of 9", result.stderr)
        self.assertEqual(len(read_table(self.folder / "out/folds.tsv")), 9)
        self.assertEqual(self.run_cv("--outer", 10, methods="ridge", output="no").returncode, 3)
        self.assertEqual(self.run_cv("--outer", 9, "--inner", 9, methods="ridge", output="no").returncode, 3)

    def test_weights_and_classes_that_count_alike(self):
        """A weight of 0 is a sample that is not trained on: whatever it holds, no other prediction changes."""
        rows = read_table(self.folder / "y.tsv")
        person = np.array([p == self.people[0] for p in self.people])
        for name, x in (("", self.x), ("noise-", np.where(person[:, None, None, None], 40 * self.x + 3, self.x))):
            np.save(self.folder / f"{name}X.npy", x)
            write_table(self.folder / f"{name}y.tsv", **{key: [row[key] for row in rows] for key in rows[0]},
                        weight=[0 if here else 1 + m % 3 for m, here in enumerate(person)])
        decisions = []
        for name in ("", "noise-"):
            facts = json.loads(self.results("--weights", "weight", name=name, output=f"{name}out")["results.json"])
            self.assertEqual(facts["settings"]["weights"], "weight")
            decisions.append([(row["method"], row["participant_id"], row["decision"])
                              for row in read_table(self.folder / f"{name}out/predictions.tsv")
                              if row["participant_id"] != self.people[0]])
        self.assertEqual(sorted(decisions[0]), sorted(decisions[1]))
        self.assertEqual(len(decisions[0]), 2 * 34)
        plain = self.results(output="plain")
        self.assertNotEqual(plain["predictions.tsv"], self.results("--weights", "weight", output="again")["predictions.tsv"])
        self.assertTrue(json.loads(self.results("--balanced", output="alike")["results.json"])["settings"]["balanced"])
        self.assertEqual(self.run_cv("--balanced", "--target", "score", "--positive", "", output="no").returncode, 2)

    def test_json_to_stdout(self):
        for _ in range(2):  # the second time the results are there already
            result = self.run_cv("--json", methods="ridge")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout, (self.folder / "out/results.json").read_text())


class Volumes(Program, VolumeStudy):
    def test_models_of_resized_volumes_and_of_several_classes(self):
        """Masks that are learnt or given, one of two sizes, confounds; and three classes, a model each."""
        age = [30 + m * 7 % 11 for m in range(24)]
        shade = [("red", "green", "blue")[m % 3] for m in range(24)]
        self.v[2::3, 5:8, 5:8, 3:6] += 1
        self.v[4, 5, 6, 2:5] = np.nan  # what one volume lacks is in no mask, and counts as 0 where volumes are resized
        self.v[9, 4:6, 8, 4] = 0
        for path, values in zip(self.paths, self.v):
            save(self.folder / path, values)
        self.samples(age=age, shade=shade)
        methods = "svm,svm-rbf,sturm,sturm+svm,ridge,dusk,dummy"
        for name, flags in (("learnt", ["--target", "group", "--positive", "patient"]),
                            ("shades", ["--target", "shade", "--classes", "--normalize", "sample"])):
            self.sturm("cv", "--samples", "samples.tsv", *flags, "--methods", methods, "--outer", 2, "--inner", 2, "--resize",
                       "0.5,1" if name == "learnt" else "0.5", "--confounds", "age", "-o", name)
            self.assert_models_say_what_was_noted(name, methods, "--samples", "samples.tsv")
        said = self.sturm("predict", "--model", "shades/model_sturm.safetensors", "--samples", "samples.tsv", "-o", "-").stderr
        self.assertIn("trained on 24 of these 24 volumes", said)


if __name__ == "__main__":
    unittest.main()
