# SPDX-License-Identifier: BSD-3-Clause
"""What our solver is measured against, in NumPy at its best, and an independent judge of every result.

    min_W  1/2 |y - X w|^2 + tau TNN(W) + gamma |W|_1          (w = vec W; X is samples x voxels)

certified        our algorithm, one problem at a time: loss and l1 in one block, TNN in the other
certified_plain  consensus ADMM with adaptive rho and over-relaxation, and the same certificate
algorithm2       the paper's Algorithm 2: rho fixed, a number of iterations, no certificate
objective, certificate   the formulas in float64 by plain SVD; they share no code with the rivals

X is (samples, I1, I2, I3), W and the splits are (I1, I2, I3). Inside, a tensor is a vector with i1 fastest, so that the
DFT of its tubes runs along axis 0 of (I3, I2, I1) and leaves each slice in one piece.
"""
from types import SimpleNamespace

import numpy as np
import scipy.fft
import scipy.linalg


# ---- The judge -------------------------------------------------------------------------------------------------------
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


def objective(X, y, w, tau, gamma):
    """X is samples x voxels in the order of w.ravel(); float64."""
    values, counts = singular_values(w)
    residual = y - X @ np.asarray(w, np.float64).ravel()
    tnn = counts @ values.sum(1) / w.shape[2]
    return residual @ residual / 2 + tau * tnn + gamma * np.abs(w, dtype=np.float64).sum()


def certificate(X, y, w, theta, g2, tau, gamma):
    """Primal, dual, relative gap. X'theta = G1 + G2 is scaled until |G1| <= gamma and spec(G2) <= tau, and then as well
    as it can be: max over s of s y'theta - s^2 |theta|^2 / 2. Two splits are tried, g2 itself, and what a clipped G1
    leaves: in the first the rounding of g2 counts against gamma, which may be tiny, in the second against tau."""
    primal = objective(X, y, w, tau, gamma)
    z = (theta @ X).reshape(w.shape)
    if tau == 0 or gamma == 0:
        splits = [np.zeros_like(z) if tau == 0 else z]
    else:
        splits = [g2, z - np.clip(z - g2, -gamma, gamma)]
    along, size, dual = y @ theta, theta @ theta, 0.0
    for split in splits if size > 0 else []:
        sizes = (gamma, np.abs(z - split).max()), (tau, spectral(split))
        s = min([max(along / size, 0), *(limit / large for limit, large in sizes if large > 0)])
        dual = max(dual, s * along - s * s * size / 2)
    return primal, dual, (primal - dual) / max(primal, 1e-300)


# ---- What the rivals share -------------------------------------------------------------------------------------------
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
    matrix with its eigenvectors, X'y and its norms."""

    def __init__(self, X, y, shape, dtype=np.float32):
        self.y, self.shape, self.dtype, self.tubes = np.asarray(y, np.float64), tuple(shape), dtype, Tubes(shape)
        self.samples, self.size = len(y), int(np.prod(shape))
        self.voxels = np.ascontiguousarray(X.T, dtype).reshape(self.size, self.samples)
        self.rows = np.ascontiguousarray(self.voxels.T)
        self.gram = np.zeros((self.samples, self.samples))
        for first in range(0, self.size, 65536):
            block = self.voxels[first:first + 65536].astype(np.float64)
            self.gram += block.T @ block
        self.eigenvalues, self.eigenvectors = np.linalg.eigh(self.gram)
        self.eigenvalues = np.maximum(self.eigenvalues, 0)
        self.xy = self.transposed(self.y)
        self.xy_max, self.xy_spectral = float(np.abs(self.xy).max()), self.tubes.spectral(self.xy)

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

    def tensor(self, v):
        return v.reshape(self.shape[::-1]).T


