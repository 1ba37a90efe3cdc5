// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/loss/loss.h"

namespace sturm {

std::vector<double> Loss::dual_point_at_zero(const Labels& labels) const {
  std::vector<double> theta(labels.y.size());
  dual_point(labels, std::vector<double>(labels.y.size()), theta);
  return theta;
}

double Loss::value_at_zero(const Labels& labels) const { return value(labels, std::vector<double>(labels.y.size())); }

double Loss::best_dual_at_zero(const Labels& labels, double most) const {
  return best_dual(labels, dual_point_at_zero(labels), most);
}

}  // namespace sturm
