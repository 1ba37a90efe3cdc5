// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cv_tables.h"

#include <gtest/gtest.h>

#include "study/outcomes.h"
#include "sturm/results/rows.h"

namespace sturm {
namespace {

TEST(CvTables, FoldsHaveTheScoresOfTheirStudy) {
  const test::HandMade study = test::hand_made();
  const std::string text = folds_table(study.facts, study.plan, study.methods());
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "method\tfold\tn_train\tn_test\tresize\tsetting\tinner_score\taccuracy\tbalanced_accuracy\tauc\tsensitivity\t"
      "specificity\tsparsity\tsparsity_in_mask\ttubal_rank\tobjective\trelative_gap\titerations\tstatus");
  const std::vector<FoldRow> rows = read_rows<FoldRow>(Table::parse(text, "folds.tsv"));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].scores.at(Measure::accuracy), 0.5);
  EXPECT_EQ(rows[0].setting.values.front().second, 0.5);
  EXPECT_TRUE(std::isnan(rows[0].sparsity)) << "an SVM here has no map";
  EXPECT_EQ(rows[3].sparsity, 0.5);
  EXPECT_EQ(rows[3].n_train, 4);
}

TEST(CvTables, AStudyOfWhichNothingIsDoneHasItsColumns) {
  test::HandMade study = test::hand_made();
  study.outcomes.clear();
  EXPECT_NE(folds_table(study.facts, study.plan, study.methods()).find("\tauc\t"), std::string::npos);
  EXPECT_EQ(sites_table(study.facts, study.methods()), "method\tsite\tn\taccuracy\n");
}

// Accuracy is defined for a group of one class; AUC and R2 are not, whatever the study was tuned by.
TEST(CvTables, GroupsAndSitesNameTheScoreThatTheyHave) {
  test::HandMade classes = test::hand_made(), numbers = test::hand_made(false);
  classes.facts.score = Score::auc;
  EXPECT_EQ(groups_table(classes.facts, {classes.methods().front()}),
            "method\tgroup\tn\taccuracy\nsvm\tg1\t3\t0.6666666666666666\nsvm\tg2\t3\t1\n");
  EXPECT_EQ(sites_table(numbers.facts, {numbers.methods().front()}),
            "method\tsite\tn\tmean_absolute_error\nsvm\ts1\t3\t0\nsvm\ts2\t3\t0\n");
}

TEST(CvTables, PredictionsOfSeveralClassesHaveADecisionForEach) {
  test::HandMade study = test::hand_made();
  study.facts.target.classes.reset();
  study.facts.target.names = {"x", "y"};
  study.facts.keys.several = 2;
  study.facts.keys.y = {0, 1, 0, 1, 0, 1};
  for (const char* fold : {"1", "2", "3"})
    study.at(std::string("svm/fold ") + fold).decision =
        study.at(std::string("lasso/fold ") + fold).decision = {0.25, -1, -0.5, 2};
  const std::string text = predictions_table(study.facts, study.plan, study.methods());
  EXPECT_TRUE(
      text.starts_with("method\tparticipant_id\tpath\tfold\tactual\tdecision\tpredicted\tsite\tdecision_x\tdecision_y\n"
                       "svm\ta\tn/a\t1\tcontrol\t0.25\tx\ts1\t0.25\t-1\n"))
      << text;
}

TEST(CvTables, TheGridComesBack) {
  const test::HandMade study = test::hand_made();
  const std::vector<GridRow> rows =
      read_rows<GridRow>(Table::parse(grid_table(study.plan, study.methods()), "grid.tsv"));
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[3].fold, "all");
  EXPECT_TRUE(rows[0].chosen);
  EXPECT_EQ(rows[0].scores, (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(rows[0].worst_gap, 2e-4);
}

TEST(CvTables, NullHasARowForEachPermutation) {
  EXPECT_EQ(null_table(test::hand_made().methods()), "method\tpermutation\tscore\n");
}

}  // namespace
}  // namespace sturm
