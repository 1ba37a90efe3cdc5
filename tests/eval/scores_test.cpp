// SPDX-License-Identifier: BSD-3-Clause
// The numbers beside a formula are those of scikit-learn 1.9 and SciPy 1.17.
#include "sturm/eval/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sturm/core/rng.h"
#include "sturm/models/wrappers/one_vs_rest.h"

namespace sturm {
namespace {

using Values = std::vector<double>;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const Values actual = {1, 1, -1, 1, -1, -1, 1, -1, 1, 1};
const Values decision = {.9, .4, .4, -.2, -.5, .1, .4, -.5, 2, -.5};

Values signs(const Values& values) {
  Values out;
  for (const double v : values) out.push_back(v > 0 ? 1 : -1);
  return out;
}

TEST(Scores, TwoClasses) {
  const Confusion c = confusion(actual, decision);
  EXPECT_EQ(c.true_positive, 4);
  EXPECT_EQ(c.false_negative, 2);
  EXPECT_EQ(c.true_negative, 2);
  EXPECT_EQ(c.false_positive, 2);
  EXPECT_EQ(c.total(), 10);
  EXPECT_DOUBLE_EQ(sensitivity(c), 4. / 6);
  EXPECT_DOUBLE_EQ(specificity(c), 0.5);
  EXPECT_DOUBLE_EQ(accuracy(actual, signs(decision)), 0.6);                          // accuracy_score
  EXPECT_DOUBLE_EQ(balanced_accuracy(actual, signs(decision)), 0.5833333333333333);  // balanced_accuracy_score
  EXPECT_DOUBLE_EQ(auc(actual, decision), 0.75);                                     // roc_auc_score
}

TEST(Scores, ManyClasses) {
  const Values many = {0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2}, guess = {0, 1, 2, 0, 1, 0, 2, 2, 1, 3, 2};
  EXPECT_DOUBLE_EQ(accuracy(many, guess), 0.5454545454545454);           // accuracy_score
  EXPECT_DOUBLE_EQ(balanced_accuracy(many, guess), 0.5333333333333333);  // recall_score, mean over the classes
  EXPECT_DOUBLE_EQ(majority_share(many), 5. / 11);
  EXPECT_DOUBLE_EQ(chance_level(many), 1. / 3);
}

TEST(Scores, OneClassAloneDefinesHalfOfThem) {
  const Values ones(4, 1), guess = {1, 1, 1, -1};
  const Confusion c = confusion(ones, guess);
  EXPECT_DOUBLE_EQ(sensitivity(c), 0.75);
  EXPECT_TRUE(std::isnan(specificity(c)));
  EXPECT_TRUE(std::isnan(auc(ones, guess)));
  EXPECT_TRUE(std::isnan(auc(actual, Values(10, none))));
  EXPECT_TRUE(std::isnan(accuracy({}, {})));
}

// The definition, over all pairs.
TEST(Scores, AucCountsPairs) {
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    Values y, d;
    for (int m = 0; m < 40; ++m) {
      y.push_back(rng.below(2) ? 1 : -1);
      d.push_back(static_cast<double>(rng.below(12)));  // many ties
    }
    double won = 0, pairs = 0;
    for (int p = 0; p < 40; ++p)
      for (int n = 0; n < 40; ++n)
        if (y[p] > 0 && y[n] < 0) {
          won += d[p] > d[n] ? 1 : d[p] == d[n] ? 0.5 : 0;
          ++pairs;
        }
    EXPECT_DOUBLE_EQ(auc(y, d), won / pairs);
  }
}

TEST(Scores, Regression) {
  const Values y = {1.5, 2., -3., 4.25, 0.5, 7.}, p = {1., 2.5, -1., 3., 1.5, 5.};
  EXPECT_NEAR(r_squared(y, p), 0.8077828054298642, 1e-14);            // r2_score
  EXPECT_NEAR(pearson(y, p), 0.9752980409207087, 1e-14);              // pearsonr
  EXPECT_NEAR(mean_absolute_error(y, p), 1.2083333333333333, 1e-14);  // mean_absolute_error
  const Values flat(6, 0.1);
  EXPECT_TRUE(std::isnan(r_squared(flat, p)));
  EXPECT_TRUE(std::isnan(pearson(y, flat)));
  EXPECT_DOUBLE_EQ(pearson(y, y), 1);
}

TEST(Scores, MeanAndSpreadOverFolds) {
  const MeanSd two = mean_sd(Values{1, none, 4});
  EXPECT_EQ(two.count, 2);
  EXPECT_DOUBLE_EQ(two.mean, 2.5);
  EXPECT_DOUBLE_EQ(two.sd, std::sqrt(4.5));
  EXPECT_TRUE(std::isnan(mean_sd(Values{3}).sd));
  EXPECT_TRUE(std::isnan(mean_sd(Values{none}).mean));
}

TEST(ScoresOfClasses, LargestDecisionWinsAndTheFirstOfEquals) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {0.1, 0.3, -1, 0.5, 0.5, 0.2, -3, -2, -1, 0, nan, 1};
  const std::vector<double> labels = predicted_labels(values, 4);
  EXPECT_EQ(labels[0], 1);
  EXPECT_EQ(labels[1], 0);
  EXPECT_EQ(labels[2], 2);
  EXPECT_TRUE(std::isnan(labels[3]));
  EXPECT_EQ(predicted_labels(std::vector<double>{-0.5, 0}, 2), (std::vector<double>{-1, 1})) << "one value per sample";
  EXPECT_THROW(predicted_labels(values, 5), std::logic_error);
}

