// SPDX-License-Identifier: BSD-3-Clause
// Loaded volumes kept in a folder under the name of their content, so that the next start maps them instead of reading.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sturm/imaging/load.h"

namespace sturm {

/// A name that changes with any byte of any file, with the order of the samples, with the mask, and with every option
/// that the numbers depend on.
std::string cache_key(const VolumeSet& set, const VolumeLoad& load, Index bytes_a_number);

/// What write_cache() kept under that name; nothing where there is none, or none that is whole.
template <class Real>
std::optional<LoadedVolumes<Real>> read_cache(const std::filesystem::path& folder, const std::string& key,
                                              const VolumeSet& set, const VolumeLoad& load);

/// Writes KEY.npy, in the layout of a Design (of the voxels of its region alone), then KEY.safetensors with the region,
/// the mask and counts, which makes it whole.
template <class Real>
void write_cache(const std::filesystem::path& folder, const std::string& key, const VolumeSet& set,
                 const LoadedVolumes<Real>& loaded);

}  // namespace sturm
