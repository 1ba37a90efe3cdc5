# SPDX-License-Identifier: BSD-3-Clause
"""Models that were saved by the program or by an estimator."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _native, estimators
from ._base import SturmEstimator

_CLASSES = {
    "sturm": "Sturm",
    "remurs": "Remurs",
    "lasso": "Lasso",
    "enet": "ElasticNet",
    "ridge": "Ridge",
    "svm": "SVM",
    "svm-rbf": "RbfSVM",
    "mmk": "MMK",
    "surf": "SURF",
}


def load_model(path: str | os.PathLike[str]) -> Any:
    """Read ``model.safetensors``, of the program or of ``save``.

    Parameters
    ----------
    path : str or path
        The file, or a folder that holds one.

    Returns
    -------
    estimator : object
        A fitted estimator; its classes are the words of the file, and its X are volumes of ``volume_shape_``.
    """
    model = _native.Model.load(os.fspath(path))
    kind = "Classifier" if model.classes else "Regressor"
    if model.method.endswith("+svm"):
        estimator: SturmEstimator = getattr(estimators, f"SelectThenSVM{kind}")(selector=model.method[:-4])
    elif model.method in _CLASSES:
        estimator = getattr(estimators, _CLASSES[model.method] + kind)()
    else:
        raise ValueError(f"{os.fspath(path)}: there is no estimator for the method {model.method!r}")
    estimator._hold(model)
    shape = tuple(model.shape)
    estimator.volume_shape_ = shape
    estimator.n_features_in_ = int(np.prod(shape))
    estimator.mask_ = None
    if model.classes:
        estimator.classes_ = np.array(model.classes)
        if model.sigmoids is not None:
            estimator.probability = True
    maps = model.coefficients
    if maps is not None:
        rows = np.asarray(maps).reshape(len(maps), -1)
        estimator.coef_ = estimator._in_rows(rows)
        estimator.intercept_ = estimator._per_row(np.asarray(model.intercepts))
    return estimator
