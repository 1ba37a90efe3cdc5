// SPDX-License-Identifier: BSD-3-Clause
// Places, memory and the end of a batch. batch_test.cpp holds that lanes change no bit.
#include <atomic>

#include "solver/small_problem.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using test::plain_view;
using test::random_design;
using test::random_labels;

class BatchLanes : public test::SolverOnBackend {};

TEST_P(BatchLanes, ZeroSolutionsGiveTheirPlaceAway) {
  const auto x = random_design<float>({4, 5, 3}, 12, 6);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(12, 7);
  const std::vector<Problem<float>> problems = {
      {view, y, 1e6, 1e6}, {view, y, 1e5, 1e6}, {view, y, 1, 0.5}, {view, y, 1e6, 1e4}, {view, y, 2, 0.5}};
  BatchOptions<float> options{backend};
  options.memory = bytes_per_problem<float>(*tubal_nuclear_norm(x.shape()), x.samples());  // one at a time
  const auto found = solve_batch<float>(x, problems, options);
  for (const std::size_t i : {0, 1, 3}) EXPECT_EQ(found[i].status, Status::zero_solution) << i;
  for (const std::size_t i : {2, 4}) EXPECT_EQ(found[i].status, Status::converged) << i;
}

TEST_P(BatchLanes, MemoryIsRefusedWithTheNumberNeeded) {
  const Design<float> x = random_design<float>({6, 7, 5}, 15, 8);
  BatchOptions<float> options{backend};
  options.memory = 1000;
  const Problem<float> problem{plain_view(x), random_labels(15, 9), 1, 1};
  try {
    solve_batch<float>(x, {&problem, 1}, options);
    FAIL();
  } catch (const Error& e) {
    const Index needed = bytes_per_problem<float>(*tubal_nuclear_norm(x.shape()), 15);
    EXPECT_NE(std::string(e.what()).find(std::to_string(needed)), std::string::npos);
  }
}

TEST_P(BatchLanes, ProgressCanStopIt) {
  const Design<float> x = random_design<float>({6, 7, 5}, 15, 8);
  BatchOptions<float> options{backend};
  options.progress = [](const FitProgress&) { return false; };
  const Problem<float> problem{plain_view(x), random_labels(15, 9), 0.5, 0.2};
  EXPECT_THROW(solve_batch<float>(x, {&problem, 1}, options), Interrupted);
}

// Each problem is handed over once, whatever the number of threads, and progress knows how many there are.
TEST_P(BatchLanes, EveryProblemEndsOnce) {
  const Design<float> x = random_design<float>({6, 7, 5}, 15, 8);
  const auto view = plain_view(x);
  const std::vector<double> y = random_labels(15, 9);
  std::vector<Problem<float>> problems;
  for (int i = 0; i < 23; ++i) problems.push_back({view, y, 0.2 + 0.2 * i, 0.1 * (i % 4)});
  for (const int threads : {1, 3}) {
    const UseThreads team(threads);
    std::vector<std::atomic<int>> ended(problems.size());
    BatchOptions<float> options{backend};
    options.take = [&](Index i, Solution<float> s) { ended[i] += s.gap <= options.solver.gap; };
    options.progress = [](const FitProgress& p) {
      EXPECT_EQ(p.total, 23);
      EXPECT_LE(p.active, 23);
      return true;
    };
    SolveStats stats;
    EXPECT_TRUE(solve_batch<float>(x, problems, options, &stats).empty()) << "`take` has them";
    for (std::size_t i = 0; i < ended.size(); ++i) EXPECT_EQ(ended[i], 1) << i << " with " << threads;
    EXPECT_EQ(stats.slots, 23);
    EXPECT_GT(stats.product_flops, 0);
  }
}

STURM_ON_EVERY_BACKEND(BatchLanes);

}  // namespace
}  // namespace sturm
