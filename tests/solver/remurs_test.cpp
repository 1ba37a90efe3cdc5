// SPDX-License-Identifier: BSD-3-Clause
// Remurs in the batched solver: the checked numbers, certificates by an oracle of their own, and its special cases.
#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/crop.h"
#include "oracle/overlapped.h"
#include "oracle/proof.h"
#include "shared_data.h"
#include "solver/small_problem.h"
#include "sturm/core/npy.h"
#include "sturm/core/parallel.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

using nlohmann::json;
using test::plain_view;
using test::random_design;
using test::random_labels;

template <class Real>
std::vector<Tensor> volumes_of(const Design<Real>& x) {
  std::vector<Tensor> out(x.samples(), Tensor(x.shape()));
  for (Index m = 0; m < x.samples(); ++m)
    for (Index v = 0; v < x.voxels(); ++v) out[m].data()[v] = static_cast<double>(x.column(v)[m]);
  return out;
}

struct GoldenCase {
  json facts;
  std::filesystem::path folder;
  Design<double> x;
  Problem<double> problem;
};

std::vector<GoldenCase> golden_cases() {
  std::ifstream in(test::shared_data("golden/index.json"));
  const json index = json::parse(in);
  std::vector<GoldenCase> out;
  for (const json& c : index["other"]) {
    if (c["model"] != "remurs") continue;
    const auto folder = test::shared_data("golden") / c["dir"].get<std::string>();
    NpyHeader header, labels;
    const std::vector<double> x = read_npy(folder / "X.npy", header);  // samples, I1, I2, I3 with the last fastest
    const Shape shape{header.shape[1], header.shape[2], header.shape[3]};
    std::vector<Tensor> volumes(header.shape[0], Tensor(shape));
    std::size_t at = 0;
    for (Tensor& volume : volumes)
      for (Index i = 0; i < shape.n1; ++i)
        for (Index j = 0; j < shape.n2; ++j)
          for (Index k = 0; k < shape.n3; ++k) volume(i, j, k) = x[at++];
    const Design<double> design = test::design_of<double>(volumes);
    out.push_back({c,
                   folder,
                   design,
                   {plain_view(design), read_npy(folder / "y.npy", labels), c["tau"], c["gamma"],
                    overlapped_nuclear_norm(shape)}});
  }
  return out;
}

class GoldenRemurs : public test::SolverOnBackend {};

TEST_P(GoldenRemurs, StepByStep) {
  STURM_NEEDS_SHARED("golden/index.json");
  int snapshots = 0;
  for (const GoldenCase& c : golden_cases())
    run_paper<double>(c.x, c.problem, c.facts["rho"], 50, backend, [&](int k, const PaperState<double>& s) {
      if (k != 1 && k != 5 && k != 50) return;
      const Tensor truth = read_npy_tensor(c.folder / ("W_k" + std::to_string(k) + ".npy"));
      EXPECT_LE(max_abs(s.w - truth), 1e-10 * std::max(1.0, max_abs(truth))) << c.facts["name"] << " after " << k;
      const double objective = c.facts["objective_k"][std::to_string(k)];
      EXPECT_NEAR(oracle::remurs_objective(volumes_of(c.x), c.problem.y, s.w, c.problem.tau, c.problem.gamma),
                  objective, 1e-10 * objective);
      ++snapshots;
    });
  EXPECT_EQ(snapshots, 2 * 3);
}

TEST_P(GoldenRemurs, CertifiedOptimum) {
  STURM_NEEDS_SHARED("golden/index.json");
  int count = 0;
  for (const GoldenCase& c : golden_cases()) {
    const Solution<double> s = solve_one(c.x, c.problem, 1e-9);
    const double truth = c.facts["objective_star"];
    EXPECT_LE(s.gap, 1e-9) << c.facts["name"] << " after " << s.iterations;
    EXPECT_LE(std::abs(s.objective - truth), 1e-9 * truth);
    const Tensor w = read_npy_tensor(c.folder / "Wstar.npy");
    EXPECT_LE(max_abs(s.w - w), 1e-3 * max_abs(w));  // the objective is flat: W is known to its root
    ++count;
  }
  EXPECT_EQ(count, 2);
}

STURM_ON_EVERY_BACKEND(GoldenRemurs);

class Remurs : public test::SolverOnBackend {
 protected:
  template <class Real>
  void expect_certified(double gap);
};

