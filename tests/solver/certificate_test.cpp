// SPDX-License-Identifier: BSD-3-Clause
// What is not a number never passes for a proof.
#include "sturm/solver/certificate.h"

#include <limits>

#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

/// One number of X, y, W, theta or the split is replaced, everywhere in turn; no certificate may hold.
template <class Real>
void expect_refused(bool overlapped, bool region, bool has_mask, double tau, double gamma) {
  SCOPED_TRACE(std::string(overlapped ? "overlapped" : "tubal") + (region ? ", region" : "") +
               (has_mask ? ", mask" : "") + ", tau " + std::to_string(tau) + ", gamma " + std::to_string(gamma));
  const Shape shape{3, 4, 3};
  std::vector<std::uint8_t> some(shape.size(), 1);
  for (Index v = 0; v < shape.size(); v += 4) some[v] = 0;
  const Design<Real> whole = test::random_design<Real>(shape, 9, 81), x = region ? masked(whole, some) : whole;
  std::vector<std::uint8_t> mask;
  for (Index v = 0; v < x.voxels() && has_mask; ++v) mask.push_back(v % 5 != 1);
  const auto view_of = [&](const Design<Real>& of) {
    return std::make_shared<const View<Real>>(of, RowMap(std::vector<double>(9, 1.0), false), std::vector<Real>{},
                                              mask);
  };
  Problem<Real> problem{view_of(x), test::random_labels(9, 82), tau, gamma,
                        overlapped ? overlapped_nuclear_norm(x.region()) : tubal_nuclear_norm(x.region())};
  Solution<Real> s = test::solve_one(x, problem, 1e-3);
  const auto gap = [&](const Design<Real>& of, const Problem<Real>& with) {
    return certify(of, with, s.w, s.theta, s.split).gap();
  };
  ASSERT_LE(gap(x, problem), 1e-3) << "without it, it is a proof";
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    const auto replaced = [&](auto& numbers, const std::string& what) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto before = numbers[i];
        numbers[i] = static_cast<std::remove_reference_t<decltype(numbers[i])>>(bad);
        EXPECT_EQ(gap(x, problem), std::numeric_limits<double>::infinity()) << bad << " in " << what << " at " << i;
        numbers[i] = before;
      }
    };
    auto w = s.w.flat();
    replaced(w, "W");
    replaced(s.theta, "theta");
    replaced(problem.y, "y");
    for (auto& part : s.split) {
      auto numbers = part.flat();
      if (tau > 0) replaced(numbers, "the split");  // without a low-rank part there is none
    }
    // The design comes with its view as it was: a view of numbers that are none has no eigenvalues to speak of.
    // Outside its mask X is no part of the problem.
    for (std::size_t i = 0; i < x.x().size(); ++i) {
      if (!mask.empty() && !mask[i / x.samples()]) continue;
      AlignedVector<Real> numbers(x.x().begin(), x.x().end());
      numbers[i] = static_cast<Real>(bad);
      const auto other = Design<Real>::owning(x.region(), x.samples(), std::move(numbers));
      EXPECT_EQ(gap(other, problem), std::numeric_limits<double>::infinity()) << bad << " in X at " << i;
    }
  }
  EXPECT_LE(gap(x, problem), 1e-3);
}

template <class Real>
void expect_refused_everywhere() {
  for (const bool overlapped : {false, true})
    for (const bool region : {false, true})
      for (const bool has_mask : {false, true})
        for (const auto& [tau, gamma] : {std::pair<double, double>{1.0, 0.4}, {1.0, 0}, {0, 0.4}, {50, 20}})
          expect_refused<Real>(overlapped, region, has_mask, tau, gamma);
}

TEST(Certificate, NotNumbersAreNoProofInFloat) { expect_refused_everywhere<float>(); }
TEST(Certificate, NotNumbersAreNoProofInDouble) { expect_refused_everywhere<double>(); }

// Without penalties only theta with X~'theta = 0 is feasible.
TEST(Certificate, NotNumbersAreNoProofOfLeastSquares) {
  for (const bool overlapped : {false, true}) expect_refused<double>(overlapped, false, false, 0, 0);
}

struct Small {
  Shape shape{4, 3, 5};
  Design<double> x = test::random_design<double>(shape, 8, 83);
  std::vector<Tensor> volumes;
  Problem<double> problem;

  Small(double tau, double gamma) : problem{test::plain_view(x), test::random_labels(8, 84), tau, gamma} {
    for (Index m = 0; m < 8; ++m) {
      volumes.emplace_back(shape);
      for (Index v = 0; v < shape.size(); ++v) volumes.back().data()[v] = x.column(v)[m];
    }
  }
};

// theta and split of the point are feasible as they are: the oracle, which divides by whatever makes them so, finds the
// dual value of the certificate, from a split that was feasible, was clipped, or is far outside.
TEST(Certificate, ThePointIsFeasibleAndWorthTheDualValue) {
  for (const double spoiled : {0.0, 1e-9, 0.3, 1e6}) {
    const Small small(1.0, 0.4);
    Solution<double> s = test::solve_one(small.x, small.problem, 1e-6);
    const Tensor noise = random_normal(small.shape, 85);
    s.split[0] = s.split[0] + spoiled * noise;
    FeasiblePoint point;
    const Certificate proof = certify(small.x, small.problem, s.w, s.theta, s.split, &point);
    ASSERT_EQ(point.split.size(), 1U);
    const double again = oracle::dual(small.volumes, small.problem.y, point.theta, point.split[0], 1.0, 0.4);
    EXPECT_NEAR(proof.dual, again, 1e-12 * proof.primal) << spoiled;
    EXPECT_LE(oracle::spectral(point.split[0]), 1.0 + 1e-12);
  }
}

// A split that is rounding beside its tau, as that of a tiny tau is, does not cost the proof: 0 would do for it.
TEST(Certificate, ASplitFarOutsideItsBallIsShrunk) {
  const Small small(1e-20, 0.4), plain(0, 0.4);
  Solution<double> s = test::solve_one(plain.x, plain.problem, 1e-6);
  s.split = empty_copies<double>(*tubal_nuclear_norm(small.shape));
  s.split[0] = 1e-9 * random_normal(small.shape, 86);
  EXPECT_LE(certify(small.x, small.problem, s.w, s.theta, s.split).gap(), 1e-6 + 1e-7);
}

// Where no multiple of theta but 0 is feasible the dual value is 0, and the gap says so: 1, not infinite.
TEST(Certificate, NothingFeasibleIsADualValueOfZero) {
  const Small small(1e-310, 1e-310), plain(1, 0.4);
  const Solution<double> s = test::solve_one(plain.x, plain.problem, 1e-3);
  const Certificate proof = certify(small.x, small.problem, s.w, s.theta, s.split);
  EXPECT_EQ(proof.dual, 0);
  EXPECT_EQ(proof.gap(), 1);
}

}  // namespace
}  // namespace sturm
