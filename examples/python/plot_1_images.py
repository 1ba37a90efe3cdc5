# SPDX-License-Identifier: BSD-3-Clause
"""
From images to a map
====================

A decoder takes brain images and labels. It says how well it tells the classes apart on images that no setting was chosen on, and
where in the brain it looks. nilearn reads the images and draws the maps.
"""
# %%
# A study
# -------
# :func:`sturm.phantom` writes volumes of patients and controls, a mask, and ``truth.nii.gz``: the voxels in which the
# two groups differ. A study of your own is a list of files and an array of labels in the same way.
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from nilearn import image, plotting
from nilearn.maskers import NiftiMasker

import sturm

folder = tempfile.TemporaryDirectory()
study = sturm.phantom(Path(folder.name) / "study", subjects=40, size="24x28x24", effect=1.0)
table = pd.read_csv(study / "samples.tsv", sep="\t")
images = [str(study / path) for path in table["path"]]
group = table["group"].to_numpy()
print(table.head(3))

# %%
# The first 30 images are for learning, and the last 10 for a check at the end.
train, test = images[:30], images[30:]

# %%
# A masker
# --------
# Any ``NiftiMasker`` will do, and so will the file of a mask. The masker decides which voxels count and how
# images are smoothed and resampled.
masker = NiftiMasker(mask_img=str(study / "mask.nii.gz"), standardize=None)

# %%
# The decoder
# -----------
# ``cv`` are the outer folds, which give the scores; ``inner_cv`` are the folds inside each training set, in which the
# weights of the two penalties are chosen.
decoder = sturm.SturmDecoder("sturm", mask=masker, cv=5, inner_cv=4)
decoder.fit(train, group[:30])
scores = decoder.cv_scores_["patient"]
print(f"accuracy in the outer folds: {np.mean(scores):.2f}, between {min(scores):.2f} and {max(scores):.2f}")
print(f"the map is within {100 * decoder.dual_gap_:.2f} % of the best objective that any map can have")

# %%
# Where it looks
# --------------
# ``coef_img_`` has the weights for each class. Most of them are exactly 0, and are left transparent here. Red voxels speak for
# a patient, blue ones for a control. The grey behind them is the mean of the training images.
mean = image.smooth_img(image.mean_img(train, copy_header=True), 15)
brain = image.math_img("mean * mask", mean=mean, mask=str(study / "mask.nii.gz"))
truth = image.load_img(str(study / "truth.nii.gz"))
cuts = plotting.find_cut_slices(truth, direction="z", n_cuts=5)
figure, axes = plt.subplots(3, 1, figsize=(8, 5.4))
figure.subplots_adjust(left=0, right=1, top=0.94, bottom=0.01, hspace=0.2)
for axis, map_, words in (
    (axes[0], truth, "planted"),
    (axes[1], decoder.coef_img_["patient"], "weights"),
    (axes[2], decoder.pattern_img_["patient"], "forward pattern"),
):
    values = image.get_data(map_)
    plotting.plot_stat_map(
        map_, bg_img=brain, display_mode="z", cut_coords=cuts, axes=axis, cmap="RdBu_r", black_bg=False, colorbar=False,
        threshold=0.05 * float(np.abs(values).max()), annotate=False,
    )  # fmt: skip
    axis.set_title(f"{words}: {np.sum(values != 0)} voxels other than 0", loc="left", fontsize=11)

# %%
# A weight says how the model uses a voxel; it may be there only to cancel the noise of other voxels. The forward pattern says how
# each voxel changes with the decision value, so that it is not sparse, and it is the map to read as "activity".
#
# Images that were not there
# --------------------------
# Each image is predicted as if it were alone.
accuracy = decoder.score(test, group[30:])
print(f"accuracy on the ten images that were left out: {accuracy:.2f}")
assert accuracy >= 0.7
assert decoder.dual_gap_ < 1e-3
folder.cleanup()
