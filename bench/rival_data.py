# SPDX-License-Identifier: BSD-3-Clause
"""What the rivals of solver_rivals.py share: X as NumPy likes it best, and the prox of the tubal nuclear norm.

X is (samples, I1, I2, I3). Inside, a tensor is a vector with i1 fastest, so that the DFT of its tubes runs along axis 0
of (I3, I2, I1) and leaves each slice in one piece.

With a mask X, W and X'theta hold its voxels alone; the low-rank copy, its dual and G2 hold the crop: the rows and
columns (modes 1 and 2) that have any voxel of the mask, with whole tubes. That is exact: the rest is and stays zero.
"""
import numpy as np
import scipy.fft
import scipy.linalg


def sum_squares(v):
    wide = v.astype(np.float64)
    return wide @ wide


def norm(v):
    return np.sqrt(sum_squares(v))


def soften(t, mu, out):
    """out = sign(t) max(|t| - mu, 0) as t - clip(t): four times faster than NumPy's sign, abs and maximum."""
    np.minimum(t, mu, out=out)
    np.maximum(out, -mu, out=out)
    return np.subtract(t, out, out=out)


class Tubes:
    """Singular values of the half spectrum through Gram matrices in double precision. With OpenBLAS that takes half the
    time of a single-precision SVD and is more accurate. Slices whose norm is below the threshold need nothing, and
    where few values exceeded it last time, only those above it are asked for."""

    def __init__(self, shape):
        self.n1, self.n2, self.n3 = shape
        self.slices, self.side = self.n3 // 2 + 1, min(shape[:2])
        self.weights = np.full(self.slices, 2 / self.n3)
        self.weights[0] = 1 / self.n3
        if self.n3 % 2 == 0:
            self.weights[-1] = 1 / self.n3

    def fresh_ranks(self):
        return np.full(self.slices, self.side)

    def _hat(self, t):
        """The slices with the smaller side last."""
        hat = scipy.fft.rfft(t.reshape(self.n3, self.n2, self.n1), axis=0, workers=1)
        return hat if self.n1 <= self.n2 else hat.swapaxes(1, 2)

    @staticmethod
    def _gram(hat):
        wide = hat.astype(np.complex128)
        return wide.conj().swapaxes(1, 2) @ wide

    def singular_values(self, t):
        return np.sqrt(np.maximum(np.linalg.eigvalsh(self._gram(self._hat(t))), 0))

    def tnn(self, t):
        return self.weights @ self.singular_values(t).sum(1)

    def spectral(self, t):
        return self.singular_values(t).max()

    def _shrink(self, hat, mu):
        values, u = np.linalg.eigh(self._gram(hat))
        s = np.sqrt(np.maximum(values, mu * mu))
        keep = max(1, (s > mu).sum(1).max())
        s, u = s[:, -keep:], u[:, :, -keep:].astype(hat.dtype)
        f = (1 - mu / s).astype(hat.real.dtype)
        return ((hat @ u) * f[:, None, :]) @ u.conj().swapaxes(1, 2), s - mu

    def _shrink_low(self, hat, mu):
        gram = self._gram(hat[None])[0]
        values, u = scipy.linalg.eigh(gram, subset_by_value=(mu * mu, np.inf), driver="evr", check_finite=False)
        s, u = np.sqrt(values), u.astype(hat.dtype)
        return ((hat @ u) * (1 - mu / s).astype(hat.real.dtype)) @ u.conj().T, s - mu

    def prox(self, t, mu, ranks):
        """The prox, its TNN, and the largest singular value of t (at least mu > 0). ranks: kept by the last call."""
        hat = self._hat(t)
        live = np.sqrt((hat.real**2 + hat.imag**2).sum((1, 2))) > mu
        low = live & (3 * ranks <= self.side)
        dense = np.flatnonzero(live & ~low)
        out, tnn, top = np.zeros_like(hat), 0.0, 0.0
        ranks[~live] = 0
        if len(dense):
            out[dense], s = self._shrink(hat if len(dense) == len(hat) else hat[dense], mu)
            ranks[dense], tnn, top = (s > 0).sum(1), self.weights[dense] @ s.sum(1), s.max()
        for k in np.flatnonzero(low):
            out[k], s = self._shrink_low(hat[k], mu)
            ranks[k], tnn, top = len(s), tnn + self.weights[k] * s.sum(), max(top, s.max(initial=0))
        out = out if self.n1 <= self.n2 else out.swapaxes(1, 2)
        return scipy.fft.irfft(out, n=self.n3, axis=0, workers=1).reshape(-1), tnn, top + mu


class Prepared:
    """What all penalties share: X in both orders (rows for the products, voxels for the columns of a support), the Gram
    matrix with its eigenvectors, X'y and its norms; and the way between the voxels of a mask and its crop."""

    def __init__(self, X, y, shape, dtype=np.float32, mask=None):
        self.y, self.shape, self.dtype, self.samples = np.asarray(y, np.float64), tuple(shape), dtype, len(y)
        self.crop, self.index, cropped = ..., None, self.shape
        if mask is not None:
            self.crop = np.ix_(mask.any((1, 2)), mask.any((0, 2)))
            self.index, cropped = np.flatnonzero(mask[self.crop].T), mask[self.crop].shape
        self.tubes, self.box = Tubes(cropped), int(np.prod(cropped))
        voxels = X.T.reshape(-1, self.samples) if mask is None else X.T[mask.T]
        self.voxels, self.size = np.ascontiguousarray(voxels, dtype), len(voxels)
        self.rows = np.ascontiguousarray(self.voxels.T)
        self.gram = np.zeros((self.samples, self.samples))
        for first in range(0, self.size, 65536):
            block = self.voxels[first:first + 65536].astype(np.float64)
            self.gram += block.T @ block
        self.eigenvalues, self.eigenvectors = np.linalg.eigh(self.gram)
        self.eigenvalues = np.maximum(self.eigenvalues, 0)
        self.xy = self.transposed(self.y)
        self.xy_max, self.xy_spectral = float(np.abs(self.xy).max()), self.tubes.spectral(self.filled(self.xy))

    def inside(self, b):
        """The voxels of the mask, from the crop. Without a mask b itself, not a copy."""
        return b if self.index is None else b.take(self.index)

    def filled(self, w, around=None):
        """On the crop: w inside the mask, outside it zero or what `around` has. Without a mask w itself, not a copy."""
        if self.index is None:
            return w
        out = np.zeros(self.box, w.dtype) if around is None else around.copy()
        out[self.index] = w
        return out

    def add(self, b, w):
        """b += w inside the mask."""
        if self.index is None:
            b += w
        else:
            b[self.index] += w
        return b

    def transposed(self, theta):
        return theta.astype(self.dtype) @ self.rows

    def times(self, w):
        """X w; the columns of a small support are gathered."""
        if 8 * np.count_nonzero(w) < self.size:
            support = np.flatnonzero(w)
            product = w[support] @ self.voxels.take(support, 0)
        else:
            product = self.rows @ w
        return product.astype(np.float64)

    def tensor(self, b):
        """The whole volume, zero outside the crop."""
        out = np.zeros(self.shape, b.dtype)
        out[self.crop] = b.reshape(self.tubes.n3, self.tubes.n2, self.tubes.n1).T
        return out
