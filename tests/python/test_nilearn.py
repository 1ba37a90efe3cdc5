# SPDX-License-Identifier: BSD-3-Clause
"""nilearn's own checks of estimators, on our decoders. They are private to nilearn and may move; then this is skipped."""
import warnings

import pytest

checks = pytest.importorskip("nilearn._utils.estimator_checks", exc_type=ImportError)
import sturm

EXPLAINED = {
    "check_tags": "asks for _more_tags, which scikit-learn below 1.6 had",
    "check_doc_link": "asks for a page of nilearn's site",
    "check_img_estimator_standardization": "percent of signal change is of a time series, and not offered",
    "check_decoder_empty_data_messages": "images on surfaces, which have no tubes",
    "check_decoder_compatibility_mask_image": "images on surfaces",
    "check_decoder_with_surface_data": "images on surfaces",
}


def name_of(check):
    return getattr(check, "__name__", None) or check.func.__name__


@pytest.mark.parametrize("cls", [sturm.SturmDecoder, sturm.SturmDecoderRegressor])
def test_only_explained_checks_fail(cls):
    failed, passed = {}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for estimator, check in checks.nilearn_check_generator(cls(cv=2, inner_cv=2)):
            try:
                check(estimator)
                passed += 1
            except Exception as error:  # noqa: BLE001 - whatever a check finds
                failed[name_of(check)] = str(error)[:200]
    assert set(failed) == set(EXPLAINED), failed
    assert passed >= 25
