// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cv_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sturm/core/build_info.h"
#include "sturm/eval/scores.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

/// A cell of a table.
std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "n/a"; }
std::string cell(const std::string& value) { return table_field(value); }

/// JSON has no NaN.
ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

struct Measure {
  std::string name;
  std::function<double(std::span<const double> actual, std::span<const double> decision)> of;
};

std::vector<Measure> measures(const SampleKeys& keys) {
  using Values = std::span<const double>;
  if (!keys.classification)
    return {{"r2", [](Values a, Values d) { return r_squared(a, d); }},
            {"correlation", [](Values a, Values d) { return pearson(a, d); }},
            {"mean_absolute_error", [](Values a, Values d) { return mean_absolute_error(a, d); }}};
  std::vector<Measure> out = {
      {"accuracy", [](Values a, Values d) { return accuracy(a, predicted_labels(d, a.size())); }},
      {"balanced_accuracy", [](Values a, Values d) { return balanced_accuracy(a, predicted_labels(d, a.size())); }},
      {"auc", [](Values a, Values d) { return auc(a, d); }}};
  if (keys.several > 0) return out;
  out.push_back({"sensitivity", [](Values a, Values d) { return sensitivity(confusion(a, predicted_labels(d))); }});
  out.push_back({"specificity", [](Values a, Values d) { return specificity(confusion(a, predicted_labels(d))); }});
  return out;
}

/// Decision values that a sample has.
Index width_of(const SampleKeys& keys) { return std::max<Index>(1, keys.several); }

/// One method with everything about it.
class MethodResult {
 public:
  MethodResult(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes, const std::string& method)
      : facts_(facts), plan_(plan), method_(method) {
    pooled_.assign(facts.keys.rows() * width_of(facts.keys), std::numeric_limits<double>::quiet_NaN());
    for (int fold = 0; fold < plan.outer.count(); ++fold) {
      folds_.push_back(find_outcome(plan, outcomes, method, fold));
      if (has(fold)) spread(fold, folds_.back()->decision, pooled_);
    }
    for (Index row = 0; row < facts.keys.rows(); ++row)
      if (has(plan.outer.of[row])) rows_.push_back(row);
    all_ = find_outcome(plan, outcomes, method, -1);
    for (Index number = 1; number <= plan.permutations; ++number)
      if (const std::optional<double> score = null_score(outcomes, number)) null_.push_back(*score);
  }

  const std::string& name() const { return method_; }
  const FoldOutcome& fold(int f) const { return *folds_[f]; }
  bool has(int f) const { return folds_[f] != nullptr; }
  const FoldOutcome* all() const { return all_; }
  const std::vector<Index>& rows() const { return rows_; }  ///< of the samples that were predicted
  /// Of a sample: one, or one a class.
  std::span<const double> decisions(Index row) const {
    const Index width = width_of(facts_.keys);
    return std::span(pooled_).subspan(row * width, width);
  }
  const std::vector<double>& null() const { return null_; }

  std::vector<double> by_fold(const Measure& measure) const {
    std::vector<double> out;
    out.reserve(plan_.outer.count());
    for (int f = 0; f < plan_.outer.count(); ++f)
      out.push_back(has(f) ? in_fold(measure, f, facts_.keys.y, fold(f).decision)
                           : std::numeric_limits<double>::quiet_NaN());
    return out;
  }
  MeanSd over_folds(double FoldOutcome::*field) const {
    std::vector<double> values;
    for (const FoldOutcome* f : folds_)
      if (f != nullptr) values.push_back(f->*field);
    return mean_sd(values);
  }
  bool has_map() const {
    const auto selects = [](const FoldOutcome* f) { return f != nullptr && !f->support.empty(); };
    return selects(all_) || std::ranges::any_of(folds_, selects);
  }
  /// The samples that were predicted: what they are, and their decision values.
  std::pair<std::vector<double>, std::vector<double>> predicted() const { return predicted(rows_); }
  std::pair<std::vector<double>, std::vector<double>> predicted(const std::vector<Index>& rows) const {
    std::pair<std::vector<double>, std::vector<double>> out;
    for (const Index row : rows) {
      out.first.push_back(facts_.keys.y[row]);
      std::ranges::copy(decisions(row), std::back_inserter(out.second));
    }
    return out;
  }

  ordered_json to_json() const;

