#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sturm fit refuses, and how it ends when it is stopped: the exit code, one sentence, and no files."""
import json
import os
import signal
import subprocess
import time
import unittest

import numpy as np
from study import SHAPE, Study, write_table


class WrongUsage(Study):
    def test_flags_out_of_range_or_at_odds(self):
        for arguments, words in {
            ("--tau", "-1", "--gamma", "1"): ("--tau",),
            ("--tau", "1"): ("--tau", "--gamma"),
            ("--gamma", "1"): ("--tau", "--gamma"),
            ("--tau", "1", "--gamma", "nan"): ("--gamma",),
            ("--tau", "1", "--gamma", "1", "--strength", "0.1"): ("--strength",),
            ("--strength", "0"): ("--strength",),
            ("--balance", "1.5"): ("--balance",),
            ("--gap", "0"): ("--gap",),
            ("--gap", "-1"): ("--gap",),
            ("--rho", "0"): ("--rho",),
            ("--iterations", "-5"): ("--iterations",),
            ("--relaxation", "2"): ("--relaxation",),
            ("--alpha", "0"): ("--alpha", "auto"),
            ("--alpha", "much"): ("--alpha", "auto"),
            ("--tau", "word", "--gamma", "1"): ("--tau", "word"),
            ("--solver", "magic"): ("--solver", "certified, paper", "magic"),
            ("--normalize", "all"): ("--normalize", "none, sample, voxel"),
            ("--precision", "f16"): ("--precision", "f32, f64"),
            ("--progress", "loud"): ("--progress", "auto, bar, plain, json, none"),
            ("--device", "cuda"): ("--device cuda",),
            ("--device", "tpu"): ("--device", "cpu, auto, cuda"),
            ("--method", "lassoo"): ("--method lassoo", "sturm"),
            ("--threads", "-1"): ("--threads",),
            ("--memory", "much"): ("--memory", "much"),
            ("-q", "-v"): ("-q", "-v"),
            ("--nonsense",): ("--nonsense",),
        }.items():
            with self.subTest(arguments):
                self.assert_refused(self.fit(*arguments), 2, *words)

    def test_what_must_be_given(self):
        self.assert_refused(self.run_sturm("fit", "-o", "out"), 2, "--array")
        self.assert_refused(self.run_sturm("fit", "--array", "X.npy", "-o", "out"), 2, "--labels")
        self.assert_refused(self.run_sturm("fit", "--array", "X.npy", "--labels", "one.tsv"), 2, "--output")


class BadInput(Study):
    def save(self, name, array):
        np.save(self.folder / name, array)
        self.before = self.listing()
        return name

    def table(self, name, **columns):
        write_table(self.folder / name, **columns)
        self.before = self.listing()
        return name

    def test_arrays(self):
        for array, words in {
            "absent.npy": ("absent.npy", "cannot be opened"),
            "one.tsv": ("one.tsv", "not an .npy file"),
            self.save("flat.npy", self.x.reshape(24, -1)): ("flat.npy", "2 axes", "samples, I1, I2, I3"),
            self.save("one.npy", self.x[0]): ("one.npy", "3 axes"),
            self.save("whole.npy", self.x.astype(int)): ("whole.npy", "float32"),
            self.save("none.npy", self.x[:, :, :0]): ("none.npy", "extent 0"),
        }.items():
            with self.subTest(array):
                self.assert_refused(self.fit(array=array), 3, *words)

    def test_voxels_that_are_not_numbers(self):
        self.x[5, 1, 2, 3] = np.nan
        array = self.save("nan.npy", self.x)
        self.assert_refused(self.fit(array=array), 3, "nan.npy", "sample 5", "voxel (1, 2, 3)", "--mask")
        mask = np.ones(SHAPE, bool)
        mask[1, 2, 3] = False
        np.save(self.folder / "mask.npy", mask)
        self.assertEqual(self.fit("--mask", "mask.npy", array=array).returncode, 0, "outside the mask it does not matter")
        wide = self.x.astype(float)
        wide[5, 1, 2, 3] = 1e200
        array = self.save("wide.npy", wide)
        self.assert_refused(self.fit(array=array, output="new"), 3, "wide.npy", "--precision f64")

    def test_tables(self):
        short = self.table("short.tsv", score=self.y[:-1])
        self.assert_refused(self.fit(labels=short), 3, "short.tsv", "23 rows", "X.npy", "24 samples")
        self.assert_refused(self.fit(labels="y.tsv"), 3, "y.tsv", "--target", "score, group, weight")
        self.assert_refused(self.fit("--target", "age", labels="y.tsv"), 3, "y.tsv", "'age'", "participant_id, score")
        self.assert_refused(self.fit("--target", "group", labels="y.tsv"), 3, "group", "control, patient", "--positive")
        self.assert_refused(self.fit("--target", "group", "--positive", "ill", labels="y.tsv"), 3, "'ill'", "control")
        slip = self.table("slip.tsv", score=[*self.y[:-1], "tall"])
        self.assert_refused(self.fit(labels=slip), 3, "slip.tsv, line 25, column score", "'tall'")
        ragged = self.table("ragged.tsv", score=[*self.y[:-1], "1\t2"])
        self.assert_refused(self.fit(labels=ragged), 3, "ragged.tsv, line 25", "2 fields")
        same = self.table("same.tsv", group=["a"] * 24)
        self.assert_refused(self.fit("--positive", "a", labels=same), 3, "same.tsv", "'a' alone")

    def test_weights(self):
        self.assert_refused(self.fit("--weights", "w"), 3, "one.tsv", "'w'")
        bad = self.table("bad.tsv", score=self.y, w=[-1] + [1] * 23)
        self.assert_refused(self.fit("--target", "score", "--weights", "w", labels=bad), 3, "line 2, column w")
        zero = self.table("zero.tsv", score=self.y, w=[0] * 24)
        self.assert_refused(self.fit("--target", "score", "--weights", "w", labels=zero), 3, "every weight is 0")

    def test_masks(self):
        empty = self.save("empty.npy", np.zeros(SHAPE, bool))
        self.assert_refused(self.fit("--mask", empty), 3, "empty.npy", "empty mask")
        other = self.save("other.npy", np.ones((2, 2, 2), bool))
        self.assert_refused(self.fit("--mask", other), 3, "other.npy", "2x2x2", "6x7x5")

    def test_memory(self):
        self.assert_refused(self.fit("--memory", "10K"), 3, "X.npy", "bytes of memory", "--memory is 10.0 KiB")

    def test_outputs(self):
        self.assert_refused(self.fit(output="X.npy"), 3, "X.npy", "is a file")
        self.assert_refused(self.fit(output="."), 3, "the folder you are in")
        self.assert_refused(self.fit("--log-json", "no/where"), 3, "no/where", "--log-json")


