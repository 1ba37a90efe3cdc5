// SPDX-License-Identifier: BSD-3-Clause
// Several classes by any method of two: one task per class, that class against the rest, all of them in one batch and
// with one setting. The class of a sample is that of the largest decision value (eval/scores.h: predicted_labels).
#pragma once

#include <vector>

#include "sturm/models/method.h"

namespace sturm {

/// +1 where a sample is of class `c`, -1 elsewhere.
std::vector<double> against_rest(std::span<const double> label, int c);

/// The largest of the classes' own numbers, place by place: relative settings, or the settings of a grid, that are zero
/// for every class where they should be.
std::vector<double> largest_of(std::span<const std::vector<double>> settings);

/// One report for all classes: objective and dual are sums, sparsity the mean, gap, status, iterations and rank the
/// worst of all, the trace that of the longest way. There is no single intercept.
FitReport merged_report(std::span<const FitReport> reports);

}  // namespace sturm
