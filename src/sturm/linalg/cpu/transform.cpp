// SPDX-License-Identifier: BSD-3-Clause
// The transform along the tubes of a tensor: by kernels of its own for a DFT, otherwise as a product with its matrix.
#include <algorithm>

#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/blas/gemm.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

namespace sturm::linalg::host {
namespace {

/// In blocks of neighbouring tubes; a rest is done together with some before it, once more.
template <class Real>
void dft(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix, Real* out) {
  constexpr Index most = 8;  // strips: their numbers stay in the second-level cache
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  const auto run = matrix.inverse ? kernel.dft_inverse : kernel.dft_forward;
  const Index rows = shape.slice(), step = kernel.tubes, strips = rows / step, rest = rows % step > 0 ? 1 : 0;
  // An even number of about equal blocks, so that two threads end together.
  const Index pairs = (strips + 2 * most - 1) / (2 * most), each = (strips + 2 * pairs - 1) / (2 * pairs);
  const Index blocks = (strips + each - 1) / each;
  parallel_for(
      count * blocks,
      [&](Index task, int) {
        thread_local AlignedVector<Real> scratch;
        scratch.resize((2 * most + 3) * shape.n3 * step);
        const Index base = task / blocks * shape.size(), block = task % blocks;
        const auto some = [&](Index first, Index how_many) {
          run(in + base + first, rows, static_cast<int>(shape.n3), static_cast<int>(how_many), matrix, scratch.data(),
              out + base + first);
        };
        some(block * each * step, std::min(each, strips - block * each));
        if (rest && block + 1 == blocks) some(rows - step, 1);
      },
      static_cast<double>(shape.size() * count * shape.n3) / 16);
}

}  // namespace

template <class Real>
void transform(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix, Real* out) {
  if (matrix.even && shape.slice() >= kernel_for<Real>(lane_kernels()).tubes) return dft(shape, count, in, matrix, out);
  // An even number of about equal blocks of whole registers, so that two threads end together.
  constexpr Index most = 256, unit = 16;
  const Index rows = shape.slice(), n = shape.n3, pairs = (rows + 2 * most - 1) / (2 * most);
  const Index block = (rows + 2 * pairs * unit - 1) / (2 * pairs * unit) * unit, blocks = (rows + block - 1) / block;
  parallel_for(
      count * blocks,
      [&](Index task, int) {
        const Index first = task % blocks * block, base = task / blocks * shape.size() + first;
        fortran::multiply(Op::none, Op::none, std::min(block, rows - first), n, n, Real{1}, in + base, rows,
                          matrix.whole, n, Real{0}, out + base, rows);
      },
      static_cast<double>(count * rows * n * n) / 8);
}

#define STURM_INSTANTIATE(Real) \
  template void transform(const Shape&, Index, const Real*, const TubeMatrix<Real>&, Real*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::host
