// SPDX-License-Identifier: BSD-3-Clause
// Problems made backwards from their solution: choose W and theta, then X and y such that the optimality conditions
// hold.
#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"
#include "sturm/tensor/tproduct.h"

namespace sturm {
namespace {

struct Manufactured {
  std::vector<Tensor> x;
  std::vector<double> y;
  double tau, gamma, optimum;
  Tensor w;
};

/// A subgradient of the tubal nuclear norm at w: U V^H of every hat slice, and something smaller beside its spaces.
Tensor tnn_subgradient(const Tensor& w, Rng& rng) {
  const Shape s = w.shape();
  const Transform dft = Transform::dft(s.n3);
  const Tensor hat = to_hat(w, dft);
  Tensor out(s);
  using C = std::complex<double>;
  const Index least = std::min(s.n1, s.n2);
  for (const linalg::Slice& k : dft.slices()) {
    std::vector<C> a(s.slice()), u(s.n1 * s.n1), vh(s.n2 * s.n2);
    std::vector<double> values(least);
    for (Index i = 0; i < s.slice(); ++i) a[i] = {hat.slice(k.re)[i], k.complex() ? hat.slice(k.im)[i] : 0.0};
    linalg::host::svd<double>(linalg::SvdKind::full, s.n1, s.n2, a.data(), values.data(), u.data(), vh.data());
    for (Index p = 0; p < least; ++p) {
      const double weight = values[p] > 1e-9 ? 1.0 : 0.9 * rng.uniform();
      for (Index j = 0; j < s.n2; ++j)
        for (Index i = 0; i < s.n1; ++i) {
          const C value = weight * u[i + p * s.n1] * vh[p + j * s.n2];
          out(i, j, k.re) += value.real();
          if (k.complex()) out(i, j, k.im) += value.imag();
        }
    }
  }
  return from_hat(out, dft);
}

Manufactured manufacture(std::uint64_t seed) {
  Rng rng(seed, 5);
  const auto side = [&rng](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
  const Shape shape{side(9), side(9), side(7)};
  const Index samples = side(30);
  const double tau = std::pow(10, 2 * rng.uniform() - 1), gamma = std::pow(10, 2 * rng.uniform() - 1);
  // Sparse and of low tubal rank: a product of thin factors whose rows are mostly zero.
  const Index rank = 1 + static_cast<Index>(rng.below(2));
  Tensor left = random_normal({shape.n1, rank, shape.n3}, seed, 1),
         right = random_normal({rank, shape.n2, shape.n3}, seed, 2);
  for (Index i = 0; i < shape.n1; ++i)
    if (rng.uniform() < 0.4)
      for (Index k = 0; k < shape.n3; ++k)
        for (Index r = 0; r < rank; ++r) left(i, r, k) = 0;
  for (Index j = 0; j < shape.n2; ++j)
    if (rng.uniform() < 0.4)
      for (Index k = 0; k < shape.n3; ++k)
        for (Index r = 0; r < rank; ++r) right(r, j, k) = 0;
  Tensor w = t_product(left, right);
  for (double& v : w.flat())
    if (std::abs(v) < 1e-12) v = 0;  // rounding of what is zero

  Tensor g = tau * tnn_subgradient(w, rng);
  for (std::size_t v = 0; v < g.flat().size(); ++v)
    g.flat()[v] += gamma * (w.flat()[v] > 0 ? 1 : w.flat()[v] < 0 ? -1 : 1.8 * rng.uniform() - 0.9);
  std::vector<double> theta(samples), y;
  double theta2 = 0;
  for (double& t : theta) {
    t = rng.normal();
    theta2 += t * t;
  }
  // X = X0 + theta (G - X0'theta)' / |theta|^2 has X'theta = G; y = theta + X w.
  std::vector<Tensor> x;
  for (Index m = 0; m < samples; ++m) x.push_back(random_normal(shape, seed, 10 + m));
  Tensor z(shape);
  for (Index m = 0; m < samples; ++m) z = z + theta[m] * x[m];
  for (Index m = 0; m < samples; ++m) {
    x[m] = x[m] + (theta[m] / theta2) * (g - z);
    y.push_back(theta[m] + dot(x[m], w));
  }
  return {x, y, tau, gamma, theta2 / 2 + tau * tnn(w) + gamma * l1_norm(w), w};
}

class ManufacturedProblems : public test::SolverOnBackend {
 protected:
  template <class Real>
  void expect_recovered(const Manufactured& made, double gap);
};

template <class Real>
void ManufacturedProblems::expect_recovered(const Manufactured& made, double gap) {
  const Design<Real> x = test::design_of<Real>(made.x);
  const Problem<Real> problem{test::plain_view(x), made.y, made.tau, made.gamma};
  const Solution<Real> s = solve_one(x, problem, gap);
  std::vector<Tensor> seen;  // X as the solver has it
  for (Index m = 0; m < x.samples(); ++m) {
    Tensor volume(x.shape());
    for (Index v = 0; v < x.voxels(); ++v) volume.data()[v] = static_cast<double>(x.column(v)[m]);
    seen.push_back(volume);
  }
  const double primal = oracle::objective(seen, made.y, cast<double>(s.w), made.tau, made.gamma);
  const double dual = oracle::dual(seen, made.y, s.theta, cast<double>(s.split.front()), made.tau, made.gamma);
  const double slack = 1e-13;  // the oracle's own rounding
  EXPECT_LE((primal - dual) / primal, gap + slack) << "after " << s.iterations;
  // A float solution's objective carries the margin for what Gram matrices in double may miss.
  EXPECT_NEAR(s.objective, primal, (sizeof(Real) == 4 ? 1e-6 : 1e-11) * primal);
  // Rounding X to Real moves the optimum itself.
  EXPECT_NEAR(primal, made.optimum, (gap + (sizeof(Real) == 4 ? 1e-5 : 1e-12)) * made.optimum);
}

TEST(Manufactured, OptimumIsWhatItWasMadeToBe) {
  const Manufactured made = manufacture(1);
  EXPECT_NEAR(oracle::objective(made.x, made.y, made.w, made.tau, made.gamma), made.optimum, 1e-10 * made.optimum);
}

TEST_P(ManufacturedProblems, RecoveredInDouble) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    expect_recovered<double>(manufacture(seed), 1e-8);
  }
}

TEST_P(ManufacturedProblems, RecoveredInFloat) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    expect_recovered<float>(manufacture(seed), 1e-3);
  }
}

STURM_ON_EVERY_BACKEND(ManufacturedProblems);

}  // namespace
}  // namespace sturm