 private:
  /// The test samples of a fold, in the order of the study.
  void spread(int fold, const std::vector<double>& values, std::vector<double>& to) const {
    const std::vector<Index> rows = plan_.outer.test(fold);
    const Index width = width_of(facts_.keys);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(values.begin() + static_cast<Index>(i) * width, width, to.begin() + rows[i] * width);
  }
  double in_fold(const Measure& measure, int fold, std::span<const double> y, std::span<const double> decision) const {
    std::vector<double> actual;
    for (const Index row : plan_.outer.test(fold)) actual.push_back(y[row]);
    return measure.of(actual, decision);
  }
  /// None where a fold is not done.
  std::optional<double> null_score(const CvOutcomes& outcomes, Index number) const {
    const Exchange exchange = exchangeability(facts_.keys).exchange;
    const std::vector<double> y = labels_number(facts_.keys, exchange, facts_.seed, number);
    const Folds outer = outer_folds(plan_, facts_.keys, y, facts_.seed);
    std::vector<double> scores;
    for (const CvTask& task : plan_.tasks) {
      if (task.fold < 0 || number < task.first || number >= task.last) continue;
      if (!std::ranges::count(plan_.families[task.family], method_)) continue;
      const auto of_task = outcomes.find(task.id);
      if (of_task == outcomes.end()) return {};
      const auto found = of_task->second.find(method_);
      if (found == of_task->second.end()) return {};
      std::vector<double> actual;
      for (const Index row : outer.test(task.fold)) actual.push_back(y[row]);
      scores.push_back(score(facts_.score, actual, found->second[number - task.first].decision));
    }
    return mean_sd(scores).mean;
  }

  const CvFacts& facts_;
  const CvPlan& plan_;
  std::string method_;
  std::vector<const FoldOutcome*> folds_;
  const FoldOutcome* all_ = nullptr;
  std::vector<Index> rows_;
  std::vector<double> pooled_, null_;
};

ordered_json setting_json(const FoldOutcome& outcome) {
  ordered_json out = {{"resize", outcome.resize}};
  const std::vector<Parameter> parameters = find_method<double>(outcome.method).parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) out[parameters[p].name] = outcome.setting[p];
  return out;
}

ordered_json MethodResult::to_json() const {
  ordered_json out = {{"title", find_method<double>(method_).title()}};
  const bool classes = facts_.keys.classification;
  const auto [actual, decision] = predicted();
  for (const Measure& measure : measures(facts_.keys)) {
    const std::vector<double> values = by_fold(measure);
    const MeanSd over = mean_sd(values);
    out[measure.name] = number(over.mean);
    out[measure.name + "_sd"] = number(over.sd);
    out["pooled_" + measure.name] = number(rows_.empty() ? std::nan("") : measure.of(actual, decision));
  }
  if (classes && !rows_.empty()) {
    const std::vector<double> labels = predicted_labels(decision, actual.size());
    Index right = 0;
    for (std::size_t m = 0; m < actual.size(); ++m) right += labels[m] == actual[m];
    const auto total = static_cast<Index>(actual.size());
    const Interval interval = share_interval(right, total);
    out["pooled_accuracy_interval"] = {interval.low, interval.high};
    out["binomial_p"] = number(binomial_p(right, total, majority_share(facts_.keys.y)));
    const Confusion c = confusion(actual, labels);
    if (facts_.keys.several > 0)
      out["confusion"] = {{"matrix", confusion_matrix(actual, labels, facts_.keys.several)}};
    else
      out["confusion"] = {{"true_positive", c.true_positive},
                          {"false_positive", c.false_positive},
                          {"true_negative", c.true_negative},
                          {"false_negative", c.false_negative}};
  }
  if (!null_.empty()) {
    std::vector<double> scores;
    for (int f = 0; f < plan_.outer.count(); ++f) {
      if (!has(f)) continue;
      std::vector<double> of_fold;
      for (const Index row : plan_.outer.test(f)) of_fold.push_back(facts_.keys.y[row]);
      scores.push_back(score(facts_.score, of_fold, fold(f).decision));
    }
    const MeanSd null = mean_sd(null_);
    out["permutation_p"] = permutation_p(mean_sd(scores).mean, null_);
    out["null_mean"] = number(null.mean);
    out["null_sd"] = number(null.sd);
  }
  if (has_map()) {
    const MeanSd box = over_folds(&FoldOutcome::sparsity), mask = over_folds(&FoldOutcome::sparsity_in_mask);
    out["sparsity"] = number(box.mean);
    out["sparsity_sd"] = number(box.sd);
    out["sparsity_in_mask"] = number(mask.mean);
    out["sparsity_in_mask_sd"] = number(mask.sd);
  }
  double worst = 0;
  Index inner = 0, unconverged = 0, outer = 0;
  for (const FoldOutcome* f : folds_) {
    if (f == nullptr) continue;
    for (const GridPoint& point : f->grid) {
      worst = std::max(worst, point.worst_gap());
      unconverged += point.unconverged;
      inner += static_cast<Index>(point.scores.size()) * width_of(facts_.keys);
    }
    outer += f->status == Status::iteration_limit;
  }
  out["inner_fits"] = inner;
  out["inner_fits_unconverged"] = unconverged;
  out["inner_worst_gap"] = worst;
  out["folds_unconverged"] = outer;
  ordered_json chosen = ordered_json::array();
  for (const FoldOutcome* f : folds_)
    if (f != nullptr) chosen.push_back(setting_json(*f));
  out["chosen"] = chosen;
  if (all_ == nullptr) return out;
  out["all_samples"] = setting_json(*all_);
  ordered_json& all = out["all_samples"];
  all["inner_score"] = number(all_->inner_score);
  all["objective"] = number(all_->objective);
  all["relative_gap"] = number(all_->relative_gap);
  all["iterations"] = all_->iterations;
  all["status"] = to_word(all_->status);
  if (has_map()) {
    all["sparsity"] = all_->sparsity;
    all["sparsity_in_mask"] = all_->sparsity_in_mask;
    all["tubal_rank"] = all_->tubal_rank < 0 ? ordered_json() : ordered_json(all_->tubal_rank);
    all["shape"] = {all_->shape.n1, all_->shape.n2, all_->shape.n3};
  }
  return out;
}

