// SPDX-License-Identifier: BSD-3-Clause
// Designs as methods see them: checked, every sample on its scale, and without what all volumes have in common.
#pragma once

#include "sturm/core/design.h"
#include "sturm/models/normalize.h"

namespace sturm {

/// Throws where a voxel is not a finite number, and names the first sample that has one.
template <class Real>
void require_finite(const Design<Real>& x);
/// The same of the listed columns alone.
template <class Real>
void require_finite(const Design<Real>& x, std::span<const Index> columns);

/// The design that a method sees: with every sample at mean 0 and norm 1 if so asked, otherwise the one that was given.
/// Throws where a voxel is not finite.
template <class Real>
Design<Real> prepared(const Design<Real>& x, Normalize normalize);

/// Volumes that have most of their values in common (1010 here, 1020 there) leave few digits of single precision to
/// what differs, and centring by sums of products loses those. Then the mean volume of the weighted samples is taken
/// away first, which changes nothing but the intercept; otherwise the design is used as it is.
template <class Real>
Design<Real> subtract_common_part(const Design<Real>& x, std::span<const double> weights);

}  // namespace sturm
