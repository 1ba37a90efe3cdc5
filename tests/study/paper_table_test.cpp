// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/paper_table.h"

#include <gtest/gtest.h>

#include "study/outcomes.h"

namespace sturm {
namespace {

TEST(PaperTable, TheBestIsBoldAndTheSecondInItalics) {
  const test::HandMade study = test::hand_made();
  const std::string text = paper_table(study.facts, study.plan, study.methods());
  EXPECT_TRUE(text.starts_with("| Method | Accuracy (%) | Sparsity (%) |\n|---|---|---|\n")) << text;
  EXPECT_NE(text.find("| svm | *83.33 ± 28.87* | – |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| lasso | **100.00 ± 0.00** | **50.00 ± 0.00** |\n"), std::string::npos) << text;
  EXPECT_NE(text.find("3 outer folds of 6 samples"), std::string::npos) << text;
}

TEST(PaperTable, ARegressionHasR2AsItIs) {
  const test::HandMade study = test::hand_made(false);
  const std::string text = paper_table(study.facts, study.plan, study.methods());
  EXPECT_TRUE(text.starts_with("| Method | R² |")) << text;
  EXPECT_NE(text.find("**1.00 ± 0.00**"), std::string::npos) << text;
  EXPECT_EQ(text.find("larger class"), std::string::npos) << text;
}

}  // namespace
}  // namespace sturm
