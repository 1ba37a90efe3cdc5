# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of estimators: their `__init__`, and their docstrings in numpydoc's form, made from what the native
options say of themselves."""
from __future__ import annotations

import inspect
import json
from typing import Any, Callable, TypeVar

from . import _native

_options: dict[str, str] = json.loads(_native.options())

#: What is said of a parameter: its type, and its meaning. A meaning in <> is that of the native option of that name.
_PARAMETERS: dict[str, tuple[str, str]] = {
    "strength": ("float", "<strength>"),
    "balance": ("float from 0 to 1", "<balance>"),
    "tau": ("float, optional", "<tau> In place of strength and balance."),
    "gamma": ("float, optional", "<gamma> In place of strength."),
    "l2": ("float, optional", "Weight of half the squared norm of the coefficients."),
    "C": ("float", "Weight of the errors."),
    "width": ("float", "Width of the kernel, relative to the median distance of samples."),
    "rank": ("int", "Number of terms: of the CP decomposition of a volume (MMK), or of the map (SURF)."),
    "sigma": ("float", "Width of the kernel between the vectors of two volumes."),
    "epsilon": ("float", "Length of a step, in deviations of y over the largest deviation of a voxel."),
    "path_end": ("float", "A term ends where its penalty has fallen to this part of the first; 0: the whole path."),
    "selector": ("{'sturm', 'remurs', 'lasso', 'enet'}", "The method that selects voxels."),
    "percent": ("float", "Percent of the selected voxels that are kept, the largest ones."),
    "loss_weight": ("float or 'auto'", "<alpha>"),
    "class_weight": ("dict, 'balanced' or None", "Weights of the classes; 'balanced': all count alike."),
    "probability": ("bool", "Learn probabilities of the classes from samples left out, for ``predict_proba``."),
    "gap": ("float", "<gap> What was reached is ``dual_gap_``."),
    "max_iter": ("int or None", "<iterations> None: the solver's own limit."),
    "fit_intercept": ("bool", "Whether the model has an intercept, which is not penalised."),
    "normalize": ("{'none', 'sample', 'voxel'}", "<normalize> Learnt from the training samples."),
    "mask": (
        "image or array of shape (I1, I2, I3), optional",
        "Voxels that count. The columns of a two-dimensional X are these voxels, in NumPy's order.",
    ),
    "volume_shape": (
        "tuple of three int, optional",
        "Shape of the volumes that the columns of a two-dimensional X are, in NumPy's order.",
    ),
    "precision": ("{'f32', 'f64'} or None", "<precision> None: that of X."),
    "device": ("{'cpu', 'auto', 'cuda'}", "<device>"),
    "n_jobs": ("int or None", "Threads of the call, as in scikit-learn: None is 1, and -1 every processor."),
    "random_state": ("int, RandomState or None", "Where random numbers start; None is 0: the same fit each time."),
    "verbose": ("int", "Above 0: show progress with tqdm, where it is installed."),
    "param_grid": (
        "dict, list of dict, 'path', 'paper' or None",
        "Settings to choose from, as in scikit-learn's GridSearchCV; 'path' (None): relative to where coefficients "
        "become zero; 'paper': those of the paper.",
    ),
    "cv": ("int, splitter or iterable", "Folds to choose in, as in scikit-learn; None: 5, stratified for classes."),
    "scoring": ("str or None", "accuracy, balanced_accuracy or roc_auc; r2 or correlation; None: accuracy or r2."),
    "one_standard_error": ("bool", "<one-standard-error>"),
    # of decoders
    "method": ("str", "Name of a method, as ``sturm info --methods`` lists them, such as 'sturm', 'svm' or 'lasso+svm'."),
    "smoothing_fwhm": ("float or None", "Smoothing of the images in millimetres, full width at half maximum."),
    "standardize": (
        "bool",
        "Scale each voxel to variance 1, as learnt from the training images: an image is predicted the same alone or "
        "among others.",
    ),
    "target_affine": ("array of shape (4, 4) or None", "Images are resampled to this affine."),
    "target_shape": ("tuple of three int or None", "And to this shape."),
    "mask_strategy": ("str", "How NiftiMasker finds a mask, where none is given."),
    "inner_cv": ("int or splitter", "Folds inside each training set, in which settings are chosen."),
    "estimator_args": ("dict or None", "Further parameters of the estimator, such as ``max_iter``."),
    "memory": ("str, joblib.Memory or None", "Where NiftiMasker caches what it reads."),
    "memory_level": ("int", "How much of it."),
}

_ATTRIBUTES = """
Attributes
----------
coef_ : ndarray of shape (n_features,) or (n_classes or 1, n_features)
    Coefficients on raw volumes; not there for kernels. ``coef_volume_`` has them on the box.
