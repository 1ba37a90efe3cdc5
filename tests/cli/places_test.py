#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where files lie on a machine is not in the page of a report, whatever paths the program was given."""
import base64
import gzip
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import nibabel as nib
import numpy as np
from report_page import EMPTY, Page
from study import STURM, write_table

SECRET = "carol-9f3c"  # of the folder that all others lie in; as a user's name would
SHAPE = (6, 7, 5)
PEOPLE = 16
AFFINE = np.diag([3.0, 3, 4, 1])


class Places(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix=f"{SECRET}-")
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        self.home = self.root / f"home of {SECRET}"  # spaces, too
        self.study = self.home / "oasis"
        (self.study / "volumes").mkdir(parents=True)
        random = np.random.default_rng(1)
        self.label = np.arange(PEOPLE) % 2
        self.x = random.standard_normal((PEOPLE, *SHAPE)).astype(np.float32)
        self.x[self.label == 1, 2:4, 2:4, 2] += 1.5
        self.x[0, 0, 0, 0] = np.nan  # so that there is a warning with a name in it
        self.x[1] *= 60  # and a volume that stands out
        self.paths = []
        for m, x in enumerate(self.x):
            image = nib.Nifti1Image(x, AFFINE)
            image.header["descrip"] = str(self.study).encode()[:79]
            self.paths.append(self.study / f"volumes/{m:02}.nii.gz")
            nib.save(image, self.paths[-1])
        mask = np.ones(SHAPE, np.uint8)
        for name, values in (("mask", mask), ("atlas", mask), ("template", mask + self.x[2] * 0), ("truth", self.x[2])):
            image = nib.Nifti1Image(np.asarray(values, np.float32), AFFINE)
            image.header["descrip"] = str(self.study).encode()[:79]
            nib.save(image, self.home / f"{name}.nii.gz")
        write_table(self.home / "regions.tsv", index=[1], name=["everywhere"])
        self.table(self.study / "samples.tsv", path=self.paths, scan=[str(path.parent) for path in self.paths])
        (self.home / "empty.html").write_text(EMPTY)

    def table(self, file, **columns):
        write_table(file, participant_id=[f"sub-{m:02}" for m in range(PEOPLE)],
                    group=["patient" if label else "control" for label in self.label],
                    age=[f"{20 + m}" for m in range(PEOPLE)], **columns)

    def sturm(self, *arguments):
        result = subprocess.run([STURM, *map(str, arguments)], cwd=self.home, text=True, capture_output=True, timeout=300,
                                env=os.environ | {"STURM_PAGE": str(self.home / "empty.html"), "HOME": str(self.home)})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def page(self, file):
        """The page, after every part of it was looked at: words, volumes unpacked, drawings and pictures in them."""
        text = file.read_text()
        page = Page(text)
        parts = {"page": text.encode()}
        for name, _, content in page.scripts:
            if name and name != "study":
                data = base64.b64decode(content)
                parts[name] = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
                for n, image in enumerate(re.findall(rb"base64,([A-Za-z0-9+/=]+)", parts[name])):
                    parts[f"{name}-{n}"] = base64.b64decode(image)
        self.assertGreater(len(parts), 5)
        for name, data in parts.items():
            for never in (SECRET, str(self.root), str(Path.home()) + "/"):
                at = data.find(never.encode())
                self.assertEqual(at, -1, f"{name}: {data[max(0, at - 80):at + 80]}")
        return page

    def test_a_study_with_every_path_from_the_root(self):
        (self.home / "study.toml").write_text('methods = "svm,lasso"\n')
        self.sturm("cv", "--config", self.home / "study.toml", "--samples", self.study / "samples.tsv", "--target", "group",
                   "--positive", "patient", "--mask", self.home / "mask.nii.gz", "--nan", "zero", "--outer", 3, "--inner", 2,
                   "--cache", self.home / "cache", "--log-json", self.home / "log.json", "--work", self.home / "work",
                   "-o", self.home / "results", "--allow-outside")
        study = self.page(self.home / "results/report.html").study
        self.assertIn("of oasis", study["title"])
        self.assertIn("sturm cv --samples", study["text"]["command"])
        self.assertIn("mask.nii.gz", study["text"]["command"])
        self.assertEqual({p["path"] for p in study["predictions"]}, {f"volumes/{m:02}.nii.gz" for m in range(PEOPLE)})
        self.assertIn({"name": "input", "value": "samples.tsv"}, study["data"]["facts"])
        self.assertIn({"name": "mask", "value": "mask.nii.gz"}, study["provenance"])
        self.assertTrue(any("volumes/01.nii.gz" in line for line in study["data"]["warnings"]), study["data"]["warnings"])
        self.sturm("report", self.home / "results", "--atlas", self.home / "atlas.nii.gz", "--atlas-labels",
                   self.home / "regions.tsv", "--template", self.home / "template.nii.gz", "--truth",
                   self.home / "truth.nii.gz", "-o", self.home / "page.html")
        page = self.page(self.home / "page.html")
        self.assertEqual(page.study["methods"][1]["clusters"][0]["region"], "everywhere")
        self.assertTrue(page.study["where"]["pictures"])

    def test_a_fit_of_arrays(self):
        np.save(self.study / "X.npy", np.nan_to_num(self.x))
        self.table(self.study / "y.tsv")
        self.sturm("fit", "--array", self.study / "X.npy", "--labels", self.study / "y.tsv", "--target", "group",
                   "--positive", "patient", "-o", self.home / "fit")
        self.assertIn("of oasis", self.page(self.home / "fit/report.html").study["title"])

    def test_a_study_that_is_not_finished(self):
        self.sturm("cv", "--samples", self.study / "samples.tsv", "--target", "age", "--methods", "svm", "--outer", 3,
                   "--inner", 2, "--nan", "zero", "--shard", "1/2", "--work", self.home / "half.work", "-o", self.home / "half")
        [journal] = (self.home / "half.work").glob("journal-*.bin")
        journal.write_bytes(journal.read_bytes()[:-1])  # torn, which the page tells of
        self.sturm("report", self.home / "half.work", "-o", self.home / "half.html")
        study = Page((self.home / "half.html").read_text()).study
        self.assertNotIn(SECRET, json.dumps(study))
        self.assertTrue(any(journal.name in line for line in study["missing"]), study["missing"])

    def test_a_home_is_no_data_set_and_a_title_wins(self):
        self.table(self.home / "samples.tsv", path=[path.relative_to(self.home) for path in self.paths])
        self.sturm("fit", "--samples", self.home / "samples.tsv", "--target", "group", "--positive", "patient", "--nan", "zero",
                   "-o", self.home / "fit")
        study = self.page(self.home / "fit/report.html").study
        self.assertEqual(study["title"], f"patient or control? {PEOPLE} volumes")
        self.sturm("report", self.home / "fit", "--title", "My <b>title</b>", "-o", self.home / "titled.html")
        study = self.page(self.home / "titled.html").study
        self.assertEqual((study["title"], study["folder"]), ("My <b>title</b>", "fit"))


if __name__ == "__main__":
    unittest.main()
