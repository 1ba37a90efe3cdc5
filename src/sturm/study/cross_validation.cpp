// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cross_validation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/eval/learning.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr Index permutations_at_once = 8;  ///< a lost task is minutes, and a batch is full enough

constexpr Index most_tasks = 1'000'000;  ///< each of them has a name and a place in lists that are gone through

/// The method whose voxels another goes on from; empty where it stands alone, or nobody knows it.
std::string selector_of(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method ? method->selects_with() : "";
}

std::string family_name(const std::vector<std::string>& family) {
  std::string out;
  for (const std::string& method : family) out += (out.empty() ? "" : " and ") + method;
  return out;
}

}  // namespace

std::string CvPlan::fold_name(int fold) const {
  const std::string& name = outer.names[fold % outer.count()];
  return deals() == 1 ? name : std::to_string(deal_of(fold) + 1) + "." + name;
}

CvPlan make_plan(std::vector<std::string> methods, Folds outer, FoldChoice choice, Index permutations,
                 std::vector<Folds> again, std::vector<double> shares) {
  CvPlan plan{std::move(methods), {}, std::move(outer), std::move(choice),
              permutations,       {}, std::move(again), std::move(shares)};
  std::set<std::string> taken;
  for (const std::string& method : plan.methods) {
    if (taken.contains(method)) continue;
    const auto listed = [&](const std::string& name) {
      return std::ranges::find(plan.methods, name) != plan.methods.end();
    };
    const std::string selector = selector_of(method);
    const auto follower =
        std::ranges::find_if(plan.methods, [&](const std::string& other) { return selector_of(other) == method; });
    std::vector<std::string> family{method};
    if (!selector.empty() && listed(selector))
      family = {selector, method};
    else if (follower != plan.methods.end())
      family = {method, *follower};
    taken.insert(family.begin(), family.end());
    plan.families.push_back(std::move(family));
  }
  const double per_labels = static_cast<double>(plan.families.size()) * plan.folds();
  if (std::ceil(static_cast<double>(permutations) / permutations_at_once) * per_labels > most_tasks)
    throw UsageError("`permutations " + std::to_string(permutations) + "` makes more than " +
                     std::to_string(most_tasks) + " tasks of this study; a p-value of 0.001 needs 999 permutations.");
  const auto add = [&](std::size_t family, int fold, Index first, Index last, int share = -1) {
    const std::vector<std::string>& names = plan.families[family];
    std::string id = family_name(names) + (fold < 0 ? "/all" : "/fold " + plan.fold_name(fold));
    if (share >= 0) id += "/share " + fmt::format("{}", plan.shares[share]);
    if (first > 0) id += "/permutations " + std::to_string(first) + " to " + std::to_string(last - 1);
    const Method<double>* const first_of = known_method<double>(names.front());
    const double cost = (first_of ? first_of->cost() : 1) * (share < 0 ? 1 : plan.shares[share]);
    plan.tasks.push_back({std::move(id), family, fold, first, last, cost * static_cast<double>(last - first), share});
  };
  for (std::size_t family = 0; family < plan.families.size(); ++family)
    for (int fold = 0; fold < plan.folds(); ++fold) add(family, fold, 0, 1);
  for (std::size_t family = 0; family < plan.families.size(); ++family) add(family, -1, 0, 1);
  for (int share = 0; share < std::ssize(plan.shares); ++share)
    for (std::size_t family = 0; family < plan.families.size(); ++family)
      for (int fold = 0; fold < plan.folds(); ++fold) add(family, fold, 0, 1, share);
  for (Index first = 1; first <= permutations; first += permutations_at_once)
    for (std::size_t family = 0; family < plan.families.size(); ++family)
      for (int fold = 0; fold < plan.folds(); ++fold)
        add(family, fold, first, std::min(permutations + 1, first + permutations_at_once));
  return plan;
}

Folds outer_folds(const CvPlan& plan, SampleKeys keys, const std::vector<double>& y, std::uint64_t seed, Index deal) {
  if (plan.choice.kind != FoldKind::count || y == keys.y) return plan.deal(deal);
  keys.y = y;
  return make_folds(keys, plan.choice, seed, outer_stream(deal));
}

std::uint64_t outer_stream(Index deal) { return stream_of(deal == 0 ? "outer" : "outer/" + std::to_string(deal + 1)); }

std::vector<double> labels_number(const SampleKeys& keys, Exchange exchange, std::uint64_t seed, Index number) {
  return number == 0 ? keys.y : permuted_targets(keys, exchange, seed, number);
}

