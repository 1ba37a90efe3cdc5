// SPDX-License-Identifier: BSD-3-Clause
// The numbers beside a formula are those of scikit-learn 1.9 and SciPy 1.17.
#include "sturm/eval/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sturm/core/rng.h"

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

struct Beta {
  double a, b, x, value;  // scipy.special.betainc(a, b, x)
};

TEST(Luck, IncompleteBeta) {
  for (const Beta& t : {Beta{.5, .5, .3, 0.36901011956554536},
                        {2, 3, .7, 0.9163},
                        {30, 1, .99, 0.7397003733882802},
                        {1, 40, .01, 0.3310282414303195},
                        {400.5, 600.25, .41, 0.7373725900101804},
                        {1e-3, 2, .5, 0.9998067465369478},
                        {5, 5, .5, 0.5},
                        {10000, 20000, .334, 0.5972464229533355}})
    EXPECT_NEAR(incomplete_beta(t.a, t.b, t.x), t.value, 1e-10 * t.value) << t.a << " " << t.b << " " << t.x;
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

struct Share {
  Index successes, trials;
  double level, low, high;  // scipy.stats.beta.ppf((1 - level)/2, s, n - s + 1), ppf((1 + level)/2, s + 1, n - s)
};

TEST(Luck, IntervalOfAShare) {
  for (const Share& t : {Share{0, 10, 0.95, 0.0, 0.3084971078187607},
                         {10, 10, 0.95, 0.6915028921812392, 1.0},
                         {7, 10, 0.95, 0.34754714994000274, 0.9332604888222655},
                         {1, 20, 0.9, 0.00256137877653028, 0.2161061642068473},
                         {45, 64, 0.95, 0.5758292008645438, 0.8108826297632739},
                         {150, 232, 0.99, 0.5611456415945986, 0.7257935341697785},
                         {3, 5, 0.95, 0.14663279963467318, 0.9472550494736831},
                         {600, 1000, 0.95, 0.5688784459558931, 0.6305310124510877}}) {
    const Interval interval = share_interval(t.successes, t.trials, t.level);
    EXPECT_NEAR(interval.low, t.low, 1e-10) << t.successes << " of " << t.trials;
    EXPECT_NEAR(interval.high, t.high, 1e-10) << t.successes << " of " << t.trials;
  }
}

struct Tail {
  Index successes, trials;
  double chance, p;  // scipy.stats.binom.sf(s - 1, n, chance)
};

TEST(Luck, BinomialTail) {
  for (const Tail& t : {Tail{7, 10, 0.5, 0.171875},
                        {45, 64, 0.5, 0.0007813946724140139},
                        {150, 232, 131. / 232, 0.0067755050419717675},
                        {0, 5, 0.5, 1.0},
                        {5, 5, 0.25, 0.0009765625},
                        {600, 1000, 0.5, 1.3642320780329735e-10},
                        {90, 94, 52. / 94, 9.277936054396269e-19}})
    EXPECT_NEAR(binomial_p(t.successes, t.trials, t.chance), t.p, 1e-10 * t.p) << t.successes << " of " << t.trials;
  EXPECT_THROW(binomial_p(6, 5, 0.5), std::logic_error);
}

}  // namespace
}  // namespace sturm
