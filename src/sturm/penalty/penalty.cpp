// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/penalty/penalty.h"

#include <cmath>

namespace sturm {

Penalty::Penalty(Region region, std::vector<Layout> layouts, std::vector<double> weights)
    : region_(std::move(region)), layouts_(std::move(layouts)), weights_(std::move(weights)) {
  if (weights_.empty()) weights_.assign(layouts_.size(), 1.0);
  if (weights_.size() != layouts_.size()) throw Error("a penalty has one weight for each term");
  for (const double c : weights_)
    if (!(c > 0 && std::isfinite(c)))
      throw Error("the weight of a term of a penalty must be above 0, and is " + std::to_string(c));
}

Tensor Penalty::in_box(int, const Tensor&) const {
  throw Error("the " + name() + " does not say where the numbers of its copies lie in the box");
}

/// The dual norm of c |.| is that of |.|, divided by c.
std::vector<TermResult> Penalty::with_weight(int term, std::vector<TermResult> found) const {
  for (TermResult& r : found) {
    r.value *= weights_[term];
    r.dual /= weights_[term];
  }
  return found;
}

}  // namespace sturm
