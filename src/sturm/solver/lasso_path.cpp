// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/lasso_path.h"

#include <algorithm>
#include <memory>

#include "sturm/core/parallel.h"
#include "sturm/solver/active_set.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/enet_newton.h"
#include "sturm/solver/least_squares.h"
#include "sturm/solver/newton.h"
#include "sturm/solver/timer.h"

namespace sturm {
namespace {

constexpr std::size_t ahead = 16;  ///< gammas that share a pass over X: as many as the widest registers hold floats

/// X~'theta in the precision of the design, many theta in one pass.
template <class Real>
std::vector<AlignedVector<Real>> adjoints(DeviceDesign<Real>& device, const LassoView<Real>& view,
                                          std::span<const std::vector<double>> thetas) {
  const Index samples = device.samples(), voxels = device.voxels();
  linalg::Array<Real> z = device.backend().template make<Real>(voxels * static_cast<Index>(thetas.size()));
  std::vector<Real> u;
  u.reserve(thetas.size() * samples);
  std::vector<linalg::SweepJob<Real>> jobs(thetas.size());
  for (std::size_t k = 0; k < thetas.size(); ++k) {
    for (const double v : view.rows.adjoint(thetas[k])) u.push_back(static_cast<Real>(v));
    jobs[k].u = u.data() + k * samples;
    jobs[k].z_next = z.part(static_cast<Index>(k) * voxels, voxels);
    jobs[k].scale = device.columns(view.scale, {}).scale;
  }
  device.ops().sweep(samples, device.x(), jobs);
  std::vector<AlignedVector<Real>> out(thetas.size(), AlignedVector<Real>(voxels));
  for (std::size_t k = 0; k < thetas.size(); ++k)
    device.backend().download(linalg::Part<const Real>(jobs[k].z_next), std::span(out[k]));
  return out;
}

template <class Real>
class Path {
 public:
  Path(const LassoView<Real>& view, std::span<const double> y, double l2, std::span<const double> gammas,
       const LassoOptions& options, LassoStats& stats)
      : view_(view),
        device_(view.x, options.backend),
        y_(y),
        l2_(l2),
        options_(options),
        stats_(stats),
        working_(view.x.samples()),
        in_working_(view.x.voxels()),
        solutions_(gammas.size()),
        finished_(gammas.size()),
        rounds_(gammas.size()),
        goal_(gammas.size(), aim<Real> * options.gap) {
    order_.resize(gammas.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return gammas[a] > gammas[b]; });
    for (const std::size_t k : order_) gammas_.push_back(gammas[k]);
    base_.residual.assign(y.begin(), y.end());
    wide_from_ = static_cast<std::size_t>(std::ranges::find(gammas_, 0.0) - gammas_.begin());
    if (l2 > 0) most_ = std::min<Index>(view.x.samples(), 500) + 100;
  }

  std::vector<LassoSolution> run() {
    start();
    while (true) {
      std::vector<std::size_t> window = next_window();
      if (!window.empty() && waiting_.size() < ahead)
        look(window);
      else if (!waiting_.empty())
        prove();
      else if (!solve_wide())
        break;
      report();
    }
    without_penalty();
    std::vector<LassoSolution> out(solutions_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) out[order_[k]] = std::move(solutions_[k]);
    return out;
  }

 private:
  /// W = 0 has the residual y: one pass says which gammas that serves, and which voxels begin the others.
  void start() {
    const std::vector<std::vector<double>> theta{std::vector<double>(y_.begin(), y_.end())};
    const std::vector<AlignedVector<Real>> z = timed_adjoints(theta);
    std::vector<std::size_t> window = next_window();
    std::vector<std::vector<Index>> missing(window.size());
    for (std::size_t i = 0; i < window.size(); ++i) missing[i] = lacking(z.front(), gammas_[window[i]], 0);
    extend(missing);
  }

  std::vector<std::size_t> next_window() const {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < wide_from_ && out.size() < ahead; ++k)
      if (!finished_[k]) out.push_back(k);
    return out;
  }

  std::vector<ActivePoint> solve(std::vector<std::size_t>& window) {
    const Timer timer(stats_.inner);
    // A voxel of the working set may be wrong by a little of what the gap allows.
    const ActiveSet active(working_, y_, l2_, std::clamp(0.02 * options_.gap, 1e-13, 1e-7));
    std::vector<ActivePoint> points;
    ActivePoint point = base_;
    for (const std::size_t k : window) {
      if (!active.solve(point, gammas_[k], most_)) {
        wide_from_ = k;
        break;
      }
      points.push_back(point);
    }
    window.resize(points.size());
    return points;
  }

