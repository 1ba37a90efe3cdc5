// SPDX-License-Identifier: BSD-3-Clause
// Are two methods of equal worth? Tests on the same samples, and on the same outer folds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// McNemar's exact test, two-sided: of the samples that one method alone gets right, each is as likely the first's as
/// the second's.
double mcnemar_p(Index first_alone, Index second_alone);

/// Two-sided: each difference is as likely with the other sign, as where two methods change places in a whole group. P
/// that a sum of such differences is as far from 0 as theirs. Exact for whole numbers and for few differences, and
/// otherwise (b + 1)/(N + 1) of N = 9,999 drawn signs. NaN where a difference is.
double sign_flip_p(std::span<const double> differences, std::uint64_t seed);

struct TTest {
  double t = 0, p = 1;
};
/// The corrected resampled t-test, two-sided (Nadeau and Bengio 2003), of differences over folds that share training
/// samples: t = mean / sqrt((1/k + test/train) variance), with k - 1 degrees of freedom. `test_over_train` is the mean
/// ratio of the folds' sizes. Not defined (NaN) below two folds, and where the differences are equal but not 0.
TTest corrected_resampled_t(std::span<const double> differences, double test_over_train);

/// Holm's correction for as many tests as there are p that are not NaN: all of those at most 0.05 after it are false
/// alarms together with a chance of 5 % at most.
std::vector<double> holm(std::span<const double> p);

}  // namespace sturm
