// SPDX-License-Identifier: BSD-3-Clause
// The safetensors layout: named arrays and a few words, with no code in the file. The Python package `safetensors`
// reads what is written here, and the other way round.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// One array as it lies in the file: little-endian, the last index fastest.
struct StoredArray {
  std::string type;  ///< F64, F32 or U8
  std::vector<Index> shape;
  std::string bytes;
};

struct SafeTensors {
  std::map<std::string, StoredArray> arrays;
  std::map<std::string, std::string> metadata;

  /// The array of that name; an error that names the file where there is none.
  const StoredArray& array(const std::string& name) const;
  /// A word of the metadata, or `otherwise`.
  std::string word(const std::string& name, const std::string& otherwise = {}) const;

  std::string file;  ///< where it was read from, for errors
};

void write_safetensors(const std::filesystem::path& file, const SafeTensors& content);

/// Reads files from anywhere: every size and offset is checked before memory is taken, arrays must lie end to end.
SafeTensors read_safetensors(const std::filesystem::path& file);

/// The bytes of such a file, and back; `name` stands for the file in errors.
std::string file_bytes(const SafeTensors& content);
SafeTensors safetensors_of(const std::string& bytes, const std::string& name);

/// A tensor as an array of three axes, turned into the order of the file and back. float32 arrays are widened.
StoredArray stored(const Tensor& a);
StoredArray stored(std::span<const double> values);
Tensor to_tensor(const StoredArray& array, const std::string& where);

/// An array of one axis with that many finite numbers; throws where it is not.
std::vector<double> to_numbers(const StoredArray& array, Index count, const std::string& where);

/// One byte a voxel, such as a mask.
StoredArray stored(std::span<const std::uint8_t> bytes, const Shape& shape);
std::vector<std::uint8_t> to_bytes(const StoredArray& array, const Shape& shape, const std::string& where);

}  // namespace sturm
