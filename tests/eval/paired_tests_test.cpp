// SPDX-License-Identifier: BSD-3-Clause
// The numbers beside a formula are those of SciPy 1.10.
#include "sturm/eval/paired_tests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sturm {
namespace {

using Values = std::vector<double>;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST(PairedTests, McNemarIsATwoSidedBinomialTest) {
  struct Case {
    Index first, second;
    double p;  // scipy.stats.binomtest(first, first + second, 0.5).pvalue
  };
  for (const Case& t :
       {Case{1, 9, 0.021484375}, {7, 2, 0.1796875}, {3, 3, 1}, {0, 1, 1}, {40, 60, 0.05688793364098088}}) {
    EXPECT_NEAR(mcnemar_p(t.first, t.second), t.p, 1e-10 * t.p);
    EXPECT_EQ(mcnemar_p(t.first, t.second), mcnemar_p(t.second, t.first));
  }
  EXPECT_EQ(mcnemar_p(0, 0), 1);
}

// Differences of -1, 0 and 1 are McNemar's test.
TEST(PairedTests, SignFlipsOfSingleSamplesAreMcNemar) {
  for (Index first = 0; first < 12; ++first)
    for (Index second = 0; second < 12; ++second) {
      Values differences(5, 0.0);
      differences.insert(differences.end(), static_cast<std::size_t>(first), 1);
      differences.insert(differences.end(), static_cast<std::size_t>(second), -1);
      EXPECT_NEAR(sign_flip_p(differences, 0), mcnemar_p(first, second), 1e-12) << first << " " << second;
    }
}

TEST(PairedTests, SignFlipsAreExactForFewAndForWholeNumbers) {
  // scipy.stats.permutation_test((d,), sum, permutation_type="samples", n_resamples=inf)
  EXPECT_NEAR(sign_flip_p(Values{.3, -.1, .5, .25, .7, -.2, .05, .9}, 0), 0.078125, 1e-15);
  EXPECT_NEAR(sign_flip_p(Values{2, -1, 3, 1, 1, -2, 4, 0, 2, 1}, 0), 0.12109375, 1e-15);
  EXPECT_EQ(sign_flip_p(Values{0, 0}, 0), 1);
  EXPECT_EQ(sign_flip_p(Values{}, 0), 1);
  EXPECT_TRUE(std::isnan(sign_flip_p(Values{1, none}, 0)));
}

// Forty differences of a half are forty of 1, whose p is exact; 9,999 draws have a standard error of
// sqrt(p (1 - p) / 9,999), and five of them are allowed.
TEST(PairedTests, DrawnSignsAgreeWithExactOnes) {
  Values halves, ones;
  for (int i = 0; i < 40; ++i) {
    ones.push_back(i < 26 ? 1 : -1);
    halves.push_back(0.5 * ones.back());
  }
  const double exact = sign_flip_p(ones, 0), drawn = sign_flip_p(halves, 7);
  EXPECT_NEAR(exact, mcnemar_p(26, 14), 1e-12);
  EXPECT_NEAR(drawn, exact, 5 * std::sqrt(exact * (1 - exact) / 9999));
  EXPECT_EQ(drawn, sign_flip_p(halves, 7));
  const Values clear(30, 0.25);
  EXPECT_EQ(sign_flip_p(clear, 1), 1.0 / 10'000) << "no p is 0";
}

TEST(PairedTests, CorrectedResampledT) {
  const Values d = {.02, -.01, .03, .05, 0, .04, .01, .02, -.02, .06};
  const TTest test = corrected_resampled_t(d, 1.0 / 9);  // t and 2 * scipy.stats.t.sf(t, 9)
  EXPECT_NEAR(test.t, 1.6858544608470492, 1e-12);
  EXPECT_NEAR(test.p, 0.12610326382724926, 1e-10);
  Values other = d;
  for (double& v : other) v = -v;
  EXPECT_NEAR(corrected_resampled_t(other, 1.0 / 9).t, -test.t, 1e-12);
  EXPECT_EQ(corrected_resampled_t(other, 1.0 / 9).p, test.p);
}

TEST(PairedTests, CorrectedResampledTWhereItIsNotDefined) {
  EXPECT_EQ(corrected_resampled_t(Values{0, 0, 0}, 0.5).p, 1) << "no fold differs";
  EXPECT_TRUE(std::isnan(corrected_resampled_t(Values{.1, .1, .1}, 0.5).p)) << "all folds differ by the same";
  EXPECT_TRUE(std::isnan(corrected_resampled_t(Values{.1}, 0.5).p));
  EXPECT_FALSE(std::isnan(corrected_resampled_t(Values{.1, none, .2}, 0.5).p)) << "a fold that is not done";
}

TEST(PairedTests, HolmCorrects) {
  const Values p = {.01, .04, .03, .005};
  const Values adjusted = holm(p);
  // 4 x .005, 3 x .01, 2 x .03, and .04 is raised to the one before.
  EXPECT_NEAR(adjusted[3], .02, 1e-15);
  EXPECT_NEAR(adjusted[0], .03, 1e-15);
  EXPECT_NEAR(adjusted[2], .06, 1e-15);
  EXPECT_NEAR(adjusted[1], .06, 1e-15);
  const Values some = holm(Values{none, .4, .9});
  EXPECT_TRUE(std::isnan(some[0]));
  EXPECT_NEAR(some[1], .8, 1e-15) << "two tests, not three";
  EXPECT_NEAR(some[2], .9, 1e-15);
  EXPECT_EQ(holm(Values{.7, .8})[1], 1);
}

}  // namespace
}  // namespace sturm
