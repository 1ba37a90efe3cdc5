# SPDX-License-Identifier: BSD-3-Clause
"""X is used in place where it lies in the solver's order, and copied once where it does not."""
import os
import subprocess
import sys

import pytest

CODE = """
import resource, sys
import numpy as np, sturm
order = sys.argv[1]
rng = np.random.default_rng(0)
X = np.empty((80, 80, 90, 70), dtype=np.float32, order=order)
for m in range(80):
    X[m] = rng.random((80, 90, 70), dtype=np.float32)
y = rng.normal(size=80)
small = np.asarray(X[:, :4, :4, :4], order=order).copy(order)
sturm.RidgeRegressor(0.5).fit(small, y)  # libraries, and what they hold for themselves
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
sturm.RidgeRegressor(0.5).fit(X, y)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before, X.nbytes)
"""


@pytest.mark.parametrize("order, designs", [("F", 0), ("C", 1)])
def test_no_more_is_taken_than_one_design(order, designs):
    done = subprocess.run([sys.executable, "-c", CODE, order], capture_output=True, text=True, env=os.environ, check=True)
    taken, size = map(int, done.stdout.split())
    volume = size / 80  # maps of the result have two numbers for each of a volume's
    assert taken <= designs * size + 0.05 * size + 14 * volume
