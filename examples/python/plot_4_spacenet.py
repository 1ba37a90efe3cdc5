# SPDX-License-Identifier: BSD-3-Clause
"""
Coming from SpaceNet
====================

nilearn's ``SpaceNetClassifier`` and :class:`sturm.SturmDecoder` answer the same question: a sparse and structured map from few images.
SpaceNet asks for maps that are smooth (Graph-Net) or piecewise constant (TV-L1); Sturm asks for maps of few tubal components.
Much of the code around them stays as it is:

==================================  ===========================================  =========================================
SpaceNet                            sturm                                        what is different
==================================  ===========================================  =========================================
``penalty="graph-net"``             ``method="sturm"``                           the structure; other methods go by name
``l1_ratios``, ``alphas``           ``param_grid``                               None in both: a grid made from the data
``cv``                              ``inner_cv``                                 the folds in which a setting is chosen
none                                ``cv``                                       outer folds, which give the scores
``screening_percentile``            none                                         no voxel is left out beforehand
``tol``, ``max_iter``               ``gap``                                      a proven distance to the optimum
``standardize``                     ``standardize``                              learnt from training images alone
``coef_img_``                       ``coef_img_[label]``                         one image per class, by its label
``cv_scores_``                      ``cv_scores_``                               of the outer folds, which chose nothing
``w_``, ``intercept_``              ``coef_``, ``intercept_``
==================================  ===========================================  =========================================
"""
# %%
# One study for both
# ------------------
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from nilearn import image, plotting
from nilearn.decoding import SpaceNetClassifier

import sturm

folder = tempfile.TemporaryDirectory()
study = sturm.phantom(Path(folder.name) / "study", subjects=60, size="20x24x20", effect=0.8)
table = pd.read_csv(study / "samples.tsv", sep="\t")
images = [str(study / path) for path in table["path"]]
group = table["group"].to_numpy()
mask = str(study / "mask.nii.gz")
train, test = slice(0, 40), slice(40, 60)

# %%
# Before
# ------
start = time.perf_counter()
before = SpaceNetClassifier(penalty="graph-net", mask=mask, cv=4, standardize=False, n_jobs=1, verbose=0)
before.fit(images[train], group[train])
seconds_before = time.perf_counter() - start

# %%
# After
# -----
# With ``cv=4`` the decoder chooses a setting five times: once in each outer training set, for the scores, and once from all
# images, for the map.
start = time.perf_counter()
after = sturm.SturmDecoder("sturm", mask=mask, cv=4, inner_cv=4, n_jobs=1)
after.fit(images[train], group[train])
seconds_after = time.perf_counter() - start

# %%
# What the two have found
# -----------------------
# Twenty images that neither has seen. The numbers are those of the machine that ran this page, on a phantom whose planted regions are
# compact: they are no ranking of the two.
maps = {"SpaceNet (Graph-Net)": image.index_img(before.coef_img_, 0), "sturm": after.coef_img_["patient"]}
inside = image.get_data(image.load_img(mask)) > 0
found = {
    "SpaceNet (Graph-Net)": (np.mean(before.predict(images[test]) == group[test]), seconds_before),
    "sturm": (after.score(images[test], group[test]), seconds_after),
}
for name, (accuracy, seconds) in found.items():
    zeros = np.mean(image.get_data(maps[name])[inside] == 0)
    print(f"{name:22} accuracy {accuracy:.2f}, zeros in the mask {100 * zeros:.0f} %, {seconds:.1f} s")
print(f"sturm's accuracy in its outer folds: {np.mean(after.cv_scores_['patient']):.2f}")
print(f"sturm's proven gap: {after.dual_gap_:.1e}")

# %%
# Red voxels speak for a patient, blue ones for a control; zeros are transparent. Both classes' names are in alphabetical order, and both
# programs give the weights for the second.
truth = image.load_img(str(study / "truth.nii.gz"))
cuts = plotting.find_cut_slices(truth, direction="z", n_cuts=5)
mean = image.smooth_img(image.mean_img(images[train], copy_header=True), 15)
brain = image.math_img("mean * mask", mean=mean, mask=mask)
figure, axes = plt.subplots(3, 1, figsize=(8, 5.4))
figure.subplots_adjust(left=0, right=1, top=0.94, bottom=0.01, hspace=0.2)
for axis, (name, map_) in zip(axes, [("planted", truth), *maps.items()]):
    largest = float(np.abs(image.get_data(map_)).max())
    plotting.plot_stat_map(
        map_, bg_img=brain, display_mode="z", cut_coords=cuts, axes=axis, cmap="RdBu_r", black_bg=False, colorbar=False,
        threshold=0.02 * largest, annotate=False,
    )  # fmt: skip
    axis.set_title(name, loc="left", fontsize=11)
assert found["sturm"][0] >= 0.7
folder.cleanup()
