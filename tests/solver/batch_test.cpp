// SPDX-License-Identifier: BSD-3-Clause
// What a batch must not change, and what degenerate problems must do.
#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/core/parallel.h"
#include "sturm/solver/certificate.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

using test::plain_view;
using test::random_design;
using test::random_labels;

/// A grid over two folds, one of them weighted and centred, with other labels for each third problem.
template <class Real>
std::vector<Problem<Real>> mixed_grid(const Design<Real>& x) {
  const std::vector<double> y = random_labels(x.samples(), 1), other = random_labels(x.samples(), 2);
  std::vector<double> weights(x.samples(), 1.0);
  for (Index m = 0; m < x.samples(); ++m) weights[m] = m % 5 == 0 ? 0 : 1 + 0.1 * static_cast<double>(m % 3);
  std::vector<std::uint8_t> mask(x.voxels(), 1);
  for (Index v = 0; v < x.voxels(); v += 7) mask[v] = 0;
  const auto all = plain_view(x);
  const auto fold = std::make_shared<const View<Real>>(x, RowMap(weights, true), std::vector<Real>{}, mask);
  std::vector<Problem<Real>> out;
  int i = 0;
  for (const double tau : {0.0, 0.5, 3.0, 30.0})
    for (const double gamma : {0.0, 0.1, 1.0, 8.0}) {
      if (tau + gamma == 0) continue;
      const auto& view = i % 2 ? fold : all;
      out.push_back({view, view->rows.apply(i % 3 ? y : other), tau, gamma});
      ++i;
    }
  return out;
}

/// Three paths, one of which begins at zero solutions, each in the order weak, strong, middle ...
template <class Real>
std::vector<Problem<Real>> three_paths(const Design<Real>& x, bool linked = true) {
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(x.samples(), 1);
  std::vector<Problem<Real>> out;
  for (const auto& [tau, gamma] : {std::pair{30.0, 0.6}, {8.0, 2.0}, {400.0, 80.0}}) {
    const auto first = static_cast<Index>(out.size());
    for (const double strength : {0.002, 1.0, 0.1, 0.02, 0.005})
      out.push_back({view, y, strength * tau, strength * gamma});
    if (!linked) continue;
    out[first + 2].after = first + 1;
    out[first + 3].after = first + 2;
    out[first + 4].after = first + 3;
    out[first].after = first + 4;
  }
  return out;
}

class Batch : public test::SolverOnBackend {
 protected:
  template <class Real>
  void expect_same_bits(const Design<Real>& x, const std::vector<Problem<Real>>& problems);
};

template <class Real>
void Batch::expect_same_bits(const Design<Real>& x, const std::vector<Problem<Real>>& problems) {
  const auto solve = [&](int workers, Index slots) {
    const UseThreads team(workers);
    BatchOptions<Real> options{backend};
    options.memory = slots * bytes_per_problem<Real>(*tubal_nuclear_norm(x.shape()), x.samples());
    auto out = solve_batch<Real>(x, problems, options);
    return out;
  };
  const auto reference = solve(1, 100);
  for (const auto& [workers, slots] : {std::pair<int, Index>{2, 100}, {3, 100}, {16, 100}, {1, 1}, {2, 4}}) {
    const auto again = solve(workers, slots);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      EXPECT_EQ(reference[i].w, again[i].w) << i << " with " << workers << " threads, " << slots << " at once";
      EXPECT_EQ(reference[i].iterations, again[i].iterations);
      EXPECT_EQ(reference[i].gap, again[i].gap);
    }
  }
  for (const auto& s : reference) EXPECT_LE(s.gap, 1e-3);
}

TEST_P(Batch, BitsDependOnTheProblemAlone) {
  const auto f = random_design<float>({9, 11, 6}, 23, 3);
  const auto d = random_design<double>({9, 11, 6}, 23, 3);
  expect_same_bits<float>(f, mixed_grid(f));
  expect_same_bits<double>(d, mixed_grid(d));
  expect_same_bits<float>(f, three_paths(f));
  expect_same_bits<double>(d, three_paths(d));
}

