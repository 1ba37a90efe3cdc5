# SPDX-License-Identifier: BSD-3-Clause
"""A study whose report is made with a page that is all text."""
import os
import subprocess

import nibabel as nib
import numpy as np
from cv_study import PEOPLE, SHAPE, CvStudy
from report_page import EMPTY, Page
from study import STURM, write_table

AFFINE = np.array([[-3.0, 0, 0, 18], [0, 3, 0, -20], [0, 0, 4, -12], [0, 0, 0, 1]])


class Reports(CvStudy):
    methods = "svm,lasso,sturm"

    def setUp(self):
        super().setUp()
        (self.folder / "page.html").write_text(EMPTY)
        self.variables = {"STURM_PAGE": str(self.folder / "page.html")}

    def sturm(self, *arguments, code=0, **variables):
        result = subprocess.run([STURM, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                                env=os.environ | self.variables | variables, timeout=300)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stderr)
        return result

    def cv(self, *arguments, **options):
        self.results(*arguments, variables=self.variables, **options)
        return self.folder / options.get("output", "out")

    def report(self, folder, *arguments):
        self.sturm("report", folder, "-o", "page-out.html", "--force", *arguments)
        return Page((self.folder / "page-out.html").read_text())

    def volumes(self, shape=SHAPE, **columns):
        """The study as NIfTI volumes; its table."""
        (self.folder / "volumes").mkdir(exist_ok=True)
        for m, x in enumerate(self.x):
            nib.save(nib.Nifti1Image(x, AFFINE), self.folder / f"volumes/{m}.nii.gz")
        write_table(self.folder / "samples.tsv", **dict(
            participant_id=self.people, path=[f"volumes/{m}.nii.gz" for m in range(2 * PEOPLE)],
            group=["patient" if label > 0 else "control" for label in self.label], part=self.part) | columns)
        return "samples.tsv"

    def cv_volumes(self, *arguments, output="out"):
        self.sturm("cv", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--methods",
                   self.methods, "--outer", "column:part", "--inner", 3, "-o", output, *arguments)
        return self.folder / output
