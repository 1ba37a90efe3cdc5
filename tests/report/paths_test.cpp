// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/paths.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

GridRow row(const std::string& fold, double gamma, double score, double sparsity, bool chosen = false) {
  GridRow out;
  out.method = "lasso";
  out.fold = fold;
  out.resize = 1;
  out.setting.values = {{"gamma", gamma}};
  out.score = score;
  out.sparsity_in_mask = sparsity;
  out.chosen = chosen;
  return out;
}

TEST(Paths, AreOfAllSamplesWithTheirMarks) {
  const std::vector<GridRow> grid = {row("1", 9, 1, 0.5),           row("all", 4, 0.5, 1),
                                     row("all", 2, 0.7, 0.991),     row("all", 1.5, 0.6, 0.992),
                                     row("all", 1, 0.8, 0.9, true), row("all", 0.5, not_known, 0.5)};
  MethodResults results;
  EXPECT_TRUE(path_of(grid, "lasso", results).empty()) << "no readable map, no path";
  results.readable.emplace().setting = {1, {{"gamma", 2.0}}};
  const std::vector<StudyPathPoint> path = path_of(grid, "lasso", results);
  ASSERT_EQ(path.size(), 5U);
  EXPECT_TRUE(path[3].chosen && !path[3].readable && path[3].front);
  EXPECT_TRUE(path[1].readable && !path[1].chosen);
  // A tenth and a hundredth of the voxels are no neighbours; 0.8 and 0.9 % of them are.
  EXPECT_TRUE(path[1].front);
  EXPECT_FALSE(path[2].front);
  EXPECT_TRUE(path[0].front) << "alone";
  EXPECT_FALSE(path[4].front) << "without a score";
  EXPECT_TRUE(path_of(grid, "svm", results).empty());
}

}  // namespace
}  // namespace sturm
