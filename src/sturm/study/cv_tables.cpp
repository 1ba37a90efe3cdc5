// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cv_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sturm/models/registry.h"
#include "sturm/results/rows.h"

namespace sturm {
namespace {

std::string text_or_empty(const std::vector<std::string>& texts, Index row) { return texts.empty() ? "" : texts[row]; }

/// What a sample is taken for: a class, or the number itself.
std::string predicted_text(const Target& target, std::span<const double> decisions) {
  const double decision = *std::ranges::max_element(decisions);
  if (target.classes) return decision >= 0 ? target.classes->positive : target.classes->negative;
  if (target.names.empty()) return std::isfinite(decision) ? cell_of(decision) : "";
  const double label = predicted_labels(decisions, 1).front();
  return std::isnan(label) ? "" : target.names[static_cast<std::size_t>(label)];
}

/// A row for each method and each value of a column, of the samples that were predicted.
template <class Row>
std::string part_table(const CvFacts& facts, const std::vector<std::string>& values,
                       const std::vector<MethodOutcomes>& methods) {
  const Measure measure = measure_of_parts(facts.keys.classification);
  SampleKeys keys = facts.keys;
  keys.groups = values;
  std::vector<Row> rows;
  for (const MethodOutcomes& method : methods)
    for (const std::vector<Index>& members : rows_of_groups(keys)) {
      std::vector<Index> known;
      std::ranges::copy_if(members, std::back_inserter(known),
                           [&](Index row) { return std::ranges::binary_search(method.rows(), row); });
      if (known.empty()) continue;
      rows.push_back({{method.name(),
                       values[members.front()],
                       static_cast<Index>(known.size()),
                       {{measure, method.predicted(known).score(measure)}}}});
    }
  Row like;
  like.score[measure] = not_known;
  return table_of(rows, like);
}

}  // namespace

Setting setting_of(const std::string& method, const std::vector<double>& values) {
  Setting out;
  const std::vector<Parameter> parameters = find_method<double>(method).parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) out.values.emplace_back(parameters[p].name, values[p]);
  return out;
}

std::string folds_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  const std::vector<Measure> measures = measures_of(facts.keys.classification, facts.keys.several);
  std::vector<FoldRow> rows;
  for (const MethodOutcomes& method : methods) {
    ByScore<std::vector<double>> scores;
    for (const Measure measure : measures) scores[measure] = method.by_fold(measure);
    const bool map = method.has_map();
    for (int f = 0; f < plan.folds(); ++f) {
      if (!method.has(f)) continue;
      const FoldOutcome& fold = method.fold(f);
      FoldRow& row = rows.emplace_back();
      row.method = method.name();
      row.fold = plan.fold_name(f);
      row.n_test = static_cast<Index>(plan.test(f).size());
      row.n_train = facts.keys.rows() - row.n_test;
      row.resize = fold.resize;
      row.setting = setting_of(fold.method, fold.setting);
      row.inner_score = fold.inner_score;
      for (const Measure measure : measures) row.scores[measure] = scores[measure][f];
      if (map) row.sparsity = fold.sparsity;
      if (map) row.sparsity_in_mask = fold.sparsity_in_mask;
      if (fold.tubal_rank >= 0) row.tubal_rank = fold.tubal_rank;
      row.objective = fold.objective;
      row.relative_gap = fold.relative_gap;
      row.iterations = fold.iterations;
      row.status = fold.status;
    }
  }
  FoldRow like;
  for (const Measure measure : measures) like.scores[measure] = not_known;
  return table_of(rows, like);
}

namespace {

/// Rows of predictions.tsv and its like.
class Predictions {
 public:
  explicit Predictions(const CvFacts& facts) : facts_(facts) {
    for (const std::string& name : facts.target.names) like_.decisions.emplace_back(name, not_known);
    if (!facts.sites.empty()) like_.site = "";
  }
  void add(const std::string& method, const std::string& fold, Index row, std::span<const double> each) {
    PredictionRow& out = rows_.emplace_back(like_);
    out.method = method;
    out.participant_id = text_or_empty(facts_.participants, row);
    out.path = text_or_empty(facts_.paths, row);
    out.fold = fold;
    out.actual = facts_.target.actual[row];
    out.decision = *std::ranges::max_element(each);
    out.predicted = predicted_text(facts_.target, each);
    if (out.site) out.site = facts_.sites[row];
    for (std::size_t c = 0; c < out.decisions.size(); ++c) out.decisions[c].second = each[c];
  }
  std::string table() const { return table_of(rows_, like_); }

