// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/paper_table.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "study/outcomes.h"
#include "sturm/study/cv_results.h"

namespace sturm {
namespace {

std::string table_of(const test::HandMade& study) {
  return paper_table(study.facts, study.plan, study.methods(), results_of(study.facts, study.plan, study.methods()));
}

TEST(PaperTable, TheBestIsBoldAndTheSecondInItalics) {
  const test::HandMade study = test::hand_made();
  const std::string text = table_of(study);
  EXPECT_TRUE(text.starts_with("| Method | Accuracy (%) | Sparsity of the box (%) |\n|---|---|---|\n")) << text;
  EXPECT_NE(text.find("| svm | *83.33 ± 28.87* | – |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| lasso | **100.00 ± 0.00** | **50.00 ± 0.00** |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("3 outer folds of 6 samples"), std::string::npos) << text;
}

TEST(PaperTable, ARegressionHasR2AsItIs) {
  const test::HandMade study = test::hand_made(false);
  const std::string text = table_of(study);
  EXPECT_TRUE(text.starts_with("| Method | R² |")) << text;
  EXPECT_NE(text.find("**1.00 ± 0.00**"), std::string::npos) << text;
  EXPECT_EQ(text.find("larger class"), std::string::npos) << text;
  EXPECT_NE(text.find("no p"), std::string::npos) << text;
}

// Below the paper's table: all predictions together, with intervals and p, and the methods in pairs.
TEST(PaperTable, PooledScoresAndPairsStandBelow) {
  test::HandMade study = test::hand_made();
  study.facts.keys.groups = {"g1", "g1", "g2", "g2", "g3", "g3"};
  const std::string text = table_of(study);
  const CvResults results = results_of(study.facts, study.plan, study.methods());
  const Range interval = *results.methods.front().second.scores.at(Measure::accuracy).interval;
  for (const std::string& part :
       {std::string(
            "| All predictions together | Accuracy (%), interval | Balanced accuracy (%), interval | AUC, interval "
            "| Forced choice (%), interval | its p | p | Sparsity in the mask (%) |"),
        fmt::format("| svm | 83.33 ({:.2f} to {:.2f}) |", 100 * interval[0], 100 * interval[1]),
        std::string("bootstrap draws of the 3 groups of participant_id"), std::string("p is one-sided"),
        std::string("Forced choice: each group has one sample of each class"),
        std::string("| p, corrected | svm | lasso |"), std::string("corrected resampled t-test"),
        std::string("Above the diagonal on the same samples")})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_NE(text.find("| svm |  | 1 |\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace sturm
