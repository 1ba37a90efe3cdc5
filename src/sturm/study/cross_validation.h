// SPDX-License-Identifier: BSD-3-Clause
// A nested cross-validation as a list of tasks that any set of processes can share: the plan is a pure function of the
// study, a task's result goes to the journal, and results are made of records alone.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sturm/eval/permutation.h"
#include "sturm/study/journal.h"
#include "sturm/study/outcome_record.h"
#include "sturm/study/plan.h"

namespace sturm {

/// Methods that share their fits, one outer fold, and the vectors of labels `first` to `last`: 0 is the truth.
struct CvTask {
  std::string id;  ///< "sturm/fold 3", "sturm/all", "sturm/fold 3/share 0.2", "sturm/fold 3/permutations 1 to 8"
  std::size_t family = 0;
  int fold = -1;  ///< of CvPlan::folds(); -1: all samples, none to test on
  Index first = 0, last = 1;
  double cost = 1;  ///< in units of the cheapest method
  int share = -1;   ///< of CvPlan::shares; -1: the whole training set

  bool whole() const { return share < 0; }
};

struct CvPlan {
  std::vector<std::string> methods;                ///< in the order of tables
  std::vector<std::vector<std::string>> families;  ///< their names, put together where they share fits
  Folds outer;                                     ///< of the true labels
  FoldChoice choice;                               ///< how they were cut
  Index permutations = 0;
  std::vector<CvTask> tasks;
  std::vector<Folds> again{};    ///< further deals of as many outer folds
  std::vector<double> shares{};  ///< of each training set that are trained on as well, for a learning curve

  Index deals() const { return 1 + std::ssize(again); }
  const Folds& deal(Index number) const { return number == 0 ? outer : again[number - 1]; }
  /// The outer folds of all deals, deal by deal.
  int folds() const { return outer.count() * static_cast<int>(deals()); }
  Index deal_of(int fold) const { return fold / outer.count(); }
  std::vector<Index> test(int fold) const { return deal(deal_of(fold)).test(fold % outer.count()); }
  std::string fold_name(int fold) const;  ///< "3", or "2.3" where there are several deals
};

/// True labels first, method by method; then the model of all samples; then parts of the training sets, from the
/// smallest; then permutations, a few at a time.
CvPlan make_plan(std::vector<std::string> methods, Folds outer, FoldChoice choice, Index permutations,
                 std::vector<Folds> again = {}, std::vector<double> shares = {});

/// The rows that a task with true labels trains on, of those that count.
std::vector<Index> training_rows(const CvPlan& plan, const SampleKeys& keys, std::span<const double> weights,
                                 std::uint64_t seed, int fold, int share);

/// The folds of a study: a number of them is balanced by the labels, so that permuted labels have folds of their own.
/// Folds of the true labels would be balanced for these alone, and permuted ones would do worse than chance.
Folds outer_folds(const CvPlan& plan, SampleKeys keys, const std::vector<double>& y, std::uint64_t seed,
                  Index deal = 0);
/// The stream of random numbers of a deal of the outer folds. The first is that of a study with one deal.
std::uint64_t outer_stream(Index deal);

/// The stream of the inner folds over all samples.
std::uint64_t all_samples_stream();

/// The vector of labels number `number`: 0 is the truth, the others are permutations of it.
std::vector<double> labels_number(const SampleKeys& keys, Exchange exchange, std::uint64_t seed, Index number);

/// How many tasks of a study run side by side: so many that each has room for copies of its volumes and for some fits
/// in its part of the memory.
template <class Real>
Index tasks_at_once(const NestedStudy<Real>& study, const CvPlan& plan, Index tasks);

/// Runs one task; the bytes of its record.
template <class Real>
std::string run_task(const NestedStudy<Real>& study, const CvPlan& plan, const CvTask& task,
                     const NestedProgress& progress);

/// Where a task's record came from: by task and method, one outcome a vector of labels.
using CvOutcomes = std::map<std::string, std::map<std::string, std::vector<FoldOutcome>>>;

/// Takes the records of a study apart; those of tasks that the plan does not have are an error.
CvOutcomes outcomes_of(const CvPlan& plan, const std::vector<Record>& records);

/// The tasks without a record.
std::vector<Index> missing_tasks(const CvPlan& plan, const std::vector<Record>& records);

}  // namespace sturm
