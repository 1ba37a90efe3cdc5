// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/stand_in.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/rng.h"
#include "sturm/imaging/resize.h"

namespace sturm {

template <class Real>
Design<Real> stand_in(Index samples, const Shape& shape) {
  constexpr double most_voxels = 4096;
  const double factor = std::cbrt(most_voxels / static_cast<double>(shape.size()));
  const Shape small = factor < 1 ? resized_shape(shape, factor) : shape;
  AlignedVector<Real> x(static_cast<std::size_t>(checked_product(samples, small.size())));
  Rng rng(0);
  for (Real& value : x) value = static_cast<Real>(rng.normal());
  return Design<Real>::owning(Region(small), samples, std::move(x));
}

template Design<float> stand_in(Index, const Shape&);
template Design<double> stand_in(Index, const Shape&);

}  // namespace sturm