 private:
  const CvFacts& facts_;
  PredictionRow like_;
  std::vector<PredictionRow> rows_;
};

}  // namespace

std::string predictions_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  Predictions out(facts);
  for (const MethodOutcomes& method : methods)
    for (const Index row : method.rows())
      out.add(method.name(), plan.deals() == 1 ? plan.outer.names[plan.outer.of[row]] : "mean", row,
              method.decisions(row));
  return out.table();
}

std::string repeats_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  Predictions out(facts);
  const Index width = width_of(facts.keys);
  for (const MethodOutcomes& method : methods)
    for (int f = 0; f < plan.folds(); ++f) {
      if (!method.has(f)) continue;
      std::span<const double> left = method.fold(f).decision;
      for (const Index row : plan.test(f)) {
        out.add(method.name(), plan.fold_name(f), row, left.first(width));
        left = left.subspan(width);
      }
    }
  return out.table();
}

std::string fitted_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods) {
  Predictions out(facts);
  const Index width = width_of(facts.keys);
  for (const MethodOutcomes& method : methods) {
    if (method.all() == nullptr || method.all()->fitted.empty()) continue;
    const std::span<const double> fitted = method.all()->fitted;
    for (Index row = 0; row < facts.keys.rows(); ++row)
      out.add(method.name(), "all", row, fitted.subspan(row * width, width));
  }
  return out.table();
}

std::vector<GridRow> grid_rows(const std::string& fold, const FoldOutcome& outcome) {
  std::vector<GridRow> rows;
  for (const GridPoint& point : outcome.grid)
    rows.push_back({outcome.method, fold, point.resize, setting_of(outcome.method, point.setting),
                    point.resize == outcome.resize && point.setting == outcome.setting, mean_sd(point.scores).mean,
                    point.scores, point.sparsity, point.worst_gap(), point.unconverged, point.gaps,
                    point.sparsity_in_mask});
  return rows;
}

std::string grid_table(const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  std::vector<GridRow> rows;
  const auto add = [&](const std::string& fold, const FoldOutcome& outcome) {
    std::ranges::move(grid_rows(fold, outcome), std::back_inserter(rows));
  };
  for (const MethodOutcomes& method : methods) {
    for (int f = 0; f < plan.folds(); ++f)
      if (method.has(f)) add(plan.fold_name(f), method.fold(f));
    if (method.all() != nullptr) add("all", *method.all());
  }
  return table_of(rows, {});
}

std::string learning_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  const std::vector<Measure> measures = measures_of(facts.keys.classification, facts.keys.several);
  std::vector<LearningRow> rows;
  const auto add = [&](double share, const MethodOutcomes& method) {
    ByScore<std::vector<double>> scores;
    for (const Measure measure : measures) scores[measure] = method.by_fold(measure);
    for (int f = 0; f < plan.folds(); ++f) {
      if (!method.has(f)) continue;
      const FoldOutcome& fold = method.fold(f);
      LearningRow& row = rows.emplace_back();
      row.method = method.name();
      row.fold = plan.fold_name(f);
      row.fraction = share;
      row.n_train = fold.trained;
      row.n_test = static_cast<Index>(plan.test(f).size());
      row.resize = fold.resize;
      row.setting = setting_of(fold.method, fold.setting);
      row.inner_score = fold.inner_score;
      for (const Measure measure : measures) row.scores[measure] = scores[measure][f];
    }
  };
  for (const MethodOutcomes& method : methods) {
    for (std::size_t s = 0; s < plan.shares.size(); ++s) add(plan.shares[s], method.learning()[s]);
    add(1, method);
  }
  LearningRow like;
  for (const Measure measure : measures) like.scores[measure] = not_known;
  return table_of(rows, like);
}

std::string groups_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods) {
  return part_table<GroupRow>(facts, facts.keys.groups, methods);
}

std::string sites_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods) {
  return part_table<SiteRow>(facts, facts.sites, methods);
}

std::string null_table(const std::vector<MethodOutcomes>& methods) {
  std::vector<NullRow> rows;
  for (const MethodOutcomes& method : methods)
    for (std::size_t n = 0; n < method.null().size(); ++n)
      rows.push_back({method.name(), static_cast<Index>(n) + 1, method.null()[n]});
  return table_of(rows, {});
}

}  // namespace sturm
