// SPDX-License-Identifier: BSD-3-Clause
// The support vector machine on a kernel matrix that is at hand (LIBSVM's C-SVC).
#pragma once

#include <span>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// f(x) = sum_i coef_i k(x_i, x) + bias, positive for the label +1.
struct KernelSvm {
  std::vector<double> coef;  ///< one a sample; 0 for those that are no support vectors or do not count
  double bias = 0;

  double operator()(std::span<const double> kernel_row) const;
};

/// min 1/2 |f|_k^2 + C sum_m weight_m max(0, 1 - y_m f(x_m)), to a violation of 1e-6. `kernel` is symmetric M x M, y is
/// -1 or +1 where the weight is positive. Where all labels that count are one, f is that label everywhere. Weights may
/// differ between the classes but not inside one (LIBSVM has a C a class); otherwise throws UsageError.
KernelSvm solve_svm(std::span<const double> kernel, std::span<const double> y, std::span<const double> weights,
                    double c);

}  // namespace sturm
