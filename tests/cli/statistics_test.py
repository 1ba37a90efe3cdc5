#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What results.json says of luck, computed again by SciPy and NumPy from predictions.tsv and folds.tsv."""
import itertools
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import nibabel as nib
import numpy as np
from cv_study import PEOPLE, SHAPE, CvStudy, read_table
from scipy import stats
from study import STURM

DRAWS = 5000  # of the program's bootstrap


def wide_level(units):
    """The level of a BCa interval with sqrt(n/(n-1)) t_{n-1} in the place of normal quantiles."""
    return 2 * stats.norm.cdf(np.sqrt(units / (units - 1)) * stats.t.ppf(0.975, units - 1)) - 1


def auc(y, d):
    up, down = d[y > 0], d[y < 0]
    return np.mean((up[:, None] > down) + 0.5 * (up[:, None] == down)) if len(up) and len(down) else np.nan


def r2(y, p):
    return 1 - np.sum((y - p) ** 2) / np.sum((y - y.mean()) ** 2)


def holm(p):
    order, out, largest = np.argsort(p, kind="stable"), np.empty(len(p)), 0
    for rank, i in enumerate(order):
        largest = max(largest, (len(p) - rank) * p[i])
        out[i] = min(1, largest)
    return out


def corrected_t(differences, ratio):
    folds = len(differences)
    t = np.mean(differences) / np.sqrt((1 / folds + ratio) * np.var(differences, ddof=1))
    return t, 2 * stats.t.sf(abs(t), folds - 1)


def flipped_p(differences):
    """All signs of the differences of units that are not 0."""
    differences = np.asarray(differences, float)
    sizes = np.abs(differences[differences != 0])
    signs = np.array(list(itertools.product((-1, 1), repeat=len(sizes))))
    return np.mean(np.abs(signs @ sizes) >= abs(differences.sum()) - 1e-9) if len(sizes) else 1


