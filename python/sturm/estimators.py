# SPDX-License-Identifier: BSD-3-Clause
"""Estimators on arrays: one class per method and kind of target, and the same with a setting that is chosen. What they
do stands in _base.py; here stand their parameters."""
from __future__ import annotations

from typing import Any

from ._base import ChoosingMixin, SturmClassifierMixin, SturmEstimator, SturmRegressorMixin
from ._parameters import parameters


class _Given(SturmEstimator):
    """With a setting that is given."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes. Fortran order of four axes is used in place, any other is copied once.
        y : array of shape (n_samples,)
            Targets.
        sample_weight : array of shape (n_samples,), optional
            Weights from 0.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, sample_weight)


class _Chosen(ChoosingMixin, SturmEstimator):
    """With a setting that is chosen by cross-validation."""

    def _setting(self) -> dict[str, float]:
        return {}

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Any:
        """Choose a setting in folds of the samples, and fit the model to all of them.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes. Fortran order of four axes is used in place, any other is copied once.
        y : array of shape (n_samples,)
            Targets.
        sample_weight : array of shape (n_samples,), optional
            Weights from 0, in training; scores count all samples alike.
        groups : array of shape (n_samples,), optional
            Samples of a group stay together, where ``cv`` is a splitter of groups.

        Returns
        -------
        self : object
        """
        return self._choose(X, y, sample_weight, groups)


class _Selecting(_Given):
    _absolute = {"tau": "tau", "gamma": "gamma", "l2": "l2", "eta": "percent", "C": "C"}

    @property
    def _method(self) -> str:  # type: ignore[override]
        if self.selector not in ("sturm", "remurs", "lasso", "enet"):
            raise ValueError(f"selector is one of sturm, remurs, lasso, enet, not {self.selector!r}")
        return f"{self.selector}+svm"

    def _setting(self) -> dict[str, float]:
        given = super()._setting()
        for name in {"sturm": ("l2",), "remurs": ("l2",), "lasso": ("tau", "l2"), "enet": ("tau",)}[self.selector]:
            given.pop(name, None)
        if self.selector == "enet":
            given.setdefault("l2", 1.0)
        return given


@parameters(strength=0.1, balance=0.5, tau=None, gamma=None, loss_weight=1.0)
class SturmClassifier(SturmClassifierMixin, _Given):
    """Sparse map of low tubal rank: least squares with an l1 norm and the tubal nuclear norm of the t-SVD."""

    _method = "sturm"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class SturmClassifierCV(SturmClassifierMixin, _Chosen):
    """Sparse map of low tubal rank: least squares with an l1 norm and the tubal nuclear norm of the t-SVD.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "sturm"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(strength=0.1, balance=0.5, tau=None, gamma=None, loss_weight=1.0)
class SturmRegressor(SturmRegressorMixin, _Given):
    """Sparse map of low tubal rank: least squares with an l1 norm and the tubal nuclear norm of the t-SVD."""

    _method = "sturm"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class SturmRegressorCV(SturmRegressorMixin, _Chosen):
    """Sparse map of low tubal rank: least squares with an l1 norm and the tubal nuclear norm of the t-SVD.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "sturm"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(strength=0.1, balance=0.5, tau=None, gamma=None, loss_weight=1.0)
class RemursClassifier(SturmClassifierMixin, _Given):
    """Sparse map of low multilinear rank: least squares with an l1 norm and the nuclear norms of all unfoldings."""

    _method = "remurs"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class RemursClassifierCV(SturmClassifierMixin, _Chosen):
    """Sparse map of low multilinear rank: least squares with an l1 norm and the nuclear norms of all unfoldings.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "remurs"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(strength=0.1, balance=0.5, tau=None, gamma=None, loss_weight=1.0)
class RemursRegressor(SturmRegressorMixin, _Given):
    """Sparse map of low multilinear rank: least squares with an l1 norm and the nuclear norms of all unfoldings."""

    _method = "remurs"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class RemursRegressorCV(SturmRegressorMixin, _Chosen):
    """Sparse map of low multilinear rank: least squares with an l1 norm and the nuclear norms of all unfoldings.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "remurs"
    _absolute = {"tau": "tau", "gamma": "gamma"}


@parameters(strength=0.1, gamma=None, loss_weight=1.0)
class LassoClassifier(SturmClassifierMixin, _Given):
    """Sparse map: least squares with an l1 norm."""

    _method = "lasso"
    _absolute = {"gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class LassoClassifierCV(SturmClassifierMixin, _Chosen):
    """Sparse map: least squares with an l1 norm.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "lasso"
    _absolute = {"gamma": "gamma"}