std::string results_json(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodResult>& results) {
  ordered_json out = {{"version", build_info().version}, {"target", facts.target.column}};
  if (facts.target.classes) out["labels"] = {facts.target.classes->negative, facts.target.classes->positive};
  if (facts.keys.several > 0) out["labels"] = facts.target.names;
  out["samples"] = facts.keys.rows();
  if (facts.keys.classification) {
    if (facts.keys.several > 0) {
      std::vector<Index> counts(facts.keys.several);
      for (const double y : facts.keys.y) ++counts[static_cast<std::size_t>(y)];
      out["class_samples"] = counts;
    } else {
      out["positive_samples"] = std::ranges::count_if(facts.keys.y, [](double y) { return y > 0; });
    }
    out["chance"] = chance_level(facts.keys.y);
    out["majority"] = majority_share(facts.keys.y);
  }
  if (!facts.keys.groups.empty())
    out["groups"] = {{"column", facts.keys.group_column},
                     {"count", std::set<std::string>(facts.keys.groups.begin(), facts.keys.groups.end()).size()}};
  out["outer_folds"] = plan.outer.count();
  out["score"] = to_word(facts.score);
  out["resize"] = facts.resize;
  out["permutations"] = plan.permutations;
  if (plan.permutations > 0) {
    const Exchangeability how = exchangeability(facts.keys);
    const std::map<Exchange, std::string> words = {{Exchange::samples, "samples"},
                                                   {Exchange::within_groups, "within groups"},
                                                   {Exchange::equal_sized_groups, "whole groups of equal size"},
                                                   {Exchange::groups, "whole groups"}};
    out["permuted"] = words.at(how.exchange);
    out["smallest_p"] = std::max(std::exp(-how.log_arrangements), 1 / static_cast<double>(plan.permutations + 1));
  }
  ordered_json settings = ordered_json::object();
  for (const auto& [key, value] : facts.settings) settings[key] = value;
  out["settings"] = settings;
  ordered_json methods = ordered_json::object();
  for (const MethodResult& result : results) methods[result.name()] = result.to_json();
  out["methods"] = methods;
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

/// "tau=0.1 gamma=2" of any method's setting.
std::string setting_text(const std::string& method, const std::vector<double>& setting) {
  std::string out;
  const std::vector<Parameter> parameters = find_method<double>(method).parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    out += fmt::format("{}{}={}", p == 0 ? "" : " ", parameters[p].name, setting[p]);
  return cell(out);
}

std::string folds_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodResult>& results) {
  std::string out = "method\tfold\tn_train\tn_test\tresize\tsetting\tinner_score";
  const std::vector<Measure> all = measures(facts.keys);
  for (const Measure& measure : all) out += "\t" + measure.name;
  out += "\tsparsity\tsparsity_in_mask\ttubal_rank\tobjective\trelative_gap\titerations\tstatus\n";
  for (const MethodResult& result : results) {
    std::vector<std::vector<double>> values;
    values.reserve(all.size());
    for (const Measure& measure : all) values.push_back(result.by_fold(measure));
    for (int f = 0; f < plan.outer.count(); ++f) {
      if (!result.has(f)) continue;
      const FoldOutcome& fold = result.fold(f);
      const auto test = static_cast<Index>(plan.outer.test(f).size());
      out +=
          fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}", result.name(), cell(plan.outer.names[f]), facts.keys.rows() - test,
                      test, fold.resize, setting_text(fold.method, fold.setting), cell(fold.inner_score));
      for (const std::vector<double>& of_measure : values) out += "\t" + cell(of_measure[f]);
      const bool map = result.has_map();
      out += fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", map ? cell(fold.sparsity) : "n/a",
                         map ? cell(fold.sparsity_in_mask) : "n/a",
                         fold.tubal_rank < 0 ? "n/a" : std::to_string(fold.tubal_rank), cell(fold.objective),
                         cell(fold.relative_gap), fold.iterations, to_word(fold.status));
    }
  }
  return out;
}

