// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cross_validation.h"

#include <algorithm>
#include <set>

#include "sturm/core/rng.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr Index permutations_at_once = 8;  ///< a lost task is minutes, and a batch is full enough

/// "sturm" for "sturm+svm"; empty where a method chooses no voxels.
std::string selector_of(const std::string& method) {
  const std::string end = "+svm";
  return method.ends_with(end) ? method.substr(0, method.size() - end.size()) : "";
}

std::string family_name(const std::vector<std::string>& family) {
  std::string out;
  for (const std::string& method : family) out += (out.empty() ? "" : " and ") + method;
  return out;
}

}  // namespace

double cost_of(const std::string& method) {
  // Times of a default grid at 46x55x46 with 86 samples, over that of the SVM's.
  static const std::map<std::string, double> known = {{"sturm", 60}, {"remurs", 150}, {"mmk", 40},   {"dusk", 30},
                                                      {"surf", 40},  {"lasso", 2},    {"enet", 4},   {"ridge", 1},
                                                      {"svm", 1},    {"svm-rbf", 2},  {"dummy", 0.1}};
  const std::string selector = selector_of(method);
  if (!selector.empty()) return cost_of(selector) + 5;
  const auto found = known.find(method);
  return found == known.end() ? 1 : found->second;
}

CvPlan make_plan(std::vector<std::string> methods, Folds outer, Index permutations) {
  CvPlan plan{std::move(methods), {}, std::move(outer), permutations, {}};
  std::set<std::string> taken;
  for (const std::string& method : plan.methods) {
    if (taken.contains(method)) continue;
    const auto listed = [&](const std::string& name) {
      return std::ranges::find(plan.methods, name) != plan.methods.end();
    };
    const std::string selector = selector_of(method), follower = method + "+svm";
    std::vector<std::string> family{method};
    if (!selector.empty() && listed(selector))
      family = {selector, method};
    else if (selector.empty() && listed(follower))
      family = {method, follower};
    taken.insert(family.begin(), family.end());
    plan.families.push_back(std::move(family));
  }
  const auto add = [&](std::size_t family, int fold, Index first, Index last) {
    const std::vector<std::string>& names = plan.families[family];
    std::string id = family_name(names) + (fold < 0 ? "/all" : "/fold " + plan.outer.names[fold]);
    if (first > 0) id += "/permutations " + std::to_string(first) + " to " + std::to_string(last - 1);
    const double cost = cost_of(names.front()) + (names.size() > 1 ? 5 : 0);
    plan.tasks.push_back({std::move(id), family, fold, first, last, cost * static_cast<double>(last - first)});
  };
  for (std::size_t family = 0; family < plan.families.size(); ++family)
    for (int fold = 0; fold < plan.outer.count(); ++fold) add(family, fold, 0, 1);
  for (std::size_t family = 0; family < plan.families.size(); ++family) add(family, -1, 0, 1);
  for (Index first = 1; first <= permutations; first += permutations_at_once)
    for (std::size_t family = 0; family < plan.families.size(); ++family)
      for (int fold = 0; fold < plan.outer.count(); ++fold)
        add(family, fold, first, std::min(permutations + 1, first + permutations_at_once));
  return plan;
}

std::vector<double> labels_number(const SampleKeys& keys, Exchange exchange, std::uint64_t seed, Index number) {
  return number == 0 ? keys.y : permuted_targets(keys, exchange, seed, number);
}

template <class Real>
std::string run_task(const NestedStudy<Real>& study, const CvPlan& plan, const CvTask& task,
                     const NestedProgress& progress) {
  NestedTask nested_task;
  for (Index row = 0; row < study.keys.rows(); ++row)
    (plan.outer.of[row] == task.fold ? nested_task.test : nested_task.train).push_back(row);
  const Exchange exchange = exchangeability(study.keys).exchange;
  for (Index number = task.first; number < task.last; ++number)
    nested_task.labels.push_back(labels_number(study.keys, exchange, study.options.method.seed, number));
  nested_task.stream = stream_of(task.fold < 0 ? "inner/all" : "inner/" + plan.outer.names[task.fold]);
  const std::vector<std::string>& names = plan.families[task.family];
  Family<Real> family;
  for (const std::string& name : names) family.push_back(&find_method<Real>(name));
  std::vector<std::vector<NestedOutcome>> found = nested(study, family, nested_task, progress);
  std::vector<FoldOutcome> outcomes;
  for (std::size_t m = 0; m < names.size(); ++m)
    for (NestedOutcome& outcome : found[m])
      outcomes.push_back(kept(names[m], std::move(outcome), task.first == 0, task.fold < 0));
  return encode(outcomes);
}

CvOutcomes outcomes_of(const CvPlan& plan, const std::vector<Record>& records) {
  std::set<std::string> known;
  for (const CvTask& task : plan.tasks) known.insert(task.id);
  CvOutcomes out;
  for (const Record& record : records) {
    if (!known.contains(record.task))
      throw Error("the journal holds a task that this study does not have, '" + record.task +
                  "'; use another --work, or begin anew with --force.");
    for (FoldOutcome& outcome : decode(record.payload, record.task))
      out[record.task][outcome.method].push_back(std::move(outcome));
  }
  return out;
}

std::vector<Index> missing_tasks(const CvPlan& plan, const std::vector<Record>& records) {
  std::set<std::string> there;
  for (const Record& record : records) there.insert(record.task);
  std::vector<Index> out;
  for (std::size_t t = 0; t < plan.tasks.size(); ++t)
    if (!there.contains(plan.tasks[t].id)) out.push_back(static_cast<Index>(t));
  return out;
}

template std::string run_task(const NestedStudy<float>&, const CvPlan&, const CvTask&, const NestedProgress&);
template std::string run_task(const NestedStudy<double>&, const CvPlan&, const CvTask&, const NestedProgress&);

}  // namespace sturm
