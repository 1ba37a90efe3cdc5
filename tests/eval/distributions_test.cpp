// SPDX-License-Identifier: BSD-3-Clause
// The numbers are those of SciPy 1.10: scipy.stats.norm and scipy.stats.t.
#include "sturm/eval/distributions.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sturm {
namespace {

struct Place {
  double at, freedom, value;
};

TEST(Distributions, Normal) {
  for (const Place& t : {Place{-8, 0, 6.22096057427174e-16},
                         {-2.5, 0, 0.006209665325776132},
                         {0, 0, 0.5},
                         {.3, 0, 0.6179114221889526},
                         {3, 0, 0.9986501019683699}})
    EXPECT_NEAR(normal_cdf(t.at), t.value, 1e-13 * t.value) << t.at;
  for (const Place& t : {Place{1e-10, 0, -6.361340902404056},
                         {.025, 0, -1.9599639845400545},
                         {.9, 0, 1.2815515655446004},
                         {.999999, 0, 4.753424308817087}})
    EXPECT_NEAR(normal_quantile(t.at), t.value, 1e-9) << t.at;
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_THROW(normal_quantile(0), std::logic_error);
  EXPECT_THROW(normal_quantile(1), std::logic_error);
}

TEST(Distributions, StudentsT) {
  for (const Place& t : {Place{-1.3, 4, 0.13172579823561206},
                         {2.1, 17, 0.974520076385433},
                         {0, 3, 0.5},
                         {12.7, 1, 0.9749878361553279},
                         {-40, 2.5, 7.097817145246693e-05}})
    EXPECT_NEAR(student_t_cdf(t.at, t.freedom), t.value, 1e-10 * t.value) << t.at << " " << t.freedom;
  for (const Place& t : {Place{.975, 17, 2.1098155778331806},
                         {.975, 1, 12.706204736432095},
                         {.01, 3.5, -4.060711359314515},
                         {.6, 100, 0.25402218245699415}})
    EXPECT_NEAR(student_t_quantile(t.at, t.freedom), t.value, 1e-8) << t.at << " " << t.freedom;
  EXPECT_THROW(student_t_cdf(1, 0), std::logic_error);
}

}  // namespace
}  // namespace sturm
