// SPDX-License-Identifier: BSD-3-Clause
// The solver of batch.h taken apart: batch.cpp has the loop, batch_start.cpp how a problem begins, batch_check.cpp how
// its gap is found. Every step is a call of the backend for a list of problems.
#pragma once

#include "sturm/solver/batch_state.h"

namespace sturm::batch {

template <class Real>
class BatchSolver {
 public:
  using List = std::vector<State<Real>*>;

  BatchSolver(const Design<Real>& x, std::span<const Problem<Real>> problems, const BatchOptions<Real>& options,
              SolveStats& stats);
  void run();  ///< solutions go to options.take

 private:
  // batch_start.cpp
  bool admit();  ///< true where one of those that have begun is done already: there is room again
  void start(const List& list);
  void go_on(const List& list);  ///< from where the problem before ended, which is still in the slot

  // batch.cpp
  List under_way();
  List w_step(const List& list);  ///< one pass over X; those whose W-step is done
  void b_step(const List& list);  ///< B and Q
  void update_rho(const List& list);
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

  const Design<Real>& x_;
  std::span<const Problem<Real>> problems_;
  const BatchOptions<Real>& options_;
  SolveStats& stats_;
  PenaltyPointer penalty_;
  int terms_;  ///< K
  Index voxels_, samples_;
  linalg::Backend& backend_;
  linalg::Operations<Real>& ops_;
  DeviceDesign<Real> device_;
  Newton<Real> newton_;
  std::vector<linalg::PlacementPointer> places_;  ///< by term
  std::vector<Index> first_, then_;  ///< problems that begin from nothing; by problem, the one that begins at its end
  std::size_t next_first_ = 0;
  int ended_ = 0;
  std::vector<std::unique_ptr<State<Real>>> slots_;
  std::vector<linalg::Array<Real>> copies_, spare_;  ///< by term: what the prox works on, and its scratch
  linalg::Array<Real> columns_[2];
  std::size_t reserved_ = 0;
  int iteration_limit_;
};

}  // namespace sturm::batch