class Statistics(CvStudy):
    """Two maps of each of 18 people, one of each class, with something of the person in both."""

    methods = "svm,lasso,ridge"

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(8)
        w = np.zeros(SHAPE)
        w[1:3, 2:4, 1:3] = 1
        self.label = np.tile([1, -1], PEOPLE)
        shift = np.repeat(random.standard_normal(PEOPLE), 2)
        self.x = random.standard_normal((2 * PEOPLE, *SHAPE)).astype(np.float32)
        self.x += ((0.5 * self.label + 1.0 * shift)[:, None, None, None] * w).astype(np.float32)
        self.write()

    def study(self, *arguments, **options):
        """results.json and, by method, labels, decisions, predictions that are right, and groups, row by row."""
        facts = json.loads(self.results(*arguments, **options)["results.json"])
        out = self.folder / options.get("output", "out")
        rows = {}
        for row in read_table(out / "predictions.tsv"):
            rows.setdefault(row["method"], []).append(row)
        columns = {method: {
            "y": np.array([1.0 if r["actual"] == "patient" else -1.0 for r in of]),
            "d": np.array([float(r["decision"]) for r in of]),
            "right": np.array([r["actual"] == r["predicted"] for r in of], float),
            "group": np.array([r["participant_id"] for r in of]),
            "actual": [r["actual"] for r in of]} for method, of in rows.items()}
        return facts, columns, read_table(out / "folds.tsv")

    def assert_bootstrap(self, interval, units, statistic):
        """BCa in NumPy, ties with what was observed counting half, with 4,000 draws of its own. Its ends and the program's
        differ by the error of quantiles of draws: at a tail of 1.5 % that is a share of sqrt(.015 * .985 / 4000) = 0.002 of
        them. Between half and 1.7 times the tail lie 0.0075 below and 0.0105 above: over three errors of both together."""
        count, random = len(units), np.random.default_rng(1)

        def of(index):
            return statistic(np.concatenate([units[i] for i in index]))
        everyone = np.arange(count)
        observed = of(everyone)
        left_out = np.array([of(np.delete(everyone, i)) for i in everyone])
        drawn = np.array([of(random.integers(count, size=count)) for _ in range(4000)])
        d = left_out.mean() - left_out
        a = np.sum(d ** 3) / (6 * np.sum(d ** 2) ** 1.5)
        below = np.mean(drawn < observed - 1e-12) + 0.5 * np.mean(np.abs(drawn - observed) <= 1e-12)
        z0, tail = stats.norm.ppf(below), (1 - wide_level(count)) / 2

        def end(share):
            z = z0 + stats.norm.ppf(share)
            return np.quantile(drawn, stats.norm.cdf(z0 + z / (1 - a * z)))
        step = 1e-9 + 0.02 * (interval[1] - interval[0])  # scores of few samples come in steps
        self.assertTrue(end(0.5 * tail) - step <= interval[0] <= end(1.7 * tail) + step, (interval, end(tail)))
        self.assertTrue(end(1 - 1.7 * tail) - step <= interval[1] <= end(1 - 0.5 * tail) + step, (interval, end(1 - tail)))

    def test_forced_choice_and_its_sign_test(self):
        facts, columns, _ = self.study()
        self.assertEqual(facts["statistics"], {"level": 0.95, "draws": DRAWS, "units": "groups", "count": PEOPLE,
                                               "paired_test": "sign flips of groups"})
        for method, result in facts["methods"].items():
            c = columns[method]
            told = []
            for person in np.unique(c["group"]):
                mine = c["group"] == person
                up, down = c["d"][mine & (c["y"] > 0)][0], c["d"][mine & (c["y"] < 0)][0]
                told.append((up > down) + 0.5 * (up == down))
            told = np.array(told)
            self.assertAlmostEqual(result["forced_choice"], told.mean(), 12)
            wins, losses = np.sum(told == 1), np.sum(told == 0)
            test = stats.binomtest(int(wins), int(wins + losses), 0.5, alternative="greater")
            self.assertAlmostEqual(result["forced_choice_p"], test.pvalue, 10)
            if wins + losses == PEOPLE:
                for end, tail, edge in zip(result["forced_choice_interval"], (0.025, 0.975), (0, PEOPLE)):
                    if wins == edge:
                        self.assertEqual(end, edge / PEOPLE)
                    else:  # mid-P: what was observed counts half
                        at = stats.binom.sf(wins, PEOPLE, end) + 0.5 * stats.binom.pmf(wins, PEOPLE, end)
                        self.assertAlmostEqual(at, tail, 9)
            self.assertNotIn("binomial_p", result)
        svm = facts["methods"]["svm"]
        self.assertGreater(svm["forced_choice"], svm["pooled_accuracy"])  # people differ, and no threshold fits all

    def test_intervals_are_a_bootstrap_of_groups(self):
        facts, columns, _ = self.study(methods="svm")
        c, result = columns["svm"], facts["methods"]["svm"]
        units = [np.flatnonzero(c["group"] == person) for person in np.unique(c["group"])]
        self.assert_bootstrap(result["pooled_accuracy_interval"], units, lambda rows: c["right"][rows].mean())
        self.assert_bootstrap(result["pooled_auc_interval"], units, lambda rows: auc(c["y"][rows], c["d"][rows]))

    def test_of_a_regression_too(self):
        facts, columns, _ = self.study("--target", "score", "--positive", "", methods="ridge,lasso")
        y, p = (np.array(list(map(float, columns["ridge"][key]))) for key in ("actual", "d"))
        group = columns["ridge"]["group"]
        units = [np.flatnonzero(group == person) for person in np.unique(group)]
        result = facts["methods"]["ridge"]
        self.assert_bootstrap(result["pooled_r2_interval"], units, lambda rows: r2(y[rows], p[rows]))
        self.assert_bootstrap(result["pooled_mean_absolute_error_interval"], units,
                              lambda rows: np.abs(y[rows] - p[rows]).mean())
        lasso = columns["lasso"]["d"]
        differences = [np.sum((y[rows] - lasso[rows]) ** 2 - (y[rows] - p[rows]) ** 2) for rows in units]
        [pair] = facts["comparisons"]
        exact = flipped_p(differences)  # ours are 9,999 drawn signs: five standard errors
        self.assertAlmostEqual(pair["p"], exact, delta=5 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4)
        self.assertNotIn("first_alone", pair)

    def test_methods_in_pairs(self):
        """Flips of groups, corrected t and Holm; without groups McNemar."""
        for groups, output in (("participant_id", "out"), ("none", "apart")):
            facts, columns, folds = self.study("--groups", groups, output=output)
            pairs = facts["comparisons"]
            self.assertEqual([(p["first"], p["second"]) for p in pairs],
                             list(itertools.combinations(self.methods.split(","), 2)))
            for pair in pairs:
                a, b = (columns[pair[key]] for key in ("first", "second"))
                first, second = np.sum(a["right"] > b["right"]), np.sum(b["right"] > a["right"])
                self.assertEqual((pair["first_alone"], pair["second_alone"]), (first, second))
                self.assertAlmostEqual(pair["difference"], a["right"].mean() - b["right"].mean(), 12)
                if groups == "none":
                    wanted = stats.binomtest(int(first), int(first + second)).pvalue if first + second else 1
                else:
                    wanted = flipped_p([np.sum((a["right"] - b["right"])[a["group"] == g]) for g in np.unique(a["group"])])
                self.assertAlmostEqual(pair["p"], wanted, 10)
                of = {m: [float(r["accuracy"]) for r in folds if r["method"] == m] for m in (pair["first"], pair["second"])}
                sizes = [(int(r["n_test"]), int(r["n_train"])) for r in folds if r["method"] == pair["first"]]
                differences = np.subtract(*of.values())
                if np.ptp(differences) > 1e-9:
                    t, p = corrected_t(differences, np.mean([test / train for test, train in sizes]))
                    self.assertAlmostEqual(pair["t"], t, 9)
                    self.assertAlmostEqual(pair["fold_p"], p, 9)
                else:
                    self.assertEqual(pair["fold_p"], 1 if abs(differences[0]) < 1e-9 else None)
            np.testing.assert_allclose([p["p_adjusted"] for p in pairs], holm([p["p"] for p in pairs]), rtol=1e-9)
            for method, result in facts["methods"].items():
                if groups == "none":
                    right = columns[method]["right"]
                    test = stats.binomtest(int(right.sum()), len(right), 0.5, alternative="greater")
                    self.assertAlmostEqual(result["binomial_p"], test.pvalue, 10)
                    exact = stats.binomtest(int(right.sum()), len(right)).proportion_ci(method="exact")
                    np.testing.assert_allclose(result["pooled_accuracy_interval"], [exact.low, exact.high], atol=1e-10)
                    self.assertNotIn("forced_choice", result)
                else:
                    self.assertAlmostEqual(result["group_p"], self.clustered_p(columns[method]), 9)

    def clustered_p(self, c):
        """Korn and Graubard: a binomial test with the effective number of samples."""
        right = np.array([c["right"][c["group"] == g].sum() for g in np.unique(c["group"])])
        n, groups, share = len(c["right"]), len(right), c["right"].mean()
        between = groups / (groups - 1) * np.sum((right - share * n / groups) ** 2) / n ** 2
        effect = max(1, between / (share * (1 - share) / n))
        trials = n / effect * (stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, groups - 1)) ** 2
        return stats.beta.cdf(0.5, share * trials, (1 - share) * trials + 1)

    def test_the_table_says_it_all(self):
        facts, _, _ = self.study()
        text = (self.folder / "out/table.md").read_text()
        for part in ("Sparsity of the box (%)", "Sparsity in the mask (%)", "All predictions together",
                     f"{DRAWS} bootstrap draws of the {PEOPLE} groups of participant_id", "p is one-sided",
                     "| p, corrected | svm | lasso | ridge |", "two-sided"):
            self.assertIn(part, text)
        result = facts["methods"]["svm"]
        low, high = (100 * end for end in result["forced_choice_interval"])
        self.assertIn(f"{100 * result['forced_choice']:.2f} ({low:.2f} to {high:.2f})", text)
        self.assertRegex(text, "cannot be told from|worse than")

    def test_labels_without_meaning_are_no_success(self):
        random = np.random.default_rng(2)
        self.write("noise-", x=random.standard_normal(self.x.shape).astype(np.float32))
        self.results(name="noise-", output="noise", methods="svm,ridge")
        text = (self.folder / "noise/table.md").read_text()
        self.assertIn("No method has been shown to be better than always naming the larger class", text)
        facts, _, _ = self.study("--permutations", 3, methods="svm", output="few")
        self.assertEqual(facts["smallest_p"], 0.25)
        self.assertIn("it cannot be below 0.25", (self.folder / "few/table.md").read_text())

    def test_the_same_study_gives_the_same_intervals(self):
        self.assertEqual(self.results(methods="svm")["results.json"],
                         self.results("--threads", 1, methods="svm", output="again")["results.json"])


