// SPDX-License-Identifier: BSD-3-Clause
// How the gap is found on the way: best values never get worse, the gap bounds what is missing at every check, and what
// is reported is the proof.
#include "solver/small_problem.h"
#include "sturm/solver/certificate.h"

namespace sturm {
namespace {

class BatchCheck : public test::SolverOnBackend {
 protected:
  template <class Real>
  void expect_bounds(double gap, double rounding);
};

// One term and three; with both penalties, either alone; with a mask, where B is no point to offer. `rounding`: of
// values on the way, which are in the precision of the design.
template <class Real>
void BatchCheck::expect_bounds(double gap, double rounding) {
  const auto x = test::random_design<Real>({6, 5, 4}, 16, 73);
  const std::vector<double> y = test::random_labels(16, 74);
  std::vector<std::uint8_t> mask(x.voxels(), 1);
  for (Index v = 0; v < x.voxels(); v += 4) mask[v] = 0;
  for (const auto& inside : {std::vector<std::uint8_t>{}, mask})
    for (const bool several : {false, true})
      for (const auto& [tau, gamma] : {std::pair{1.0, 0.4}, {2.0, 0.0}, {0.0, 0.7}}) {
        SCOPED_TRACE((inside.empty() ? "" : "masked, ") + std::string(several ? "three terms, tau " : "tau ") +
                     std::to_string(tau) + ", gamma " + std::to_string(gamma));
        Problem<Real> problem{std::make_shared<const View<Real>>(x, RowMap(std::vector<double>(16, 1.0), true),
                                                                 std::vector<Real>{}, inside),
                              y, tau, gamma};
        problem.y = problem.view->rows.apply(y);
        if (several) problem.penalty = overlapped_nuclear_norm(x.region());
        problem.trace = true;
        const Solution<Real> s = solve_one(x, problem, gap), finest = solve_one(x, problem, gap / 100, 2000);
        ASSERT_EQ(s.status, Status::converged);
        ASSERT_FALSE(s.trace.empty());
        // No W is better than the best dual value.
        const double optimum = finest.dual;
        for (std::size_t i = 0; i < s.trace.size(); ++i) {
          const TraceRow& row = s.trace[i];
          EXPECT_GE(row.gap, 0);
          EXPECT_GE(row.objective, optimum * (1 - rounding));
          EXPECT_GE(row.gap * row.objective, row.objective - finest.objective - rounding * row.objective);
          if (i == 0) continue;
          { EXPECT_GT(row.iteration, s.trace[i - 1].iteration); }
          EXPECT_LE(row.objective, s.trace[i - 1].objective);
          EXPECT_LE(row.gap, s.trace[i - 1].gap * (1 + rounding));
        }
        EXPECT_EQ(s.trace.front().iteration, 3) << "the first check";
        EXPECT_EQ(s.trace.back().iteration, s.iterations);
        const Certificate proof = certify(x, problem, s.w, s.theta, s.split);
        EXPECT_EQ(proof.primal, s.objective);
        EXPECT_EQ(proof.dual, s.dual);
        EXPECT_EQ(proof.gap(), s.gap);
        EXPECT_NEAR(s.trace.back().objective, proof.primal, rounding * proof.primal);
      }
}

TEST_P(BatchCheck, BoundsHoldOnTheWayInFloat) { expect_bounds<float>(1e-3, 1e-5); }
TEST_P(BatchCheck, BoundsHoldOnTheWayInDouble) { expect_bounds<double>(1e-6, 1e-12); }

STURM_ON_EVERY_BACKEND(BatchCheck);

}  // namespace
}  // namespace sturm
