// SPDX-License-Identifier: BSD-3-Clause
// How much of a score may be luck. The numbers beside a formula are those of SciPy 1.17.
#include <gtest/gtest.h>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

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
