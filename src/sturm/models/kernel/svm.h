// SPDX-License-Identifier: BSD-3-Clause
// `svm`: the linear support vector machine, learnt from the M x M Gram matrix.
//     min_w,b  1/2 |w|^2 + C sum_i s_i max(0, 1 - y_i (<w, x_i> + b))                 of two classes
//     min_w,b  1/2 |w|^2 + C sum_i s_i max(0, |y_i - <w, x_i> - b| - tube sd(y))      of a regression
#pragma once

#include "sturm/models/kernel/kernel_tasks.h"
#include "sturm/solver/svm_dual.h"

namespace sturm {

/// Parameter: C.
template <class Real>
std::unique_ptr<Method<Real>> make_svm();

/// A linear machine on the voxels of one space; `kernel` is their Gram matrix. A proof to keep is of all voxels.
template <class Real>
std::unique_ptr<FittedModel<Real>> fit_linear_svm(const TrainingSets<Real>& study, const VoxelSpace& space,
                                                  const SvmKernel& kernel, const FitTask& task, double c,
                                                  bool keep_proof = false);

/// C times the weight of each sample. Throws where C is not a positive number.
std::vector<double> upper_bounds(std::vector<double> weights, double c);

/// What a task asks of a support vector machine.
template <class Real>
SvmProblem problem_of(const TrainingSet<Real>& set, const FitTask& task, double c);

/// By how much targets differ: 1 for classes, their standard deviation over the training set otherwise (1 where that is
/// 0). A sensible C is in proportion.
template <class Real>
double target_scale(const TrainingSet<Real>& set, std::span<const double> y);

/// What the report of a support vector machine holds, but for its coefficients.
FitReport svm_report(const SvmSolution& solution, const SvmProblem& problem);

/// The values of C from which to choose; `path`: relative to `scale` / (mean squared distance of the task's samples
/// from their mean), so that the scale of the volumes does not matter.
std::vector<double> grid_of_c(std::span<const double> gram, std::span<const double> weights, GridKind kind,
                              double scale);

/// Throws where every two samples are wholly unlike to the last digits (k is 0 beside its diagonal), or wholly alike:
/// no machine can learn from such a kernel. The option and its value are to blame; `way_out` says what would be
/// sensible.
void require_contrast(std::span<const double> kernel, Index samples, const std::string& option, double value,
                      const std::string& way_out);

/// An intercept is part of the machine: refuses to do without.
void require_intercept(bool intercept, const std::string& method);

}  // namespace sturm
