# SPDX-License-Identifier: BSD-3-Clause
"""What all estimators share: reading X and y, options of a fit, what a fit leaves behind, files."""
from __future__ import annotations

import numbers
import os
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import ParameterGrid, check_cv
from sklearn.utils import check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, validate_data

from . import _native
from ._telling import teller
from ._volumes import Layout

#: Names of scores in scikit-learn, and ours.
SCORES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced-accuracy",
    "roc_auc": "auc",
    "auc": "auc",
    "r2": "r2",
    "correlation": "correlation",
}


class SturmEstimator(BaseEstimator):
    """The base of all estimators. `_method` is the method's name, `_absolute` its parameters by their names here."""

    _method: ClassVar[str]
    #: Parameters of the method, by the attributes that hold them here. None there is: not given.
    _absolute: ClassVar[dict[str, str]] = {}
    _of_classes: ClassVar[bool] = False

    # ---------------------------------------------------------------- reading
    def _read(self, X: Any, y: Any = None, *, reset: bool) -> tuple[Any, Any]:
        """X as float32 or float64, of two or four axes and finite, and y of a fit."""
        if reset and y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if getattr(X, "ndim", 2) == 4:
            X = check_array(X, dtype=[np.float64, np.float32], allow_nd=True, estimator=self, input_name="X")
            if reset:
                self.n_features_in_ = int(np.prod(X.shape[1:]))
            elif X.shape[1:] != tuple(self.volume_shape_):
                raise ValueError(
                    f"X has volumes of {X.shape[1:]}, but {type(self).__name__} was fitted to {tuple(self.volume_shape_)}"
                )
            if y is not None:
                check_consistent_length(X, y)
        elif y is not None:
            X, y = validate_data(
                self, X, y, dtype=[np.float64, np.float32], reset=reset, y_numeric=not self._of_classes
            )
        else:
            X = validate_data(self, X, dtype=[np.float64, np.float32], reset=reset)
        if self.precision not in (None, "f32", "f64"):
            raise ValueError(f"precision is None, 'f32' or 'f64', not {self.precision!r}")
        if self.precision is not None:
            X = X.astype(np.float32 if self.precision == "f32" else np.float64, copy=False)
        return X, y

    def _labels(self, y: Any) -> tuple[list[float], list[str]]:
        """The targets as the solver takes them, and the names of classes."""
        y = np.asarray(y, dtype=np.float64).ravel()
        if not np.isfinite(y).all():
            raise ValueError("y holds what is not a finite number")
        return y.tolist(), []

    def _weights(self, X: Any, y: Any, sample_weight: Any) -> list[float]:
        if sample_weight is None:
            return []
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not (weights > 0).any():
            raise ValueError("every sample_weight is 0, so that there is nothing to learn from")
        return list(map(float, weights))

    # ---------------------------------------------------------------- options
    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))

    def _setting(self) -> dict[str, float]:
        given = {name: getattr(self, attribute) for name, attribute in self._absolute.items()}
        return {name: float(value) for name, value in given.items() if value is not None}

    def _keywords(self) -> dict[str, Any]:
        """The options of a fit as the native module takes them."""
        out: dict[str, Any] = {
            "method": self._method,
            "gap": float(self.gap),
            "iterations": int(self.max_iter or 0),
            "intercept": bool(self.fit_intercept),
            "normalize": str(self.normalize),
            "device": self.device,
            "threads": self._threads(),
            "seed": self._seed(),
        }
        if not 0 < out["gap"] < 1:
            raise ValueError(f"gap is a number between 0 and 1, not {self.gap}")
        if hasattr(self, "loss_weight"):
            out["alpha"] = 0.0 if self.loss_weight == "auto" else float(self.loss_weight)
        if getattr(self, "probability", False):
            out["probabilities"] = True
        return out

    def _seed(self) -> int:
        state = self.random_state
        if state is None:
            return 0
        if isinstance(state, numbers.Integral) and int(state) >= 0:
            return int(state)
        if hasattr(state, "randint"):
            return int(state.randint(np.iinfo(np.int32).max))
        raise ValueError(f"random_state is None, a number from 0 or a RandomState, not {state!r}")

    # ---------------------------------------------------------------- what a fit leaves
    def _keep(self, found: dict[str, Any], layout: Layout, of_volumes: bool) -> None:
        model: _native.Model = found["model"]
        self._hold(model)
        self.volume_shape_ = tuple(layout.shape)
        self.mask_ = layout.mask
        report = found["report"]
        self.n_iter_ = max(1, int(report["iterations"]))
        self.dual_gap_ = float(report["relative_gap"])
        self.objective_ = float(report["objective"])
        self.sparsity_ = float(report["sparsity_in_mask"])
        self.tubal_rank_ = int(report["tubal_rank"]) if report["tubal_rank"] >= 0 else None
        self.parameters_ = dict(found["parameters"])
        self.fit_status_ = str(report["status"])
        self._say_unless_converged()
        maps = model.coefficients
        if maps is not None:
            self.coef_ = self._in_rows(layout.features(np.asarray(maps), of_volumes))
            self.intercept_ = self._per_row(np.asarray(model.intercepts))
            patterns = found["patterns"]
            if patterns is not None:
                self.pattern_ = self._in_rows(layout.features(np.asarray(patterns), of_volumes))

    def _say_unless_converged(self) -> None:
        if self.fit_status_ != "iteration_limit":
            return
        import warnings

        from sklearn.exceptions import ConvergenceWarning

        warnings.warn(
            f"{type(self).__name__} stopped at its limit of iterations with a relative gap of {self.dual_gap_:.1e}, "
            f"above gap={self.gap:g}; raise max_iter, or accept a larger gap.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _in_rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        return rows

    def _per_row(self, values: NDArray[Any]) -> Any:
        return values

    def _hold(self, model: _native.Model) -> None:
        self._model_bytes = model.to_bytes()
        self._model_here: _native.Model | None = model

    def _model(self) -> _native.Model:
        if getattr(self, "_model_here", None) is None:
            self._model_here = _native.Model.from_bytes(self._model_bytes)
        return self._model_here

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("_model_here", None)
        return state

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> "SturmEstimator":
        X, y = self._read(X, y, reset=True)
        layout = Layout(X.shape[1:], self.mask, self.volume_shape)
        labels, classes = self._labels(y)
        weights = self._weights(X, y, sample_weight)
        keywords = self._keywords() | {"setting": self._setting()}
        for name in ("strength", "balance"):
            if hasattr(self, name):
                keywords[name] = float(getattr(self, name))
        found = _native.fit(layout.volumes(X), labels, classes, weights, [], None, keywords, teller(self.verbose))
        self._keep(found, layout, X.ndim == 4)
        return self

    def _decisions(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        X, _ = self._read(X, reset=False)
        layout = Layout(X.shape[1:], self.mask_, self.volume_shape_)
        confounds = getattr(self, "_bound_confounds", None)
        return np.asarray(self._model().decisions(layout.volumes(X), confounds, self._threads()))

    # ---------------------------------------------------------------- files
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as the program does: ``model.safetensors``, which ``sturm predict`` and any other language
        read, and which holds no code.

        Parameters
        ----------
        path : str or path
            The file; one that is there is replaced.
        """
        check_is_fitted(self)
        self._model().save(os.fspath(path))

    @property
    def coef_volume_(self) -> NDArray[np.float64]:
        """Coefficients on the whole box: ``volume_shape_``, or one such volume per class."""
        check_is_fitted(self)
        maps = self._model().coefficients
        if maps is None:
            raise AttributeError(f"{type(self).__name__} compares volumes with others and has no map")
        maps = np.asarray(maps)
        return maps[0] if maps.shape[0] == 1 else maps


class SturmRegressorMixin(RegressorMixin):
    """Predictions of a regression."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the targets of samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes, as in ``fit``.

        Returns
        -------
        y : array of shape (n_samples,)
        """
        return self._decisions(X)[:, 0]

    def _in_rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        return rows[0]

    def _per_row(self, values: NDArray[Any]) -> Any:
        return float(values[0])


def _has_probabilities(self: Any) -> bool:
    if not self.probability:
        raise AttributeError("probabilities are learnt with probability=True alone")
    return True


class SturmClassifierMixin(ClassifierMixin):
    """Labels, decision values and probabilities of classes; several are told from the rest one by one."""

    _of_classes = True

    def _labels(self, y: Any) -> tuple[list[float], list[str]]:
        check_classification_targets(y)
        self.classes_, positions = np.unique(np.asarray(y).ravel(), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has 1 class alone, {self.classes_[0]!r}: there is nothing to tell apart")
        names = [str(c) for c in self.classes_]
        if len(names) == 2:
            return np.where(positions == 1, 1.0, -1.0).tolist(), names
        return positions.astype(np.float64).tolist(), names

    def _weights(self, X: Any, y: Any, sample_weight: Any) -> list[float]:
        weights = super()._weights(X, y, sample_weight)
        if weights and len(np.unique(np.asarray(y).ravel()[np.asarray(weights) > 0])) < 2:
            raise ValueError("of the samples with a weight above 0 all are of one class: there is nothing to tell apart")
        if self.class_weight is None:
            return weights
        own = np.asarray(weights) if weights else np.ones(X.shape[0])
        y = np.asarray(y).ravel()
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(f"class_weight is None, 'balanced' or a dict, not {self.class_weight!r}")
            sums = {c: own[y == c].sum() for c in self.classes_}
            present = [c for c in self.classes_ if sums[c] > 0]
            of_class = {c: own.sum() / (len(present) * sums[c]) for c in present}
        else:
            of_class = dict(self.class_weight)
        factor = np.array([of_class.get(c, 1.0) for c in y.tolist()], dtype=np.float64)
        return (own * factor).tolist()

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Decision values: above 0 for ``classes_[1]``; one per class where there are several.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes, as in ``fit``.

        Returns
        -------
        decision : array of shape (n_samples,) or (n_samples, n_classes)
        """
        decision = self._decisions(X)
        return decision[:, 0] if len(self.classes_) == 2 else decision

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the classes of samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes, as in ``fit``.

        Returns
        -------
        y : array of shape (n_samples,)
        """
        decision = self.decision_function(X)
        if decision.ndim == 1:
            return self.classes_[(decision > 0).astype(int)]
        return self.classes_[decision.argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, learnt from samples that were left out (Platt 1999).

        Parameters
        ----------
        X : array of shape (n_samples, n_features) or (n_samples, I1, I2, I3)
            Volumes, as in ``fit``.

        Returns
        -------
        p : array of shape (n_samples, n_classes)
        """
        decision = self._decisions(X)
        pairs = self._model().sigmoids
        p = np.column_stack(
            [_sigmoid(slope * decision[:, c] + offset) for c, (slope, offset) in enumerate(pairs)]
        )
        if len(self.classes_) == 2:
            return np.column_stack([1 - p[:, 0], p[:, 0]])
        total = p.sum(axis=1, keepdims=True)
        return np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1])


