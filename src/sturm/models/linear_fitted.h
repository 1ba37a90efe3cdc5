// SPDX-License-Identifier: BSD-3-Clause
// A fitted model that is its coefficients, with the decision values of the samples it was made from.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

template <class Real>
class LinearFitted : public FittedModel<Real> {
 public:
  LinearFitted(LinearModel model, std::vector<double> values) : model_(std::move(model)), values_(std::move(values)) {}
  std::vector<double> decision_values() const override { return values_; }
  std::vector<double> decision_values(const Design<Real>& x) const override {
    return sturm::decision_values(model_, x);
  }
  const LinearModel* linear() const override { return &model_; }

 private:
  LinearModel model_;
  std::vector<double> values_;
};

}  // namespace sturm
