#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the proof of a Sturm fit with NumPy alone: verify.py FIT SAMPLES.tsv, after `sturm fit --proof`."""
import csv
import json
import sys
from pathlib import Path

import nibabel
import numpy as np
from safetensors.numpy import load_file

fit, table = Path(sys.argv[1]), Path(sys.argv[2])
claim = json.loads((fit / "fit.json").read_text())
model, proof = load_file(fit / "model.safetensors"), load_file(fit / "proof.safetensors")
tau, gamma, alpha, labels = claim["tau"], claim["gamma"], claim["alpha"], claim["labels"]

# Volumes and targets as they are. Of the program's files: the map, the intercept and the mask; theta and G2.
rows = list(csv.DictReader(table.open(), delimiter="\t"))
x = np.array([nibabel.load(table.parent / row["path"]).get_fdata() for row in rows])
y = np.array([2.0 * (row[claim["target"]] == labels[1]) - 1 if labels else float(row[claim["target"]]) for row in rows])
s, theta, split = proof["weights"], proof["theta"], proof["split"][0]
w, intercept = model["coef"].astype(float), model["intercept"][0]
mask = model["mask"] > 0 if "mask" in model else np.ones(w.shape, bool)


def singular_values(a):
    return np.linalg.svd(np.fft.fft(a, axis=2).transpose(2, 0, 1), compute_uv=False)


# What the map costs.
residual = y - intercept - np.tensordot(x, w, 3)
primal = (alpha / 2 * s @ residual**2 + tau * singular_values(w).sum() / w.shape[2] + gamma * np.abs(w).sum())

# What every map and intercept costs at least: X'theta = G1 + G2, and theta is divided until both are small enough.
theta = theta - s * theta.sum() / s.sum()
g1 = (np.tensordot(theta, x, 1) - split)[mask]
theta = theta / np.max([1, np.abs(g1).max() / gamma, singular_values(split).max() / tau])
dual = y @ theta - (theta[s > 0] ** 2 / s[s > 0]).sum() / (2 * alpha)

gap = (primal - dual) / primal
print(f"objective {primal:.9g} (claimed {claim['objective']:.9g}), no map is below {dual:.9g}: gap {gap:.2e}")
sys.exit(0 if (w[~mask] == 0).all() and gap <= claim["relative_gap"] + 1e-6 else "rejected: the gap is larger than claimed")
