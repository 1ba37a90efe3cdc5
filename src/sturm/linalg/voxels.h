// SPDX-License-Identifier: BSD-3-Clause
// Loops over the voxels of one problem, compiled for every instruction set and chosen at run time like the lane
// kernels. Sums are in double, in eight or 32 chains whatever the instruction set.
#pragma once

#include <cstddef>

namespace sturm::linalg {

/// Letters as in solver/batch.h. A mask may be null: every voxel.
template <class Real>
struct VoxelKernel {
  /// out = nu w + (1 - nu) b + q
  void (*relax)(const Real* w, const Real* b, const Real* q, Real nu, Real* out, std::size_t n);
  /// q = nu w + (1 - nu) b + q - next, b = next; adds |w - next|^2, |next - b|^2, |next|^2, |q|^2 to four sums.
  void (*accept)(const Real* w, Real* b, Real* q, const Real* next, Real nu, std::size_t n, double* sums);
  /// |soft(a + (z + t (z_next - z)) / rho, gamma / rho)|^2; a may be null: 0
  double (*trial_norm)(const Real* a, const Real* z, const Real* z_next, const unsigned char* mask, Real t, Real rho,
                       Real gamma, std::size_t n);
  /// z - clip(z - rho q, gamma) inside the mask, rho q outside.
  void (*subtract_clipped)(const Real* z, const Real* q, const unsigned char* mask, Real rho, Real gamma, Real* out,
                           std::size_t n);
  /// As PolishJob.
  void (*polish)(const Real* z, const Real* a, const Real* q, const unsigned char* mask, Real rho, Real gamma,
                 Real* out, std::size_t n);
  /// The largest |z - times g| inside the mask.
  double (*largest_excess)(const Real* z, const Real* g, const unsigned char* mask, double times, std::size_t n);
  double (*sum_abs)(const Real* a, std::size_t n);
  /// sum a u, and sum += weight a, with a in its own precision and everything else in double.
  double (*dot)(const Real* a, const double* u, std::size_t n);
  void (*add)(const Real* a, double weight, double* sum, std::size_t n);
  /// out = (a - mean) .* inverse, or a where mean is null; returns the sum of out.
  double (*standardise)(const Real* a, const double* mean, const double* inverse, double* out, std::size_t n);
  /// out = scale (a - from), rounded once.
  void (*shift)(const double* a, double from, double scale, Real* out, std::size_t n);
  /// In Real alone: the mean of a, but for rounding; out = scale (a - from).
  Real (*mean)(const Real* a, std::size_t n);
  void (*less)(const Real* a, Real from, Real scale, Real* out, std::size_t n);
  /// In double: sum (a - from) u, and sum += weight (a - from).
  double (*dot_less)(const Real* a, double from, const double* u, std::size_t n);
  void (*add_less)(const Real* a, double from, double weight, double* sum, std::size_t n);
};

/// Those of this processor.
template <class Real>
const VoxelKernel<Real>& voxel_kernel();

}  // namespace sturm::linalg
