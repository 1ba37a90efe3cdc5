// SPDX-License-Identifier: BSD-3-Clause
// From raw volumes to what the solver sees, and from its solution back to the scale of the raw volumes: shared by the
// methods that end in a coefficient tensor.
#pragma once

#include <memory>
#include <vector>

#include "sturm/models/fit_report.h"
#include "sturm/models/linear/linear_fitted.h"
#include "sturm/models/linear_model.h"

namespace sturm {

/// Throws where numbers of samples, labels and weights do not fit, or a label is not finite.
template <class Real>
void require_sizes(const Design<Real>& x, std::span<const double> y, std::span<const double> weights);

/// The design that the solver sees: with every sample at mean 0 and norm 1 if so asked, otherwise the one that was
/// given. Throws where a voxel is not finite.
template <class Real>
Design<Real> prepared(const Design<Real>& x, Normalize normalize);

/// Volumes that have most of their values in common (1010 here, 1020 there) leave few digits of single precision to
/// what differs, and centring by sums of products loses those. Then the mean volume is taken away first, which changes
/// nothing but the intercept; otherwise the design is used as it is.
template <class Real>
Design<Real> subtract_common_part(const Design<Real>& x, const RowMap& rows);

/// 1 / standard deviation of every voxel over the weighted samples; 0 for a constant one.
template <class Real>
std::vector<Real> voxel_scale(const Design<Real>& x, const RowMap& rows);

/// 1 for every voxel, and 0 where it has one value over the samples that count: centred it is 0, which differences of
/// rounded sums would miss. Empty where there is no such voxel but those that are 0 anyway.
template <class Real>
std::vector<Real> constant_voxel_scale(const Design<Real>& x, const RowMap& rows);

/// R'y, and 0 where the labels are constant but for the rounding of their mean.
std::vector<double> mapped_labels(const RowMap& rows, std::span<const double> y);

/// The training rows of a fit: everything that is learnt from them beside the coefficients.
template <class Real>
struct Fold {
  /// raw: as prepared() left it; x: the same, perhaps less its common part. The Gram matrix of another fold with voxels
  /// of the same scale serves this one too.
  Fold(const Design<Real>& raw, const Design<Real>& x, std::vector<double> weights, bool centred, Normalize normalize,
       std::span<const Fold> others = {});

  RowMap rows;
  bool centre;
  std::vector<Real> scale;  ///< of Normalize::voxel, which W is multiplied by; empty otherwise
  std::vector<Real> given_scale;
  std::shared_ptr<const View<Real>> view;
};

/// The model on the scale of the raw volumes; `report` comes with tau, gamma, alpha and samples.
template <class Real>
std::unique_ptr<LinearFitted<Real>> folded_back(const Solution<Real>& solution, const Design<Real>& raw,
                                                const Fold<Real>& fold, std::span<const double> y, bool intercept,
                                                Normalize normalize, FitReport report);

/// alpha, or the paper's where it is 0. Throws where it is no weight.
double loss_weight(double alpha, const Shape& shape);

}  // namespace sturm
