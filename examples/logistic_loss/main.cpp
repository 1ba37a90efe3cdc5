// SPDX-License-Identifier: BSD-3-Clause
// Classifies made-up volumes with the logistic loss: from a map that is all zero to one that has some voxels.
#include <cstdio>

#include "logistic_loss/logistic_loss.h"
#include "sturm/core/rng.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/zero_point.h"

namespace {

constexpr sturm::Shape shape{8, 7, 6};
constexpr sturm::Index samples = 40;

/// Noise, and a block of voxels that tells the classes apart.
sturm::Design<float> volumes(std::span<const double> y) {
  sturm::Rng rng(1);
  sturm::AlignedVector<float> x(samples * shape.size());
  for (sturm::Index v = 0; v < shape.size(); ++v) {
    const bool tells = v % shape.n1 < 3 && v / shape.n1 % shape.n2 < 3 && v / shape.slice() < 3;
    for (sturm::Index m = 0; m < samples; ++m)
      x[m + samples * v] = static_cast<float>(rng.normal() + (tells ? 0.5 * y[m] : 0));
  }
  return sturm::Design<float>::owning(shape, samples, std::move(x));
}

}  // namespace

int main() {
  std::vector<double> y(samples), weights(samples, 1.0);
  for (sturm::Index m = 0; m < samples; ++m) y[m] = m % 2 ? 1 : -1;
  const sturm::Design<float> x = volumes(y);
  sturm::linalg::Backend& backend = sturm::linalg::cpu_backend();

  // Rows as they are: the loss multiplies the weights.
  const auto view = std::make_shared<const sturm::View<float>>(x, sturm::RowMap::selecting(weights),
                                                               std::vector<float>{}, std::vector<std::uint8_t>{});
  const sturm::LossPointer loss = logistic_loss();
  const sturm::ZeroPoint zero = sturm::zero_point(x, *view, y, 0.5, backend, 1e-3, nullptr, loss);
  std::vector<sturm::Problem<float>> problems;
  for (const double strength : {1.001, 0.5, 0.1}) {
    sturm::Problem<float> problem{view, y};
    problem.tau = strength * zero.scale() * 0.5 * zero.tau_alone;
    problem.gamma = strength * zero.scale() * 0.5 * zero.gamma_alone;
    problem.loss = loss;
    problems.push_back(problem);
  }

  sturm::BatchOptions<float> options{backend};
  options.solver.gap = 1e-4;
  bool proven = true;
  for (const sturm::Solution<float>& s : sturm::solve_batch<float>(x, problems, options)) {
    int used = 0;
    for (const float w : s.w.flat()) used += w != 0;
    std::printf("%3d voxels, tubal rank %d, objective %.4f, relative gap %.1e\n", used, static_cast<int>(s.tubal_rank),
                s.objective, s.gap);
    proven = proven && s.gap <= options.solver.gap;
  }
  return proven ? 0 : 1;
}
