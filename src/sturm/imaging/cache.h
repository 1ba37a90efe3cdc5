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

/// What write_cache() kept under that name; nothing where there is none, or none that is whole and as it was written:
/// every byte is under a checksum. `why` then says in a sentence what is wrong with what is there; empty: there is
/// none.
template <class Real>
std::optional<LoadedVolumes<Real>> read_cache(const std::filesystem::path& folder, const std::string& key,
                                              const VolumeSet& set, const VolumeLoad& load, std::string* why = nullptr);

/// Writes KEY.npy, in the layout of a Design (of the voxels of its region alone), then KEY.safetensors with the region,
/// the mask, what the volumes cover, counts and the checksums, which makes it whole.
template <class Real>
void write_cache(const std::filesystem::path& folder, const std::string& key, const VolumeSet& set,
                 const LoadedVolumes<Real>& loaded);

}  // namespace sturm
