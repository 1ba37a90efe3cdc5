// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/learnt_mask.h"

#include <algorithm>

#include "sturm/imaging/mask.h"

namespace sturm {
namespace {

std::vector<std::uint8_t> both(std::vector<std::uint8_t> mask, const Region& region) {
  const std::vector<std::uint8_t> other = region.mask();
  for (std::size_t v = 0; v < other.size(); ++v) mask[v] = mask[v] && other[v];
  return mask;
}

}  // namespace

template <class Real>
LearntMasks<Real>::LearntMasks(Design<Real> design, std::optional<Design<Real>> rim,
                               std::shared_ptr<const Coverage> coverage, MaskRule rule)
    : design_(std::move(design)), rim_(std::move(rim)), coverage_(std::move(coverage)), rule_(rule) {
  if (design_.shape() != coverage_->shape())
    resizer_ = std::make_shared<const Resizer>(coverage_->shape(), design_.shape());
}

/// With R the resizing, M the mask and A what every volume covers, R(M x) = R(A x) + R(M x - A x): the second part is
/// of voxels of the rim alone.
template <class Real>
Design<Real> LearntMasks<Real>::inside(const Region& region, const std::vector<std::uint8_t>& mask,
                                       std::span<const Index> rows) const {
  const Design<Real> base = part_of(design_, rows, region);
  std::vector<Index> column(static_cast<std::size_t>(region.box().size()), -1);
  for (Index c = 0; c < region.size(); ++c) column[region.voxel(c)] = c;
  const Index samples = base.samples();
  AlignedVector<Real> x(base.x().begin(), base.x().end());
  for (Index r = 0; r < rim_->voxels(); ++r) {
    const Index voxel = rim_->region().voxel(r);
    if (!mask[voxel]) continue;
    const Real* const values = rim_->column(r);
    for (const Resizer::Part& part : resizer_->parts_of(voxel)) {
      if (column[part.voxel] < 0) continue;
      const auto weight = static_cast<Real>(part.weight);
      Real* const out = x.data() + column[part.voxel] * samples;
      for (Index m = 0; m < samples; ++m) out[m] += weight * values[rows.empty() ? m : rows[m]];
    }
  }
  return Design<Real>::owning(region, samples, std::move(x));
}

template <class Real>
Design<Real> LearntMasks<Real>::volumes(std::span<const Index> train, std::span<const Index> rows) const {
  const CoveredVoxels known = covered(train);
  const std::vector<std::uint8_t> mask =
      both(resizer_ && known.kept > 0 ? resize_mask(*resizer_, known.mask) : known.mask, design_.region());
  if (std::ranges::find(mask, std::uint8_t{1}) == mask.end()) refuse_empty_mask(known);
  if (!rim_)
    return part_of(design_, rows, Region(design_.shape(), auto_mask(design_, train, mask, may_be_noise(known))));
  const Region region(design_.shape(), mask);
  const Design<Real> taught = inside(region, known.mask, train);
  const Region final(design_.shape(), auto_mask(taught, {}, {}, may_be_noise(known)));
  if (std::ranges::equal(train, rows)) return part_of(taught, {}, final);
  return inside(final, known.mask, rows);
}

template class LearntMasks<float>;
template class LearntMasks<double>;

}  // namespace sturm
