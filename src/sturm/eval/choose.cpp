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

/// The mean score of each candidate over the folds that count, NaN where it lacks one, and the best of them.
struct Standing {
  std::vector<double> means;
  Index best = -1;
  double standard_error = 0;

  double reach(bool one_standard_error) const {
    return means[best] - (one_standard_error ? standard_error : 0) - same * std::max(1.0, std::abs(means[best]));
  }
};

Standing standing_of(std::span<const Candidate> candidates) {
  if (candidates.empty()) throw std::logic_error("choose: the grid is empty");
  for (const Candidate& candidate : candidates)
    if (candidate.scores.size() != candidates[0].scores.size())
      throw std::logic_error("choose: candidates differ in their number of folds");
  const std::vector<std::size_t> folds = folds_that_count(candidates);
  Standing out;
  double sd = 0;
  for (const Candidate& candidate : candidates) {
    std::vector<double> scores;
    scores.reserve(folds.size());
    for (const std::size_t fold : folds) scores.push_back(candidate.scores[fold]);
    const auto now = static_cast<Index>(out.means.size());
    const MeanSd of = mean_sd(scores);
    out.means.push_back(of.count < static_cast<Index>(folds.size()) ? std::numeric_limits<double>::quiet_NaN()
                                                                    : of.mean);
    if (std::isnan(out.means[now]) || (out.best >= 0 && out.means[now] <= out.means[out.best])) continue;
    out.best = now;
    sd = of.sd;
  }
  if (out.best < 0)
    throw Error("No setting of the grid has a score in every inner fold; use fewer `inner` folds or another grid.");
  if (folds.size() > 1) out.standard_error = sd / std::sqrt(static_cast<double>(folds.size()));
  return out;
}

}  // namespace

Choice choose(std::span<const Candidate> candidates, const ChoiceOptions& options) {
  const Standing standing = standing_of(candidates);
  const std::vector<double>& means = standing.means;
  Choice choice{standing.best, 0, means[standing.best], standing.standard_error};
  const double reach = standing.reach(options.one_standard_error);
  for (Index c = 0; c < static_cast<Index>(candidates.size()); ++c) {
    if (std::isnan(means[c]) || means[c] < reach) continue;
    const double sparser = candidates[c].sparsity - candidates[choice.chosen].sparsity;
    if (sparser > same || (sparser >= -same && c < choice.chosen)) choice.chosen = c;
  }
  choice.mean = means[choice.chosen];
  return choice;
}

Sparsest sparsest_near_best(std::span<const Candidate> candidates, Index chosen) {
  const Standing standing = standing_of(candidates);
  const std::vector<double>& means = standing.means;
  const double reach = standing.reach(true);
  Index found = -1;
  for (Index c = 0; c < static_cast<Index>(candidates.size()); ++c) {
    if (std::isnan(means[c]) || means[c] < reach || candidates[c].sparsity >= 1 - same) continue;
    const double sparser = found < 0 ? 1 : candidates[c].sparsity - candidates[found].sparsity;
    if (sparser > same || (sparser >= -same && found != chosen && (c == chosen || means[c] > means[found] + same)))
      found = c;
  }
  if (found < 0) found = chosen;
  return {found, means[found], means[standing.best], standing.standard_error};
}

std::vector<Index> could_be_sparsest(std::span<const Candidate> candidates, Index chosen, double margin) {
  std::vector<Candidate> raised(candidates.begin(), candidates.end());
  std::vector<Index> out;
  for (std::size_t c = 0; c < raised.size(); ++c) {
    for (double& score : raised[c].scores) score += margin;
    if (sparsest_near_best(raised, chosen).position == static_cast<Index>(c)) out.push_back(static_cast<Index>(c));
    raised[c].scores = candidates[c].scores;
  }
  return out;
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
