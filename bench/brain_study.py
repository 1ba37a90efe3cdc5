# SPDX-License-Identifier: BSD-3-Clause
"""A made-up study on a masked brain: a mask like a real one, smooth volumes inside it, and labels."""
import numpy as np
from scipy.ndimage import binary_erosion, binary_fill_holes, gaussian_filter, label


def brain_mask(shape, share=0.25, seed=0):
    """An ellipsoid with an uneven border: in one piece, without holes, about that share of the box. With a quarter it
    reaches over four fifths of every mode, as the MNI152 brain does (73x91x76 of 91x109x91)."""
    rng = np.random.default_rng(seed)
    axes = [(2 * np.arange(extent) + 1) / extent - 1 for extent in shape]
    radius = np.sqrt(sum(axis**2 for axis in np.meshgrid(*axes, indexing="ij")))
    noise = gaussian_filter(rng.standard_normal(shape), [extent / 16 for extent in shape], mode="wrap")
    level = radius + 0.04 * noise / noise.std()
    pieces, _ = label(level <= np.quantile(level, share))
    return binary_fill_holes(pieces == np.bincount(pieces[pieces > 0]).argmax())


def blob(mask, half, rng):
    """A smooth bump on a block of 6x6x5 voxels inside the mask, in the first half of mode 1 or in the second."""
    block = np.ones((6, 6, 5))
    centres = np.array_split(np.argwhere(binary_erosion(mask, block)), 2)[half]
    corner = centres[rng.integers(len(centres))] - [3, 3, 2]
    out = np.zeros(mask.shape)
    side, depth = np.hanning(8)[1:-1], np.hanning(7)[1:-1]
    out[tuple(slice(c, c + n) for c, n in zip(corner, block.shape))] = np.einsum("i,j,k->ijk", side, side, depth)
    return out


def brain_volumes(shape, samples, seed=0):
    """Gaussian fields, sigma 1.5 voxels, z-scored over samples, zero outside the mask (samples first, float32, Fortran
    order); centred labels that follow two planted blobs of opposite sign, plus noise; the mask."""
    rng, mask = np.random.default_rng(seed), brain_mask(shape)
    X = np.zeros((samples, *shape), np.float32, order="F")
    for m in range(samples):
        X[m] = np.where(mask, gaussian_filter(rng.standard_normal(shape), 1.5), 0)
    inside = X[:, mask].astype(np.float64)
    inside -= inside.mean(0)
    inside /= inside.std(0)
    X[:, mask] = inside
    signal = inside @ (blob(mask, 0, rng) - blob(mask, 1, rng))[mask]
    y = np.sign(signal / signal.std() + 0.5 * rng.standard_normal(samples))
    return X, y - y.mean(), mask