std::string predictions_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodResult>& results) {
  std::string out = "method\tparticipant_id\tpath\tfold\tactual\tdecision\tpredicted";
  for (const std::string& name : facts.target.names) out += "\t" + cell("decision_" + name);
  out += "\n";
  for (const MethodResult& result : results)
    for (const Index row : result.rows()) {
      const std::span<const double> each = result.decisions(row);
      const double decision = *std::ranges::max_element(each);
      std::string predicted = cell(decision), others;
      if (facts.target.classes)
        predicted = cell(decision >= 0 ? facts.target.classes->positive : facts.target.classes->negative);
      if (facts.keys.several > 0) {
        const double label = predicted_labels(each, 1).front();
        predicted = std::isnan(label) ? "n/a" : cell(facts.target.names[static_cast<std::size_t>(label)]);
        for (const double d : each) others += "\t" + cell(d);
      }
      out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", result.name(),
                         cell(facts.participants.empty() ? "" : facts.participants[row]),
                         cell(facts.paths.empty() ? "" : facts.paths[row]), cell(plan.outer.names[plan.outer.of[row]]),
                         cell(facts.target.actual[row]), cell(decision), predicted, others);
    }
  return out;
}

std::string grid_table(const CvPlan& plan, const std::vector<MethodResult>& results) {
  std::string out = "method\tfold\tresize\tsetting\tchosen\tscore\tscores\tsparsity\tworst_gap\tunconverged\tgaps\n";
  const auto add = [&](const std::string& fold, const FoldOutcome& outcome) {
    for (const GridPoint& point : outcome.grid) {
      std::string scores;
      for (const double s : point.scores) scores += (scores.empty() ? "" : ",") + cell(s);
      std::string gaps;
      for (const double gap : point.gaps) gaps += (gaps.empty() ? "" : ",") + cell(gap);
      const bool chosen = point.resize == outcome.resize && point.setting == outcome.setting;
      out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", outcome.method, cell(fold), point.resize,
                         setting_text(outcome.method, point.setting), chosen ? 1 : 0, cell(mean_sd(point.scores).mean),
                         scores, cell(point.sparsity), cell(point.worst_gap()), point.unconverged, gaps);
    }
  };
  for (const MethodResult& result : results) {
    for (int f = 0; f < plan.outer.count(); ++f)
      if (result.has(f)) add(plan.outer.names[f], result.fold(f));
    if (result.all() != nullptr) add("all", *result.all());
  }
  return out;
}

/// How well each method does in the samples of each value of a column: groups.tsv and sites.tsv.
std::string part_table(const CvFacts& facts, const std::string& name, const std::vector<std::string>& values,
                       const std::vector<MethodResult>& results) {
  const bool classes = facts.keys.classification;
  SampleKeys keys = facts.keys;
  keys.groups = values;
  std::string out = "method\t" + name + "\tn\t" + (classes ? "accuracy" : "mean_absolute_error") + "\n";
  for (const MethodResult& result : results)
    for (const std::vector<Index>& rows : rows_of_groups(keys)) {
      std::vector<Index> known;
      std::ranges::copy_if(rows, std::back_inserter(known),
                           [&](Index row) { return std::ranges::binary_search(result.rows(), row); });
      if (known.empty()) continue;
      const auto [actual, decision] = result.predicted(known);
      out += fmt::format("{}\t{}\t{}\t{}\n", result.name(), cell(values[rows.front()]), actual.size(),
                         cell(classes ? accuracy(actual, predicted_labels(decision, actual.size()))
                                      : mean_absolute_error(actual, decision)));
    }
  return out;
}

