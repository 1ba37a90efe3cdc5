#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Eight categories of objects, one volume per run and category, from a time series and its labels.

    python3 examples/haxby.py haxby out
    sturm cv --samples out/samples.tsv --target category --classes --groups run --outer group --inner 4 \
      --methods sturm,remurs,lasso,lasso+svm,svm,ridge,dummy -o cv

The folder holds bold.nii.gz, mask.nii.gz and attributes_literal.txt (a label and a run for every volume), as in the
example data of PyMVPA: the back half of one slice of one person, Haxby et al. 2001. In every run each voxel loses its
mean and its slope and is divided by its deviation; then the volumes of a category are averaged.
"""
import argparse
from pathlib import Path

import nibabel
import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    image = nibabel.load(args.folder / "bold.nii.gz")
    mask = nibabel.load(args.folder / "mask.nii.gz").get_fdata() > 0
    label, run = np.loadtxt(args.folder / "attributes_literal.txt", dtype=str).T
    series = image.get_fdata().reshape(-1, image.shape[-1])
    (args.out / "volumes").mkdir(parents=True)
    rows = ["path\tcategory\trun"]
    for number in sorted(set(run), key=int):
        own = run == number
        time = np.linspace(-1, 1, own.sum())
        drift = np.stack([np.ones_like(time), time], 1)
        values = series[:, own]
        values = values - (drift @ np.linalg.lstsq(drift, values.T, rcond=None)[0]).T
        deviation = values.std(1, keepdims=True)
        values = np.divide(values, deviation, out=np.zeros_like(values), where=deviation > 0)
        for category in sorted(set(label) - {"rest"}):
            mean = values[:, label[own] == category].mean(1).reshape(mask.shape) * mask
            path = f"volumes/run-{int(number):02}_{category}.nii.gz"
            nibabel.save(nibabel.Nifti1Image(mean.astype(np.float32), image.affine), args.out / path)
            rows.append(f"{path}\t{category}\trun-{int(number):02}")
    (args.out / "samples.tsv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