/// Gaps as the oracle finds them from W, theta and the split.
template <class Real>
double gap_of(const Design<Real>& x, const Problem<Real>& problem, const Solution<Real>& s) {
  const auto volumes = volumes_of(x);
  const double primal = oracle::remurs_objective(volumes, problem.y, cast<double>(s.w), problem.tau, problem.gamma);
  const double dual = oracle::remurs_dual(volumes, problem.y, s.theta, oracle::split_in_box(s.split, x.shape(), {}),
                                          problem.tau, problem.gamma);
  // A float solution's objective carries the margin for what Gram matrices in double may miss.
  EXPECT_NEAR(s.objective, primal, (sizeof(Real) == 4 ? 1e-6 : 1e-11) * primal);
  EXPECT_LE(s.dual, primal);
  return (primal - dual) / primal;
}

template <class Real>
void Remurs::expect_certified(double gap) {
  int most = 0;
  for (const Shape& shape : {Shape{6, 5, 4}, Shape{3, 8, 2}, Shape{5, 1, 6}, Shape{7, 4, 1}, Shape{1, 1, 9}})
    for (const Index samples : {1, 9, 60}) {
      const Design<Real> x = random_design<Real>(shape, samples, 21);
      const auto view = plain_view(x);
      const PenaltyPointer penalty = overlapped_nuclear_norm(shape);
      const std::vector<double> y = random_labels(samples, 22);
      std::vector<Problem<Real>> problems;
      for (const double balance : {0.05, 0.5, 1.0}) {
        const ZeroPoint zero = zero_point(x, *view, y, balance, backend, 1e-3, penalty);
        for (const double strength : {0.5, 0.05})
          problems.push_back({view, y, strength * zero.high * balance * zero.tau_alone,
                              strength * zero.high * (1 - balance) * zero.gamma_alone, penalty});
      }
      BatchOptions<Real> options{backend};
      options.solver.gap = gap;
      const auto solutions = solve_batch<Real>(x, problems, options);
      for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(to_string(shape) + ", " + std::to_string(samples) + " samples, problem " + std::to_string(i));
        EXPECT_EQ(solutions[i].status, Status::converged);
        // 1e-13: the oracle's own rounding. Float splits miss their sum by rounding, which the solver's own proof
        // hands back to the parts.
        EXPECT_LE(gap_of(x, problems[i], solutions[i]), gap + (sizeof(Real) == 4 ? 1e-4 : 1e-13));
        most = std::max(most, solutions[i].iterations);
      }
    }
  testing::Test::RecordProperty("most_iterations", most);
  EXPECT_LE(most, 5000);
}

TEST_P(Remurs, CertifiedByAnOracleInDouble) { expect_certified<double>(1e-8); }
TEST_P(Remurs, CertifiedByAnOracleInFloat) { expect_certified<float>(1e-3); }

TEST_P(Remurs, MaskIsExactAndBitsDependOnTheProblemAlone) {
  const Design<float> x = random_design<float>({9, 8, 7}, 19, 31);
  std::vector<std::uint8_t> mask(x.voxels(), 1);
  for (Index v = 0; v < x.voxels(); v += 5) mask[v] = 0;
  std::vector<double> weights(19, 1.0);
  weights[3] = 0;
  weights[4] = 2;
  const auto view = std::make_shared<const View<float>>(x, RowMap(weights, true), std::vector<float>{}, mask);
  const PenaltyPointer penalty = overlapped_nuclear_norm(x.shape());
  std::vector<Problem<float>> problems;
  for (const double tau : {0.0, 2.0, 20.0})
    for (const double gamma : {0.0, 0.5, 3.0})
      problems.push_back({view, view->rows.apply(random_labels(19, 32)), tau, gamma, penalty});
  const auto solve = [&](int workers, Index slots) {
    const UseThreads team(workers);
    BatchOptions<float> options{backend};
    options.memory = slots * bytes_per_problem<float>(*penalty, 19);
    auto out = solve_batch<float>(x, problems, options);
    return out;
  };
  const auto reference = solve(1, 100);
  for (const auto& [workers, slots] : {std::pair<int, Index>{2, 100}, {3, 2}, {1, 1}}) {
    const auto again = solve(workers, slots);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      EXPECT_EQ(reference[i].w, again[i].w) << i << " with " << workers << " threads, " << slots << " at once";
      EXPECT_EQ(reference[i].gap, again[i].gap);
    }
  }
  for (const auto& s : reference) {
    EXPECT_LE(s.gap, 1e-3);
    for (Index v = 0; v < x.voxels(); v += 5) ASSERT_EQ(s.w.data()[v], 0);
  }
}

