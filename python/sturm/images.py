# SPDX-License-Identifier: BSD-3-Clause
"""Decoders of brain images, in nilearn's manner: a NiftiMasker reads, and the solver of the program decodes."""
from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from nilearn.maskers import NiftiMasker
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import estimators
from ._base import SCORES, SturmClassifierMixin, SturmRegressorMixin, _has_probabilities
from ._parameters import document
from .models import _CLASSES
from .studies import Report, nested_cross_validate


class _Decoder(BaseEstimator):
    """What both decoders share. Whatever is learnt (setting, scaling, confounds) is learnt in the training set of each
    fold; the model that predicts is learnt from all samples."""

    _classify: bool

    def __init__(
        self,
        method: str = "sturm",
        *,
        mask: Any = None,
        smoothing_fwhm: float | None = None,
        standardize: bool = False,
        target_affine: Any = None,
        target_shape: Any = None,
        mask_strategy: str = "background",
        cv: Any = 10,
        inner_cv: Any = 5,
        param_grid: Any = None,
        scoring: str | None = None,
        probability: bool = False,
        class_weight: Any = None,
        gap: float = 1e-3,
        estimator_args: Any = None,
        memory: Any = None,
        memory_level: int = 0,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.method = method
        self.mask = mask
        self.smoothing_fwhm = smoothing_fwhm
        self.standardize = standardize
        self.target_affine = target_affine
        self.target_shape = target_shape
        self.mask_strategy = mask_strategy
        self.cv = cv
        self.inner_cv = inner_cv
        self.param_grid = param_grid
        self.scoring = scoring
        self.probability = probability
        self.class_weight = class_weight
        self.gap = gap
        self.estimator_args = estimator_args
        self.memory = memory
        self.memory_level = memory_level
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        try:  # nilearn's own tags, by which its checks know what an estimator reads
            from nilearn._utils.tags import InputTags
        except ImportError:
            return tags
        tags.input_tags = InputTags(niimg_like=True)
        return tags

    # ---------------------------------------------------------------- images
    def _masker(self, imgs: Any) -> NiftiMasker:
        if isinstance(self.mask, NiftiMasker):
            masker = clone(self.mask)
            if getattr(self.mask, "mask_img_", None) is not None and masker.mask_img is None:
                masker.mask_img = self.mask.mask_img_
            masker.set_params(standardize=None)  # each call would be scaled by itself
        else:
            masker = NiftiMasker(
                mask_img=self.mask,
                smoothing_fwhm=self.smoothing_fwhm,
                standardize=None,
                target_affine=self.target_affine,
                target_shape=self.target_shape,
                mask_strategy=self.mask_strategy,
                memory=self.memory,
                memory_level=self.memory_level,
                verbose=max(0, int(self.verbose) - 1),
            )
        return masker.fit(imgs if masker.mask_img is None else None)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def _values(self, imgs: Any) -> NDArray[np.float32]:
        """The voxels of images; an array of two axes has them already, as a masker gives them."""
        if isinstance(imgs, np.ndarray):
            if imgs.ndim != 2 or imgs.shape[1] != self.n_elements_:
                raise ValueError(
                    f"X has {imgs.shape[-1]} features per sample; expecting {self.n_elements_}, one per voxel of the mask"
                )
            values = imgs
        else:
            values = np.asarray(self.masker_.transform(imgs))
        values = values[None, :] if values.ndim == 1 else values
        if not np.isfinite(values).all():
            raise ValueError("imgs hold voxels inside the mask that are not finite")
        return values.astype(np.float32, copy=False)

    def _estimator(self) -> Any:
        name = "SelectThenSVM" if self.method.endswith("+svm") else _CLASSES.get(self.method)
        if name is None:
            raise ValueError(f"method is one of {', '.join(_CLASSES)} or X+svm, not {self.method!r}")
        kind = "Classifier" if self._classify else "Regressor"
        own: dict[str, Any] = {
            "gap": self.gap,
            "normalize": self._normalize(),
            "mask": np.asarray(self.mask_img_.dataobj) != 0,
            "n_jobs": self.n_jobs,
            "random_state": self.random_state,
            "verbose": max(0, int(self.verbose) - 2),
        }
        if self._classify:
            own |= {"class_weight": self.class_weight, "probability": self.probability}
        own |= {"cv": self.inner_cv, "scoring": self.scoring, "param_grid": self.param_grid}
        return getattr(estimators, f"{name}{kind}CV")(**(own | (self.estimator_args or {})))

    def _normalize(self) -> str:
        if self.standardize in (None, False):
            return "none"
        if self.standardize in (True, "zscore_sample"):
            return "voxel"
        raise ValueError(f"standardize is a bool, None or 'zscore_sample', not {self.standardize!r}")

    def _say(self, level: int, words: str) -> None:
        if int(self.verbose) >= level:
            print(f"[{type(self).__name__}.fit] {words}")

    def _image(self, values: NDArray[Any]) -> Any:
        return self.masker_.inverse_transform(np.asarray(values, dtype=np.float64))

    # ---------------------------------------------------------------- fit
    def fit(self, imgs: Any, y: Any, groups: Any = None, confounds: Any = None, sample_weight: Any = None) -> Any:
        """Fit the decoder: scores of an outer cross-validation, and a model of all images.

        Parameters
        ----------
        imgs : images
            One volume per sample: paths, a glob, a 4-D image, a list of images.
        y : array of shape (n_samples,)
            Labels of a classification, numbers of a regression.
        groups : array of shape (n_samples,), optional
            Samples of a group stay together, in outer and inner folds.
        confounds : array of shape (n_samples, n_confounds), optional
            Regressed out of every voxel, learnt inside each training set.
        sample_weight : array of shape (n_samples,), optional
            Weights in training; scores count all samples alike.

        Returns
        -------
        self : object
        """
        self.masker_ = self._masker(imgs)
        self.mask_img_ = self.masker_.mask_img_
        self.n_elements_ = int((np.asarray(self.mask_img_.dataobj) != 0).sum())
        X = self._values(imgs)
        y = np.asarray(y).ravel()
        check_consistent_length(X, y)
        self._say(1, f"{len(X)} images, {self.n_elements_} voxels in the mask")
        groups = None if groups is None else np.asarray(groups).ravel()
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64).ravel()
        C = _confounds(confounds, len(X))
        scorer = get_scorer(self.scoring or ("accuracy" if self._classify else "r2"))
        self.scorer_ = scorer
        self.cv_ = []
        if not (isinstance(self.cv, (int, np.integer)) and self.cv == 0):
            outer = check_cv(_with_groups(self.cv, groups, self._classify), y, classifier=self._classify)
            self.cv_ = list(outer.split(X, y, groups))
        maps, scores, params = [], [], []
        for number, (train, test) in enumerate(self.cv_, 1):
            one = self._one(X, y, train, groups, C, weight)
            params.append(one.best_params_)
            scores.append(float(scorer(_bound(one, None if C is None else C[test]), X[test], y[test])))
            self._say(1, f"fold {number} of {len(self.cv_)}: score {scores[-1]:.3g}")
            self._say(3, f"fold {number}: {one.best_params_}, gap {one.dual_gap_:.1e}")
            if hasattr(one, "coef_"):
                maps.append(np.atleast_2d(one.coef_))
        self.estimator_ = self._one(X, y, np.arange(len(X)), groups, C, weight)
        if self._classify:
            self.classes_ = self.estimator_.classes_
        self._results(maps, scores, params)
        self._has_confounds = C is not None
        self._data = (X, y, groups, C, weight)
        return self

    def _one(self, X: Any, y: Any, rows: Any, groups: Any, C: Any, weight: Any) -> Any:
        estimator = self._estimator()
        own = None if groups is None else groups[rows]
        estimator.cv = _with_groups(self.inner_cv, own, self._classify)
        given = None if weight is None else weight[rows]
        return estimator._choose(X[rows], y[rows], given, own, None if C is None else C[rows])

    def _results(self, maps: list[Any], scores: list[float], params: list[Any]) -> None:
        estimator = self.estimator_
        names = list(self.classes_) if self._classify else ["beta"]
        self.cv_scores_ = {name: list(scores) for name in names}
        self.cv_params_ = {name: list(params) for name in names}
        self.dual_gap_ = estimator.dual_gap_
        self.best_params_ = estimator.best_params_
        if not hasattr(estimator, "coef_"):
            return
        coef = np.atleast_2d(estimator.coef_)
        folds = np.stack(maps) if maps else np.full((1, *coef.shape), np.nan)
        agreement, std = np.abs(np.sign(folds).mean(axis=0)), folds.std(axis=0)
        pattern = np.atleast_2d(estimator.pattern_)
        binary = self._classify and len(names) == 2
        rows = [-1, 1] if binary else [1] * len(names)
        self.coef_, self.intercept_ = estimator.coef_, estimator.intercept_
        self.coef_img_, self.std_coef_img_, self.pattern_img_, self.stability_img_ = {}, {}, {}, {}
        for i, (name, sign) in enumerate(zip(names, rows)):
            row = 0 if binary else i
            self.coef_img_[name] = self._image(sign * coef[row])
            self.pattern_img_[name] = self._image(sign * pattern[row])
            if maps:
                self.std_coef_img_[name] = self._image(std[row])
                self.stability_img_[name] = self._image(agreement[row])

    # ---------------------------------------------------------------- use
    def _ready(self, imgs: Any, confounds: Any) -> tuple[Any, NDArray[Any]]:
        """The estimator, and the values that it is to judge."""
        check_is_fitted(self)
        X = self._values(imgs)
        C = _confounds(confounds, len(X))
        if self._has_confounds and C is None:
            raise ValueError("the decoder was fitted with confounds: give those of these images, too")
        return _bound(self.estimator_, C if self._has_confounds else None), X

    def predict(self, imgs: Any, confounds: Any = None) -> NDArray[Any]:
        """Predict the targets of images; each as if it were alone.

        Parameters
        ----------
        imgs : images
        confounds : array of shape (n_samples, n_confounds), optional
            Where ``fit`` had them.

        Returns
        -------
        y : array of shape (n_samples,)
        """
        estimator, X = self._ready(imgs, confounds)
        return np.asarray(estimator.predict(X))

    def score(self, imgs: Any, y: Any, confounds: Any = None) -> float:
        """The score of predictions, by ``scoring``."""
        estimator, X = self._ready(imgs, confounds)
        return float(self.scorer_(estimator, X, np.asarray(y).ravel()))

    def generate_report(self, title: str = "") -> Report:
        """A page about a nested cross-validation of the images that the decoder was fitted to, which is run for it.

        Parameters
        ----------
        title : str
            Of the page.

        Returns
        -------
        report : Report
            Shows itself in a notebook; ``save_as_html(path)`` writes it.
        """
        check_is_fitted(self)
        X, y, groups, C, weight = self._data
        y = y if self._classify else y.astype(np.float64)
        with tempfile.TemporaryDirectory() as folder:
            inner = self.inner_cv if isinstance(self.inner_cv, int) else 5
            out = Path(folder) / (title or "decoder")
            options: dict[str, Any] = {"gap": self.gap, "normalize": self._normalize()}
            if self.scoring in SCORES:
                options["score"] = SCORES[self.scoring]
            result = nested_cross_validate(
                X, y, output=out, methods=self.method, outer=self.cv_, inner=inner, groups=groups, confounds=C,
                sample_weight=weight, mask=np.asarray(self.mask_img_.dataobj) != 0, affine=self.mask_img_.affine,
                n_jobs=effective_n_jobs(self.n_jobs), verbose=self.verbose, **options,
            )  # fmt: skip
            return result.report()

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_data", None)
        return state


