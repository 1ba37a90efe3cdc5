// SPDX-License-Identifier: BSD-3-Clause
// Algorithm 2 as printed. golden_test.cpp holds it against the numbers of others, step by step.
#include "sturm/solver/paper.h"

#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

using test::plain_view;
using test::random_design;
using test::random_labels;

class Paper : public test::SolverOnBackend {};

// Poor rho: Algorithm 2 is as slow as it is, but its gap tells, and the certified solver has no such knob.
TEST_P(Paper, GapTellsWhatItIsWorth) {
  const Design<double> x = random_design<double>({6, 7, 5}, 15, 12);
  const Problem<double> problem{plain_view(x), random_labels(15, 13), 1.0, 0.3};
  const double optimum = solve_one<double>(x, problem, 1e-9).objective;
  for (const double rho : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    BatchOptions<double> options{backend};
    options.solver.rho = rho;
    options.solver.iterations = 200;
    const Solution<double> s = solve_paper(x, problem, options);
    EXPECT_GE(s.objective, optimum * (1 - 1e-9)) << rho;
    EXPECT_GE(s.gap * s.objective, (s.objective - optimum) * (1 - 1e-6)) << rho;
    EXPECT_EQ(s.status == Status::iteration_limit, s.gap > 1e-3) << rho;
  }
  EXPECT_THROW(run_paper(x, problem, 0.0, 1, backend), UsageError);
}

STURM_ON_EVERY_BACKEND(Paper);

// One iteration, and the one after it, by the five formulas of the paper, with a dense inverse in the place of the dual
// form. 1e-10: the condition of X'X + rho I, some 1e2, times rounding.
TEST(PaperSteps, AreTheFormulas) {
  const Shape shape{3, 4, 2};
  const Index n = shape.size(), samples = 9;
  const Design<double> x = random_design<double>(shape, samples, 14);
  const std::vector<double> y = random_labels(samples, 15);
  const double tau = 0.7, gamma = 0.2, rho = 1.5;
  std::vector<double> matrix(n * n), right(n);
  for (Index i = 0; i < n; ++i) {
    matrix[i + i * n] = rho;
    for (Index j = 0; j < n; ++j)
      for (Index m = 0; m < samples; ++m) matrix[i + j * n] += x.column(i)[m] * x.column(j)[m];
    for (Index m = 0; m < samples; ++m) right[i] += x.column(i)[m] * y[m];
  }
  ASSERT_TRUE(linalg::host::cholesky<double>(n, matrix.data()));
  Tensor a(shape), b(shape), w(shape), p(shape), q(shape);
  const Problem<double> problem{plain_view(x), y, tau, gamma};
  run_paper<double>(x, problem, rho, 3, test::first_backend(), [&](int k, const PaperState<double>& s) {
    for (Index i = 0; i < n; ++i) a.data()[i] = right[i] + rho * (w.data()[i] - p.data()[i]);
    linalg::host::cholesky_solve<double>(n, matrix.data(), a.data());
    b = prox_tnn(w - q, tau / rho);
    w = prox_l1(0.5 * (a + p + b + q), gamma / (2 * rho));
    p = p + a - w;
    q = q + b - w;
    for (const auto& [ours, expected] : {std::pair{&s.a, &a}, {&s.b.front(), &b}, {&s.w, &w}, {&s.p, &p}})
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(ours->data()[i], expected->data()[i], 1e-10) << k;
  });
}

}  // namespace
}  // namespace sturm
