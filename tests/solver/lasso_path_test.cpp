// SPDX-License-Identifier: BSD-3-Clause
// Lasso and elastic net: reference optima, the general solver, the optimality conditions, and input at the edge.
#include "sturm/solver/lasso_path.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "shared_data.h"
#include "solver/small_problem.h"
#include "sturm/core/npy.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using nlohmann::json;

template <class Real>
LassoView<Real> plain(const Design<Real>& x, bool centre = false) {
  return LassoView<Real>(x, RowMap(std::vector<double>(x.samples(), 1.0), centre), {}, {});
}

template <class Real>
std::vector<LassoSolution> solve(const LassoView<Real>& view, const std::vector<double>& y, double l2,
                                 const std::vector<double>& gammas, double gap = 1e-10) {
  LassoOptions options{test::first_backend()};
  options.gap = gap;
  return solve_lasso_path<Real>(view, y, l2, gammas, options);
}

template <class Real>
std::vector<double> dense(const LassoSolution& s, const Design<Real>& x) {
  std::vector<double> out(x.voxels());
  for (std::size_t i = 0; i < s.voxels.size(); ++i) out[s.voxels[i]] = s.values[i];
  return out;
}

/// w is optimal exactly when x_j'(y - Xw) = l2 w_j + gamma sign(w_j) where w_j is not 0, and at most gamma elsewhere.
/// Returns by how much that fails at worst.
template <class Real>
double violation(const Design<Real>& x, const std::vector<double>& y, const std::vector<double>& w, double gamma,
                 double l2) {
  std::vector<double> r = y;
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < x.samples(); ++m) r[m] -= static_cast<double>(x.column(v)[m]) * w[v];
  double worst = 0;
  for (Index v = 0; v < x.voxels(); ++v) {
    double z = -l2 * w[v];
    for (Index m = 0; m < x.samples(); ++m) z += static_cast<double>(x.column(v)[m]) * r[m];
    const double off = w[v] != 0 ? std::abs(z - std::copysign(gamma, w[v])) : std::max(std::abs(z) - gamma, 0.0);
    worst = std::max(worst, off);
  }
  return worst;
}

TEST(LassoPath, GoldenOptima) {
  STURM_NEEDS_SHARED("golden/index.json");
  std::ifstream in(test::shared_data("golden/index.json"));
  const json index = json::parse(in);
  int count = 0;
  for (const json& c : index["other"]) {
    if (c["model"] != "lasso" && c["model"] != "enet") continue;
    SCOPED_TRACE(c["name"].get<std::string>());
    const auto folder = test::shared_data("golden") / c["dir"].get<std::string>();
    NpyHeader header, label_header;
    const std::vector<double> numbers = read_npy(folder / "X.npy", header);  // the sample index slowest
    const Index samples = header.shape[0], voxels = static_cast<Index>(numbers.size()) / samples;
    AlignedVector<double> x(numbers.size());
    for (Index m = 0; m < samples; ++m)
      for (Index v = 0; v < voxels; ++v) x[m + samples * v] = numbers[m * voxels + v];
    const auto design = Design<double>::owning(Shape{voxels, 1, 1}, samples, std::move(x));
    const std::vector<double> y = read_npy(folder / "y.npy", label_header);
    const double gamma = c["gamma"], l2 = c["rsL2"], truth = c["objective_star"];
    const LassoSolution s = solve(plain(design), y, l2, {gamma}).front();
    EXPECT_LE(s.gap, 1e-10);
    EXPECT_NEAR(s.objective, truth, 1e-9 * truth);
    EXPECT_EQ(s.voxels.size(), c["nnz_star"].get<std::size_t>());
    if (c["model"] == "lasso") {
      EXPECT_NEAR(lasso_zero_point(plain(design), y), c["lambda_max"].get<double>(), 1e-9 * truth);
    }
    ++count;
  }
  EXPECT_EQ(count, 4);
}

struct Case {
  Index voxels, samples;
  double l2;
};
class LassoCases : public testing::TestWithParam<Case> {};

