// SPDX-License-Identifier: BSD-3-Clause
// What every linear method does to volumes and labels before it solves anything. Defined in sturm_model.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/models/sturm_model.h"

namespace sturm {

/// Throws where labels, weights or mask do not fit the design, a label is not finite, or the mask is empty.
template <class Real>
void require_sizes(const Design<Real>& x, std::span<const double> y, std::span<const double> weights,
                   std::span<const std::uint8_t> mask);

/// The design that a solver sees: finite everywhere, and with every sample at mean 0 and norm 1 if so asked.
template <class Real>
Design<Real> prepared(const Design<Real>& x, std::span<const std::uint8_t> mask, Normalize normalize);

/// 1 / standard deviation of every voxel over the weighted samples; 0 for a constant one and outside the mask.
template <class Real>
std::vector<Real> voxel_scale(const Design<Real>& x, const RowMap& rows, std::span<const std::uint8_t> mask);

/// 1 for every voxel, 0 for a constant one; empty where there are none.
template <class Real>
std::vector<Real> constant_voxel_scale(const Design<Real>& x, const RowMap& rows, std::span<const std::uint8_t> mask);

/// The design without its mean volume where that would cost single precision its digits; otherwise as it is.
template <class Real>
Design<Real> less_common_part(const Design<Real>& x, const RowMap& rows, std::span<const std::uint8_t> mask);

/// R'y, and 0 where the labels are constant but for the rounding of their mean.
std::vector<double> mapped_labels(const RowMap& rows, std::span<const double> y);

}  // namespace sturm