TEST(ScoresOfClasses, ScoresAreThoseOfEachAgainstTheRest) {
  const std::vector<double> classes = {0, 0, 1, 1, 2, 2},
                            values = {2, 1, 0, 0, 1, 2, 0, 3, 1, 5, 1, 2, 0, 0, 1, 1, 2, 2};
  EXPECT_NEAR(accuracy(classes, predicted_labels(values, 6)), 3.0 / 6, 1e-15);
  double sum = 0;
  for (int c = 0; c < 3; ++c) {
    std::vector<double> own;
    for (std::size_t m = 0; m < 6; ++m) own.push_back(values[3 * m + c]);
    sum += auc(against_rest(classes, c), own);
  }
  EXPECT_NEAR(auc(classes, values), sum / 3, 1e-15);
  const auto matrix = confusion_matrix(classes, predicted_labels(values, 6), 3);
  EXPECT_EQ(matrix, (std::vector<std::vector<Index>>{{1, 0, 1}, {1, 1, 0}, {0, 1, 1}}));
  EXPECT_EQ(score(Score::accuracy, classes, values), accuracy(classes, predicted_labels(values, 6)));
  EXPECT_EQ(score(Score::auc, classes, values), auc(classes, values));
}

TEST(Measures, EachStudyHasItsOwnAndTheFactsAreInOrder) {
  for (const MeasureFacts& facts : all_measures()) {
    EXPECT_EQ(&facts_of(facts.measure), &facts);
    EXPECT_EQ(to_word(facts.measure), facts.key);
  }
  using enum Measure;
  EXPECT_EQ(measures_of(false, 0), (std::vector<Measure>{r2, correlation, mean_absolute_error}));
  EXPECT_EQ(measures_of(true, 0), (std::vector<Measure>{accuracy, balanced_accuracy, auc, sensitivity, specificity}));
  EXPECT_EQ(measures_of(true, 4), (std::vector<Measure>{accuracy, balanced_accuracy, auc}));
}

// Whatever chooses among settings is the larger the better, and its measure computes what its name says.
TEST(Measures, ScoresAreMeasuresOfWhichMoreIsBetter) {
  const std::vector<double> labels = {1, -1, 1, -1}, decisions = {2, -1, -0.5, -3}, numbers = {2.5, 0, 1, -1};
  for (const Score kind : {Score::accuracy, Score::balanced_accuracy, Score::auc, Score::r2, Score::correlation})
    EXPECT_TRUE(facts_of(measure_of(kind)).higher_is_better) << to_word(kind);
  EXPECT_FALSE(facts_of(Measure::mean_absolute_error).higher_is_better);
  EXPECT_EQ(score(Score::accuracy, labels, decisions), 0.75);
  EXPECT_EQ(score(Score::auc, labels, decisions), 1);
  EXPECT_EQ(facts_of(Measure::sensitivity).of(labels, decisions), 0.5);
  EXPECT_EQ(facts_of(Measure::mean_absolute_error).of(labels, numbers), 0.625);
  EXPECT_EQ(title_of(facts_of(Measure::mean_absolute_error)), "Mean absolute error");
}

}  // namespace
}  // namespace sturm
