// SPDX-License-Identifier: BSD-3-Clause
// The support vector machine of a kernel matrix:
//     min_f,b  1/2 |f|^2 + sum_t upper_t max(0, sign_t (target_t - f(x_row(t)) - b)),    f = sum_i beta_i k(x_i, .)
// a sum over terms of the loss. Two classes have one term per sample, whose sign and target are its label; a regression
// has two, on either side of a tube around its target. The dual is
//     max_beta  sum_t target_t beta_t - 1/2 beta'K beta,    0 <= sign_t beta_t <= upper_t,    sum_t beta_t = 0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sturm/core/shape.h"
#include "sturm/solver/options.h"

namespace sturm {

/// A symmetric M x M kernel matrix, laid out once for all folds: a fold is a list of its rows.
class SvmKernel {
 public:
  /// `degenerate`: of fewer voxels than samples, or one that LIBSVM has failed on already. In single precision, which
  /// is what LIBSVM has, the curvature that is missing becomes noise, and its loop runs to its limit of 10 million
  /// steps.
  SvmKernel(std::vector<double> values, Index samples, bool degenerate = false);
  ~SvmKernel();
  SvmKernel(const SvmKernel&) = delete;
  SvmKernel& operator=(const SvmKernel&) = delete;
  SvmKernel(SvmKernel&&) noexcept;
  SvmKernel& operator=(SvmKernel&&) noexcept;

  Index samples() const { return samples_; }
  bool degenerate() const { return degenerate_; }
  const double* row(Index i) const { return values_.data() + i * samples_; }

 private:
  struct Nodes;
  friend struct Libsvm;
  std::vector<double> values_;
  Index samples_;
  bool degenerate_;
  std::unique_ptr<Nodes> nodes_;
};

struct SvmSolution {
  std::vector<double> beta;  ///< one per sample; 0 where it is no support vector
  double intercept = 0;
  double objective = 0, dual = 0, relative_gap = 0;
  int iterations = 0;  ///< of the loop that finishes what LIBSVM began
  Status status = Status::converged;
};

struct SvmTerm {
  Index row = 0;
  double sign = 1, target = 1;
  double upper = 1;  ///< C times the weight of the sample, above 0
};

/// What is asked of the samples; those with an upper bound of 0 are left out. The targets of numbers far from 0 are
/// less their middle, which the intercept has again, and `unit` is how far they lie from it.
struct SvmProblem {
  Index samples = 0;
  std::vector<SvmTerm> terms;
  double middle = 0, unit = 1;
  bool last_digits = false;  ///< conditions to 1e-11 of the unit, not 1e-9
};

/// y: -1 and +1. upper: C times the weight of each sample.
SvmProblem class_problem(std::span<const double> y, std::span<const double> upper);

/// Errors up to `tube` do not count.
SvmProblem tube_problem(std::span<const double> y, std::span<const double> upper, double tube);

/// Every condition of optimality holds to 1e-9 of the unit, or to 1e-13 of the largest sums where rounding
/// allows no more. LIBSVM does the work for two classes, where the samples of a class have one weight, which is all it
/// knows, and the kernel is not degenerate; a loop in double starts from there, since its kernel is in single
/// precision, and from zero otherwise. With samples of one class alone the solution is that class for everybody.
SvmSolution solve_svm(const SvmKernel& kernel, const SvmProblem& problem);
inline SvmSolution solve_svm(const SvmKernel& kernel, std::span<const double> y, std::span<const double> upper) {
  return solve_svm(kernel, class_problem(y, upper));
}

/// The solution of the kernel that the volumes have, where `kernel` is a little off, from one of the other. values:
/// what the volumes make of solution.beta in the place of K beta, all less one number. Repeated, the error shrinks each
/// time by the error of the kernel over its least eigenvalue.
SvmSolution corrected(const SvmKernel& kernel, const SvmProblem& problem, const SvmSolution& solution,
                      std::span<const double> values);

/// intercept + K beta, of every sample.
std::vector<double> decision_values(const SvmKernel& kernel, const SvmSolution& solution);

}  // namespace sturm
