# SPDX-License-Identifier: BSD-3-Clause
"""Sparse, low-tubal-rank regression for whole-brain volumes."""
from sturm import _native

__all__ = ["__version__"]
__version__ = _native.version()
