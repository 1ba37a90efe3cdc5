// SPDX-License-Identifier: BSD-3-Clause
// A model of MMK or DuSK in a model file: its support vectors are CP vectors.
#pragma once

#include "sturm/core/safetensors.h"
#include "sturm/models/multiway/mmk_model.h"

namespace sturm {

/// Arrays `support_terms` (S x R x (I1 + I2 + I3)), `support_coef` (S), `sigma` (1), `intercept` (1),
/// `position_kernel` (width and cut), `mask` (uint8, in every case: it has the shape of the volumes), and `voxel_mean`
/// and `voxel_scale` (I1 x I2 x I3) with Normalize::voxel; the word `seed`. A model without support volumes keeps one
/// whose coefficient is 0.
void store_mmk(const MmkModel& model, SafeTensors& content);

/// What store_mmk() wrote; mask and normalisation are the caller's. Throws where the arrays do not fit each other.
MmkModel load_mmk(const SafeTensors& content, Normalize normalize, const Shape& shape,
                  const std::vector<std::uint8_t>& mask);

}  // namespace sturm