// A trace is of the problems that ask for one, be they first on their path or not, and changes nothing else.
TEST_P(Batch, TracesAreOfThoseThatAskForOne) {
  const auto x = random_design<double>({9, 11, 6}, 23, 3);
  auto problems = three_paths(x);
  const auto plain = solve_batch<double>(x, problems, {backend});
  for (std::size_t i = 0; i < problems.size(); i += 2) problems[i].trace = true;
  const auto traced = solve_batch<double>(x, problems, {backend});
  for (std::size_t i = 0; i < problems.size(); ++i) {
    EXPECT_EQ(traced[i].w, plain[i].w);
    EXPECT_TRUE(plain[i].trace.empty());
    if (traced[i].status == Status::zero_solution) continue;
    ASSERT_EQ(traced[i].trace.empty(), !problems[i].trace) << i;
    if (problems[i].trace) {
      EXPECT_EQ(traced[i].trace.back().iteration, traced[i].iterations);
      EXPECT_GT(traced[i].trace.back().change, 0);
    }
  }
}

/// Both within `gap` of the optimum; the first is proven again.
void expect_same_optimum(const Design<double>& x, const Problem<double>& problem, const Solution<double>& found,
                         const Solution<double>& other, double gap) {
  EXPECT_EQ(found.status, other.status);
  EXPECT_LE(certify(x, problem, found.w, found.theta, found.split).gap(), gap);
  EXPECT_NEAR(found.objective, other.objective, 2 * gap * other.objective);
}

TEST_P(Batch, PathsArriveWhereSingleProblemsDo) {
  const auto x = random_design<double>({9, 11, 6}, 23, 3);
  for (const PenaltyPointer& penalty : {tubal_nuclear_norm(x.shape()), overlapped_nuclear_norm(x.shape())}) {
    BatchOptions<double> options{backend};
    options.solver.gap = 1e-6;
    auto problems = three_paths(x), single = three_paths(x, false);
    for (auto* list : {&problems, &single})
      for (auto& p : *list) p.penalty = penalty;
    const auto path = solve_batch<double>(x, problems, options), alone = solve_batch<double>(x, single, options);
    int passes = 0, passes_alone = 0, zero = 0;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      expect_same_optimum(x, problems[i], path[i], alone[i], 1e-6);
      if (problems[i].after < 0) {
        EXPECT_EQ(path[i].w, alone[i].w) << "the first of a path";
      }
      passes += path[i].passes;
      passes_alone += alone[i].passes;
      zero += path[i].status == Status::zero_solution;
    }
    EXPECT_GT(zero, 0) << "and then the next begins from nothing";
    EXPECT_LT(zero, 5);
    EXPECT_LT(passes, 0.9 * passes_alone) << "what it is for";
  }
}

/// Problems that go on from their solutions to a larger gap; some follow one of these.
template <class Real>
std::vector<Problem<Real>> after_rough(const Design<Real>& x, std::vector<Problem<Real>> problems,
                                       linalg::Backend& backend) {
  BatchOptions<Real> options{backend};
  options.solver.gap = 3e-2;
  auto rough = solve_batch<Real>(x, problems, options);
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].after < 0 && rough[i].status == Status::converged)
      problems[i].from = std::make_shared<const Solution<Real>>(std::move(rough[i]));
  return problems;
}

TEST_P(Batch, GoesOnFromARougherSolution) {
  const auto x = random_design<double>({9, 11, 6}, 23, 3);
  for (const PenaltyPointer& penalty : {tubal_nuclear_norm(x.shape()), overlapped_nuclear_norm(x.shape())}) {
    BatchOptions<double> options{backend};
    options.solver.gap = 1e-6;
    std::vector<Problem<double>> single = mixed_grid(x);
    for (auto& p : single) p.penalty = penalty;
    const auto problems = after_rough(x, single, backend);
    const auto further = solve_batch<double>(x, problems, options), alone = solve_batch<double>(x, single, options);
    int iterations = 0, iterations_alone = 0, resumed = 0;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      expect_same_optimum(x, problems[i], further[i], alone[i], 1e-6);
      if (!problems[i].from) continue;
      ++resumed;
      iterations += further[i].iterations;
      iterations_alone += alone[i].iterations;
    }
    EXPECT_GT(resumed, 5);
    EXPECT_LT(iterations, 0.95 * iterations_alone) << "what it is for";
  }
  const auto f = random_design<float>({9, 11, 6}, 23, 3);
  expect_same_bits<float>(f, after_rough(f, mixed_grid(f), backend));
  expect_same_bits<double>(x, after_rough(x, three_paths(x), backend));
}

