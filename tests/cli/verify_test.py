#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm fit --proof and sturm verify: every honest fit is accepted, every altered one is not."""
import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file
from study import write_table
from volumes import VolumeStudy, load, read_table, save

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/verify.py"
ARRAYS = ["--array", "X.npy", "--labels", "y.tsv"]
VOLUMES = ["--samples", "samples.tsv"]
NUMBER, CLASS = ["--target", "score"], ["--target", "group", "--positive", "patient"]
SETTINGS = {"sturm": ["--tau", 1.5, "--gamma", 0.4], "remurs": ["--tau", 1.2, "--gamma", 0.3], "lasso": ["--strength", 0.2],
            "enet": ["--strength", 0.1, "--l2", 5], "ridge": ["--l2", 30], "svm": ["--C", 0.002]}


class Proofs(VolumeStudy):
    def proof(self, *arguments, output="out", code=0):
        result = self.run_sturm("fit", "--no-report", "--proof", "-o", output, *arguments)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stderr}")
        return self.folder / output

    def verify(self, folder, *arguments, **variables):
        return self.run_sturm("verify", folder, *arguments, **variables)

    def assert_accepted(self, *arguments, output="out"):
        out = self.proof(*arguments, output=output)
        result = self.verify(output)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}\n{result.stdout}")
        shutil.rmtree(out)


