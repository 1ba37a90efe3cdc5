// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/smooth.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sturm {
namespace {

/// Smooths along one axis: `inner` numbers lie next to each other, `extent` such rows along the axis, `outer` times.
void smooth_axis(TensorF& volume, const std::vector<double>& kernel, Index inner, Index extent, Index outer) {
  const auto reach = static_cast<Index>(kernel.size() / 2);
  std::vector<float> before(static_cast<std::size_t>(inner * extent));
  for (Index o = 0; o < outer; ++o) {
    float* const x = volume.data() + o * inner * extent;
    std::copy(x, x + inner * extent, before.begin());
    std::fill(x, x + inner * extent, 0.0F);
    for (Index i = 0; i < extent; ++i)
      for (Index j = std::max<Index>(0, i - reach); j <= std::min(extent - 1, i + reach); ++j) {
        const auto w = static_cast<float>(kernel[j - i + reach]);
        for (Index n = 0; n < inner; ++n) x[i * inner + n] += w * before[j * inner + n];
      }
  }
}

}  // namespace

std::vector<double> gaussian_kernel(double fwhm) {
  const double sigma = fwhm / std::sqrt(8 * std::numbers::ln2);
  const auto reach = static_cast<Index>(std::ceil(4 * sigma));
  std::vector<double> kernel;
  for (Index i = -reach; i <= reach; ++i)
    kernel.push_back(i == 0 ? 1 : std::exp(-static_cast<double>(i * i) / (2 * sigma * sigma)));
  const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.0);
  for (double& w : kernel) w /= sum;
  return kernel;
}

void smooth(TensorF& volume, double fwhm) {
  const std::vector<double> kernel = gaussian_kernel(fwhm);
  if (kernel.size() == 1) return;
  const auto [n1, n2, n3] = volume.shape();
  smooth_axis(volume, kernel, 1, n1, n2 * n3);
  smooth_axis(volume, kernel, n1, n2, n3);
  smooth_axis(volume, kernel, n1 * n2, n3, 1);
}

}  // namespace sturm