class Stopping(Study):
    """A fit that does not end by itself within a test: the paper's iteration, endlessly."""

    LONG = ("--solver", "paper", "--iterations", "2000000000", "--progress", "json")

    def begin(self, output="out"):
        process = subprocess.Popen(
            self.command("fit", "--array", "X.npy", "--labels", "one.tsv", "-o", output, *self.LONG), cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while '"progress"' not in process.stderr.readline():
            self.assertIsNone(process.poll())
        return process

    def test_signals_end_it_soon_with_75_and_no_files(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.begin()
            asked = time.monotonic()
            process.send_signal(number)
            words = process.communicate(timeout=30)[1]
            self.assertEqual(process.returncode, 75)
            self.assertLess(time.monotonic() - asked, 2)
            stopped, end = map(json.loads, words.splitlines()[-2:])
            self.assertEqual((stopped["text"], end["status"]), ("stopped; nothing was written.", 75))
            self.assertEqual(self.listing(), self.before)

    def test_killed_it_leaves_no_folder_and_runs_again(self):
        process = self.begin()
        process.kill()
        process.communicate()
        self.assertFalse((self.folder / "out").exists())
        # What a kill in the midst of writing leaves, by the name of this process.
        left = self.folder / f".out.part-{os.uname().nodename}-{process.pid}"
        left.mkdir(exist_ok=True)
        (left / "coef.npy").write_text("half")
        self.fitted()
        self.assertFalse(left.exists())

    def test_strict_makes_a_missed_gap_exit_4_with_the_results_written(self):
        arguments = ("--iterations", 2, "--gap", 1e-9)
        result = self.fit(*arguments)
        self.assertEqual(result.returncode, 0)
        self.assertIn("NOT converged", result.stderr)
        result = self.fit(*arguments, "--strict", "-q", output="strict")
        self.assertEqual(result.returncode, 4)
        self.assertRegex(result.stderr, r"^sturm: strict: [^\n]*--strict[^\n]*\n$")
        self.assertEqual(json.loads((self.folder / "strict/fit.json").read_text())["status"], "iteration_limit")


class Showing(Study):
    def test_a_fast_fit_shows_its_summary_alone(self):
        result = self.fit("--no-report")
        self.assertEqual(len(result.stderr.splitlines()), 4)
        self.assertTrue(result.stderr.isascii() and "\r" not in result.stderr)

    def test_json_lines(self):
        """The same in the log, and -q does not shorten them."""
        result = self.fit("--progress", "json", "--log-json", "log.jsonl", "-q")
        lines = [json.loads(line) for line in result.stderr.splitlines()]
        self.assertEqual((lines[0]["event"], lines[-1]["event"], lines[-1]["status"]), ("start", "exit", 0))
        for line in lines:
            if line["event"] == "progress":
                self.assertLessEqual({"iteration", "gap", "seconds"}, line.keys())
        self.assertEqual([json.loads(line) for line in (self.folder / "log.jsonl").read_text().splitlines()], lines)

    def test_info_tells_what_files_are(self):
        self.fitted()
        for name, words in {"X.npy": ("samples", "24 x 6 x 7 x 5", "float32"), "out": ("a fit", "converged"),
                            "out/model.safetensors": ("model", "6 x 7 x 5"), "one.tsv": ("table", "24", "score")}.items():
            result = self.run_sturm("info", name)
            self.assertEqual(result.returncode, 0, result.stderr)
            for word in words:
                self.assertIn(word, result.stdout)
            self.assertIn("kind", json.loads(self.run_sturm("info", name, "--json").stdout))
        self.before = self.listing()
        self.assert_refused(self.run_sturm("info", "nowhere"), 3, "nowhere")


if __name__ == "__main__":
    unittest.main()
