#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm fit and sturm predict on arrays: files, numbers, errors."""
import csv
import json
import unittest

import numpy as np
from safetensors import safe_open
from study import SHAPE, Study, names_in, write_table

KEYS = ["method", "tau", "gamma", "alpha", "objective", "dual", "relative_gap", "iterations", "status", "sparsity",
        "sparsity_in_mask", "tubal_rank", "intercept", "n_samples", "shape", "seconds"]


def read_json(folder):
    return json.loads((folder / "fit.json").read_text())


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


class Fit(Study):
    def test_a_regression_writes_its_files_and_nothing_else(self):
        out = self.fitted()
        self.assertEqual(names_in(out), ["background.npy", "coef.npy", "data.json", "fit.json", "model.safetensors", "pattern.npy",
                                         "trace.tsv"])
        facts = read_json(out)
        self.assertEqual(list(facts)[:len(KEYS)], KEYS)
        self.assertEqual((facts["status"], facts["n_samples"], facts["shape"]), ("converged", 24, list(SHAPE)))
        self.assertLessEqual(facts["relative_gap"], 1e-3)
        coef = np.load(out / "coef.npy")
        self.assertEqual(coef.shape, SHAPE)
        self.assertAlmostEqual(facts["sparsity"], np.mean(coef == 0))
        self.assertGreater(np.abs(coef).sum(), 0)
        trace = read_table(out / "trace.tsv")
        self.assertEqual(list(trace[0]), ["iteration", "objective", "gap", "change"])
        self.assertLessEqual(int(trace[-1]["iteration"]), facts["iterations"])
        self.assertEqual(sorted(set(self.listing()) - set(self.before)),
                         ["out"] + sorted("out/" + p.name for p in out.iterdir()))

    def test_the_objective_is_that_of_the_formula(self):
        """numpy recomputes it from coef.npy; float64 and a gap of 1e-8, so 1e-9 is rounding alone."""
        out = self.fitted("--tau", 0.5, "--gamma", 0.3, "--precision", "f64", "--gap", 1e-8)
        facts, coef = read_json(out), np.load(out / "coef.npy")
        residual = self.y - facts["intercept"] - np.tensordot(self.x.astype(float), coef, 3)
        singular = np.linalg.svd(np.fft.fft(coef, axis=2).transpose(2, 0, 1), compute_uv=False)
        objective = residual @ residual / 2 + 0.5 * singular.sum() / SHAPE[2] + 0.3 * np.abs(coef).sum()
        self.assertLess(abs(objective / facts["objective"] - 1), 1e-9)
        self.assertEqual((facts["tau"], facts["gamma"], facts["alpha"]), (0.5, 0.3, 1))
        self.assertLessEqual(facts["relative_gap"], 1e-8)

    def test_the_model_file_is_read_by_the_safetensors_package(self):
        out = self.fitted("--target", "group", "--positive", "patient", labels="y.tsv")
        with safe_open(out / "model.safetensors", "numpy") as model:
            np.testing.assert_array_equal(model.get_tensor("coef"), np.load(out / "coef.npy"))
            self.assertEqual(model.get_tensor("intercept")[0], read_json(out)["intercept"])
            words = model.metadata()
        self.assertEqual((words["method"], words["normalize"], words["shape"]), ("sturm", "none", "6x7x5"))
        self.assertEqual(json.loads(words["labels"]), ["control", "patient"])

    def test_every_way_to_store_an_array_is_the_same_fit(self):
        expected = np.load(self.fitted() / "coef.npy")
        for name, x in {"fortran": np.asfortranarray(self.x), "big": self.x.astype(">f4"),
                        "wide": self.x.astype("f8"), "all": np.asfortranarray(self.x.astype(">f8"))}.items():
            np.save(self.folder / f"{name}.npy", x)
            out = self.fitted(array=f"{name}.npy", output=name)
            np.testing.assert_array_equal(np.load(out / "coef.npy"), expected)

    def test_threads_do_not_change_a_bit(self):
        for threads in (1, 2):
            self.fitted("--threads", threads, output=f"t{threads}")
        self.assertEqual((self.folder / "t1/coef.npy").read_bytes(), (self.folder / "t2/coef.npy").read_bytes())

    def test_a_mask_is_exact(self):
        mask = np.zeros(SHAPE, bool)
        mask[1:5, 1:6, :] = True
        for name, values in {"bool": mask, "bytes": mask.astype("u1"), "floats": mask.astype("f4")}.items():
            np.save(self.folder / "mask.npy", values)
            out = self.fitted("--mask", "mask.npy", output=name)
            coef = np.load(out / "coef.npy")
            self.assertTrue((coef[~mask] == 0).all() and (coef != 0).any())
            self.assertAlmostEqual(read_json(out)["sparsity_in_mask"], np.mean(coef[mask] == 0))

    def test_missing_targets_are_left_out_only_on_request(self):
        y = list(self.y)
        y[3] = y[8] = "n/a"
        write_table(self.folder / "holes.tsv", participant_id=self.ids, score=y)
        self.before = self.listing()
        self.assert_refused(self.fit(labels="holes.tsv"), 3, "holes.tsv", "score", "lines 5, 10", "--drop-missing")
        out = self.fitted("--drop-missing", labels="holes.tsv")
        keep = [m for m in range(24) if m not in (3, 8)]
        np.save(self.folder / "kept.npy", self.x[keep])
        write_table(self.folder / "kept.tsv", score=self.y[keep])
        expected = self.fitted(array="kept.npy", labels="kept.tsv", output="kept")
        np.testing.assert_array_equal(np.load(out / "coef.npy"), np.load(expected / "coef.npy"))

    def test_weights_count_samples(self):
        """A weight of 2 is the same sample twice: one optimum, reached to 1e-8 in different orders of summing."""
        options = ("--precision", "f64", "--gap", 1e-8, "--tau", 0.5, "--gamma", 0.3)
        out = self.fitted("--target", "score", "--weights", "weight", *options, labels="y.tsv")
        twice = np.repeat(np.arange(24), [1 + m % 2 for m in range(24)])
        np.save(self.folder / "twice.npy", self.x[twice])
        write_table(self.folder / "twice.tsv", score=self.y[twice])
        expected = self.fitted(*options, array="twice.npy", labels="twice.tsv", output="twice")
        self.assertLess(abs(read_json(out)["objective"] / read_json(expected)["objective"] - 1), 2e-8)

    def test_the_paper_mode_runs_its_iterations_and_still_tells_its_gap(self):
        facts = read_json(self.fitted("--solver", "paper", "--iterations", 7, "--rho", 2, "--tau", 0.5, "--gamma", 0.3,
                                      "--no-intercept", "--alpha", "auto"))
        self.assertEqual((facts["iterations"], facts["solver"], facts["intercept"]), (7, "paper", 0))
        self.assertAlmostEqual(facts["alpha"], (7 * 5) ** 0.5)
        self.assertGreater(facts["relative_gap"], 0)

    def test_words_go_to_stderr_and_json_to_stdout_on_request(self):
        result = self.fit("--json")
        self.assertEqual(json.loads(result.stdout), read_json(self.folder / "out"))
        for word in ("converged", "gap", "tubal rank", "out"):
            self.assertIn(word, result.stderr)
        self.assertEqual(self.fit("-q", output="quiet").stderr, "")

    def test_a_config_file_gives_what_the_command_line_does_not(self):
        (self.folder / "study.toml").write_text(
            'array = "X.npy"\nlabels = "one.tsv"\nbalance = 0.9\n[fit]\ntau = 0.5\ngamma = 9\n[predict]\nmodel = "m"\n')
        result = self.run_sturm("fit", "--config", "study.toml", "--gamma", 0.3, "-o", "out")
        self.assertEqual(result.returncode, 2, "balance and tau do not go together, from a file either")
        (self.folder / "study.toml").write_text(
            'array = "X.npy"\nlabels = "one.tsv"\ngamma = 7\n[fit]\ntau = 0.5\ngamma = 0.2\nno-intercept = true\n')
        self.assertEqual(self.run_sturm("fit", "--config", "study.toml", "-o", "out").returncode, 0)
        facts = read_json(self.folder / "out")
        self.assertEqual((facts["tau"], facts["gamma"], facts["intercept"]), (0.5, 0.2, 0))
        for text, word in {"nonsense = 1\n": "'nonsense'", "tau = 'x'\n": "'tau'", "[nowhere]\na = 1\n": "nowhere"}.items():
            (self.folder / "study.toml").write_text(text)
            result = self.run_sturm("fit", "--config", "study.toml", "-o", "new")
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn(word, result.stderr)

    def test_force_replaces_an_earlier_fit_and_nothing_else(self):
        out = self.fitted("--strength", 0.5)
        first = (out / "coef.npy").read_bytes()
        self.before = self.listing()
        self.assert_refused(self.fit(), 3, "out", "not empty", "--force")
        self.assertEqual((out / "coef.npy").read_bytes(), first)
        self.fitted("--force")
        self.assertNotEqual((out / "coef.npy").read_bytes(), first)
        self.assertEqual(self.listing(), self.before)
        (out / "notes.txt").write_text("precious")
        self.before = self.listing()
        self.assert_refused(self.fit("--force"), 3, "notes.txt")


