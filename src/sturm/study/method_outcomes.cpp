// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/method_outcomes.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace sturm {

const FoldOutcome* find_outcome(const CvPlan& plan, const CvOutcomes& outcomes, const std::string& method, int fold,
                                int share) {
  for (const CvTask& task : plan.tasks) {
    if (task.fold != fold || task.first != 0 || task.share != share) continue;
    const auto found = outcomes.find(task.id);
    if (found == outcomes.end()) continue;
    const auto of_method = found->second.find(method);
    if (of_method != found->second.end()) return &of_method->second.front();
  }
  return nullptr;
}

MethodOutcomes::MethodOutcomes(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes, std::string method,
                               int share)
    : facts_(facts), plan_(plan), method_(std::move(method)) {
  const Index width = width_of(facts.keys);
  pooled_.assign(facts.keys.rows() * width, std::numeric_limits<double>::quiet_NaN());
  std::vector<Index> times(facts.keys.rows());
  for (int fold = 0; fold < plan.folds(); ++fold) {
    folds_.push_back(find_outcome(plan, outcomes, method_, fold, share));
    if (!has(fold)) continue;
    // Decision values of the test samples follow each other in the order of the study.
    auto from = folds_.back()->decision.begin();
    for (const Index row : plan.test(fold)) {
      ++times[row];
      for (Index c = 0; c < width; ++c, ++from) {
        double& mean = pooled_[row * width + c];
        mean = times[row] == 1 ? *from : mean + (*from - mean) / static_cast<double>(times[row]);
      }
    }
  }
  for (Index row = 0; row < facts.keys.rows(); ++row)
    if (times[row] > 0) rows_.push_back(row);
  if (share >= 0) return;
  for (int part = 0; part < std::ssize(plan.shares); ++part)
    learning_.emplace_back(facts, plan, outcomes, method_, part);
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

Predicted MethodOutcomes::of_fold(int f) const {
  Predicted out{{}, fold(f).decision};
  for (const Index row : plan_.test(f)) out.actual.push_back(facts_.keys.y[row]);
  return out;
}

std::vector<double> MethodOutcomes::by_fold(Measure measure) const {
  std::vector<double> out;
  out.reserve(folds_.size());
  for (int f = 0; f < plan_.folds(); ++f)
    out.push_back(has(f) ? of_fold(f).score(measure) : std::numeric_limits<double>::quiet_NaN());
  return out;
}

MeanSd MethodOutcomes::over_deals(Measure measure) const {
  const std::vector<double> scores = by_fold(measure);
  std::vector<double> means;
  for (Index deal = 0; deal < plan_.deals(); ++deal) {
    const int first = static_cast<int>(deal) * plan_.outer.count(), last = first + plan_.outer.count();
    bool whole = true;
    for (int f = first; f < last; ++f) whole = whole && has(f);
    if (whole) means.push_back(mean_sd(std::span(scores).subspan(first, plan_.outer.count())).mean);
  }
  return mean_sd(means);
}

MeanSd MethodOutcomes::over_folds(double FoldOutcome::*field) const {
  std::vector<double> values;
  for (const FoldOutcome* f : done()) values.push_back(f->*field);
  return mean_sd(values);
}

bool MethodOutcomes::has_map() const {
  const auto selects = [](const FoldOutcome* f) { return f != nullptr && f->has_signs(); };
  return selects(all_) || std::ranges::any_of(folds_, selects);
}

std::optional<double> MethodOutcomes::null_score(const CvOutcomes& outcomes, Index number) const {
  const Exchange exchange = exchangeability(facts_.keys).exchange;
  const std::uint64_t seed = facts_.settings.seed;
  const std::vector<double> y = labels_number(facts_.keys, exchange, seed, number);
  std::vector<Folds> deals;
  for (Index deal = 0; deal < plan_.deals(); ++deal) deals.push_back(outer_folds(plan_, facts_.keys, y, seed, deal));
  std::vector<double> scores;
  for (const CvTask& task : plan_.tasks) {
    if (task.fold < 0 || number < task.first || number >= task.last) continue;
    if (!std::ranges::count(plan_.families[task.family], method_)) continue;
    const auto of_task = outcomes.find(task.id);
    if (of_task == outcomes.end()) return {};
    const auto found = of_task->second.find(method_);
    if (found == of_task->second.end()) return {};
    std::vector<double> actual;
    const int fold = task.fold % plan_.outer.count();
    for (const Index row : deals[plan_.deal_of(task.fold)].test(fold)) actual.push_back(y[row]);
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
