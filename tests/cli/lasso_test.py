# SPDX-License-Identifier: BSD-3-Clause
"""The lasso and elastic net path beside scikit-learn, and its proofs recomputed from the formulas."""
import json
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

try:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import ElasticNet
except ImportError:  # pragma: no cover
    ElasticNet = None

PROGRAM = os.environ.get("LASSO_PATH", "")


def solve(x, y, gammas, l2=0.0, weights=None, intercept=False, gap=1e-11, precision="f64"):
    """w and theta, a row for every gamma, and what the program says about each."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        kind = np.float64 if precision == "f64" else np.float32
        np.save(folder / "x.npy", np.asfortranarray(x.astype(kind)[:, :, None, None]))
        np.asarray(y, dtype=float).tofile(folder / "y.raw")
        np.asarray(gammas, dtype=float).tofile(folder / "gammas.raw")
        command = [PROGRAM, folder / "x.npy", folder / "y.raw", folder / "gammas.raw", folder / "out", "--l2", repr(l2),
                   "--gap", repr(gap), "--precision", precision]
        if weights is not None:
            np.asarray(weights, dtype=float).tofile(folder / "weights.raw")
            command += ["--weights", folder / "weights.raw"]
        if intercept:
            command.append("--intercept")
        subprocess.run([str(c) for c in command], check=True, timeout=120)
        points = json.loads((folder / "out/summary.json").read_text())["points"]
        w = np.fromfile(folder / "out/w.raw").reshape(len(gammas), -1)
        return w, np.fromfile(folder / "out/theta.raw").reshape(len(gammas), -1), points


def as_seen(x, y, weights, intercept):
    """Weights and centring done to the data, so that what is left is the plain problem."""
    s = np.ones(len(y)) if weights is None else weights
    if intercept:
        x = x - (s[:, None] * x).sum(0) / s.sum()
        y = y - (s * y).sum() / s.sum()
    return np.sqrt(s)[:, None] * x, np.sqrt(s) * y


def primal(x, y, w, gamma, l2):
    return 0.5 * np.sum((y - x @ w) ** 2) + l2 / 2 * w @ w + gamma * np.abs(w).sum()


def dual(x, y, theta, gamma, l2):
    """A lower bound from any theta: the best of its multiples."""
    z = np.abs(x.T @ theta)
    if l2 == 0:
        most = gamma / z.max() if z.max() > 0 else 1.0
        s = np.clip(y @ theta / max(theta @ theta, 1e-300), 0, most)
        return s * (y @ theta) - s * s * (theta @ theta) / 2
    values = [s * (y @ theta) - s * s * (theta @ theta) / 2 - np.sum(np.maximum(s * z - gamma, 0) ** 2) / (2 * l2)
              for s in (1, 1 - 1e-9, 1 - 1e-6, 1 - 1e-4)]
    return max(values)


def rivals_objective(x, y, gamma, l2):
    n = len(y)
    model = ElasticNet(alpha=(gamma + l2) / n, l1_ratio=gamma / (gamma + l2), fit_intercept=False, tol=1e-12,
                       max_iter=1_000_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(x, y)
    return primal(x, y, model.coef_, gamma, l2)


def problem(seed):
    """M < I and M > I, with and without weights (some 0), intercept and l2; smooth columns, so that neighbours agree."""
    rng = np.random.default_rng(seed)
    m, i = [(12, 60), (40, 300), (60, 25), (30, 31), (25, 120)][seed % 5]
    x = rng.standard_normal((m, i))
    if seed % 3 == 0:
        x = 0.5 * x + 0.5 * np.cumsum(x, axis=1) / 3
    x += rng.standard_normal(i) * (seed % 2)
    w = np.where(rng.random(i) < 0.1, rng.standard_normal(i), 0)
    y = x @ w + 0.5 * rng.standard_normal(m) + 2
    weights = None if seed % 4 < 2 else rng.choice([0, 0.5, 1, 2.5], m)
    l2 = 0.0 if seed % 5 in (0, 1, 2) else float(10 ** rng.uniform(-3, 2))
    return x, y, weights, seed % 7 < 4, l2


@unittest.skipUnless(PROGRAM, "LASSO_PATH does not name the program")
class Lasso(unittest.TestCase):
    @unittest.skipIf(ElasticNet is None, "scikit-learn is not installed (requirements-test.txt)")
    def test_fifty_problems_beside_scikit_learn(self):
        for seed in range(50):
            x, y, weights, intercept, l2 = problem(seed)
            seen, labels = as_seen(x, y, weights, intercept)
            gammas = np.abs(seen.T @ labels).max() * np.array([0.9, 0.3, 0.1, 0.02])
            w, theta, points = solve(x, y, gammas, l2, weights, intercept)
            for k, gamma in enumerate(gammas):
                with self.subTest(seed=seed, gamma=gamma, l2=l2):
                    ours = primal(seen, labels, w[k], gamma, l2)
                    theirs = rivals_objective(seen, labels, gamma, l2)
                    # Two sums of some hundred products in double differ by some 1e-14.
                    self.assertAlmostEqual(points[k]["objective"] / ours, 1, delta=1e-11)
                    self.assertLessEqual(ours, theirs * (1 + 1e-9))
                    self.assertLessEqual(points[k]["gap"], 1e-11)
                    bound = dual(seen, labels, theta[k], gamma, l2)
                    self.assertLessEqual(bound, ours * (1 + 1e-13))
                    # The gap that was asked for, and what rounding takes from a point that is feasible to 1e-13.
                    self.assertLessEqual(ours - bound, 2e-11 * ours)
                    self.assertLessEqual(points[k]["dual"], theirs * (1 + 1e-12))

    def test_single_precision_reaches_its_gap(self):
        for seed in range(0, 50, 7):
            x, y, weights, intercept, l2 = problem(seed)
            x = x.astype(np.float32).astype(float)
            seen, labels = as_seen(x, y, weights, intercept)
            gammas = np.abs(seen.T @ labels).max() * np.geomspace(0.99, 0.01, 12)
            w, theta, points = solve(x, y, gammas, l2, weights, intercept, gap=1e-6, precision="f32")
            for k, gamma in enumerate(gammas):
                with self.subTest(seed=seed, gamma=gamma, l2=l2):
                    ours = primal(seen, labels, w[k], gamma, l2)
                    self.assertLessEqual(points[k]["gap"], 1e-6)
                    self.assertLessEqual(ours - dual(seen, labels, theta[k], gamma, l2), 1.01e-6 * ours)


if __name__ == "__main__":
    unittest.main()