TEST_P(Batch, PathsMustBeOfOneProblem) {
  const auto x = random_design<float>({4, 5, 3}, 12, 6);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(12, 7), other = random_labels(12, 8);
  const Problem<float> first{view, y, 1, 0.5};
  const auto solve = [&](std::vector<Problem<float>> problems) {
    return solve_batch<float>(x, problems, BatchOptions<float>{backend}).size();
  };
  const auto after = [](Index place, Problem<float> p) {
    p.after = place;
    return p;
  };
  EXPECT_EQ(solve({first, after(0, {view, y, 0.5, 0.25})}), 2);
  EXPECT_EQ(solve({{view, y, 0, 0}, first, after(1, {view, y, 0.5, 0.25})}), 3) << "places move without the first";
  EXPECT_THROW(solve({first, after(0, {view, y, 0.5, 0.5})}), std::logic_error);
  EXPECT_THROW(solve({first, after(0, {view, other, 0.5, 0.25})}), std::logic_error);
  EXPECT_THROW(solve({first, after(0, {plain_view(x), y, 0.5, 0.25})}), std::logic_error);
  EXPECT_THROW(solve({first, after(2, first)}), std::logic_error);
  EXPECT_THROW(solve({first, after(0, first), after(0, first)}), std::logic_error);
  EXPECT_THROW(solve({after(1, first), after(0, first)}), std::logic_error);
  Problem<float> twice = after(0, {view, y, 0.5, 0.25});
  twice.from = std::make_shared<const Solution<float>>(solve_one<float>(x, {view, y, 0.5, 0.25}, 1e-2));
  EXPECT_THROW(solve({first, twice}), std::logic_error) << "begins at two places";
}

TEST_P(Batch, FoldsWeightsAndMasksAgreeWithPlainProblems) {
  // A fold with weights and centring equals the plain problem over rows that were cut, scaled and centred by hand.
  const Design<double> x = random_design<double>({5, 6, 4}, 20, 4);
  const std::vector<double> y = random_labels(20, 5);
  std::vector<double> weights(20);
  for (int m = 0; m < 20; ++m) weights[m] = m < 4 ? 0 : 1 + m % 3;
  std::vector<std::uint8_t> mask(x.voxels(), 1);
  for (Index v = 0; v < x.voxels(); v += 3) mask[v] = 0;
  const auto view = std::make_shared<const View<double>>(x, RowMap(weights, true), std::vector<double>{}, mask);
  const Problem<double> folded{view, view->rows.apply(y), 2.0, 0.7};
  const Solution<double> s = solve_one(x, folded, 1e-9);

  double total = 0, y_mean = 0;
  for (int m = 0; m < 20; ++m) {
    total += weights[m];
    y_mean += weights[m] * y[m];
  }
  y_mean /= total;
  std::vector<Tensor> volumes;
  std::vector<double> labels;
  for (int m = 4; m < 20; ++m) {
    Tensor volume(x.shape());
    for (Index v = 0; v < x.voxels(); ++v) {
      double mean = 0;
      for (int k = 0; k < 20; ++k) mean += weights[k] * x.column(v)[k] / total;
      volume.data()[v] = mask[v] ? std::sqrt(weights[m]) * (x.column(v)[m] - mean) : 0;
    }
    volumes.push_back(volume);
    labels.push_back(std::sqrt(weights[m]) * (y[m] - y_mean));
  }
  EXPECT_NEAR(s.objective, oracle::objective(volumes, labels, s.w, 2.0, 0.7), 1e-10 * s.objective);
  for (Index v = 0; v < x.voxels(); ++v)
    if (!mask[v]) {
      EXPECT_EQ(s.w.data()[v], 0);
    }
  EXPECT_LE(s.gap, 1e-9);
}

