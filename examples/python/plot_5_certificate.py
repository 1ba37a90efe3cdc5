# SPDX-License-Identifier: BSD-3-Clause
"""
Reading a certificate
=====================

Every fit says how far it is from the best one, and can prove it. This page shows what the number means, how to check it without
the program, and when a smaller one is worth waiting for.
"""
# %%
# A fit with its proof
# --------------------
# :func:`sturm.fit_study` is ``sturm fit``. With ``proof=True`` it writes ``proof.safetensors``, which holds a *dual point*:
# from it follows a number that the objective of no map can be below.
import json
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from nilearn.image import get_data, load_img

import sturm

folder = tempfile.TemporaryDirectory()
study = sturm.phantom(Path(folder.name) / "study", subjects=40, size="20x24x20", effect=0.8)
fit = sturm.fit_study(
    samples=study / "samples.tsv",
    target="group",
    positive="patient",
    strength=0.2,
    balance=0.8,
    gap=1e-4,
    proof=True,
    report=False,
    output=Path(folder.name) / "fit",
)
claim = json.loads((fit / "fit.json").read_text())
print(f"objective {claim['objective']:.6f}, and no map is below {claim['dual']:.6f}")
print(f"relative gap {claim['relative_gap']:.1e}: no other map can be more than {100 * claim['relative_gap']:.4f} % better")

# %%
# Checked from the raw volumes
# ----------------------------
# :func:`sturm.verify` reads the volumes and the table again and computes everything anew in double precision. It uses nothing of
# the solver.
verdict = sturm.verify(fit)
(part,) = verdict["parts"]
for name in ("objective", "dual", "relative_gap"):
    print(f"{name:13} claimed {part[f'claimed_{name}']:.9g}, computed {part[name]:.9g}")
print("accepted" if verdict["accepted"] else verdict["problems"])

# %%
# Checked with NumPy
# ------------------
# The objective is half the squared error, plus ``tau`` times the tubal nuclear norm, plus ``gamma`` times the sum of absolute
# weights. A map that is solved much further must lie between the two numbers of the certificate.
table = pd.read_csv(study / "samples.tsv", sep="\t")
X = np.stack([get_data(load_img(str(study / path))) for path in table["path"]]).astype(np.float64)
y = np.where(table["group"] == "patient", 1.0, -1.0)
mask = get_data(load_img(str(study / "mask.nii.gz"))) > 0


def objective(weights: np.ndarray, intercept: float) -> float:
    """The objective of a map, from its definition."""
    residual = y - intercept - np.tensordot(X, weights, 3)
    return float(residual @ residual / 2 + claim["tau"] * sturm.tnn(weights) + claim["gamma"] * np.abs(weights).sum())


exact = sturm.SturmRegressor(tau=claim["tau"], gamma=claim["gamma"], gap=1e-9, mask=mask).fit(X, y)
best = objective(exact.coef_volume_, exact.intercept_)
print(f"solved to a gap of {exact.dual_gap_:.0e}: {best:.6f}")
assert claim["dual"] * (1 - 1e-6) <= best <= claim["objective"] * (1 + 1e-6)

# %%
# How the gap falls
# -----------------
# ``trace.tsv`` has the proven gap at each check. The gap that is proven is never below the one that is left; here the second is known,
# from the map that was solved further.
trace = pd.read_csv(fit / "trace.tsv", sep="\t")
left = (trace["objective"] - best) / trace["objective"]
figure, axis = plt.subplots(figsize=(6.4, 4), layout="constrained")
axis.semilogy(trace["iteration"], trace["gap"], "o-", label="proven: the relative gap")
axis.semilogy(trace["iteration"], left.clip(lower=1e-9), "s--", label="left: from the best objective")
axis.set_xlabel("iteration")
axis.set_ylabel("part of the objective")
axis.legend()

# %%
# How small is small enough?
# --------------------------
# A gap bounds the objective, not the map. So look at what you will use. Here are maps at several gaps, beside the one that was
# solved to 1e-9: how far the weights are from it, and how many of 40 decisions are other ones.
decisions = exact.predict(X) > 0
rows = []
for gap in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
    rough = sturm.SturmRegressor(tau=claim["tau"], gamma=claim["gamma"], gap=gap, mask=mask).fit(X, y)
    distance = np.linalg.norm(rough.coef_ - exact.coef_) / np.linalg.norm(exact.coef_)
    rows.append((gap, rough.dual_gap_, rough.n_iter_, distance, int(np.sum((rough.predict(X) > 0) != decisions))))
columns = ["asked", "proven", "iterations", "distance of weights", "other decisions"]
gaps = pd.DataFrame(rows, columns=columns)
print(gaps.to_string(index=False, float_format="{:.1e}".format))

# %%
figure, axis = plt.subplots(figsize=(6.4, 4), layout="constrained")
axis.loglog(gaps["proven"], gaps["distance of weights"], "o-")
axis.set_xlabel("proven relative gap")
axis.set_ylabel("distance from the exact weights, relative")
axis.invert_xaxis()
assert verdict["accepted"]
assert (gaps["proven"] <= gaps["asked"]).all()
folder.cleanup()
