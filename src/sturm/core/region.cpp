// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/region.h"

namespace sturm {

Region::Region(const Shape& box, std::span<const std::uint8_t> mask) : box_(box.check()) {
  if (mask.empty()) return;
  if (static_cast<Index>(mask.size()) != box.size())
    throw Error("the mask has " + std::to_string(mask.size()) + " voxels and the volumes have " +
                std::to_string(box.size()));
  std::vector<Index> voxels;
  for (Index v = 0; v < box.size(); ++v)
    if (mask[v]) voxels.push_back(v);
  if (voxels.empty()) throw Error("the mask is empty: no voxel is left to learn from");
  if (static_cast<Index>(voxels.size()) < box.size())
    voxels_ = std::make_shared<const std::vector<Index>>(std::move(voxels));
}

std::vector<std::uint8_t> Region::mask() const {
  if (whole()) return {};
  std::vector<std::uint8_t> out(box_.size());
  for (const Index v : *voxels_) out[v] = 1;
  return out;
}

bool Region::operator==(const Region& other) const {
  if (box_ != other.box_ || whole() != other.whole()) return false;
  return whole() || voxels_ == other.voxels_ || *voxels_ == *other.voxels_;
}

}  // namespace sturm
