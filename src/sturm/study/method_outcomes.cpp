// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/method_outcomes.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace sturm {

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

MethodOutcomes::MethodOutcomes(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes, std::string method)
    : facts_(facts), plan_(plan), method_(std::move(method)) {
  const Index width = width_of(facts.keys);
  pooled_.assign(facts.keys.rows() * width, std::numeric_limits<double>::quiet_NaN());
  for (int fold = 0; fold < plan.outer.count(); ++fold) {
    folds_.push_back(find_outcome(plan, outcomes, method_, fold));
    if (!has(fold)) continue;
    // Decision values of the test samples follow each other in the order of the study.
    auto from = folds_.back()->decision.begin();
    for (const Index row : plan.outer.test(fold)) {
      std::copy_n(from, width, pooled_.begin() + row * width);
      from += width;
    }
  }
  for (Index row = 0; row < facts.keys.rows(); ++row)
    if (has(plan.outer.of[row])) rows_.push_back(row);
  all_ = find_outcome(plan, outcomes, method_, -1);
  for (Index number = 1; number <= plan.permutations; ++number)
    if (const std::optional<double> score = null_score(outcomes, number)) null_.push_back(*score);
}

std::vector<const FoldOutcome*> MethodOutcomes::done() const {
  std::vector<const FoldOutcome*> out;
  std::ranges::copy_if(folds_, std::back_inserter(out), [](const FoldOutcome* f) { return f != nullptr; });
  return out;
}

std::span<const double> MethodOutcomes::decisions(Index row) const {
  const Index width = width_of(facts_.keys);
  return std::span(pooled_).subspan(row * width, width);
}

Predicted MethodOutcomes::predicted(std::span<const Index> rows) const {
  Predicted out;
  for (const Index row : rows) {
    out.actual.push_back(facts_.keys.y[row]);
    std::ranges::copy(decisions(row), std::back_inserter(out.decision));
  }
  return out;
}

std::vector<double> MethodOutcomes::by_fold(Measure measure) const {
  std::vector<double> out;
  out.reserve(folds_.size());
  for (int f = 0; f < plan_.outer.count(); ++f)
    out.push_back(has(f) ? predicted(plan_.outer.test(f)).score(measure) : std::numeric_limits<double>::quiet_NaN());
  return out;
}

MeanSd MethodOutcomes::over_folds(double FoldOutcome::*field) const {
  std::vector<double> values;
  for (const FoldOutcome* f : done()) values.push_back(f->*field);
  return mean_sd(values);
}

bool MethodOutcomes::has_map() const {
  const auto selects = [](const FoldOutcome* f) { return f != nullptr && !f->support.empty(); };
  return selects(all_) || std::ranges::any_of(folds_, selects);
}

std::optional<double> MethodOutcomes::null_score(const CvOutcomes& outcomes, Index number) const {
  const Exchange exchange = exchangeability(facts_.keys).exchange;
  const std::uint64_t seed = facts_.settings.seed;
  const std::vector<double> y = labels_number(facts_.keys, exchange, seed, number);
  const Folds outer = outer_folds(plan_, facts_.keys, y, seed);
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

std::vector<MethodOutcomes> outcomes_by_method(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes) {
  std::vector<MethodOutcomes> out;
  out.reserve(plan.methods.size());
  for (const std::string& method : plan.methods) out.emplace_back(facts, plan, outcomes, method);
  return out;
}

}  // namespace sturm
