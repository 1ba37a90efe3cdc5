// SPDX-License-Identifier: BSD-3-Clause
// The algebra at work: a brain-shaped volume of low tubal rank plus noise, its t-SVD, and what the prox makes of it.
#include <fmt/core.h>

#include <chrono>
#include <cmath>

#include "sturm/core/rng.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"
#include "sturm/tensor/tproduct.h"
#include "sturm/tensor/tsvd.h"

namespace {

using namespace sturm;

/// Inside of an ellipsoid that fills most of the box.
bool in_brain(const Shape& s, Index i, Index j, Index k) {
  const auto part = [](Index at, Index n) {
    return 2.2 * (static_cast<double>(at) + 0.5) / static_cast<double>(n) - 1.1;
  };
  const double x = part(i, s.n1), y = part(j, s.n2), z = part(k, s.n3);
  return x * x + y * y + z * z < 1;
}

/// Bumps of the given tubal rank: products of smooth profiles, masked by the brain.
Tensor smooth_signal(const Shape& s, Index rank) {
  Tensor a(s);
  Rng rng(2026);
  for (Index r = 0; r < rank; ++r) {
    double centre[3], width[3];
    for (int d = 0; d < 3; ++d) {
      centre[d] = 0.3 + 0.4 * rng.uniform();
      width[d] = 0.08 + 0.08 * rng.uniform();
    }
    const auto bump = [&](int d, Index at, Index n) {
      const double x = (static_cast<double>(at) / static_cast<double>(n) - centre[d]) / width[d];
      return std::exp(-x * x / 2);
    };
    for (Index k = 0; k < s.n3; ++k)
      for (Index j = 0; j < s.n2; ++j)
        for (Index i = 0; i < s.n1; ++i) a(i, j, k) += 3 * bump(0, i, s.n1) * bump(1, j, s.n2) * bump(2, k, s.n3);
  }
  return a;
}

}  // namespace

int main() {
  const Shape shape{46, 55, 46};  // a volume of 4 mm voxels
  const Index planted = 4;
  const Transform dft = Transform::dft(shape.n3);
  const Tensor signal = smooth_signal(shape, planted);
  Tensor volume = signal + 0.3 * random_normal(shape, 1);
  Index voxels = 0;
  for (Index k = 0; k < shape.n3; ++k)
    for (Index j = 0; j < shape.n2; ++j)
      for (Index i = 0; i < shape.n1; ++i) {
        if (!in_brain(shape, i, j, k)) volume(i, j, k) = 0;
        voxels += volume(i, j, k) != 0;
      }

  fmt::print("A volume of {}: {} voxels of brain, {} smooth bumps and noise.\n", to_string(shape), voxels, planted);
  fmt::print("Tubal rank {} of {}, tubal nuclear norm {:.0f}, spectral norm {:.1f}.\n\n", tubal_rank(volume, dft),
             std::min(shape.n1, shape.n2), tnn(volume, dft), tubal_spectral_norm(volume, dft));

  fmt::print("The best approximation of each tubal rank (t-SVD):\n");
  fmt::print("{:>6} {:>14} {:>24}\n", "rank", "energy kept", "distance to the signal");
  const double energy = dot(volume, volume), size = frobenius_norm(signal);
  for (const Index rank : {1, 2, 3, 4, 6, 10, 20, 46}) {
    const TSvd f = truncated_t_svd(volume, rank, dft);
    const Tensor best = t_product(t_product(f.u, f.s, dft), t_transpose(f.v, dft), dft);
    fmt::print("{:>6} {:>12.1f} % {:>22.1f} %\n", rank, 100 * dot(best, best) / energy,
               100 * frobenius_norm(best - signal) / size);
  }

  fmt::print("\nThe proximal map of the tubal nuclear norm finds a rank by itself:\n");
  fmt::print("{:>10} {:>12} {:>16} {:>24} {:>9}\n", "threshold", "tubal rank", "nuclear norm", "distance to the signal",
             "time");
  for (const double mu : {2.0, 10.0, 20.0, 40.0, 80.0}) {
    TensorF z = cast<float>(volume);
    AlignedVector<float> scratch;
    const auto start = std::chrono::steady_clock::now();
    const ProxTnnResult result = prox_tnn_batch<float>(shape, z.flat(), {&mu, 1}, dft, scratch).front();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    fmt::print("{:>10.0f} {:>12} {:>16.1f} {:>22.1f} % {:>6.1f} ms\n", mu, result.tubal_rank, result.tnn,
               100 * frobenius_norm(cast<double>(z) - signal) / size, took.count());
  }
  return 0;
}
