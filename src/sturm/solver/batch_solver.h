// SPDX-License-Identifier: BSD-3-Clause
// The solver of batch.h taken apart: batch.cpp has the loop, batch_start.cpp how a problem begins, batch_check.cpp how
// its gap is found.
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
  void admit();
  void start(const List& list);

  // batch.cpp
  void tick();
  void pass(List list);  ///< over X for all listed; then Newton systems, and the B-step and checks where they are due
  void begin_w_step(State<Real>& s);
  bool after_sweep(State<Real>& s);  ///< true when the W-step is done
  void find_direction(State<Real>& s);
  void shorten_step(State<Real>& s);
  void b_step(const List& list);
  void average_terms(State<Real>& s) const;
  void update_rho(State<Real>& s);
  void finish(State<Real>& s);
  double merit(const State<Real>& s, std::span<const double> theta) const;

  // batch_check.cpp
  void check(const List& list);
  void improve_dual(const List& list);
  void improve_primal(const List& list);
  void try_polished(const List& list);
  void offer_dual(State<Real>& s, double excess, const std::function<void(Real*)>& write_split);
  bool offer_primal(State<Real>& s, std::span<const double> xw, double penalty, const Real* w);
  void schedule(State<Real>& s);
  void prove(const List& list);  ///< recomputes their gaps in double, and sets `proven` where they hold

  using Terms = TermTensors<Real>;
  /// fill(state, term, first, last, out) writes the tensors of a list side by side, in chunks of the list; their
  /// prox (threshold mu(state)) or their norms are taken, term by term, and use(state, terms) is called for each.
  using Fill = std::function<void(State<Real>&, int term, Index first, Index last, Real* out)>;
  using Use = std::function<void(State<Real>&, const Terms&)>;
  void with_prox(const List& list, const Fill& fill, const std::function<double(const State<Real>&)>& mu,
                 const Use& use, double accuracy = 0);
  void with_norms(const List& list, const Fill& fill, const Use& use);
  void in_chunks(const List& list, const Fill& fill,
                 const std::function<std::vector<TermResult>(const List&, int term, std::span<Real>)>& body,
                 const Use& use);
  /// The part of term k where the parts of G2 add up to `total`: rho_k Q_k and an even share of what those leave.
  Real part(const State<Real>& s, int term, Index voxel, Real total) const;

  List under_way();

  const Design<Real>& x_;
  std::span<const Problem<Real>> problems_;
  const BatchOptions<Real>& options_;
  SolveStats& stats_;
  PenaltyPointer penalty_;
  int terms_;  ///< K
  Index voxels_, samples_;
  Index next_problem_ = 0;
  std::vector<std::unique_ptr<State<Real>>> slots_;
  AlignedVector<Real> tensors_, hat_;
  int iteration_limit_;
  static constexpr double epsilon = sizeof(Real) == 4 ? 1.2e-7 : 2.2e-16;
};

}  // namespace sturm::batch