class Gap:
    """The best primal and dual points so far, each kept with what proves it."""

    def __init__(self, data, tau, gamma):
        self.data, self.tau, self.gamma = data, tau, gamma
        self.w, self.theta, self.g2 = np.zeros(data.size, data.dtype), data.y, np.zeros(data.size, data.dtype)
        self.primal, self.dual, self.ranks = data.y @ data.y / 2, 0.0, data.tubes.fresh_ranks()

    def value(self):
        return max((self.primal - self.dual) / self.primal, 0.0) if self.primal > 0 else 0.0

    def offer_primal(self, w, xw, tnn=None):
        if self.tau > 0 and tnn is None:
            tnn = self.data.tubes.tnn(w)
        residual = self.data.y - xw
        primal = residual @ residual / 2 + (self.tau * tnn if self.tau > 0 else 0)
        primal += self.gamma * np.abs(w).sum(dtype=np.float64)
        if primal < self.primal:
            self.primal, self.w = primal, w.copy()

    def offer_dual(self, theta, c, g2):
        """theta / c is feasible with the split g2 / c."""
        a, b = self.data.y @ theta, theta @ theta
        s = min(max(a / b, 0), 1 / c) if b > 0 else 0
        if s * a - s * s * b / 2 > self.dual:
            self.dual, self.theta, self.g2 = s * a - s * s * b / 2, s * theta, self.data.dtype(s) * g2

    def refine(self, theta, z, g2, rounds=1):
        """The smallest c of the split g2 (spec(g2) <= tau) and of those that alternate clips improve it to."""
        tau, gamma, kind = self.tau, self.gamma, self.data.dtype
        if tau == 0:
            return self.offer_dual(theta, max(1, np.abs(z).max() / gamma), np.zeros_like(z))
        if gamma == 0:
            return self.offer_dual(theta, max(1, self.data.tubes.spectral(z) / tau), z)
        best, split = max(1, float(np.abs(z - g2).max()) / gamma), g2
        for _ in range(rounds):
            if best <= 1:
                break
            rest = soften(z - g2, kind(gamma), np.empty_like(z)) + g2  # z - G1 with G1 = clip(z - g2, gamma)
            b, _, top = self.data.tubes.prox(rest, tau, self.ranks)
            g2 = rest - b
            for c, candidate in ((top / tau, rest), (float(np.abs(z - g2).max()) / gamma, g2)):
                if max(1, c) < best:
                    best, split = max(1, c), candidate
        self.offer_dual(theta, best, split)

    def result(self, iterations):
        tensor = self.data.tensor
        return SimpleNamespace(w=tensor(self.w), theta=self.theta, g2=tensor(self.g2), primal=self.primal,
                               dual=self.dual, gap=self.value(), iterations=iterations)


# ---- (a) Our algorithm -----------------------------------------------------------------------------------------------
class SupportGram:
    """X_S X_S', followed by the voxels that enter and leave S; begun again where that is cheaper, or every 50 times."""

    def __init__(self, data):
        self.data, self.age = data, 50
        self.support, self.matrix = np.zeros(data.size, bool), np.zeros_like(data.gram)

    def _of(self, mask):
        columns = self.data.voxels.take(np.flatnonzero(mask), 0)
        return (columns.T @ columns).astype(np.float64)  # one syrk

    def at(self, support):
        change = support ^ self.support
        inside, self.age = np.count_nonzero(support), self.age + 1
        outside = self.data.size - inside
        if self.age < 50 and np.count_nonzero(change) <= min(inside, outside):
            self.matrix += self._of(change & support)
            self.matrix -= self._of(change & self.support)
        else:
            self.age = 0
            self.matrix = self._of(support) if inside <= outside else self.data.gram - self._of(~support)
        self.support = support
        return self.matrix

    def direction(self, support, rho, r):
        """-rho (rho I + X_S X_S')^-1 r"""
        eye = np.eye(len(r))
        try:
            factor = scipy.linalg.cho_factor(self.at(support) + rho * eye, check_finite=False)
        except np.linalg.LinAlgError:  # rounding lost definiteness: begin again, with a ridge at the level of rounding
            self.age = 50
            matrix = self.at(support)
            ridge = 4 * len(r) * np.finfo(self.data.dtype).eps * np.trace(matrix)
            factor = scipy.linalg.cho_factor(matrix + (rho + ridge) * eye, check_finite=False)
        return -rho * scipy.linalg.cho_solve(factor, r, check_finite=False)


def ridge_parameter(data, share):
    """lambda with |X' lambda (XX' + lambda)^-1 y| = share |X'y|."""
    a = (data.eigenvectors.T @ data.y) * np.sqrt(data.eigenvalues)
    low, high = np.log(data.eigenvalues[-1]) + np.array([-60, 20])
    for _ in range(60):
        middle = np.exp((low + high) / 2)
        if np.linalg.norm(a * (middle / (data.eigenvalues + middle))) < share * np.linalg.norm(a):
            low = (low + high) / 2
        else:
            high = (low + high) / 2
    return np.exp(low)


