// SPDX-License-Identifier: BSD-3-Clause
// The solver of batch.h taken apart: batch.cpp has an iteration, batch_start.cpp how a problem begins, batch_check.cpp
// how its gap is found, batch_lanes.cpp which problems are together. Every step is a call of the backend for a list of
// problems.
#pragma once

#include <atomic>
#include <mutex>

#include "sturm/solver/batch_state.h"

namespace sturm::batch {

/// What the lanes of a batch share: they take problems from it, each when it has room.
template <class Real>
class Batch {
 public:
  Batch(const Design<Real>& design, std::span<const Problem<Real>> all, const BatchOptions<Real>& how);

  const Design<Real>& x;
  std::span<const Problem<Real>> problems;
  const BatchOptions<Real>& options;
  PenaltyPointer penalty;
  DeviceDesign<Real> device;
  std::vector<linalg::PlacementPointer> places;  ///< by term

  Index slots = 0;      ///< problems under way at most
  bool splits = false;  ///< lanes divide where threads are free

  std::atomic<Index> lanes{1};  ///< that have not come to their end
  /// Problems that a lane should have under way, so that all have as many.
  Index fair_share() const;

  /// The next of the problems that come after no other; -1: none are left.
  Index take_first();
  Index left() const { return std::max<Index>(0, std::ssize(first_) - static_cast<Index>(next_first_)); }
  /// Room for one more problem, until it is given back.
  bool take_slot();
  void give_slot_back() { ++free_slots_; }
  /// The one that begins where a problem ends; -1: none does.
  Index after(Index problem) const { return then_[problem]; }
  /// Of the slowest problem of a lane. False: another lane has failed, and there is nothing to go on for.
  bool go_on(int iteration, double gap);
  /// The last to end tells the worst gap of all as it was proven: what was told before is of checks.
  void finish(Index problem, Solution<Real> solution);
  void fail() { failed_ = true; }

 private:
  std::vector<Index> first_, then_;
  std::atomic<std::size_t> next_first_{0};
  std::atomic<Index> free_slots_{0};
  std::atomic<bool> failed_{false};
  std::mutex progress_mutex_;
  int ended_ = 0;            ///< behind the mutex
  double worst_proven_ = 0;  ///< so is this
};

/// One lane: a list of problems that go through every step together. Where threads have nothing to do it divides, and
/// gives one of them half of its problems: which problems are together changes nothing but the time.
template <class Real>
class BatchSolver {
 public:
  using List = std::vector<State<Real>*>;

  BatchSolver(Batch<Real>& batch, SolveStats& stats);
  void run();  ///< until no problem is left; solutions go to options.take

 private:
  // batch_start.cpp
  bool admit();  ///< true where one of those that have begun is done already: there is room again
  void assign(State<Real>& s, Index problem);
  State<Real>* begin_slot(std::unique_ptr<State<Real>>& slot, Index problem,
                          std::vector<linalg::ScaleJob<Real>>& clear);
  void start(const List& list);
  void go_on(const List& list);   ///< from where the problem before ended, which is still in the slot
  void resume(const List& list);  ///< from a solution to a larger gap
  void begin(State<Real>& s, const std::vector<double>& theta) const;

  // batch_lanes.cpp
  void steps();
  void divide();
  List under_way();

  // batch.cpp
  void iterate(const List& list);
  List w_step(const List& list);  ///< one pass over X; those whose W-step is done
  void b_step(const List& list);  ///< B and Q
  void note_changes(const List& list);
  void update_rho(const List& list);
  void set_a(const List& list);  ///< from B and Q
  void begin_w_step(const List& list);
  double rho_factor(State<Real>& s) const;
  void finish(State<Real>& s);

  // batch_check.cpp
  void check(const List& list);
  void improve_dual(const List& list);
  void improve_primal(const List& list);
  void try_polished(const List& list);
  static bool offer_dual(State<Real>& s, double excess);
  static bool offer_primal(State<Real>& s, std::span<const double> xw, double penalty);
  void schedule(State<Real>& s) const;
  void prove(const List& list);  ///< recomputes their gaps in double, and sets `proven` where they hold

  // Pieces of the steps, for as many problems as chunks() puts together.
  using Columns = linalg::Part<Real>;
  Columns columns(int which, std::size_t place) {
    return columns_[which].part(static_cast<Index>(place) * voxels_, voxels_);
  }
  linalg::Part<Real> copy(int k, std::size_t place) {
    return copies_[k].part(static_cast<Index>(place) * penalty_->size(k), penalty_->size(k));
  }
  linalg::Part<Real> spare(int k, std::size_t place) {
    return spare_[k].part(static_cast<Index>(place) * penalty_->size(k), penalty_->size(k));
  }
  void reserve(std::size_t count);
  std::vector<List> chunks(const List& list) const;
  /// The mean over the terms of these arrays of each problem, in the columns: themselves where nothing is left out.
  using Member = std::vector<linalg::Array<Real>> Iterates<Real>::*;
  std::vector<linalg::Part<const Real>> means(const List& chunk, Member arrays, int which);
  /// What was found of the copies of a chunk, by problem: values summed, the largest dual norm and rank.
  std::vector<TermResult> prox_of_copies(const List& chunk, const std::function<double(const State<Real>&)>& mu,
                                         double accuracy, std::vector<std::vector<TermResult>>* by_term = nullptr);
  std::vector<TermResult> norms_of_copies(const List& chunk, std::vector<std::vector<TermResult>>* by_term = nullptr);
  void spread(const List& chunk, const std::function<linalg::Part<const Real>(const State<Real>&, std::size_t)>& what,
              const std::function<double(std::size_t)>& times = {});
  /// X~ w for points that are not those of the W-step.
  std::vector<std::vector<double>> products(const List& chunk, std::span<const linalg::Part<const Real>> w);
  void split_copies(const List& chunk, std::span<const linalg::Part<const Real>> q, bool into_spare);

  Batch<Real>& batch_;
  const Design<Real>& x_;
  const BatchOptions<Real>& options_;
  SolveStats& stats_;
  const Penalty* penalty_;
  int terms_;  ///< K
  Index voxels_, samples_;
  linalg::Backend& backend_;
  linalg::Operations<Real>& ops_;
  Newton<Real> newton_;
  const std::vector<linalg::PlacementPointer>& places_;  ///< by term
  std::vector<std::unique_ptr<State<Real>>> slots_;
  std::vector<linalg::Array<Real>> copies_, spare_;  ///< by term: what the prox works on, and its scratch
  linalg::Array<Real> columns_[2];
  std::size_t reserved_ = 0;
  int iteration_limit_;
};

}  // namespace sturm::batch