std::vector<Index> training_rows(const CvPlan& plan, const SampleKeys& keys, std::span<const double> weights,
                                 std::uint64_t seed, int fold, int share) {
  std::vector<Index> train = plan.deal(plan.deal_of(fold)).train(fold % plan.outer.count());
  if (!weights.empty()) std::erase_if(train, [&](Index row) { return weights[row] == 0; });
  if (share < 0) return train;
  const std::string& name = plan.outer.names[fold % plan.outer.count()];
  const std::string of_deal = plan.deal_of(fold) == 0 ? name : plan.fold_name(fold);
  return share_of(keys, train, plan.shares[share], seed, stream_of("learning/" + of_deal));
}

std::uint64_t all_samples_stream() { return stream_of("inner/all"); }

template <class Real>
Index tasks_at_once(const NestedStudy<Real>& study, const CvPlan& plan, Index tasks) {
  constexpr Index copies = 4, fits = 8;  // the training volumes, prepared and centred, and those of the chosen model
  const Index samples = study.keys.rows(),
              most = std::clamp<Index>(tasks, 1, study.backend->side_by_side() ? threads() : 1);
  if (study.options.method.memory == 0) return most;
  Index need = 0;
  for (const Resolution<Real>& r : study.resolutions)
    for (const std::string& method : plan.methods)
      need =
          std::max(need, copies * static_cast<Index>(r.design.x().size_bytes()) +
                             fits * find_method<Real>(method).bytes(r.design.region(), samples) + most_bytes_of_ends);
  return std::clamp<Index>(study.options.method.memory / std::max<Index>(1, need), 1, most);
}

template <class Real>
std::string run_task(const NestedStudy<Real>& study, const CvPlan& plan, const CvTask& task,
                     const NestedProgress& progress) {
  const std::vector<std::string>& names = plan.families[task.family];
  Family<Real> family;
  for (const std::string& name : names) family.push_back(&find_method<Real>(name));
  const Exchange exchange = exchangeability(study.keys).exchange;
  const std::uint64_t seed = study.options.method.seed;
  const bool all = task.fold < 0;
  const Index deal = all ? 0 : plan.deal_of(task.fold);
  const std::string fold_name = all ? "" : deal == 0 ? plan.outer.names[task.fold] : plan.fold_name(task.fold);
  // Labels with the same folds are fitted side by side.
  std::vector<NestedTask> parts;
  for (Index number = task.first; number < task.last; ++number) {
    NestedTask next;
    const std::vector<double> y = labels_number(study.keys, exchange, seed, number);
    const Folds outer = outer_folds(plan, study.keys, y, seed, deal);
    for (Index row = 0; row < study.keys.rows(); ++row)
      (!all && outer.of[row] == task.fold % outer.count() ? next.test : next.train).push_back(row);
    if (!task.whole()) {
      next.train = training_rows(plan, study.keys, study.weights, seed, task.fold, task.share);
      next.fewer_folds = true;
    }
    if (parts.empty() || parts.back().train != next.train) parts.push_back(std::move(next));
    parts.back().labels.push_back(y);
    parts.back().stream = all ? all_samples_stream() : stream_of("inner/" + fold_name);
    parts.back().keep_model = all;
    parts.back().readable = all ? Readable::fitted : Readable::not_asked;
  }
  std::vector<std::vector<FoldOutcome>> by_method(names.size());
  Index done = 0;
  for (const NestedTask& part : parts) {
    const NestedProgress here = [&](Index fits, Index of_all) {
      const auto count = static_cast<Index>(parts.size());
      return !progress || progress(done * of_all + fits, count * of_all);
    };
    std::vector<std::vector<NestedOutcome>> found = nested(study, family, part, here);
    for (std::size_t m = 0; m < names.size(); ++m)
      for (NestedOutcome& outcome : found[m])
        by_method[m].push_back(kept(names[m], std::move(outcome), task.first == 0 && task.whole(), all));
    ++done;
  }
  std::vector<FoldOutcome> outcomes;
  for (std::vector<FoldOutcome>& list : by_method) std::ranges::move(list, std::back_inserter(outcomes));
  return encode(outcomes);
}

CvOutcomes outcomes_of(const CvPlan& plan, const std::vector<Record>& records) {
  std::set<std::string> known;
  for (const CvTask& task : plan.tasks) known.insert(task.id);
  CvOutcomes out;
  for (const Record& record : records) {
    if (!known.contains(record.task))
      throw Error("the journal holds a task that this study does not have, '" + record.task +
                  "'; use another `work`, or begin anew with `force`.");
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

template Index tasks_at_once(const NestedStudy<float>&, const CvPlan&, Index);
template Index tasks_at_once(const NestedStudy<double>&, const CvPlan&, Index);
template std::string run_task(const NestedStudy<float>&, const CvPlan&, const CvTask&, const NestedProgress&);
template std::string run_task(const NestedStudy<double>&, const CvPlan&, const CvTask&, const NestedProgress&);

}  // namespace sturm