class SturmDecoder(SturmClassifierMixin, _Decoder):
    """Classify brain images, with a nested cross-validation, maps and a proof of convergence.

    Parameters are those of nilearn's Decoder where they mean the same. The test images of the outer folds, ``cv``, are
    images that no setting was chosen on; settings are chosen in the folds of ``inner_cv``.
    """

    _classify = True

    def decision_function(self, imgs: Any, confounds: Any = None) -> NDArray[Any]:
        """Decision values; each image as if it were alone."""
        estimator, X = self._ready(imgs, confounds)
        return np.asarray(estimator.decision_function(X))

    def predict(self, imgs: Any, confounds: Any = None) -> NDArray[Any]:
        """Predict the classes of images; each as if it were alone."""
        return _Decoder.predict(self, imgs, confounds)

    @available_if(_has_probabilities)
    def predict_proba(self, imgs: Any, confounds: Any = None) -> NDArray[Any]:
        """Probabilities of the classes, with ``probability=True``."""
        estimator, X = self._ready(imgs, confounds)
        return np.asarray(estimator.predict_proba(X))

    def score(self, imgs: Any, y: Any, confounds: Any = None) -> float:
        """The score of predictions, by ``scoring``; accuracy where that is None."""
        return _Decoder.score(self, imgs, y, confounds)


