// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/diagnostics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

using Decisions = std::vector<std::pair<double, bool>>;

Study two_classes() {
  Study study;
  study.target.classes = std::vector<std::string>{"control", "patient"};
  study.target.negative = "control";
  study.target.positive = "patient";
  return study;
}

void say(Study& study, const std::string& fold, const std::string& actual, double decision,
         const std::string& site = "") {
  StudyPrediction p{.method = "m", .participant = "p", .fold = fold, .actual = actual, .decision = decision};
  p.site = site;
  study.predictions.push_back(p);
}

TEST(Diagnostics, TheRocCurveHasTheAreaOfTheAuc) {
  const Decisions decisions = {{0.9, true},  {0.8, true},  {0.7, false}, {0.7, true},
                               {0.2, false}, {0.1, false}, {0.1, true}};
  const auto corners = roc_corners(decisions);
  double area = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    area += (corners[i].first - corners[i - 1].first) * (corners[i].second + corners[i - 1].second) / 2;
  std::vector<double> labels, values;
  for (const auto& [value, positive] : decisions) {
    labels.push_back(positive ? 1 : -1);
    values.push_back(value);
  }
  EXPECT_NEAR(area, auc(labels, values), 1e-12);
  EXPECT_EQ(corners.front(), (std::pair{0.0, 0.0}));
  EXPECT_EQ(corners.back(), (std::pair{1.0, 1.0}));
  EXPECT_NEAR(roc_at(corners, 0), 0.5, 1e-12);          // two of four before the first false alarm
  EXPECT_NEAR(roc_at(corners, 1.0 / 6), 0.625, 1e-12);  // half way along the tie
  EXPECT_EQ(roc_at(corners, 1), 1);
  EXPECT_TRUE(roc_corners({{1, true}}).empty());
}

// Three folds: perfect, reversed, perfect; a fold of one class is no curve.
TEST(Diagnostics, TheBandIsMeanAndDeviationOverFolds) {
  Study study = two_classes();
  for (const auto& [fold, sign] : {std::pair{"1", 1.0}, std::pair{"2", -1.0}, std::pair{"3", 1.0}})
    for (const double size : {1.0, 2.0}) {
      say(study, fold, "patient", sign * size);
      say(study, fold, "control", -sign * size);
    }
  say(study, "4", "patient", 1);
  StudyMethod method{.name = "m"};
  add_diagnostics(study, {}, method);
  ASSERT_TRUE(method.roc);
  EXPECT_EQ(method.roc->folds, 3);
  EXPECT_NEAR(method.roc->mean[10], 2.0 / 3, 1e-12);
  EXPECT_NEAR(method.roc->sd[10], std::sqrt(1.0 / 3), 1e-12);
  EXPECT_NEAR(method.roc->mean.back(), 1, 1e-12);
  std::erase_if(study.predictions, [](const StudyPrediction& p) { return p.fold == "3"; });
  method = {.name = "m"};
  add_diagnostics(study, {}, method);
  EXPECT_FALSE(method.roc);  // two folds have no spread worth drawing
}

TEST(Diagnostics, BinsOfDecisionValuesHoldEverySampleOnce) {
  Decisions decisions;
  for (int i = 0; i < 40; ++i) decisions.emplace_back(i < 12 ? 0 : i, i % 3 != 0 || i > 30);
  const auto bins = reliability_of(decisions);
  ASSERT_EQ(bins.size(), 4U);  // of at least eight: the first has all equal values, the last what is left
  EXPECT_EQ(bins[0].n, 12);
  EXPECT_EQ(bins[1].n, 8);
  EXPECT_EQ(bins[3].n, 12);
  Index n = 0, positive = 0;
  double last = -1;
  for (const ReliabilityBin& bin : bins) {
    n += bin.n;
    positive += bin.positive;
    EXPECT_GT(bin.from, last);
    EXPECT_LE(bin.from, bin.decision);
    EXPECT_LE(bin.decision, bin.to);
    EXPECT_NEAR(bin.share, static_cast<double>(bin.positive) / static_cast<double>(bin.n), 1e-15);
    const Interval interval = share_interval(bin.positive, bin.n);
    EXPECT_EQ(bin.low, interval.low);
    EXPECT_EQ(bin.high, interval.high);
    last = bin.to;
  }
  EXPECT_EQ(n, 40);
  EXPECT_EQ(positive, std::ranges::count_if(decisions, &std::pair<double, bool>::second));
  EXPECT_TRUE(reliability_of(Decisions(decisions.begin(), decisions.begin() + 20)).empty());
}

TEST(Diagnostics, BoxesAreByClassAndBySite) {
  Study study = two_classes();
  for (const double value : {1.0, 2.0, 3.0, 4.0, 10.0}) say(study, "1", "patient", value, value < 3 ? "A" : "B");
  say(study, "1", "control", -1, "A");
  StudyMethod method{.name = "m"};
  add_diagnostics(study, {}, method);
  ASSERT_EQ(method.boxes.size(), 5U);
  const DecisionBox& all = method.boxes[1];
  EXPECT_EQ(all.of_class, "patient");
  EXPECT_EQ(all.site, "");
  EXPECT_EQ(all.n, 5);
  EXPECT_EQ(all.low, 1);
  EXPECT_EQ(all.q1, 2);
  EXPECT_EQ(all.median, 3);
  EXPECT_EQ(all.q3, 4);
  EXPECT_EQ(all.high, 10);
  EXPECT_EQ(method.boxes[3].site, "A");
  EXPECT_EQ(method.boxes[3].median, 1.5);
}

TEST(Diagnostics, EachSizeHasTheBestScoreOfEachFold) {
  std::vector<GridRow> grid;
  const auto row = [&](const std::string& fold, double resize, double score, bool chosen) {
    GridRow point{.method = "m", .fold = fold, .resize = resize, .chosen = chosen, .score = score};
    grid.push_back(point);
  };
  row("1", 0.5, 0.6, false);
  row("1", 0.5, 0.7, false);
  row("1", 1, 0.8, true);
  row("2", 0.5, 0.9, true);
  row("2", 1, 0.6, false);
  row("2", 1, not_known, false);
  row("all", 1, 1, true);
  StudyMethod method{.name = "m"};
  add_diagnostics(Study(), grid, method);
  ASSERT_EQ(method.resizing.size(), 2U);
  EXPECT_EQ(method.resizing[0].resize, 0.5);
  EXPECT_NEAR(method.resizing[0].mean, 0.8, 1e-12);
  EXPECT_NEAR(method.resizing[1].mean, 0.7, 1e-12);
  EXPECT_EQ(method.resizing[0].chosen, 1);
  EXPECT_EQ(method.resizing[1].chosen, 1);
}

}  // namespace
}  // namespace sturm
