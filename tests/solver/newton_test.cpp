// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix of a support as the solver keeps it, the Newton direction made from it, and the steps.
#include "sturm/solver/newton.h"

#include <cmath>

#include "logistic_loss/logistic_loss.h"
#include "solver/small_problem.h"
#include "sturm/solver/constants.h"

namespace sturm {
namespace {

class NewtonParts : public test::OnBackend {
 protected:
  template <class Real>
  void expect_gram_of_support(double tolerance);
  template <class Real>
  void expect_steps_to_the_optimum(bool logistic, double tolerance);
};

/// X~_S X~_S' by its definition: rows of X mapped one by one, the columns of the support scaled.
template <class Real>
std::vector<double> gram_of(const Design<Real>& x, const RowMap& rows, const std::vector<Real>& scale,
                            const std::vector<Real>& w) {
  const Index m = x.samples();
  std::vector<double> out(m * m);
  for (Index v = 0; v < x.voxels(); ++v) {
    if (w[v] == 0) continue;
    std::vector<double> column(x.column(v), x.column(v) + m);
    for (double& a : column) a *= scale.empty() ? 1 : static_cast<double>(scale[v]);
    column = rows.apply(column);
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < m; ++i) out[i + j * m] += column[i] * column[j];
  }
  return out;
}

// Rows with weights and centring, scales, masks, a design of a region; voxels that enter and leave in every round.
// Rounding: up to 50 changes of a sum of 300 products of size 1 in single precision, then centred.
template <class Real>
void NewtonParts::expect_gram_of_support(double tolerance) {
  const Index samples = 17;
  const Design<Real> whole = test::random_design<Real>({8, 7, 6}, samples, 61);
  std::vector<std::uint8_t> region(whole.voxels(), 1);
  for (Index v = 0; v < whole.voxels(); v += 5) region[v] = 0;
  std::vector<double> weights(samples);
  for (Index m = 0; m < samples; ++m) weights[m] = m % 6 == 0 ? 0 : 0.5 + static_cast<double>(m % 3);
  for (const Design<Real>& x : {whole, masked(whole, region)})
    for (const bool centre : {false, true})
      for (const bool scaled : {false, true})
        for (const bool has_mask : {false, true}) {
          SCOPED_TRACE(std::string(x.region().whole() ? "whole" : "region") + (centre ? " centred" : "") +
                       (scaled ? " scaled" : "") + (has_mask ? " masked" : ""));
          Rng rng(62);
          std::vector<Real> scale;
          for (Index v = 0; v < x.voxels() && scaled; ++v) scale.push_back(static_cast<Real>(0.5 + rng.uniform()));
          std::vector<std::uint8_t> mask;
          for (Index v = 0; v < x.voxels() && has_mask; ++v) mask.push_back(v % 4 != 2);
          const View<Real> view(x, RowMap(weights, centre), scale, mask);
          DeviceDesign<Real> device(x, backend);
          const auto columns = device.columns(view);
          SupportGram<Real> gram;
          EXPECT_FALSE(gram.made());
          std::vector<Real> w(x.voxels());
          for (int round = 0; round < 60; ++round) {
            const double share = round == 1 ? 0.9 : round % 25 == 24 ? 0.4 : 0.03;
            for (Index v = 0; v < x.voxels(); ++v)
              if ((mask.empty() || mask[v]) && rng.uniform() < share)
                w[v] = rng.uniform() < 0.5 ? Real{0} : static_cast<Real>(rng.normal());
            const linalg::Array<Real> point = backend.uploaded(std::span(std::as_const(w)));
            linalg::SupportJob<Real> job = gram.job(backend, view, columns, point);
            device.ops().update_support(samples, device.x(), {&job, 1});
            ASSERT_TRUE(gram.made());
            const std::vector<double> found = gram.mapped(view.rows), expected = gram_of(x, view.rows, scale, w);
            for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << round;
          }
        }
}

TEST_P(NewtonParts, GramIsThatOfTheSupport) {
  expect_gram_of_support<float>(2e-2);
  expect_gram_of_support<double>(1e-10);
}

/// F' at theta, its W and F itself, by plain loops.
template <class Real>
struct ByHand {
  std::vector<double> w, slope;
  double value = 0;

