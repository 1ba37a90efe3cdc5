# SPDX-License-Identifier: BSD-3-Clause
"""
The paper's protocol on a phantom
=================================

Li, Lou, Zhou and Lu compare methods by nested cross-validation: 13 x 13 weights of the two penalties, volumes resized by several
factors, and support vector machines on the voxels that a sparse method selects. Here is the same protocol, made small: a
phantom of 40 volumes, five outer and four inner folds, and two factors.
"""
# %%
# The study
# ---------
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sturm

folder = tempfile.TemporaryDirectory()
study = sturm.phantom(Path(folder.name) / "study", subjects=40, size="20x24x20", effect=0.6, seed=3)

# %%
# The protocol
# ------------
# The options are those of ``sturm cv``, with an underscore for a dash. ``grid="paper"`` are the paper's penalties, ``alpha="auto"``
# its weight of the loss, and ``top`` its percentages of the selected voxels. Where the paper runs its algorithm for a fixed
# number of iterations, the solver here goes on until a gap of 1e-2 is proven (``solver="paper"`` would be the printed algorithm).
methods = ["svm", "lasso", "remurs", "sturm", "lasso+svm", "sturm+svm"]
result = sturm.nested_cross_validate(
    samples=study / "samples.tsv",
    y="group",
    positive="patient",
    methods=methods,
    output=Path(folder.name) / "results",
    grid="paper",
    outer=5,
    inner=4,
    resize=(0.5, 0.7),
    top=(1, 5, 10, 50, 100),
    alpha="auto",
    normalize="sample",
    intercept=False,
    gap=1e-2,
    n_jobs=1,
)
scores = result.scores.loc[methods]
print(scores[["accuracy", "accuracy_sd", "sparsity", "inner_fits", "inner_worst_gap"]].to_string(float_format="{:.3g}".format))

# %%
# Accuracy and sparsity
# ---------------------
# Of each method the five outer folds and their mean. Points are moved a little sideways, since folds of eight volumes often have equal
# accuracies. With 40 volumes most of these methods cannot be told apart: ``table.md`` of the results says which can.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", sharey=True)
fold_table = result.folds
for place, method in enumerate(methods):
    own = fold_table[fold_table["method"] == method]
    beside = place + np.linspace(-0.15, 0.15, len(own))
    for axis, column in ((left, "accuracy"), (right, "sparsity")):
        axis.plot(100 * own[column], beside, "o", color="C0", alpha=0.5, markersize=5)
        axis.plot(100 * own[column].mean(), place, "|", color="black", markersize=18, markeredgewidth=2)
left.set_yticks(range(len(methods)), methods)
left.invert_yaxis()
left.axvline(50, color="grey", linewidth=0.8, linestyle=":")
left.set_xlabel("accuracy (%); dotted: chance")
right.set_xlabel("zeros in the box (%)")

# %%
# What was chosen from
# --------------------
# The mean inner score of each pair of penalties in the first outer fold, with volumes at 0.7 of their extent. Strong penalties leave an
# empty map, which is right half of the time.
grid = result.grid
own = grid[(grid["method"] == "sturm") & (grid["fold"] == "1") & (grid["resize"] == 0.7)]
setting = own["setting"].str.extract(r"tau=(?P<tau>\S+) gamma=(?P<gamma>\S+)").astype(float)
setting["score"] = 100 * own["score"]
square = setting.pivot(index="tau", columns="gamma", values="score")
figure, axis = plt.subplots(figsize=(5.8, 4.6), layout="constrained")
picture = axis.imshow(square.to_numpy(), cmap="viridis", origin="lower", aspect="auto")
axis.set_xticks(range(0, len(square.columns), 3), [f"{v:.0e}" for v in square.columns[::3]])
axis.set_yticks(range(0, len(square.index), 3), [f"{v:.0e}" for v in square.index[::3]])
axis.set_xlabel("gamma, weight of the l1 norm")
axis.set_ylabel("tau, weight of the tubal nuclear norm")
figure.colorbar(picture, label="inner accuracy (%)")

# %%
# Every inner fit has its proof, so that no method is behind because its solver stopped too soon.
worst = scores["inner_worst_gap"].max()
print(f"the worst gap of {scores['inner_fits'].sum():.0f} inner fits: {worst:.1e}")
assert square.shape == (13, 13)
assert worst <= 1e-2
folder.cleanup()