  /// The next gammas whose support is wide, by Newton's method; false where none are left.
  bool solve_wide() {
    const Timer timer(stats_.wide);
    std::vector<std::size_t> list;
    std::vector<double> gammas;
    std::vector<std::vector<double>> thetas;
    double goal = 1;
    for (std::size_t k = wide_from_; k < gammas_.size() && list.size() < ahead; ++k) {
      if (finished_[k] || (l2_ == 0 && gammas_[k] == 0)) continue;
      list.push_back(k);
      gammas.push_back(gammas_[k]);
      thetas.push_back(solutions_[k].theta.empty() ? base_.residual : solutions_[k].theta);
      goal = std::min(goal, goal_[k]);
    }
    if (list.empty()) return false;
    if (!whole_) whole_ = with_gram();
    std::vector<LassoSolution> found = enet_newton<Real>(device_, *whole_, y_, l2_, gammas, thetas, goal);
    for (std::size_t i = 0; i < list.size(); ++i) {
      solutions_[list[i]] = std::move(found[i]);
      finished_[list[i]] = true;
      waiting_.push_back(list[i]);
    }
    stats_.passes += solutions_[list.back()].iterations;
    return true;
  }

  std::shared_ptr<const View<Real>> with_gram() const {
    const std::span<const double> known = options_.raw_gram ? options_.raw_gram() : std::span<const double>{};
    return std::make_shared<const View<Real>>(view_.x, view_.rows, view_.scale, std::vector<std::uint8_t>{}, known);
  }

  /// gamma = l2 = 0: least squares, of least norm.
  void without_penalty() {
    for (std::size_t k = 0; k < gammas_.size(); ++k) {
      if (finished_[k]) continue;
      const auto whole = with_gram();
      const Solution<Real> from =
          least_squares<Real>(view_.x, {whole, std::vector<double>(y_.begin(), y_.end())}, options_.gap);
      LassoSolution& s = solutions_[k];
      for (Index v = 0; v < view_.x.voxels(); ++v)
        if (from.w.data()[v] != 0) {
          s.voxels.push_back(v);
          s.values.push_back(static_cast<double>(from.w.data()[v]));
        }
      s.theta = from.theta;
      s.objective = from.objective;
      s.dual = from.dual;
      s.gap = from.gap;
      s.status = from.status;
      s.iterations = 1;
    }
  }

  void look(std::vector<std::size_t>& window) {
    std::vector<ActivePoint> points = solve(window);
    if (window.empty()) return;
    std::vector<std::vector<double>> thetas;
    thetas.reserve(points.size());
    for (const ActivePoint& p : points) thetas.push_back(p.residual);
    const std::vector<AlignedVector<Real>> z = timed_adjoints(thetas);
    std::vector<std::vector<Index>> missing(window.size());
    std::vector<double> gaps(window.size());
    const auto judge = [&](Index i, int) {
      const std::size_t k = window[i];
      const auto& theta = thetas[i];
      const double primal = points[i].objective(gammas_[k], l2_);
      const double dual = best_enet_dual<Real>(dot(y_, theta), dot(theta, theta), z[i], gammas_[k], l2_);
      gaps[i] = Certificate{primal, dual, dot(y_, y_) / 2}.gap();
      if (gaps[i] > goal_[k]) missing[i] = lacking(z[i], gammas_[k], static_cast<Index>(points[i].support.size()));
    };
    parallel_for(static_cast<Index>(window.size()), judge, static_cast<double>(window.size() * in_working_.size()));
    const bool grown = extend(missing);
    bool unbroken = true;
    for (std::size_t i = 0; i < window.size(); ++i) {
      const std::size_t k = window[i];
      const bool stuck = !grown && exact_, spent = ++rounds_[k] >= round_limit();
      if (gaps[i] <= goal_[k] || stuck || spent) {
        finished_[k] = true;
        keep(k, points[i]);
        if (unbroken) base_ = std::move(points[i]);
      } else {
        unbroken = false;
      }
    }
    worst_ = *std::ranges::max_element(gaps);
    if (!grown && !unbroken) exact_ = true;  // single precision finds nothing more
  }

  void keep(std::size_t k, const ActivePoint& p) {
    LassoSolution& s = solutions_[k];
    std::vector<std::size_t> by_voxel(p.support.size());
    std::iota(by_voxel.begin(), by_voxel.end(), std::size_t{0});
    std::ranges::sort(by_voxel, {}, [&](std::size_t i) { return working_.voxel(p.support[i]); });
    s = {};
    for (const std::size_t i : by_voxel) {
      if (p.w[i] == 0) continue;
      s.voxels.push_back(working_.voxel(p.support[i]));
      s.values.push_back(p.w[i]);
    }
    s.theta = p.residual;
    s.iterations = rounds_[k];
    waiting_.push_back(k);
  }

