// SPDX-License-Identifier: BSD-3-Clause
// Sturm's problem with the logistic loss, the example of docs/add-a-loss.md: every solution is proven by an oracle.
#include "oracle/logistic.h"

#include <cmath>

#include "logistic_loss/logistic_loss.h"
#include "message.h"
#include "solver/small_problem.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

constexpr Shape shape{6, 5, 4};
constexpr Index samples = 24;

std::vector<double> classes() {
  std::vector<double> y(samples);
  for (Index m = 0; m < samples; ++m) y[m] = m % 3 ? 1 : -1;
  return y;
}

/// Noise and a block of voxels that tells the classes apart, more or less.
template <class Real>
Design<Real> volumes() {
  const std::vector<double> y = classes();
  Rng rng(31);
  AlignedVector<Real> x(samples * shape.size());
  for (Index v = 0; v < shape.size(); ++v)
    for (Index m = 0; m < samples; ++m)
      x[m + samples * v] = static_cast<Real>(rng.normal() + (v % shape.n1 < 2 && v < 40 ? 0.4 * y[m] : 0));
  return Design<Real>::owning(shape, samples, std::move(x));
}

template <class Real>
std::shared_ptr<const View<Real>> view_of(const Design<Real>& x, std::vector<double> weights,
                                          std::vector<std::uint8_t> mask = {}) {
  return std::make_shared<const View<Real>>(x, RowMap::selecting(std::move(weights)), std::vector<Real>{},
                                            std::move(mask));
}

template <class Real>
std::vector<Tensor> as_tensors(const Design<Real>& x) {
  std::vector<Tensor> out(x.samples(), Tensor(x.shape()));
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < x.samples(); ++m) out[m].data()[v] = static_cast<double>(x.column(v)[m]);
  return out;
}

class Logistic : public test::SolverOnBackend {
 protected:
  template <class Real>
  void expect_proven(double gap);
};

// The gap that the solver reports and the one of the oracle, at most what was asked for. The oracle's dual value lacks
// what a grid of 1000 scales may miss: 1e-6 of it.
template <class Real>
void Logistic::expect_proven(double gap) {
  const Design<Real> x = volumes<Real>();
  const std::vector<Tensor> seen = as_tensors(x);
  const std::vector<double> y = classes();
  std::vector<double> some(samples, 1.0);
  for (Index m = 0; m < samples; m += 5) some[m] = m == 10 ? 0 : 2.5;
  std::vector<std::uint8_t> mask(shape.size(), 1);
  for (Index v = 0; v < shape.size(); v += 7) mask[v] = 0;
  for (const auto& weights : {std::vector<double>(samples, 1.0), some})
    for (const bool masked : {false, true}) {
      const auto inside = masked ? mask : std::vector<std::uint8_t>{};
      const auto view = view_of(x, weights, inside);
      for (const double balance : {0.0, 0.5, 1.0}) {
        const ZeroPoint zero = zero_point(x, *view, y, balance, backend, 1e-3, nullptr, logistic_loss());
        std::vector<Problem<Real>> problems;
        for (const double strength : {0.7, 0.2, 0.03}) {
          Problem<Real> problem{view, y};
          problem.tau = strength * zero.scale() * balance * zero.tau_alone;
          problem.gamma = strength * zero.scale() * (1 - balance) * zero.gamma_alone;
          problem.loss = logistic_loss();
          problems.push_back(problem);
        }
        BatchOptions<Real> options{backend};
        options.solver.gap = gap;
        const auto solutions = solve_batch<Real>(x, problems, options);
        for (std::size_t i = 0; i < problems.size(); ++i) {
          const Problem<Real>& p = problems[i];
          const Solution<Real>& s = solutions[i];
          SCOPED_TRACE("tau " + std::to_string(p.tau) + ", gamma " + std::to_string(p.gamma) +
                       (masked ? ", masked" : ""));
          EXPECT_EQ(s.status, Status::converged) << s.gap << " after " << s.iterations;
          EXPECT_LE(s.gap, gap);
          EXPECT_GT(max_abs(s.w), 0);
          const double primal = oracle::logistic_objective(seen, y, weights, cast<double>(s.w), p.tau, p.gamma);
          const double dual =
              oracle::logistic_dual(seen, y, weights, s.theta, cast<double>(s.split.front()), p.tau, p.gamma, inside);
          EXPECT_LE(primal - dual, (gap + 1e-6) * primal);
          EXPECT_NEAR(s.objective, primal, 1e-6 * primal);
          for (Index v = 0; v < shape.size() && masked; ++v)
            if (!mask[v]) {
              EXPECT_EQ(s.w.data()[v], 0);
            }
        }
      }
    }
}

TEST_P(Logistic, ProvenByAnOracleInFloat) { expect_proven<float>(1e-4); }
TEST_P(Logistic, ProvenByAnOracleInDouble) { expect_proven<double>(1e-7); }

