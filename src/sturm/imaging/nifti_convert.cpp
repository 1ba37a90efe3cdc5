// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/nifti_convert.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sturm {
namespace {

template <std::size_t bytes>
using Word = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class W>
W turned(W word) {
  if constexpr (sizeof(W) == 8)
    return __builtin_bswap64(word);
  else if constexpr (sizeof(W) == 4)
    return __builtin_bswap32(word);
  else if constexpr (sizeof(W) == 2)
    return __builtin_bswap16(word);
  else
    return word;
}

template <class Stored, bool swapped>
Stored stored_at(const std::byte* from, std::size_t i) {
  Word<sizeof(Stored)> word;  // NOLINT(cppcoreguidelines-init-variables): filled on the next line
  std::memcpy(&word, from + i * sizeof(Stored), sizeof word);
  return std::bit_cast<Stored>(swapped ? turned(word) : word);
}

// One pass over memory: swap, widen, scale, store. Compilers turn each of these loops into vector code.
template <class Stored, bool swapped, class Real>
void convert(const VolumeInfo& info, const std::byte* from, std::span<Real> to) {
  if (info.slope == 1 && info.intercept == 0) {
    if constexpr (std::is_same_v<Stored, Real> && !swapped)
      std::memcpy(to.data(), from, to.size_bytes());
    else
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<Real>(stored_at<Stored, swapped>(from, i));
    return;
  }
  // x + -0.0 is x for every x, while -0.0 + 0.0 is 0.0: a file without an intercept keeps its zeros' signs.
  const double slope = info.slope, intercept = info.intercept == 0 ? -0.0 : info.intercept;
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<Real>(static_cast<double>(stored_at<Stored, swapped>(from, i)) * slope + intercept);
}

template <class Stored, class Real>
void convert(const VolumeInfo& info, const std::byte* from, std::span<Real> to) {
  info.swapped && sizeof(Stored) > 1 ? convert<Stored, true>(info, from, to) : convert<Stored, false>(info, from, to);
}

}  // namespace

template <class Real>
void convert_voxels(const VolumeInfo& info, std::span<const std::byte> from, std::span<Real> to) {
  switch (info.type) {
    case VoxelType::uint8: return convert<std::uint8_t>(info, from.data(), to);
    case VoxelType::int8: return convert<std::int8_t>(info, from.data(), to);
    case VoxelType::int16: return convert<std::int16_t>(info, from.data(), to);
    case VoxelType::uint16: return convert<std::uint16_t>(info, from.data(), to);
    case VoxelType::int32: return convert<std::int32_t>(info, from.data(), to);
    case VoxelType::uint32: return convert<std::uint32_t>(info, from.data(), to);
    case VoxelType::int64: return convert<std::int64_t>(info, from.data(), to);
    case VoxelType::uint64: return convert<std::uint64_t>(info, from.data(), to);
    case VoxelType::float32: return convert<float>(info, from.data(), to);
    case VoxelType::float64: return convert<double>(info, from.data(), to);
  }
}

template void convert_voxels(const VolumeInfo&, std::span<const std::byte>, std::span<float>);
template void convert_voxels(const VolumeInfo&, std::span<const std::byte>, std::span<double>);

}  // namespace sturm
