# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess

import numpy as np
import pytest


@pytest.fixture(scope="session")
def program():
    """The program of the same build; STURM names it."""
    path = os.environ.get("STURM")
    if not path or not shutil.which(path):
        pytest.skip("STURM does not name the program")

    def run(*arguments, **more):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False, **more)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def volumes():
    """Samples of which a box of voxels tells the class; Fortran order, single precision."""
    rng = np.random.default_rng(5)
    X = np.asfortranarray(rng.normal(size=(36, 7, 9, 6)).astype(np.float32))
    signal = X[:, 2:4, 3:6, 1:4].sum(axis=(1, 2, 3))
    return X, signal + rng.normal(size=36)
