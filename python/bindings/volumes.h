// SPDX-License-Identifier: BSD-3-Clause
// The volumes of a call, as Python has them: an array of four axes, or one column per voxel of a mask.
#pragma once

#include <variant>

#include "python/bindings/bind.h"
#include "sturm/core/design.h"

namespace sturm::python {

struct Volumes {
  std::variant<Design<float>, Design<double>> design;
  bool in_place = false;  ///< the numbers are those of the array

  const Region& region() const {
    return std::visit([](const auto& d) -> const Region& { return d.region(); }, design);
  }
  Index samples() const {
    return std::visit([](const auto& d) { return d.samples(); }, design);
  }
  bool single() const { return design.index() == 0; }
};

}  // namespace sturm::python
