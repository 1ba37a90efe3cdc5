// SPDX-License-Identifier: BSD-3-Clause
// The design matrix: every sample's volume, held once.
#pragma once

#include <memory>
#include <span>

#include "sturm/core/tensor.h"

namespace sturm {

/// X with the sample index fastest: element (m, voxel) is x()[m + samples() * voxel], voxels in tensor order. A voxel's
/// values over the samples are contiguous, so that columns of X are gathered at memory speed. The numbers may be owned,
/// or lie in a file mapped into memory: `keep` holds whatever they live in.
template <class Real>
class Design {
 public:
  Design(Shape shape, Index samples, std::span<const Real> x, std::shared_ptr<const void> keep)
      : shape_(shape.check()), samples_(samples), x_(x), keep_(std::move(keep)) {
    if (samples < 1) throw Error("a study without samples has nothing to learn from");
    if (static_cast<Index>(x.size()) != checked_product(samples, shape.size()))
      throw Error("a design of " + std::to_string(samples) + " volumes of " + to_string(shape) + " needs " +
                  std::to_string(samples * shape.size()) + " numbers, not " + std::to_string(x.size()));
  }
  static Design owning(Shape shape, Index samples, AlignedVector<Real> x) {
    auto keep = std::make_shared<const AlignedVector<Real>>(std::move(x));
    return Design(shape, samples, *keep, keep);
  }

  const Shape& shape() const { return shape_; }
  Index samples() const { return samples_; }
  Index voxels() const { return shape_.size(); }
  std::span<const Real> x() const { return x_; }
  const Real* column(Index voxel) const { return x_.data() + voxel * samples_; }

 private:
  Shape shape_;
  Index samples_;
  std::span<const Real> x_;
  std::shared_ptr<const void> keep_;
};

}  // namespace sturm
