// SPDX-License-Identifier: BSD-3-Clause
// The weighted sum of docs/add-a-penalty.md, solved for and proven by plain formulas.
#include "weighted_penalty/weighted_sum.h"

#include <cmath>

#include "oracle/crop.h"
#include "oracle/overlapped.h"
#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

constexpr Shape shape{5, 4, 6};
constexpr Index samples = 14;
constexpr double weights[] = {1, 0.5, 2, 0.25};  ///< of the tubal norm and the three unfoldings

PenaltyPointer penalty_over(const Region& region) {
  return weighted_sum({{tubal_nuclear_norm(region), {weights[0]}},
                       {overlapped_nuclear_norm(region), {weights[1], weights[2], weights[3]}}});
}

double norm_of(const Tensor& w) {
  double out = weights[0] * oracle::tnn(w);
  for (int n = 1; n <= 3; ++n) out += weights[n] / 3 * oracle::nuclear(w, n);
  return out;
}

double objective(const std::vector<Tensor>& x, const std::vector<double>& y, const Tensor& w, double tau,
                 double gamma) {
  double out = tau * norm_of(w);
  for (const double v : w.flat()) out += gamma * std::abs(v);
  for (std::size_t m = 0; m < y.size(); ++m) {
    const double r = y[m] - dot(x[m], w);
    out += r * r / 2;
  }
  return out;
}

/// y'theta - |theta|^2/2 after theta and the four parts are scaled: |G1| <= gamma, spec(G2_0) <= c_0 tau, and spectral
/// norms of at most c_n tau / 3 of the unfoldings of the others. Without an l1 norm all take what is missing.
double dual(const std::vector<Tensor>& x, const std::vector<double>& y, const std::vector<double>& theta,
            std::vector<Tensor> g2, double tau, double gamma) {
  Tensor g1(shape);
  for (std::size_t m = 0; m < y.size(); ++m) g1 = g1 + theta[m] * x[m];
  for (const Tensor& part : g2) g1 = g1 - part;
  double excess = 1;
  if (gamma > 0)
    excess = std::max(excess, max_abs(g1) / gamma);
  else
    for (Tensor& part : g2) part = part + 0.25 * g1;
  excess = std::max(excess, oracle::spectral(g2[0]) / (weights[0] * tau));
  for (int n = 1; n <= 3; ++n)
    excess = std::max(excess, oracle::unfolded_values(g2[n], n).front() / (weights[n] * tau / 3));
  double a = 0, b = 0;
  for (std::size_t m = 0; m < y.size(); ++m) {
    a += y[m] * theta[m];
    b += theta[m] * theta[m];
  }
  const double s = b > 0 ? std::min(1 / excess, std::max(a / b, 0.0)) : 0;
  return s * a - s * s * b / 2;
}

class OfWeightedSum : public test::SolverOnBackend {
 protected:
  std::vector<double> y = test::random_labels(samples, 92);

  template <class Real>
  void expect_proven(double gap);
  template <class Real>
  void expect_gap(const Design<Real>& x, const Problem<Real>& p, const Solution<Real>& s, double gap) {
    std::vector<Tensor> volumes(samples, Tensor(shape)), parts{cast<double>(s.split[0])};
    for (Index v = 0; v < shape.size(); ++v)
      for (Index m = 0; m < samples; ++m) volumes[m].data()[v] = static_cast<double>(x.column(v)[m]);
    for (int n = 1; n <= 3; ++n) parts.push_back(oracle::unfolding_in_box(cast<double>(s.split[n]), shape, {}, n));
    const double primal = objective(volumes, y, cast<double>(s.w), p.tau, p.gamma);
    // In single precision the proof adds what Gram matrices may miss, 1e-6 at most.
    EXPECT_NEAR(s.objective, primal, 1e-6 * primal);
    EXPECT_LE(primal - dual(volumes, y, s.theta, parts, p.tau, p.gamma), gap * primal);
  }
};

template <class Real>
void OfWeightedSum::expect_proven(double gap) {
  const auto x = test::random_design<Real>(shape, samples, 91);
  const PenaltyPointer penalty = penalty_over(x.region());
  std::vector<Problem<Real>> problems;
  for (const double tau : {0.2, 1.0})
    for (const double gamma : {0.0, 0.1, 1.0}) problems.push_back({test::plain_view(x), y, tau, gamma, penalty});
  BatchOptions<Real> options{backend};
  options.solver.gap = gap;
  const auto found = solve_batch<Real>(x, problems, options);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(found[i].status, Status::converged);
    expect_gap(x, problems[i], found[i], gap);
  }
}

TEST_P(OfWeightedSum, ProvenByPlainFormulasInFloat) { expect_proven<float>(1e-3); }
TEST_P(OfWeightedSum, ProvenByPlainFormulasInDouble) { expect_proven<double>(1e-8); }

// The same norm with other words: weights of 1 are no weights, and twice the weight is twice tau.
TEST_P(OfWeightedSum, SpecialCasesCoincide) {
  const auto x = test::random_design<double>(shape, samples, 91);
  const auto view = test::plain_view(x);
  const PenaltyPointer tubal = tubal_nuclear_norm(x.region());
  const Solution<double> plain = solve_one<double>(x, {view, y, 1.0, 0.2, tubal}, 1e-8);
  EXPECT_EQ(solve_one<double>(x, {view, y, 1.0, 0.2, weighted_sum({{tubal, {1}}})}, 1e-8).w, plain.w);
  EXPECT_EQ(solve_one<double>(x, {view, y, 0.5, 0.2, weighted_sum({{tubal, {2}}})}, 1e-8).w, plain.w);
}

TEST_P(OfWeightedSum, ZeroPointIsBracketedAndTrue) {
  const auto x = test::random_design<double>(shape, samples, 91);
  const auto view = test::plain_view(x);
  const PenaltyPointer penalty = penalty_over(x.region());
  for (const double balance : {0.3, 1.0}) {
    const ZeroPoint z = zero_point(x, *view, y, balance, backend, 1e-3, penalty);
    EXPECT_LE(z.high - z.low, 1e-3 * z.high);
    const auto at = [&](double c) {
      return solve_one<double>(x, {view, y, c * balance * z.tau_alone, c * (1 - balance) * z.gamma_alone, penalty},
                               1e-7);
    };
    EXPECT_EQ(at(1.001 * z.high).status, Status::zero_solution) << balance;
    EXPECT_GT(max_abs(at(0.98 * z.low).w), 0) << balance;
  }
}

// Algorithm 2 with a copy for each term comes to the same optimum, with its own certificate.
TEST_P(OfWeightedSum, PaperModeAgrees) {
  const auto x = test::random_design<double>(shape, samples, 91);
  const Problem<double> problem{test::plain_view(x), y, 0.5, 0.2, penalty_over(x.region())};
  BatchOptions<double> options{backend};
  options.solver.rho = 20;
  options.solver.iterations = 2000;
  options.solver.gap = 1e-4;
  const Solution<double> s = solve_paper(x, problem, options);
  EXPECT_EQ(s.status, Status::converged);
  expect_gap(x, problem, s, 1e-4);
}

STURM_ON_EVERY_BACKEND(OfWeightedSum);

}  // namespace
}  // namespace sturm