TEST_P(Batch, EdgesOfThePenalties) {
  const Design<double> x = random_design<double>({4, 5, 3}, 12, 6);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(12, 7);
  const auto solve = [&](double tau, double gamma) { return solve_one<double>(x, {view, y, tau, gamma}, 1e-8); };

  const Solution<double> huge = solve(1e6, 1e6), plain = solve(0, 0);
  EXPECT_EQ(huge.status, Status::zero_solution);
  EXPECT_EQ(huge.iterations, 0);
  EXPECT_EQ(max_abs(huge.w), 0);
  EXPECT_EQ(plain.status, Status::converged);
  EXPECT_LE(plain.objective, 1e-20) << "more voxels than samples: interpolation";
  EXPECT_LE(solve(0, 0.3).gap, 1e-8);
  EXPECT_LE(solve(0.3, 0).gap, 1e-8);
  EXPECT_LE(solve(1e-4, 1e-4).gap, 1e-8);
  EXPECT_THROW(solve(-1, 1), Error);
  EXPECT_THROW(solve(std::numeric_limits<double>::quiet_NaN(), 1), Error);

  // tau = 0 is the lasso: |X'r| <= gamma with equality on the support.
  const Solution<double> lasso = solve(0, 0.5);
  for (Index v = 0; v < x.voxels(); ++v) {
    double inner = 0;
    for (Index m = 0; m < 12; ++m) {
      double fitted = 0;
      for (Index u = 0; u < x.voxels(); ++u) fitted += x.column(u)[m] * lasso.w.data()[u];
      inner += x.column(v)[m] * (y[m] - fitted);
    }
    if (lasso.w.data()[v] != 0) {
      EXPECT_NEAR(inner, std::copysign(0.5, lasso.w.data()[v]), 1e-3);
    } else {
      EXPECT_LE(std::abs(inner), 0.5 + 1e-3);
    }
  }
}

TEST_P(Batch, DegenerateData) {
  const Shape shape{4, 3, 2};
  const auto gap_of = [this](const Design<double>& x, const std::vector<double>& y, double tau, double gamma) {
    Solution<double> s = solve_one<double>(x, {plain_view(x), y, tau, gamma}, 1e-6);
    EXPECT_LE(s.gap, 1e-6);
    return s;
  };
  const Design<double> one = random_design<double>(shape, 1, 1);
  EXPECT_EQ(gap_of(one, {1.0}, 0.1, 0.1).status, Status::converged);
  EXPECT_EQ(gap_of(one, {0.0}, 0.1, 0.1).status, Status::zero_solution);
  const auto zeros = Design<double>::owning(shape, 3, AlignedVector<double>(3 * shape.size()));
  EXPECT_EQ(gap_of(zeros, {1, 2, 3}, 0.1, 0.1).status, Status::zero_solution);
  // The same sample many times, and voxels that never change.
  AlignedVector<double> copies(8 * shape.size());
  for (Index v = 0; v < shape.size(); ++v)
    for (Index m = 0; m < 8; ++m) copies[m + 8 * v] = v % 4 == 0 ? 5.0 : std::sin(static_cast<double>(v));
  gap_of(Design<double>::owning(shape, 8, copies), std::vector<double>(8, 1.0), 0.05, 0.05);
}

TEST_P(Batch, DoesNotCareAboutScale) {
  for (const double scale : {1e-8, 1e8}) {
    const Design<float> x = random_design<float>({6, 7, 5}, 15, 8), big = random_design<float>({6, 7, 5}, 15, 8, scale);
    const std::vector<double> y = random_labels(15, 9);
    std::vector<double> scaled = y;
    for (double& v : scaled) v *= scale;
    const Solution<float> s = solve_one<float>(x, {plain_view(x), y, 2.0, 0.5}, 1e-3);
    const Solution<float> wide = solve_one<float>(big, {plain_view(big), y, 2.0 * scale, 0.5 * scale}, 1e-3);
    const Solution<float> tall = solve_one<float>(x, {plain_view(x), scaled, 2.0 * scale, 0.5 * scale}, 1e-3);
    EXPECT_LE(wide.gap, 1e-3);
    EXPECT_LE(tall.gap, 1e-3);
    EXPECT_NEAR(wide.objective, s.objective, 2e-3 * s.objective);
    EXPECT_NEAR(tall.objective / (scale * scale), s.objective, 2e-3 * s.objective);
  }
}

TEST_P(Batch, StopsAtTheLimitAndSaysSo) {
  const Design<float> x = random_design<float>({6, 7, 5}, 15, 8);
  const Solution<float> s = solve_one<float>(x, {plain_view(x), random_labels(15, 9), 0.5, 0.2}, 1e-7, 2);
  EXPECT_EQ(s.status, Status::iteration_limit);
  EXPECT_EQ(s.iterations, 2);
  EXPECT_GT(s.gap, 1e-7);
}

STURM_ON_EVERY_BACKEND(Batch);

}  // namespace
}  // namespace sturm
