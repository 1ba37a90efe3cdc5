// SPDX-License-Identifier: BSD-3-Clause
// Two classes of small volumes for the tests of the methods, and a way to fit one task.
#pragma once

#include <map>

#include "solver/small_problem.h"
#include "sturm/models/method.h"
#include "sturm/models/model.h"

namespace sturm::test {

/// Volumes of noise with a mean far from 0; those of class +1 have `shift` more in every third voxel.
struct TwoClasses {
  Design<double> design;
  std::vector<double> y;
};

inline TwoClasses two_classes(const Shape& shape, Index samples, double shift, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> y;
  AlignedVector<double> x(samples * shape.size());
  for (Index i = 0; i < samples; ++i) y.push_back(i % 3 == 0 ? 1 : -1);
  for (Index v = 0; v < shape.size(); ++v)
    for (Index i = 0; i < samples; ++i)
      x[v * samples + i] =
          static_cast<double>(static_cast<float>(5 + rng.normal() + (v % 3 == 0 && y[i] > 0 ? shift : 0)));
  return {Design<double>::owning(shape, samples, std::move(x)), std::move(y)};
}

template <class To>
Design<To> converted(const Design<double>& x) {
  AlignedVector<To> out(x.x().size());
  std::ranges::transform(x.x(), out.begin(), [](double v) { return static_cast<To>(v); });
  return Design<To>::owning(x.shape(), x.samples(), std::move(out));
}

/// The models of all tasks, in their order.
template <class Real>
std::vector<std::unique_ptr<FittedModel<Real>>> fit_all(const Method<Real>& method, const FitData<Real>& data,
                                                        const std::vector<FitTask>& tasks,
                                                        const MethodOptions& options = {}) {
  std::vector<std::unique_ptr<FittedModel<Real>>> out(tasks.size());
  method.fit(data, tasks, options, [&](Index t, std::unique_ptr<FittedModel<Real>> model) {
    EXPECT_FALSE(out[t]) << "task " << t << " was handed over twice";
    out[t] = std::move(model);
  });
  for (const auto& model : out) EXPECT_TRUE(model);
  return out;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_one(const Method<Real>& method, const FitData<Real>& data, const FitTask& task,
                                           const MethodOptions& options = {}) {
  return std::move(fit_all<Real>(method, data, {task}, options).front());
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  EXPECT_EQ(a.size(), b.size());
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

/// Some samples out, the others of different weights.
inline std::vector<double> uneven_weights(Index samples) {
  std::vector<double> out(samples);
  for (Index i = 0; i < samples; ++i) out[i] = i % 5 == 4 ? 0 : 0.5 + 0.25 * static_cast<double>(i % 7);
  return out;
}

}  // namespace sturm::test