class SturmDecoderRegressor(SturmRegressorMixin, _Decoder):
    """Predict numbers from brain images; see :class:`SturmDecoder`. Maps stand under ``'beta'``."""

    _classify = False

    def predict(self, imgs: Any, confounds: Any = None) -> NDArray[Any]:
        """Predict the numbers of images; each as if it were alone."""
        return _Decoder.predict(self, imgs, confounds)

    def score(self, imgs: Any, y: Any, confounds: Any = None) -> float:
        """The score of predictions, by ``scoring``; R2 where that is None."""
        return _Decoder.score(self, imgs, y, confounds)


def _bound(estimator: Any, C: Any) -> Any:
    """The estimator with the confounds of the samples that it is asked about next."""
    out = copy.copy(estimator)
    out._bound_confounds = C
    return out


def _confounds(given: Any, count: int) -> NDArray[np.float64] | None:
    if given is None:
        return None
    out = np.ascontiguousarray(given, dtype=np.float64)
    out = out[:, None] if out.ndim == 1 else out
    if len(out) != count or not np.isfinite(out).all():
        raise ValueError(f"confounds are finite numbers, one row for each of the {count} images")
    return out


def _with_groups(cv: Any, groups: Any, classify: bool) -> Any:
    """A number of folds as a splitter that keeps groups together, where there are any."""
    if groups is None or not isinstance(cv, (int, np.integer)):
        return cv
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

    count = min(int(cv), len(np.unique(groups)))
    return StratifiedGroupKFold(count) if classify else GroupKFold(count)