class Truth(unittest.TestCase):
    """Maps of a phantom beside what it planted, from the files that the program wrote."""

    def test_agreement_is_that_of_the_maps(self):
        with tempfile.TemporaryDirectory(prefix="sturm-truth-") as name:
            folder = Path(name)

            def sturm(*words):
                done = subprocess.run([STURM, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
            sturm("phantom", "-o", "phantom", "--subjects", 16, "--size", "14x17x14")
            sturm("cv", "--samples", "phantom/samples.tsv", "--target", "group", "--positive", "patient", "--methods",
                  "svm,lasso", "--outer", 2, "--inner", 2, "--no-report", "-o", "out")
            facts = json.loads((folder / "out/results.json").read_text())

            def load(file):
                return np.asarray(nib.load(folder / file).dataobj, dtype=float)
            inside = load("phantom/mask.nii.gz") > 0
            truth = load("phantom/truth.nii.gz")[inside]
            planted = truth != 0
            for method, result in facts["methods"].items():
                found = result["truth"]
                w = load(f"out/map_{method}.nii.gz")[inside]
                self.assertEqual(found["planted"], planted.sum())
                self.assertAlmostEqual(found["auc"], auc(np.where(planted, 1, -1), np.abs(w)), 9)
                self.assertAlmostEqual(found["rank_correlation"], stats.spearmanr(w, truth).correlation, 9)
                if method == "svm":  # no ties
                    strongest = np.argsort(-np.abs(w))[:planted.sum()]
                    self.assertAlmostEqual(found["dice"], planted[strongest].mean(), 12)
                self.assertTrue(0 <= found["dice"] <= 1)
            sturm("cv", "--samples", "phantom/samples.tsv", "--target", "age", "--methods", "ridge", "--outer", 2, "--inner", 2,
                  "--no-report", "-o", "age")
            age = json.loads((folder / "age/results.json").read_text())
            self.assertNotIn("truth", age["methods"]["ridge"])  # what is planted is the groups' difference


if __name__ == "__main__":
    unittest.main()
