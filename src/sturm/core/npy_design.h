// SPDX-License-Identifier: BSD-3-Clause
// From an .npy file to a design matrix or a mask.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/core/npy.h"

namespace sturm {

/// How a file of (M, I1, I2, I3) becomes a design: rows kept (empty: all) and the most bytes it may take.
struct DesignLoad {
  std::span<const Index> rows;  ///< rising
  Index memory = 0;             ///< 0: what is available
};

/// The header of a file that load_design() takes: four axes, none of them empty. Throws otherwise.
NpyHeader read_design_header(const std::filesystem::path& file);

/// The bytes that load_design() takes for such a file: 0 where it is used in place.
template <class Real>
Index design_bytes(const NpyHeader& header, const DesignLoad& how = {});

/// An array of four axes (samples, I1, I2, I3), float32 or float64 in any byte order and either memory order.
/// Fortran order in this machine's bytes and of type Real is the layout of a Design: it is mapped and used in place,
/// without a copy. All else is converted block by block, and pages of the file are given up as they are done.
template <class Real>
Design<Real> load_design(const std::filesystem::path& file, const DesignLoad& how = {});

/// A mask of three axes: bool, uint8, float32 or float64, where not 0 means inside, and NaN outside; one byte (0 or 1)
/// per voxel in the order of a Tensor. Throws where its shape is not `expected` or no voxel is inside.
std::vector<std::uint8_t> load_mask(const std::filesystem::path& file, const Shape& expected);

}  // namespace sturm
