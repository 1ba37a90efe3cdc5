// SPDX-License-Identifier: BSD-3-Clause
#include "logistic_loss/logistic_loss.h"

#include <algorithm>
#include <cmath>

#include "sturm/loss/sample_loss.h"

namespace {

/// a log a, which is 0 at 0.
double entropy(double a) { return a > 0 ? a * std::log(a) : 0; }

class LogisticLoss final : public sturm::SampleLoss {
 public:
  std::string name() const override { return "logistic"; }

 protected:
  bool is_label(double y) const override { return y == 1 || y == -1; }
  double value_of(double p, double y) const override {
    const double q = -y * p;  // log(1 + e^q), where e^q may be too large for a number
    return std::max(q, 0.0) + std::log1p(std::exp(-std::abs(q)));
  }
  double dual_point_of(double p, double y) const override { return y / (1 + std::exp(y * p)); }

  // With a = y theta:  f = a log a + (1 - a) log(1 - a)  for 0 <= a <= 1.
  sturm::Domain domain_of(double y) const override { return {std::min(y, 0.0), std::max(y, 0.0)}; }
  double conjugate_of(double theta, double y) const override { return entropy(y * theta) + entropy(1 - y * theta); }
  double slope_of(double theta, double y) const override { return y * std::log(y * theta / (1 - y * theta)); }
  double curvature_of(double theta, double y) const override { return 1 / (y * theta * (1 - y * theta)); }
};

}  // namespace

sturm::LossPointer logistic_loss() { return std::make_shared<const LogisticLoss>(); }
