// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/learning.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sturm/core/error.h"
#include "sturm/core/rng.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"

namespace sturm {
namespace {

constexpr double most_steps = 20;

}  // namespace

std::vector<double> parse_shares(const std::string& text) {
  std::vector<double> out;
  const std::vector<std::string> words = text.empty() ? std::vector<std::string>{} : split(text, ',');
  for (const std::string& word : words) {
    const double value = parse_number(word);
    if (words.size() == 1 && value >= 2 && value <= most_steps && value == std::floor(value)) {
      for (double step = 1; step < value; ++step) out.push_back(step / value);
      return out;
    }
    if (!(value > 0 && value < 1))
      throw UsageError(option_name("learning-curve") +
                       " is a number of steps from 2 to 20, or shares of the training "
                       "sets between 0 and 1, such as 0.25,0.5; not '" +
                       word + "'.");
    out.push_back(value);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Index> share_of(const SampleKeys& keys, std::span<const Index> train, double share, std::uint64_t seed,
                            std::uint64_t stream) {
  const SampleKeys training = take(keys, train);
  std::vector<std::vector<Index>> groups = rows_of_groups(training);
  Rng rng(seed, stream);
  shuffle(groups, rng);
  std::map<std::vector<double>, std::vector<const std::vector<Index>*>> kinds;
  for (const std::vector<Index>& group : groups) {
    std::vector<double> labels;
    labels.reserve(group.size());
    for (const Index row : group) labels.push_back(training.y[row]);
    kinds[keys.classification ? classes_of(labels) : std::vector<double>{}].push_back(&group);
  }
  std::vector<Index> out;
  for (const auto& [kind, members] : kinds) {
    const auto count = static_cast<Index>(std::ceil(share * static_cast<double>(members.size()) - 1e-9));
    for (Index g = 0; g < std::min(std::ssize(members), std::max<Index>(2, count)); ++g)
      for (const Index row : *members[g]) out.push_back(train[row]);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace sturm
