// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/resize.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/error.h"

namespace sturm {

Shape resized_shape(const Shape& shape, double factor) {
  if (!(factor > 0 && factor <= 1))
    throw UsageError("`resize` is a number above 0 and at most 1, such as 0.5, not " + std::to_string(factor) + ".");
  // 0.7 * 45 is a hair below 31.5 in binary, and people expect 32.
  const auto extent = [factor](Index n) {
    return std::max<Index>(1, static_cast<Index>(std::floor(static_cast<double>(n) * factor + 0.5 + 1e-9)));
  };
  return Shape{extent(shape.n1), extent(shape.n2), extent(shape.n3)};
}

Grid resized_grid(const Grid& grid, const Shape& shape) {
  const std::array<double, 3> ratio = {static_cast<double>(grid.shape.n1) / static_cast<double>(shape.n1),
                                       static_cast<double>(grid.shape.n2) / static_cast<double>(shape.n2),
                                       static_cast<double>(grid.shape.n3) / static_cast<double>(shape.n3)};
  Grid out{shape, grid.affine};
  for (auto& row : out.affine.rows)
    for (int n = 0; n < 3; ++n) {
      row[3] += row[n] * (ratio[n] - 1) / 2;  // the centre of the first voxel moves inwards by half of what it grew
      row[n] *= ratio[n];
    }
  return out;
}

std::vector<Resizer::Tent> Resizer::tents(Index from, Index to) {
  const double step = static_cast<double>(from) / static_cast<double>(to), reach = std::max(1.0, step);
  std::vector<Tent> out;
  for (Index j = 0; j < to; ++j) {
    const double centre = (static_cast<double>(j) + 0.5) * step - 0.5;
    Tent tent{std::max<Index>(0, static_cast<Index>(std::floor(centre - reach)) + 1)};
    const Index last = std::min(from - 1, static_cast<Index>(std::ceil(centre + reach)) - 1);
    for (Index i = tent.first; i <= last; ++i)
      tent.weights.push_back(1 - std::abs(static_cast<double>(i) - centre) / reach);
    const double sum = std::accumulate(tent.weights.begin(), tent.weights.end(), 0.0);
    for (double& w : tent.weights) w /= sum;
    out.push_back(std::move(tent));
  }
  return out;
}

Resizer::Resizer(const Shape& from, const Shape& to)
    : from_(from.check()), to_(to.check()), axes_{tents(from.n1, to.n1), tents(from.n2, to.n2), tents(from.n3, to.n3)} {
  const std::array<Index, 3> extent = {from.n1, from.n2, from.n3};
  for (std::size_t n = 0; n < 3; ++n) {
    parts_[n].resize(static_cast<std::size_t>(extent[n]));
    for (std::size_t j = 0; j < axes_[n].size(); ++j)
      for (std::size_t t = 0; t < axes_[n][j].weights.size(); ++t)
        parts_[n][axes_[n][j].first + static_cast<Index>(t)].push_back({static_cast<Index>(j), axes_[n][j].weights[t]});
  }
}

namespace {

template <class Real>
void add_scaled(double weight, const Real* x, Real* y, Index n) {
  const Real w = static_cast<Real>(weight);
  for (Index i = 0; i < n; ++i) y[i] += w * x[i];
}

}  // namespace

template <class Real>
std::vector<Real> Resizer::shrink(std::span<const Real> in) const {
  if (static_cast<Index>(in.size()) != from_.size())
    throw Error("a volume of " + std::to_string(in.size()) + " voxels is not one of " + to_string(from_));
  const Index n1 = from_.n1, n2 = from_.n2;
  // Slices first: whole slices are added up, and the most is gone before the short rows of the first axis.
  std::vector<Real> slices(static_cast<std::size_t>(n1 * n2 * to_.n3));
  for (Index k = 0; k < to_.n3; ++k)
    for (std::size_t t = 0; t < axes_[2][k].weights.size(); ++t)
      add_scaled(axes_[2][k].weights[t], in.data() + (axes_[2][k].first + static_cast<Index>(t)) * n1 * n2,
                 slices.data() + k * n1 * n2, n1 * n2);
  std::vector<Real> rows(static_cast<std::size_t>(n1 * to_.n2 * to_.n3));
  for (Index k = 0; k < to_.n3; ++k)
    for (Index j = 0; j < to_.n2; ++j)
      for (std::size_t t = 0; t < axes_[1][j].weights.size(); ++t)
        add_scaled(axes_[1][j].weights[t], slices.data() + (k * n2 + axes_[1][j].first + static_cast<Index>(t)) * n1,
                   rows.data() + (k * to_.n2 + j) * n1, n1);
  std::vector<Real> out(static_cast<std::size_t>(to_.size()));
  for (Index row = 0; row < to_.n2 * to_.n3; ++row)
    for (Index i = 0; i < to_.n1; ++i) {
      const Real* const x = rows.data() + row * n1 + axes_[0][i].first;
      double sum = 0;
      for (std::size_t t = 0; t < axes_[0][i].weights.size(); ++t) sum += axes_[0][i].weights[t] * x[t];
      out[row * to_.n1 + i] = static_cast<Real>(sum);
    }
  return out;
}

Tensor Resizer::adjoint(const Tensor& w) const {
  require_same_shape(w.shape(), to_);
  Tensor rows(Shape{from_.n1, to_.n2, to_.n3});
  for (Index row = 0; row < to_.n2 * to_.n3; ++row)
    for (Index i = 0; i < to_.n1; ++i)
      for (std::size_t t = 0; t < axes_[0][i].weights.size(); ++t)
        rows.data()[row * from_.n1 + axes_[0][i].first + static_cast<Index>(t)] +=
            axes_[0][i].weights[t] * w.data()[row * to_.n1 + i];
  Tensor slices(Shape{from_.n1, from_.n2, to_.n3});
  for (Index k = 0; k < to_.n3; ++k)
    for (Index j = 0; j < to_.n2; ++j)
      for (std::size_t t = 0; t < axes_[1][j].weights.size(); ++t)
        add_scaled(axes_[1][j].weights[t], rows.data() + (k * to_.n2 + j) * from_.n1,
                   slices.data() + (k * from_.n2 + axes_[1][j].first + static_cast<Index>(t)) * from_.n1, from_.n1);
  Tensor out(from_);
  for (Index k = 0; k < to_.n3; ++k)
    for (std::size_t t = 0; t < axes_[2][k].weights.size(); ++t)
      add_scaled(axes_[2][k].weights[t], slices.data() + k * from_.slice(),
                 out.data() + (axes_[2][k].first + static_cast<Index>(t)) * from_.slice(), from_.slice());
  return out;
}

std::vector<Resizer::Part> Resizer::parts_of(Index voxel) const {
  const std::vector<Part>& i = parts_[0][voxel % from_.n1];
  const std::vector<Part>& j = parts_[1][voxel / from_.n1 % from_.n2];
  const std::vector<Part>& k = parts_[2][voxel / from_.slice()];
  std::vector<Part> out;
  for (const Part& c : k)
    for (const Part& b : j)
      for (const Part& a : i)
        out.push_back({a.voxel + to_.n1 * (b.voxel + to_.n2 * c.voxel), a.weight * b.weight * c.weight});
  return out;
}

namespace {

constexpr float any_part = 1e-5F;  ///< of a voxel: less is rounding

/// How much of each voxel lies in the mask.
std::vector<float> shares(const Resizer& resizer, std::span<const std::uint8_t> mask) {
  const std::vector<float> whole(mask.begin(), mask.end());
  return resizer.shrink<float>(whole);
}

std::vector<std::uint8_t> at_least(const std::vector<float>& shares, float least) {
  std::vector<std::uint8_t> out;
  out.reserve(shares.size());
  for (const float share : shares) out.push_back(share >= least);
  return out;
}

}  // namespace

std::vector<std::uint8_t> resize_mask(const Resizer& resizer, std::span<const std::uint8_t> mask) {
  const std::vector<float> share = shares(resizer, mask);
  // Rounding of the sums must not decide about a voxel of which exactly half is inside.
  const float half = 0.5F - 1e-5F;
  return at_least(share, *std::ranges::max_element(share) < half ? any_part : half);
}

std::vector<std::uint8_t> touched(const Resizer& resizer, std::span<const std::uint8_t> mask) {
  return at_least(shares(resizer, mask), any_part);
}

template std::vector<float> Resizer::shrink(std::span<const float>) const;
template std::vector<double> Resizer::shrink(std::span<const double>) const;

}  // namespace sturm