class Accepts(Proofs):
    def test_every_method_normalisation_and_precision(self):
        """Weights, alpha and the intercept change along the way, and so do numbers and classes."""
        count = 0
        for method, setting in SETTINGS.items():
            for normalize in ("none", "sample", "voxel"):
                for precision in ("f32", "f64"):
                    more = ["--weights", "weight"] if count % 2 else []
                    if method != "svm":
                        more += ["--no-intercept"] if count % 3 == 0 else []
                        more += ["--alpha", 2.5] if count % 5 == 1 else []
                    self.assert_accepted(*ARRAYS, *(CLASS if count % 4 < 2 else NUMBER), "--method", method, *setting,
                                         "--normalize", normalize, "--precision", precision, *more)
                    count += 1

    def test_volumes_masks_and_grids(self):
        brain = np.zeros(self.brain.shape, np.uint8)
        brain[2:9, 3:11, 1:8] = 1
        save(self.folder / "brain.nii.gz", brain)
        lists = [[], ["--mask", "none"], ["--mask", "brain.nii.gz"], ["--resize", 0.5],
                 ["--resize", 0.7, "--mask", "brain.nii.gz", "--precision", "f64"],
                 ["--normalize", "sample", "--resize", 0.6], ["--normalize", "voxel", "--no-intercept"]]
        for method in ("sturm", "remurs", "lasso", "svm"):
            for flags in lists if method == "sturm" else lists[2:5]:
                flags = [f for f in flags if not (method == "svm" and f == "--no-intercept")]
                self.assert_accepted(*VOLUMES, *CLASS, "--method", method, *SETTINGS[method], *flags)

    def test_several_classes(self):
        self.samples(group=[("a", "b", "c")[m % 3] for m in range(24)])
        for method in SETTINGS:
            self.assert_accepted(*VOLUMES, "--target", "group", "--classes", "--method", method, *SETTINGS[method])
        self.assert_accepted(*VOLUMES, "--target", "group", "--classes", "--balanced", "--tau", 2, "--gamma", 0.2)

    def test_edges(self):
        """Penalties of 0 and nearly so, a solution of zeros, one that did not converge, the paper's algorithm."""
        for flags in (["--tau", 0, "--gamma", 0.5], ["--tau", 3, "--gamma", 0], ["--tau", 1e-20, "--gamma", 0.1],
                      ["--tau", 0.5, "--gamma", 1e-20, "--iterations", 500], ["--strength", 2],
                      ["--strength", 0.05, "--iterations", 3],
                      ["--tau", 1, "--gamma", 0.5, "--solver", "paper", "--iterations", 30, "--alpha", "auto"],
                      ["--method", "remurs", "--tau", 2, "--gamma", 0], ["--method", "remurs", "--strength", 3],
                      ["--method", "enet", "--gamma", 0, "--l2", 4], ["--method", "lasso", "--strength", 1.5]):
            self.assert_accepted(*ARRAYS, *NUMBER, *flags)
        score = list(self.score)
        score[3] = "n/a"
        self.samples(score=score)
        self.assert_accepted(*VOLUMES, *NUMBER, "--drop-missing", "--strength", 0.3)
        self.samples(score=[2] * 24)
        for method, setting in (("sturm", SETTINGS["sturm"]), ("lasso", ["--gamma", 0.5]), ("ridge", SETTINGS["ridge"])):
            self.assert_accepted(*VOLUMES, *NUMBER, "--method", method, *setting)

    def test_large_means_in_single_precision(self):
        """Volumes around 1000 with deviations of 10: what centring rounds is allowed for."""
        np.save(self.folder / "X.npy", (1000 + 10 * self.x).astype(np.float32))
        for flags in (["--strength", 0.1], ["--strength", 0.1, "--normalize", "voxel"], ["--method", "svm", "--C", 1e-3],
                      ["--method", "ridge", "--l2", 1e3]):
            self.assert_accepted(*ARRAYS, *NUMBER, *flags)

    def test_another_folder_and_data_elsewhere(self):
        self.proof(*VOLUMES, *NUMBER, "--strength", 0.2)
        (self.folder / "deep/down").mkdir(parents=True)
        result = subprocess.run(self.command("verify", self.folder / "out"), cwd=self.folder / "deep", capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        shutil.move(self.folder / "volumes", self.folder / "deep/volumes")
        shutil.move(self.folder / "samples.tsv", self.folder / "deep/samples.tsv")
        self.assertEqual(self.verify("out").returncode, 3)
        self.assertEqual(self.verify("out", "--samples", "deep/samples.tsv").returncode, 0)

    def test_what_it_says(self):
        out = self.proof(*ARRAYS, *NUMBER, "--strength", 0.2)
        facts = json.loads((out / "fit.json").read_text())
        result = self.verify("out")
        rows = {row["quantity"]: row for row in
                (dict(zip(result.stdout.splitlines()[0].split("\t"), line.split("\t")))
                 for line in result.stdout.splitlines()[1:])}
        self.assertEqual(float(rows["objective"]["claimed"]), float(f"{facts['objective']:.9g}"))
        self.assertLess(abs(float(rows["objective"]["recomputed"]) / facts["objective"] - 1), 1e-6)
        self.assertIn("accepted", result.stderr)
        found = json.loads(self.verify("out", "--json").stdout)
        self.assertEqual((found["accepted"], found["problems"], found["samples"]), (True, [], 24))
        self.assertLessEqual(found["parts"][0]["relative_gap"], 1e-3)
        self.assertEqual(self.verify("out", "-q").stderr, "")
        # A proof changes nothing else.
        self.assertEqual(self.run_sturm("fit", "--no-report", *ARRAYS, *NUMBER, "--strength", 0.2, "-o", "plain").returncode, 0)
        for name in ("coef.npy", "model.safetensors"):
            self.assertEqual((out / name).read_bytes(), (self.folder / "plain" / name).read_bytes())
        self.assertFalse((self.folder / "plain/proof.safetensors").exists())

    def test_the_check_in_numpy(self):
        for flags in (CLASS, [*NUMBER, "--mask", "none"]):
            out = self.proof(*VOLUMES, *flags, "--strength", 0.2, "--balance", 0.7)
            command = [sys.executable, EXAMPLE, out, self.folder / "samples.tsv"]
            result = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            facts = json.loads((out / "fit.json").read_text())
            # Volumes in float32, theirs and ours: the same numbers, but for the norm, which single precision bounds.
            self.assertLess(abs(float(result.stdout.split()[1]) / facts["objective"] - 1), 1e-6)
            facts["relative_gap"] /= 2
            (out / "fit.json").write_text(json.dumps(facts))
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 1)
            shutil.rmtree(out)


