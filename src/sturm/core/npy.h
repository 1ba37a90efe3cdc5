// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy files: float32 and float64 arrays of any byte order and either memory order.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// What the header of an .npy file says, checked against the size of the file.
struct NpyHeader {
  std::vector<Index> shape;
  Index item_bytes = 8;        ///< 4 or 8; 1 for bytes
  bool swapped = false;        ///< not in this machine's byte order
  bool fortran_order = false;  ///< first index fastest
  Index data_offset = 0;

  Index size() const;
};

/// What a reader takes: masks may also be bool or uint8.
enum class NpyTypes { floats, floats_and_bytes };

NpyHeader read_npy_header(const std::filesystem::path& file, NpyTypes types = NpyTypes::floats);

/// The whole array as doubles, in the memory order of the file.
std::vector<double> read_npy(const std::filesystem::path& file, NpyHeader& header);

/// An array of three axes as a tensor; fewer axes are filled up with extents of 1.
Tensor read_npy_tensor(const std::filesystem::path& file);

/// Writes a tensor as a three-axis array in Fortran order (no reordering), beside the target and renamed.
template <class Real>
void write_npy(const std::filesystem::path& file, const BasicTensor<Real>& a);

/// Several tensors of one shape, one after the other, as an array of four axes.
void write_npy_series(const std::filesystem::path& file, const Shape& shape, std::span<const float> values);
void write_npy_series(const std::filesystem::path& file, const Shape& shape, std::span<const double> values);

}  // namespace sturm
