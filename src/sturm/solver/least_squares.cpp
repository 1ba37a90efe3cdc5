// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/least_squares.h"

#include <numeric>

#include "sturm/solver/certificate.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {

template <class Real>
Solution<Real> least_squares(const Design<Real>& x, const Problem<Real>& problem, double gap) {
  require_square_loss(problem, "A problem without any penalty");
  const View<Real>& view = *problem.view;
  const std::size_t n = problem.y.size();
  std::vector<double> coefficients(n), rest = problem.y;
  const double floor = 1e-12 * view.eigenvalues.back();
  for (std::size_t j = 0; j < n; ++j) {
    if (!(view.eigenvalues[j] > floor)) continue;
    const double* v = view.eigenvectors.data() + j * n;
    const double part = std::inner_product(v, v + n, problem.y.begin(), 0.0);
    for (std::size_t m = 0; m < n; ++m) {
      coefficients[m] += part / view.eigenvalues[j] * v[m];
      rest[m] -= part * v[m];
    }
  }
  const PenaltyPointer penalty = penalty_of(problem, x.region());
  Solution<Real> out{cast<Real>(exact_adjoint(x, view, coefficients)), empty_copies<Real>(*penalty), rest};
  const Certificate primal = certify(x, problem, out.w, std::vector<double>(n), out.split);
  const double dual = std::inner_product(rest.begin(), rest.end(), rest.begin(), 0.0) / 2;
  const Certificate proof{primal.primal, std::min(dual, primal.primal), primal.at_zero};
  out.objective = proof.primal;
  out.dual = proof.dual;
  out.gap = proof.gap();
  out.status = out.gap > gap         ? Status::iteration_limit
               : max_abs(out.w) == 0 ? Status::zero_solution
                                     : Status::converged;
  out.tubal_rank = tubal_rank(cast<double>(x.region().template spread<Real>(out.w.flat())));
  return out;
}

template Solution<float> least_squares(const Design<float>&, const Problem<float>&, double);
template Solution<double> least_squares(const Design<double>&, const Problem<double>&, double);

}  // namespace sturm
