# SPDX-License-Identifier: BSD-3-Clause
"""What our solver is measured against, in NumPy at its best; solver_judge.py judges the results.

    min_W  1/2 |y - X w|^2 + tau TNN(W) + gamma |W|_1          (w = vec W; X is samples x voxels; W = 0 outside a mask)

certified        our algorithm, one problem at a time: loss and l1 in one block, TNN in the other
certified_plain  consensus ADMM with adaptive rho and over-relaxation, and the same certificate
algorithm2       the paper's Algorithm 2: rho fixed, a number of iterations, no certificate

X is (samples, I1, I2, I3), W and the splits are (I1, I2, I3); rival_data.py says how they lie in memory.
"""
from types import SimpleNamespace

import numpy as np
import scipy.linalg

from rival_data import Prepared, norm, soften, sum_squares


class Gap:
    """The best primal and dual points so far, each kept with what proves it."""

    def __init__(self, data, tau, gamma):
        self.data, self.tau, self.gamma = data, tau, gamma
        self.w, self.theta, self.g2 = np.zeros(data.size, data.dtype), data.y, np.zeros(data.box, data.dtype)
        self.primal, self.dual, self.ranks = data.y @ data.y / 2, 0.0, data.tubes.fresh_ranks()

    def value(self):
        return max((self.primal - self.dual) / self.primal, 0.0) if self.primal > 0 else 0.0

    def offer_primal(self, w, xw, tnn=None):
        if self.tau > 0 and tnn is None:
            tnn = self.data.tubes.tnn(self.data.filled(w))
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
        """The smallest c of the split g2 (spec(g2) <= tau) and of those that alternate clips improve it to. Outside a
        mask nothing binds G1."""
        data, tau, gamma = self.data, self.tau, self.gamma
        if tau == 0:
            return self.offer_dual(theta, max(1, np.abs(z).max() / gamma), np.zeros_like(g2))
        if gamma == 0:
            g2 = data.filled(z, g2)
            return self.offer_dual(theta, max(1, data.tubes.spectral(g2) / tau), g2)
        g1 = z - data.inside(g2)
        best, split = max(1, float(np.abs(g1).max()) / gamma), g2
        for _ in range(rounds):
            if best <= 1:
                break
            # z - G1 with G1 = clip(z - g2, gamma)
            rest = data.filled(soften(g1, data.dtype(gamma), np.empty_like(z)) + data.inside(g2), g2)
            b, _, top = data.tubes.prox(rest, tau, self.ranks)
            g2 = rest - b
            g1 = z - data.inside(g2)
            for c, candidate in ((top / tau, rest), (float(np.abs(g1).max()) / gamma, g2)):
                if max(1, c) < best:
                    best, split = max(1, c), candidate
        self.offer_dual(theta, best, split)

    def result(self, iterations):
        data = self.data
        return SimpleNamespace(w=data.tensor(data.filled(self.w)), theta=self.theta, g2=data.tensor(self.g2),
                               primal=self.primal, dual=self.dual, gap=self.value(), iterations=iterations)


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
    tau, gamma, v = best.tau, best.gamma, data.filled(data.xy)
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
    theta, z, b, q = y / c, data.xy / kind(c), np.zeros(data.box, kind), np.zeros(data.box, kind)
    v, u, w, spare = (np.empty_like(z) for _ in range(4))
    support_gram, ranks = SupportGram(data), data.tubes.fresh_ranks()
    check, adapt, last_k, last_gap, now = 3, 2, 0, 0.0, 1.0
    for k in range(1, limit + 1):
        tolerance = min(1e-2, 0.1 * now, 1e-6 if tau == 0 else 1)
        np.subtract(data.inside(b), data.inside(q), out=v)
        theta, z, w, spare, xw, hard = newton(data, support_gram, v, theta, z, rho, gamma, tolerance, (u, w, spare))
        b_old, tnn = b, 0.0
        if tau > 0:
            data.add(q, kind(1.7) * w)  # over-relaxed: the target of the prox is 1.7 W - 0.7 B + Q
            q -= kind(0.7) * b
            b, tnn, _ = data.tubes.prox(q, tau / rho, ranks)
            q -= b  # spec(rho Q) <= tau
        else:
            b = data.filled(w.copy())
        if k >= check or k == limit:
            if tau + gamma > 0:
                best.refine(theta, z, kind(rho) * q)
            if gamma > 0 or tau == 0 or data.index is not None:
                best.offer_primal(w, xw)
            else:
                best.offer_primal(b, data.times(b), tnn)  # no zeros to keep
            if tau > 0 and gamma > 0 and target < best.value() <= 3 * target:
                # B, as sparse as the dual says: u - w is G1 / rho
                point = soften(data.inside(b) + (u - w) * kind(0.01), kind(gamma / (100 * rho)), spare)
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
            primal = norm(data.filled(w) - b) / max(norm(w), size_b, 1e-300)
            dual = norm(b - b_old) / max(size_q, 1e-300)
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
    w, p, q = np.zeros(data.size, kind), np.zeros(data.size, kind), np.zeros(data.box, kind)
    xw, xp, ranks = np.zeros(data.samples), np.zeros(data.samples), data.tubes.fresh_ranks()
    adapt = [5, 10, 15, 20, 30, 40, 60, 80, *range(100, limit, 40)]
    for k in range(1, limit + 1):
        turned = data.eigenvectors.T @ (y - xw + xp)
        theta = rho * (data.eigenvectors @ (turned / (data.eigenvalues + rho)))
        z = data.transposed(theta)
        a, xa = w - p + z * kind(1 / rho), xw - xp + data.gram @ theta / rho
        g2, w_old, xw_old = data.filled(w) - q, w, xw
        b = data.tubes.prox(g2, tau / rho, ranks)[0] if tau > 0 else g2.copy()
        g2 -= b
        g2 *= kind(rho)
        p += kind(relax) * a + kind(1 - relax) * w
        q += data.add(kind(relax) * b, kind(1 - relax) * w)
        w = soften((p + data.inside(q)) * kind(0.5), kind(gamma / (2 * rho)), np.empty_like(w))
        p -= w
        data.add(q, -w)
        xw = data.times(w)
        xp += relax * xa + (1 - relax) * xw_old - xw
        if k % 5 == 0 or k == limit:
            best.refine(theta, z, g2, rounds=2)
            best.offer_primal(w, xw)
            if best.value() <= target:
                break
        if k in adapt:
            primal = np.hypot(norm(a - w), norm(b - data.filled(w)))
            primal /= max(np.hypot(norm(a), norm(b)), np.sqrt(2) * norm(w), 1e-300)
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
    w, w_new, total = (np.zeros(data.size, kind) for _ in range(3))
    q = np.zeros(data.box, kind)
    xw, x_wp = np.zeros(data.samples), np.zeros(data.samples)
    for _ in range(iterations):
        theta = rho * (inverse @ (data.y - x_wp))
        np.multiply(data.transposed(theta), kind(1 / rho), out=total)
        total += w  # A + P
        q *= -1
        data.add(q, w)
        b = tubes.prox(q, tau / rho, ranks)[0] if tau > 0 else q.copy()
        data.add(q, -w)
        b -= q  # B + Q, with q the negative of Q
        total += data.inside(b)
        total *= kind(0.5)
        soften(total, kind(gamma / (2 * rho)), w_new)
        np.subtract(b, data.filled(w_new), out=q)
        xw_new = data.times(w_new)
        x_wp = 2 * xw_new - xw - data.gram @ theta / rho
        w, w_new, xw = w_new, w, xw_new
    residual = data.y - xw
    penalty = tau * tubes.tnn(data.filled(w)) + gamma * np.abs(w).sum(dtype=np.float64)
    return SimpleNamespace(w=data.tensor(data.filled(w)), primal=alpha / 2 * (residual @ residual) + penalty)


