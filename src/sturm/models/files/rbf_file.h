// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian kernel's model in a model file: its support vectors are volumes.
#pragma once

#include "sturm/core/safetensors.h"
#include "sturm/models/kernel/rbf_model.h"

namespace sturm {

/// Arrays `support` (S x I1 x I2 x I3, float32 where that loses nothing, otherwise float64; 0 outside the mask),
/// `support_coef` (S), `sigma` (1), `intercept` (1), and `voxel_scale` (I1 x I2 x I3; 0: the voxel is not looked at).
void store_rbf(const RbfModel<double>& model, SafeTensors& content);
/// The same in less space, for a journal: `support_columns` (S x voxels of the mask) in place of `support`.
void store_compact_rbf(const RbfModel<double>& model, SafeTensors& content);

/// What either wrote; mask and normalisation are the caller's. Throws where the arrays do not fit each other.
RbfModel<double> load_rbf(const SafeTensors& content, Normalize normalize, const std::vector<std::uint8_t>& mask);

}  // namespace sturm
