// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/paper.h"

#include <cmath>
#include <numeric>

#include "sturm/solver/certificate.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/newton.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

/// X~ and X~' in the precision of the design, one problem at a time.
template <class Real>
class Products {
 public:
  Products(const Design<Real>& x, const View<Real>& view, linalg::Backend& backend)
      : device_(x, backend), view_(view), shape_(x.region().column_shape()), columns_(backend.make<Real>(x.voxels())) {}

  std::vector<double> product(const BasicTensor<Real>& w) {
    std::vector<double> out(device_.samples());
    device_.backend().upload(w.flat(), columns_.whole());
    linalg::SweepJob<Real> job{.point = columns_, .xw = out.data(), .scale = device_.columns(view_).scale};
    device_.ops().sweep(device_.samples(), device_.x(), {&job, 1});
    return view_.rows.apply(out);
  }
  BasicTensor<Real> adjoint(std::span<const double> theta) {
    const std::vector<double> mapped = view_.rows.adjoint(theta);
    const std::vector<Real> u(mapped.begin(), mapped.end());
    linalg::SweepJob<Real> job{.u = u.data(), .z_next = columns_, .scale = device_.columns(view_).scale};
    device_.ops().sweep(device_.samples(), device_.x(), {&job, 1});
    BasicTensor<Real> out(shape_);
    device_.backend().download(linalg::Part<const Real>(columns_), out.flat());
    return out;
  }

 private:
  DeviceDesign<Real> device_;
  const View<Real>& view_;
  Shape shape_;
  linalg::Array<Real> columns_;
};

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

/// The mean over nothing but the region's voxels: the sum of the parts there.
template <class Real>
BasicTensor<Real> sum_of(const Copies<Real>& parts, const Penalty& penalty) {
  BasicTensor<Real> out = penalty.gathered(0, parts[0]);
  for (int k = 1; k < penalty.terms(); ++k) out = out + penalty.gathered(k, parts[k]);
  return out;
}

/// The prox of one copy, and its rank.
template <class Real>
std::pair<BasicTensor<Real>, Index> prox(const Penalty& penalty, linalg::Backend& backend, int term,
                                         BasicTensor<Real> a, double mu) {
  if (mu == 0) return {std::move(a), 0};
  linalg::Array<Real> copy = backend.uploaded(std::span<const Real>(a.flat())),
                      scratch = backend.make<Real>(copy.size());
  const Index rank =
      penalty.prox(linalg::operations<Real>(backend), term, copy.whole(), {&mu, 1}, scratch.whole()).front().rank;
  backend.download(linalg::Part<const Real>(copy), a.flat());
  return {std::move(a), rank};
}

template <class Real>
BasicTensor<Real> into_ball(const Penalty& penalty, linalg::Backend& backend, int term, const BasicTensor<Real>& a,
                            double tau) {
  return a - prox(penalty, backend, term, a, tau).first;
}

/// The split of the B-step, refined by a few rounds of projections.
template <class Real>
Copies<Real> refined_split(const BasicTensor<Real>& z, Copies<Real> g2, const Problem<Real>& problem,
                           const Penalty& penalty, linalg::Backend& backend) {
  const auto& mask = problem.view->mask;
  const int terms = penalty.terms();
  const Real gamma = static_cast<Real>(problem.gamma), share = Real{1} / static_cast<Real>(terms);
  for (int round = 0; round < 3 && problem.tau > 0 && problem.gamma > 0; ++round) {
    const BasicTensor<Real> all = sum_of(g2, penalty);
    for (Index c = 0; c < penalty.region().size(); ++c) {
      if (!mask.empty() && !mask[c]) continue;
      const Real before = all.data()[c], left = z.data()[c] - before;
      const Real total = z.data()[c] - std::clamp(left, -gamma, gamma);
      for (int k = 0; k < terms; ++k) {
        Real& at = g2[k].data()[penalty.layout(k).positions[c]];
        at = terms == 1 ? total : at + share * (total - before);
      }
    }
    for (int k = 0; k < terms; ++k) g2[k] = into_ball(penalty, backend, k, g2[k], problem.tau);
  }
  return g2;
}

}  // namespace

