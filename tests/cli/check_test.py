#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm check: the table of files, every problem of a study, and the verdict on malformed files."""
import csv
import json
import re
import unittest

import numpy as np
from study import write_table
from volumes import AFFINE, SHARED, VolumeStudy, needs_shared, read_table, save

COLUMNS = ["line", "path", "volume", "shape", "voxel_mm", "orientation", "not_finite", "constant", "extreme", "minimum",
           "maximum", "same_as", "verdict"]


class Check(VolumeStudy):
    def check(self, *arguments, samples="samples.tsv", code=0):
        result = self.run_sturm("check", "--samples", samples, *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def facts(self, *arguments, **options):
        return json.loads(self.check("--json", *arguments, **options).stdout)

    def findings(self, severity, *arguments, **options):
        return [f["what"] for f in self.facts(*arguments, **options)["findings"] if f["severity"] == severity]

    def assert_one(self, findings, *words):
        fitting = [f for f in findings if all(str(word) in f for word in words)]
        self.assertEqual(len(fitting), 1, f"{words} in {findings}")

    def test_a_sound_study(self):
        result = self.check("--target", "group", "--positive", "patient")
        rows = list(csv.DictReader(result.stdout.splitlines(), delimiter="\t"))
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row["path"] for row in rows], self.paths)
        self.assertEqual({(row["shape"], row["voxel_mm"], row["orientation"], row["not_finite"], row["constant"],
                           row["verdict"]) for row in rows}, {("12x14x10", "3x3x3", "LAS", "0", "no", "ok")})
        for m, row in enumerate(rows):
            self.assertAlmostEqual(float(row["maximum"]), self.v[m].max(), delta=1e-5)
        for word in ("24 rows in 24 groups of participant_id (at most 1 row each)", "control 12, patient 12", "memory", "estimate"):
            self.assertIn(word, result.stderr)
        self.assertNotIn("error", result.stderr)
        self.assertEqual(self.listing(), self.before)
        facts = self.facts("--target", "group", "--positive", "patient")
        self.assertEqual(facts["labels"]["counts"], {"control": 12, "patient": 12})
        self.assertGreater(facts["resources"]["cv_seconds_estimate"], 0)
        self.assertEqual([f["verdict"] for f in facts["files"]], ["ok"] * 24)

    def test_every_problem_is_told_not_only_the_first(self):
        moved = AFFINE.copy()
        moved[2, 3] += 2
        save(self.folder / self.paths[1], self.v[1], moved)
        save(self.folder / self.paths[2], self.v[2][:-1])
        (self.folder / self.paths[3]).write_bytes(b"no volume")
        (self.folder / self.paths[4]).unlink()
        values = self.v[5].copy()
        values[5, 5, 5], values[5, 5, 6] = np.nan, np.inf
        save(self.folder / self.paths[5], values)
        save(self.folder / self.paths[6], 0 * self.v[6])
        save(self.folder / "copy.nii", self.v[8])  # the same volume under another name, not gzipped
        values = self.v[10].copy()
        values[6, 7, 5] = 1e6
        save(self.folder / self.paths[10], values)
        save(self.folder / self.paths[11], np.float32(1e20) * self.v[11])
        paths, group = list(self.paths), list(self.groups)
        paths[9] = "copy.nii"
        group[20] = "n/a"
        ages = ["n/a" if m in (7, 8) else 20 + m for m in range(24)]
        self.samples(path=paths, group=group, age=ages, site=[group[m] if m != 20 else "control" for m in range(24)])
        arguments = ("--target", "group", "--positive", "patient", "--confounds", "age,height")
        errors = self.findings("error", *arguments, code=3)
        self.assert_one(errors, self.paths[1], "12x14x10", "where most are")
        self.assert_one(errors, self.paths[2], "11x14x10")
        self.assert_one(errors, self.paths[3])
        self.assert_one(errors, "line 6, column path", self.paths[4])
        self.assert_one(errors, "copy.nii (line 11)", f"{self.paths[8]} (line 10)", "with another group")
        self.assert_one(errors, "'height'", "--confounds")
        self.assert_one(errors, "column group", "line 22", "--drop-missing")
        self.assert_one(errors, "line 9, column age", "confound")
        self.assertEqual(len(errors), 8, errors)
        warnings = self.findings("warning", *arguments, code=3)
        self.assert_one(warnings, self.paths[5], "2 voxels are NaN or infinite")
        self.assert_one(warnings, self.paths[6], "the same everywhere")
        self.assert_one(warnings, self.paths[11], "overflow in float32")
        self.assert_one(warnings, "column site", "one group alone")
        files = self.facts(*arguments, code=3)["files"]
        self.assertEqual((files[5]["not_finite"], files[6]["constant"], files[9]["same_as"]), (2, True, self.paths[8]))
        self.assertGreaterEqual(files[10]["extreme"], 1)
        self.assertEqual([files[m]["verdict"] for m in (0, 3, 4, 5, 6)], ["ok", "error", "error", "warning", "warning"])
        result = self.check(*arguments, code=3)
        self.assertTrue(result.stderr.splitlines()[-1].startswith("sturm: samples.tsv: 8 errors and "), result.stderr)
        resampled = self.findings("error", *arguments, "--on-mismatch", "resample", code=3)
        self.assertEqual(len(resampled), 6, resampled)

    def test_what_will_leak(self):
        people = [f"sub-{m // 2:02}" for m in range(24)]
        self.samples(participant_id=people)
        self.assertFalse([w for w in self.findings("warning") if "cross-validation" in w])
        self.assert_one(self.findings("warning", "--groups", "none"), "12 participants", "sub-00", "--groups")
        self.assert_one(self.findings("warning", "--groups", "group"), "12 participants", "several values of group")
        self.samples(participant_id=None, path=[f"volumes/../volumes/sub-{m // 2:02}.nii.gz" for m in range(24)])
        self.assert_one(self.findings("warning"), "12 participants", "no groups", "participant_id")
        self.assert_one(self.findings("error", "--groups", "family", code=3), "'family'", "--groups")

    def test_targets_that_cannot_be(self):
        self.assert_one(self.findings("note"), "--target", "group, score")
        self.assert_one(self.findings("error", "--target", "age", code=3), "'age'")
        self.assert_one(self.findings("error", "--target", "group", "--positive", "ill", code=3), "'ill'")
        self.samples(group=["a"] * 24)
        self.assert_one(self.findings("error", "--target", "group", code=3), "nothing to predict")

    def test_turned_volumes_are_no_problem(self):
        save(self.folder / self.paths[3], self.v[3][::-1], AFFINE @ [[-1, 0, 0, 11], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
        self.assert_one(self.findings("note"), "1 volume has its axes", "without interpolation")
        self.assertEqual(self.facts()["files"][3]["orientation"], "RAS")

    def test_arrays(self):
        result = self.run_sturm("check", "--array", "X.npy", "--labels", "one.tsv", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["resources"]["shape"], [6, 7, 5])
        write_table(self.folder / "short.tsv", score=self.y[:-1])
        result = self.run_sturm("check", "--array", "X.npy", "--labels", "short.tsv")
        self.assertEqual(result.returncode, 3)
        self.assertIn("23 rows", result.stderr)
        self.assertEqual(self.run_sturm("check").returncode, 2)


class SameAsTheOthers(VolumeStudy):
    """What fit and cv refuse, check refuses, in the same words."""

    CV = ("--methods", "dummy", "--outer", 10, "--inner", 2)

    def refused_alike(self, command, *arguments, samples="samples.tsv", same=True):
        """The sentence with which fit or cv ends, which is one of check's errors."""
        common = ("--samples", samples, *arguments)
        theirs = self.run_sturm(command, *common, "-o", "out")
        self.assertEqual(theirs.returncode, 3, theirs.stderr)
        ours = self.run_sturm("check", *common, "--json", "-q")
        self.assertEqual(ours.returncode, 3, ours.stderr)
        errors = [f["what"] for f in json.loads(ours.stdout)["findings"] if f["severity"] == "error"]
        sentence = theirs.stderr.strip().splitlines()[-1].removeprefix("sturm: ")
        if same:
            self.assertIn(sentence, errors)
        return errors

    def test_flags(self):
        def flags(command):
            return set(re.findall(r"(?<![\w-])--[a-zA-Z][\w-]*", self.run_sturm(command, "--help").stdout))
        listed = set(re.findall(r"^ +(?:-\w,\s*)?(--[\w-]+)", self.run_sturm("check", "--help").stdout, re.M))
        missing = (flags("cv") | flags("fit")) - flags("check") - listed
        self.assertEqual(missing, set())
        self.assertEqual(self.run_sturm("check", "--samples", "samples.tsv", "--nonsense").returncode, 2)
        for wrong in (("--outer", "none"), ("--methods", "lazzo"), ("--method", "lazzo"), ("--resize", 2), ("--rho", -1),
                      ("--score", "r2", "--target", "group", "--positive", "patient")):
            self.assertEqual(self.run_sturm("check", "--samples", "samples.tsv", *wrong).returncode, 2, wrong)

    def test_a_command_line_of_cv_is_one_of_check(self):
        result = self.run_sturm("check", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", *self.CV,
                                "--preset", "paper", "--resize", "0.5,1", "--shard", "1/2", "-o", "out", "--force")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.listing(), self.before)

    def test_it_says_what_a_cross_validation_takes_as_its_dry_run_does(self):
        arguments = ("--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--methods", "svm,ridge",
                     "--outer", 4, "--inner", 3)
        ours = self.run_sturm("check", *arguments)
        theirs = self.run_sturm("cv", *arguments, "--dry-run", "-o", "out")
        self.assertEqual((ours.returncode, theirs.returncode), (0, 0), ours.stderr + theirs.stderr)
        plain = [line for line in theirs.stdout.splitlines() if not re.match(r"svm|ridge", line)]
        for line in plain:  # the times of the methods are measured, and differ
            self.assertIn(line, ours.stderr)
        for method in ("svm", "ridge"):
            fits = re.search(rf"^{method} +(\d+)", theirs.stdout, re.M)[1]
            self.assertRegex(ours.stderr, rf"(?m)^{method} +{fits} ")

    def test_tables(self):
        target = ("--target", "group", "--positive", "patient")
        few = self.samples("few.tsv", participant_id=self.ids[:12], path=self.paths[:12], group=self.groups[:12], score=self.score[:12])
        self.refused_alike("cv", *target, *self.CV, samples=few)
        comma = self.samples("comma.tsv", score=[f"{m},5" for m in range(24)])
        self.refused_alike("fit", "--target", "score", samples=comma)
        odd = self.samples("odd.tsv", age=["45,2" if m == 4 else 20 + m for m in range(24)], site=["a", "A"] * 12,
                           weight=[-1, 1] * 12, family=["f", "n/a"] * 12, hole=["n/a", *self.groups[1:]])
        for flags in (("--confounds", "age"), ("--confounds", "site"), ("--confounds", "group"), ("--confounds", "participant_id"),
                      ("--confounds", "height"), ("--groups", "family"), ("--groups", "nowhere"), ("--outer", "column:family"),
                      ("--outer", "column:nowhere")):
            with self.subTest(flags):
                self.refused_alike("cv", *target, "--methods", "dummy", "--inner", 2, *flags, samples=odd)
        self.refused_alike("fit", *target, "--weights", "weight", samples=odd)
        self.refused_alike("fit", "--target", "hole", "--positive", "patient", samples=odd)
        self.refused_alike("fit", "--target", "group", samples=odd)
        self.refused_alike("fit", "--target", "group", "--positive", "ill", samples=odd)
        self.refused_alike("fit", "--target", "site", "--classes", samples=odd)

    def test_volumes(self):
        target = ("--target", "group", "--positive", "patient")
        for name, values in {"nan": np.nan * self.v[0], "zero": 0 * self.v[0]}.items():
            for m in range(24):
                save(self.folder / f"{name}/{m}.nii.gz", values)
            table = self.samples(f"{name}.tsv", path=[f"{name}/{m}.nii.gz" for m in range(24)])
            errors = self.refused_alike("fit", *target, samples=table, same=False)
            self.assert_counted(errors, name)

    def assert_counted(self, errors, name):
        """24 volumes with the same mistake are one line."""
        self.assertLessEqual(len(errors), 2, errors)
        self.assertIn({"nan": "24 files: holds no finite number", "zero": "all volumes are the same"}[name], " ".join(errors))

    def test_equal_warnings_are_one_line(self):
        for m in range(0, 24, 2):
            values = self.v[m].copy()
            values[5, 5, 4:6 + m // 12] = np.nan
            save(self.folder / self.paths[m], values)
        result = self.run_sturm("check", "--samples", "samples.tsv", "--json")
        found = [f["what"] for f in json.loads(result.stdout)["findings"]]
        lines = [f for f in found if "NaN" in f]
        self.assertEqual(len(lines), 1, found)
        self.assertRegex(lines[0], r"^12 files: 2 to 3 voxels are NaN or infinite.* and 7 more\)\.$")


# Words of which one must stand in the error about a file: the field that is wrong.
FIELDS = {"size": ("bytes", "short", "empty", "data"), "id": ("NIfTI", "sizeof_hdr"), "sizeof": ("sizeof_hdr",),
          "magic": ("magic",), "dim": ("dim",), "dtype": ("datatype",), "voxoff": ("vox_offset",),
          "scl": ("scl_slope", "scl_inter"), "xf": ("sform", "srow", "quatern", "qform"), "pixdim": ("pixdim",),
          "n2": ("dim", "vox_offset", "bytes", "intent"), "gz": ("gzip", "dim", "bytes", "empty"), "pair": (".img", "bytes")}


@needs_shared("nifti/expected.tsv")
class Malformed(VolumeStudy):
    def test_every_file_gets_its_verdict(self):
        folder = SHARED.resolve() / "nifti"
        cases = [row for row in read_table(folder / "expected.tsv") if row["expect"] != "-"]
        self.assertGreater(len(cases), 80)
        (self.folder / "nifti").symlink_to(folder)
        write_table(self.folder / "odd.tsv", path=[f"nifti/{case['file']}" for case in cases])
        result = self.run_sturm("check", "--samples", "odd.tsv", "--allow-outside", "--json")
        self.assertEqual(result.returncode, 3)
        # Among these files some stand out from the others, which is a warning, too.
        verdicts = {"A": ("ok", "outlier"), "W": ("warning", "outlier"), "E": ("error",)}
        for case, found in zip(cases, json.loads(result.stdout)["files"], strict=True):
            with self.subTest(case["file"]):
                self.assertIn(found["verdict"], verdicts[case["expect"]], f"{case['why']}: {found}")
                if case["expect"] == "E":
                    words = FIELDS[case["file"].split("_")[0].split(".")[0]]
                    self.assertTrue(any(word in found["error"] for word in words), found["error"])
                    self.assertIn(case["file"].rsplit(".", 1)[0], found["error"])


if __name__ == "__main__":
    unittest.main()
