# SPDX-License-Identifier: BSD-3-Clause
"""An independent judge of every result: the formulas in float64 by plain SVD. It shares no code with the rivals.

    min_W  1/2 |y - X w|^2 + tau TNN(W) + gamma |W|_1,   W = 0 outside the mask

W and G2 are whole volumes (I1, I2, I3). Without a mask every voxel counts. X is samples x voxels of the mask, in the
order of volume[mask]; w in the formulas is W there.
"""
import numpy as np


def everything(volume):
    return np.ones(volume.shape, bool)


def crop(volume, mask):
    """The rows and columns (modes 1 and 2) that have any voxel of the mask, with whole tubes. A volume that is zero
    elsewhere keeps its singular values, slice by slice; of any other none grows."""
    return np.asarray(volume, np.float64)[np.ix_(mask.any((1, 2)), mask.any((0, 2)))]


def singular_values(w):
    """Of the slices of the half spectrum, and how often each slice counts in the whole one."""
    n3 = w.shape[2]
    values = np.linalg.svd(np.moveaxis(np.fft.rfft(np.asarray(w, np.float64), axis=2), 2, 0), compute_uv=False)
    counts = np.full(len(values), 2.0)
    counts[0] = 1
    if n3 % 2 == 0:
        counts[-1] = 1
    return values, counts


def spectral(w):
    return singular_values(w)[0].max()


def objective(X, y, w, tau, gamma, mask=None):
    """Infinite where W is not zero outside the mask."""
    mask = everything(w) if mask is None else mask
    if w[~mask].any():
        return np.inf
    values, counts = singular_values(crop(w, mask))
    residual = y - X @ w[mask].astype(np.float64)
    tnn = counts @ values.sum(1) / w.shape[2]
    return residual @ residual / 2 + tau * tnn + gamma * np.abs(w, dtype=np.float64).sum()


def certificate(X, y, w, theta, g2, tau, gamma, mask=None):
    """Primal, dual, relative gap. X'theta = G1 + G2 inside the mask, while G2 is free outside it, and is taken as zero
    outside the crop. Both are scaled until |G1| <= gamma inside and spec(G2) <= tau, and then as well as can be: max
    over s of s y'theta - s^2 |theta|^2 / 2. Two splits are tried, g2 itself, and what a clipped G1 leaves: in the first
    the rounding of g2 counts against gamma, which may be tiny, in the second against tau."""
    mask = everything(w) if mask is None else mask
    primal = objective(X, y, w, tau, gamma, mask)
    z, inside, g2 = theta @ X, crop(mask, mask) > 0, crop(g2, mask)

    def with_inside(values):
        split = g2.copy()
        split[inside] = values
        return split

    if tau == 0:
        splits = [np.zeros_like(g2)]
    elif gamma == 0:
        splits = [with_inside(z)]
    else:
        splits = [g2, with_inside(z - np.clip(z - g2[inside], -gamma, gamma))]
    along, size, dual = y @ theta, theta @ theta, 0.0
    for split in splits if size > 0 else []:
        sizes = (gamma, np.abs(z - split[inside]).max()), (tau, spectral(split))
        s = min([max(along / size, 0), *(limit / large for limit, large in sizes if large > 0)])
        dual = max(dual, s * along - s * s * size / 2)
    return primal, dual, (primal - dual) / max(primal, 1e-300) if np.isfinite(primal) else np.inf
