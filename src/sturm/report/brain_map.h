// SPDX-License-Identifier: BSD-3-Clause
// A map as a report takes it from a folder of results: .nii.gz with a place in the world, or .npy without.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/imaging/grid.h"

namespace sturm {

struct BrainMap {
  TensorF values;         ///< finite: what is not counts as 0
  Affine affine;          ///< the identity where there is no world
  bool in_world = false;  ///< false: an array

  Grid grid() const { return {values.shape(), affine}; }
};

/// A file in one of the two forms. Throws where it cannot be read.
BrainMap read_map(const std::filesystem::path& file);

/// folder/STEM.nii.gz or folder/STEM.npy; none where neither is there.
std::optional<BrainMap> find_map(const std::filesystem::path& folder, const std::string& stem);

/// The same for a file of several maps, along its last axis; empty where there is none.
std::vector<BrainMap> find_series(const std::filesystem::path& folder, const std::string& stem);

/// Writes STEM.nii.gz, or STEM.npy where the map has no world; the name of the file.
std::string write_map(const std::filesystem::path& folder, const std::string& stem, const BrainMap& map,
                      const std::string& description);

/// The same for several maps of one grid, at least one. Where all values are whole numbers from 0 to 255, a NIfTI file
/// has one byte per voxel; otherwise float32.
std::string write_series(const std::filesystem::path& folder, const std::string& stem,
                         const std::vector<BrainMap>& maps, const std::string& description);

/// The values at the voxels of another grid, linearly; 0 where the map does not reach. Arrays must have its shape.
BrainMap map_on(const BrainMap& map, const Grid& grid, const std::string& name);

/// The largest absolute value.
double limit_of(const BrainMap& map);

}  // namespace sturm
