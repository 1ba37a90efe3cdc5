// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/linear_settings.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/error.h"

namespace sturm {

double loss_weight(double alpha, const Shape& shape) {
  if (!(alpha >= 0 && std::isfinite(alpha)))
    throw UsageError("`alpha` must be positive and finite, and is " + std::to_string(alpha));
  return alpha > 0 ? alpha : std::sqrt(static_cast<double>(std::max(shape.n1, shape.n2) * shape.n3));
}

std::vector<double> paper_values() {
  std::vector<double> out;
  for (int power = -3; power <= 2; ++power)
    for (const double digit : {1.0, 5.0}) out.push_back(digit * std::pow(10.0, power));
  out.push_back(1e3);
  return out;
}

}  // namespace sturm
