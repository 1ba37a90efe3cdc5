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
      answers_.try_emplace({key, place.fold}, Answers{{}, {}, std::numeric_limits<double>::quiet_NaN()});
  Answers& answers = at->second;
  answers.decision.resize(values.size() * parts_);
  answers.sparsities.resize(parts_);
  for (std::size_t i = 0; i < values.size(); ++i) answers.decision[i * parts_ + place.part] = values[i];
  answers.sparsities[place.part] = report.sparsity;
  if (std::isfinite(report.relative_gap) && !(report.relative_gap <= answers.gap)) answers.gap = report.relative_gap;
  answers.unconverged += report.status == Status::iteration_limit;
  if (++answers.count < parts_) return;
  point.scores[place.fold] = score(score_, actual, answers.decision);
  sparsity_[key][place.fold] = std::accumulate(answers.sparsities.begin(), answers.sparsities.end(), 0.0) /
                               static_cast<double>(answers.sparsities.size());
  point.gaps[place.fold] = answers.gap;
  unconverged_[key][place.fold] = answers.unconverged;
  point.unconverged = 0;
  for (const auto& [fold, count] : unconverged_[key]) point.unconverged += count;
  answers_.erase(at);
}

void InnerScores::set_sparsity(std::vector<std::vector<NestedOutcome>>& outcomes, std::span<const Folds> folds) const {
  for (const auto& [place, by_fold] : sparsity_) {
    const auto& [method, label, position] = place;
    double& sum = outcomes[method][label].grid[position].sparsity;
    sum = 0;
    for (const auto& [fold, share] : by_fold) sum += share / folds[label].count();
  }
}

}  // namespace sturm
