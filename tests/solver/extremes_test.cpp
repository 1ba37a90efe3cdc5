// SPDX-License-Identifier: BSD-3-Clause
// Penalties over all decades that a double has: what a solution claims holds outside the solver, what progress shows is
// what is proven in the end, and nothing runs for ever.
#include <cmath>
#include <limits>

#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/solver/certificate.h"

namespace sturm {
namespace {

constexpr double tiny = std::numeric_limits<double>::denorm_min();

template <class Real>
struct Small {
  Shape shape{5, 4, 6};
  Index samples = 12;
  Design<Real> x = test::random_design<Real>(shape, samples, 91);
  std::vector<double> y = test::random_labels(samples, 92, 3);
  std::vector<Tensor> volumes;

  Small() {
    for (Index m = 0; m < samples; ++m) {
      volumes.emplace_back(shape);
      for (Index v = 0; v < shape.size(); ++v) volumes.back().data()[v] = static_cast<double>(x.column(v)[m]);
    }
  }

  /// How far rounding of the products x w to Real can move the square loss at w.
  double loss_rounding(const Tensor& w) const {
    double residual = 0, rounding = 0;
    for (std::size_t m = 0; m < volumes.size(); ++m) {
      double sum = 0, absolute = 0;
      for (Index v = 0; v < w.shape().size(); ++v) {
        sum += volumes[m].data()[v] * w.data()[v];
        absolute += std::abs(volumes[m].data()[v] * w.data()[v]);
      }
      residual += (y[m] - sum) * (y[m] - sum);
      rounding += absolute * absolute;
    }
    const double d = std::numeric_limits<Real>::epsilon() / 2 * std::sqrt(rounding);
    return std::sqrt(residual) * d + d * d / 2;
  }

  /// `limit`: of iterations; those that need no low-rank step, or none of l1, must do with few.
  Solution<Real> expect_honest(double tau, double gamma, bool converges, int limit = 2000) const {
    SCOPED_TRACE("tau " + std::to_string(std::log10(tau)) + ", gamma " + std::to_string(std::log10(gamma)) +
                 (sizeof(Real) == 4 ? ", float" : ", double"));
    const Problem<Real> problem{test::plain_view(x), y, tau, gamma};
    BatchOptions<Real> options{test::first_backend()};
    options.solver.gap = 1e-3;
    options.solver.iterations = limit;
    double shown = 1, last = -1;
    options.progress = [&shown, &last](const FitProgress& now) {
      (now.active > 0 ? shown : last) = now.gap;
      return true;
    };
    Solution<Real> s = std::move(solve_batch<Real>(x, {&problem, 1}, options).front());
    EXPECT_EQ(s.status != Status::iteration_limit, s.gap <= 1e-3);
    if (converges) {
      EXPECT_LE(s.gap, 1e-3) << s.iterations << " iterations";
    }
    EXPECT_TRUE(std::isfinite(s.objective) && std::isfinite(s.dual)) << s.objective << " " << s.dual;
    // Outside: the objective from the volumes, and the dual value from theta and the split as they are.
    const Tensor w = cast<double>(s.w);
    const double primal = oracle::objective(volumes, y, w, tau, gamma);
    EXPECT_NEAR(s.objective, primal, 1e-6 * primal + 1e-12);  // Gram matrices of float problems
    if (converges) {
      FeasiblePoint point;
      certify(x, problem, s.w, s.theta, s.split, &point);
      if (tau == 0) point.split.emplace_back(shape);
      // Sums of X'theta round at 1e-14: a gamma not far above that is 0 for whoever recomputes it.
      const double used = gamma < 1e-7 ? 0 : gamma;
      EXPECT_NEAR(s.dual, oracle::dual(volumes, y, point.theta, point.split[0], tau, used), 1e-5 * primal);
    }
    EXPECT_LE(s.dual, primal * (1 + 1e-6) + 1e-12);
    // The last word is the proof. What was shown before it is of iterates in Real, so it can be better than the proof
    // by the rounding of X w alone: with |X||w| rounded by d, the loss moves by |residual| d + d^2/2.
    if (tau > 0 || gamma > 0) {
      EXPECT_EQ(last, s.gap);
      if (s.status == Status::iteration_limit) {
        EXPECT_LE(s.gap, shown + loss_rounding(w) / primal);
      }
    }
    return s;
  }
};

template <class Real>
void expect_every_decade_is_honest() {
  const Small<Real> small;
  for (const double gamma : {0.3, 3.0})
    for (const double tau :
         {0.0,  tiny, 1e-310, 1e-300, 1e-100, 1e-30, 1e-20, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9,  1e-8,   1e-7,
          1e-6, 1e-5, 1e-4,   1e-3,   1e-2,   0.1,   1.0,   10.0,  1e3,   1e10,  1e100, 1e300, 1.7e308})
      small.expect_honest(tau, gamma, true);
  for (const double tau : {0.3, 3.0})
    for (const double gamma :
         {0.0,  tiny, 1e-310, 1e-300, 1e-100, 1e-30, 1e-20, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9,   1e-8,
          1e-7, 1e-6, 1e-5,   1e-4,   1e-3,   1e-2,  10.0,  1e3,   1e10,  1e100, 1e300, 1.7e308})
      small.expect_honest(tau, gamma, true);
}

TEST(Extremes, EveryDecadeIsHonestInFloat) { expect_every_decade_is_honest<float>(); }
TEST(Extremes, EveryDecadeIsHonestInDouble) { expect_every_decade_is_honest<double>(); }

// Both penalties far below what matters: interpolation. Whether a gap can be proven there depends on the precision;
// what is said of it must be true.
template <class Real>
void expect_both_tiny_is_honest() {
  const Small<Real> small;
  for (const double both : {1e-3, 1e-6, 1e-9, 1e-12, 1e-16, 1e-20, 1e-100, 1e-300, 1e-310, tiny})
    for (const double ratio : {1.0, 0.1, 10.0}) small.expect_honest(both, both * ratio, false, 300);
}

TEST(Extremes, BothTinyIsHonestInFloat) { expect_both_tiny_is_honest<float>(); }
TEST(Extremes, BothTinyIsHonestInDouble) { expect_both_tiny_is_honest<double>(); }

// The fit of the bug: tau 1e-20 beside gamma 0.1 took 20,000 iterations and ended with a gap of 1.
TEST(Extremes, ATauThatDoesNotMatterCostsNothing) {
  const Small<float> small;
  const Solution<float> with = small.expect_honest(1e-20, 0.1, true), without = small.expect_honest(0, 0.1, true);
  EXPECT_LE(with.iterations, 2 * without.iterations + 20);
}

}  // namespace
}  // namespace sturm