TEST_P(Remurs, ZeroPointIsBracketedAndTrue) {
  const Design<double> x = random_design<double>({7, 6, 5}, 14, 10);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(14, 11);
  const PenaltyPointer penalty = overlapped_nuclear_norm(x.shape());
  for (const double balance : {0.0, 0.01, 0.3, 0.7, 0.99, 1.0}) {
    const ZeroPoint z = zero_point(x, *view, y, balance, backend, 1e-3, penalty);
    EXPECT_LE(z.low, z.high);
    EXPECT_LE(z.high - z.low, 1e-3 * z.high) << balance;
    const auto at = [&](double c) {
      return solve_one<double>(x, {view, y, c * balance * z.tau_alone, c * (1 - balance) * z.gamma_alone, penalty},
                               1e-8);
    };
    EXPECT_EQ(at(z.high * 1.001).status, Status::zero_solution) << balance;
    EXPECT_GT(max_abs(at(z.low * 0.99).w), 0) << balance;
  }
}

/// X'(y - X w).
Tensor gradient(const Design<double>& x, const std::vector<double>& y, const Tensor& w) {
  const auto volumes = volumes_of(x);
  Tensor out(x.shape());
  for (std::size_t m = 0; m < y.size(); ++m) out = out + (y[m] - dot(volumes[m], w)) * volumes[m];
  return out;
}

// A matrix has three unfoldings: itself, its transpose and a row, whose nuclear norm is the Frobenius norm. So Remurs
// with gamma = 0 is (tau/3) (2 |W|_* + |W|_F), and at its optimum X'r = (tau/3) (2 S + W/|W|_F) with S a subgradient of
// the nuclear norm. With more samples than voxels the loss is strongly convex, and a gap of 1e-12 leaves W right to
// 1e-6.
TEST_P(Remurs, OfAMatrixIsNuclearPlusFrobenius) {
  const Design<double> x = random_design<double>({5, 4, 1}, 50, 41);
  const std::vector<double> y = random_labels(50, 42, 3);
  const double tau = 12;
  const Solution<double> s =
      solve_one<double>(x, {plain_view(x), y, tau, 0, overlapped_nuclear_norm(x.shape())}, 1e-12);
  const double size = frobenius_norm(s.w), nuclear = oracle::nuclear(s.w, 1);
  ASSERT_GT(size, 0.01);
  const Tensor g = (3 / tau) * gradient(x, y, s.w) - (1 / size) * s.w;  // 2 S
  EXPECT_LE(oracle::unfolded_values(g, 1).front(), 2 * (1 + 1e-4));
  EXPECT_NEAR(dot(g, s.w), 2 * nuclear, 1e-5 * nuclear);
  double residual = 0;
  const auto volumes = volumes_of(x);
  for (std::size_t m = 0; m < y.size(); ++m) residual += std::pow(y[m] - dot(volumes[m], s.w), 2) / 2;
  EXPECT_NEAR(s.objective, residual + tau / 3 * (2 * nuclear + size), 1e-12 * s.objective);
}

// The same for the tubal nuclear norm of one slice: nuclear-norm regression of matrices.
TEST_P(Remurs, SturmOfAMatrixIsNuclearNormRegression) {
  const Design<double> x = random_design<double>({5, 4, 1}, 50, 43);
  const std::vector<double> y = random_labels(50, 44, 3);
  const double tau = 12;
  const Solution<double> s = solve_one<double>(x, {plain_view(x), y, tau, 0}, 1e-12);
  const double nuclear = oracle::nuclear(s.w, 1);
  ASSERT_GT(nuclear, 0.01);
  const Tensor g = (1 / tau) * gradient(x, y, s.w);
  EXPECT_LE(oracle::unfolded_values(g, 1).front(), 1 + 1e-4);
  EXPECT_NEAR(dot(g, s.w), nuclear, 1e-5 * nuclear);
}

TEST_P(Remurs, OnePenaltyABatch) {
  const Design<double> x = random_design<double>({3, 3, 2}, 5, 1);
  const std::vector<Problem<double>> problems = {
      {plain_view(x), random_labels(5, 2), 1, 1},
      {plain_view(x), random_labels(5, 2), 1, 1, overlapped_nuclear_norm(x.shape())}};
  EXPECT_THROW(solve_batch<double>(x, problems, {backend}), Error);
  const Problem<double> other{plain_view(x), random_labels(5, 2), 1, 1, overlapped_nuclear_norm(Shape{3, 2, 3})};
  EXPECT_THROW(solve_batch<double>(x, {&other, 1}, {backend}), Error);
}

STURM_ON_EVERY_BACKEND(Remurs);

}  // namespace
}  // namespace sturm
