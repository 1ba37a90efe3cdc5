# SPDX-License-Identifier: BSD-3-Clause
"""
In a pipeline and a grid search
===============================

The estimators are scikit-learn's in every way: they go into a ``Pipeline``, a ``GridSearchCV`` and a ``cross_val_score``.
For the choice of a setting there is a shorter way as well.
"""
# %%
# Volumes as an array
# -------------------
# A masker turns images into rows of voxels. The estimator needs the mask, too, because low rank is a property of the
# volume: it must know where in the brain each column lies.
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from nilearn.image import get_data, load_img
from nilearn.maskers import NiftiMasker
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sturm

folder = tempfile.TemporaryDirectory()
study = sturm.phantom(Path(folder.name) / "study", subjects=60, size="16x18x16", effect=0.8, seed=1)
table = pd.read_csv(study / "samples.tsv", sep="\t")
masker = NiftiMasker(mask_img=str(study / "mask.nii.gz"), standardize=None)
X = masker.fit_transform([str(study / path) for path in table["path"]])
y = table["group"].to_numpy()
mask = get_data(load_img(str(study / "mask.nii.gz"))) > 0
print(f"{X.shape[0]} samples of {X.shape[1]} voxels")

# %%
# A pipeline
# ----------
# Whatever comes before the estimator is learnt from the training set of each fold alone.
folds = StratifiedKFold(5, shuffle=True, random_state=0)
pipe = make_pipeline(StandardScaler(), sturm.SturmClassifier(mask=mask))
print(f"with the default setting: accuracy {cross_val_score(pipe, X, y, cv=folds).mean():.3f}")

# %%
# A grid search
# -------------
# ``strength`` says how strong the two penalties are, relative to where every weight becomes zero: 1 gives an empty map.
# ``balance`` divides the strength: 0 is the l1 norm alone (few voxels), 1 the tubal nuclear norm alone (low rank).
strengths, balances = [0.05, 0.1, 0.2, 0.4, 0.8], [0.0, 0.25, 0.5, 0.75, 1.0]
grid = {"sturmclassifier__strength": strengths, "sturmclassifier__balance": balances}
search = GridSearchCV(pipe, grid, cv=folds).fit(X, y)
print(f"best: accuracy {search.best_score_:.3f} with {search.best_params_}")

# %%
# Every fit of the search is proven to be within ``gap`` (1e-3) of the best objective, so that differences in this picture are
# differences between settings and folds.
accuracy = np.empty((len(strengths), len(balances)))
for params, score in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"]):
    row = strengths.index(params["sturmclassifier__strength"])
    accuracy[row, balances.index(params["sturmclassifier__balance"])] = 100 * score
figure, axis = plt.subplots(figsize=(5.6, 4.4), layout="constrained")
picture = axis.imshow(accuracy, cmap="viridis", aspect="auto")
axis.set_xticks(range(len(balances)), [f"{b:g}" for b in balances])
axis.set_yticks(range(len(strengths)), [f"{s:g}" for s in strengths])
axis.set_xlabel("balance: l1 norm alone ... tubal nuclear norm alone")
axis.set_ylabel("strength")
middle = (accuracy.min() + accuracy.max()) / 2
for (row, column), value in np.ndenumerate(accuracy):
    axis.text(column, row, f"{value:.0f}", ha="center", va="center", color="black" if value > middle else "white")
figure.colorbar(picture, label="accuracy (%), mean of five folds")

# %%
# The shorter way
# ---------------
# ``SturmClassifierCV`` solves all settings in all folds as one batch. Its strengths become absolute weights once, from all
# samples that it is given, where those of ``GridSearchCV`` become so in each fold anew: scores may differ a little.
# ``normalize="voxel"`` does the work of the scaler.
chosen = sturm.SturmClassifierCV({"strength": strengths, "balance": balances}, cv=folds, normalize="voxel", mask=mask)
chosen.fit(X, y)
print(f"best: accuracy {chosen.best_score_:.3f} with {chosen.best_params_}")
print(f"the gap of the final fit: {chosen.dual_gap_:.1e}")

# %%
# A choice is part of learning
# ----------------------------
# The score of the best setting is too good, since it is the best of 25. Around the whole search goes another cross-validation:
outer = StratifiedKFold(4, shuffle=True, random_state=1)
nested = cross_val_score(sturm.SturmClassifierCV(cv=4, normalize="voxel", mask=mask), X, y, cv=outer)
print(f"accuracy on samples that no setting was chosen on: {nested.mean():.3f}")
assert nested.mean() >= 0.6
folder.cleanup()
