// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/clustered_share.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sturm/core/rng.h"
#include "sturm/eval/scores.h"

namespace sturm {
namespace {

using Counts = std::vector<Index>;

TEST(ClusteredShare, IsTheFormula) {
  const Counts successes = {2, 1, 2, 0, 2, 2, 1, 2, 2, 2}, sizes(10, 2);
  // NumPy: n / deff (t_19 / t_9)^2, and scipy.stats.beta.cdf(0.5, p n, n - p n + 1)
  EXPECT_NEAR(effective_trials(successes, sizes), 11.206569731437172, 1e-9);
  EXPECT_NEAR(clustered_share_p(successes, sizes, 0.5), 0.04134197142054468, 1e-10);
}

TEST(ClusteredShare, NeverCountsMoreThanTheSamples) {
  const Counts one_of_two(10, 1), sizes(10, 2);  // groups are all alike: less spread than independent samples have
  EXPECT_LE(effective_trials(one_of_two, sizes), 20);
  EXPECT_EQ(effective_trials(sizes, sizes), 10) << "all right: as many as groups";
  EXPECT_NEAR(clustered_share_p(sizes, sizes, 0.5), std::pow(0.5, 10), 1e-12);
  EXPECT_EQ(clustered_share_p(Counts(10, 0), sizes, 0.5), 1);
  EXPECT_THROW(effective_trials(Counts{1}, Counts{2}), std::logic_error);
}

// Where a group is right or wrong as a whole, groups are what counts: a binomial test of all samples would find 5 % too
// often, by far; this one may not. 400 studies of 20 groups of 4: 5 % are 20, and five standard errors are 22.
TEST(ClusteredShare, KeepsItsLevel) {
  Rng rng(8);
  int clustered = 0, naive = 0;
  const Counts sizes(20, 4);
  for (int study = 0; study < 400; ++study) {
    Counts successes;
    Index right = 0;
    for (int g = 0; g < 20; ++g) successes.push_back(rng.below(2) != 0 ? 4 : 0);
    for (const Index s : successes) right += s;
    clustered += clustered_share_p(successes, sizes, 0.5) <= 0.05;
    naive += binomial_p(right, 80, 0.5) <= 0.05;
  }
  EXPECT_LE(clustered, 42);
  EXPECT_GT(naive, 60);
}

}  // namespace
}  // namespace sturm
