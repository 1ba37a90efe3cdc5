// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/batch.h"

#include "sturm/solver/batch_solver.h"
#include "sturm/solver/certificate.h"
#include "sturm/solver/least_squares.h"

namespace sturm {
namespace batch {

constexpr int newton_limit = 20;

template <class Real>
BatchSolver<Real>::BatchSolver(const Design<Real>& x, std::span<const Problem<Real>> problems,
                               const BatchOptions<Real>& options, SolveStats& stats)
    : x_(x),
      problems_(problems),
      options_(options),
      stats_(stats),
      penalty_(problems.empty() ? tubal_nuclear_norm(x.shape()) : penalty_of(problems.front(), x.shape())),
      terms_(penalty_->terms()),
      voxels_(x.voxels()),
      samples_(x.samples()),
      iteration_limit_(options.solver.iterations > 0 ? options.solver.iterations : 20000) {
  const Index each = bytes_per_problem<Real>(x.shape(), samples_, terms_), count = static_cast<Index>(problems.size());
  Index slots = count;
  if (options.memory > 0) {
    slots = std::min(count, options.memory / each);
    if (slots < 1 && count > 0)
      throw Error("a problem of " + to_string(x.shape()) + " needs " + std::to_string(each) +
                  " bytes beside the volumes, and " + std::to_string(options.memory) + " are allowed; raise --memory");
    // Every further thread has buffers of BLAS, a heap and the arrays of a proof of its own. Half of the memory is for
    // problems all the same, and one runs in any case.
    const Index others = (threads() - 1) * ((Index{32} << 20) + 6 * voxels_ * static_cast<Index>(sizeof(double)));
    slots = std::min(slots, std::max<Index>(1, (options.memory - std::min(others, options.memory / 2)) / each));
  }
  slots_.resize(slots);
  stats_.slots = slots;
}

template <class Real>
void BatchSolver<Real>::run() {
  const Timer timer(stats_.total);
  admit();
  int ticks = 0;
  while (true) {
    const List list = under_way();
    if (list.empty()) break;
    if (options_.progress && ticks++ % 4 == 0) {
      const State<Real>* slowest = *std::ranges::max_element(list, {}, &State<Real>::gap);
      const int started = static_cast<int>(next_problem_), total = static_cast<int>(problems_.size());
      if (!options_.progress(
              {slowest->iteration, slowest->gap, total - started + static_cast<int>(list.size()), total}))
        throw Interrupted();
    }
    tick();
    admit();
  }
}

template <class Real>
typename BatchSolver<Real>::List BatchSolver<Real>::under_way() {
  List out;
  for (auto& slot : slots_)
    if (slot && !slot->done) out.push_back(slot.get());
  return out;
}

template <class Real>
void BatchSolver<Real>::begin_w_step(State<Real>& s) {
  ++s.iteration;
  s.tolerance = std::min(s.iteration == 1 ? 0.3 : s.iteration == 2 ? 0.1 : 0.03, 0.3 * s.gap);
  if (s.tau == 0) s.tolerance = std::min(s.tolerance, sizeof(Real) == 4 ? 1e-5 : 1e-6);
  s.step = 0;
  s.newton_steps = 0;
  if (options_.trace) std::ranges::copy(s.w, s.w_before.begin());
}

/// What the Newton steps of the W-step minimise: |theta|^2/2 - y'theta + rho/2 |W(theta)|^2.
template <class Real>
double BatchSolver<Real>::merit(const State<Real>& s, std::span<const double> theta) const {
  return dot(theta, theta) / 2 - dot(s.y(), theta) + s.rho / 2 * s.w_norm2;
}

/// Problems that begin a W-step need X w alone, which for a sparse W is a small part of X. They get it first, so that
/// all are in the one pass over the whole of X that follows.
template <class Real>
void BatchSolver<Real>::tick() {
  for (const bool moves : {false, true}) {
    List list = under_way();
    std::erase_if(list, [moves](const State<Real>* s) { return (s->step > 0) != moves; });
    if (!list.empty()) pass(std::move(list));
  }
}

template <class Real>
void BatchSolver<Real>::pass(List list) {
  // Sparse ones side by side: see Operations::sweep.
  std::ranges::stable_sort(list, {}, &State<Real>::nonzeros);
  std::vector<linalg::SweepJob<Real>> jobs;
  std::vector<double> products(list.size() * samples_);
  for (std::size_t i = 0; i < list.size(); ++i) {
    State<Real>& s = *list[i];
    ++s.passes;
    linalg::SweepJob<Real> job{.z = s.z.data(), .b = s.b.data(), .q = s.q.data(), .w = s.w.data()};
    job.xw = products.data() + i * samples_;
    job.scale = s.view().scale_data();
    job.mask = s.view().mask_data();
    job.rho = s.rho;
    job.gamma = s.gamma;
    if (s.passes > 1) job.expected = s.nonzeros;
    if (s.step > 0) {
      // X~'(theta + direction) afresh: adding up the changes would add up their rounding.
      std::vector<double> trial = s.theta;
      for (std::size_t m = 0; m < trial.size(); ++m) trial[m] += s.direction[m];
      trial = s.view().rows.adjoint(trial);
      s.u.assign(trial.begin(), trial.end());
      job.u = s.u.data();
      job.z = nullptr;
      job.z_next = s.z_next.data();
    }
    stats_.product_flops += (s.step > 0 ? 4.0 : 2.0) * static_cast<double>(samples_ * voxels_);
    jobs.push_back(job);
  }
  {
    const Timer timer(stats_.products);
    linalg::Operations<Real>& ops = linalg::cpu_backend();
    ops.sweep(samples_, voxels_, x_.x().data(), jobs);
  }
  std::vector<std::uint8_t> done(list.size());
  {
    const Timer timer(stats_.newton);
    parallel_for(
        static_cast<Index>(list.size()),
        [&](Index i, int) {
          State<Real>& s = *list[i];
          s.xw = s.view().rows.apply({jobs[i].xw, static_cast<std::size_t>(samples_)});
          s.w_norm2 = jobs[i].norm2;
          s.nonzeros = jobs[i].nonzeros;
          done[i] = after_sweep(s);
          if (!done[i] && !s.shortened) find_direction(s);
        },
        static_cast<double>(list.size()) *
            (static_cast<double>(samples_ * samples_ * samples_) / 8 + static_cast<double>(voxels_)));
  }
  List ready;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (done[i]) ready.push_back(list[i]);
  if (ready.empty()) return;
  b_step(ready);
  List due;
  for (State<Real>* s : ready)
    if (s->iteration >= s->next_check || s->iteration >= iteration_limit_) due.push_back(s);
  check(due);
  const Timer timer(stats_.elementwise);
  parallel_for(
      static_cast<Index>(ready.size()),
      [&](Index i, int) {
        if (ready[i]->done) return;
        update_rho(*ready[i]);
        begin_w_step(*ready[i]);
      },
      static_cast<double>(ready.size()) * static_cast<double>(voxels_));
}

namespace {

/// Armijo's condition fails at this step; the slack is the rounding of the merit function.
template <class Real>
bool too_high(const State<Real>& s, double merit, double step) {
  const double slack = (sizeof(Real) == 4 ? 1e-6 : 1e-13) * std::abs(s.merit);
  return merit > s.merit + 1e-4 * step * s.slope + slack;
}

}  // namespace

/// Halves the step until the merit function has fallen enough. z is linear in the step, so that no product with X is
/// needed; W and X~ w at the new point come with the next pass.
template <class Real>
void BatchSolver<Real>::shorten_step(State<Real>& s) {
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  std::vector<double> theta(s.theta.size());
  double step = 1;
  do {
    step /= 2;
    const Real t = static_cast<Real>(step);
    const auto sums =
        for_voxels<Real>({&s}, voxels_, [&](State<Real>& a, Index, Index first, Index last, Partial& part) {
          const std::uint8_t* mask = a.view().mask_data();
          part.sum[0] = kernel.trial(a.b.data() + first, a.q.data() + first, a.z.data() + first,
                                     a.z_next.data() + first, mask ? mask + first : nullptr, t,
                                     static_cast<Real>(a.rho), static_cast<Real>(a.gamma), last - first);
        });
    s.w_norm2 = sums.front().sum[0];
    for (std::size_t m = 0; m < theta.size(); ++m) theta[m] = s.theta[m] + step * s.direction[m];
  } while (too_high(s, merit(s, theta), step) && step > 1e-4);
  for (Index v = 0; v < voxels_; ++v) s.z[v] += static_cast<Real>(step) * (s.z_next[v] - s.z[v]);
  s.theta = std::move(theta);
  s.step = 0;
  s.shortened = true;
}

template <class Real>
bool BatchSolver<Real>::after_sweep(State<Real>& s) {
  bool exact = false;  // a whole step that left every sign as it was has solved its system: what is left is rounding
  s.shortened = false;
  if (s.step > 0) {
    std::vector<double> theta = s.theta;
    for (std::size_t m = 0; m < theta.size(); ++m) theta[m] += s.direction[m];
    if (too_high(s, merit(s, theta), 1)) {
      shorten_step(s);
      return false;
    }
    s.theta = std::move(theta);
    std::swap(s.z, s.z_next);
    exact = s.gram.same_signs(s.w);
    s.step = 0;
  }
  double residual2 = 0;
  for (std::size_t m = 0; m < s.theta.size(); ++m) {
    const double r = s.theta[m] - s.y()[m] + s.xw[m];
    residual2 += r * r;
  }
  s.residual = std::sqrt(residual2);
  const double floor = (sizeof(Real) == 4 ? 1e-6 : 1e-15) * s.y_norm;  // rounding of X~ w
  s.newton_converged = exact || s.residual <= s.tolerance * norm(s.theta) || s.residual <= floor;
  return s.newton_converged || s.newton_steps == newton_limit;
}

template <class Real>
void BatchSolver<Real>::find_direction(State<Real>& s) {
  std::vector<double> r(samples_);
  for (Index m = 0; m < samples_; ++m) r[m] = s.theta[m] - s.y()[m] + s.xw[m];
  s.direction = newton_direction(s.gram.of(x_, s.view(), s.w.data()), s.rho, r, epsilon);
  s.merit = merit(s, s.theta);
  s.slope = dot(r, s.direction);
  s.step = 1;
  ++s.newton_steps;
}

/// B and Q of the W-step: the means of the terms' copies.
template <class Real>
void BatchSolver<Real>::average_terms(State<Real>& s) const {
  const Real inverse = Real{1} / static_cast<Real>(terms_);
  for (auto [mean, all] : {std::pair{&s.b, &s.b_terms}, std::pair{&s.q, &s.q_terms}})
    for (Index v = 0; v < voxels_; ++v) {
      Real sum = 0;
      for (int k = 0; k < terms_; ++k) sum += (*all)[k * voxels_ + v];
      (*mean)[v] = sum * inverse;
    }
}

template <class Real>
void BatchSolver<Real>::b_step(const List& list) {
  const auto nu = static_cast<Real>(options_.solver.relaxation);
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  List low_rank;
  for (State<Real>* s : list) {
    if (s->tau > 0)
      low_rank.push_back(s);
    else
      std::ranges::copy(s->w, s->b.begin());  // nothing pulls B away from W
  }
  with_prox(
      low_rank,
      [&](State<Real>& s, int k, Index first, Index last, Real* out) {
        kernel.relax(s.w.data() + first, s.b_of(k) + first, s.q_of(k) + first, nu, out, last - first);
      },
      [this](const State<Real>& s) { return terms_ * s.tau / s.rho; },
      [&](State<Real>& s, const Terms& terms) {
        s.b_value = terms.value();
        s.b_rank = terms.rank();
        double sums[4] = {};
        for (int k = 0; k < terms_; ++k) {
          const auto found =
              for_voxels<Real>({&s}, voxels_, [&](State<Real>& t, Index, Index first, Index last, Partial& part) {
                kernel.accept(t.w.data() + first, t.b_of(k) + first, t.q_of(k) + first, terms.tensors[k] + first, nu,
                              last - first, part.sum);
              });
          for (int i = 0; i < 4; ++i) sums[i] += found[0].sum[i];
        }
        s.w_minus_b = std::sqrt(sums[0]);
        s.b_change = std::sqrt(sums[1]);
        s.b_norm = std::sqrt(sums[2]);
        s.q_norm = std::sqrt(sums[3]);
        if (terms_ > 1) average_terms(s);
      },
      options_.solver.gap / 20);
  if (options_.trace)
    for (State<Real>* s : list) {
      double change = 0;
      for (Index v = 0; v < voxels_; ++v)
        change += std::pow(static_cast<double>(s->w[v]) - static_cast<double>(s->w_before[v]), 2);
      s->w_change = s->w_norm2 > 0 ? std::sqrt(change / s->w_norm2) : std::sqrt(change);
    }
}

/// Keeps the relative primal residual |W - B| and the dual one |B - B before| of one size.
template <class Real>
void BatchSolver<Real>::update_rho(State<Real>& s) {
  const int k = s.iteration;
  double factor = 1;
  if (s.tau == 0) {
    factor = k % 3 == 0 ? 1.0 / 3 : 1.0;  // proximal point on the lasso
  } else if (!s.newton_converged && s.residual > 0.1 * norm(s.theta)) {
    factor = 5;  // the inner problem is too hard: more proximal weight
    s.next_rho = std::max(s.next_rho, k + 2);
  } else if (s.new_rho > 0) {
    factor = s.new_rho / s.rho;
    s.new_rho = 0;
    s.next_rho = k + std::max(40, k / 4);
  } else if (k >= s.next_rho) {
    s.next_rho = k + (k < 10 ? 2 : k < 30 ? 5 : k < 60 ? 10 : k < 200 ? 20 : k / 4);
    const double largest = std::max(std::sqrt(terms_ * s.w_norm2), s.b_norm);
    const double primal = largest > 0 ? s.w_minus_b / largest : 0, dual = s.q_norm > 0 ? s.b_change / s.q_norm : 0;
    if (primal > 0 && dual > 0) factor = std::clamp(1.2 * std::sqrt(primal / dual), 0.1, 10.0);
    if (factor >= 1 / 1.2 && factor <= 1.2) factor = 1;
  }
  if (factor == 1) return;
  s.rho *= factor;
  const Real inverse = static_cast<Real>(1 / factor);
  for (Real& v : s.q) v *= inverse;
  for (Real& v : s.q_terms) v *= inverse;
}

template <class Real>
void BatchSolver<Real>::finish(State<Real>& s) {
  Solution<Real> out{BasicTensor<Real>(BasicTensorView<const Real>(s.best_w.data(), x_.shape())),
                     BasicTensor<Real>(BasicTensorView<const Real>(s.best_split.data(), split_shape(*penalty_))),
                     s.best_theta};
  out.iterations = s.iteration;
  out.tubal_rank = s.b_rank;
  out.passes = s.passes;
  out.objective = s.proof.primal;
  out.dual = s.proof.dual;
  out.gap = s.proof.gap();
  out.trace = std::move(s.trace);
  const bool zero = std::ranges::all_of(out.w.flat(), [](Real v) { return v == 0; });
  if (zero) out.tubal_rank = 0;
  out.status = out.gap > options_.solver.gap ? Status::iteration_limit
               : zero                        ? Status::zero_solution
                                             : Status::converged;
  s.done = true;
  options_.take(s.index, std::move(out));
}

template class BatchSolver<float>;
template class BatchSolver<double>;

}  // namespace batch

template <class Real>
Index bytes_per_problem(const Shape& shape, Index samples, int terms) {
  // Ten arrays of the volume's size (two of them for the prox and its transform), the support, and Gram matrices. Of
  // each further term B, Q, the split and the prox are held beside the means of B and Q.
  const Index count = terms == 1 ? 10 : 8 + 4 * Index{terms};
  const Index arrays = checked_product(count * static_cast<Index>(sizeof(Real)) + 1, shape.size());
  return arrays + checked_product(samples, samples) * static_cast<Index>(sizeof(Real) + 2 * sizeof(double));
}

template <class Real>
std::vector<Solution<Real>> solve_batch(const Design<Real>& x, std::span<const Problem<Real>> problems,
                                        const BatchOptions<Real>& options, SolveStats* stats) {
  SolveStats local;
  for (const Problem<Real>& p : problems)
    if (!(p.tau >= 0 && p.gamma >= 0 && std::isfinite(p.tau) && std::isfinite(p.gamma)))
      throw Error("tau and gamma must be finite and not negative, and are " + std::to_string(p.tau) + " and " +
                  std::to_string(p.gamma));
  for (const Problem<Real>& p : problems)
    if (p.penalty != problems.front().penalty) throw Error("the problems of one batch must share one penalty");
  const PenaltyPointer penalty = problems.empty() ? nullptr : penalty_of(problems.front(), x.shape());
  std::vector<Solution<Real>> out;
  std::function<void(Index, Solution<Real>)> take = options.take;
  if (!take) {
    for (std::size_t i = 0; i < problems.size(); ++i)
      out.push_back({BasicTensor<Real>(Shape{}), BasicTensor<Real>(Shape{}), {}});
    take = [&out](Index i, Solution<Real> solution) { out[i] = std::move(solution); };
  }
  // Without any penalty there is nothing to iterate: the least squares solution of least norm.
  std::vector<Problem<Real>> penalised;
  std::vector<Index> places;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].tau == 0 && problems[i].gamma == 0) {
      take(static_cast<Index>(i), least_squares(x, problems[i], options.solver.gap));
    } else {
      penalised.push_back(problems[i]);
      penalised.back().penalty = penalty;
      places.push_back(static_cast<Index>(i));
    }
  }
  BatchOptions<Real> inner = options;
  inner.take = [&](Index i, Solution<Real> solution) { take(places[i], std::move(solution)); };
  batch::BatchSolver<Real>(x, penalised, inner, stats ? *stats : local).run();
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                         \
  template Index bytes_per_problem<Real>(const Shape&, Index, int);                                     \
  template std::vector<Solution<Real>> solve_batch(const Design<Real>&, std::span<const Problem<Real>>, \
                                                   const BatchOptions<Real>&, SolveStats*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
