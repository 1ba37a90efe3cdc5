// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/choose.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sturm/core/error.h"
#include "sturm/eval/scores.h"

namespace sturm {
namespace {

constexpr double same = 1e-12;  ///< sums of the same scores in another order differ by less

/// The folds in which at least one candidate has a score.
std::vector<std::size_t> folds_that_count(std::span<const Candidate> candidates) {
  std::vector<std::size_t> folds;
  for (std::size_t fold = 0; fold < candidates[0].scores.size(); ++fold)
    for (const Candidate& candidate : candidates)
      if (!std::isnan(candidate.scores[fold])) {
        folds.push_back(fold);
        break;
      }
  return folds;
}

}  // namespace

Choice choose(std::span<const Candidate> candidates, const ChoiceOptions& options) {
  if (candidates.empty()) throw std::logic_error("choose: the grid is empty");
  for (const Candidate& candidate : candidates)
    if (candidate.scores.size() != candidates[0].scores.size())
      throw std::logic_error("choose: candidates differ in their number of folds");
  const std::vector<std::size_t> folds = folds_that_count(candidates);
  std::vector<MeanSd> means;
  Index best = -1;
  for (const Candidate& candidate : candidates) {
    std::vector<double> scores;
    scores.reserve(folds.size());
    for (const std::size_t fold : folds) scores.push_back(candidate.scores[fold]);
    const auto now = static_cast<Index>(means.size());
    means.push_back(mean_sd(scores));
    if (means[now].count < static_cast<Index>(folds.size())) means[now].mean = std::numeric_limits<double>::quiet_NaN();
    if (!std::isnan(means[now].mean) && (best < 0 || means[now].mean > means[best].mean)) best = now;
  }
  if (best < 0)
    throw Error("No setting of the grid has a score in every inner fold; use fewer `inner` folds or another grid.");

  Choice choice{best, 0, means[best].mean, 0};
  if (folds.size() > 1) choice.standard_error = means[best].sd / std::sqrt(static_cast<double>(folds.size()));
  const double reach = choice.best - (options.one_standard_error ? choice.standard_error : 0) -
                       same * std::max(1.0, std::abs(choice.best));
  for (Index c = 0; c < static_cast<Index>(candidates.size()); ++c) {
    if (std::isnan(means[c].mean) || means[c].mean < reach) continue;
    const double sparser = candidates[c].sparsity - candidates[choice.chosen].sparsity;
    if (sparser > same || (sparser >= -same && c < choice.chosen)) choice.chosen = c;
  }
  choice.mean = means[choice.chosen].mean;
  return choice;
}

std::vector<Index> could_be_chosen(std::span<const Candidate> candidates, double margin, const ChoiceOptions& options) {
  std::vector<Candidate> raised(candidates.begin(), candidates.end());
  std::vector<Index> out;
  for (std::size_t c = 0; c < raised.size(); ++c) {
    for (double& score : raised[c].scores) score += margin;
    if (choose(raised, options).chosen == static_cast<Index>(c)) out.push_back(static_cast<Index>(c));
    raised[c].scores = candidates[c].scores;
  }
  return out;
}

}  // namespace sturm