def start(data, best, gap):
    """The zero test, and the scale c = 1 / share of the zero point with the weight of TNN there, for rho."""
    tau, gamma, v = best.tau, best.gamma, data.xy
    if tau == 0:
        low = high = data.xy_max / gamma if gamma > 0 else np.inf
        weight, g2 = (0.0 if gamma > 0 else 1.0), np.zeros_like(v)
    elif gamma == 0:
        low, high, weight, g2 = data.xy_spectral / tau, data.xy_spectral / tau, 1.0, v
    else:
        high, low = 1 / (gamma / data.xy_max + tau / data.xy_spectral), data.xy_max / (gamma + tau)
        g2 = v * data.dtype(high * tau / data.xy_spectral)
    if np.isfinite(high):
        best.offer_dual(data.y, max(1, high), g2)
    if best.value() <= gap:
        return None
    if tau > 0 and gamma > 0:
        scaled = v / data.dtype(np.sqrt(low * high))
        b, tnn, _ = data.tubes.prox(scaled, tau, data.tubes.fresh_ranks())
        weight = norm(scaled - b) / norm(scaled)
        if tnn > 0:
            low = max(low, float(v.astype(np.float64) @ b) / (tau * tnn + gamma * np.abs(b).sum(dtype=np.float64)))
    c = max(1, np.sqrt(low * high)) if np.isfinite(high) else 1e8
    return c, 2 * ridge_parameter(data, min(1 / c, 0.9)) * max(weight**1.3, 1e-3)