class Predict(Study):
    def predict(self, *arguments, model="out", array="X.npy", output="pred"):
        return self.run_sturm("predict", "--model", model, "--array", array, "-o", output, *arguments)

    def test_a_regression_predicts_what_numpy_computes(self):
        """float32 volumes, products summed in double: the same numbers but for the order of 210 terms."""
        for normalize in ("none", "voxel"):
            out = self.fitted("--normalize", normalize, output=normalize)
            result = self.predict("--labels", "one.tsv", model=normalize, output=f"pred-{normalize}")
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            rows = read_table(self.folder / f"pred-{normalize}/predictions.tsv")
            self.assertEqual(list(rows[0]), ["row", "decision", "predicted", "actual"])
            expected = np.tensordot(self.x.astype(float), np.load(out / "coef.npy"), 3) + read_json(out)["intercept"]
            decision = np.array([float(row["decision"]) for row in rows])
            np.testing.assert_allclose(decision, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
            self.assertEqual([row["predicted"] for row in rows], [row["decision"] for row in rows])
            self.assertEqual([float(row["actual"]) for row in rows], list(self.y))
            self.assertGreater(np.corrcoef(decision, self.y)[0, 1], 0.8)
            self.assertIn("correlation 0.", result.stderr)

    def test_each_volume_is_normalised_over_the_mask_and_nothing_else_is_read(self):
        mask = np.zeros(SHAPE, bool)
        mask[1:5, 1:6, 1:] = True
        self.x[4, 0, 0, 0] = np.nan
        np.save(self.folder / "X.npy", self.x)
        np.save(self.folder / "mask.npy", mask)
        out = self.fitted("--normalize", "sample", "--mask", "mask.npy")
        inside = self.x[:, mask].astype(float)
        inside -= inside.mean(1, keepdims=True)
        inside /= np.linalg.norm(inside, axis=1, keepdims=True)
        expected = inside @ np.load(out / "coef.npy")[mask] + read_json(out)["intercept"]
        rows = csv.DictReader(self.predict(output="-").stdout.splitlines(), delimiter="\t")
        decision = [float(row["decision"]) for row in rows]
        np.testing.assert_allclose(decision, expected, rtol=0, atol=1e-12 * np.abs(expected).max())

    def test_a_classification_predicts_names(self):
        out = self.fitted("--target", "group", "--positive", "patient", labels="y.tsv")
        result = self.predict("--labels", "y.tsv", model=out / "model.safetensors", output="-")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = list(csv.DictReader(result.stdout.splitlines(), delimiter="\t"))
        self.assertEqual(list(rows[0]), ["participant_id", "decision", "predicted", "actual"])
        self.assertEqual([row["participant_id"] for row in rows], self.ids)
        self.assertEqual([row["actual"] for row in rows], self.groups)
        for row in rows:
            self.assertEqual(row["predicted"], "patient" if float(row["decision"]) >= 0 else "control")
        right = sum(row["predicted"] == row["actual"] for row in rows)
        self.assertIn(f"({right} of 24)", result.stderr)

    def test_without_labels_rows_are_numbered(self):
        self.fitted()
        rows = list(csv.DictReader(self.predict(output="-").stdout.splitlines(), delimiter="\t"))
        self.assertEqual([row["row"] for row in rows], [str(m) for m in range(24)])
        self.assertNotIn("actual", rows[0])

    def test_another_shape_or_no_model_is_refused(self):
        self.fitted()
        np.save(self.folder / "other.npy", self.x[:, :, :, :4])
        (self.folder / "torn").write_bytes((self.folder / "out/model.safetensors").read_bytes()[:500])
        self.before = self.listing()
        self.assert_refused(self.predict(array="other.npy"), 3, "other.npy", "6x7x4", "6x7x5")
        self.assert_refused(self.predict(model="nowhere"), 3, "nowhere", "does not exist")
        self.assert_refused(self.predict(model="torn"), 3, "torn")
        self.assert_refused(self.predict("--labels", "one.tsv", "--target", "x"), 3, "one.tsv", "'x'", "score")
        self.assert_refused(self.run_sturm("predict", "--array", "X.npy", "-o", "pred"), 2, "--model")


if __name__ == "__main__":
    unittest.main()
