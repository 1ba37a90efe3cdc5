// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cv_results.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sturm/core/build_info.h"
#include "sturm/models/registry.h"
#include "sturm/results/json.h"
#include "sturm/study/cv_tables.h"
#include "sturm/study/inference.h"
#include "sturm/study/paper_table.h"

namespace sturm {
namespace {

ChosenSetting chosen_by(const FoldOutcome& outcome) {
  return {outcome.resize, setting_of(outcome.method, outcome.setting).values};
}

AllSamples all_samples(const FoldOutcome& outcome, bool has_map) {
  AllSamples out{.chosen = chosen_by(outcome),
                 .inner_score = outcome.inner_score,
                 .objective = outcome.objective,
                 .relative_gap = outcome.relative_gap,
                 .iterations = Index{outcome.iterations},
                 .status = outcome.status,
                 .sparsity = {},
                 .sparsity_in_mask = {},
                 .tubal_rank = {},
                 .shape = {}};
  if (!has_map) return out;
  out.sparsity = outcome.sparsity;
  out.sparsity_in_mask = outcome.sparsity_in_mask;
  out.tubal_rank = outcome.tubal_rank < 0 ? OrNull<Index>() : OrNull<Index>(outcome.tubal_rank);
  out.shape = {{outcome.shape.n1, outcome.shape.n2, outcome.shape.n3}};
  return out;
}

ReadableModel readable_of(const FoldOutcome& found, bool same) {
  ReadableModel out;
  out.setting = chosen_by(found);
  out.inner_score = found.inner_score;
  out.best_score = found.best_score;
  out.standard_error = found.standard_error;
  out.objective = found.objective;
  out.relative_gap = found.relative_gap;
  out.iterations = Index{found.iterations};
  out.status = found.status;
  out.sparsity = found.sparsity;
  out.sparsity_in_mask = found.sparsity_in_mask;
  if (found.tubal_rank >= 0) out.tubal_rank = found.tubal_rank;
  out.same_as_chosen = same;
  return out;
}

/// The headline score over the folds that are done; intervals come later.
LearningPoint learning_point(double share, const MethodOutcomes& method, Measure headline) {
  LearningPoint out{.fraction = share};
  const MeanSd score = mean_sd(method.by_fold(headline));
  std::vector<double> trained;
  for (const FoldOutcome* fold : method.done()) trained.push_back(static_cast<double>(fold->trained));
  out.samples = mean_sd(trained).mean;
  out.mean = score.mean;
  out.sd = score.sd;
  if (!method.rows().empty()) out.pooled = method.predicted().score(headline);
  return out;
}

/// Counts of all predictions of a classification.
void add_counts(const Predicted& pooled, const SampleKeys& keys, MethodResults& out) {
  const std::vector<double> labels = predicted_labels(pooled.decision, pooled.actual.size());
  ConfusionCounts& counts = out.confusion.emplace();
  if (keys.several > 0) {
    counts.matrix = confusion_matrix(pooled.actual, labels, keys.several);
    return;
  }
  const Confusion c = confusion(pooled.actual, labels);
  counts.true_positive = c.true_positive;
  counts.false_positive = c.false_positive;
  counts.true_negative = c.true_negative;
  counts.false_negative = c.false_negative;
}

MethodResults results_of(const CvFacts& facts, const CvPlan& plan, const MethodOutcomes& method) {
  MethodResults out;
  out.title = find_method<double>(method.name()).title();
  const bool any = !method.rows().empty(), classes = facts.keys.classification;
  const Predicted pooled = method.predicted();
  for (const Measure measure : measures_of(classes, facts.keys.several)) {
    const MeanSd over = mean_sd(method.by_fold(measure));
    out.scores[measure] = {over.mean, over.sd, any ? pooled.score(measure) : std::nan(""), {}};
    if (plan.deals() > 1) out.scores[measure].sd_of_repeats = method.over_deals(measure).sd;
  }
  if (classes && any) add_counts(pooled, facts.keys, out);
  if (!method.null().empty()) {
    const MeanSd null = mean_sd(method.null());
    out.permutation_p = permutation_p(mean_sd(method.by_fold(measure_of(facts.score))).mean, method.null());
    out.null_mean = null.mean;
    out.null_sd = null.sd;
  }
  if (method.has_map()) {
    const MeanSd box = method.over_folds(&FoldOutcome::sparsity),
                 mask = method.over_folds(&FoldOutcome::sparsity_in_mask);
    out.sparsity = box.mean;
    out.sparsity_sd = box.sd;
    out.sparsity_in_mask = mask.mean;
    out.sparsity_in_mask_sd = mask.sd;
  }
  out.inner_worst_gap = 0;
  for (const FoldOutcome* f : method.done()) {
    for (const GridPoint& point : f->grid) {
      out.inner_worst_gap = std::max(out.inner_worst_gap, point.worst_gap());
      out.inner_fits_unconverged += point.unconverged;
      out.inner_fits += static_cast<Index>(point.scores.size()) * width_of(facts.keys);
    }
    out.folds_unconverged += f->status == Status::iteration_limit;
    out.chosen.push_back(chosen_by(*f));
  }
  const Measure headline = measure_of(facts.score);
  for (std::size_t s = 0; s < plan.shares.size(); ++s) {
    if (s == 0) out.learning.emplace();
    out.learning->push_back(learning_point(plan.shares[s], method.learning()[s], headline));
  }
  if (out.learning) out.learning->push_back(learning_point(1, method, headline));
  if (const FoldOutcome* const all = method.all()) {
    out.all_samples = all_samples(*all, method.has_map());
    for (const FoldOutcome& found : all->readable) out.readable = readable_of(found, found.is_setting_of(*all));
  }
  return out;
}

}  // namespace

CvResults results_of(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  const SampleKeys& keys = facts.keys;
  CvResults out;
  out.version = build_info().version;
  out.target = facts.target.column;
  if (facts.target.classes) out.labels = {{facts.target.classes->negative, facts.target.classes->positive}};
  if (keys.several > 0) out.labels = facts.target.names;
  out.samples = keys.rows();
  if (keys.classification) {
    if (keys.several > 0) {
      std::vector<Index>& counts = out.class_samples.emplace(keys.several);
      for (const double y : keys.y) ++counts[static_cast<std::size_t>(y)];
    } else {
      out.positive_samples = std::ranges::count_if(keys.y, [](double y) { return y > 0; });
    }
    out.chance = chance_level(keys.y);
    out.majority = majority_share(keys.y);
  }
  if (!keys.groups.empty())
    out.groups = {keys.group_column,
                  static_cast<Index>(std::set<std::string>(keys.groups.begin(), keys.groups.end()).size())};
  out.outer_folds = plan.outer.count();
  if (plan.deals() > 1) out.repeats = plan.deals();
  out.score = facts.score;
  out.resize = facts.resize;
  out.permutations = plan.permutations;
  if (plan.permutations > 0) {
    const Exchangeability how = exchangeability(keys);
    out.permuted = how.exchange;
    out.smallest_p = std::max(std::exp(-how.log_arrangements), 1 / static_cast<double>(plan.permutations + 1));
  }
  out.settings = facts.settings;
  for (const MethodOutcomes& method : methods) out.methods.emplace_back(method.name(), results_of(facts, plan, method));
  add_inference(facts, plan, methods, out);
  return out;
}

ResultFiles result_files(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes,
                         const Named<TruthAgreement>& truth) {
  const std::vector<MethodOutcomes> methods = outcomes_by_method(facts, plan, outcomes);
  CvResults results = results_of(facts, plan, methods);
  for (auto& [name, method] : results.methods)
    for (const auto& [of, agreement] : truth)
      if (of == name) method.truth = agreement;
  ResultFiles out = {
      {"results.json", json_text(to_json(results)) + "\n"},         {"folds.tsv", folds_table(facts, plan, methods)},
      {"predictions.tsv", predictions_table(facts, plan, methods)}, {"grid.tsv", grid_table(plan, methods)},
      {"table.md", paper_table(facts, plan, methods, results)},
  };
  out.emplace_back("fitted.tsv", fitted_table(facts, methods));
  if (plan.deals() > 1) out.emplace_back("repeats.tsv", repeats_table(facts, plan, methods));
  if (!plan.shares.empty()) out.emplace_back("learning.tsv", learning_table(facts, plan, methods));
  if (!facts.keys.groups.empty()) out.emplace_back("groups.tsv", groups_table(facts, methods));
  if (!facts.sites.empty()) out.emplace_back("sites.tsv", sites_table(facts, methods));
  if (plan.permutations > 0) out.emplace_back("null.tsv", null_table(methods));
  return out;
}

}  // namespace sturm
