// SPDX-License-Identifier: BSD-3-Clause
// A loss from what it is for one sample: the sums, the weights and the searches along a line are here.
#pragma once

#include "sturm/loss/loss.h"

namespace sturm {

/// The theta of one sample for which its conjugate is finite. 0 lies in it.
struct Domain {
  double low, high;
};

/// L(p) = sum_m s_m l(p_m, y_m) with a weight s_m for each sample. With weight s the dual point is s times that of l
/// alone, and f_s(theta) = s f(theta / s). l must be smooth and strictly convex, so that f is smooth and rises ever
/// more steeply towards a finite end of its domain: Newton's steps keep away from it.
class SampleLoss : public Loss {
 public:
  void require_labels(const Labels& labels) const final;
  double value(const Labels& labels, std::span<const double> p) const final;
  void dual_point(const Labels& labels, std::span<const double> p, std::span<double> theta) const final;
  double conjugate(const Labels& labels, std::span<const double> theta) const final;
  void conjugate_slope(const Labels& labels, std::span<const double> theta, std::span<double> slope) const final;
  void curvature(const Labels& labels, std::span<const double> theta, std::vector<double>& weights) const final;
  double longest_step(const Labels& labels, std::span<const double> theta,
                      std::span<const double> direction) const final;
  double best_dual(const Labels& labels, std::span<const double> theta, double most) const final;

 protected:
  virtual bool is_label(double y) const = 0;
  virtual double value_of(double p, double y) const = 0;       ///< l >= 0
  virtual double dual_point_of(double p, double y) const = 0;  ///< theta = -l'
  virtual Domain domain_of(double y) const = 0;
  /// f(theta) = max_p  -theta p - l(p), inside the domain and at those ends of it where it is finite.
  virtual double conjugate_of(double theta, double y) const = 0;
  virtual double slope_of(double theta, double y) const = 0;      ///< f', inside
  virtual double curvature_of(double theta, double y) const = 0;  ///< f'' > 0, inside
};

}  // namespace sturm
