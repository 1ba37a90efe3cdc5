// SPDX-License-Identifier: BSD-3-Clause
// The settings that a training set chooses from.
#pragma once

#include "sturm/eval/nested.h"

namespace sturm {

/// The grid of a method with the percents of "+ SVM" that the user asked for. One task, or one per class: classes share
/// their settings, each the largest that a class has at its place.
template <class Real>
std::vector<std::vector<double>> settings_of(const Method<Real>& method, const FitData<Real>& data,
                                             std::span<const FitTask> classes, const NestedOptions& options);

/// As they stand for a choice, with one kind of sparsity: in the box or in the mask.
std::vector<Candidate> candidates_of(std::span<const GridPoint> grid, double GridPoint::*sparsity);

}  // namespace sturm
