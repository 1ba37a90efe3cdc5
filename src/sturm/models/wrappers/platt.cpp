// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/platt.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sturm/core/rng.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
namespace {

/// log(1 + exp(u)) without overflow.
double softplus(double u) { return u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u)); }

}  // namespace

double Sigmoid::probability(double decision) const {
  const double u = slope * decision + offset;
  return u >= 0 ? std::exp(-u) / (1 + std::exp(-u)) : 1 / (1 + std::exp(u));
}

Sigmoid fit_sigmoid(std::span<const double> decision, std::span<const double> y, std::span<const double> weights) {
  if (decision.size() != y.size())
    throw Error("there are " + std::to_string(decision.size()) + " decision values and " + std::to_string(y.size()) +
                " labels");
  const std::vector<double> s = training_weights(weights, y.size());
  double positive = 0, negative = 0;
  for (std::size_t i = 0; i < y.size(); ++i) (y[i] > 0 ? positive : negative) += s[i];
  const double high = (positive + 1) / (positive + 2), low = 1 / (negative + 2);
  // The negative log-likelihood sum s (t u + log(1 + exp(-u))), u = slope f + offset, is convex in both.
  const auto loss = [&](const Sigmoid& at) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double u = at.slope * decision[i] + at.offset;
      sum += s[i] * ((y[i] > 0 ? high : low) * u + softplus(-u));
    }
    return sum;
  };
  Sigmoid now{0, std::log((negative + 1) / (positive + 1))};
  double value = loss(now);
  for (int iteration = 0; iteration < 100; ++iteration) {
    double g1 = 0, g2 = 0, h11 = 1e-12, h12 = 0, h22 = 1e-12;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double f = decision[i], p = now.probability(f), d = s[i] * ((y[i] > 0 ? high : low) - p);
      const double curvature = s[i] * p * (1 - p);
      g1 += f * d;
      g2 += d;
      h11 += f * f * curvature;
      h12 += f * curvature;
      h22 += curvature;
    }
    if (std::max(std::abs(g1), std::abs(g2)) < 1e-10) break;
    const double determinant = h11 * h22 - h12 * h12;
    const double d1 = -(h22 * g1 - h12 * g2) / determinant, d2 = -(h11 * g2 - h12 * g1) / determinant;
    double length = 1;
    for (; length > 1e-10; length /= 2) {
      const Sigmoid next{now.slope + length * d1, now.offset + length * d2};
      const double there = loss(next);
      if (there >= value + 1e-4 * length * (g1 * d1 + g2 * d2)) continue;
      now = next;
      value = there;
      break;
    }
    if (length <= 1e-10) break;  // as far down as rounding lets it
  }
  return now;
}

template <class Real>
Sigmoid fit_sigmoid_on_folds(const Method<Real>& method, const FitData<Real>& data, const FitTask& task,
                             std::span<const int> fold, const MethodOptions& options) {
  if (fold.size() != task.y.size())
    throw Error("there are " + std::to_string(task.y.size()) + " labels and " + std::to_string(fold.size()) +
                " numbers of folds");
  std::vector<double> weights = training_weights(task.weights, task.y.size());
  for (std::size_t i = 0; i < fold.size(); ++i)
    if (fold[i] < 0) weights[i] = 0;
  const int folds = fold.empty() ? 0 : std::ranges::max(fold) + 1;
  std::vector<FitTask> tasks;
  for (int k = 0; k < folds; ++k) {
    FitTask part{task.y, weights, task.setting};
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == k) part.weights[i] = 0;
    tasks.push_back(std::move(part));
  }
  std::vector<double> values(task.y.size());
  method.fit(data, tasks, options, [&](Index k, const std::unique_ptr<FittedModel<Real>>& model) {
    const std::vector<double> found = model->decision_values();
    for (std::size_t i = 0; i < fold.size(); ++i)
      if (fold[i] == k) values[i] = found[i];
  });
  return fit_sigmoid(values, task.y, weights);
}

std::vector<double> balanced_weights(std::span<const double> y, std::span<const double> weights) {
  std::vector<double> out = training_weights(weights, y.size());
  std::map<double, double> total;
  double all = 0;
  for (std::size_t i = 0; i < y.size(); ++i) total[y[i]] += out[i];
  for (const auto& [label, weight] : total) all += weight;
  const auto classes = static_cast<double>(std::max<std::size_t>(2, total.size()));
  for (std::size_t i = 0; i < y.size(); ++i)
    if (out[i] > 0) out[i] *= all / (classes * total[y[i]]);
  return out;
}

template Sigmoid fit_sigmoid_on_folds(const Method<float>&, const FitData<float>&, const FitTask&, std::span<const int>,
                                      const MethodOptions&);
template Sigmoid fit_sigmoid_on_folds(const Method<double>&, const FitData<double>&, const FitTask&,
                                      std::span<const int>, const MethodOptions&);

}  // namespace sturm
