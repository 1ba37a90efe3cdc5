// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/zero_point.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/small_problem.h"
#include "sturm/penalty/penalty.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

using test::plain_view;
using test::random_design;
using test::random_labels;

struct Case {
  Shape shape;
  int left_out;  ///< every so many-th voxel is outside the region; 0: none
  bool several;  ///< the overlapped norm, with three terms
  double unit;   ///< of the volumes
};

class SinglePrecision : public testing::TestWithParam<Case> {};

template <class Real>
ZeroPoint found(const Case& c, double balance, double accuracy) {
  const Index samples = 12;
  std::vector<std::uint8_t> mask(c.shape.size(), 1);
  if (c.left_out > 0)
    for (std::size_t v = 0; v < mask.size(); v += c.left_out) mask[v] = 0;
  // The same numbers in both precisions.
  const Design<float> narrow = masked(test::random_design<float>(c.shape, samples, 3, c.unit), mask);
  AlignedVector<Real> x(narrow.x().begin(), narrow.x().end());
  const auto design = Design<Real>::owning(narrow.region(), samples, std::move(x));
  const PenaltyPointer penalty =
      c.several ? overlapped_nuclear_norm(design.region()) : tubal_nuclear_norm(design.region());
  return zero_point(design, *test::plain_view(design), test::random_labels(samples, 4), balance, test::first_backend(),
                    accuracy, penalty);
}

// Both brackets hold the true point, so they meet; the one of single precision is as narrow as was asked for.
TEST_P(SinglePrecision, BracketsTheSamePoint) {
  for (const double balance : {0.1, 0.5, 0.9}) {
    const ZeroPoint exact = found<double>(GetParam(), balance, 1e-5);
    for (const double accuracy : {1e-2, 1e-3}) {
      const ZeroPoint fast = found<float>(GetParam(), balance, accuracy);
      EXPECT_LE(fast.low, exact.high * (1 + 1e-12)) << balance;
      EXPECT_GE(fast.high, exact.low * (1 - 1e-12)) << balance;
      EXPECT_LE(fast.high - fast.low, accuracy * fast.high) << balance;
      EXPECT_NEAR(fast.tau_alone, exact.tau_alone, 1e-5 * exact.tau_alone);
      EXPECT_NEAR(fast.gamma_alone, exact.gamma_alone, 1e-5 * exact.gamma_alone);
    }
  }
}

// Boxes and regions, odd and even tubes, one term and three, and volumes whose squares leave single precision.
INSTANTIATE_TEST_SUITE_P(Shapes, SinglePrecision,
                         testing::Values(Case{{6, 5, 4}, 0, false, 1}, Case{{5, 7, 5}, 3, false, 1},
                                         Case{{4, 5, 6}, 2, true, 1}, Case{{5, 4, 3}, 0, true, 1},
                                         Case{{6, 5, 1}, 4, false, 1}, Case{{6, 5, 4}, 3, false, 1e15},
                                         Case{{6, 5, 4}, 3, false, 1e-15}));

class ZeroPoints : public test::SolverOnBackend {};

TEST_P(ZeroPoints, IsBracketedAndTrue) {
  const Design<double> x = random_design<double>({7, 6, 5}, 14, 10);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(14, 11);
  for (const double balance : {0.0, 0.01, 0.3, 0.7, 0.99, 1.0}) {
    const ZeroPoint z = zero_point(x, *view, y, balance, backend, 1e-4);
    EXPECT_LE(z.low, z.high);
    EXPECT_LE(z.high - z.low, 1e-4 * z.high) << balance;
    const auto at = [&](double c) {
      return solve_one<double>(x, {view, y, c * balance * z.tau_alone, c * (1 - balance) * z.gamma_alone}, 1e-9);
    };
    EXPECT_EQ(at(z.high * 1.0001).status, Status::zero_solution) << balance;
    EXPECT_GT(max_abs(at(z.low * 0.99).w), 0) << balance;
  }
  EXPECT_THROW(zero_point(x, *view, y, 1.5, backend), UsageError);
}

STURM_ON_EVERY_BACKEND(ZeroPoints);

}  // namespace
}  // namespace sturm
