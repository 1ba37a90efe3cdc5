// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/loss/sample_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/error.h"

namespace sturm {
namespace {

/// A step goes so far of the way to the edge of the domain, where the slope of the conjugate may be infinite.
constexpr double way_to_the_edge = 0.99;

bool inside(const Domain& d, double theta) { return theta > d.low && theta < d.high; }

}  // namespace

void SampleLoss::require_labels(const Labels& labels) const {
  for (std::size_t m = 0; m < labels.y.size(); ++m)
    if (labels.weights[m] > 0 && !is_label(labels.y[m]))
      throw Error("the " + name() + " loss knows no label such as the " + std::to_string(labels.y[m]) + " of sample " +
                  std::to_string(m + 1));
}

double SampleLoss::value(const Labels& labels, std::span<const double> p) const {
  double sum = 0;
  for (std::size_t m = 0; m < p.size(); ++m)
    if (const double s = labels.weights[m]; s > 0) sum += s * value_of(p[m], labels.y[m]);
  return sum;
}

void SampleLoss::dual_point(const Labels& labels, std::span<const double> p, std::span<double> theta) const {
  for (std::size_t m = 0; m < p.size(); ++m) {
    const double s = labels.weights[m];
    theta[m] = s > 0 ? s * dual_point_of(p[m], labels.y[m]) : 0;
  }
}

double SampleLoss::conjugate(const Labels& labels, std::span<const double> theta) const {
  double sum = 0;
  for (std::size_t m = 0; m < theta.size(); ++m)
    if (const double s = labels.weights[m]; s > 0) {
      const Domain d = domain_of(labels.y[m]);
      const double t = theta[m] / s;
      if (std::isnan(t)) return t;
      if (t < d.low || t > d.high) return std::numeric_limits<double>::infinity();
      sum += s * conjugate_of(t, labels.y[m]);
    } else if (theta[m] != 0) {
      return std::numeric_limits<double>::infinity();
    }
  return sum;
}

void SampleLoss::conjugate_slope(const Labels& labels, std::span<const double> theta, std::span<double> slope) const {
  for (std::size_t m = 0; m < theta.size(); ++m) {
    const double s = labels.weights[m];
    slope[m] = s > 0 ? slope_of(theta[m] / s, labels.y[m]) : 0;
  }
}

/// A sample of weight 0 has nothing in X~ and a slope of 0: with any curvature its theta stays 0.
void SampleLoss::curvature(const Labels& labels, std::span<const double> theta, std::vector<double>& weights) const {
  weights.resize(theta.size());
  for (std::size_t m = 0; m < theta.size(); ++m) {
    const double s = labels.weights[m];
    weights[m] = s > 0 ? curvature_of(theta[m] / s, labels.y[m]) / s : 1;
  }
}

double SampleLoss::longest_step(const Labels& labels, std::span<const double> theta,
                                std::span<const double> direction) const {
  double step = 1;
  for (std::size_t m = 0; m < theta.size(); ++m) {
    const double s = labels.weights[m], d = direction[m];
    if (!(s > 0) || d == 0) continue;
    const Domain of = domain_of(labels.y[m]);
    const double edge = s * (d > 0 ? of.high : of.low);
    if (std::isfinite(edge)) step = std::min(step, way_to_the_edge * (edge - theta[m]) / d);
    // What is left of the way may be less than rounding.
    while (step > 0 && !inside(of, (theta[m] + step * d) / s)) step = step > 1e-12 ? step / 2 : 0;
  }
  return step;
}

/// The slope of -f(s theta) along s falls: its root is halved out. Every s gives a bound that holds, so that the search
/// need not be exact.
double SampleLoss::best_dual(const Labels& labels, std::span<const double> theta, double most) const {
  std::vector<double> at(theta.size()), slope(theta.size());
  const auto scaled = [&](double s) {
    for (std::size_t m = 0; m < theta.size(); ++m) at[m] = s * theta[m];
    return std::span<const double>(at);
  };
  const auto falls = [&](double s) {  // at s already; and outside the domain it does
    conjugate_slope(labels, scaled(s), slope);
    double sum = 0;
    for (std::size_t m = 0; m < theta.size(); ++m) {
      const double weight = labels.weights[m], t = theta[m];
      if (t == 0) continue;
      if (!(weight > 0) || !inside(domain_of(labels.y[m]), at[m] / weight)) return true;
      sum += slope[m] * t;
    }
    return !(sum < 0);
  };
  const double whole = -conjugate(labels, scaled(most));
  if (std::isnan(whole)) return whole;
  if (most > 0 && std::isfinite(whole) && !falls(most)) return whole;
  double low = 0, high = most;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (falls(middle) ? high : low) = middle;
  }
  return std::max(whole, -conjugate(labels, scaled(low)));
}

}  // namespace sturm
