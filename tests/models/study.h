// SPDX-License-Identifier: BSD-3-Clause
// Small studies for the tests of the models, and what two fits of one problem may differ by.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/models/model.h"
#include "sturm/models/registry.h"
#include "sturm/tensor/algebra.h"

namespace sturm::test {

struct Study {
  std::vector<Tensor> volumes;
  std::vector<double> y;
  std::vector<double> weights{};     // empty: all 1
  std::vector<std::uint8_t> mask{};  // empty: everything

  std::size_t samples() const { return y.size(); }
  double weight(std::size_t m) const { return weights.empty() ? 1 : weights[m]; }
  bool inside(std::size_t v) const { return mask.empty() || mask[v]; }
};

/// Voxels with means of their own and y = 3 + <X, sparse> + noise. The values are floats, so that designs in single and
/// double precision hold the same numbers. With more samples than voxels the loss is strongly convex.
inline Study random_study(const Shape& shape, std::size_t samples, std::uint64_t seed) {
  const Tensor means = random_normal(shape, seed, 1);
  Tensor truth = random_normal(shape, seed, 2);
  for (std::size_t v = 0; v < truth.flat().size(); ++v)
    if (v % 3) truth.flat()[v] = 0;
  Study out;
  Rng rng(seed, 3);
  for (std::size_t m = 0; m < samples; ++m) {
    out.volumes.push_back(cast<double>(cast<float>(random_normal(shape, seed, 10 + m) + means)));
    out.y.push_back(3 + dot(out.volumes.back(), truth) + rng.normal());
  }
  return out;
}

/// Shape and size for tests that compare coefficients: 24 voxels, 40 samples.
inline Study small_study(std::uint64_t seed = 1) { return random_study({4, 3, 2}, 40, seed); }

inline std::vector<std::uint8_t> every_third_out(const Study& study) {
  std::vector<std::uint8_t> mask(study.volumes.front().flat().size(), 1);
  for (std::size_t v = 0; v < mask.size(); v += 3) mask[v] = 0;
  return mask;
}

/// tau and gamma are absolute where they are not negative; otherwise strength and balance count.
struct SturmOptions {
  double tau = -1, gamma = -1;
  double strength = 0.1, balance = 0.5;
  double alpha = 1;
  bool intercept = true;
  Normalize normalize = Normalize::none;
  SolverOptions solver{};
};

struct SturmFit {
  LinearModel model;
  FitReport report;
};

/// One fit by the method that ships.
template <class Real = double>
SturmFit fit(const Study& study, const SturmOptions& options) {
  const Method<Real>& method = find_method<Real>("sturm");
  const Design<Real> x = design_of<Real>(study.volumes);
  const FitData<Real> data{linalg::cpu_backend(), x, study.mask, options.normalize, options.intercept, options.alpha};
  FitTask task{study.y, study.weights, {std::max(options.tau, 0.0), std::max(options.gamma, 0.0)}};
  if (options.tau < 0 && options.gamma < 0)
    task.setting = method.relative_setting(data, task, options.strength, options.balance);
  MethodOptions how;
  how.solver = options.solver;
  std::optional<SturmFit> out;
  method.fit(data, {&task, 1}, how, [&](Index, const std::unique_ptr<FittedModel<Real>>& model) {
    out = SturmFit{model->model().map(), model->report};
  });
  return *out;
}

inline SturmOptions absolute(double tau, double gamma, double gap = 1e-9) {
  SturmOptions out;
  out.tau = tau;
  out.gamma = gamma;
  out.solver.gap = gap;
  return out;
}

inline SturmOptions relative(double strength, double balance, double gap = 1e-9) {
  SturmOptions out;
  out.strength = strength;
  out.balance = balance;
  out.solver.gap = gap;
  return out;
}

inline MethodOptions to_gap(double gap) {
  MethodOptions out;
  out.solver.gap = gap;
  return out;
}

inline double predicted(const Tensor& volume, const Tensor& w, double intercept) {
  double out = intercept;
  for (std::size_t v = 0; v < w.flat().size(); ++v)
    if (w.flat()[v] != 0) out += volume.flat()[v] * w.flat()[v];
  return out;
}

/// The objective as MATHS.md has it, from the raw volumes.
inline double objective(const Study& study, const Tensor& w, double intercept, double alpha, double tau, double gamma) {
  double loss = 0, l1 = 0;
  for (std::size_t m = 0; m < study.samples(); ++m) {
    const double residual = study.y[m] - predicted(study.volumes[m], w, intercept);
    loss += study.weight(m) * residual * residual;
  }
  for (const double v : w.flat()) l1 += std::abs(v);
  return alpha / 2 * loss + tau * oracle::tnn(w) + gamma * l1;
}
inline double objective(const Study& study, const SturmFit& fit) {
  return objective(study, fit.model.coef, fit.model.intercept, fit.report.alpha, fit.report.tau, fit.report.gamma);
}

/// The least eigenvalue of the weighted, centred (or not) X'X over the mask: the loss is that strongly convex in W.
inline double convexity(const Study& study, bool centred) {
  const std::size_t voxels = study.volumes.front().flat().size();
  std::vector<double> mean(voxels);
  double total = 0;
  for (std::size_t m = 0; m < study.samples(); ++m) total += study.weight(m);
  for (std::size_t m = 0; m < study.samples() && centred; ++m)
    for (std::size_t v = 0; v < voxels; ++v)
      if (study.inside(v)) mean[v] += study.weight(m) * study.volumes[m].flat()[v] / total;
  std::vector<std::vector<double>> columns;
  for (std::size_t v = 0; v < voxels; ++v) {
    if (!study.inside(v)) continue;
    columns.emplace_back();
    for (std::size_t m = 0; m < study.samples(); ++m)
      columns.back().push_back(std::sqrt(study.weight(m)) * (study.volumes[m].flat()[v] - mean[v]));
  }
  const auto n = static_cast<Index>(columns.size());
  std::vector<double> gram(n * n), values(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (std::size_t m = 0; m < study.samples(); ++m) gram[i + j * n] += columns[i][m] * columns[j][m];
  linalg::host::eigh<double>(n, gram.data(), values.data());
  return values.front();
}

/// A fit of relative gap g lies above the optimum F by at most g F, so that (c/2) |W - W*|^2 <= g F where the objective
/// is c-strongly convex; two fits may be twice that distance apart.
inline double apart(double gap, double objective, double convexity) {
  return 2 * std::sqrt(2 * gap * objective / convexity);
}

/// Two fits of one problem, each to the gap: coefficients as far as strong convexity carries, objectives within 2 gaps.
inline void expect_same(const SturmFit& a, const SturmFit& b, const Study& study, double gap = 1e-9,
                        bool centred = true) {
  const double c = a.report.alpha * convexity(study, centred);
  ASSERT_GT(c, 0.1) << "the comparison needs a strongly convex loss";
  const double bound = apart(gap, a.report.objective, c);
  ASSERT_LT(bound, 0.01 * frobenius_norm(a.model.coef)) << "the comparison would say nothing";
  EXPECT_LE(frobenius_norm(a.model.coef - b.model.coef), bound);
  EXPECT_NEAR(a.report.objective, b.report.objective, 2 * gap * a.report.objective);
}

/// What holds for every fit: finite numbers, W = 0 outside the mask, dual <= primal, the status that the gap and W ask
/// for, and the objective of the raw volumes. Its tolerance is rounding: sums in double, and for floats the 2e-8 a
/// singular value that the certificate adds to the tubal nuclear norm to stay a bound.
template <class Real>
void expect_sound(const SturmFit& fit, const Study& study, double gap) {
  const FitReport& r = fit.report;
  for (std::size_t v = 0; v < fit.model.coef.flat().size(); ++v) {
    ASSERT_TRUE(std::isfinite(fit.model.coef.flat()[v]));
    if (!study.inside(v)) {
      ASSERT_EQ(fit.model.coef.flat()[v], 0);
    }
  }
  const double at_zero = objective(study, Tensor(fit.model.coef.shape()), fit.model.intercept, r.alpha, 0, 0);
  EXPECT_TRUE(std::isfinite(r.intercept));
  EXPECT_EQ(r.intercept, fit.model.intercept);
  EXPECT_LE(r.dual, r.objective * (1 + 1e-12));
  EXPECT_GE(r.relative_gap, -1e-12);
  const bool zero = max_abs(fit.model.coef) == 0;
  if (r.relative_gap > gap)
    EXPECT_EQ(r.status, Status::iteration_limit);
  else
    EXPECT_EQ(r.status, zero ? Status::zero_solution : Status::converged);
  EXPECT_EQ(r.tubal_rank == 0, zero);
  if (fit.model.normalize == Normalize::none) {
    const double rounding = sizeof(Real) == 4 ? 1e-6 : 1e-11;
    // Residuals of 0 are known to some 1e-15 of the labels, and squared.
    const double labels = objective(study, Tensor(fit.model.coef.shape()), 0, r.alpha, 0, 0);
    EXPECT_NEAR(r.objective, objective(study, fit), rounding * (r.objective + at_zero) + 1e-29 * labels);
  }
}

}  // namespace sturm::test
