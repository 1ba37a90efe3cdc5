#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables that people have: confounds, labels, encodings, separators, paths, runs. Nothing is taken for something
else without a word."""
import csv
import json
import os
import pty
import subprocess
import unittest

import numpy as np
from cv_study import CvStudy
from study import STURM, Study, write_table
from volumes import VolumeStudy, save


class Confounds(CvStudy):
    methods = "ridge"

    def cv(self, code, *words, confounds="age", **changes):
        """cv with confounds, after changes of columns: each is a function of the row's number and value."""
        with open(self.folder / "y.tsv", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        for column, change in changes.items():
            for m, row in enumerate(rows):
                row[column] = change(m, row.get(column))
        write_table(self.folder / "changed.tsv", **{key: [row[key] for row in rows] for key in rows[0]})
        result = self.run_cv("--confounds", confounds, "--labels", "changed.tsv", "--dry-run")
        self.assertEqual(result.returncode, code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        return result.stderr

    def test_one_cell_that_is_no_number_is_an_error_with_its_place(self):
        for cell, word in {"45,2": "45.2", "1e400": "'1e400'", "old": "'old'"}.items():
            self.cv(3, "changed.tsv, line 5, column age", word, age=lambda m, v: cell if m == 3 else v)
        for cell in ("NA", "nan", "NaN", "N/A", "n/a", "null", ""):
            self.cv(3, "changed.tsv, line 5, column age", "no value", age=lambda m, v: cell if m == 3 else v)

    def test_categories_are_named_with_their_counts(self):
        words = self.cv(0, "note: ", "confound site holds words", "3 categories", "a (12), b (12), c (12)", confounds="age,site",
                        site=lambda m, v: "abc"[m // 2 % 3])
        self.assertEqual(words.count("categories"), 1)

    def test_what_cannot_be_a_confound(self):
        self.cv(3, "column group", "predicted", "--confounds", confounds="group")
        self.cv(3, "column participant_id", "people", confounds="participant_id")
        self.cv(3, "column subject", "people", confounds="subject", subject=lambda m, v: m // 2)
        self.cv(3, "column scan", "another one in each of the 36 samples", confounds="scan", scan=lambda m, v: f"s{m}")
        self.cv(3, "has no column 'height' (--confounds)", confounds="height")
        self.cv(3, "line 3, column site", "'A'", "'a' (line 2)", confounds="site", site=lambda m, v: "aA" [m % 2])


class Labels(Study):
    def table(self, name="t.tsv", **columns):
        write_table(self.folder / name, **columns)
        self.before = self.listing()
        return name

    def test_labels_that_are_lumped_together_are_named(self):
        table = self.table(group=["pat", "con", "rel"] * 8)
        words = "the positive class is 'pat' (8 samples)", "2 values together: 'con' (8), 'rel' (8)"
        for result in (self.fit("--positive", "pat", labels=table),
                       self.run_sturm("cv", "--array", "X.npy", "--labels", table, "--positive", "pat", "--methods",
                                      "dummy", "--outer", 2, "--inner", 2, "-o", "cv"),
                       self.run_sturm("check", "--array", "X.npy", "--labels", table, "--positive", "pat", "--outer", 2, "--inner", 2)):
            self.assertEqual(result.returncode, 0, result.stderr)
            for word in words:
                self.assertIn(word, result.stderr)
        for folder in ("out", "cv"):
            warnings = json.loads((self.folder / folder / "data.json").read_text())["warnings"]
            self.assertTrue(any(words[0] in w and words[1] in w for w in warnings), warnings)

    def test_one_number_among_many(self):
        table = self.table(age=[28, 30, 41, 28, 55, 60] * 4)
        result = self.fit("--positive", 28, labels=table)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("every other number: 4 values from 30 to 60 (16 samples)", result.stderr)

    def test_two_numbers_as_a_regression_are_noted_by_fit_cv_and_check(self):
        table = self.table(group=[0, 1] * 12)
        common = ("--array", "X.npy", "--labels", table)
        for result in (self.run_sturm("fit", *common, "-o", "fit"), self.run_sturm("check", *common, "--outer", 3),
                       self.run_sturm("cv", *common, "--methods", "dummy", "--outer", 2, "--inner", 2, "-o", "cv")):
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("two values (0, 1) and is fitted as a regression; classify with --positive 1", result.stderr)

    def test_near_twins_are_an_error(self):
        for values, words in {("Pat", "con", "pat", "con"): ("'pat'", "'Pat' (line 2)"),
                              ("pat", "con", "pat", "con\u00a0"): ("'con' (line 3)", "spaces")}.items():
            table = self.table(group=[*values] * 6)
            self.assert_refused(self.fit("--positive", "pat", labels=table), 3, "t.tsv, line", "column group", *words)
        # Spaces around a value, and 1 beside 1.0, are the same value already.
        self.fitted("--positive", "pat", labels=self.table(group=["pat", " con", "pat ", "con"] * 6), output="a")
        self.fitted("--positive", "1", labels=self.table(group=["1", "2", "1.0", "2.0"] * 6), output="b")

    def test_missing_has_many_spellings(self):
        for cell in ("NA", "nan", "N/A", "null", "NULL"):
            table = self.table(group=[cell, "con", "pat", "con"] + ["pat", "con"] * 10)
            self.assert_refused(self.fit("--positive", "pat", labels=table), 3, "column group", "no value in line 2")

    def test_decimal_commas(self):
        table = self.table(age=[f"{m},5" for m in range(24)])
        self.assert_refused(self.fit(labels=table), 3, "t.tsv, line 2, column age", "'0,5'", "0.5")
        (self.folder / "t.csv").write_text("age;site\n" + "".join(f"{m},5;a\n" for m in range(24)))
        self.before = self.listing()
        self.assert_refused(self.fit("--target", "age", labels="t.csv"), 3, "t.csv, line 2, column age", "point")


class Encodings(Study):
    def text(self, data, name="t.tsv"):
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        self.before = self.listing()
        return name

    def test_csv_is_known_by_its_header(self):
        expected = (self.fitted("--target", "score", labels="y.tsv") / "coef.npy").read_bytes()
        rows = [["participant_id", "score", "note"]] + [[i, repr(float(y)), "a, b; c"] for i, y in zip(self.ids, self.y)]
        for name, separator in {"comma.csv": ",", "semicolon.csv": ";", "tab.tsv": "\t"}.items():
            with open(self.folder / name, "w", newline="") as file:
                csv.writer(file, delimiter=separator).writerows(rows)
            out = self.fitted("--target", "score", labels=name, output=f"from-{name}")
            self.assertEqual((out / "coef.npy").read_bytes(), expected, name)

    def test_what_is_not_utf8_says_where_and_how_to_save_it(self):
        words = ["bar", "caf\xe9"]
        latin = "participant_id\tgroup\n" + "".join(f"s{m}\t{words[m % 2]}\n" for m in range(24))
        self.assert_refused(self.fit("--positive", "bar", labels=self.text(latin.encode("latin-1"))), 3, "t.tsv, line 3",
                            "caf", "UTF-8")
        for code in ("utf-16", "utf-16-le", "utf-16-be"):
            self.assert_refused(self.fit("--positive", "bar", labels=self.text(latin.encode(code))), 3, "UTF-16", "UTF-8")
        self.fitted("--positive", "caf\xe9", labels=self.text(latin))
        facts = json.loads((self.folder / "out/fit.json").read_text())
        self.assertIn("caf\xe9", json.dumps(facts, ensure_ascii=False))

    def test_hostile_tables(self):
        for data, words in {b"": ("empty",), b"\n\n": ("empty",), b"\t\t\n1\t2\t3\n": ("no column",),
                            b"a\ta\n1\t2\n": ("'a' twice",), b"score\n": ("0 rows",),
                            ("\t".join(f"c{i}" for i in range(1000000)) + "\n").encode(): ("1000000 columns",),
                            b"score\n" + b"x" * (10 << 20) + b"\n": ("1 MiB",),
                            b"score\n\"1\n2\n": ("line 2", "never closed")}.items():
            with self.subTest(data[:30]):
                result = self.fit(labels=self.text(data))
                self.assert_refused(result, 3, "t.tsv", *words)
                self.assertLess(len(result.stderr), 500)

    def test_control_characters_never_reach_a_terminal(self):
        red = "\x1b[31mred\x9b2J\x07"
        label = red.replace("\n", "")
        rows = "".join(f"s{m}\t{m}\t{label if m % 2 else 'b'}\n" for m in range(24))
        for header in ("participant_id\tx\tgroup\n", f"participant_id\tx{red}\tgroup{red}\n"):
            table = self.text(header + rows)
            target = header.rstrip("\n").split("\t")[2]
            for arguments in (["--target", target], ["--target", target, "--positive", "b"], ["--target", red],
                              ["--target", target, "--positive", red], ["--weights", red, "--target", target]):
                for command in (["fit", "-o", "out", "--force"], ["check"],
                                ["cv", "--dry-run", "-o", "cv", "--methods", "dummy", "--outer", "2", "--inner", "2"]):
                    result = self.run_sturm(command[0], "--array", "X.npy", "--labels", table, *arguments, *command[1:])
                    self.assertIn(result.returncode, (0, 2, 3), result.stderr)
                    self.assertFalse(any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in result.stderr), repr(result.stderr))
        table = self.text("participant_id\tgroup\n" + "".join(f"s{m}\t{label if m % 2 else 'b'}\n" for m in range(24)))
        facts = json.loads((self.fitted("--positive", "b", labels=table, output="data") / "fit.json").read_text())
        self.assertIn(json.dumps(label), json.dumps(facts))
        predict = ["predict", "--model", "data", "--array", "X.npy", "-o", "-"]
        self.assertIn("\x1b[31m", self.run_sturm(*predict).stdout, "data for a file stay as they are")
        main, other = pty.openpty()
        subprocess.run([STURM, *predict], cwd=self.folder, stdout=other, stderr=subprocess.DEVNULL, timeout=60)
        os.close(other)
        shown = b""
        try:
            while part := os.read(main, 65536):
                shown += part
        except OSError:
            pass  # the terminal is closed
        os.close(main)
        self.assertIn(b"\\x1b[31m", shown)
        self.assertNotIn(b"\x1b", shown)


class Files(VolumeStudy):
    def test_a_missing_folder_is_missing(self):
        paths = list(self.paths)
        paths[3] = "nofolder/x.nii.gz"
        self.samples("bad.tsv", path=paths)
        result = self.fit_volumes(samples="bad.tsv")
        self.assert_refused(result, 3, "bad.tsv, line 5, column path", "'nofolder/x.nii.gz' does not exist", "folder nofolder")
        self.assertNotIn("outside", result.stderr)

    def test_many_missing_files_are_counted_or_left_out(self):
        paths = [path if m % 3 else f"gone/{m}.nii" for m, path in enumerate(self.paths)]
        self.samples("bad.tsv", path=paths)
        self.assert_refused(self.fit_volumes(samples="bad.tsv"), 3, "8 rows: does not exist", "line 2, column path: 'gone/0.nii'",
                            "and 3 more")
        result = self.fit_volumes("--skip-missing", samples="bad.tsv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("8 of 24 rows have no file and are left out: sub-00, sub-03", result.stderr)
        data = json.loads((self.folder / "out/data.json").read_text())
        self.assertEqual([e["sample"] for e in data["excluded"]], [f"sub-{m:02}" for m in range(0, 24, 3)])
        self.assertEqual({e["reason"] for e in data["excluded"]}, {"no file"})
        self.assertEqual(json.loads((self.folder / "out/fit.json").read_text())["n_samples"], 16)

    def test_several_runs_of_a_person_are_samples_of_one_group(self):
        for m, path in enumerate(self.paths):
            (self.folder / f"runs/sub-{m // 2:02}").mkdir(parents=True, exist_ok=True)
            (self.folder / path).rename(self.folder / f"runs/sub-{m // 2:02}/sub-{m // 2:02}_run-{m % 2 + 1}_con.nii.gz")
        people = [f"sub-{m:02}" for m in range(12)]
        write_table(self.folder / "people.tsv", participant_id=people, group=["a", "b"] * 6)
        common = ("--participants", "people.tsv", "--images", "runs/{participant_id}/*_con.nii.gz", "--target", "group",
                  "--positive", "b")
        self.before = self.listing()
        self.assert_refused(self.run_sturm("fit", *common, "-o", "out"), 3, "people.tsv, line 2", "run-1", "run-2", "--several")
        result = self.run_sturm("cv", *common, "--several", "--methods", "dummy", "--outer", 3, "--inner", 2, "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("24 samples of 12 rows; their names give the column run", result.stderr)
        with open(self.folder / "out/predictions.tsv", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        folds = {}
        for row in rows:
            folds.setdefault(row["participant_id"], set()).add(row["fold"])
        self.assertEqual((len(rows), len(folds), max(map(len, folds.values()))), (24, 12, 1))
        by_run = self.run_sturm("cv", *common, "--several", "--methods", "dummy", "--outer", "column:run", "--groups", "none",
                                "--inner", 2, "-o", "runs-out")
        self.assertEqual(by_run.returncode, 0, by_run.stderr)

    def test_a_column_of_people_is_proposed_as_group(self):
        for name in ("subject", "sub", "patient_id", "ID"):
            self.samples("t.tsv", participant_id=None, path=self.paths, **{name: [f"p{m // 2}" for m in range(24)]})
            for command in (("check",), ("cv", "--dry-run", "-o", "out", "--methods", "dummy", "--outer", 3, "--inner", 2)):
                result = self.run_sturm(command[0], "--samples", "t.tsv", "--target", "group", "--positive", "patient", *command[1:])
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stderr, rf"warning: .*12 values of {name} .*--groups {name}")

    def test_warnings_on_volumes_reach_the_terminal_and_the_report(self):
        self.v[5] = self.v[4]
        self.v[9] = 3 * self.brain
        for m in (5, 9):
            save(self.folder / self.paths[m], self.v[m])
        self.samples("t.tsv", site=[group[0] for group in self.groups])
        common = ("--samples", "t.tsv", "--target", "group", "--positive", "patient")
        for command in (("fit", "-o", "fit"), ("cv", "-o", "cv", "--methods", "dummy", "--outer", 3, "--inner", 2)):
            result = self.run_sturm(command[0], *common, *command[1:])
            self.assertEqual(result.returncode, 0, result.stderr)
            words = [f"{self.paths[5]} (line 7): is the same volume as {self.paths[4]} (line 6), with another group",
                     f"{self.paths[9]} (line 11): is the same everywhere", "column site: every value goes with one group"]
            warnings = json.loads((self.folder / command[0] / "data.json").read_text())["warnings"]
            for word in words:
                self.assertRegex(result.stderr, "warning: .*" + word.replace("(", r"\(").replace(")", r"\)"))
                self.assertEqual(sum(word in w for w in warnings), 1, warnings)


if __name__ == "__main__":
    unittest.main()
