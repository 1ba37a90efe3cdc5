# SPDX-License-Identifier: BSD-3-Clause
"""Whole studies: nested cross-validation, permutation tests, fits of files, phantoms, and checks of proofs."""
from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any, Iterable, Mapping

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from . import _native
from ._telling import teller
from ._volumes import Layout

PathLike = str | os.PathLike[str]

#: Options of `sturm cv` in the order in which its report tells the command; what changes no result is not told.
_TOLD = (
    "samples participants images bids entities several skip_missing allow_outside array labels target positive classes "
    "weights site mask drop_missing resize on_mismatch interpolation nan methods outer inner grid score "
    "one_standard_error top permutations repeats learning_curve balanced groups confounds normalize intercept "
    "alpha tube inner_gap solver gap iterations rho relaxation seed precision"
).split()


def _words(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(_words(v) for v in value)
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _command(name: str, given: Mapping[str, Any]) -> str:
    words = ["sturm", name]
    for key in _TOLD:
        if key not in given:
            continue
        value, flag = given[key], "--" + key.replace("_", "-")
        if key == "intercept":
            words += [] if value else ["--no-intercept"]
        elif isinstance(value, bool):
            words += [flag] if value else []
        else:
            words += [flag, _native.shell_word(_words(value))]
    return " ".join(words)


#: Options whose native type is not text, by name.
_NUMBERS = {
    "permutations": int,
    "repeats": int,
    "iterations": int,
    "threads": int,
    "seed": int,
    "tube": float,
    "inner_gap": float,
    "gap": float,
    "rho": float,
    "relaxation": float,
}


def _native_options(given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key == "alpha":
            out[key] = 0.0 if value == "auto" else float(value)
        elif isinstance(value, bool):
            out[key] = value
        elif key in _NUMBERS:
            out[key] = _NUMBERS[key](value)
        else:
            out[key] = _words(os.fspath(value) if isinstance(value, os.PathLike) else value)
    return out


class StudyResult:
    """The results of a study: the folder that ``sturm cv`` writes, as tables.

    Attributes
    ----------
    path : Path
        The folder.
    results : dict
        ``results.json``.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        self.results: dict[str, Any] = json.loads((self.path / "results.json").read_text(encoding="utf-8"))

    def _table(self, name: str) -> Any:
        import pandas as pd

        return pd.read_csv(self.path / name, sep="\t", na_values=["n/a"], keep_default_na=False)

    @property
    def scores(self) -> Any:
        """One row per method, as a pandas table."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.results["methods"], orient="index")

    @property
    def folds(self) -> Any:
        """One row per method and outer fold, as a pandas table."""
        return self._table("folds.tsv")

    @property
    def predictions(self) -> Any:
        """One row per method and sample, as a pandas table."""
        return self._table("predictions.tsv")

    @property
    def grid(self) -> Any:
        """One row per setting, inner fit and outer fold, as a pandas table."""
        return self._table("grid.tsv")

    def model(self, method: str) -> Any:
        """The model of all samples of a method, as an estimator."""
        from .models import load_model

        return load_model(self.path / f"model_{method}.safetensors")

    def report(self) -> "Report":
        """The report, which shows itself in a notebook."""
        return Report(self.path)

    def _repr_html_(self) -> str:
        return str(self.scores.to_html())


class Report:
    """A page with everything about a folder of results: it shows itself in a notebook, and can be saved."""

    def __init__(self, folder: PathLike, title: str = "") -> None:
        page = Path(folder) / "report.html"
        self.html: str = (
            page.read_text(encoding="utf-8")
            if page.exists() and not title
            else _native.report(os.fspath(folder), title)
        )

    def save_as_html(self, path: PathLike) -> None:
        """Write the page into a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def get_iframe(self, width: int | str = "100%", height: int = 800) -> str:
        """The page inside a frame, for a notebook."""
        import html

        return f'<iframe srcdoc="{html.escape(self.html)}" width="{width}" height="{height}" frameborder="0"></iframe>'

    def _repr_html_(self) -> str:
        return self.get_iframe()


def _fields(values: Iterable[Any]) -> list[str]:
    out = []
    for value in values:
        text = repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
        if any(c in text for c in "\t\r\n"):
            raise ValueError(f"{text!r} holds a tab or a line break")
        out.append(text)
    return out


def _table_of(columns: Mapping[str, Iterable[Any]]) -> str:
    out = io.StringIO()
    cells = [_fields(values) for values in columns.values()]
    out.write("\t".join(columns) + "\n")
    for row in zip(*cells):
        out.write("\t".join('"' + cell.replace('"', '""') + '"' if '"' in cell else cell for cell in row) + "\n")
    return out.getvalue()


def _memory_columns(
    y: Any, groups: Any, sample_weight: Any, confounds: Any, ids: Any, folds: Any, options: dict[str, Any]
) -> dict[str, Iterable[Any]]:
    """The table of samples in memory; what it holds is named in `options`."""
    y = np.asarray(y).ravel()
    columns: dict[str, Iterable[Any]] = {"y": y.tolist()}
    options["target"] = "y"
    if groups is not None:
        columns["group"] = np.asarray(groups).ravel().tolist()
        options["groups"] = "group"
    # Samples are worked on in the order of their names: rows, unless they have others.
    width = len(str(max(0, len(y) - 1)))
    columns["participant_id"] = [f"{row:0{width}}" for row in range(len(y))] if ids is None else list(ids)
    if groups is None:
        options.setdefault("groups", "none")
    if sample_weight is not None:
        columns["weight"] = np.asarray(sample_weight, dtype=np.float64).ravel().tolist()
        options["weights"] = "weight"
    if confounds is not None:
        named = confounds if hasattr(confounds, "columns") else None
        values = np.asarray(confounds)
        values = values[:, None] if values.ndim == 1 else values
        names = [f"confound_{c}" for c in (named.columns if named is not None else range(values.shape[1]))]
        for c, name in enumerate(names):
            columns[name] = values[:, c].tolist()
        options["confounds"] = ",".join(names)
    if folds is not None:
        columns["fold"] = folds
        options["outer"] = "column:fold"
    lengths = {len(list(values)) for values in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"y, groups, weights, confounds and names differ in length: {sorted(lengths)}")
    return columns


def _outer_folds(outer: Any, y: NDArray[Any], groups: Any, classification: bool) -> list[str] | None:
    """The fold of each sample, where scikit-learn's splitter is given; every sample is tested once."""
    if outer is None or isinstance(outer, (int, str)):
        return None
    from sklearn.model_selection import check_cv

    out = [""] * len(y)
    splits = list(check_cv(outer, y, classifier=classification).split(np.zeros(len(y)), y, groups))
    width = len(str(len(splits)))
    for number, (train, test) in enumerate(splits, 1):
        if len(set(train) | set(test)) != len(y) or set(train) & set(test):
            raise ValueError("outer: every fold must train on all samples that it does not test")
        for row in test:
            if out[int(row)]:
                raise ValueError("outer: a sample is tested in two folds; give a splitter that tests each of them once")
            out[int(row)] = f"{number:0{width}}"
    if "" in out:
        raise ValueError("outer: a sample is never tested; give a splitter that tests each of them once")
    return out


def nested_cross_validate(
    X: Any = None,
    y: Any = None,
    *,
    output: PathLike,
    work_dir: PathLike | None = None,
    methods: str | Iterable[str] = "sturm,sturm+svm,svm",
    outer: Any = None,
    inner: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    confounds: Any = None,
    ids: Any = None,
    mask: Any = None,
    volume_shape: Any = None,
    affine: Any = None,
    regression: bool | None = None,
    positive: Any = None,
    force: bool = False,
    report: bool = True,
    n_jobs: int | None = None,
    backend: Any = None,
    verbose: int = 0,
    **options: Any,
) -> StudyResult:
    """Compare methods by nested cross-validation, as ``sturm cv`` does: the same folds, the same bytes, resumable.

    Samples are arrays, or files named as on the command line (``samples=``, ``participants=`` with ``images=``,
    ``bids=``, ``array=`` with ``labels=``), whose options are keywords here with an underscore for a dash.

    Parameters
    ----------
    X : array of shape (n_samples, I1, I2, I3) or (n_samples, n_features), optional
        Volumes; Fortran order of four axes is used in place. None: files are named by keywords.
    y : array of shape (n_samples,), optional
        Targets: numbers of a regression, or classes.
    output : path
        Folder for the results, new or empty.
    work_dir : path, optional
        Folder of the journal; called again with the same arguments, a study goes on where it was. None: beside output.
    methods : str or list of str
        Names of methods.
    outer, inner : int, str or splitter, optional
        Folds as on the command line; ``outer`` may be a splitter of scikit-learn that tests each sample once.
    groups, sample_weight, confounds, ids : arrays, optional
        Per sample: the group that stays together, a weight in training, columns that are regressed out inside each
        training set, and a name (its row, where there is none). For files: the names of columns.
    mask, volume_shape : optional
        As for estimators. For files, ``mask`` is a path, ``'auto'``, ``'union'`` or ``'none'``.
    affine : array of shape (4, 4), optional
        Where the voxels of X lie in the world, so that maps are images; None: they are arrays.
    regression : bool, optional
        Whether y is numbers to be predicted; None: where it has floating-point numbers.
    positive : optional
        Of two classes in files, the positive one.
    force : bool
        Replace the results of an earlier run.
    report : bool
        Write report.html.
    n_jobs : int or None
        Threads; None: every processor.
    backend : optional
        None, ``'joblib'`` or a dask.distributed Client: who computes the tasks. The results are the same bytes.
    verbose : int
        Above 0: show progress.
    **options
        Every other option of ``sturm cv``, such as ``resize=(0.3, 0.5)``, ``permutations=99``, ``gap=1e-4``.

    Returns
    -------
    result : StudyResult
    """
    given: dict[str, Any] = dict(options)
    given["methods"] = methods if isinstance(methods, str) else ",".join(methods)
    if inner is not None:
        given["inner"] = inner
    volumes, table = None, ""
    if X is not None:
        if y is None:
            raise ValueError("y is missing: the targets of X")
        labels = np.asarray(y).ravel()
        if regression is None:
            regression = labels.dtype.kind == "f"
        folds = _outer_folds(outer, labels, groups, not regression)
        if folds is None and outer is not None:
            given["outer"] = outer
        if not regression:
            given["classes"] = True
        columns = _memory_columns(labels, groups, sample_weight, confounds, ids, folds, given)
        table = _table_of(columns)
        x = np.asarray(X)
        if x.dtype not in (np.float32, np.float64):
            x = x.astype(np.float64)
        volumes = Layout(x.shape[1:], mask, volume_shape).volumes(x)
    else:
        for key, value in {
            "target": y,
            "outer": outer,
            "groups": groups,
            "weights": sample_weight,
            "confounds": confounds,
            "mask": mask,
            "positive": positive,
        }.items():
            if value is not None:
                given[key] = value
        if regression is False and positive is None:
            given["classes"] = True
    work = os.fspath(work_dir) if work_dir is not None else os.fspath(output).rstrip("/") + ".work"
    native = _native_options(given) | {"threads": 0 if n_jobs is None else int(effective_n_jobs(n_jobs))}
    told = {key: value for key, value in given.items()}
    if X is not None:
        told.pop("target", None)
    command = _command("cv", told)
    world = [] if affine is None else np.asarray(affine, dtype=np.float64)[:3].ravel().tolist()
    arguments = (native, os.fspath(output), work, volumes, table, world, command, bool(force), bool(report))
    if backend is not None:
        _spread(backend, arguments, X, mask, volume_shape)
    done = _native.cross_validate(*arguments, "1/1", teller(verbose))
    if not done["whole"]:
        raise RuntimeError(f"{done['missing']} tasks of the study are not done")
    return StudyResult(output)


def _part(number: int, count: int, arguments: tuple[Any, ...], X: Any, mask: Any, volume_shape: Any) -> int:
    """One part of the tasks of a study, wherever this runs; the journal is what it leaves."""
    native, output, work, _, table, world, command, force, report = arguments
    volumes = None
    if X is not None:
        x = np.asarray(X)
        x = x if x.dtype in (np.float32, np.float64) else x.astype(np.float64)
        volumes = Layout(x.shape[1:], mask, volume_shape).volumes(x)
    done = _native.cross_validate(
        native, output, work, volumes, table, world, command, force, report, f"{number}/{count}", None
    )
    return int(done["missing"])


def _spread(backend: Any, arguments: tuple[Any, ...], X: Any, mask: Any, volume_shape: Any) -> None:
    """Tasks in parts, which a cluster computes; the part that ends last puts them together."""
    native, output, work, _, table, world, command, force, report = arguments
    plain = (native | {"threads": 1}, output, work, None, table, world, command, force, report)
    if hasattr(backend, "submit") and hasattr(backend, "gather"):  # dask.distributed
        count = max(1, len(backend.scheduler_info()["workers"]))
        data = backend.scatter(X, broadcast=True) if X is not None else None
        futures = [
            backend.submit(_part, n + 1, count, plain, data, mask, volume_shape, pure=False) for n in range(count)
        ]
        backend.gather(futures)
        return
    if backend != "joblib":
        raise ValueError(f"backend is None, 'joblib' or a dask.distributed Client, not {backend!r}")
    from joblib import Parallel, delayed

    count = max(1, int(effective_n_jobs(-1)))
    Parallel(n_jobs=-1)(delayed(_part)(n + 1, count, plain, X, mask, volume_shape) for n in range(count))


def permutation_test(
    X: Any = None, y: Any = None, *, output: PathLike, n_permutations: int = 100, **options: Any
) -> dict[str, float]:
    """The p-value of each method: how often the whole of a nested cross-validation does as well with permuted labels.

    Parameters
    ----------
    X, y, output, **options
        As for :func:`nested_cross_validate`.
    n_permutations : int
        How often labels are permuted.

    Returns
    -------
    p : dict
        By method.
    """
    result = nested_cross_validate(X, y, output=output, permutations=n_permutations, **options)
    return {name: facts.get("permutation_p", np.nan) for name, facts in result.results["methods"].items()}


def fit_study(*, output: PathLike, force: bool = False, report: bool = True, proof: bool = False, confounds: str = "",
              n_jobs: int | None = None, verbose: int = 0, **options: Any) -> Path:
    """One model of files, as ``sturm fit``: coefficients, model, numbers and report in a folder.

    Parameters
    ----------
    output : path
        Folder for the results, new or empty.
    force, report, proof : bool
        Replace an earlier fit; write report.html; write what :func:`verify` needs.
    confounds : str
        Columns that are regressed out, with commas.
    n_jobs : int or None
        Threads; None: every processor.
    verbose : int
        Above 0: show progress.
    **options
        Options of ``sturm fit``; the parameters of the method in ``setting=dict(tau=..., gamma=...)``.

    Returns
    -------
    path : Path
    """
    given = dict(options)
    setting = given.pop("setting", {})
    native = _native_options(given) | {"threads": 0 if n_jobs is None else int(effective_n_jobs(n_jobs))}
    for key in ("strength", "balance"):
        if key in given:
            native[key] = float(given[key])
    native["setting"] = {key: float(value) for key, value in setting.items()}
    _native.fit_study(
        native, os.fspath(output), force, report, proof, confounds, _command("fit", given), teller(verbose)
    )
    return Path(output)


def verify(folder: PathLike, *, verbose: int = 0, **options: Any) -> dict[str, Any]:
    """Check the proof of a fit from its files and the raw volumes, as ``sturm verify``.

    Parameters
    ----------
    folder : path
        Folder of a fit with a proof.
    verbose : int
        Above 0: show progress.
    **options
        Where the samples are now, if elsewhere: ``samples=`` and the like.

    Returns
    -------
    verdict : dict
        ``accepted``, and every number as it was claimed and as it was computed again.
    """
    found: dict[str, Any] = json.loads(_native.verify(os.fspath(folder), _native_options(options), teller(verbose)))
    return found


def phantom(folder: PathLike, *, force: bool = False, verbose: int = 0, **options: Any) -> Path:
    """Write a synthetic study with a known answer, as ``sturm phantom``.

    Parameters
    ----------
    folder : path
        New or empty.
    force : bool
        Replace an earlier phantom.
    verbose : int
        Above 0: show progress.
    **options
        ``subjects``, ``size``, ``effect``, ``rank``, ``sites``, ``site_effect``, ``fwhm``, ``seed``.

    Returns
    -------
    path : Path
    """
    kinds = {"subjects": int, "rank": int, "sites": int, "seed": int, "effect": float, "site_effect": float, "fwhm": float}
    given = {key: kinds.get(key, str)(value) for key, value in options.items()}
    _native.phantom(os.fspath(folder), given, force, teller(verbose))
    return Path(folder)