// The conditions hold at every gamma of a path in any order; in double to what the gap allows: |z - gamma| of 1e-10.
TEST_P(LassoCases, OptimalityConditions) {
  const auto [voxels, samples, l2] = GetParam();
  const auto x = test::random_design<double>({voxels, 1, 1}, samples, 5);
  const std::vector<double> y = test::random_labels(samples, 6);
  const double zero = lasso_zero_point(plain(x), y);
  const std::vector<double> gammas{0.01 * zero, 0.9 * zero, 0.1 * zero, 0.5 * zero, 1.1 * zero, 0.1 * zero};
  const auto path = solve(plain(x), y, l2, gammas, 1e-11);
  for (std::size_t k = 0; k < gammas.size(); ++k) {
    EXPECT_LE(path[k].gap, 1e-11);
    EXPECT_LE(violation(x, y, dense(path[k], x), gammas[k], l2), 1e-8 * gammas[k]);
    EXPECT_EQ(path[k].status, gammas[k] > zero ? Status::zero_solution : Status::converged);
  }
  EXPECT_EQ(path[2].values, path[5].values);
}
INSTANTIATE_TEST_SUITE_P(Shapes, LassoCases,
                         testing::Values(Case{400, 20, 0}, Case{30, 50, 0}, Case{50, 50, 0}, Case{400, 20, 3},
                                         Case{30, 50, 3}, Case{600, 20, 300}));  // the last: a support beyond `most`

TEST(LassoPath, IsTheGeneralSolverWithoutTnn) {
  const auto x = test::random_design<double>({6, 5, 4}, 25, 12);
  const auto view = test::plain_view(x);
  const std::vector<double> y = test::random_labels(25, 13);
  for (const double share : {0.7, 0.2, 0.05}) {
    const double gamma = share * lasso_zero_point(plain(x), y);
    const Solution<double> general = test::solve_one<double>(x, {view, y, 0, gamma}, 1e-9);
    const LassoSolution s = solve(plain(x), y, 0, {gamma}, 1e-9).front();
    // Both are within 1e-9 of the optimum.
    EXPECT_NEAR(s.objective, general.objective, 1e-9 * s.objective);
    EXPECT_LE(general.dual, s.objective);
  }
}

template <class Real>
void expect_same_bits(double l2) {
  const auto x = test::random_design<Real>({30, 20, 10}, 40, 21);
  const std::vector<double> y = test::random_labels(40, 22);
  const LassoView<Real> view = plain(x, true);
  const std::vector<double> labels = view.rows.apply(y);
  std::vector<double> gammas;
  for (int k = 0; k < 30; ++k) gammas.push_back(lasso_zero_point(view, labels) * std::pow(0.85, k));
  std::optional<UseThreads> team;
  team.emplace(1);
  const auto one = solve(view, labels, l2, gammas, 1e-4);
  team.emplace(3);
  const auto three = solve(view, labels, l2, gammas, 1e-4);
  team.reset();
  for (std::size_t k = 0; k < gammas.size(); ++k) {
    EXPECT_LE(one[k].gap, 1e-4);
    EXPECT_EQ(one[k].voxels, three[k].voxels);
    EXPECT_EQ(one[k].values, three[k].values);
    EXPECT_EQ(one[k].dual, three[k].dual);
  }
}
TEST(LassoPath, ThreadsDoNotChangeABit) {
  expect_same_bits<float>(0);
  expect_same_bits<double>(0);
  expect_same_bits<float>(50);
}

// A float design whose volumes share a large constant: single precision cannot search, double does.
TEST(LassoPath, FallsBackToDoublePasses) {
  AlignedVector<float> numbers(20 * 200);
  Rng rng(31);
  for (float& v : numbers) v = static_cast<float>(1000 + rng.normal());
  const auto x = Design<float>::owning(Shape{200, 1, 1}, 20, std::move(numbers));
  const LassoView<float> view = plain(x, true);
  const std::vector<double> y = view.rows.apply(test::random_labels(20, 32));
  const double zero = lasso_zero_point(view, y);
  for (const LassoSolution& s : solve(view, y, 0, {0.5 * zero, 0.1 * zero, 0.02 * zero}, 1e-8)) EXPECT_LE(s.gap, 1e-8);
}