  ByHand(const Design<Real>& x, const View<Real>& view, const Loss& loss, const Labels& labels,
         std::span<const double> theta, const std::vector<Real>& a, double rho, double gamma) {
    std::vector<double> product(x.samples());
    const std::vector<double> mapped = view.rows.adjoint(theta);
    double square = 0;
    for (Index v = 0; v < x.voxels(); ++v) {
      const double scale = view.scale.empty() ? 1 : static_cast<double>(view.scale[v]);
      double z = 0;
      for (Index m = 0; m < x.samples(); ++m) z += scale * static_cast<double>(x.column(v)[m]) * mapped[m];
      const double t = static_cast<double>(a[v]) + z / rho;
      w.push_back(view.mask.empty() || view.mask[v] ? std::copysign(std::max(std::abs(t) - gamma / rho, 0.0), t) : 0);
      square += w.back() * w.back();
      for (Index m = 0; m < x.samples(); ++m) product[m] += scale * static_cast<double>(x.column(v)[m]) * w.back();
    }
    slope.resize(theta.size());
    loss.conjugate_slope(labels, theta, slope);
    const std::vector<double> xw = view.rows.apply(product);
    for (std::size_t m = 0; m < slope.size(); ++m) slope[m] += xw[m];
    value = loss.conjugate(labels, theta) + rho / 2 * square;
  }
};

// Four problems in each pass, of other rho and gamma: what a point says of itself is what its theta gives by hand, F
// falls with every step, and in the end F' is the rounding of X w.
template <class Real>
void NewtonParts::expect_steps_to_the_optimum(bool logistic, double tolerance) {
  const Index samples = 15;
  const Design<Real> x = test::random_design<Real>({6, 5, 4}, samples, 67);
  std::vector<double> weights(samples, 1.0), y = test::random_labels(samples, 68);
  for (Index m = 0; m < samples; ++m) weights[m] = m == 3 ? 0 : 0.5 + static_cast<double>(m % 3);
  std::vector<std::uint8_t> mask(x.voxels(), 1);
  for (Index v = 0; v < x.voxels(); v += 6) mask[v] = 0;
  const View<Real> view(x, logistic ? RowMap::selecting(weights) : RowMap(weights, true),
                        std::vector<Real>(x.voxels(), Real{0.5}), mask);
  if (logistic)
    for (double& v : y) v = v > 0 ? 1 : -1;
  else
    y = view.rows.apply(y);
  const LossPointer loss = logistic ? logistic_loss() : square_loss();
  const Labels labels{y, view.rows.weights()};
  Rng rng(69);
  std::vector<Real> a(x.voxels());
  for (Real& v : a) v = static_cast<Real>(0.1 * rng.normal());
  const linalg::Array<Real> on_device = backend.uploaded(std::span<const Real>(a));

  DeviceDesign<Real> device(x, backend);
  Newton<Real> newton(device);
  std::vector<NewtonPoint<Real>> points(4);
  std::vector<double> before(points.size(), HUGE_VAL);
  for (std::size_t i = 0; i < points.size(); ++i) {
    NewtonPoint<Real>& p = points[i];
    p.view = &view;
    p.columns = device.columns(view);
    p.loss = loss.get();
    p.labels = labels;
    p.a = on_device.whole();
    p.rho = std::pow(10.0, static_cast<double>(i) - 2);
    p.gamma = i == 2 ? 0 : 0.3;
    p.theta.assign(samples, 0.0);
    if (logistic)  // 0 is the edge of the domain
      for (Index m = 0; m < samples; ++m) p.theta[m] = 0.01 * y[m] * weights[m];
    for (auto* array : {&p.z, &p.z_next, &p.w}) *array = backend.make<Real>(x.voxels());
    p.direction.assign(samples, 0.0);
    p.moves = true;  // by nothing, so that z is that of theta
    p.value = HUGE_VAL;
  }
  for (int pass = 0; pass < 80; ++pass) {
    typename Newton<Real>::List list, open;
    for (NewtonPoint<Real>& p : points) list.push_back(&p);
    newton.advance(list);
    for (std::size_t i = 0; i < points.size(); ++i) {
      NewtonPoint<Real>& p = points[i];
      if (p.due) continue;  // a shorter step: W comes with the next pass
      const ByHand<Real> hand(x, view, *loss, labels, p.theta, a, p.rho, p.gamma);
      for (Index m = 0; m < samples; ++m)
        ASSERT_NEAR(p.slope_of_f[m], hand.slope[m], tolerance * (1 + norm(p.xw))) << pass << ' ' << i;
      std::vector<Real> w(x.voxels());
      backend.download(linalg::Part<const Real>(p.w), std::span(w));
      for (Index v = 0; v < x.voxels(); ++v) ASSERT_NEAR(w[v], hand.w[v], tolerance * (1 + std::abs(hand.w[v])));
      if (std::isfinite(before[i])) {
        EXPECT_LE(hand.value, before[i] + tolerance * (1 + std::abs(before[i])));
      }
      before[i] = hand.value;
      EXPECT_EQ(p.curvature.empty(), !logistic);
      if (logistic) {
        EXPECT_FALSE(p.exact) << "no step solves what is not quadratic";
      }
      if (p.residual() > tolerance * (1 + norm(p.theta))) open.push_back(&p);
    }
    newton.find_directions(open);
    for (const NewtonPoint<Real>* p : open) EXPECT_LT(p->slope, 0);
  }
  for (const NewtonPoint<Real>& p : points) {
    EXPECT_LE(p.residual(), tolerance * (1 + norm(p.theta))) << p.rho;
    EXPECT_EQ(p.theta[3], 0) << "a sample of weight 0";
  }
}

TEST_P(NewtonParts, StepsLeadToTheOptimum) {
  expect_steps_to_the_optimum<float>(false, 1e-4);
  expect_steps_to_the_optimum<double>(false, 1e-10);
}
TEST_P(NewtonParts, StepsLeadToTheOptimumOfAnotherLoss) {
  expect_steps_to_the_optimum<float>(true, 1e-4);
  expect_steps_to_the_optimum<double>(true, 1e-10);
}

STURM_ON_EVERY_BACKEND(NewtonParts);

/// A A' + diag, full, of a random n x k matrix A.
std::vector<double> random_gram(Index n, Index k, std::uint64_t stream) {
  Rng rng(63, stream);
  std::vector<double> a(n * k), out(n * n);
  for (double& v : a) v = rng.normal();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      for (Index p = 0; p < k; ++p) out[i + j * n] += a[i + p * n] * a[j + p * n];
  return out;
}

// (rho I + H) d = -rho r, to the condition of the matrix: at most 1e4 here.
TEST(NewtonDirection, SolvesItsSystem) {
  for (const Index n : {1, 2, 9, 40})
    for (const Index rank : {Index{0}, Index{1}, n / 2, 2 * n})
      for (const double rho : {0.01, 1.0, 100.0}) {
        const std::vector<double> h = random_gram(n, rank, n), r = test::random_labels(n, 64);
        const std::vector<double> d = newton_direction(h, rho, r, rounding<double>);
        for (Index i = 0; i < n; ++i) {
          double sum = rho * d[i];
          for (Index j = 0; j < n; ++j) sum += h[i + j * n] * d[j];
          EXPECT_NEAR(sum, -rho * r[i], 1e-11 * (1 + rho) * norm(r)) << n << ' ' << rank << ' ' << rho;
        }
      }
}

// (rho D + H) d = -rho r with the curvature of a loss that is not quadratic.
TEST(NewtonDirection, SolvesItsSystemWithCurvature) {
  const Index n = 12;
  const std::vector<double> h = random_gram(n, 5, 1), r = test::random_labels(n, 64);
  std::vector<double> curvature(n);
  for (Index i = 0; i < n; ++i) curvature[i] = std::pow(10.0, static_cast<double>(i % 5));
  const double rho = 0.3;
  const std::vector<double> d = newton_direction(h, rho, r, rounding<double>, curvature);
  for (Index i = 0; i < n; ++i) {
    double sum = rho * curvature[i] * d[i];
    for (Index j = 0; j < n; ++j) sum += h[i + j * n] * d[j];
    EXPECT_NEAR(sum, -rho * r[i], 1e-11 * norm(r));
  }
}

// H as single precision leaves it after columns have come and gone: its small eigenvalues are rounding, and negative
// ones may outweigh rho. The direction must go downhill and stay finite. Its ridge is of the size of that rounding: on
// what is large in H the direction is that of the system without rounding.
TEST(NewtonDirection, GoesDownhillWhereHHasLostDefiniteness) {
  const Index n = 30;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> exact = random_gram(n, 4, seed);
    double trace = 0;
    for (Index i = 0; i < n; ++i) trace += exact[i + i * n];
    Rng rng(65, seed);
    std::vector<double> h = exact;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i <= j; ++i) h[i + j * n] = h[j + i * n] += rounding<float> * trace * rng.normal();
    const double rho = 1e-9 * trace;
    const std::vector<double> r = test::random_labels(n, 66 + seed);
    const std::vector<double> d = newton_direction(h, rho, r, rounding<float>);
    for (const double v : d) ASSERT_TRUE(std::isfinite(v));
    EXPECT_LT(dot(d, r), 0) << seed;
    // The component along H r, where H is large: rho |.| / (rho + lambda) of r, beside which the rounding is small.
    std::vector<double> hd(n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) hd[i] += exact[i + j * n] * d[j];
    EXPECT_LE(norm(hd), 2 * rho * norm(r)) << seed;
  }
  // Far from definite: even then it is finite and downhill, or the plain gradient.
  std::vector<double> bad(n * n);
  for (Index i = 0; i < n; ++i) bad[i + i * n] = i % 2 ? 1.0 : -1.0;
  const std::vector<double> r = test::random_labels(n, 67), d = newton_direction(bad, 1e-3, r, rounding<float>);
  for (const double v : d) ASSERT_TRUE(std::isfinite(v));
  EXPECT_LT(dot(d, r), 0);
}

}  // namespace
}  // namespace sturm
