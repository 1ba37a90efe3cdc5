// SPDX-License-Identifier: BSD-3-Clause
// What lies behind the scores of a method: its decision values, ROC curves, and what resizing did.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sturm/report/study.h"

namespace sturm {

/// Decision values with whether the sample is positive; those of one method, of two classes.
std::vector<std::pair<double, bool>> decisions_of(const Study& study, const std::string& method);

/// Corners of an ROC curve from (0, 0) to (1, 1): false and true positive rate, samples of equal decision value at
/// once. Empty where a class is missing.
std::vector<std::pair<double, double>> roc_corners(std::vector<std::pair<double, bool>> decisions);

/// The true positive rate of a curve at a false positive rate: the highest there, linear between corners.
double roc_at(const std::vector<std::pair<double, double>>& corners, double false_positive);

/// Up to ten bins of decision values with about equally many samples, at least eight in each; equal values stay
/// together. Empty below 24 samples, or where a class is missing.
std::vector<ReliabilityBin> reliability_of(std::vector<std::pair<double, bool>> decisions);

/// A quantile of sorted values, linear between them.
double quantile_of(const std::vector<double>& sorted, double share);

/// Fills in roc, reliability, boxes and resizing of a method from the predictions of the study and its grid.
void add_diagnostics(const Study& study, const std::vector<GridRow>& grid, StudyMethod& method);

}  // namespace sturm
