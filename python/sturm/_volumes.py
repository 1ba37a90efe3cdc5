# SPDX-License-Identifier: BSD-3-Clause
"""From the arrays that scikit-learn knows to volumes, and back.

An array of four axes has one volume per sample. An array of two axes has one column per voxel: of the mask, of a volume
whose shape is given, or of a row of voxels that lie nowhere. Columns follow NumPy's order: the last axis is the fastest.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native


def mask_of(mask: Any) -> NDArray[np.bool_] | None:
    """A mask as an array of three axes; images (with ``dataobj``) are taken too."""
    if mask is None:
        return None
    array = np.asarray(getattr(mask, "dataobj", mask)) != 0
    if array.ndim != 3:
        raise ValueError(f"mask has {array.ndim} axes, and a mask of volumes has three")
    if not array.any():
        raise ValueError("mask has no voxel")
    return array


class Layout:
    """Where the features of a fit lie: `shape` of a volume, and the voxels of a mask (None: all)."""

    def __init__(self, features: tuple[int, ...], mask: Any, volume_shape: Any) -> None:
        self.mask = mask_of(mask)
        given = tuple(int(n) for n in volume_shape) if volume_shape is not None else None
        if given is not None and len(given) != 3:
            raise ValueError(f"volume_shape is three numbers, not {given}")
        of_mask = self.mask.shape if self.mask is not None else None
        if given and of_mask and given != of_mask:
            raise ValueError(f"volume_shape is {given}, and mask has the shape {of_mask}")
        if len(features) == 3:
            self.shape: tuple[int, ...] = features
            if (given or of_mask or features) != features:
                raise ValueError(f"X has volumes of {features}, and {given or of_mask} is asked for")
        else:
            self.shape = of_mask or given or (features[0], 1, 1)
            count = int(self.mask.sum()) if self.mask is not None else int(np.prod(self.shape))
            if count != features[0]:
                raise ValueError(
                    f"X has {features[0]} features, and there are {count} voxels "
                    f"{'in the mask' if self.mask is not None else f'in a volume of {self.shape}'}"
                )

    def mask_bytes(self) -> bytes:
        """The mask in the order of the solver, whose first axis is the fastest."""
        return b"" if self.mask is None else self.mask.astype(np.uint8).tobytes(order="F")

    def volumes(self, x: NDArray[Any]) -> _native.Volumes:
        """The samples as the solver reads them: in place where they lie in that order, otherwise a copy."""
        if x.ndim == 4:
            boxes = _native.Volumes.of_boxes(x, x)
            return boxes if self.mask is None else boxes.masked(self.mask_bytes())
        if self.mask is None:
            if self.shape[1:] == (1, 1):  # the same numbers, whatever their order
                return _native.Volumes.of_boxes(x[:, :, None, None], x)
            return _native.Volumes.of_boxes(x.reshape(x.shape[0], *self.shape), x)
        rank = np.full(self.shape, -1, dtype=np.int64)
        rank[self.mask] = np.arange(x.shape[1])
        order = rank.ravel(order="F")
        return _native.Volumes.of_columns(x, x, list(self.shape), self.mask_bytes(), order[order >= 0].tolist())

    def features(self, maps: NDArray[Any], of_volumes: bool) -> NDArray[Any]:
        """Maps of the box as rows of features."""
        if self.mask is not None and not of_volumes:
            return np.ascontiguousarray(maps[:, self.mask])
        return maps.reshape(maps.shape[0], -1)