// theta = y / 2 at W = 0: with l1 alone W is zero from gamma = max |X'y| / 2 on.
TEST_P(Logistic, IsZeroWhereZeroIsOptimal) {
  const Design<double> x = volumes<double>();
  const std::vector<double> y = classes();
  const auto view = view_of(x, std::vector<double>(samples, 1.0));
  double largest = 0;
  for (Index v = 0; v < x.voxels(); ++v) {
    double sum = 0;
    for (Index m = 0; m < samples; ++m) sum += x.column(v)[m] * y[m] / 2;
    largest = std::max(largest, std::abs(sum));
  }
  for (const double balance : {0.0, 0.3, 0.8, 1.0}) {
    const ZeroPoint zero = zero_point(x, *view, y, balance, backend, 1e-3, nullptr, logistic_loss());
    EXPECT_NEAR(zero.gamma_alone, largest, 1e-12 * largest);
    const auto at = [&](double c) {
      Problem<double> problem{view, y, c * balance * zero.tau_alone, c * (1 - balance) * zero.gamma_alone};
      problem.loss = logistic_loss();
      return solve_one(x, problem, 1e-7);
    };
    const Solution<double> none = at(1.001 * zero.high), some = at(0.95 * zero.low);
    EXPECT_EQ(none.status, Status::zero_solution) << balance;
    EXPECT_NEAR(none.objective, samples * std::log(2.0), 1e-12 * samples);
    EXPECT_GT(max_abs(some.w), 0) << balance;
  }
}

// Alone on its way, after another problem, or from a rougher solution: the optimum is one.
TEST_P(Logistic, PathsArriveWhereSingleProblemsDo) {
  const Design<double> x = volumes<double>();
  const auto view = view_of(x, std::vector<double>(samples, 1.0));
  const LossPointer loss = logistic_loss();
  std::vector<Problem<double>> path;
  for (const double scale : {0.5, 1.0, 0.25}) {  // theta grows once, towards the edge of its domain
    Problem<double> problem{view, classes(), 2 * scale, scale};
    problem.loss = loss;
    problem.after = std::ssize(path) - 1;
    path.push_back(problem);
  }
  BatchOptions<double> options{backend};
  options.solver.gap = 1e-8;
  const auto found = solve_batch<double>(x, path, options);
  for (std::size_t i = 0; i < path.size(); ++i) {
    Problem<double> alone = path[i];
    alone.after = -1;
    const Solution<double> rough = solve_one(x, alone, 1e-2);
    const double optimum = solve_one(x, alone, 1e-8).objective;
    EXPECT_NEAR(found[i].objective, optimum, 1e-8 * optimum);
    alone.from = std::make_shared<const Solution<double>>(rough);
    EXPECT_NEAR(solve_one(x, alone, 1e-8).objective, optimum, 1e-8 * optimum);
  }
}

// Problems of both losses side by side, with other penalties: the bits of each are those it has alone.
TEST_P(Logistic, SharesABatchWithTheSquareLoss) {
  const Design<float> x = volumes<float>();
  const PenaltyPointer overlapped = overlapped_nuclear_norm(x.region());
  const Problem<float> square{test::plain_view(x), classes(), 1.0, 0.5, overlapped};
  Problem<float> logistic{view_of(x, std::vector<double>(samples, 1.0)), classes(), 1.0, 0.5, overlapped};
  logistic.loss = logistic_loss();
  const std::vector<Problem<float>> both = {square, logistic};
  BatchOptions<float> options{backend};
  options.solver.gap = 1e-4;
  const auto found = solve_batch<float>(x, both, options);
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_LE(found[i].gap, 1e-4);
    EXPECT_EQ(found[i].w, solve_one(x, both[i], 1e-4).w);
  }
}

TEST_P(Logistic, WhatIsForTheSquareLossAloneSaysSo) {
  const Design<double> x = volumes<double>();
  const std::vector<double> ones(samples, 1.0);
  Problem<double> problem{view_of(x, ones), classes(), 1, 1};
  problem.loss = logistic_loss();
  const BatchOptions<double> options{backend};
  EXPECT_SAYS(solve_paper(x, problem, options), "Algorithm 2", "square", "logistic");
  problem.tau = problem.gamma = 0;
  EXPECT_SAYS(solve_one(x, problem, 1e-3), "without any penalty", "square");
  problem.tau = 1;
  problem.view = test::plain_view(x);
  EXPECT_SAYS(solve_one(x, problem, 1e-3), "logistic", "selecting");
  problem.loss = nullptr;
  problem.view = view_of(x, ones);
  EXPECT_SAYS(solve_one(x, problem, 1e-3), "square", "weights");
  problem.loss = logistic_loss();
  problem.y[3] = 0.5;
  EXPECT_SAYS(solve_one(x, problem, 1e-3), "logistic", "sample 4");
}

STURM_ON_EVERY_BACKEND(Logistic);

}  // namespace
}  // namespace sturm