_DECODED = """
Attributes
----------
best_params_ : dict
    The setting of the model of all images.
{classes}coef_ : ndarray
    Coefficients of the model of all images, at the voxels of the mask; not there for kernels, nor are images.
coef_img_ : dict of Nifti1Image
    The same as images, by class.
cv_ : list of pairs of arrays
    Training and test images of the outer folds.
cv_params_ : dict of lists
    The setting of each outer fold, by class.
cv_scores_ : dict of lists
    The score of each outer fold, by class: of images that nothing was learnt from.
dual_gap_ : float
    What was proven of the model of all images.
estimator_ : object
    The model of all images.
intercept_ : float or ndarray
mask_img_ : Nifti1Image
masker_ : NiftiMasker
n_elements_ : int
    Voxels of the mask.
pattern_img_ : dict of Nifti1Image
    Forward patterns (Haufe et al. 2014), by class.
scorer_ : callable
stability_img_ : dict of Nifti1Image
    How far the outer folds agree on the sign, by class.
std_coef_img_ : dict of Nifti1Image
    Standard deviation of the coefficients over the outer folds, by class.
"""
_OWN = {
    "mask": ("image, path, NiftiMasker or None", "Voxels that count; None: NiftiMasker finds them."),
    "cv": ("int, splitter or iterable", "Outer folds, which the scores are of; groups stay together. 0: none, which is quick, and tells no scores."),
    "scoring": ("str or None", "Any scorer of scikit-learn for the outer folds that settings can be chosen by, too."),
}
document(SturmDecoder, _DECODED.format(classes="classes_ : ndarray\n"), **_OWN)
document(SturmDecoderRegressor, _DECODED.format(classes=""), **_OWN)

__all__ = ["SturmDecoder", "SturmDecoderRegressor"]
