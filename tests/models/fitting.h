// SPDX-License-Identifier: BSD-3-Clause
// A method fitted to one or many tasks, and how well it does on samples that it has not seen.
#pragma once

#include "models/study.h"
#include "sturm/models/method.h"

namespace sturm::test {

template <class Real>
std::vector<std::unique_ptr<FittedModel<Real>>> fit_tasks(const Method<Real>& method, const FitData<Real>& data,
                                                          const std::vector<FitTask>& tasks) {
  std::vector<std::unique_ptr<FittedModel<Real>>> out(tasks.size());
  method.fit(data, tasks, {}, [&](Index t, std::unique_ptr<FittedModel<Real>> model) { out[t] = std::move(model); });
  return out;
}

/// Of the samples of weight 0, the part whose sign is right.
inline double held_out_accuracy(const std::vector<double>& values, const FitTask& task) {
  double right = 0, count = 0;
  for (std::size_t m = 0; m < values.size(); ++m) {
    if (task.weights[m] > 0) continue;
    ++count;
    right += values[m] * task.y[m] > 0;
  }
  return right / count;
}

/// The first half of the samples is the training set.
inline FitTask half_task(const std::vector<double>& y, std::vector<double> setting) {
  FitTask out{y, std::vector<double>(y.size(), 1.0), std::move(setting)};
  for (std::size_t m = y.size() / 2; m < y.size(); ++m) out.weights[m] = 0;
  return out;
}

inline std::vector<double> coin_labels(std::size_t samples, std::uint64_t seed) {
  Rng rng(seed, 6);
  std::vector<double> out;
  for (std::size_t m = 0; m < samples; ++m) out.push_back(rng.uniform() < 0.5 ? -1 : 1);
  return out;
}

/// A smooth bump of length 1.
inline std::vector<double> bump(Index n, double centre, double width) {
  std::vector<double> out(n);
  double norm = 0;
  for (Index i = 0; i < n; ++i) {
    out[i] = std::exp(-std::pow((static_cast<double>(i) - centre) / width, 2) / 2);
    norm += out[i] * out[i];
  }
  for (double& v : out) v /= std::sqrt(norm);
  return out;
}

inline Tensor outer(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
  Tensor out(Shape{static_cast<Index>(a.size()), static_cast<Index>(b.size()), static_cast<Index>(c.size())});
  for (std::size_t k = 0; k < c.size(); ++k)
    for (std::size_t j = 0; j < b.size(); ++j)
      for (std::size_t i = 0; i < a.size(); ++i)
        out(static_cast<Index>(i), static_cast<Index>(j), static_cast<Index>(k)) = a[i] * b[j] * c[k];
  return out;
}

}  // namespace sturm::test
