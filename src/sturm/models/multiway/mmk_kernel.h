// SPDX-License-Identifier: BSD-3-Clause
// The structure-preserving kernel of DuSK and MMK: volumes are compared by the vectors of their CP decompositions,
//     k(X, Y) = sum_{i,j <= R} prod_n exp(-|x_i^(n) - y_j^(n)|^2 / (2 sigma^2)).
#pragma once

#include <span>
#include <vector>

#include "sturm/tensor/cp.h"

namespace sturm {

/// The vectors of one volume. A term w a1 o a2 o a3 has x^(n) = w^(1/3) a_n: the scale is shared out evenly, signs are
/// those of Cp. Since the product of the three exponentials is one of the sum, the three lie end to end.
struct CpFeatures {
  Index rank = 0;
  std::vector<double> terms;  ///< R rows of I1 + I2 + I3 numbers

  Index length() const { return static_cast<Index>(terms.size()) / rank; }
  std::span<const double> term(Index i) const {
    return {terms.data() + i * length(), static_cast<std::size_t>(length())};
  }
};

CpFeatures features_of(const Cp& model);

/// sum_n |x_i^(n) - y_j^(n)|^2 for all pairs of terms of all pairs of volumes: sigma is not in it yet. Entry
/// ((b R + j) rows + a) R + i belongs to term i of volume a and term j of volume b.
std::vector<double> term_distances(std::span<const CpFeatures> rows, std::span<const CpFeatures> columns);

/// The kernel matrix, rows x columns with rows fastest, from term_distances().
std::vector<double> structure_kernel(std::span<const double> distances, Index rows, Index columns, Index rank,
                                     double sigma);

/// exp(-(i - j)^2 / (2 width^2)) between positions of a mode, over its largest eigenvalue; width in voxels.
ModeKernels position_kernels(const Shape& shape, double width, double cut);

}  // namespace sturm
