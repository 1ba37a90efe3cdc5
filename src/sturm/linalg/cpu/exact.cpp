// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix in double, for proofs and for what a model says of its samples.
#include <algorithm>
#include <vector>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/linalg/voxels.h"

namespace sturm::linalg::host {
namespace {

/// Columns whose sums are kept together: many blocks where there are few, so that all threads have some.
Index block_of(Index columns) { return std::clamp<Index>(columns / 64, 128, 4096); }

}  // namespace

template <class Real>
std::vector<double> product(Index samples, const Real* x, std::span<const double> w) {
  const auto columns = static_cast<Index>(w.size());
  const Index block = block_of(columns), blocks = (columns + block - 1) / block;
  std::vector<double> partial(blocks * samples), out(samples);
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  parallel_for(
      blocks,
      [&](Index b, int) {
        for (Index v = b * block; v < std::min(columns, (b + 1) * block); ++v)
          if (w[v] != 0) kernel.add(x + v * samples, w[v], partial.data() + b * samples, samples);
      },
      static_cast<double>(columns * samples) / 4);
  for (Index b = 0; b < blocks; ++b)
    for (Index i = 0; i < samples; ++i) out[i] += partial[b * samples + i];
  return out;
}

template <class Real>
void adjoint(Index samples, const Real* x, std::span<const double> u, std::span<double> out) {
  const auto columns = static_cast<Index>(out.size());
  const Index block = block_of(columns);
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  parallel_for((columns + block - 1) / block,
               [&](Index b, int) {
                 for (Index v = b * block; v < std::min(columns, (b + 1) * block); ++v)
                   out[v] = kernel.dot(x + v * samples, u.data(), samples);
               },
               static_cast<double>(columns * samples) / 4);
}

#define STURM_INSTANTIATE(Real)                                                      \
  template std::vector<double> product(Index, const Real*, std::span<const double>); \
  template void adjoint(Index, const Real*, std::span<const double>, std::span<double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::host
