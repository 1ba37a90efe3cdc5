// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm_proof.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sturm {
namespace {

/// min_b of P(s, b) = 1/2 s^2 |W|^2 + sum_t u_t max(0, sign_t (target_t - s v_t - b)), which is convex in both.
class Primal {
 public:
  Primal(const SvmProblem& problem, std::span<const double> values, double square) : square_(square) {
    for (const SvmTerm& term : problem.terms) terms_.push_back({term, values[term.row], 0});
  }

  struct At {
    double objective, intercept;
    double slope;  ///< of min_b P, a subgradient
  };

  /// As a function of b the loss has a kink at target_t - s v_t, where its slope grows by u_t; it begins with -u_t of
  /// every term of positive sign.
  At at(double s) {
    double slope = 0;
    for (Term& term : terms_) {
      term.kink = term.of.target - s * term.value;
      if (term.of.sign > 0) slope -= term.of.upper;
    }
    std::ranges::sort(terms_, {}, &Term::kink);
    const double flat = 1e-12 * -slope;
    std::size_t k = 0;
    while (k + 1 < terms_.size() && slope + terms_[k].of.upper < -flat) slope += terms_[k++].of.upper;
    const Term& on = terms_[k];  // its part of the loss has any slope in b from that below it to that above
    const bool level = std::abs(slope + on.of.upper) <= flat && k + 1 < terms_.size();
    const double b = level ? (on.kink + terms_[k + 1].kink) / 2 : on.kink;
    At out{s * s * square_ / 2, b, s * square_};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto& [of, value, kink] = terms_[i];
      out.objective += of.upper * std::max(0.0, of.sign * (of.target - s * value - b));
      double inside = of.sign > 0 ? i > k : i < k;
      if (i == k) inside = of.sign > 0 ? 1 + slope / of.upper : -slope / of.upper;
      out.slope -= inside * of.upper * of.sign * value;
    }
    return out;
  }

 private:
  struct Term {
    SvmTerm of;
    double value, kink;
  };
  std::vector<Term> terms_;
  double square_;
};

}  // namespace

SvmProof prove_svm(const SvmProblem& problem, std::span<const double> beta, std::span<const double> values,
                   double square, double enough) {
  Primal primal(problem, values, square);
  double reward = 0;
  for (const SvmTerm& term : problem.terms)
    reward += term.target * term.sign * std::max(0.0, term.sign * beta[term.row]);
  const double dual = reward - square / 2;
  const double least = 1e-12 * problem.unit * problem.unit;
  const auto gap = [&](double objective) { return (objective - dual) / std::max(least, std::abs(objective)); };
  double scale = 1;
  Primal::At best = primal.at(1);
  if (gap(best.objective) > enough && square > 0) {
    // P grows by at least 1/2 |W|^2 (s - best)^2 away from the best s, and is nowhere below the dual.
    const double reach = std::sqrt(2 * (best.objective - dual) / square);
    double low = std::max(0.0, 1 - reach), high = 1 + reach;
    for (int step = 0; step < 60 && high - low > 1e-15 * high; ++step) {
      const double middle = (low + high) / 2;
      const Primal::At here = primal.at(middle);
      if (here.objective < best.objective) {
        best = here;
        scale = middle;
      }
      (here.slope > 0 ? high : low) = middle;
      if (gap(best.objective) <= enough / 10) break;
    }
  }
  return {scale, problem.middle + best.intercept, best.objective, dual, gap(best.objective)};
}

}  // namespace sturm
