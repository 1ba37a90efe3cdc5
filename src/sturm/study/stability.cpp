// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/stability.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace sturm {

std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes) {
  std::map<double, Stability> by_size;
  std::map<double, std::vector<int>> balances;  // positive less negative folds, class after class
  for (int fold = 0; fold < plan.folds(); ++fold) {
    const FoldOutcome* const found = find_outcome(plan, outcomes, method, fold);
    if (found == nullptr || !found->has_signs()) continue;
    const FoldOutcome& outcome = *found;
    const Index voxels = outcome.shape.size(), classes = outcome.classes_of_signs();
    Stability& at = by_size[outcome.resize];
    at.resize = outcome.resize;
    at.shape = outcome.shape;
    ++at.folds;
    std::vector<int>& balance = balances[outcome.resize];
    balance.resize(voxels * classes);
    for (Index c = 0; c < classes; ++c)
      for (Index v = 0; v < voxels; ++v) balance[c * voxels + v] += outcome.sign(v, c);
  }
  std::vector<Stability> out;
  out.reserve(by_size.size());
  for (auto& [resize, stability] : by_size) {
    const Index voxels = stability.shape.size();
    stability.agree.resize(voxels);
    const std::vector<int>& balance = balances[resize];
    for (Index at = 0; at < std::ssize(balance); ++at) {
      std::uint16_t& agree = stability.agree[at % voxels];
      agree = std::max(agree, static_cast<std::uint16_t>(std::abs(balance[at])));
    }
    out.push_back(std::move(stability));
  }
  return out;
}

}  // namespace sturm