class Honest(Proofs):
    """Whatever is asked for: what a fit says of itself is true, or it says in a sentence why there is none."""

    def assert_honest(self, *arguments):
        result = self.run_sturm("fit", "--no-report", "--proof", "--progress", "none", "-o", "out", *arguments)
        if result.returncode == 0:
            verdict = self.verify("out")
            self.assertEqual(verdict.returncode, 0, f"{arguments}: {verdict.stderr}\n{verdict.stdout}")
            facts = json.loads((self.folder / "out/fit.json").read_text())
            self.assertEqual(facts["status"] == "iteration_limit", not facts["relative_gap"] <= 1e-3, arguments)
            shutil.rmtree(self.folder / "out")
        else:
            self.assertIn(result.returncode, (2, 3), f"{arguments}: {result.stderr}")
            self.assertRegex(result.stderr.splitlines()[-1], "^sturm: ", "warnings may stand before it")
        return result.returncode

    def test_weights_from_1e_minus_12_to_1e12(self):
        limit = ["--iterations", 300]
        for power in (-12, -6, 6, 12):
            value = f"1e{power}"
            for precision in ("f32", "f64"):
                data = [*ARRAYS, *NUMBER, "--precision", precision, *limit]
                for method, flags in (("sturm", ["--alpha", value, *SETTINGS["sturm"]]), ("svm", ["--C", value]),
                                      ("lasso", ["--alpha", value, "--gamma", 1]), ("ridge", ["--l2", value]),
                                      ("enet", ["--gamma", 0.5, "--l2", value]), ("ridge", ["--alpha", value, "--l2", 1])):
                    self.assertEqual(self.assert_honest(*data, "--method", method, *flags), 0)

    def test_one_sample_one_voxel_and_the_same_sample_again(self):
        count = 0
        for name, x, y in (("one", self.x[:1], [3.5]), ("voxel", self.x[:, :1, :1, :1], self.y),
                           ("again", np.repeat(self.x[:6], 4, axis=0), np.repeat(self.y[:6], 4)),
                           ("odds", np.repeat(self.x[:6], 4, axis=0), self.y),
                           ("alike", np.repeat(self.x[:1], 24, axis=0), self.y), ("flat", self.x, [2.5] * 24)):
            np.save(self.folder / f"{name}.npy", x)
            write_table(self.folder / f"{name}.tsv", score=y)
            for method, setting in SETTINGS.items():
                count += 1
                flags = [[], ["--normalize", "voxel", "--precision", "f64"], ["--normalize", "sample"]][count % 3]
                self.assert_honest("--array", f"{name}.npy", "--labels", f"{name}.tsv", "--method", method, *setting,
                                   *flags, "--iterations", 300)


class Refuses(Proofs):
    def test_fits_without_a_proof(self):
        for flags in (["--method", "mmk", "--rank", 1, "--sigma", 3], ["--method", "svm-rbf"], ["--method", "dummy"],
                      ["--method", "sturm+svm", "--strength", 0.1]):
            self.assert_refused(self.run_sturm("fit", *ARRAYS, *CLASS, *flags, "--proof", "-o", "out"), 2, "--proof", "svm")
        for flags in (["--tau", 0, "--gamma", 0], ["--method", "ridge", "--l2", 0]):
            result = self.run_sturm("fit", *ARRAYS, *NUMBER, *flags, "--proof", "--progress", "none", "-o", "out")
            self.assert_refused(result, 2, "--proof", "penalty above 0")

    def test_nothing_to_check(self):
        self.run_sturm("fit", "--no-report", *ARRAYS, *NUMBER, "-o", "plain")
        self.before = self.listing()
        self.assert_refused(self.verify("plain"), 3, "proof.safetensors", "--proof")
        self.assert_refused(self.verify("nowhere"), 3, "fit.json", "sturm fit")
        self.assertEqual(self.run_sturm("verify").returncode, 2)


def flipped(array, where, bit):
    """One bit of one number, counted as in double precision: 63 is the sign, 52 the last of the exponent."""
    out = array.copy()
    if array.dtype == np.float32:
        bit -= 32 if bit > 60 else 29
    bits = out.view(np.uint32 if array.dtype == np.float32 else np.uint64)
    bits[np.unravel_index(where, array.shape)] ^= bits.dtype.type(1 << bit)
    return out