template <class Real>
PaperState<Real> run_paper(const Design<Real>& x, const Problem<Real>& problem, double rho, int iterations,
                           linalg::Backend& backend, const std::function<void(int, const PaperState<Real>&)>& watch) {
  if (!(rho > 0 && std::isfinite(rho))) throw UsageError("`rho` must be positive, and is " + std::to_string(rho));
  require_square_loss(problem, "Algorithm 2 of the paper");
  const View<Real>& view = *problem.view;
  const PenaltyPointer penalty = penalty_of(problem, x.region());
  const int terms = penalty->terms();
  const BasicTensor<Real> zero(x.region().column_shape());
  Products<Real> products(x, view, backend);
  PaperState<Real> s{zero, empty_copies<Real>(*penalty), zero,
                     zero, empty_copies<Real>(*penalty), std::vector<double>(x.samples())};
  for (int k = 1; k <= iterations; ++k) {
    // The A-step in dual form: theta = rho (G + rho I)^-1 (y - X~(w - p)), A = w - p + X~'theta / rho. The textbook's
    // Woodbury formula cancels.
    const BasicTensor<Real> v = s.w - s.p;
    std::vector<double> r = products.product(v);
    for (std::size_t m = 0; m < r.size(); ++m) r[m] = problem.y[m] - r[m];
    s.theta = solve_shifted(view, rho, r);
    for (double& t : s.theta) t *= rho;
    s.a = v + (1 / rho) * products.adjoint(s.theta);
    const BasicTensor<Real> sum_a = s.a + s.p;
    BasicTensor<Real> all = sum_a;
    s.rank = 0;
    for (int t = 0; t < terms; ++t) {
      auto [next, rank] =
          prox(*penalty, backend, t, penalty->template placed<Real>(t, s.w.flat()) - s.q[t], problem.tau / rho);
      s.b[t] = std::move(next);
      s.rank = std::max(s.rank, rank);
      s.q[t] = s.b[t] + s.q[t];
      all = all + penalty->gathered(t, s.q[t]);
    }
    s.w = prox_l1((1.0 / (terms + 1)) * all, problem.gamma / ((terms + 1) * rho));
    for (std::size_t i = 0; i < view.mask.size(); ++i)
      if (!view.mask[i]) s.w.flat()[i] = 0;
    s.p = sum_a - s.w;
    for (int t = 0; t < terms; ++t) s.q[t] = s.q[t] - penalty->template placed<Real>(t, s.w.flat());
    if (watch) watch(k, s);
  }
  return s;
}

template <class Real>
Solution<Real> solve_paper(const Design<Real>& x, const Problem<Real>& problem, const BatchOptions<Real>& options) {
  const int iterations = options.solver.iterations > 0 ? options.solver.iterations : paper_iterations;
  const double rho = options.solver.rho;
  const View<Real>& view = *problem.view;
  const PenaltyPointer penalty = penalty_of(problem, x.region());
  Solution<Real> out{BasicTensor<Real>(x.region().column_shape()), empty_copies<Real>(*penalty),
                     std::vector<double>(x.samples())};
  BasicTensor<Real> before(x.region().column_shape());
  Products<Real> products(x, view, options.backend);
  const auto judge = [&](const PaperState<Real>& s) {
    // At the solution rho Q = -G2, a point of the ball; on the way there it is put into it.
    const BasicTensor<Real> z = products.adjoint(s.theta);
    Copies<Real> g2;
    for (int k = 0; k < penalty->terms(); ++k)
      g2.push_back(into_ball(*penalty, options.backend, k, (-rho) * s.q[k], problem.tau));
    out.split = refined_split(z, std::move(g2), problem, *penalty, options.backend);
    return certify(x, problem, s.w, s.theta, out.split);
  };
  const PaperState<Real> s =
      run_paper<Real>(x, problem, rho, iterations, options.backend, [&](int k, const PaperState<Real>& state) {
        const bool last = k == iterations;
        if (problem.trace && (k <= 10 || k % 10 == 0 || last)) {
          const Certificate now = judge(state);
          const double size = frobenius_norm(state.w), change = frobenius_norm(state.w - before);
          out.trace.push_back({k, now.primal, now.gap(), size > 0 ? change / size : change});
        }
        if (problem.trace) before = state.w;
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

#define STURM_INSTANTIATE(Real)                                                                                 \
  template PaperState<Real> run_paper(const Design<Real>&, const Problem<Real>&, double, int, linalg::Backend&, \
                                      const std::function<void(int, const PaperState<Real>&)>&);                \
  template Solution<Real> solve_paper(const Design<Real>&, const Problem<Real>&, const BatchOptions<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
