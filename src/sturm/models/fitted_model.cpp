// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/fitted_model.h"

#include <algorithm>

#include "sturm/models/model.h"

namespace sturm {

template <class Real>
FittedModel<Real>::FittedModel(std::vector<double> values, std::vector<double> columns, Make make)
    : values_(std::move(values)), columns_(std::move(columns)), make_(std::move(make)) {}

template <class Real>
FittedModel<Real>::~FittedModel() = default;

template <class Real>
std::vector<double> FittedModel<Real>::decision_values(const Design<Real>& x) const {
  return sturm::decision_values(model(), x);
}

template <class Real>
const Model<Real>& FittedModel<Real>::model() const {
  const std::lock_guard lock(making_);
  if (!model_) model_ = std::make_unique<const Model<Real>>(make_(columns_));
  return *model_;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fitted_map(const Region& region, std::vector<double> coef, double intercept,
                                              Normalize normalize, std::vector<double> values) {
  FitReport report;
  report.intercept = intercept;
  set_sparsity(report, region, coef);
  auto out = std::make_unique<FittedModel<Real>>(
      std::move(values), std::move(coef), [region, intercept, normalize](std::span<const double> columns) {
        return Model<Real>(LinearModel{region.spread<double>(columns), intercept, normalize, region.mask()});
      });
  out->report = std::move(report);
  return out;
}

void set_sparsity(FitReport& report, const Region& region, std::span<const double> coef) {
  const auto zeros = static_cast<double>(std::ranges::count(coef, 0.0));
  const auto inside = static_cast<double>(region.size()), box = static_cast<double>(region.box().size());
  report.sparsity = (box - inside + zeros) / box;
  report.sparsity_in_mask = zeros / inside;
}

#define STURM_INSTANTIATE(Real)                                                                                 \
  template class FittedModel<Real>;                                                                             \
  template std::unique_ptr<FittedModel<Real>> fitted_map(const Region&, std::vector<double>, double, Normalize, \
                                                         std::vector<double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
