# SPDX-License-Identifier: BSD-3-Clause
"""A made-up study for the benchmarks: smooth volumes, z-scored voxel by voxel, and labels from a planted map."""
import time

import numpy as np
from scipy.ndimage import gaussian_filter


def study(shape, samples, sigma=1.5, seed=0):
    """Volumes (samples first, float32, Fortran order) and labels -1 and +1, half of whose score is noise."""
    rng = np.random.default_rng(seed)
    x = np.empty((samples, *shape), np.float32)
    for m in range(samples):
        x[m] = gaussian_filter(rng.standard_normal(shape), sigma)
    x /= x.std(0)
    x -= x.mean(0)
    truth = np.zeros(shape)
    for _ in range(5):
        corner = [rng.integers(0, extent - 4) for extent in shape]
        truth[tuple(slice(c, c + 4) for c in corner)] = rng.choice([-1, 1])
    score = (x * truth).sum((1, 2, 3))
    y = np.where(score + score.std() * rng.standard_normal(samples) > 0, 1.0, -1.0)
    return np.asfortranarray(x), y


def timed(call, repeats=1):
    """Best wall time, best processor time, and what the last call returned."""
    wall = cpu = np.inf
    for _ in range(repeats):
        start, cpu_start = time.perf_counter(), time.process_time()
        result = call()
        wall, cpu = min(wall, time.perf_counter() - start), min(cpu, time.process_time() - cpu_start)
    return wall, cpu, result
