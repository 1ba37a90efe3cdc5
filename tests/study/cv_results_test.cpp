// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cv_results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/outcomes.h"
#include "sturm/results/json.h"

namespace sturm {
namespace {

const MethodResults& of(const CvResults& results, const std::string& name) {
  for (const auto& [method, found] : results.methods)
    if (method == name) return found;
  throw std::logic_error(name);
}

TEST(CvResults, AreCountedFromOutcomes) {
  const test::HandMade study = test::hand_made();
  const CvResults results = results_of(study.facts, study.plan, study.methods());
  EXPECT_EQ(results.samples, 6);
  EXPECT_EQ(results.positive_samples, 3);
  EXPECT_EQ(results.labels, (std::vector<std::string>{"control", "patient"}));
  EXPECT_EQ(results.groups->count, 2);
  const MethodResults& svm = of(results, "svm");
  EXPECT_NEAR(*svm.scores.at(Measure::accuracy).mean, 2.5 / 3, 1e-15);
  EXPECT_NEAR(*svm.scores.at(Measure::accuracy).pooled, 5.0 / 6, 1e-15);
  EXPECT_EQ(svm.scores.count(Measure::r2), 0U);
  EXPECT_EQ(svm.confusion->false_positive, 1);
  EXPECT_EQ(svm.confusion->true_positive, 3);
  EXPECT_FALSE(svm.sparsity);
  EXPECT_EQ(svm.inner_fits, 6);
  EXPECT_EQ(svm.inner_fits_unconverged, 3);
  EXPECT_EQ(svm.inner_worst_gap, 2e-4);
  ASSERT_EQ(svm.chosen.size(), 3U);
  EXPECT_EQ(svm.chosen[0].parameters.front().first, "C");
  EXPECT_EQ(of(results, "lasso").sparsity, 0.5);
  EXPECT_EQ(of(results, "lasso").all_samples->shape, (std::array<Index, 3>{2, 2, 1}));
}

TEST(CvResults, OfARegressionHaveItsScores) {
  const test::HandMade study = test::hand_made(false);
  const CvResults results = results_of(study.facts, study.plan, study.methods());
  EXPECT_FALSE(results.labels || results.chance || results.positive_samples);
  const MethodResults& svm = of(results, "svm");
  EXPECT_EQ(svm.scores.size(), 3U);
  EXPECT_EQ(svm.scores.at(Measure::mean_absolute_error).pooled, 0.0);
  EXPECT_FALSE(svm.confusion || svm.binomial_p);
}

TEST(CvResults, TellOfTheReadableModel) {
  test::HandMade study = test::hand_made();
  FoldOutcome& all = study.at("lasso/all");
  FoldOutcome sparser = all;
  sparser.setting = {0.75};
  sparser.inner_score = 0.625;
  sparser.best_score = 0.75;
  sparser.standard_error = 0.25;
  sparser.sparsity_in_mask = 0.875;
  all.readable = {sparser};
  CvResults results = results_of(study.facts, study.plan, study.methods());
  const ReadableModel& readable = *of(results, "lasso").readable;
  EXPECT_EQ(readable.setting.parameters.front().first, "gamma");
  EXPECT_EQ(readable.setting.parameters.front().second, 0.75);
  EXPECT_EQ(readable.inner_score, 0.625);
  EXPECT_EQ(readable.best_score, 0.75);
  EXPECT_EQ(readable.standard_error, 0.25);
  EXPECT_EQ(readable.sparsity_in_mask, 0.875);
  EXPECT_FALSE(readable.same_as_chosen || readable.tubal_rank);
  EXPECT_FALSE(of(results, "svm").readable);
  all.readable.front().setting = all.setting;
  results = results_of(study.facts, study.plan, study.methods());
  EXPECT_TRUE(of(results, "lasso").readable->same_as_chosen);
}

// Each fold trained on half of its four samples is wrong about one of the two it tests; folds 1 and 2 alone are done.
TEST(CvResults, TellOfTheLearningCurve) {
  test::HandMade study = test::hand_made();
  study.plan = make_plan({"svm"}, study.plan.outer, {}, 0, {}, {0.5});
  for (const char* fold : {"1", "2"}) {
    FoldOutcome half = study.at(std::string("svm/fold ") + fold);
    half.trained = 2;
    half.decision = {study.facts.keys.y[*fold - '1'], -study.facts.keys.y[*fold - '1' + 3]};
    study.outcomes["svm/fold " + std::string(fold) + "/share 0.5"]["svm"] = {half};
  }
  const CvResults results = results_of(study.facts, study.plan, study.methods());
  const std::vector<LearningPoint>& learning = *of(results, "svm").learning;
  ASSERT_EQ(learning.size(), 2U);
  EXPECT_EQ(learning[0].fraction, 0.5);
  EXPECT_EQ(learning[0].samples, 2);
  EXPECT_EQ(learning[0].mean, 0.5);
  EXPECT_EQ(learning[0].sd, 0);
  EXPECT_EQ(learning[0].pooled, 0.5);
  EXPECT_EQ(learning[1].fraction, 1);
  EXPECT_NEAR(learning[1].mean, 2.5 / 3, 1e-15);
  EXPECT_NEAR(*of(results, "svm").scores.at(Measure::accuracy).mean, 2.5 / 3, 1e-15) << "parts count for nothing else";
}

// The description gives back what it wrote.
TEST(CvResults, ComeBackFromTheirFile) {
  test::HandMade study = test::hand_made();
  study.outcomes.erase("svm/all");
  const ResultFiles files = result_files(study.facts, study.plan, study.outcomes);
  ASSERT_EQ(files.front().first, "results.json");
  const auto json = nlohmann::ordered_json::parse(files.front().second);
  CvResults back;
  from_json(json, back, "");
  EXPECT_EQ(to_json(back).dump(), json.dump());
  EXPECT_EQ(back.settings->options.folds.outer, study.facts.settings.options.folds.outer);
  EXPECT_FALSE(of(back, "svm").all_samples);
  EXPECT_EQ(json["settings"]["inner"], "auto");
  EXPECT_EQ(json["settings"]["seed"], 0);
}

TEST(CvResults, FilesAreThoseThatAStudyHas) {
  test::HandMade study = test::hand_made();
  study.facts.sites.clear();
  std::vector<std::string> names;
  for (const auto& [name, text] : result_files(study.facts, study.plan, study.outcomes)) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"results.json", "folds.tsv", "predictions.tsv", "grid.tsv", "table.md",
                                             "fitted.tsv", "groups.tsv"}));
}

}  // namespace
}  // namespace sturm
