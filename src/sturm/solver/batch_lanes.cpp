// SPDX-License-Identifier: BSD-3-Clause
// What the lanes of a batch share, and how a lane runs: it takes problems in, lets all of them go on, and divides.
#include <algorithm>

#include "sturm/core/larger.h"
#include "sturm/core/parallel.h"
#include "sturm/solver/batch_solver.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/timer.h"

namespace sturm::batch {

template <class Real>
Batch<Real>::Batch(const Design<Real>& design, std::span<const Problem<Real>> all, const BatchOptions<Real>& how)
    : x(design),
      problems(all),
      options(how),
      penalty(penalty_of(all.front(), design.region())),
      device(design, how.backend),
      then_(all.size(), -1) {
  for (int k = 0; k < penalty->terms(); ++k)
    places.push_back(how.backend.place(penalty->layout(k).positions, penalty->size(k)));
  for (Index i = 0; i < std::ssize(all); ++i)
    if (all[i].after >= 0)
      then_[all[i].after] = i;
    else
      first_.push_back(i);
  const Index count = std::ssize(first_), each = bytes_per_problem<Real>(*penalty, x.samples());
  slots = count;
  if (how.memory > 0) {
    slots = std::min(count, how.memory / each);
    if (slots < 1)
      throw Error("a problem of " + to_string(x.shape()) + " needs " + std::to_string(each) +
                  " bytes beside the volumes, and " + std::to_string(how.memory) + " are allowed; raise `memory`");
    // Every further thread has buffers of BLAS, a heap and the arrays of a proof of its own. Half of the memory is for
    // problems all the same, and one runs in any case.
    const Index others = (threads() - 1) * ((Index{32} << 20) + 6 * x.voxels() * static_cast<Index>(sizeof(double)));
    slots = std::min(slots, std::max<Index>(1, (how.memory - std::min(others, how.memory / 2)) / each));
  }
  free_slots_ = slots;
  splits = how.backend.side_by_side() && static_cast<Index>(x.x().size_bytes()) <= lane::most_bytes;
}

template <class Real>
Index Batch<Real>::fair_share() const {
  const Index open = left() + slots - free_slots_, hands = std::max<Index>(1, lanes);
  return splits ? std::max<Index>(1, (open + hands - 1) / hands) : open;
}

template <class Real>
bool Batch<Real>::take_slot() {
  if (free_slots_-- > 0) return true;
  ++free_slots_;
  return false;
}

template <class Real>
Index Batch<Real>::take_first() {
  const std::size_t i = next_first_++;
  return i < first_.size() ? first_[i] : -1;
}

template <class Real>
bool Batch<Real>::go_on(int iteration, double gap) {
  if (failed_) return false;
  if (!options.progress) return true;
  const std::lock_guard lock(progress_mutex_);
  const int total = static_cast<int>(problems.size());
  if (!options.progress({iteration, gap, total - ended_, total})) throw Interrupted();
  return true;
}

template <class Real>
void Batch<Real>::finish(Index problem, Solution<Real> solution) {
  {
    const std::lock_guard lock(progress_mutex_);
    const int total = static_cast<int>(problems.size());
    worst_proven_ = larger(worst_proven_, solution.gap);
    if (++ended_ == total && options.progress) options.progress({solution.iterations, worst_proven_, 0, total});
  }
  options.take(problem, std::move(solution));
}

template <class Real>
BatchSolver<Real>::BatchSolver(Batch<Real>& batch, SolveStats& stats)
    : batch_(batch),
      x_(batch.x),
      options_(batch.options),
      stats_(stats),
      penalty_(batch.penalty.get()),
      terms_(penalty_->terms()),
      voxels_(x_.voxels()),
      samples_(x_.samples()),
      backend_(options_.backend),
      ops_(options_.backend),
      newton_(batch.device),
      places_(batch.places),
      iteration_limit_(options_.solver.iterations > 0 ? options_.solver.iterations : iteration_limit) {}

template <class Real>
void BatchSolver<Real>::run() {
  const Timer timer(stats_.total);
  try {
    steps();
  } catch (...) {
    batch_.fail();
    throw;
  }
  --batch_.lanes;
  stats_.products += newton_.seconds_in_products;
  stats_.product_flops += newton_.flops;
}

template <class Real>
void BatchSolver<Real>::divide() {
  SolveStats of_other;
  BatchSolver other(batch_, of_other);
  std::vector<std::unique_ptr<State<Real>>> mine;
  for (std::size_t i = 0; i < slots_.size(); ++i) (i % 2 == 0 ? mine : other.slots_).push_back(std::move(slots_[i]));
  slots_ = std::move(mine);
  ++batch_.lanes;
  side_by_side(2, [&](Index lane) { lane == 0 ? steps() : other.run(); });
  stats_ += of_other;
}

template <class Real>
void BatchSolver<Real>::steps() {
  for (int ticks = 0;; ++ticks) {
    while (admit()) {
    }
    const List list = under_way();
    if (list.empty()) return;
    if (batch_.splits && std::ssize(list) > 1 && free_threads() > 1) return divide();
    if (ticks % 4 == 0) {
      const Schedule& slowest =
          (*std::ranges::max_element(list, {}, [](const State<Real>* s) { return s->when.gap; }))->when;
      if (!batch_.go_on(slowest.iteration, slowest.gap)) return;
    }
    // Problems that begin a W-step need X w alone, which for a sparse W is a small part of X. They get it first, so
    // that all are in the one pass over the whole of X that follows.
    for (const bool moves : {false, true}) {
      List some = under_way();
      std::erase_if(some, [moves](const State<Real>* s) { return s->newton.moves != moves; });
      iterate(some);
    }
  }
}

template <class Real>
typename BatchSolver<Real>::List BatchSolver<Real>::under_way() {
  List out;
  for (auto& slot : slots_)
    if (slot && !slot->done) out.push_back(slot.get());
  return out;
}

template class Batch<float>;
template class Batch<double>;
template BatchSolver<float>::BatchSolver(Batch<float>&, SolveStats&);
template BatchSolver<double>::BatchSolver(Batch<double>&, SolveStats&);
template void BatchSolver<float>::run();
template void BatchSolver<double>::run();

}  // namespace sturm::batch
