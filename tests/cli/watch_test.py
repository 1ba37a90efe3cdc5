#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm report --watch beside a running cv, and learning curves."""
import json
import re
import signal
import subprocess
import time
import unittest

import numpy as np
from cv_study import CvStudy, contents, read_table
from study import STURM


def study_in(page):
    """The study that a page holds; the page must be whole."""
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>"), page[:40]
    assert page.rstrip().endswith("</html>"), page[-40:]
    return json.loads(re.search(r'<script type="application/json" id="study">(.*?)</script>', page, re.DOTALL)[1])


class Watch(CvStudy):
    methods = "svm,lasso,sturm"

    def start(self, *arguments, **options):
        process = subprocess.Popen(self.command(*arguments, **options), cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, ready, seconds=60):
        end = time.monotonic() + seconds
        while not ready():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.02)

    def watch(self, *arguments):
        watcher = subprocess.Popen([STURM, "report", *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(watcher.communicate)
        self.addCleanup(watcher.kill)
        return watcher

    def test_the_page_follows_the_study(self):
        """Read again and again it is a whole page each time, further each time it changes, and in the end that of the
        finished study."""
        study = self.start("--permutations", 400, "--threads", 1, "--no-report", methods="svm,lasso")
        self.wait_for(lambda: (self.folder / "out.work/study.json").exists())
        watcher = self.watch("out", "--watch", "-o", "page.html")
        page, seen = self.folder / "page.html", []
        while watcher.poll() is None:
            if page.exists():
                found = study_in(page.read_text())
                if not seen or found != seen[-1]:
                    seen.append(found)
            time.sleep(0.05)
        seen.append(study_in(page.read_text()))
        said = watcher.stderr.read()
        self.assertEqual((watcher.returncode, study.wait()), (0, 0), said)
        self.assertEqual(watcher.stdout.read(), "page.html\n")
        self.assertNotEqual(seen[0], seen[-1], "it never changed")
        done = [one["progress"]["done"] for one in seen if one["progress"]]
        self.assertEqual(done, sorted(done))
        self.assertGreater(len(done), 0)
        self.assertIn(f"{done[0]} of ", seen[0]["missing"][0])
        self.assertIsNone(seen[-1]["progress"])
        self.assertEqual(seen[-1]["missing"], [])
        results = json.loads((self.folder / "out/results.json").read_text())
        for method in seen[-1]["methods"]:
            self.assertEqual(method["scores"]["accuracy"]["mean"], results["methods"][method["name"]]["accuracy"])

    def test_ctrl_c_leaves_a_page(self):
        study = self.start("--permutations", 2000, "--threads", 1, "--no-report", methods="svm")
        self.wait_for(lambda: (self.folder / "out.work/study.json").exists())
        watcher = self.watch("out.work", "--watch")
        self.wait_for(lambda: (self.folder / "out.work/report.html").exists() or watcher.poll() is not None)
        watcher.send_signal(signal.SIGINT)
        said = watcher.communicate(timeout=20)[1]
        study.kill()
        if "built without" in said:
            self.skipTest("built without the page")
        self.assertEqual(watcher.returncode, 75, said)
        self.assertIn("stopped", said)
        study_in((self.folder / "out.work/report.html").read_text())

    def test_what_is_no_running_study_is_refused(self):
        (self.folder / "empty").mkdir()
        for arguments, code, word in ((["empty", "--watch"], 3, "sturm cv"), (["nowhere", "--watch"], 3, "sturm cv"),
                                      (["empty", "--watch", "--figures", "f"], 2, "--figures")):
            result = subprocess.run([STURM, "report", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=30)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(word, result.stderr)


class LearningCurve(CvStudy):
    methods = "svm,lasso"

    def test_smaller_training_sets(self):
        """results.json from learning.tsv by NumPy, sizes in proportion, and the whole training set as without a curve."""
        plain = json.loads(self.results("--no-report")["results.json"])
        results = json.loads(self.results("--no-report", "--learning-curve", "0.3,0.6", output="curve")["results.json"])
        rows = read_table(self.folder / "curve/learning.tsv")
        for method, found in results["methods"].items():
            self.assertEqual(found["accuracy"], plain["methods"][method]["accuracy"])
            self.assertEqual([point["fraction"] for point in found["learning"]], [0.3, 0.6, 1])
            for point in found["learning"]:
                mine = [row for row in rows if row["method"] == method and float(row["fraction"]) == point["fraction"]]
                self.assertEqual(len(mine), 3)
                scores = [float(row["accuracy"]) for row in mine]
                self.assertAlmostEqual(point["mean"], np.mean(scores), 12)
                self.assertAlmostEqual(point["sd"], np.std(scores, ddof=1), 12)
                weights = [int(row["n_test"]) for row in mine]
                self.assertAlmostEqual(point["pooled"], np.average(scores, weights=weights), 12)
                self.assertAlmostEqual(point["samples"], np.mean([int(row["n_train"]) for row in mine]), 12)
                low, high = point["interval"]
                self.assertTrue(low <= point["pooled"] <= high)
                # 12 people of two classes, two samples each: a third of them is four, by classes and rounded up.
                for row in mine:
                    self.assertEqual(int(row["n_train"]), {0.3: 8, 0.6: 16, 1: 24}[point["fraction"]])
            self.assertEqual(found["learning"][-1]["mean"], found["accuracy"])

    def test_the_same_bits_in_parts_and_after_a_kill(self):
        flags = ["--learning-curve", 3, "--no-report"]
        whole = self.results(*flags)
        for part in ("1/3", "2/3", "3/3"):
            result = self.run_cv(*flags, "--shard", part, "--work", "shared", output="parts")
            self.assertEqual(result.returncode, 0, result.stderr)
        parts = contents(self.folder / "parts")
        whole.pop("data.json"), parts.pop("data.json")
        self.assertEqual(whole, parts)

    def test_it_is_counted_and_refused_where_it_does_not_fit(self):
        said = self.run_cv("--dry-run", "--learning-curve", 4, methods="svm").stdout
        self.assertIn("13 tasks", said)  # three folds, all samples, three parts of three folds
        for text, word in (("1", "0.25,0.5"), ("0.5,2", "0.25,0.5")):
            result = self.run_cv("--learning-curve", text, output="no")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
