// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/paper.h"

#include <cmath>
#include <numeric>

#include "sturm/linalg/backend.h"
#include "sturm/solver/certificate.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

template <class Real>
std::vector<double> product(const Design<Real>& x, const View<Real>& view, BasicTensor<Real> w) {
  std::vector<double> out(x.samples());
  linalg::SweepJob<Real> job{.w = w.data(), .xw = out.data(), .scale = view.scale_data()};
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  ops.sweep(x.samples(), x.voxels(), x.x().data(), {&job, 1});
  return view.rows.apply(out);
}

template <class Real>
BasicTensor<Real> adjoint(const Design<Real>& x, const View<Real>& view, std::span<const double> theta) {
  const std::vector<double> mapped = view.rows.adjoint(theta);
  const std::vector<Real> u(mapped.begin(), mapped.end());
  BasicTensor<Real> out(x.shape());
  linalg::SweepJob<Real> job{.u = u.data(), .z_next = out.data(), .scale = view.scale_data()};
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  ops.sweep(x.samples(), x.voxels(), x.x().data(), {&job, 1});
  return out;
}

/// (G + rho I)^-1 r in the eigenbasis of G.
template <class Real>
std::vector<double> solve_shifted(const View<Real>& view, double rho, std::span<const double> r) {
  const std::size_t n = r.size();
  std::vector<double> out(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double* v = view.eigenvectors.data() + j * n;
    const double part = std::inner_product(v, v + n, r.begin(), 0.0) / (view.eigenvalues[j] + rho);
    for (std::size_t m = 0; m < n; ++m) out[m] += part * v[m];
  }
  return out;
}

template <class Real>
using Parts = std::vector<BasicTensor<Real>>;  ///< one for each term of the penalty

template <class Real>
BasicTensor<Real> joined(const Parts<Real>& parts, const Penalty& penalty) {
  BasicTensor<Real> out(split_shape(penalty));
  Real* to = out.data();
  for (const auto& part : parts) to = std::ranges::copy(part.flat(), to).out;
  return out;
}

template <class Real>
BasicTensor<Real> sum_of(const Parts<Real>& parts) {
  BasicTensor<Real> out = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) out = out + parts[k];
  return out;
}

/// The prox of one tensor, and its rank.
template <class Real>
std::pair<BasicTensor<Real>, Index> prox(const Penalty& penalty, int term, BasicTensor<Real> a, double mu) {
  AlignedVector<Real> scratch;
  if (mu == 0) return {std::move(a), 0};
  const Index rank = penalty.prox(term, a.flat(), {&mu, 1}, scratch).front().rank;
  return {std::move(a), rank};
}

template <class Real>
BasicTensor<Real> into_ball(const Penalty& penalty, int term, const BasicTensor<Real>& a, double tau) {
  return a - prox(penalty, term, a, tau).first;
}

/// The split of the B-step, refined by a few rounds of projections.
template <class Real>
Parts<Real> refined_split(const BasicTensor<Real>& z, Parts<Real> g2, const Problem<Real>& problem,
                          const Penalty& penalty) {
  const auto& mask = problem.view->mask;
  const int terms = penalty.terms();
  const Real gamma = static_cast<Real>(problem.gamma);
  for (int round = 0; round < 3 && problem.tau > 0 && problem.gamma > 0; ++round) {
    const BasicTensor<Real> all = sum_of(g2);
    BasicTensor<Real> rest = z;
    for (std::size_t v = 0; v < rest.flat().size(); ++v) {
      const bool in = mask.empty() || mask[v];
      const Real left = z.flat()[v] - all.flat()[v];
      rest.flat()[v] = in ? z.flat()[v] - std::clamp(left, -gamma, gamma) : all.flat()[v];
    }
    for (int k = 0; k < terms; ++k)
      g2[k] = into_ball(penalty, k, terms == 1 ? rest : g2[k] + (1.0 / terms) * (rest - all), problem.tau);
  }
  return g2;
}

}  // namespace

