// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/inner_scores.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace sturm {

void InnerScores::note(const InnerPlace& place, std::span<const double> values, const FitReport& report,
                       std::span<const double> actual, GridPoint& point) {
  const Point key{place.method, place.label, place.position};
  const auto [at, fresh] =
      answers_.try_emplace({key, place.fold}, Answers{{}, {}, {}, std::numeric_limits<double>::quiet_NaN()});
  Answers& answers = at->second;
  answers.decision.resize(values.size() * parts_);
  answers.sparsities.resize(parts_);
  answers.in_mask.resize(parts_);
  for (std::size_t i = 0; i < values.size(); ++i) answers.decision[i * parts_ + place.part] = values[i];
  answers.sparsities[place.part] = report.sparsity;
  answers.in_mask[place.part] = report.sparsity_in_mask;
  if (std::isfinite(report.relative_gap) && !(report.relative_gap <= answers.gap)) answers.gap = report.relative_gap;
  answers.unconverged += report.status == Status::iteration_limit;
  if (++answers.count < parts_) return;
  point.scores[place.fold] = score(score_, actual, answers.decision);
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
  };
  sparsity_[key][place.fold] = {mean(answers.sparsities), mean(answers.in_mask)};
  point.gaps[place.fold] = answers.gap;
  unconverged_[key][place.fold] = answers.unconverged;
  point.unconverged = 0;
  for (const auto& [fold, count] : unconverged_[key]) point.unconverged += count;
  answers_.erase(at);
}

void InnerScores::set_sparsity(std::vector<std::vector<NestedOutcome>>& outcomes, std::span<const Folds> folds) const {
  for (const auto& [place, by_fold] : sparsity_) {
    const auto& [method, label, position] = place;
    GridPoint& point = outcomes[method][label].grid[position];
    point.sparsity = point.sparsity_in_mask = 0;
    for (const auto& [fold, share] : by_fold) {
      point.sparsity += share.in_box / folds[label].count();
      point.sparsity_in_mask += share.in_mask / folds[label].count();
    }
  }
}

}  // namespace sturm
