// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/linear_model.h"

#include "sturm/linalg/host.h"
#include "sturm/models/training_statistics.h"

namespace sturm {

template <class Real>
std::vector<double> decision_values(const LinearModel& model, const Design<Real>& x) {
  if (model.coef.shape() != x.shape())
    throw Error("the model is for volumes of " + to_string(model.coef.shape()) + " and these are " +
                to_string(x.shape()));
  // `sample` takes mean and norm over the voxels of the mask.
  const bool by_sample = model.normalize == Normalize::sample;
  const Design<Real> seen = by_sample ? masked(x, model.mask) : x;
  const std::vector<double> coef = seen.region().template gather<double>(model.coef.flat());
  std::vector<double> out = linalg::host::product(seen.samples(), seen.x().data(), coef);
  if (by_sample) {
    double sum = 0;
    for (const double c : coef) sum += c;
    const SampleStatistics scale = sample_statistics(seen, model.normalize);
    for (Index i = 0; i < seen.samples(); ++i) out[i] = (out[i] - sum * scale.mean[i]) * scale.inverse[i];
  }
  for (double& v : out) v += model.intercept;
  return out;
}

template std::vector<double> decision_values(const LinearModel&, const Design<float>&);
template std::vector<double> decision_values(const LinearModel&, const Design<double>&);

}  // namespace sturm
