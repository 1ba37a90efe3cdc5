# SPDX-License-Identifier: BSD-3-Clause
"""Decoders of images, beside nilearn's own."""
import nibabel as nib
import numpy as np
import pytest

pytest.importorskip("nilearn")
import sturm
from nilearn.decoding import Decoder
from nilearn.maskers import NiftiMasker


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = sturm.phantom(tmp_path_factory.mktemp("p") / "phantom", subjects=24, size="10x12x10", effect=2.0)
    rows = [line.split("\t") for line in (folder / "samples.tsv").read_text().splitlines()]
    head, rows = rows[0], rows[1:]
    paths = [str(folder / row[head.index("path")]) for row in rows]
    y = np.array([row[head.index("group")] for row in rows])
    age = np.array([float(row[head.index("age")]) for row in rows])
    return paths, y, age, str(folder / "mask.nii.gz")


def decoder(mask, **more):
    return sturm.SturmDecoder("sturm", mask=mask, cv=3, inner_cv=3, **more)


def test_maps_are_images_on_the_grid_of_the_mask(study):
    paths, y, _, mask = study
    fitted = decoder(mask).fit(paths, y)
    assert set(fitted.coef_img_) == {"control", "patient"} == set(fitted.classes_)
    grid = nib.load(mask)
    for image in (fitted.coef_img_["patient"], fitted.std_coef_img_["patient"], fitted.stability_img_["patient"]):
        assert image.shape == grid.shape
        np.testing.assert_array_equal(image.affine, grid.affine)
    inside = np.asarray(grid.dataobj) != 0
    map_ = np.asarray(fitted.coef_img_["patient"].dataobj)
    assert (map_[~inside] == 0).all() and (map_[inside] != 0).any()
    np.testing.assert_array_equal(map_[inside], fitted.coef_[0])
    np.testing.assert_array_equal(np.asarray(fitted.coef_img_["control"].dataobj), -map_)
    assert len(fitted.cv_scores_["patient"]) == 3 and fitted.dual_gap_ < 1e-3
    assert fitted.n_elements_ == inside.sum()


def test_one_image_is_predicted_as_among_others(study):
    paths, y, _, mask = study
    fitted = decoder(mask, standardize=True).fit(paths, y)
    together = fitted.decision_function(paths)
    for i in (0, 7, 23):
        assert fitted.decision_function([paths[i]])[0] == together[i]
        assert fitted.predict([paths[i]])[0] == fitted.predict(paths)[i]


def test_paths_images_and_four_axes_are_the_same(study):
    paths, y, _, mask = study
    stacked = nib.Nifti1Image(np.stack([np.asarray(nib.load(p).dataobj) for p in paths], -1), nib.load(paths[0]).affine)
    one = decoder(mask).fit(paths, y)
    for imgs in ([nib.load(p) for p in paths], stacked):
        np.testing.assert_array_equal(decoder(mask).fit(imgs, y).coef_, one.coef_)
    np.testing.assert_array_equal(sturm.SturmDecoder(mask=NiftiMasker(mask), cv=3, inner_cv=3).fit(paths, y).coef_, one.coef_)


def test_groups_stay_together(study):
    paths, y, _, mask = study
    groups = np.arange(24) // 2
    fitted = decoder(mask).fit(paths, y, groups=groups)
    for train, test in fitted.cv_:
        assert not set(groups[train]) & set(groups[test])


def test_confounds_of_test_images_change_no_digit_of_a_fold(study):
    paths, y, age, mask = study
    fitted = decoder(mask).fit(paths, y, confounds=age)
    images = [nib.load(p) for p in paths]
    train, test = fitted.cv_[0]
    other = list(images)
    rng = np.random.default_rng(0)
    for i in test:
        other[i] = nib.Nifti1Image(rng.normal(size=images[i].shape).astype(np.float32), images[i].affine)
    again = decoder(mask).fit(other, y, confounds=age)
    assert again.cv_params_["patient"][0] == fitted.cv_params_["patient"][0]
    with pytest.raises(ValueError, match="confounds"):
        fitted.predict(paths)
    assert fitted.predict(paths, confounds=age).shape == (24,)


def test_a_regression_has_a_map_called_beta(study):
    paths, _, age, mask = study
    fitted = sturm.SturmDecoderRegressor("ridge", mask=mask, cv=3, inner_cv=3).fit(paths, age)
    assert list(fitted.coef_img_) == ["beta"] and fitted.predict(paths).shape == (24,)


@pytest.mark.parametrize("method", ["lasso", "svm", "mmk", "enet"])
def test_every_method_decodes(study, method):
    paths, y, _, mask = study
    fitted = sturm.SturmDecoder(method, mask=mask, cv=3, inner_cv=2, param_grid=None).fit(paths, y)
    assert set(fitted.predict(paths)) <= {"control", "patient"}
    assert hasattr(fitted, "coef_img_") == (method != "mmk")


def test_without_outer_folds_there_is_the_same_model_and_no_score(study):
    paths, y, _, mask = study
    quick, whole = sturm.SturmDecoder(mask=mask, cv=0, inner_cv=3).fit(paths, y), decoder(mask).fit(paths, y)
    np.testing.assert_array_equal(quick.coef_, whole.coef_)
    assert quick.cv_scores_["patient"] == [] and not quick.std_coef_img_


def test_probabilities_sum_to_one(study):
    paths, y, _, mask = study
    p = decoder(mask, probability=True).fit(paths, y).predict_proba(paths)
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_a_report_has_the_study_and_can_be_saved(study, tmp_path):
    paths, y, _, mask = study
    report = decoder(mask).fit(paths, y).generate_report("patients")
    report.save_as_html(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!DOCTYPE html>") or page.lower().startswith("<!doctype html>")
    assert "<iframe" in report._repr_html_()


def test_nilearns_decoder_takes_our_estimator(study):
    paths, y, _, mask = study
    theirs = Decoder(estimator=sturm.SturmClassifier(0.2), mask=mask, cv=3, screening_percentile=100, scoring="accuracy")
    theirs.fit(paths, y)
    assert np.asarray(theirs.coef_img_["patient"].dataobj).any()
