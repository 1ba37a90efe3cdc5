#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our decoder beside nilearn's: SpaceNet (graph-net, TV-L1), FREM and Decoder (linear SVM), on the same folds of the same
images. Each chooses its own setting inside each training set, on one thread; the time is that of a fit, from images in
memory to a chosen model. Accuracy is of all test images together, and its interval of phantoms (or of folds) paired with ours.

    .venv-python/bin/python bench/nilearn_rivals.py --phantoms 20 --sizes 15x18x15 21x25x21 31x37x31 [--samples TABLE ...]
"""
import argparse
import json
import tempfile
import time
import warnings
from pathlib import Path

import nibabel as nib
import numpy as np
import sturm
from nilearn.decoding import Decoder, FREMClassifier, SpaceNetClassifier
from nilearn.image import resample_img
from sklearn.model_selection import StratifiedGroupKFold

INNER = 5


def rivals(mask, names):
    common = dict(mask=mask, n_jobs=1)
    made = {
        "sturm": lambda: sturm.SturmDecoder("sturm", mask=mask, cv=0, inner_cv=INNER, n_jobs=1),
        "svm": lambda: sturm.SturmDecoder("svm", mask=mask, cv=0, inner_cv=INNER, n_jobs=1),
        "nilearn Decoder (SVM)": lambda: Decoder(estimator="svc", cv=INNER, screening_percentile=20, standardize="zscore_sample",
                                                 scoring="accuracy", **common),
        "FREM": lambda: FREMClassifier(estimator="svc", cv=INNER, standardize="zscore_sample", scoring="accuracy", **common),
        "SpaceNet graph-net": lambda: SpaceNetClassifier(penalty="graph-net", cv=INNER, standardize=True, **common),
        "SpaceNet TV-L1": lambda: SpaceNetClassifier(penalty="tv-l1", cv=INNER, standardize=True, **common),
    }  # fmt: skip
    return {name: make for name, make in made.items() if not names or name in names}


def load(table, target, positive, size=None):
    """Images, labels and groups of a table of samples; `size`: the factor of their extents."""
    rows = [line.split("\t") for line in Path(table).read_text(encoding="utf-8").splitlines()]
    head, rows = rows[0], rows[1:]
    images = [nib.load(Path(table).parent / row[head.index("path")]) for row in rows]
    y = np.array([row[head.index(target)] == positive for row in rows]).astype(int)
    groups = np.array([row[head.index("participant_id")] for row in rows])
    if size:
        affine = images[0].affine.copy()
        affine[:3, :3] /= size
        shape = tuple(max(1, round(n * size)) for n in images[0].shape[:3])
        images = [resample_img(i, affine, shape, force_resample=True, copy_header=True) for i in images]
    data = np.stack([np.asarray(i.dataobj, dtype=np.float32) for i in images], -1)
    mask = nib.Nifti1Image((data != 0).all(axis=-1).astype(np.uint8), images[0].affine)
    return [nib.Nifti1Image(data[..., m], images[0].affine) for m in range(len(y))], y, groups, mask


def compare(images, y, groups, mask, folds, names):
    """Correct answers of each test image, and the seconds of each fit."""
    out = {}
    splits = list(StratifiedGroupKFold(folds, shuffle=True, random_state=0).split(y, y, groups))
    for name, make in rivals(mask, names).items():
        right, seconds, gaps = np.zeros(len(y)), [], []
        for train, test in splits:
            model = make()
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit([images[i] for i in train], y[train])
            seconds.append(time.perf_counter() - start)
            right[test] = np.asarray(model.predict([images[i] for i in test])) == y[test]
            if name == "sturm":
                gaps.append(model.dual_gap_)
        if gaps and max(gaps) > 1e-3:
            raise SystemExit(f"a fit of sturm has a gap of {max(gaps):.1e}: no time is told of what is not done")
        out[name] = (right.mean(), float(np.mean(seconds)))
    return out


def told(title, found):
    """A table: mean accuracy over studies, its difference from ours with a standard error, and the time of a fit."""
    print(f"\n{title}\n| method | accuracy (%) | sturm's less this one | seconds to a chosen model | times sturm's |")
    print("|---|---:|---:|---:|---:|", flush=True)
    ours = np.array([one["sturm"] for one in found])
    for name in found[0]:
        own = np.array([one[name] for one in found])
        less = ours[:, 0] - own[:, 0]
        error = less.std(ddof=1) / np.sqrt(len(less)) if len(less) > 1 else float("nan")
        print(f"| {name} | {100 * own[:, 0].mean():.1f} | {100 * less.mean():+.1f} ± {100 * error:.1f} "
              f"| {own[:, 1].mean():.2f} | {own[:, 1].mean() / ours[:, 1].mean():.1f} |", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phantoms", type=int, default=20)
    parser.add_argument("--sizes", nargs="*", default=["15x18x15", "21x25x21", "31x37x31"])
    parser.add_argument("--subjects", type=int, default=60)
    parser.add_argument("--effect", type=float, default=0.6)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--only", nargs="*", default=[], help="methods; sturm is always among them")
    parser.add_argument("--samples", nargs="*", default=[], help="TABLE:TARGET:POSITIVE:FACTOR of real images")
    parser.add_argument("--json", help="write all numbers here")
    args = parser.parse_args()
    names = {"sturm", *args.only} if args.only else set()
    everything = {}
    for size in args.sizes:
        found = []
        for seed in range(args.phantoms):
            with tempfile.TemporaryDirectory() as folder:
                study = sturm.phantom(Path(folder) / "p", subjects=args.subjects, size=size, effect=args.effect, seed=seed)
                images, y, groups, _ = load(study / "samples.tsv", "group", "patient")
                found.append(compare(images, y, groups, str(study / "mask.nii.gz"), args.folds, names))
        told(f"{args.phantoms} phantoms of {args.subjects} people, {size}, effect {args.effect}", found)
        everything[size] = found
    for given in args.samples:
        table, target, positive, factor = given.split(":")
        images, y, groups, mask = load(table, target, positive, float(factor))
        found = [compare(images, y, groups, mask, args.folds, names)]
        told(f"{Path(table).parent.name}, factor {factor}", found)
        everything[given] = found
    if args.json:
        Path(args.json).write_text(json.dumps(everything), encoding="utf-8")


if __name__ == "__main__":
    main()