def _sigmoid(t: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(t)), without overflow."""
    out = np.exp(-np.abs(t))
    return np.where(t > 0, out / (1 + out), 1 / (1 + out))


class ChoosingMixin:
    """The setting is chosen by cross-validation: all settings in all folds are one batch of fits."""

    def _choose(self, X: Any, y: Any, sample_weight: Any, groups: Any, confounds: Any = None) -> "ChoosingMixin":
        X, y = self._read(X, y, reset=True)
        layout = Layout(X.shape[1:], self.mask, self.volume_shape)
        labels, classes = self._labels(y)
        weights = self._weights(X, y, sample_weight)
        cv = check_cv(self.cv, y, classifier=self._of_classes)
        splits = [(list(map(int, a)), list(map(int, b))) for a, b in cv.split(np.zeros(len(labels)), y, groups)]
        keywords = self._keywords() | {"choose": True, "one_standard_error": bool(self.one_standard_error)}
        scoring = self.scoring
        if scoring is not None:
            if scoring not in SCORES:
                raise ValueError(f"scoring is one of {', '.join(SCORES)}, not {scoring!r}")
            keywords["score"] = SCORES[scoring]
        if self.param_grid is None or isinstance(self.param_grid, str):
            keywords["grid"] = self.param_grid or "path"
            settings: list[dict[str, float]] = []
        else:
            settings = self._settings()
        names = [str(g) for g in np.asarray(groups).ravel()] if groups is not None else []
        found = _native.choose(
            layout.volumes(X),
            labels,
            classes,
            weights,
            names,
            confounds,
            keywords,
            settings,
            splits,
            teller(self.verbose),
        )
        self._keep(found, layout, X.ndim == 4)
        self._keep_choice(found, settings, len(splits))
        return self

    def _settings(self) -> list[dict[str, float]]:
        """The settings of param_grid, the largest penalties first, so that of equal scores the sparser one wins."""
        names = {attribute: name for name, attribute in self._absolute.items()} | {
            name: name for name in ("strength", "balance")
        }
        out = []
        for point in ParameterGrid(self.param_grid):
            unknown = sorted(set(point) - set(names))
            if unknown:
                raise ValueError(f"{unknown[0]} in param_grid is none of {', '.join(sorted(names))}")
            out.append({names[key]: float(value) for key, value in point.items()})
        return sorted(out, key=lambda s: [-s.get(k, 0.0) for k in ("strength", "tau", "gamma", "l2")])

    def _keep_choice(self, found: dict[str, Any], settings: list[dict[str, float]], folds: int) -> None:
        attribute_of = {name: attribute for name, attribute in self._absolute.items()}
        params = []
        for i, (values, *_) in enumerate(found["grid"]):
            own = settings[i] if settings else values
            params.append({attribute_of.get(name, name): value for name, value in own.items()})
        scores = np.array([point[1] for point in found["grid"]], dtype=np.float64).reshape(len(params), folds)
        with np.errstate(all="ignore"):
            mean = np.nanmean(scores, axis=1) if scores.size else np.array([])
            spread = np.nanstd(scores, axis=1) if scores.size else np.array([])
        rank = np.ones(len(params), dtype=np.int32)
        if len(params) > 1:
            rank = (np.argsort(np.argsort(-np.nan_to_num(mean, nan=-np.inf), kind="stable"), kind="stable") + 1).astype(
                np.int32
            )
        self.cv_results_: dict[str, Any] = {"params": params, "mean_test_score": mean, "std_test_score": spread}
        self.cv_results_["rank_test_score"] = rank
        for fold in range(folds):
            self.cv_results_[f"split{fold}_test_score"] = scores[:, fold]
        self.cv_results_["worst_gap"] = np.array(
            [max((g for g in point[2] if np.isfinite(g)), default=0.0) for point in found["grid"]]
        )
        self.cv_results_["mean_sparsity"] = np.array([point[4] for point in found["grid"]])
        self.best_index_ = int(found["best"])
        self.best_params_ = params[self.best_index_]
        self.best_score_ = float(found["best_score"])
        self.n_splits_ = folds
        self.path_ = [dict(values) for values, *_ in found["grid"]]
