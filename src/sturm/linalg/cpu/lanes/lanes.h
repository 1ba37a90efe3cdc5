// SPDX-License-Identifier: BSD-3-Clause
// Many small matrices at once, one in each lane of a vector register.
//
// The slices of a brain tensor are 18 to 109 wide: too small for LAPACK, whose eigensolver reaches a few percent of
// the processor there. With element (i,j) of W matrices side by side in one register every step of the eigensolver
// is an ordinary vector operation, no lane knows of its neighbours, and so the bits of a result depend neither on
// the batch nor on the threads. The kernels are compiled once per instruction set and chosen at run time.
#pragma once

#include <cstddef>
#include <vector>

#include "sturm/linalg/pairs.h"
#include "sturm/linalg/slices.h"
#include "sturm/linalg/voxels.h"

namespace sturm::linalg {

/// One matrix of a group: column-major rows x cols, real and imaginary parts apart (im is null for a real one).
/// It is replaced by U diag((s - threshold)+) V^H.
template <class Real>
struct LaneMatrix {
  Real* re = nullptr;
  Real* im = nullptr;
  double threshold = 0;
  double bound = -1;  ///< its Frobenius norm, at least the largest singular value; negative: not known yet
  // Results:
  double largest = 0;    ///< largest singular value (0 where a bound showed it to be below the threshold)
  double nuclear = 0;    ///< sum of (s - threshold)+
  int rank = 0;          ///< how many singular values are above the threshold
  bool accurate = true;  ///< false: the threshold is too small against `largest` for a Gram matrix, nothing was written
};

/// One problem's part in a sweep over the design matrix (see Operations::sweep).
template <class Real>
struct LaneSweep {
  bool moved = false;    ///< z_next = z + scale .* X'u (z may be null: 0)
  bool shrinks = false;  ///< w is computed; otherwise `point` is read in its place
  const Real* z = nullptr;
  Real* z_next = nullptr;
  const Real* a = nullptr;  ///< null: 0
  Real* w = nullptr;
  const Real* point = nullptr;  ///< both null: no product with X
  const Real* scale = nullptr;
  const unsigned char* mask = nullptr;
  Real rho = 1, gamma = 0;
};

struct LaneSums {
  double norm2 = 0;
  int nonzeros = 0;
};

inline constexpr int sweep_block = 1024;  ///< voxels whose sums are kept together; most in a call of a kernel

inline constexpr int shrink_stages = 3;

template <class Real>
struct LaneKernel {
  int width = 0;  ///< matrices in a group, problems in a panel
  /// The Frobenius norm of a matrix of `size` elements; not finite where one of them is not.
  double (*frobenius)(const LaneMatrix<Real>& matrix, std::size_t size) = nullptr;
  /// Bytes of scratch for one group.
  std::size_t (*scratch)(int rows, int cols, bool complex) = nullptr;
  /// The first half of shrinking `count` <= width matrices of one shape, all complex or all real; false where that was
  /// all. `floor` is the least accurate ratio threshold / largest singular value: matrices below it are left alone and
  /// marked.
  bool (*begin)(LaneMatrix<Real>* group, int count, int rows, int cols, bool complex, double floor,
                void* scratch) = nullptr;
  /// The second half: for each stage below shrink_stages, one after the other, all its parts, in any order or at once.
  /// The bits do not depend on how many parts there are.
  void (*proceed)(int stage, int part, int parts, int rows, int cols, bool complex, void* scratch) = nullptr;
  /// Sum and largest of the singular values, into `nuclear` and `largest`; the matrices are only read. Small values
  /// are wrong by up to sqrt(epsilon) times the largest.
  void (*norms)(LaneMatrix<Real>* group, int count, int rows, int cols, bool complex, void* scratch) = nullptr;
  /// Products of a block of X (samples fastest) with a panel of `width` interleaved vectors; forward adds to y.
  /// Unless null, `soon` is the block that is read next: it is brought into the cache meanwhile.
  void (*adjoint)(const Real* x, int samples, int voxels, const Real* u, Real* z, const Real* soon) = nullptr;
  /// The same for up to eight problems, with the same bits: each has its own u, and columns of z `stride` apart. Needs
  /// at least `width` samples.
  void (*adjoint_few)(const Real* x, int samples, int voxels, int count, const Real* const* u, Real* z,
                      std::size_t stride, const Real* soon) = nullptr;
  void (*forward)(const Real* x, int samples, int voxels, const Real* w, Real* y) = nullptr;
  /// The same for one problem, with the same bits: faster where few lanes are filled, or W is sparse. `far`: x is not
  /// in the cache, and is asked for ahead.
  void (*forward_one)(const Real* x, int samples, int voxels, const Real* w, Real* y, bool far) = nullptr;
  /// The same for two to four problems that share what is read of x, with the same bits: columns of w are `stride`
  /// apart. Needs at least `width` samples.
  void (*forward_few)(const Real* x, int samples, int voxels, int problems, const Real* w, std::size_t stride,
                      Real* const* y, bool far) = nullptr;
  /// h += sign sum of x x' over the listed columns of n numbers (lower triangle). Meanwhile `count` columns of `bytes`
  /// bytes that are read next are brought into the cache.
  void (*outer)(const Real* const* columns, int count, int n, Real sign, Real* h, const void* const* soon,
                std::size_t bytes) = nullptr;
  /// From a panel to its problems' columns, `stride` apart, and back; `voxels` is a multiple of the width.
  void (*to_columns)(Real* panel, int voxels, Real* columns, std::size_t stride) = nullptr;
  void (*to_panel)(Real* panel, int voxels, Real* columns, std::size_t stride) = nullptr;
  LaneSums (*between)(const LaneSweep<Real>& job, std::size_t first, int voxels, const Real* x_u, Real* x_w) = nullptr;
  /// The DFT of `strips` times `tubes` neighbouring tubes of length n, and back; the numbers of a tube are `stride`
  /// apart. scratch has room for 2 n numbers per tube and 3 n strips more, aligned.
  int tubes = 0;
  void (*dft_forward)(const Real* in, std::size_t stride, int n, int strips, const TubeMatrix<Real>& matrix,
                      void* scratch, Real* out) = nullptr;
  void (*dft_inverse)(const Real* in, std::size_t stride, int n, int strips, const TubeMatrix<Real>& matrix,
                      void* scratch, Real* out) = nullptr;
  VoxelKernel<Real> voxels;
};

/// The kernels of one instruction set.
struct LaneKernels {
  const char* name = "";
  LaneKernel<float> f32;
  LaneKernel<double> f64;
};
template <class Real>
const LaneKernel<Real>& kernel_for(const LaneKernels& kernels);

/// Those that run on this processor, the best first. available_x86.cpp or available_other.cpp has it.
std::vector<const LaneKernels*> available_lane_kernels();

/// Those for pairs, if it has them, for this processor whatever STURM_SIMD says.
const PairKernel* available_pair_kernel();

/// The best of them, or the one that STURM_SIMD (avx512, avx512vl, avx2, portable) names.
const LaneKernels& lane_kernels();

/// The next narrower kernels that give the same bits (tests hold them to it), for calls with too few matrices to fill
/// wide lanes on every thread; null where there are none, or where STURM_SIMD says which to use.
const LaneKernels* narrow_lane_kernels();

/// What an operation of the widest kernels takes, in units of one of the narrow ones: almost 2 where a processor cuts
/// wide registers in halves. available_x86.cpp or available_other.cpp has it.
double wide_lane_cost();

}  // namespace sturm::linalg
