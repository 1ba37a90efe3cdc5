#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm report: the numbers of its page, what it does with hostile names, and studies that are not finished."""
import base64
import json
import re
import shutil
import unittest
import xml.etree.ElementTree
from pathlib import Path

import nibabel as nib
import numpy as np
from cv_study import PEOPLE, SHAPE, contents, read_table
from report_page import Page, values
from report_study import AFFINE, Reports
from scipy import ndimage
from study import STURM, write_table

HOSTILE = "</script><script>alert(1)</script><!--&amp;\u2028'\""


class Numbers(Reports):
    def test_every_number_is_that_of_the_results(self):
        out = self.cv("--permutations", 3)
        page = Page((out / "report.html").read_text())
        facts = json.loads((out / "results.json").read_text())
        study = page.study
        self.assertEqual((study["kind"], study["folder"], study["missing"], study["left_out"]), ("cv", "out", [], []))
        self.assertEqual(study["title"], f"patient or control? 36 samples of {self.folder.name}")
        self.assertEqual([m["name"] for m in study["methods"]], list(facts["methods"]))
        self.assertEqual((study["chance"], study["majority"], study["permutations"]), (0.5, 0.5, 3))
        self.assertEqual(study["counts"], {"samples": 36, "positive": 18, "classes": None, "groups": 18,
                                           "group_column": "participant_id", "folds": 3})
        folds = read_table(out / "folds.tsv")
        for name, result in facts["methods"].items():
            method = page.method(name)
            self.assertEqual(set(method["scores"]), {"accuracy", "balanced_accuracy", "auc", "sensitivity", "specificity"})
            for key, score in method["scores"].items():
                self.assertEqual((score["mean"], score["sd"], score["pooled"]),
                                 (result[key], result[f"{key}_sd"], result[f"pooled_{key}"]))
                self.assertEqual(score["interval"], result.get(f"pooled_{key}_interval"))
                self.assertEqual(score["folds"], [float(row[key]) for row in folds if row["method"] == name])
            self.assertEqual(method["interval"], result["pooled_accuracy_interval"])
            self.assertEqual(method["p"], {"permutation": result["permutation_p"], "binomial": None,
                                           "groups": result["group_p"]})
            self.assertEqual(method["sparsity"]["in_mask"], result["sparsity_in_mask"])
            self.assertEqual(len(method["null_scores"]), 3)
            self.assertEqual(method["sparsity"]["mean"], result["sparsity"])
            self.assertEqual(method["confusion"], result["confusion"])
            self.assertEqual(method["fits"], {"inner": result["inner_fits"], "worst_gap": result["inner_worst_gap"],
                                              "unconverged": result["inner_fits_unconverged"]})
            for chosen, there in zip(method["chosen"], result["chosen"]):
                self.assertEqual({"resize": chosen["resize"], **chosen["setting"]}, there)
            self.assertEqual(method["final"]["setting"] | {"resize": 1.0},
                             {key: value for key, value in result["all_samples"].items() if key in there})
        predictions = read_table(out / "predictions.tsv")
        self.assertEqual([(p["participant"], p["actual"], p["predicted"], p["decision"]) for p in study["predictions"]],
                         [(p["participant_id"], p["actual"], p["predicted"], float(p["decision"])) for p in predictions])
        self.assertEqual(len(study["groups"]), 3 * PEOPLE)
        self.assertEqual(study["comparisons"], facts["comparisons"])
        self.assertEqual(study["smallest_p"], facts["smallest_p"])
        self.assertIn(f"bootstrap draws of the {PEOPLE} groups", study["sentences"]["intervals"])
        self.assertIn("sturm cv --array X.npy", study["text"]["command"])
        self.assertTrue(study["text"]["command"].endswith("-o out"))

    def test_readable_maps_and_paths_are_those_of_the_files(self):
        """The map to see first by its definition; each path from grid.tsv, with the settings that results.json names."""
        out = self.cv()
        page, facts = Page((out / "report.html").read_text()), json.loads((out / "results.json").read_text())
        worse = {c["second" if c["first"] == page.study["best"] else "first"] for c in facts["comparisons"]
                 if page.study["best"] in (c["first"], c["second"]) and c["p_adjusted"] <= 0.05
                 and c["difference"] * (1 if c["first"] == page.study["best"] else -1) > 0}
        sparsity = {name: method.get("readable", method).get("sparsity_in_mask", 0)
                    for name, method in facts["methods"].items() if name not in worse}
        first = max(sparsity, key=sparsity.get)
        other = not facts["methods"][first].get("readable", {"same_as_chosen": True})["same_as_chosen"]
        self.assertGreater(sparsity[first], 0.5)
        self.assertEqual(page.study["first_map"], {"method": first, "kind": "readable" if other else "map"})
        grid = [row for row in read_table(out / "grid.tsv") if row["fold"] == "all"]
        for name, method in facts["methods"].items():
            path, told = page.method(name)["path"], method.get("readable")
            if told is None:
                self.assertEqual((path, page.method(name)["readable"]), ([], None))
                continue
            rows = [row for row in grid if row["method"] == name]
            self.assertEqual([(p["score"], p["sparsity_in_mask"], p["chosen"]) for p in path],
                             [(float(r["score"]), float(r["sparsity_in_mask"]), r["chosen"] == "1") for r in rows])
            [point] = [p for p in path if p["readable"]]
            self.assertEqual(point["setting"], {key: told[key] for key in point["setting"]})
            self.assertEqual(page.method(name)["readable"]["sparsity_in_mask"], told["sparsity_in_mask"])
            for p in path:
                better = [q for q in path if q["front"] and abs(np.log10((1 - p["sparsity_in_mask"] + 1e-4) /
                                                                        (1 - q["sparsity_in_mask"] + 1e-4))) < 0.25]
                self.assertTrue(any(q["score"] >= p["score"] for q in better), p)

    def test_heat_maps_are_the_means_of_the_inner_scores(self):
        out = self.cv()
        page = Page((out / "report.html").read_text())
        grid = read_table(out / "grid.tsv")
        for name, axes in (("svm", [7]), ("sturm", [5, 8])):
            [block] = page.method(name)["grid"]
            self.assertEqual([len(axis["values"]) for axis in block["axes"]], axes)
            rows = [[float(r["score"]) for r in grid if r["method"] == name and r["fold"] == fold] for fold in ("p0", "p1", "p2")]
            np.testing.assert_allclose(block["score"], np.mean(rows, 0), atol=1e-12)
            self.assertEqual(sum(block["chosen"]), 3)

    def test_volumes_come_back_as_they_were_and_are_counted(self):
        """The mean volume is a picture alone: 127 steps, so an error of at most 1/254 of the largest, and float32 adds 1e-6."""
        out = self.cv()
        page = Page((out / "report.html").read_text())
        self.assertEqual({v["kind"] for v in page.study["volumes"]}, {"map", "readable", "pattern", "stability", "fold", "background"})
        self.assertEqual(set(page.volumes), {v["id"] for v in page.study["volumes"]})
        for volume in page.study["volumes"]:
            image = page.volume(volume["id"])
            under = volume["kind"] == "background"
            self.assertEqual(list(image.shape), volume["shape"])
            self.assertEqual(volume["exact"], not under)
            self.assertFalse(volume["in_world"])
            name = {"fold": None, "background": "background"}.get(volume["kind"], volume["kind"] + "_{method}")
            if name is None:
                self.assertEqual(image.get_data_dtype(), np.uint8)
                continue
            truth = np.load(out / (name.format(**volume) + ".npy"))
            if under:  # raised above 0, which is what lies outside
                truth = truth + 0.1 * np.ptp(truth) - truth.min()
            limit = np.abs(truth).max()
            self.assertAlmostEqual(volume["limit"], limit, delta=1e-6 * limit)
            if under:
                np.testing.assert_allclose(values(image), truth, rtol=0, atol=limit * (1 / 254 + 1e-6))
                continue
            np.testing.assert_array_equal(values(image), truth)
            sizes = np.abs(truth[truth != 0].astype(np.float64))
            self.assertEqual(volume["voxels"], [int((sizes >= least).sum()) for least in volume["thresholds"]])
            self.assertEqual(volume["thresholds"][0], 0)
            if volume["kind"] == "map":  # the viewer begins where the clusters are cut
                clusters = page.method(volume["method"])
                if "with most weight" not in clusters["cluster_rule"]:
                    self.assertEqual(sum(c["voxels"] for c in clusters["clusters"]), volume["voxels"][volume["opens"]])

    def test_the_same_study_gives_the_same_page(self):
        first = contents(self.cv())
        shutil.rmtree(self.folder / "out")
        self.assertEqual(contents(self.cv("--force")), first)
        self.sturm("report", "out", "--force")
        self.assertEqual((self.folder / "out/report.html").read_bytes(), first["report.html"])

    def test_volumes_lie_in_the_world_over_their_mean(self):
        self.volumes()
        out = self.cv_volumes("--resize", "0.6,1")
        page = Page((out / "report.html").read_text())
        for volume in page.study["volumes"]:
            image = page.volume(volume["id"])
            self.assertTrue(volume["in_world"])
            np.testing.assert_allclose(image.affine, AFFINE, atol=1e-5)
        [cluster] = page.method("sturm")["clusters"][:1]
        np.testing.assert_allclose(cluster["peak"], nib.affines.apply_affine(AFFINE, cluster["voxel"]), atol=1e-4)
        self.assertAlmostEqual(cluster["volume"], 36 * cluster["voxels"], delta=1e-3)
        np.testing.assert_allclose(values(nib.load(out / "background.nii.gz")), self.x.mean(0), atol=1e-6)
        self.assertEqual(len(page.method("sturm")["grid"]), 2)  # one block per size
        folds = nib.load(out / "folds_lasso.nii.gz")
        np.testing.assert_allclose(values(folds).mean(-1), values(nib.load(out / "stability_lasso.nii.gz")), atol=1e-6)


