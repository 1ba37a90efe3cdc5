# SPDX-License-Identifier: BSD-3-Clause
"""Third-order tensors: t-product, t-SVD, tubal nuclear norm (Kilmer and Martin 2011; Lu et al. 2016)."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native

Tensor = NDArray[np.float64]


def _tensor(a: ArrayLike) -> Any:
    array = np.asarray(a, dtype=np.float64)
    if array.ndim != 3:
        raise ValueError(f"a tensor has three axes, and this array has {array.ndim}")
    if not np.isfinite(array).all():
        raise ValueError("the tensor holds what is not a finite number")
    return array


def tproduct(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The t-product of two tensors: circular convolution of tubes, matrix product of slices.

    Parameters
    ----------
    a : array of shape (n1, m, n3)
    b : array of shape (m, n2, n3)

    Returns
    -------
    c : array of shape (n1, n2, n3)
    """
    return np.asarray(_native.tproduct(_tensor(a), _tensor(b)))


def ttranspose(a: ArrayLike) -> Tensor:
    """The transpose that belongs to the t-product: slices transposed, those from the second on in reverse order."""
    return np.asarray(_native.ttranspose(_tensor(a)))


def tsvd(a: ArrayLike, full_matrices: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The t-SVD: ``a = u * s * v'`` in t-products, u and v orthogonal, every slice of s diagonal.

    Parameters
    ----------
    a : array of shape (n1, n2, n3)
    full_matrices : bool, default=False
        Whether u and v are square.

    Returns
    -------
    u, s, v : arrays
    """
    u, s, v = _native.tsvd(_tensor(a), bool(full_matrices))
    return np.asarray(u), np.asarray(s), np.asarray(v)


def tnn(a: ArrayLike) -> float:
    """The tubal nuclear norm: the mean, over the frequencies of the third axis, of the nuclear norms of the slices."""
    return float(_native.tnn(_tensor(a)))


def prox_tnn(y: ArrayLike, tau: float) -> Tensor:
    """The tensor z with the least ``tau tnn(z) + |z - y|^2 / 2``.

    Parameters
    ----------
    y : array of shape (n1, n2, n3)
    tau : float
        From 0.
    """
    return np.asarray(_native.prox_tnn(_tensor(y), float(tau)))


def tubal_rank(a: ArrayLike) -> int:
    """The number of singular tubes that are not 0."""
    return int(_native.tubal_rank(_tensor(a)))
