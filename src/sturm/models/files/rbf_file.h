// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian kernel's model in a model file: its support vectors are volumes.
#pragma once

#include "sturm/core/safetensors.h"
#include "sturm/models/kernel/svm_rbf.h"

namespace sturm {

/// Arrays `support` (S x I1 x I2 x I3, float32 where that loses nothing, otherwise float64; 0 outside the mask),
/// `support_coef` (S), `sigma` (1), `intercept` (1), and `voxel_scale` (I1 x I2 x I3; 0: the voxel is not looked at).
void store_rbf(const RbfModel<double>& model, SafeTensors& content);

/// What store_rbf() wrote; mask and normalisation are the caller's. Throws where the arrays do not fit each other.
RbfModel<double> load_rbf(const SafeTensors& content, Normalize normalize, const std::vector<std::uint8_t>& mask);

/// The same model with its support vectors alone, in another precision.
template <class To, class From>
RbfModel<To> support_alone(const RbfModel<From>& model) {
  const auto count = static_cast<Index>(model.rows.size());
  // A design has a row at least: a model without support vectors keeps one that it never looks at.
  std::vector<Index> rows = model.rows;
  if (rows.empty()) rows.push_back(0);
  const auto held = static_cast<Index>(rows.size());
  AlignedVector<To> x(held * model.volumes.voxels());
  for (Index v = 0; v < model.volumes.voxels(); ++v)
    for (Index k = 0; k < held; ++k) x[v * held + k] = static_cast<To>(model.volumes.column(v)[rows[k]]);
  RbfModel<To> out{Design<To>::owning(model.volumes.region(), held, std::move(x)),
                   {},
                   model.coef,
                   model.sigma,
                   model.intercept,
                   model.space};
  for (Index k = 0; k < count; ++k) out.rows.push_back(k);
  return out;
}

}  // namespace sturm
