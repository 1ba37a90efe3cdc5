// SPDX-License-Identifier: BSD-3-Clause
// The square loss: L = 1/2 |y - p|^2, theta = y - p, f = 1/2 |theta|^2 - y'theta everywhere.
#include "sturm/loss/square.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/loss/loss.h"

namespace sturm {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class SquareLoss final : public Loss {
 public:
  std::string name() const override { return "square"; }
  bool folds_weights() const override { return true; }
  void require_labels(const Labels&) const override {}

  double value(const Labels& labels, std::span<const double> p) const override {
    double sum = 0;
    for (std::size_t m = 0; m < p.size(); ++m) sum += (labels.y[m] - p[m]) * (labels.y[m] - p[m]);
    return sum / 2;
  }
  void dual_point(const Labels& labels, std::span<const double> p, std::span<double> theta) const override {
    for (std::size_t m = 0; m < p.size(); ++m) theta[m] = labels.y[m] - p[m];
  }

  double conjugate(const Labels& labels, std::span<const double> theta) const override {
    return dot(theta, theta) / 2 - dot(labels.y, theta);
  }
  void conjugate_slope(const Labels& labels, std::span<const double> theta, std::span<double> slope) const override {
    for (std::size_t m = 0; m < theta.size(); ++m) slope[m] = theta[m] - labels.y[m];
  }
  void curvature(const Labels&, std::span<const double>, std::vector<double>&) const override {}
  double longest_step(const Labels&, std::span<const double>, std::span<const double>) const override { return 1; }

  double best_dual(const Labels& labels, std::span<const double> theta, double most) const override {
    return best_square_dual(dot(labels.y, theta), dot(theta, theta), most);
  }
  double value_at_zero(const Labels& labels) const override {
    const double size = std::sqrt(dot(labels.y, labels.y));
    return size * size / 2;
  }
  double best_dual_at_zero(const Labels& labels, double most) const override {  // theta = y
    const double size = std::sqrt(dot(labels.y, labels.y));
    return best_square_dual(size * size, size * size, most);
  }
};

}  // namespace

double best_square_dual(double a, double b, double most) {
  if (!(b > 0)) return 0;
  const double s = std::min(std::max(a / b, 0.0), most);
  return s * a - s * s * b / 2;
}

const LossPointer& square_loss() {
  static const LossPointer loss = std::make_shared<const SquareLoss>();
  return loss;
}

}  // namespace sturm
