// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/rbf_model.h"

#include <cmath>

#include "sturm/models/kernel/kernel_samples.h"

namespace sturm {

double gauss(double squared_distance, double sigma) { return std::exp(-squared_distance / (2 * sigma * sigma)); }

template <class Real>
std::vector<double> decision_values(const RbfModel<Real>& model, const Design<Real>& x) {
  std::vector<double> out(x.samples(), model.intercept);
  if (model.rows.empty()) return out;
  const std::vector<double> squared = squared_distances(x, model.volumes, model.rows, model.space);
  for (std::size_t k = 0; k < model.rows.size(); ++k)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += model.coef[k] * gauss(squared[i + k * out.size()], model.sigma);
  return out;
}

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

#define STURM_INSTANTIATE(Real)                                                             \
  template std::vector<double> decision_values(const RbfModel<Real>&, const Design<Real>&); \
  template RbfModel<float> support_alone(const RbfModel<Real>&);                            \
  template RbfModel<double> support_alone(const RbfModel<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
