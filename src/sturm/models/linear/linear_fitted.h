// SPDX-License-Identifier: BSD-3-Clause
// A fitted model that is its coefficients, with the decision values of the samples it was made from.
#pragma once

#include <mutex>

#include "sturm/models/method.h"

namespace sturm {

/// Holds the coefficients of the region's voxels; the map on the box is made when somebody asks for it, which
/// cross-validation does once in hundreds of fits.
template <class Real>
class LinearFitted : public FittedModel<Real> {
 public:
  LinearFitted(Region region, std::vector<double> coef, double intercept, Normalize normalize,
               std::vector<double> values)
      : region_(std::move(region)),
        coef_(std::move(coef)),
        intercept_(intercept),
        normalize_(normalize),
        values_(std::move(values)) {}

  std::vector<double> decision_values() const override { return values_; }
  std::vector<double> decision_values(const Design<Real>& x) const override {
    return sturm::decision_values(*linear(), x);
  }
  const LinearModel* linear() const override {
    std::call_once(once_, [this] {
      model_ = std::make_unique<const LinearModel>(
          LinearModel{region_.spread<double>(coef_), intercept_, normalize_, region_.mask()});
    });
    return model_.get();
  }
  std::span<const double> columns() const override { return coef_; }

 private:
  Region region_;
  std::vector<double> coef_;
  double intercept_;
  Normalize normalize_;
  std::vector<double> values_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const LinearModel> model_;
};

/// The part of the box, and of the region, whose coefficients are 0.
inline void set_sparsity(FitReport& report, const Region& region, std::span<const double> coef) {
  const auto zeros = static_cast<double>(std::ranges::count(coef, 0.0));
  const auto inside = static_cast<double>(region.size()), box = static_cast<double>(region.box().size());
  report.sparsity = (box - inside + zeros) / box;
  report.sparsity_in_mask = zeros / inside;
}

}  // namespace sturm
