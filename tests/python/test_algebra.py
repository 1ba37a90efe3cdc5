# SPDX-License-Identifier: BSD-3-Clause
"""The t-product and what is built on it, beside NumPy's transform of every tube."""
import numpy as np
import pytest
import sturm
from numpy.testing import assert_allclose


@pytest.fixture(params=[(5, 4, 6), (3, 7, 5), (4, 4, 1)])
def tensor(request):
    return np.random.default_rng(1).normal(size=request.param)


def hat(a):
    return np.moveaxis(np.fft.fft(a, axis=2), 2, 0)


def test_product_is_a_product_of_slices_in_the_transform(tensor):
    b = np.random.default_rng(2).normal(size=(tensor.shape[1], 3, tensor.shape[2]))
    expected = np.fft.ifft(np.moveaxis(hat(tensor) @ hat(b), 0, 2), axis=2).real
    assert_allclose(sturm.tproduct(tensor, b), expected, atol=1e-12)


def test_svd_gives_the_tensor_back(tensor):
    u, s, v = sturm.tsvd(tensor)
    assert_allclose(sturm.tproduct(sturm.tproduct(u, s), sturm.ttranspose(v)), tensor, atol=1e-12)
    eye = sturm.tproduct(sturm.ttranspose(u), u)
    expected = np.zeros_like(eye)
    expected[:, :, 0] = np.eye(eye.shape[0])
    assert_allclose(eye, expected, atol=1e-12)


def test_norm_and_rank(tensor):
    values = np.linalg.svd(hat(tensor), compute_uv=False)
    assert_allclose(sturm.tnn(tensor), values.sum(axis=1).mean(), rtol=1e-12)
    assert sturm.tubal_rank(tensor) == min(tensor.shape[:2])
    thin = sturm.tproduct(tensor[:, :1], tensor[:1])
    assert sturm.tubal_rank(thin) == 1


def test_prox_is_a_subgradient_step(tensor):
    tau = 0.5
    z = sturm.prox_tnn(tensor, tau)
    g = (tensor - z) / tau
    assert np.linalg.svd(hat(g), compute_uv=False).max() <= 1 + 1e-10
    assert_allclose((g * z).sum(), sturm.tnn(z), rtol=1e-10)


def test_what_is_no_tensor_is_refused():
    with pytest.raises(ValueError, match="three axes"):
        sturm.tnn(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="finite"):
        sturm.tnn(np.full((2, 2, 2), np.nan))