class Sites(Reports):
    methods = "svm"

    def test_scores_by_site_and_a_confounded_site(self):
        self.volumes(site=["<A>" if label > 0 or m % 8 == 2 else "B" for m, label in enumerate(self.label)])
        page = Page((self.cv_volumes() / "report.html").read_text())
        self.assertEqual([(s["part"], s["method"]) for s in page.study["sites"]], [("<A>", "svm"), ("B", "svm")])
        self.assertEqual(sum(s["n"] for s in page.study["sites"]), 2 * PEOPLE)
        self.assertTrue(any("site and group are confounded" in w for w in page.study["warnings"]), page.study["warnings"])
        self.assertIn({"column": "site", "value": "B", "count": 13}, page.study["data"]["table"])
        self.sturm("cv", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--methods", "svm",
                   "--outer", 3, "--inner", 3, "-o", "none", "--site", "none")
        self.assertFalse((self.folder / "none/sites.tsv").exists())
        result = self.sturm("cv", "--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--methods",
                            "svm", "-o", "other", "--site", "scanner", code=3)
        self.assertIn("scanner", result.stderr)


class Hostile(Reports):
    """Names, labels and headers of files are text, whatever they look like."""

    methods = "lasso"

    def test_they_stay_text(self):
        people = [f"{HOSTILE}{person}" for person in self.people]
        label = "<img src=x onerror=alert(1)>"
        lines = ["\t".join(["participant_id", f"group{HOSTILE}", "site", "part"])]
        for m, person in enumerate(people):
            lines.append("\t".join([person, label if self.label[m] > 0 else "&lt;\\u003c", f"{HOSTILE}{m % 2}", self.part[m]]))
        (self.folder / "y.tsv").write_text("\n".join(lines) + "\n")
        out = self.cv("--target", f"group{HOSTILE}", "--positive", label, output="<b>&out")
        text = (out / "report.html").read_text()
        page = Page(text)
        # The study, the page's own, the volumes, the pictures and the figures.
        self.assertEqual(page.tags.count("script"), 2 + len(page.volumes) + len(page.pictures) + len(page.study["figures"]))
        for drawing in page.pictures.values():  # whose words are texts as well
            tree = xml.etree.ElementTree.fromstring(base64.b64decode(drawing))
            self.assertLessEqual({element.tag.split("}")[1] for element in tree.iter()},
                                 {"svg", "title", "rect", "line", "path", "text", "image"})
        self.assertEqual(set(page.tags), {"html", "head", "meta", "title", "body", "main", "script"})
        study = page.study
        self.assertEqual((study["folder"], study["title"][:len(label)]), ("<b>&out", label))
        self.assertEqual({p["participant"] for p in study["predictions"]}, set(people))
        self.assertEqual((study["target"]["positive"], study["target"]["negative"]), (label, "&lt;\\u003c"))
        self.assertEqual({s["part"] for s in study["sites"]}, {HOSTILE + "0", HOSTILE + "1"})
        self.assertNotIn("alert(1)</", text)
        self.assertNotIn("\u2028", text)
        self.sturm("report", "<b>&out", "--figures", "figures")
        for path in (self.folder / "figures").glob("*.svg"):
            tree = xml.etree.ElementTree.parse(path)
            self.assertLessEqual({element.tag.split("}")[1] for element in tree.iter()},
                                 {"svg", "title", "rect", "line", "circle", "path", "text", "image"})

    def test_headers_and_quotes(self):
        image = nib.Nifti1Image(self.x[0], AFFINE)
        image.header["descrip"] = HOSTILE.encode()[:79]
        nib.save(image, self.folder / "template.nii")
        quoted = ['"""a' + person + '"' for person in self.people]
        self.volumes(participant_id=quoted)
        page = self.report(self.cv_volumes(), "--template", "template.nii")
        self.assertEqual({p["participant"] for p in page.study["predictions"]}, {'"a' + person for person in self.people})
        self.assertNotIn(b"alert", page.volume("background").header["descrip"].tobytes())
        [background] = [v for v in page.study["volumes"] if v["kind"] == "background"]
        self.assertEqual(background["label"], "Template")

    def test_the_template_lies_under_maps_in_mni_space_alone(self):
        self.methods = "lasso"
        self.volumes()

        def anatomy(page):
            [background] = [v for v in page.study["volumes"] if v["kind"] == "background"]
            return background["label"]

        page = self.report(self.cv_volumes())
        self.assertEqual(anatomy(page), "Mean volume")
        self.assertIn("neither file names nor headers nor the grid say", page.study["anatomy"])
        for m in range(2 * PEOPLE):  # the same values in headers that say MNI
            image = nib.load(self.folder / f"volumes/{m}.nii.gz")
            image.header["sform_code"] = image.header["qform_code"] = 4
            nib.save(image, self.folder / f"volumes/{m}.nii.gz")
        out = self.cv_volumes(output="mni")
        page = self.report(out)
        self.assertEqual(anatomy(page), "ICBM 152 template")
        self.assertIn("the headers of all volumes say so (form code 4)", page.study["anatomy"])
        shown = page.volume("background")
        np.testing.assert_allclose(shown.affine, AFFINE)
        template = nib.load(Path(__file__).parent.parent.parent / "src/sturm/report/template/icbm152.nii.gz")
        points = np.linalg.inv(template.affine) @ AFFINE @ np.concatenate([np.indices(SHAPE).reshape(3, -1), np.ones((1, np.prod(SHAPE)))])
        there = ndimage.map_coordinates(ndimage.gaussian_filter(values(template), 0.7), points[:3], order=1)
        self.assertGreater(np.corrcoef(there, values(shown).ravel())[0, 1], 0.95)
        self.assertEqual(anatomy(self.report(out, "--background", "mean")), "Mean volume")
        self.assertEqual(anatomy(self.report(self.folder / "out", "--background", "mni")), "ICBM 152 template")



