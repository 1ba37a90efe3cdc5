// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/stability.h"

#include <map>

namespace sturm {

std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes) {
  std::map<double, Stability> by_size;
  for (int fold = 0; fold < plan.folds(); ++fold) {
    const FoldOutcome* const found = find_outcome(plan, outcomes, method, fold);
    if (found == nullptr || found->support.empty()) continue;
    const FoldOutcome& outcome = *found;
    Stability& at = by_size[outcome.resize];
    at.resize = outcome.resize;
    at.shape = outcome.shape;
    at.often.resize(outcome.shape.size());
    ++at.folds;
    for (Index v = 0; v < outcome.shape.size(); ++v) at.often[v] += outcome.support[v / 8] >> (v % 8) & 1U;
  }
  std::vector<Stability> out;
  out.reserve(by_size.size());
  for (auto& [resize, stability] : by_size) out.push_back(std::move(stability));
  return out;
}

}  // namespace sturm
