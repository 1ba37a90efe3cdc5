# SPDX-License-Identifier: BSD-3-Clause
"""Every estimator passes every check that scikit-learn has for estimators."""
import pytest
import sturm
from sklearn.utils.estimator_checks import parametrize_with_checks
from sturm import estimators

ALL = [getattr(estimators, name) for name in estimators.__all__]


@parametrize_with_checks([cls() for cls in ALL])
def test_scikit_learn(estimator, check):
    check(estimator)
