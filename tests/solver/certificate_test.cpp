// SPDX-License-Identifier: BSD-3-Clause
// What is not a number never passes for a proof.
#include "sturm/solver/certificate.h"

#include <limits>

#include "solver/small_problem.h"

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

}  // namespace
}  // namespace sturm