  /// Recomputes the values of the points that are waiting; those that fall short go back.
  void prove() {
    const Timer timer(stats_.proof);
    ++stats_.exact_passes;
    std::vector<double> gammas;
    std::vector<LassoSolution> given;
    for (const std::size_t k : waiting_) {
      gammas.push_back(gammas_[k]);
      given.push_back(std::move(solutions_[k]));
    }
    const std::vector<Certificate> proofs = certify_enet<Real>(view_, y_, l2_, gammas, given);
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      const std::size_t k = waiting_[i];
      LassoSolution& s = solutions_[k] = std::move(given[i]);
      s.objective = proofs[i].primal;
      s.dual = proofs[i].dual;
      s.gap = proofs[i].gap();
      const bool there = s.gap <= options_.gap;
      s.status = !there ? Status::iteration_limit : s.voxels.empty() ? Status::zero_solution : Status::converged;
      if (there || (exact_ && goal_[k] < 1e-3 * options_.gap) || rounds_[k] >= round_limit()) continue;
      exact_ = true;
      goal_[k] *= 0.1;
      finished_[k] = false;
    }
    waiting_.clear();
  }

  /// The voxels outside the working set that a point lacks most, at most as many as it has, and a few.
  std::vector<Index> lacking(std::span<const Real> z, double gamma, Index support) const {
    std::vector<Index> out;
    for (std::size_t v = 0; v < z.size(); ++v)
      if (static_cast<double>(std::abs(z[v])) > gamma && !in_working_[v]) out.push_back(static_cast<Index>(v));
    const std::size_t most = std::min<std::size_t>(out.size(), 20 + support);
    std::ranges::partial_sort(out, out.begin() + most, [&z](Index a, Index b) {
      return std::abs(z[a]) != std::abs(z[b]) ? std::abs(z[a]) > std::abs(z[b]) : a < b;
    });
    out.resize(most);
    return out;
  }

  bool extend(const std::vector<std::vector<Index>>& missing) {
    const Index before = working_.size();
    for (const auto& list : missing)
      for (const Index v : list) {
        if (in_working_[v]) continue;
        in_working_[v] = 1;
        working_.add(view_, v);
      }
    stats_.working = working_.size();
    return working_.size() > before;
  }

  std::vector<AlignedVector<Real>> timed_adjoints(std::span<const std::vector<double>> thetas) {
    const Timer timer(stats_.search);
    ++(exact_ ? stats_.exact_passes : stats_.passes);
    if (!exact_) return adjoints(device_, view_, thetas);
    const std::vector<double> wide = exact_adjoints<Real>(view_, thetas);
    std::vector<AlignedVector<Real>> out;
    for (std::size_t k = 0; k < thetas.size(); ++k) {
      const auto from = std::span(wide).subspan(k * in_working_.size(), in_working_.size());
      out.emplace_back(from.size());
      std::ranges::transform(from, out.back().begin(), [](double v) { return static_cast<Real>(v); });
    }
    return out;
  }

  void report() const {
    if (!options_.progress) return;
    const auto left = static_cast<int>(std::ranges::count(finished_, false));
    if (!options_.progress({stats_.passes + stats_.exact_passes, worst_, left, static_cast<int>(gammas_.size())}))
      throw Interrupted();
  }

  int round_limit() const { return options_.iterations > 0 ? options_.iterations : iteration_limit; }

  const LassoView<Real>& view_;
  DeviceDesign<Real> device_;
  std::span<const double> y_;
  double l2_;
  const LassoOptions& options_;
  LassoStats& stats_;
  WorkingSet working_;
  std::vector<std::uint8_t> in_working_;
  std::vector<double> gammas_;  ///< falling
  std::vector<std::size_t> order_;
  std::vector<LassoSolution> solutions_;
  std::vector<bool> finished_;
  std::vector<int> rounds_;
  std::vector<double> goal_;
  std::vector<std::size_t> waiting_;  ///< for their proof
  ActivePoint base_;                  ///< the last point before the first gamma that is not finished
  double worst_ = 1;
  bool exact_ = false;                              ///< passes in double
  std::size_t wide_from_ = 0;                       ///< from here on the support is wide
  Index most_ = std::numeric_limits<Index>::max();  ///< voxels in a support that is not wide
  std::shared_ptr<const View<Real>> whole_;
};

}  // namespace

template <class Real>
std::vector<LassoSolution> solve_lasso_path(const LassoView<Real>& view, std::span<const double> y, double l2,
                                            std::span<const double> gammas, const LassoOptions& options,
                                            LassoStats* stats) {
  LassoStats unused;
  return Path<Real>(view, y, l2, gammas, options, stats ? *stats : unused).run();
}

template <class Real>
double lasso_zero_point(const LassoView<Real>& view, std::span<const double> y) {
  const std::vector<std::vector<double>> theta{std::vector<double>(y.begin(), y.end())};
  double most = 0;
  for (const double v : exact_adjoints<Real>(view, theta)) most = std::max(most, std::abs(v));
  return most;
}

#define STURM_INSTANTIATE(Real)                                                                                    \
  template std::vector<LassoSolution> solve_lasso_path(const LassoView<Real>&, std::span<const double>, double,    \
                                                       std::span<const double>, const LassoOptions&, LassoStats*); \
  template double lasso_zero_point(const LassoView<Real>&, std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
