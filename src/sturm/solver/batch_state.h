// SPDX-License-Identifier: BSD-3-Clause
// One problem under way, and the loops over the voxels of many.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/backend.h"
#include "sturm/linalg/voxels.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/certificate.h"
#include "sturm/solver/support_gram.h"

namespace sturm::batch {

inline double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

/// Everything that belongs to one problem. Letters as in batch.h.
template <class Real>
struct State {
  Index index = 0;
  const Problem<Real>* problem = nullptr;
  AlignedVector<Real> b, q, z, z_next, w, w_before;  ///< z = X~'theta; w_before only for a trace
  AlignedVector<Real> b_terms, q_terms;              ///< B_k, Q_k one after the other; empty where K = 1: b and q
  AlignedVector<Real> best_w, best_split;
  std::vector<double> theta, direction, xw, best_theta;  ///< xw = X~ w
  std::vector<Real> u;                                   ///< R times the step under trial
  SupportGram<Real> gram;
  double tau = 0, gamma = 0, rho = 1;
  double y_norm = 0, zero_objective = 0;

  // The W-step under way.
  double tolerance = 1e-2;  ///< of the Newton residual, relative to theta
  double step = 0;          ///< 0: no direction yet
  double merit = 0, slope = 0, residual = 0, w_norm2 = 0;
  Index nonzeros = 0;
  int newton_steps = 0;
  bool newton_converged = false;
  bool shortened = false;  ///< the line search has moved theta and z: W and X~ w are due

  // The outer iteration.
  int iteration = 0, next_check = 3, next_rho = 2, last_check = 0;
  double gap = 1, last_gap = 0, target = 1e-3;
  // Where the gap creeps another rho is tried for a while, and kept if the gap then falls faster.
  double new_rho = 0, old_rho = 0, old_rate = 0;  ///< asked for; to go back to (0: no trial under way)
  int trials = 0, next_trial = 150, trial_wait = 40;
  double best_primal = 0, best_dual = 0;
  double b_value = 0;
  Index b_rank = 0;
  double w_minus_b = 0, b_change = 0, b_norm = 0, q_norm = 0, w_change = 0;
  std::vector<TraceRow> trace;
  int passes = 0;
  Certificate proof;
  bool proven = false, done = false;

  const View<Real>& view() const { return *problem->view; }
  const std::vector<double>& y() const { return problem->y; }
  Real* b_of(int term) { return b_terms.empty() ? b.data() : b_terms.data() + term * b.size(); }
  Real* q_of(int term) { return q_terms.empty() ? q.data() : q_terms.data() + term * q.size(); }
  const Real* q_of(int term) const { return q_terms.empty() ? q.data() : q_terms.data() + term * q.size(); }
};

/// The tensors of one problem, one for each term of the penalty, and what was found of them.
template <class Real>
struct TermTensors {
  std::vector<Real*> tensors;
  std::vector<TermResult> found;
  std::size_t place = 0;  ///< of the problem in its chunk

  double value() const {  ///< their sum
    double sum = 0;
    for (const TermResult& r : found) sum += r.value;
    return sum;
  }
  double dual() const { return std::ranges::max_element(found, {}, &TermResult::dual)->dual; }
  Index rank() const { return std::ranges::max_element(found, {}, &TermResult::rank)->rank; }
};

/// Sums and maxima of one problem over its voxels.
struct Partial {
  double sum[6] = {};
  double most[2] = {};
};

/// Calls body(state, position in the list, first voxel, last voxel, partial) for fixed chunks of every listed problem;
/// partial results are combined in the order of the chunks.
template <class Real, class Body>
std::vector<Partial> for_voxels(const std::vector<State<Real>*>& list, Index voxels, const Body& body) {
  constexpr Index chunk = 16384;
  const Index chunks = (voxels + chunk - 1) / chunk, count = static_cast<Index>(list.size());
  std::vector<Partial> parts(count * chunks), out(count);
  parallel_for(
      count * chunks,
      [&](Index task, int) {
        const Index position = task / chunks, first = task % chunks * chunk;
        body(*list[position], position, first, std::min(voxels, first + chunk), parts[task]);
      },
      4.0 * static_cast<double>(count * voxels));
  for (Index task = 0; task < count * chunks; ++task) {
    Partial& to = out[task / chunks];
    for (int i = 0; i < 6; ++i) to.sum[i] += parts[task].sum[i];
    for (int i = 0; i < 2; ++i) to.most[i] = std::max(to.most[i], parts[task].most[i]);
  }
  return out;
}

/// Adds the time of its life to a counter.
class Timer {
 public:
  explicit Timer(double& counter) : counter_(counter), start_(std::chrono::steady_clock::now()) {}
  ~Timer() { counter_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& counter_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace sturm::batch
