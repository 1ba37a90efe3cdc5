// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/svm_proof.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sturm {
namespace {

/// min_b of P(s, b) = 1/2 s^2 |W|^2 + sum_i u_i max(0, 1 - y_i (s v_i + b)), which is convex in both.
class Primal {
 public:
  Primal(std::span<const double> y, std::span<const double> upper, std::span<const double> values, double square)
      : square_(square) {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (upper[i] > 0) samples_.push_back({y[i], upper[i], values[i], 0});
  }

  struct At {
    double objective, intercept;
    double slope;  ///< of min_b P, a subgradient
  };

  /// As a function of b the loss has a kink b_i = y_i - s v_i a sample, where its slope grows by u_i; it begins with
  /// -u_i of every positive sample.
  At at(double s) {
    double slope = 0;
    for (Sample& sample : samples_) {
      sample.kink = sample.y - s * sample.value;
      if (sample.y > 0) slope -= sample.upper;
    }
    std::ranges::sort(samples_, {}, &Sample::kink);
    const double flat = 1e-12 * -slope;
    std::size_t k = 0;
    while (k + 1 < samples_.size() && slope + samples_[k].upper < -flat) slope += samples_[k++].upper;
    const Sample& on = samples_[k];  // its part of the loss has any slope in b from that below it to that above
    const bool level = std::abs(slope + on.upper) <= flat && k + 1 < samples_.size();
    const double b = level ? (on.kink + samples_[k + 1].kink) / 2 : on.kink;
    At out{s * s * square_ / 2, b, s * square_};
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const Sample& sample = samples_[i];
      out.objective += sample.upper * std::max(0.0, 1 - sample.y * (s * sample.value + b));
      double inside = sample.y > 0 ? i > k : i < k;
      if (i == k) inside = sample.y > 0 ? 1 + slope / sample.upper : -slope / sample.upper;
      out.slope -= inside * sample.upper * sample.y * sample.value;
    }
    return out;
  }

 private:
  struct Sample {
    double y, upper, value, kink;
  };
  std::vector<Sample> samples_;
  double square_;
};

}  // namespace

SvmProof prove_svm(std::span<const double> y, std::span<const double> upper, std::span<const double> beta,
                   std::span<const double> values, double square, double enough) {
  Primal primal(y, upper, values, square);
  double reward = 0;
  for (std::size_t i = 0; i < y.size(); ++i) reward += y[i] * beta[i];
  const double dual = reward - square / 2;
  const auto gap = [&](double objective) { return (objective - dual) / std::max(1e-12, std::abs(objective)); };
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
  return {scale, best.intercept, best.objective, dual, gap(best.objective)};
}

}  // namespace sturm
