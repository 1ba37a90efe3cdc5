#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm report --figures: charts, slices, and the figure for a paper as SVG, PDF and PNG."""
import base64
import gzip
import json
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from cv_study import contents
from PIL import Image
from report_page import Page
from report_study import Reports


class Figures(Reports):
    methods = "svm,sturm,mmk"

    def test_charts_and_slices(self):
        self.volumes()
        self.cv_volumes("--permutations", 2)
        self.sturm("report", "out", "--figures", "figures", STURM_PAGE="nothing")  # needs no page
        files = contents(self.folder / "figures")
        self.assertLessEqual({"comparison.svg", "sparsity.svg", "permutations.svg", "roc.svg", "confusion.svg",
                              "convergence.svg", "grid_sturm.svg", "grid_mmk.svg", "map_svm.png", "map_sturm.png",
                              "stability_sturm.png"}, set(files))
        for name, data in files.items():
            if name.endswith(".svg"):
                self.assertEqual(xml.etree.ElementTree.fromstring(data).tag, "{http://www.w3.org/2000/svg}svg")
                self.assertNotIn(b"nan", data)
                self.assertNotIn(b"inf", data)
            elif name.endswith(".png"):
                image = Image.open(self.folder / "figures" / name)
                image.load()
                self.assertEqual(image.mode, "RGB")
                self.assertGreater(len(set(image.getdata())), 20)
        self.sturm("report", "out", "--figures", "figures", "--force")
        self.assertEqual(contents(self.folder / "figures"), files)
        self.sturm("report", "out", "--figures", "figures", code=3)

    def test_the_figure_for_a_paper(self):
        self.volumes()
        self.cv_volumes("--permutations", 9)
        said = self.sturm("report", "out", "--figures", "figures", STURM_PAGE="nothing").stderr
        files = contents(self.folder / "figures")
        self.assertEqual("figure_89mm.pdf" in files, "cairo" not in said)
        for width, pixels in ((89, 1051), (183, 2161)):
            tree = xml.etree.ElementTree.fromstring(files[f"figure_{width}mm.svg"])
            self.assertAlmostEqual(float(tree.get("width")) / 96 * 25.4, width, places=2)
            self.assertLessEqual({element.tag.split("}")[1] for element in tree.iter()},
                                 {"svg", "title", "rect", "line", "circle", "path", "text", "image"})
            words = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
            for word in ("A", "B", "C", "D", "svm", "Accuracy (%)", "Sparsity in the mask (%)", "Permutations", "weight", "L", "R"):
                self.assertIn(word, words)
            if f"figure_{width}mm.png" not in files:
                continue
            with Image.open(self.folder / f"figures/figure_{width}mm.png") as image:
                self.assertEqual(image.width, pixels)
                self.assertAlmostEqual(image.info["dpi"][0], 300, delta=0.1)
                self.assertLess(abs(image.height / image.width - float(tree.get("height")) / float(tree.get("width"))), 1e-3)
            pdf = files[f"figure_{width}mm.pdf"]
            for word in (b"/CreationDate", b"/ModDate", b"/JavaScript", b"/URI"):
                self.assertNotIn(word, pdf)
            if shutil.which("pdftotext"):
                text = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
                for word in ("svm", "sturm", "mmk", "Accuracy (%)", "Map of", "weight", "Permuted labels", "Sparsity in the mask (%)"):
                    self.assertIn(word, text)
                fonts = subprocess.run(["pdffonts", "-"], input=pdf, capture_output=True, check=True).stdout.decode().splitlines()
                for line in fonts[2:]:  # embedded, and a part of the font alone
                    self.assertEqual(line.split()[-5:-3], ["yes", "yes"], line)
        facts = json.loads((self.folder / "out/results.json").read_text())
        caption = files["caption.md"].decode()
        best = max(facts["methods"].values(), key=lambda method: method["accuracy"])
        self.assertIn(f"{100 * best['pooled_accuracy']:.1f} %", caption)
        self.assertIn("9 permutations", caption)
        bib = files["references.bib"].decode()
        for key in ("@misc{sturm,", "@misc{li2018,", "@article{cortes1995,", "@article{chang2011,"):
            self.assertIn(key, bib)
        page = Page((self.folder / "out/report.html").read_text())
        self.assertEqual(page.study["text"]["caption"] + "\n", caption)
        self.assertEqual(page.study["text"]["bibtex"], bib)
        for figure in page.study["figures"]:
            carried = gzip.decompress(base64.b64decode(page.script(f"figure-{figure['id']}"), validate=True))
            self.assertEqual(carried, files[figure["name"]])


if __name__ == "__main__":
    unittest.main()