def algorithm2_plain(X, y, shape, tau, gamma, rho=1.0, iterations=500, alpha=1.0, mask=None):
    """The same written down as the paper has it, as most people would: three copies kept whole, NumPy's batched SVD on
    the half spectrum, the inverse of the small matrix once. X is samples x voxels, of a mask alone where there is one,
    in the order of volume[mask]; all is done in its precision."""
    inverse = np.linalg.inv((X @ X.T).astype(np.float64) + rho / alpha * np.eye(len(y))).astype(X.dtype)
    y = y.astype(X.dtype)
    kind, crop, inside, cropped = np.result_type(X.dtype, np.complex64), ..., slice(None), shape
    if mask is not None:
        crop = np.ix_(mask.any((1, 2)), mask.any((0, 2)))
        inside, cropped = np.flatnonzero(mask[crop]), mask[crop].shape
    w, p, q = np.zeros(X.shape[1], X.dtype), np.zeros(X.shape[1], X.dtype), np.zeros(np.prod(cropped), X.dtype)
    for _ in range(iterations):
        v = w - p
        a = v + X.T @ (inverse @ (y - X @ v))
        target = -q
        target[inside] += w
        hat = np.moveaxis(np.fft.rfft(target.reshape(cropped), axis=2), 2, 0).astype(kind)
        u, s, vh = np.linalg.svd(hat, full_matrices=False)
        hat = (u * np.maximum(s - tau / rho, 0)[:, None, :]) @ vh
        q += np.fft.irfft(np.moveaxis(hat, 0, 2), n=shape[2], axis=2).astype(X.dtype).ravel()  # B + Q
        total = (a + p + q[inside]) / 2
        w = np.sign(total) * np.maximum(np.abs(total) - gamma / (2 * rho), 0).astype(X.dtype)
        p += a - w
        q[inside] -= w
    out = np.zeros(cropped, X.dtype)
    out.ravel()[inside] = w
    whole = np.zeros(shape, X.dtype)
    whole[crop] = out
    return whole
