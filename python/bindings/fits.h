// SPDX-License-Identifier: BSD-3-Clause
// What a Python caller says about its samples, as the application layer takes it.
#pragma once

#include "python/bindings/volumes.h"
#include "sturm/app/fit_parts.h"

namespace sturm::python {

/// Labels: numbers of a regression (no classes), -1 and +1 of two classes, or positions in the list of several.
struct Labels {
  std::vector<double> y;
  std::vector<std::string> classes;  ///< names: none, two (negative first) or more
};

Target target_of(const Labels& labels);

/// The samples of a call: volumes, labels, weights and groups, each empty or one per sample.
template <class Real>
Dataset<Real> dataset_of(const Design<Real>& design, const Labels& labels, std::vector<double> weights,
                         std::vector<std::string> groups) {
  return {design, target_of(labels), std::move(weights), groups.empty() ? "" : "groups", std::move(groups), {}};
}

/// The request of keywords: options of a fit, a run and a choice by their names, `method`, `balanced`,
/// `probabilities`, `tube`, and `setting`, the parameters of the method that are absolute. Throws where a key is none
/// of these.
FitRequest request_of(const nb::dict& keywords);

/// Numbers per sample and confound, sample by sample; nothing where there are none.
Confounds confounds_of(
    const std::optional<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>& given);

}  // namespace sturm::python