template <class Real>
PaperState<Real> run_paper(const Design<Real>& x, const Problem<Real>& problem, double rho, int iterations,
                           const std::function<void(int, const PaperState<Real>&)>& watch) {
  if (!(rho > 0 && std::isfinite(rho))) throw UsageError("--rho must be positive, and is " + std::to_string(rho));
  const View<Real>& view = *problem.view;
  const PenaltyPointer penalty = penalty_of(problem, x.shape());
  const int terms = penalty->terms();
  const BasicTensor<Real> zero(x.shape()), zeros(split_shape(*penalty));
  PaperState<Real> s{zero, zeros, zero, zero, zeros, std::vector<double>(x.samples())};
  Parts<Real> b(terms, zero), q(terms, zero);
  for (int k = 1; k <= iterations; ++k) {
    // The A-step in dual form: theta = rho (G + rho I)^-1 (y - X~(w - p)), A = w - p + X~'theta / rho. The textbook's
    // Woodbury formula cancels.
    const BasicTensor<Real> v = s.w - s.p;
    std::vector<double> r = product(x, view, v);
    for (std::size_t m = 0; m < r.size(); ++m) r[m] = problem.y[m] - r[m];
    s.theta = solve_shifted(view, rho, r);
    for (double& t : s.theta) t *= rho;
    s.a = v + (1 / rho) * adjoint(x, view, s.theta);
    const BasicTensor<Real> sum_a = s.a + s.p;
    BasicTensor<Real> all = sum_a;
    s.rank = 0;
    for (int t = 0; t < terms; ++t) {
      auto [next, rank] = prox(*penalty, t, s.w - q[t], problem.tau / rho);
      b[t] = std::move(next);
      s.rank = std::max(s.rank, rank);
      q[t] = b[t] + q[t];
      all = all + q[t];
    }
    s.w = prox_l1((1.0 / (terms + 1)) * all, problem.gamma / ((terms + 1) * rho));
    for (std::size_t i = 0; i < view.mask.size(); ++i)
      if (!view.mask[i]) s.w.flat()[i] = 0;
    s.p = sum_a - s.w;
    for (BasicTensor<Real>& part : q) part = part - s.w;
    s.b = joined(b, *penalty);
    s.q = joined(q, *penalty);
    if (watch) watch(k, s);
  }
  return s;
}

template <class Real>
Solution<Real> solve_paper(const Design<Real>& x, const Problem<Real>& problem, const BatchOptions<Real>& options) {
  const int iterations = options.solver.iterations > 0 ? options.solver.iterations : 500;
  const double rho = options.solver.rho;
  const View<Real>& view = *problem.view;
  const PenaltyPointer penalty = penalty_of(problem, x.shape());
  Solution<Real> out{BasicTensor<Real>(x.shape()), BasicTensor<Real>(split_shape(*penalty)),
                     std::vector<double>(x.samples())};
  BasicTensor<Real> before(x.shape());
  const auto judge = [&](const PaperState<Real>& s) {
    // At the solution rho Q = -G2, a point of the ball; on the way there it is put into it.
    const BasicTensor<Real> z = adjoint(x, view, s.theta);
    Parts<Real> g2;
    for (int k = 0; k < penalty->terms(); ++k) {
      const BasicTensor<Real> q(BasicTensorView<const Real>(s.q.data() + k * x.voxels(), x.shape()));
      g2.push_back(into_ball(*penalty, k, (-rho) * q, problem.tau));
    }
    out.split = joined(refined_split(z, std::move(g2), problem, *penalty), *penalty);
    return certify(x, problem, s.w, s.theta, out.split);
  };
  const PaperState<Real> s = run_paper<Real>(x, problem, rho, iterations, [&](int k, const PaperState<Real>& state) {
    const bool last = k == iterations;
    if (options.trace && (k <= 10 || k % 10 == 0 || last)) {
      const Certificate now = judge(state);
      const double size = frobenius_norm(state.w), change = frobenius_norm(state.w - before);
      out.trace.push_back({k, now.primal, now.gap(), size > 0 ? change / size : change});
    }
    if (options.trace) before = state.w;
    if (options.progress && (k % 10 == 0 || last) && !options.progress({k, 1.0, 1, 1})) throw Interrupted();
  });
  const Certificate proof = judge(s);
  out.w = s.w;
  out.theta = s.theta;
  out.objective = proof.primal;
  out.dual = proof.dual;
  out.gap = proof.gap();
  out.iterations = iterations;
  out.tubal_rank = s.rank;
  const bool zero = max_abs(s.w) == 0;
  out.status = out.gap > options.solver.gap ? Status::iteration_limit
               : zero                       ? Status::zero_solution
                                            : Status::converged;
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                  \
  template PaperState<Real> run_paper(const Design<Real>&, const Problem<Real>&, double, int,    \
                                      const std::function<void(int, const PaperState<Real>&)>&); \
  template Solution<Real> solve_paper(const Design<Real>&, const Problem<Real>&, const BatchOptions<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
