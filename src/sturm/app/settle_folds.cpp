// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/settle_folds.h"

#include <fmt/core.h>

#include <algorithm>

#include "sturm/core/sentence.h"

namespace sturm {

void settle_outer(const SampleKeys& keys, CvOptions& options, FoldChoice& outer, std::vector<std::string>& notes) {
  if (!outer.at_most) return;
  const FoldsThatFit fit = folds_that_fit(keys, outer);
  if (fit.count >= 2 && fit.count < outer.count) {
    notes.push_back(fmt::format("{} outer folds in place of {}: {} ({} chooses the number)", fit.count, outer.count,
                                fit.because, option_name("outer")));
    outer.count = fit.count;
  }
  outer.at_most = false;
  options.folds.outer = std::to_string(outer.count);
}

void settle_inner(const FoldChoice& inner, const SampleKeys& keys, std::span<const double> weights, const CvPlan& plan,
                  CvOptions& options, std::vector<std::string>& notes) {
  std::vector<Index> counted;  // samples of weight 0 are in no training set
  for (Index row = 0; row < keys.rows(); ++row)
    if (weights.empty() || weights[row] > 0) counted.push_back(row);
  FoldsThatFit least{inner.count, ""};
  int most = 0;
  const auto cut = [&](const std::vector<Index>& rows) {
    const SampleKeys training = take(keys, rows);
    make_folds(training, inner, 0);
    if (!inner.at_most) return;
    const FoldsThatFit fit = folds_that_fit(training, inner);
    if (fit.count < least.count) least = fit;
    most = std::max(most, fit.count);
  };
  cut(counted);
  for (int fold = 0; fold < plan.folds(); ++fold) {
    std::vector<Index> rows = counted;
    const std::vector<Index> test = plan.test(fold);
    std::erase_if(rows, [&](Index row) { return std::ranges::binary_search(test, row); });
    cut(rows);
  }
  if (!inner.at_most) return;
  if (least.count == inner.count) {
    options.folds.inner = std::to_string(inner.count);
    return;
  }
  const std::string range = least.count == most ? std::to_string(most) : fmt::format("{} to {}", least.count, most);
  notes.push_back(fmt::format("{} inner folds in place of {}: of a training set, {} ({} chooses the number)", range,
                              inner.count, least.because, option_name("inner")));
}

void check_learning(const FoldChoice& inner, const SampleKeys& keys, std::span<const double> weights,
                    const CvPlan& plan, std::uint64_t seed) {
  if (plan.shares.empty()) return;
  for (int fold = 0; fold < plan.folds(); ++fold) {
    const SampleKeys training = take(keys, training_rows(plan, keys, weights, seed, fold, 0));
    FoldChoice fewer = inner;
    fewer.at_most = true;
    try {
      make_folds(training, fewer, seed);
    } catch (const Error& error) {
      throw UsageError(fmt::format(
          "{}: the smallest part of the training set of fold {} has {}, too few to choose a setting with. {}",
          option_name("learning-curve"), plan.fold_name(fold), plural(training.rows(), "sample"), error.what()));
    }
  }
}

}  // namespace sturm
