# SPDX-License-Identifier: BSD-3-Clause
"""Sparse maps of low tubal rank from whole-brain volumes with few samples, with a proof of convergence.

Estimators follow scikit-learn, decoders of images nilearn; :func:`nested_cross_validate` is the whole experiment.
"""
from typing import TYPE_CHECKING

from ._native import __version__
from .algebra import prox_tnn, tnn, tproduct, tsvd, ttranspose, tubal_rank
from .estimators import *  # noqa: F403
from .estimators import __all__ as _estimators
from .models import load_model
from .studies import Report, StudyResult, fit_study, nested_cross_validate, permutation_test, phantom, verify

if TYPE_CHECKING:
    from .images import SturmDecoder as SturmDecoder, SturmDecoderRegressor as SturmDecoderRegressor

__all__ = [
    *_estimators,
    "Report",
    "StudyResult",
    "__version__",
    "fit_study",
    "load_model",
    "nested_cross_validate",
    "permutation_test",
    "phantom",
    "prox_tnn",
    "tnn",
    "tproduct",
    "tsvd",
    "ttranspose",
    "tubal_rank",
    "verify",
]


def __getattr__(name: str) -> object:
    """Decoders need nibabel and nilearn, which are loaded with them."""
    if name in ("SturmDecoder", "SturmDecoderRegressor"):
        from . import images

        return getattr(images, name)
    raise AttributeError(f"module 'sturm' has no attribute {name!r}")
