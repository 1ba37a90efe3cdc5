// SPDX-License-Identifier: BSD-3-Clause
// The CP decomposition, plain and kernelised:
//     X ~ [[K1 A1, K2 A2, K3 A3]] = sum_r w_r (K1 a_r^(1)) o (K2 a_r^(2)) o (K3 a_r^(3)),     |a_r^(n)| = 1, w_r >= 0,
// with a symmetric matrix K_n a mode; K_n = I gives the plain one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

struct CpOptions {
  Index rank = 1;
  int starts = 4;           ///< random ones, on the compressed tensor; one from its singular vectors comes first
  int sweeps = 200;         ///< at most, over the whole tensor
  double tolerance = 1e-6;  ///< stop when a sweep lowers the error by less than this part of it
  std::uint64_t seed = 0;
};

/// Symmetric K_n, by their eigenvectors V_n of |eigenvalue| > cut times the largest. Only the range of K_n matters to
/// the fit: the best K_n A_n is V_n C_n with [[C1, C2, C3]] the plain decomposition of X x1 V1' x2 V2' x3 V3', and
/// A_n = V_n Lambda_n^-1 C_n is the least such A_n.
class ModeKernels {
 public:
  ModeKernels() = default;  ///< the identity in every mode
  /// Full matrices, columns first; an empty one is the identity, and the identity is as good as
  /// an empty one. Throws where one is not square, finite, symmetric to
  /// rounding, or zero.
  explicit ModeKernels(const std::array<std::vector<double>, 3>& kernels, double cut = 1e-10);

  bool identity(int mode) const { return vectors_[mode].empty(); }
  Index rows(int mode) const { return rows_[mode]; }  ///< 0: none was given, every shape fits
  Index kept(int mode) const { return static_cast<Index>(values_[mode].size()); }
  const std::vector<double>& vectors(int mode) const { return vectors_[mode]; }  ///< rows x kept
  const std::vector<double>& values(int mode) const { return values_[mode]; }

 private:
  std::array<Index, 3> rows_{};
  std::array<std::vector<double>, 3> vectors_, values_;
};

/// A decomposition leaves signs and the order of terms open. Here: columns a_r^(1) and a_r^(2) have a sum of cubes
/// that is not negative (where it is 0 to rounding, the first entry that is not is positive), a_r^(3) takes the sign
/// that is left; w_r fall. The sum of cubes follows the largest entries as a maximum would, without its jumps.
struct Cp {
  Shape shape;
  std::vector<double> weights;                 ///< w_r
  std::array<std::vector<double>, 3> factors;  ///< A_n, I_n x R
  double error = 0;                            ///< |X - model| / |X|; 0 for X = 0. Known to 1e-7
  int sweeps = 0;

  Index rank() const { return static_cast<Index>(weights.size()); }
};

/// Alternating least squares from the best of several starts. X = 0 gives zero factors and weights. A rank beyond what
/// the tensor needs is no error; terms may then be small or cancel. The bits depend on X, the kernels and the options.
Cp cp(const Tensor& x, const CpOptions& options, const ModeKernels& kernels = {});

/// The same for many tensors in parallel; volume(i) is called from any thread.
std::vector<Cp> cp_batch(Index count, const std::function<Tensor(Index)>& volume, const CpOptions& options,
                         const ModeKernels& kernels = {});

/// sum_r w_r (K1 a_r^(1)) o (K2 a_r^(2)) o (K3 a_r^(3)).
Tensor compose(const Cp& model, const ModeKernels& kernels = {});

}  // namespace sturm
