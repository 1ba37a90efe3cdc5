// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/clustered_share.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "sturm/eval/distributions.h"
#include "sturm/eval/scores.h"

namespace sturm {

double effective_trials(std::span<const Index> successes, std::span<const Index> sizes) {
  if (successes.size() != sizes.size() || sizes.size() < 2)
    throw std::logic_error("effective_trials: needs two groups, each with its successes and its size");
  const auto samples = static_cast<double>(std::reduce(sizes.begin(), sizes.end(), Index{0}));
  const auto groups = static_cast<double>(sizes.size());
  const double share = static_cast<double>(std::reduce(successes.begin(), successes.end(), Index{0})) / samples;
  if (share <= 0 || share >= 1) return groups;
  double squares = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    const double d = static_cast<double>(successes[g]) - share * static_cast<double>(sizes[g]);
    squares += d * d;
  }
  const double between = groups / (groups - 1) * squares / (samples * samples);
  const double independent = share * (1 - share) / samples;
  const double known = student_t_quantile(0.975, samples - 1) / student_t_quantile(0.975, groups - 1);
  return samples / std::max(1.0, between / independent) * known * known;
}

double clustered_share_p(std::span<const Index> successes, std::span<const Index> sizes, double chance) {
  const double trials = effective_trials(successes, sizes);
  const auto right = static_cast<double>(std::reduce(successes.begin(), successes.end(), Index{0}));
  const auto samples = static_cast<double>(std::reduce(sizes.begin(), sizes.end(), Index{0}));
  if (right == 0) return 1;
  const double share = right / samples;
  return incomplete_beta(share * trials, (1 - share) * trials + 1, chance);
}

}  // namespace sturm