class Clusters(Reports):
    methods = "lasso"

    def fit_with_map(self, coef):
        """A fit whose map is replaced by another; its mean volume has another shape, and goes."""
        self.sturm("fit", "--array", "X.npy", "--labels", "y.tsv", "--target", "score", "-o", "fit", "--no-report", "--force")
        (self.folder / "fit/background.npy").unlink()
        np.save(self.folder / "fit/coef.npy", np.asfortranarray(coef))
        return self.report("fit").study["methods"][0]

    def test_they_are_those_of_scipy(self):
        random = np.random.default_rng(4)
        for shape, share in (((20, 22, 18), 0.03), ((15, 9, 30), 0.045)):
            coef = random.standard_normal(shape) * (random.random(shape) < share)
            method = self.fit_with_map(coef)
            labels, count = ndimage.label(coef, ndimage.generate_binary_structure(3, 2))
            weights = ndimage.sum(np.abs(coef), labels, range(1, count + 1))
            expected = sorted(weights / np.abs(coef).sum(), reverse=True)[:50]
            np.testing.assert_allclose([c["share"] for c in method["clusters"]], expected, rtol=1e-5)
            for cluster in method["clusters"]:
                number = labels[tuple(cluster["voxel"])]
                inside = np.where(labels == number, coef, 0)
                self.assertEqual(cluster["voxels"], np.count_nonzero(inside))
                self.assertAlmostEqual(cluster["peak_weight"], inside.ravel()[np.argmax(np.abs(inside))], places=5)
                self.assertEqual((cluster["peak"], cluster["volume"]), (cluster["voxel"], None))
            self.assertIn(f"of {count}", method["cluster_rule"])

    def test_an_atlas_names_them(self):
        self.volumes()
        out = self.cv_volumes()
        atlas = np.zeros((30, 30, 30), np.int16)
        affine = np.diag([2.0, 2, 2, 1])
        affine[:3, 3] = [-20, -30, -30]
        atlas[:] = 3
        nib.save(nib.Nifti1Image(atlas, affine), self.folder / "atlas.nii.gz")
        write_table(self.folder / "atlas.tsv", index=[3, 4], name=["Cuneus <i>", "other"])
        page = self.report(out, "--atlas", "atlas.nii.gz", "--atlas-labels", "atlas.tsv")
        self.assertEqual({c["region"] for c in page.method("lasso")["clusters"]}, {"Cuneus <i>"})
        page = self.report(out, "--atlas", "atlas.nii.gz")
        self.assertEqual(page.method("lasso")["clusters"][0]["region"], "3")