class LassoEdges : public testing::TestWithParam<double> {};  // l2

TEST_P(LassoEdges, ConstantLabelsGiveZero) {
  const auto x = test::random_design<double>({10, 2, 1}, 8, 41);
  for (const double gamma : {0.0, 0.1, 1e6}) {
    const LassoSolution s = solve(plain(x), std::vector<double>(8, 0.0), GetParam(), {gamma}).front();
    EXPECT_EQ(s.status, Status::zero_solution);
    EXPECT_TRUE(s.voxels.empty());
    EXPECT_EQ(s.objective, 0);
    EXPECT_EQ(s.gap, 0);
  }
}

TEST_P(LassoEdges, EmptyVolumesGiveZero) {
  const auto x = Design<double>::owning(Shape{10, 2, 1}, 8, AlignedVector<double>(160));
  const std::vector<double> y = test::random_labels(8, 42);
  for (const double gamma : {0.0, 0.1}) {
    const LassoSolution s = solve(plain(x), y, GetParam(), {gamma}).front();
    EXPECT_EQ(s.status, Status::zero_solution);
    EXPECT_LE(s.gap, 1e-15);
  }
}

TEST_P(LassoEdges, OneSampleOneVoxelManyCopies) {
  const double l2 = GetParam();
  // 1/2 (3 - 2w)^2 + l2/2 w^2 + w with its w = (6 - 1) / (4 + l2).
  const auto single = Design<double>::owning(Shape{1, 1, 1}, 1, AlignedVector<double>{2});
  const LassoSolution s = solve(plain(single), {3}, l2, {1}).front();
  ASSERT_EQ(s.values.size(), 1U);
  EXPECT_NEAR(s.values[0], 5 / (4 + l2), 1e-12);
  // The same voxel five times and every sample twice: the sum of w is what one voxel would get (l2 divided by five).
  AlignedVector<double> copies;
  for (int v = 0; v < 5; ++v)
    for (const double a : {2.0, 2.0, -1.0, -1.0}) copies.push_back(a);
  const auto x = Design<double>::owning(Shape{5, 1, 1}, 4, std::move(copies));
  const LassoSolution many = solve(plain(x), {3, 3, 1, 1}, l2, {1}).front();
  double sum = 0;
  for (const double v : many.values) sum += v;
  EXPECT_NEAR(sum, (10.0 - 1) / (10 + l2 / 5), 1e-9);
  EXPECT_LE(many.gap, 1e-10);
}

TEST_P(LassoEdges, WithoutL1) {
  const auto x = test::random_design<double>({12, 3, 1}, 10, 43);
  const std::vector<double> y = test::random_labels(10, 44);
  const auto path = solve(plain(x), y, GetParam(), {0.0, 0.1}, 1e-9);
  EXPECT_LE(path[0].gap, 1e-9);
  EXPECT_EQ(path[0].voxels.size(), 36U);
  EXPECT_LE(violation(x, y, dense(path[0], x), 0, GetParam()), 1e-6);
  EXPECT_LE(path[0].objective, path[1].objective);
}

TEST_P(LassoEdges, NothingOutsideTheMask) {
  const auto x = test::random_design<double>({60, 1, 1}, 10, 45);
  std::vector<std::uint8_t> mask(60, 1);
  for (std::size_t v = 0; v < 60; v += 3) mask[v] = 0;
  const LassoView<double> view(x, RowMap(std::vector<double>(10, 1.0), true), {}, mask);
  const std::vector<double> y = view.rows.apply(test::random_labels(10, 46));
  for (const LassoSolution& s : solve(view, y, GetParam(), {0.0, 0.1, 1.0})) {
    EXPECT_LE(s.gap, 1e-10);
    EXPECT_FALSE(s.voxels.empty());
    for (const Index v : s.voxels) EXPECT_NE(v % 3, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(L2, LassoEdges, testing::Values(0.0, 0.5));

}  // namespace
}  // namespace sturm
