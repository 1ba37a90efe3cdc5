// SPDX-License-Identifier: BSD-3-Clause
// Small designs and problems for the tests of the solver.
#pragma once

#include <gtest/gtest.h>

#include "backends.h"
#include "sturm/core/rng.h"
#include "sturm/solver/batch.h"

namespace sturm::test {

/// From volumes as tensors, sample by sample.
template <class Real>
Design<Real> design_of(const std::vector<Tensor>& volumes) {
  const auto samples = static_cast<Index>(volumes.size());
  const Shape shape = volumes.front().shape();
  AlignedVector<Real> x(samples * shape.size());
  for (Index m = 0; m < samples; ++m)
    for (Index v = 0; v < shape.size(); ++v) x[m + samples * v] = static_cast<Real>(volumes[m].data()[v]);
  return Design<Real>::owning(shape, samples, std::move(x));
}

template <class Real>
Design<Real> random_design(const Shape& shape, Index samples, std::uint64_t seed, double scale = 1) {
  Rng rng(seed, 77);
  AlignedVector<Real> x(samples * shape.size());
  for (Real& v : x) v = static_cast<Real>(scale * rng.normal());
  return Design<Real>::owning(shape, samples, std::move(x));
}

inline std::vector<double> random_labels(Index samples, std::uint64_t seed, double scale = 1) {
  Rng rng(seed, 78);
  std::vector<double> y(samples);
  for (double& v : y) v = scale * rng.normal();
  return y;
}

/// All rows, weight 1, no centring, no mask.
template <class Real>
std::shared_ptr<const View<Real>> plain_view(const Design<Real>& x) {
  return std::make_shared<const View<Real>>(x, RowMap(std::vector<double>(x.samples(), 1.0), false),
                                            std::vector<Real>{}, std::vector<std::uint8_t>{});
}

template <class Real>
Solution<Real> solve_one(const Design<Real>& x, const Problem<Real>& problem, double gap, int iterations = 0,
                         linalg::Backend& backend = first_backend()) {
  BatchOptions<Real> options{backend};
  options.solver.gap = gap;
  options.solver.iterations = iterations;
  return std::move(solve_batch<Real>(x, {&problem, 1}, options).front());
}

/// Solves on the backend of the test.
class SolverOnBackend : public OnBackend {
 protected:
  template <class Real>
  Solution<Real> solve_one(const Design<Real>& x, const Problem<Real>& problem, double gap, int iterations = 0) {
    return test::solve_one(x, problem, gap, iterations, backend);
  }
};

}  // namespace sturm::test
