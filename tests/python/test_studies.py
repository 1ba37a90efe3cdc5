# SPDX-License-Identifier: BSD-3-Clause
"""Whole studies: the program's bytes, resumption, clusters, proofs."""
import json
import subprocess
import sys
import time

import numpy as np
import pytest
import sturm
from numpy.testing import assert_array_equal
from sklearn.model_selection import StratifiedKFold


@pytest.fixture(scope="module")
def phantom(tmp_path_factory):
    return sturm.phantom(tmp_path_factory.mktemp("study") / "phantom", subjects=24, size="10x12x10", effect=2.0)


def same_files(a, b, but=()):
    names = sorted(p.name for p in a.iterdir())
    assert names == sorted(p.name for p in b.iterdir())
    for name in names:
        if name not in but:
            assert (a / name).read_bytes() == (b / name).read_bytes(), name


def test_a_study_of_files_is_the_programs_to_the_last_byte(program, phantom, tmp_path):
    samples = str(phantom / "samples.tsv")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    own = sturm.nested_cross_validate(samples=samples, y="group", positive="patient", methods="sturm,svm", outer=3,
                                      inner=2, permutations=3, output=tmp_path / "a/out")  # fmt: skip
    program("cv", "--samples", samples, "--target", "group", "--positive", "patient", "--methods", "sturm,svm",
            "--outer", 3, "--inner", 2, "--permutations", 3, "-o", tmp_path / "b/out", "-q")  # fmt: skip
    same_files(tmp_path / "a/out", tmp_path / "b/out")
    assert own.scores.loc["sturm", "accuracy"] == json.loads((tmp_path / "b/out/results.json").read_text())["methods"][
        "sturm"]["accuracy"]  # fmt: skip
    assert set(own.grid["method"]) == {"sturm", "svm"} and len(own.folds) == 6


def test_a_fit_of_files_is_the_programs(program, phantom, tmp_path):
    samples = str(phantom / "samples.tsv")
    sturm.fit_study(samples=samples, target="group", positive="patient", strength=0.3, output=tmp_path / "a", proof=True)
    program("fit", "--samples", samples, "--target", "group", "--positive", "patient", "--strength", "0.3", "--proof",
            "-o", tmp_path / "b", "-q")  # fmt: skip
    for name in ("coef.nii.gz", "model.safetensors", "pattern.nii.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    assert sturm.verify(tmp_path / "a")["accepted"]


def test_folds_are_those_of_the_splitter(volumes, tmp_path):
    X, score = volumes
    y = np.where(score > 0, "b", "a")
    splitter = StratifiedKFold(4, shuffle=True, random_state=3)
    done = sturm.nested_cross_validate(X, y, output=tmp_path / "out", methods="ridge", outer=splitter, inner=2)
    table = done.predictions
    assert list(table["participant_id"].astype(int)) == list(range(36)) and list(table["actual"]) == list(y)
    for number, (_, test) in enumerate(splitter.split(X, y), 1):
        assert set(table["fold"].astype(int).to_numpy()[test]) == {number}


@pytest.mark.parametrize("who", ["joblib", "dask"])
def test_a_cluster_gives_the_same_bytes(volumes, tmp_path, who):
    X, score = volumes
    alone = sturm.nested_cross_validate(X, score, output=tmp_path / "alone", methods="lasso,ridge", outer=3, inner=2)
    backend = "joblib"
    if who == "dask":
        distributed = pytest.importorskip("distributed")
        backend = distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
    other = sturm.nested_cross_validate(X, score, output=tmp_path / "other", methods="lasso,ridge", outer=3, inner=2,
                                        backend=backend)  # fmt: skip
    if who == "dask":
        backend.close()
    same_files(alone.path, other.path, but=("report.html",))


def test_a_study_goes_on_where_it_was(volumes, tmp_path):
    X, score = volumes
    options = dict(methods="lasso,ridge,enet,sturm", outer=6, inner=4)
    whole = sturm.nested_cross_validate(X, score, output=tmp_path / "a", **options)
    np.savez(tmp_path / "data.npz", X=np.ascontiguousarray(X), y=score)
    code = f"""
import numpy as np, sturm
d = np.load({str(tmp_path / 'data.npz')!r})
print("ready", flush=True)
sturm.nested_cross_validate(np.asfortranarray(d["X"]), d["y"], output={str(tmp_path / 'b')!r}, **{options!r})
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    journal = tmp_path / "b.work"
    for _ in range(600):  # until a task is in the journal
        if child.poll() is not None or (journal.exists() and sum(f.stat().st_size for f in journal.iterdir()) > 4000):
            break
        time.sleep(0.01)
    child.kill()
    child.wait()
    again = sturm.nested_cross_validate(X, score, output=tmp_path / "b", **options)
    same_files(whole.path, again.path, but=("report.html",))


def test_permutations_give_a_p_for_each_method(volumes, tmp_path):
    X, score = volumes
    p = sturm.permutation_test(X, score, output=tmp_path / "out", n_permutations=4, methods="ridge", outer=3, inner=2)
    assert set(p) == {"ridge"} and 0.2 <= p["ridge"] <= 1


def test_confounds_and_weights_are_columns(volumes, tmp_path):
    X, score = volumes
    rng = np.random.default_rng(0)
    done = sturm.nested_cross_validate(X, score, output=tmp_path / "out", methods="ridge", outer=3, inner=2,
                                       confounds=rng.normal(size=(36, 2)), sample_weight=np.r_[np.zeros(4), np.ones(32)])  # fmt: skip
    assert len(done.predictions) == 36
    model = done.model("ridge")
    assert model.coef_.shape == (X[0].size,)


def test_what_does_not_fit_is_said(volumes, tmp_path):
    X, score = volumes
    with pytest.raises(ValueError, match="methods"):
        sturm.nested_cross_validate(X, score, output=tmp_path / "o", methods="")
    with pytest.raises(ValueError, match="no option"):
        sturm.nested_cross_validate(X, score, output=tmp_path / "o", methods="ridge", nonsense=3)
    with pytest.raises(ValueError, match="y is missing"):
        sturm.nested_cross_validate(X, output=tmp_path / "o")
    assert not (tmp_path / "o").exists()


def test_a_report_shows_itself(volumes, tmp_path):
    X, score = volumes
    report = sturm.nested_cross_validate(X, score, output=tmp_path / "o", methods="ridge", outer=3, inner=2).report()
    assert "iframe" in report._repr_html_() and "ridge" in report.html
    assert_array_equal(report.html, (tmp_path / "o/report.html").read_text())