class Rejects(Proofs):
    """Each change alone, on a copy of an honest fit beside it."""

    def setUp(self):
        super().setUp()
        self.count = 0

    def rejected(self, fit, what, change, *words):
        """`change` alters the files of a copy of the fit."""
        bad = self.folder / "bad"
        shutil.copytree(fit, bad)
        change(bad)
        result = self.verify("bad")
        self.assertEqual(result.returncode, 3, f"{fit.name}, {what}: accepted\n{result.stdout}")
        self.assertRegex(result.stderr.splitlines()[-1], "^sturm: ", what)
        for word in words:
            self.assertIn(word, result.stderr, what)
        self.count += 1
        shutil.rmtree(bad)

    def arrays(self, fit, name, file, what, change, *words):
        def apply(bad):
            with safe_open(bad / file, "numpy") as content:
                words_of_file = content.metadata()
                all_arrays = {key: content.get_tensor(key) for key in content.keys()}
            all_arrays[name] = np.ascontiguousarray(change(all_arrays[name]))
            save_file(all_arrays, bad / file, words_of_file)
        self.rejected(fit, f"{what} of {name} in {file}", apply, *words)

    def claim(self, fit, key, change, *words):
        def apply(bad):
            facts = json.loads((bad / "fit.json").read_text())
            at = facts
            *path, last = key.split(".")
            for step in path:
                at = at[step]
            at[last] = change(at[last]) if callable(change) else change
            (bad / "fit.json").write_text(json.dumps(facts))
        self.rejected(fit, f"{key} of fit.json", apply, *words)

    def bits(self, fit, matters):
        """Sign, exponent and the first digits of the largest numbers of W and theta, and of the split where G1 is at its
        bound: |z - G2| = gamma."""
        model, proof = "model.safetensors", "proof.safetensors"
        with safe_open(fit / model, "numpy") as content:
            w = content.get_tensor("coef")
        order = np.argsort(-np.abs(w), axis=None)
        for where, bit in ((order[0], 63), (order[0], 51), (order[1], 52), (order[2], 49), (order[3], 62)):
            self.arrays(fit, "coef", model, f"bit {bit}", lambda a, i=where, b=bit: flipped(a, i, b))
        with safe_open(fit / proof, "numpy") as content:
            theta = content.get_tensor("theta")
        order = np.argsort(-np.abs(theta), axis=None)
        for where, bit in ((order[0], 63), (order[1], 52), (order[2], 51), (order[3], 50)):
            self.arrays(fit, "theta", proof, f"bit {bit}", lambda a, i=where, b=bit: flipped(a, i, b))
        self.arrays(fit, "theta", proof, "two rows", lambda a: a[[1, 0, *range(2, len(a))]])
        for where, bit in matters:
            self.arrays(fit, "split", proof, f"bit {bit}", lambda a, i=where, b=bit: flipped(a, i, b))

    def claims(self, fit, *keys):
        for key in keys:
            for factor in (1.01, 0.99):
                self.claim(fit, key, lambda value, f=factor: value * f)
        if self.gap(fit) > 1e-5:  # those of exact methods are rounding
            self.claim(fit, "relative_gap", lambda value: value / 3)
            self.claim(fit, "relative_gap", lambda value: value * 0.95)
            self.claim(fit, "relative_gap", 0.0)
        self.claim(fit, "relative_gap", None)
        self.claim(fit, "n_samples", 23)
        self.claim(fit, "sparsity", lambda value: value + 0.01)
        self.claim(fit, "normalize", "sample")

    @staticmethod
    def gap(fit):
        return json.loads((fit / "fit.json").read_text())["relative_gap"]

    def test_a_hundred_and_more(self):
        fits = {name: self.proof(*(VOLUMES if name == "sturm" else ARRAYS), *NUMBER, "--method", name, *setting,
                                 *(["--precision", "f64"] if name in ("remurs", "enet") else []), output=name)
                for name, setting in SETTINGS.items()}
        at_bound = {}
        for name, x in (("sturm", self.v), ("remurs", self.x)):
            with safe_open(fits[name] / "proof.safetensors", "numpy") as content:
                theta, split, s = (content.get_tensor(key) for key in ("theta", "split", "weights"))
            u = theta - s * theta.sum() / s.sum()
            g1 = np.tensordot(u, x.astype(float), 1) - split.sum(0)
            if name == "sturm":
                g1[~self.brain] = 0
            where = np.argsort(-np.abs(g1) * (np.abs(split[0]) > 0.1 * np.abs(split[0]).max()), axis=None)[:4]
            # Away from 0: the sign that makes G1 larger is not known, so both ends of the first digits are tried.
            at_bound[name] = [(where[0], 63), (where[1], 52), (where[2], 62), (where[3], 54)]
        for name, fit in fits.items():
            self.bits(fit, at_bound.get(name, []))
        self.claims(fits["sturm"], "objective", "dual", "relative_gap", "tau", "gamma", "alpha", "intercept")
        self.claims(fits["remurs"], "objective", "dual", "tau", "gamma", "intercept")
        self.claims(fits["lasso"], "objective", "dual", "gamma")
        self.claims(fits["ridge"], "objective", "dual", "parameters.l2")
        self.claims(fits["svm"], "objective", "dual", "parameters.C", "intercept")
        self.claims(fits["enet"], "objective", "dual", "gamma", "parameters.l2")
        self.claim(fits["sturm"], "status", "zero_solution", "is zero")
        self.claim(fits["sturm"], "method", "remurs")
        self.claim(fits["sturm"], "precision", "f64", "precision")

        def both(bad):  # a lower objective, and the gap that goes with it
            facts = json.loads((bad / "fit.json").read_text())
            facts["objective"] = facts["dual"] * (1 + 1e-7)
            facts["relative_gap"] = 1e-7
            (bad / "fit.json").write_text(json.dumps(facts))
        for name in ("sturm", "remurs"):
            self.rejected(fits[name], "objective and gap", both, "objective", "gap")

        def intercepts(bad):  # the same in both files
            facts = json.loads((bad / "fit.json").read_text())
            facts["intercept"] += 1e-4
            (bad / "fit.json").write_text(json.dumps(facts))
            with safe_open(bad / "model.safetensors", "numpy") as content:
                words, all_arrays = content.metadata(), {key: content.get_tensor(key) for key in content.keys()}
            all_arrays["intercept"] = all_arrays["intercept"] + 1e-4
            save_file(all_arrays, bad / "model.safetensors", words)
        for name in ("sturm", "ridge"):
            self.rejected(fits[name], "intercept", intercepts, "intercept")

        sturm = fits["sturm"]
        self.arrays(sturm, "mask", "model.safetensors", "a voxel", lambda a: flip_byte(a), "mask")
        self.arrays(sturm, "y", "proof.safetensors", "a target", lambda a: a + np.eye(len(a))[4], "sample 5", "sub-04")
        self.arrays(sturm, "weights", "proof.safetensors", "a weight", lambda a: a + np.eye(len(a))[2], "weight")
        self.arrays(sturm, "rows", "proof.safetensors", "a hash", lambda a: a[[1, 0, *range(2, len(a))]], "sub-01")
        self.rejected(sturm, "the map as a volume",
                      lambda bad: save(bad / "coef.nii.gz", 1.001 * load(bad / "coef.nii.gz")), "coef.nii.gz")
        self.rejected(fits["lasso"], "the map as an array",
                      lambda bad: np.save(bad / "coef.npy", np.asfortranarray(np.load(bad / "coef.npy") * 1.001)), "coef.npy")
        self.rejected(sturm, "no proof", lambda bad: (bad / "proof.safetensors").unlink(), "proof.safetensors")
        self.rejected(sturm, "half a proof", lambda bad: (bad / "proof.safetensors").write_bytes(
            (bad / "proof.safetensors").read_bytes()[:-8]), "proof.safetensors")
        self.rejected(sturm, "no JSON", lambda bad: (bad / "fit.json").write_text("{"), "fit.json")
        self.data_changed(sturm)
        print(f"{self.count} altered fits rejected", file=sys.stderr)
        self.assertGreaterEqual(self.count, 100)

    def data_changed(self, fit):
        """The fit is as it was, and what it was fitted to is not."""
        table = self.folder / "samples.tsv"
        text, volume = table.read_text(), self.folder / self.paths[7]
        lines, values, bytes_before = text.splitlines(), load(volume), volume.read_bytes()

        def with_table(what, changed, *words):
            table.write_text("\n".join(changed) + "\n")
            self.rejected(fit, what, lambda bad: None, *words)
            table.write_text(text)
        with_table("rows swapped", [lines[0], lines[2], lines[1], *lines[3:]], "sub-00", "sub-01")
        with_table("a row less", lines[:-1], "23 samples")
        swapped = [lines[1].replace(self.paths[0], self.paths[1]), lines[2].replace(self.paths[1], self.paths[0])]
        with_table("paths swapped", [lines[0], *swapped, *lines[3:]], "2 volumes")
        with_table("a target", [*lines[:4], lines[4].rsplit("\t", 1)[0] + "\t2.25", *lines[5:]], "2.25")
        values[5, 6, 4] += 1e-3
        save(volume, values.astype(np.float32))
        self.rejected(fit, "a voxel of a volume", lambda bad: None, "1 volume", "sub-07")
        volume.write_bytes(bytes_before)
        self.assertEqual(self.verify(fit.name).returncode, 0)


def flip_byte(mask):
    out = mask.copy()
    where = np.argwhere(out)[0]
    out[tuple(where)] = 0
    return out


if __name__ == "__main__":
    unittest.main()