@parameters(strength=0.1, gamma=None, loss_weight=1.0)
class LassoRegressor(SturmRegressorMixin, _Given):
    """Sparse map: least squares with an l1 norm."""

    _method = "lasso"
    _absolute = {"gamma": "gamma"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class LassoRegressorCV(SturmRegressorMixin, _Chosen):
    """Sparse map: least squares with an l1 norm.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "lasso"
    _absolute = {"gamma": "gamma"}


@parameters(strength=0.1, l2=1.0, gamma=None, loss_weight=1.0)
class ElasticNetClassifier(SturmClassifierMixin, _Given):
    """Sparse map: least squares with an l1 norm and half the squared norm, ``l2`` times."""

    _method = "enet"
    _absolute = {"gamma": "gamma", "l2": "l2"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class ElasticNetClassifierCV(SturmClassifierMixin, _Chosen):
    """Sparse map: least squares with an l1 norm and half the squared norm, ``l2`` times.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "enet"
    _absolute = {"gamma": "gamma", "l2": "l2"}


@parameters(strength=0.1, l2=1.0, gamma=None, loss_weight=1.0)
class ElasticNetRegressor(SturmRegressorMixin, _Given):
    """Sparse map: least squares with an l1 norm and half the squared norm, ``l2`` times."""

    _method = "enet"
    _absolute = {"gamma": "gamma", "l2": "l2"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class ElasticNetRegressorCV(SturmRegressorMixin, _Chosen):
    """Sparse map: least squares with an l1 norm and half the squared norm, ``l2`` times.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "enet"
    _absolute = {"gamma": "gamma", "l2": "l2"}


@parameters(strength=0.1, l2=None, loss_weight=1.0)
class RidgeClassifier(SturmClassifierMixin, _Given):
    """Dense map: least squares with half the squared norm."""

    _method = "ridge"
    _absolute = {"l2": "l2"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class RidgeClassifierCV(SturmClassifierMixin, _Chosen):
    """Dense map: least squares with half the squared norm.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "ridge"
    _absolute = {"l2": "l2"}


@parameters(strength=0.1, l2=None, loss_weight=1.0)
class RidgeRegressor(SturmRegressorMixin, _Given):
    """Dense map: least squares with half the squared norm."""

    _method = "ridge"
    _absolute = {"l2": "l2"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False, loss_weight=1.0)
class RidgeRegressorCV(SturmRegressorMixin, _Chosen):
    """Dense map: least squares with half the squared norm.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "ridge"
    _absolute = {"l2": "l2"}


@parameters(C=1.0)
class SVMClassifier(SturmClassifierMixin, _Given):
    """Linear support vector machine, learnt from the Gram matrix."""

    _method = "svm"
    _absolute = {"C": "C"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class SVMClassifierCV(SturmClassifierMixin, _Chosen):
    """Linear support vector machine, learnt from the Gram matrix.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "svm"
    _absolute = {"C": "C"}


@parameters(C=1.0)
class SVMRegressor(SturmRegressorMixin, _Given):
    """Linear support vector machine, learnt from the Gram matrix."""

    _method = "svm"
    _absolute = {"C": "C"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class SVMRegressorCV(SturmRegressorMixin, _Chosen):
    """Linear support vector machine, learnt from the Gram matrix.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "svm"
    _absolute = {"C": "C"}


@parameters(C=1.0, width=1.0)
class RbfSVMClassifier(SturmClassifierMixin, _Given):
    """Support vector machine with a Gaussian kernel."""

    _method = "svm-rbf"
    _absolute = {"C": "C", "width": "width"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class RbfSVMClassifierCV(SturmClassifierMixin, _Chosen):
    """Support vector machine with a Gaussian kernel.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "svm-rbf"
    _absolute = {"C": "C", "width": "width"}


@parameters(C=1.0, width=1.0)
class RbfSVMRegressor(SturmRegressorMixin, _Given):
    """Support vector machine with a Gaussian kernel."""

    _method = "svm-rbf"
    _absolute = {"C": "C", "width": "width"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class RbfSVMRegressorCV(SturmRegressorMixin, _Chosen):
    """Support vector machine with a Gaussian kernel.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "svm-rbf"
    _absolute = {"C": "C", "width": "width"}


@parameters(rank=2, sigma=1.0, C=1.0)
class MMKClassifier(SturmClassifierMixin, _Given):
    """Support vector machine with a multi-way multi-level kernel."""

    _method = "mmk"
    _absolute = {"rank": "rank", "sigma": "sigma", "C": "C"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class MMKClassifierCV(SturmClassifierMixin, _Chosen):
    """Support vector machine with a multi-way multi-level kernel.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "mmk"
    _absolute = {"rank": "rank", "sigma": "sigma", "C": "C"}


@parameters(rank=2, sigma=1.0, C=1.0)
class MMKRegressor(SturmRegressorMixin, _Given):
    """Support vector machine with a multi-way multi-level kernel."""

    _method = "mmk"
    _absolute = {"rank": "rank", "sigma": "sigma", "C": "C"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class MMKRegressorCV(SturmRegressorMixin, _Chosen):
    """Support vector machine with a multi-way multi-level kernel.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # rows of numbers are no volumes: their decompositions say little
        return tags

    _method = "mmk"
    _absolute = {"rank": "rank", "sigma": "sigma", "C": "C"}


@parameters(rank=4, epsilon=0.1, path_end=0.1)
class SURFClassifier(SturmClassifierMixin, _Given):
    """Sparse map of low CP rank by stagewise boosting."""

    _method = "surf"
    _absolute = {"rank": "rank", "epsilon": "epsilon", "lambda": "path_end"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class SURFClassifierCV(SturmClassifierMixin, _Chosen):
    """Sparse map of low CP rank by stagewise boosting.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "surf"
    _absolute = {"rank": "rank", "epsilon": "epsilon", "lambda": "path_end"}


@parameters(rank=4, epsilon=0.1, path_end=0.1)
class SURFRegressor(SturmRegressorMixin, _Given):
    """Sparse map of low CP rank by stagewise boosting."""

    _method = "surf"
    _absolute = {"rank": "rank", "epsilon": "epsilon", "lambda": "path_end"}


@parameters(param_grid=None, cv=None, scoring=None, one_standard_error=False)
class SURFRegressorCV(SturmRegressorMixin, _Chosen):
    """Sparse map of low CP rank by stagewise boosting.

    The setting is chosen by cross-validation: all settings in all folds are one batch of fits.
    """

    _method = "surf"
    _absolute = {"rank": "rank", "epsilon": "epsilon", "lambda": "path_end"}


@parameters(
    selector="sturm", strength=0.1, balance=0.5, tau=None, gamma=None, l2=None, percent=100.0, C=1.0, loss_weight=1.0
)
class SelectThenSVMClassifier(SturmClassifierMixin, _Selecting):
    """Support vector machine on the voxels that a sparse method selects."""


@parameters(
    selector="sturm", strength=0.1, balance=0.5, tau=None, gamma=None, l2=None, percent=100.0, C=1.0, loss_weight=1.0
)
class SelectThenSVMRegressor(SturmRegressorMixin, _Selecting):
    """Support vector machine on the voxels that a sparse method selects."""


__all__ = [
    "SturmClassifier",
    "SturmClassifierCV",
    "SturmRegressor",
    "SturmRegressorCV",
    "RemursClassifier",
    "RemursClassifierCV",
    "RemursRegressor",
    "RemursRegressorCV",
    "LassoClassifier",
    "LassoClassifierCV",
    "LassoRegressor",
    "LassoRegressorCV",
    "ElasticNetClassifier",
    "ElasticNetClassifierCV",
    "ElasticNetRegressor",
    "ElasticNetRegressorCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "RidgeRegressor",
    "RidgeRegressorCV",
    "SVMClassifier",
    "SVMClassifierCV",
    "SVMRegressor",
    "SVMRegressorCV",
    "RbfSVMClassifier",
    "RbfSVMClassifierCV",
    "RbfSVMRegressor",
    "RbfSVMRegressorCV",
    "MMKClassifier",
    "MMKClassifierCV",
    "MMKRegressor",
    "MMKRegressorCV",
    "SURFClassifier",
    "SURFClassifierCV",
    "SURFRegressor",
    "SURFRegressorCV",
    "SelectThenSVMClassifier",
    "SelectThenSVMRegressor",
]
