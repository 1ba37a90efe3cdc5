// SPDX-License-Identifier: BSD-3-Clause
// The parts of cp.cpp: mode products and alternating least squares on one tensor.
#pragma once

#include <array>
#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/linalg/host.h"

namespace sturm::cp_detail {

inline std::array<Index, 3> extents(const Shape& s) { return {s.n1, s.n2, s.n3}; }

using Factors = std::array<std::vector<double>, 3>;  ///< I_n x R each, columns first

/// X x_mode V' with V of I_mode x columns: mode 0, 1 or 2.
Tensor mode_product(const Tensor& x, int mode, const std::vector<double>& v, Index columns);

/// X_(mode) X_(mode)', full.
std::vector<double> mode_gram(const Tensor& x, int mode);

struct Fit {
  Factors factors;
  double error = 1;  ///< |X - model| / |X|
  int sweeps = 0;
};

/// Sweeps over the modes from `factors` until one lowers the error by less than tolerance times itself.
///     F_n <- (X_(n) G_n + mu F_n) (H_n + mu I)^-1,   G_n the Khatri-Rao product of the others, H_n = G_n'G_n
/// mu is tiny: it leaves fixed points where they are and keeps H_n regular where terms run alike.
Fit alternate(const Tensor& x, Factors factors, Index rank, int sweeps, double tolerance);

}  // namespace sturm::cp_detail
