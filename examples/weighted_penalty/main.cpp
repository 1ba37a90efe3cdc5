// SPDX-License-Identifier: BSD-3-Clause
// Regression with the tubal nuclear norm and half of the overlapped nuclear norm, of whose unfoldings one weighs less.
#include <cstdio>

#include "sturm/core/rng.h"
#include "sturm/solver/batch.h"
#include "weighted_penalty/weighted_sum.h"

int main() {
  constexpr sturm::Shape shape{6, 5, 4};
  constexpr sturm::Index samples = 20;
  sturm::Rng rng(1);
  sturm::AlignedVector<float> numbers(samples * shape.size());
  for (float& v : numbers) v = static_cast<float>(rng.normal());
  std::vector<double> y(samples);
  for (double& v : y) v = rng.normal();
  const auto x = sturm::Design<float>::owning(shape, samples, std::move(numbers));
  const auto view = std::make_shared<const sturm::View<float>>(
      x, sturm::RowMap(std::vector<double>(samples, 1.0), false), std::vector<float>{}, std::vector<std::uint8_t>{});

  const sturm::PenaltyPointer penalty = weighted_sum(
      {{sturm::tubal_nuclear_norm(x.region()), {1}}, {sturm::overlapped_nuclear_norm(x.region()), {0.5, 0.5, 0.25}}});
  const sturm::Problem<float> problem{view, y, 1.0, 0.3, penalty};
  sturm::BatchOptions<float> options{sturm::linalg::cpu_backend()};
  const sturm::Solution<float> s = sturm::solve_batch<float>(x, {&problem, 1}, options).front();
  std::printf("%d terms, objective %.4f, relative gap %.1e\n", penalty->terms(), s.objective, s.gap);
  return s.gap <= options.solver.gap ? 0 : 1;
}