def next_check(k, gap, target, last_k, last_gap):
    """A log-linear guess of the iteration that arrives, approached with care: a check costs two decompositions."""
    if k <= 5 or not gap < last_gap:
        return k + (2 if k == 3 else 5)
    left = np.log(gap / target) / np.log(last_gap / gap) * (k - last_k)
    return k + int(min(max(np.ceil(0.6 * left), 3), max(5, k // 5 + 2)))


def newton(data, support_gram, v, theta, z, rho, gamma, tolerance, buffers):
    """min_w 1/2 |y - X w|^2 + gamma |w|_1 + rho/2 |w - v|^2 by its dual in theta, as many unknowns as samples:
    theta - y + X w = 0 with w = soft(v + z / rho, gamma / rho), z = X'theta."""
    y, kind, (u, w, w_try) = data.y, data.dtype, buffers
    level, slack = kind(gamma / rho), 1e-13 if kind == np.float64 else 1e-6
    floor = np.linalg.norm(y) * (1e-15 if kind == np.float64 else 1e-6)  # the rounding of X w

    def primal_at(z_at, out):
        np.multiply(z_at, kind(1 / rho), out=u)
        np.add(u, v, out=u)
        return soften(u, level, out)

    def dual_at(theta_at, w_at):
        return theta_at @ theta_at / 2 - y @ theta_at + rho / 2 * sum_squares(w_at)

    primal_at(z, w)
    support, t = None, 0.0
    for step in range(21):
        xw = data.times(w)
        r = theta - y + xw
        size, size_theta = np.linalg.norm(r), np.linalg.norm(theta)
        support_last, support = support, w != 0
        # A full step within one support solves linear equations: what it leaves is rounding.
        solved = size <= max(tolerance * size_theta, floor) or (t == 1 and np.array_equal(support, support_last))
        if solved or step == 20:
            break
        d = support_gram.direction(support, rho, r)
        before, slope, t = dual_at(theta, w), r @ d, 1.0
        limit = before + slack * abs(before)
        z_old, z = z, data.transposed(theta + d)  # not z + X'd: small steps would add up to rounding
        while dual_at(theta + t * d, primal_at(z, w_try)) > limit + 1e-4 * t * slope and t > 1e-4:
            t /= 2
            z = (z + z_old) * kind(0.5)
        theta = theta + t * d
        w, w_try = w_try, w
    hard = not solved and size > 0.1 * size_theta
    return theta, z, w, w_try, xw, hard


def certified(X, y, shape, tau, gamma, gap=1e-3, limit=1000, data=None):
    """ADMM with loss + l1 in one block (semismooth Newton) and TNN in the other. data: Prepared(X, y, shape)."""
    data = data or Prepared(X, y, shape)
    kind, y = data.dtype, data.y
    best = Gap(data, tau, gamma)
    target = gap if kind == np.float64 else 0.97 * gap  # so that it still holds when recomputed in float64
    begun = start(data, best, target) if y.any() and data.xy_max > 0 else None
    if begun is None:
        return best.result(0)
    c, rho = begun
    theta, z, b, q = y / c, data.xy / kind(c), np.zeros_like(data.xy), np.zeros_like(data.xy)
    v, u, w, spare = (np.empty_like(b) for _ in range(4))
    support_gram, ranks = SupportGram(data), data.tubes.fresh_ranks()
    check, adapt, last_k, last_gap, now = 3, 2, 0, 0.0, 1.0
    for k in range(1, limit + 1):
        tolerance = min(1e-2, 0.1 * now, 1e-6 if tau == 0 else 1)
        np.subtract(b, q, out=v)
        theta, z, w, spare, xw, hard = newton(data, support_gram, v, theta, z, rho, gamma, tolerance, (u, w, spare))
        b_old, tnn = b, 0.0
        if tau > 0:
            q += kind(1.7) * w  # over-relaxed: the target of the prox is 1.7 W - 0.7 B + Q
            q -= kind(0.7) * b
            b, tnn, _ = data.tubes.prox(q, tau / rho, ranks)
            q -= b  # spec(rho Q) <= tau
        else:
            b = w.copy()
        if k >= check or k == limit:
            if tau + gamma > 0:
                best.refine(theta, z, kind(rho) * q)
            if gamma > 0 or tau == 0:
                best.offer_primal(w, xw)
            else:
                best.offer_primal(b, data.times(b), tnn)  # no zeros to keep
            if tau > 0 and gamma > 0 and target < best.value() <= 3 * target:
                # B, as sparse as the dual says: u - w is G1 / rho
                point = soften(b + (u - w) * kind(0.01), kind(gamma / (100 * rho)), spare)
                best.offer_primal(point, data.times(point))
            now = best.value()
            if now <= target:
                break
            check, last_k, last_gap = next_check(k, now, target, last_k, last_gap), k, now
        factor = 1.0
        if tau == 0:
            factor = 1 / 3 if k % 3 == 0 else 1.0  # proximal point
        elif hard:
            factor, adapt = 5.0, max(adapt, k + 2)
        elif k >= adapt:
            adapt = k + (2 if k < 10 else 5 if k < 30 else 10 if k < 60 else 20 if k < 200 else k // 4)
            size_b, size_q = norm(b), norm(q)
            primal, dual = norm(w - b) / max(norm(w), size_b, 1e-300), norm(b - b_old) / max(size_q, 1e-300)
            if primal > 0 and dual > 0:
                factor = min(max(1.2 * np.sqrt(primal / dual), 0.1), 10)
            factor = 1.0 if 1 / 1.2 <= factor <= 1.2 else factor
        if factor != 1:
            rho *= factor
            q /= kind(factor)
    return best.result(k)


def certified_plain(X, y, shape, tau, gamma, gap=1e-3, limit=1000, data=None):
    """Consensus ADMM (the loss, TNN and l1 each on its own) with OSQP's rule for rho and over-relaxation 1.8."""
    data = data or Prepared(X, y, shape)
    kind, y, relax = data.dtype, data.y, 1.8
    best, target = Gap(data, tau, gamma), gap if data.dtype == np.float64 else 0.97 * gap
    rho = np.median(data.eigenvalues[data.eigenvalues > 1e-9 * data.eigenvalues[-1]])
    w, p, q = (np.zeros(data.size, kind) for _ in range(3))
    xw, xp, ranks = np.zeros(data.samples), np.zeros(data.samples), data.tubes.fresh_ranks()
    adapt = [5, 10, 15, 20, 30, 40, 60, 80, *range(100, limit, 40)]
    for k in range(1, limit + 1):
        turned = data.eigenvectors.T @ (y - xw + xp)
        theta = rho * (data.eigenvectors @ (turned / (data.eigenvalues + rho)))
        z = data.transposed(theta)
        a, xa = w - p + z * kind(1 / rho), xw - xp + data.gram @ theta / rho
        b = data.tubes.prox(w - q, tau / rho, ranks)[0] if tau > 0 else w - q
        g2, w_old, xw_old = kind(rho) * (w - q - b), w, xw
        p += kind(relax) * a + kind(1 - relax) * w
        q += kind(relax) * b + kind(1 - relax) * w
        w = soften((p + q) * kind(0.5), kind(gamma / (2 * rho)), np.empty_like(w))
        p -= w
        q -= w
        xw = data.times(w)
        xp += relax * xa + (1 - relax) * xw_old - xw
        if k % 5 == 0 or k == limit:
            best.refine(theta, z, g2, rounds=2)
            best.offer_primal(w, xw)
            if best.value() <= target:
                break
        if k in adapt:
            primal = np.hypot(norm(a - w), norm(b - w)) / max(np.hypot(norm(a), norm(b)), np.sqrt(2) * norm(w), 1e-300)
            dual = np.sqrt(2) * norm(w - w_old) / max(np.hypot(norm(p), norm(q)), 1e-300)
            factor = np.sqrt(primal / dual) if primal > 0 and dual > 0 else 1.0
            factor = min(max(factor, 0.1), 10) if k > 5 else factor
            if not 1 / 1.2 <= factor <= 1.2:
                rho, p, q, xp = rho * factor, p / kind(factor), q / kind(factor), xp / factor
    return best.result(k)


# ---- (b) The paper's Algorithm 2 -------------------------------------------------------------------------------------
def algorithm2(X, y, shape, tau, gamma, rho=1.0, iterations=500, alpha=1.0, data=None):
    """As printed, with V^H and the two-sided threshold. The A-step in its dual form, theta = rho (XX' + rho/alpha I)^-1
    (y - X(w-p)), gives A + P = W + X'theta / rho; so P is never formed, and X(w-p) follows from X w and XX' theta."""
    data = data or Prepared(X, y, shape)
    kind, tubes, ranks = data.dtype, data.tubes, data.tubes.fresh_ranks()
    inverse = np.linalg.inv(data.gram + rho / alpha * np.eye(data.samples))
    w, q, w_new, total = (np.zeros(data.size, kind) for _ in range(4))
    xw, x_wp = np.zeros(data.samples), np.zeros(data.samples)
    for _ in range(iterations):
        theta = rho * (inverse @ (data.y - x_wp))
        np.multiply(data.transposed(theta), kind(1 / rho), out=total)
        total += w  # A + P
        q *= -1
        q += w
        b = tubes.prox(q, tau / rho, ranks)[0] if tau > 0 else q.copy()
        q -= w
        b -= q  # B + Q, with q the negative of Q
        total += b
        total *= kind(0.5)
        soften(total, kind(gamma / (2 * rho)), w_new)
        np.subtract(b, w_new, out=q)
        xw_new = data.times(w_new)
        x_wp = 2 * xw_new - xw - data.gram @ theta / rho
        w, w_new, xw = w_new, w, xw_new
    residual = data.y - xw
    penalty = tau * tubes.tnn(w) + gamma * np.abs(w).sum(dtype=np.float64)
    return SimpleNamespace(w=data.tensor(w), primal=alpha / 2 * (residual @ residual) + penalty)


def algorithm2_plain(X, y, shape, tau, gamma, rho=1.0, iterations=500, alpha=1.0):
    """The same written down as the paper has it, as most people would: three copies kept whole, NumPy's batched SVD on
    the half spectrum, the inverse of the small matrix once. X is samples x voxels in single precision."""
    inverse = np.linalg.inv((X @ X.T).astype(np.float64) + rho / alpha * np.eye(len(y))).astype(X.dtype)
    y = y.astype(X.dtype)
    w, p, q = (np.zeros(X.shape[1], X.dtype) for _ in range(3))
    for _ in range(iterations):
        v = w - p
        a = v + X.T @ (inverse @ (y - X @ v))
        hat = np.moveaxis(np.fft.rfft((w - q).reshape(shape), axis=2), 2, 0).astype(np.complex64)
        u, s, vh = np.linalg.svd(hat, full_matrices=False)
        hat = (u * np.maximum(s - tau / rho, 0)[:, None, :]) @ vh
        b = np.fft.irfft(np.moveaxis(hat, 0, 2), n=shape[2], axis=2).astype(X.dtype).ravel()
        total = (a + p + b + q) / 2
        w = np.sign(total) * np.maximum(np.abs(total) - gamma / (2 * rho), 0).astype(X.dtype)
        p += a - w
        q += b - w
    return w.reshape(shape)