class NotWhole(Reports):
    def test_an_interrupted_study_shows_what_is_there(self):
        self.assertEqual(self.run_cv("--shard", "1/2", "--permutations", 2, variables=self.variables).returncode, 0)
        self.assertFalse((self.folder / "out").exists())
        for folder in ("out.work", "out"):
            page = self.report(folder)
            self.assertEqual(page.study["folder"], folder)
            self.assertIn("not finished", page.study["missing"][0])
            self.assertTrue(any("missing are" in s for s in page.study["missing"]))
            done = sum(len(m["chosen"]) for m in page.study["methods"])
            self.assertTrue(0 < done < 9, done)
            self.assertEqual(len(page.study["predictions"]), 12 * done)
        self.sturm("report", "out.work")
        self.assertTrue((self.folder / "out.work/report.html").exists())
        whole = self.cv("--permutations", 2)  # the report in its work folder is in nobody's way
        for method in json.loads((whole / "results.json").read_text())["methods"].values():
            self.assertEqual(len(method["chosen"]), 3)
        there = {(p["method"], p["participant"], p["decision"]) for p in page.study["predictions"]}
        complete = Page((whole / "report.html").read_text())
        self.assertLess(there, {(p["method"], p["participant"], p["decision"]) for p in complete.study["predictions"]})

    def test_a_study_of_which_nothing_is_done(self):
        self.cv()
        shutil.rmtree(self.folder / "out")
        [journal] = (self.folder / "out.work").glob("journal-*.bin")
        journal.write_bytes(journal.read_bytes()[:-1])  # the last record is torn
        page = self.report("out.work")
        self.assertTrue(any(journal.name in sentence for sentence in page.study["missing"]), page.study["missing"])
        whole = journal.read_bytes()
        first = re.search(rb"\w+/fold p\d", whole)  # of whichever task ended first: tasks run side by side
        journal.write_bytes(whole[:first.start()])  # in the middle of its record
        page = self.report("out.work")
        self.assertIn("no score yet", page.study["verdict"])
        self.assertIsNone(page.study["best"])
        self.assertEqual((page.study["predictions"], page.study["volumes"]), ([], []))

    def test_missing_files_are_named(self):
        out = self.cv()
        for name in ("map_sturm.npy", "grid.tsv", "data.json"):
            (out / name).unlink()
        page = self.report("out")
        self.assertEqual(len(page.study["missing"]), 3)
        self.assertIn("The map of sturm is not in the folder.", page.study["missing"])
        self.assertEqual((page.method("sturm")["grid"], page.study["text"]["command"]), ([], ""))
        self.assertTrue(page.method("lasso")["clusters"])

    def test_a_copy_elsewhere_gives_the_same_report(self):
        self.cv()
        (self.folder / "far").mkdir()
        shutil.move(self.folder / "out", self.folder / "far/out")
        for name in ("X.npy", "y.tsv"):
            (self.folder / name).unlink()
        before = (self.folder / "far/out/report.html").read_bytes()
        self.sturm("report", "far/out/", "--force")
        self.assertEqual((self.folder / "far/out/report.html").read_bytes(), before)

    def test_what_is_refused(self):
        self.assertIn("results.json", self.sturm("report", ".", code=3).stderr)
        self.cv()
        self.assertIn("--force", self.sturm("report", "out", code=3).stderr)
        self.assertIn("STURM_PAGE", self.sturm("report", "out", "-o", "x", code=3, STURM_PAGE="nothing").stderr)
        (self.folder / "bad.html").write_text("<html></html>")
        self.assertIn("STURM-STUDY", self.sturm("report", "out", "-o", "x", code=3, STURM_PAGE="bad.html").stderr)
        results = json.loads((self.folder / "out/results.json").read_text())
        results["methods"]["svm"]["pooled_accuracy_interval"] = ["a", {}]
        results["methods"]["sturm"]["all_samples"] = [1]
        (self.folder / "out/results.json").write_text(json.dumps(results))
        self.assertIn("JSON", self.sturm("report", "out", "-o", "x", code=3).stderr)
        (self.folder / "out/results.json").write_text("[1]")
        self.assertIn("results.json", self.sturm("report", "out", "-o", "x", code=3).stderr)
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    unittest.main()