/// The layout of the paper: a row a method, mean and standard deviation over the folds in percent, the best in bold,
/// the second best in italics.
std::string paper_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodResult>& results) {
  const bool classes = facts.keys.classification;
  const Measure measure = measures(facts.keys).front();
  const double unit = classes ? 100 : 1;
  struct Row {
    std::string method;
    MeanSd score, sparsity;
    bool map, baseline;
  };
  std::vector<Row> rows;
  rows.reserve(results.size());
  for (const MethodResult& result : results)
    rows.push_back({result.name(), mean_sd(result.by_fold(measure)), result.over_folds(&FoldOutcome::sparsity),
                    result.has_map(), is_baseline(result.name())});
  const auto marked = [&](auto value_of, const Row& row, const std::string& text) {
    std::set<double, std::greater<>> values;
    for (const Row& other : rows)
      if (!other.baseline && std::isfinite(value_of(other))) values.insert(value_of(other));
    const double mine = value_of(row);
    if (row.baseline || values.empty() || !std::isfinite(mine)) return text;
    if (mine == *values.begin()) return "**" + text + "**";
    return values.size() > 1 && mine == *std::next(values.begin()) ? "*" + text + "*" : text;
  };
  const auto text = [](const MeanSd& m, double scale) {
    const double sd = std::isfinite(m.sd) ? m.sd : 0;
    return fmt::format("{:.2f} ± {:.2f}", scale * m.mean, scale * sd);
  };
  std::string out = fmt::format("| Method | {} | Sparsity (%) |\n|---|---|---|\n", classes ? "Accuracy (%)" : "R²");
  for (const Row& row : rows)
    out += fmt::format(
        "| {} | {} | {} |\n", row.method, marked([](const Row& r) { return r.score.mean; }, row, text(row.score, unit)),
        row.map
            ? marked([](const Row& r) { return r.map ? r.sparsity.mean : std::nan(""); }, row, text(row.sparsity, 100))
            : "–");
  out += fmt::format(
      "\nMean ± standard deviation over {} outer folds of {} samples; best in bold, second best in italics.",
      plan.outer.count(), facts.keys.rows());
  if (classes)
    out += fmt::format(" Always naming the larger class is right in {:.2f} %.", 100 * majority_share(facts.keys.y));
  return out + "\n";
}

std::string null_table(const std::vector<MethodResult>& results) {
  std::string out = "method\tpermutation\tscore\n";
  for (const MethodResult& result : results)
    for (std::size_t n = 0; n < result.null().size(); ++n)
      out += fmt::format("{}\t{}\t{}\n", result.name(), n + 1, cell(result.null()[n]));
  return out;
}

}  // namespace

const FoldOutcome* find_outcome(const CvPlan& plan, const CvOutcomes& outcomes, const std::string& method, int fold) {
  for (const CvTask& task : plan.tasks) {
    if (task.fold != fold || task.first != 0) continue;
    const auto found = outcomes.find(task.id);
    if (found == outcomes.end()) continue;
    const auto of_method = found->second.find(method);
    if (of_method != found->second.end()) return &of_method->second.front();
  }
  return nullptr;
}

ResultFiles result_files(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes) {
  std::vector<MethodResult> results;
  for (const std::string& method : plan.methods) results.emplace_back(facts, plan, outcomes, method);
  ResultFiles out = {
      {"results.json", results_json(facts, plan, results)},
      {"folds.tsv", folds_table(facts, plan, results)},
      {"predictions.tsv", predictions_table(facts, plan, results)},
      {"grid.tsv", grid_table(plan, results)},
      {"table.md", paper_table(facts, plan, results)},
  };
  if (!facts.keys.groups.empty())
    out.emplace_back("groups.tsv", part_table(facts, "group", facts.keys.groups, results));
  if (!facts.sites.empty()) out.emplace_back("sites.tsv", part_table(facts, "site", facts.sites, results));
  if (plan.permutations > 0) out.emplace_back("null.tsv", null_table(results));
  return out;
}

std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes) {
  std::map<double, Stability> by_size;
  for (int fold = 0; fold < plan.outer.count(); ++fold) {
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
