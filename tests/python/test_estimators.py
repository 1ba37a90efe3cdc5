# SPDX-License-Identifier: BSD-3-Clause
"""Estimators on arrays: the program's digits, NumPy's layouts, weights, threads, files."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import sturm
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sturm import _native


def labels(score):
    return np.where(score > 0, "patient", "control")


# ------------------------------------------------------------------ the program's digits
@pytest.mark.parametrize("method, options, cls, own", [
    ("sturm", ["--strength", "0.2", "--balance", "0.4"], "Sturm", dict(strength=0.2, balance=0.4)),
    ("remurs", ["--tau", "0.8", "--gamma", "0.5"], "Remurs", dict(tau=0.8, gamma=0.5)),
    ("lasso", ["--strength", "0.3"], "Lasso", dict(strength=0.3)),
    ("enet", ["--strength", "0.3", "--l2", "2"], "ElasticNet", dict(strength=0.3, l2=2.0)),
    ("ridge", ["--strength", "0.3"], "Ridge", dict(strength=0.3)),
    ("svm", ["--C", "0.01"], "SVM", dict(C=0.01)),
    ("svm-rbf", ["--C", "2", "--width", "0.7"], "RbfSVM", dict(C=2.0, width=0.7)),
    ("mmk", ["--rank", "2", "--sigma", "1", "--C", "1"], "MMK", {}),
    ("surf", ["--rank", "2"], "SURF", dict(rank=2)),
    ("lasso+svm", ["--strength", "0.3", "--eta", "50"], "SelectThenSVM", dict(selector="lasso", strength=0.3, percent=50.0)),
])  # fmt: skip
@pytest.mark.parametrize("classes", [True, False])
def test_a_model_is_the_programs_to_the_last_byte(program, volumes, tmp_path, method, options, cls, own, classes):
    X, score = volumes
    y = labels(score) if classes else score
    np.save(tmp_path / "X.npy", X)
    with open(tmp_path / "y.tsv", "w", encoding="utf-8") as file:
        file.write("y\n" + "".join(f"{v if classes else format(v, '.17g')}\n" for v in y))
    target = ["--positive", "patient"] if classes else []
    program("fit", "--array", tmp_path / "X.npy", "--labels", tmp_path / "y.tsv", "--target", "y", *target,
            "--method", method, *options, "-o", tmp_path / "fit", "--no-report", "-q")  # fmt: skip
    fitted = getattr(sturm, cls + ("Classifier" if classes else "Regressor"))(**own).fit(X, y)
    fitted.save(tmp_path / "own.safetensors")
    assert (tmp_path / "own.safetensors").read_bytes() == (tmp_path / "fit/model.safetensors").read_bytes()
    if hasattr(fitted, "coef_"):
        assert_array_equal(fitted.coef_volume_, np.load(tmp_path / "fit/coef.npy"))


def test_a_chosen_setting_is_the_programs(program, volumes, tmp_path):
    X, score = volumes
    np.save(tmp_path / "X.npy", X)
    rows = "".join(f"{v}\t{row:02}\n" for row, v in enumerate(labels(score)))
    (tmp_path / "y.tsv").write_text("y\tparticipant_id\n" + rows)
    done = sturm.nested_cross_validate(X, labels(score), output=tmp_path / "own", methods="sturm", outer=3, inner=3)
    program("cv", "--array", tmp_path / "X.npy", "--labels", tmp_path / "y.tsv", "--target", "y", "--classes",
            "--groups", "none", "--methods", "sturm", "--outer", 3, "--inner", 3, "-o", tmp_path / "cv", "-q", "--no-report")  # fmt: skip
    for name in ("folds.tsv", "grid.tsv", "predictions.tsv", "map_sturm.npy", "model_sturm.safetensors"):
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "cv" / name).read_bytes(), name
    assert done.predictions.shape[0] == 36


# ------------------------------------------------------------------ layouts
def test_every_layout_gives_the_same_map(volumes):
    X, score = volumes
    y = labels(score)
    own = sturm.SturmClassifier(0.2).fit(X, y)
    shape = X.shape[1:]
    for other in (np.ascontiguousarray(X), X[::1, :, ::1], np.concatenate([X, X])[:36]):
        assert_array_equal(sturm.SturmClassifier(0.2).fit(other, y).coef_, own.coef_)
    flat = sturm.SturmClassifier(0.2, volume_shape=shape).fit(X.reshape(36, -1), y)
    assert_array_equal(flat.coef_, own.coef_)
    assert_array_equal(flat.predict(X.reshape(36, -1)), own.predict(X))
    assert_array_equal(own.coef_volume_, own.coef_.reshape(shape))


def test_columns_of_a_mask_are_its_voxels_in_numpys_order(volumes):
    X, score = volumes
    mask = np.random.default_rng(0).random(X.shape[1:]) < 0.5
    box = sturm.SturmRegressor(0.2, mask=mask).fit(X, score)
    columns = sturm.SturmRegressor(0.2, mask=mask).fit(X[:, mask], score)
    assert_array_equal(box.coef_volume_, columns.coef_volume_)
    assert_array_equal(columns.coef_, columns.coef_volume_[mask])
    assert (columns.coef_volume_[~mask] == 0).all()
    assert_array_equal(columns.predict(X[:, mask]), box.predict(X))


def test_fortran_order_is_used_in_place_and_nothing_else_is(volumes):
    X, _ = volumes
    assert _native.Volumes.of_boxes(X, X).in_place
    assert not _native.Volumes.of_boxes(np.ascontiguousarray(X), X).in_place


def test_precision_follows_X(volumes):
    X, score = volumes
    single, double = sturm.SturmRegressor(gap=1e-6).fit(X, score), sturm.SturmRegressor(gap=1e-6).fit(X.astype(float), score)
    assert 0 < np.abs(single.coef_ - double.coef_).max() < 1e-3
    forced = sturm.SturmRegressor(gap=1e-6, precision="f64").fit(X, score)
    assert_array_equal(forced.coef_, double.coef_)


# ------------------------------------------------------------------ what a fit means
def test_the_gap_is_what_an_independent_check_finds(volumes):
    """The dual value is a lower bound: a much more exact fit has an objective between the two."""
    X, score = volumes
    X = X.astype(float)
    rough, fine = sturm.SturmRegressor(gap=1e-2).fit(X, score), sturm.SturmRegressor(gap=1e-8).fit(X, score)

    def objective(fitted):
        rest = score - X.reshape(36, -1) @ fitted.coef_ - fitted.intercept_
        tau, gamma = fitted.parameters_["tau"], fitted.parameters_["gamma"]
        hat = np.fft.fft(fitted.coef_volume_, axis=2)
        tnn = np.mean([np.linalg.svd(hat[:, :, k], compute_uv=False).sum() for k in range(hat.shape[2])])
        return 0.5 * rest @ rest + tau * tnn + gamma * np.abs(fitted.coef_).sum()

    best = objective(fine)
    assert_allclose(best, fine.objective_, rtol=1e-9)
    assert_allclose(objective(rough), rough.objective_, rtol=1e-9)
    assert best <= objective(rough) <= best * (1 + rough.dual_gap_) * (1 + 1e-9)


@pytest.mark.parametrize("cls", ["Sturm", "Remurs", "Lasso", "ElasticNet", "Ridge", "SVM", "RbfSVM"])
def test_weights_are_repetitions(volumes, cls):
    X, score = volumes
    X = X.astype(float)
    times = np.random.default_rng(2).integers(0, 3, 36)
    rows = np.repeat(np.arange(36), times)
    own = {} if cls.endswith("SVM") else {"gap": 1e-12}
    weighted = getattr(sturm, cls + "Regressor")(**own).fit(X, score, sample_weight=times.astype(float))
    repeated = getattr(sturm, cls + "Regressor")(**own).fit(X[rows], score[rows])
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-7, atol=1e-7 * np.abs(score).max())


def test_one_setting_chosen_is_as_given(volumes):
    X, score = volumes
    chosen = sturm.SturmRegressorCV({"strength": [0.3], "balance": [0.5]}, cv=3).fit(X, score)
    given = sturm.SturmRegressor(0.3, 0.5).fit(X, score)
    assert chosen.best_params_ == {"strength": 0.3, "balance": 0.5}
    assert chosen.dual_gap_ < 1e-3 and given.dual_gap_ < 1e-3
    assert_allclose(chosen.objective_, given.objective_, rtol=2e-3)


def test_scores_of_folds_are_those_of_fits_by_hand(volumes):
    X, score = volumes
    y = labels(score)
    folds = KFold(4, shuffle=True, random_state=1)
    chosen = sturm.LassoClassifierCV({"strength": [0.5, 0.2]}, cv=folds, scoring="accuracy", gap=1e-8).fit(X, y)
    for i, strength in enumerate((0.5, 0.2)):
        assert chosen.cv_results_["params"][i] == {"strength": strength}
        for k, (train, test) in enumerate(folds.split(X)):
            gamma = chosen.path_[i]["gamma"]
            by_hand = sturm.LassoClassifier(gamma=gamma, gap=1e-8).fit(X[train], y[train]).score(X[test], y[test])
            assert chosen.cv_results_[f"split{k}_test_score"][i] == by_hand


def test_groups_reach_the_splitter(volumes):
    X, score = volumes
    groups = np.arange(36) // 4
    chosen = sturm.LassoRegressorCV(cv=GroupKFold(3)).fit(X, score, groups=groups)
    assert chosen.n_splits_ == 3
    with pytest.raises(ValueError, match="groups"):
        sturm.LassoRegressorCV(cv=GroupKFold(3)).fit(X, score)


def test_classes_are_told_from_the_rest(volumes):
    X, score = volumes
    y = np.digitize(score, np.quantile(score, [0.33, 0.67]))
    fitted = sturm.SturmClassifier(0.1, probability=True).fit(X, y)
    assert fitted.coef_.shape == (3, X[0].size) and fitted.decision_function(X).shape == (36, 3)
    one = sturm.SturmClassifier(tau=fitted.parameters_["tau"], gamma=fitted.parameters_["gamma"]).fit(X, y == 1)
    assert_array_equal(one.coef_[0], fitted.coef_[1])
    assert_allclose(fitted.predict_proba(X).sum(axis=1), 1)


def test_a_fit_that_stops_early_says_so(volumes):
    X, score = volumes
    with pytest.warns(Warning, match="stopped at its limit of iterations"):
        sturm.SturmRegressor(gap=1e-12, max_iter=2).fit(X.astype(float), score)


# ------------------------------------------------------------------ scikit-learn around it
def test_pipelines_and_searches_work(volumes):
    X, score = volumes
    flat, y = X.reshape(36, -1), labels(score)
    pipe = make_pipeline(StandardScaler(), sturm.SturmClassifier(0.2, volume_shape=X.shape[1:]))
    assert len(cross_val_score(pipe, flat, y, cv=3)) == 3
    search = GridSearchCV(sturm.SturmClassifier(), {"strength": [0.1, 0.4]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_params_["strength"] in (0.1, 0.4)


# ------------------------------------------------------------------ files
def test_models_survive_pickle_skops_and_files(volumes, tmp_path):
    X, score = volumes
    fitted = sturm.SturmClassifier(0.2, probability=True).fit(X, labels(score))
    for other in (pickle.loads(pickle.dumps(fitted)), sturm.load_model(saved(fitted, tmp_path))):
        assert_array_equal(other.predict(X), fitted.predict(X))
        assert_array_equal(other.predict_proba(X), fitted.predict_proba(X))
    skops = pytest.importorskip("skops.io")
    data = skops.dumps(fitted)
    assert_array_equal(skops.loads(data, trusted=skops.get_untrusted_types(data=data)).predict(X), fitted.predict(X))


def saved(fitted, folder):
    fitted.save(folder / "model.safetensors")
    return folder / "model.safetensors"


# ------------------------------------------------------------------ one process, many callers
def test_four_threads_have_the_bits_of_one(volumes):
    X, score = volumes
    alone = [sturm.SturmRegressor(s).fit(X, score).coef_ for s in (0.1, 0.2, 0.3, 0.4)]
    found = [None] * 4

    def work(i, strength):
        for _ in range(5):
            found[i] = sturm.SturmRegressor(strength).fit(X, score).coef_

    callers = [threading.Thread(target=work, args=(i, s)) for i, s in enumerate((0.1, 0.2, 0.3, 0.4))]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for a, b in zip(alone, found):
        assert_array_equal(a, b)


@pytest.mark.parametrize("how", ["fork", "spawn", "loky"])
def test_processes_work(volumes, how):
    X, score = volumes
    here = sturm.SturmRegressor(0.2, n_jobs=2).fit(X, score).coef_  # threads were used before the fork
    if how == "loky":
        from joblib import Parallel, delayed

        there = Parallel(n_jobs=2, backend="loky")(delayed(fit_elsewhere)(X, score) for _ in range(2))
    else:
        import multiprocessing

        with multiprocessing.get_context(how).Pool(2) as pool:
            there = pool.starmap(fit_elsewhere, [(X, score)] * 2)
    for coef in there:
        assert_array_equal(coef, here)


def fit_elsewhere(X, score):
    return sturm.SturmRegressor(0.2, n_jobs=2).fit(X, score).coef_


LONG = """
import numpy as np, sturm, sys
rng = np.random.default_rng(0)
X = np.asfortranarray(rng.normal(size=(60, 40, 45, 38)).astype(np.float32))
y = rng.normal(size=60)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("call", [
    "sturm.SturmRegressor(0.001, gap=1e-9, max_iter=10**6, n_jobs=2).fit(X, y)",
    "sturm.SturmRegressorCV(cv=5, gap=1e-8, n_jobs=2).fit(X, y)",
])  # fmt: skip
def test_ctrl_c_stops_soon_and_leaves_nothing(call):
    child = subprocess.Popen([sys.executable, "-c", LONG.format(call=call)], stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE, env=os.environ)  # fmt: skip
    assert child.stdout.readline() == "ready\n"
    time.sleep(3)
    assert child.poll() is None, "the fit was over before it could be stopped"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert out == "stopped\n", err