intercept_ : float or ndarray
n_iter_ : int
    Iterations of the solver.
dual_gap_ : float
    What was proven: no other coefficients have an objective lower by more than this part of it. NaN where a method
    proves nothing.
objective_ : float
sparsity_ : float
    Share of the voxels of the mask whose coefficient is exactly 0.
tubal_rank_ : int or None
parameters_ : dict
    The absolute parameters that were used.
pattern_ : ndarray
    Forward pattern (Haufe et al. 2014), which says where activity goes with the decision.
"""

_CHOICE = """cv_results_ : dict
    Scores of every setting in every fold, and the worst gap of its fits.
best_params_, best_score_, best_index_ : the setting that was chosen
path_ : list of dict
    The settings, as absolute parameters.
"""

Class = TypeVar("Class", bound=Any)


def _sentence(text: str) -> str:
    for name, meaning in _options.items():
        if f"<{name}>" in text:
            begin = meaning[:1].upper() + meaning[1:]
            text = text.replace(f"<{name}>", begin.rstrip(".") + ".")
    return text


def _wrapped(text: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="    "))


#: For the stubs: types of parameters, where they are not Any.
TYPES = {
    **dict.fromkeys(("strength", "balance", "C", "width", "sigma", "epsilon", "path_end", "percent", "gap"), "float"),
    **dict.fromkeys(("tau", "gamma", "l2"), "float | None"),
    **dict.fromkeys(("fit_intercept", "probability", "one_standard_error"), "bool"),
    **dict.fromkeys(("normalize", "device", "selector"), "str"),
    **dict.fromkeys(("max_iter", "n_jobs"), "int | None"),
    "rank": "int",
    "loss_weight": "float | str",
    "precision": "str | None",
    "verbose": "int",
}

#: Parameters that every estimator has, behind its own; and those of classifiers, between the two.
_COMMON: dict[str, Any] = {
    "gap": 1e-3,
    "max_iter": None,
    "fit_intercept": True,
    "normalize": "none",
    "mask": None,
    "volume_shape": None,
    "precision": None,
    "device": "auto",
    "n_jobs": None,
    "random_state": None,
    "verbose": 0,
}
_OF_CLASSIFIERS: dict[str, Any] = {"class_weight": None, "probability": False}


def parameters(**own: Any) -> Callable[[Class], Class]:
    """Gives a class an `__init__` with these parameters and their defaults, and with those that all have, and tells of
    them in its docstring. scikit-learn reads the signature; the stub has it for type checkers."""

    def decorate(cls: Class) -> Class:
        defaults = own | (_OF_CLASSIFIERS if cls._of_classes else {}) | _COMMON
        first = next(iter(own))
        arguments = ["self", f"{first}=defaults[{first!r}]"]
        if "balance" in own:
            arguments.append("balance=defaults['balance']")
        named = [name for name in defaults if name not in (first, "balance")]
        arguments += ["*", *(f"{name}=defaults[{name!r}]" for name in named)]
        lines = [f"def __init__({', '.join(arguments)}):"] + [f"    self.{name} = {name}" for name in defaults]
        made: dict[str, Any] = {"defaults": defaults}
        exec("\n".join(lines), made)  # noqa: S102 - names and defaults of this file, as dataclasses do it
        cls.__init__ = made["__init__"]
        cls.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__.__module__ = cls.__module__
        document(cls, _ATTRIBUTES + (_CHOICE if hasattr(cls, "_choose") else ""))
        return cls

    return decorate


def document(cls: Any, attributes: str, **own: tuple[str, str]) -> None:
    """Adds parameters and attributes to what a class says of itself; `own` parameters mean something else there."""
    lines = [inspect.cleandoc(cls.__doc__ or ""), "", "Parameters", "----------"]
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        kind, meaning = own.get(name) or _PARAMETERS[name]
        lines += [f"{name} : {kind}, default={parameter.default!r}", _wrapped(_sentence(meaning))]
    cls.__doc__ = "\n".join(lines) + "\n" + attributes
