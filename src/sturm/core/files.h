// SPDX-License-Identifier: BSD-3-Clause
// Files that are either wholly there or not there at all.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace sturm {

/// Writes beside the target, syncs, then renames: a reader, or a run killed half-way, never meets a torn file.
void write_file(const std::filesystem::path& file, std::string_view bytes);
/// The same for bytes that lie in several places.
void write_file(const std::filesystem::path& file, std::span<const std::string_view> parts);

/// Makes renames in a folder survive a power cut, where its file system can.
void sync_folder(const std::filesystem::path& folder);

}  // namespace sturm
