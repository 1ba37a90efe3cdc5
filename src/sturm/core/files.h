// SPDX-License-Identifier: BSD-3-Clause
// Files: read where they are files, and written so that they are either wholly there or not there at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace sturm {

/// Writes beside the target, syncs, then renames: a reader, or a run killed half-way, never meets a torn file.
void write_file(const std::filesystem::path& file, std::string_view bytes);
/// The same for bytes that lie in several places.
void write_file(const std::filesystem::path& file, std::span<const std::string_view> parts);

/// Every reader of a file that the user names calls this first: folders, pipes, devices and sockets are refused at
/// once, since they would block or never end. So is what is not there or may not be looked at.
void require_regular_file(const std::filesystem::path& file);
/// The whole of such a file.
std::string read_file(const std::filesystem::path& file);

/// What a file system said, in words without a full stop: "it does not exist", "you may not look into it".
std::string reason_of(const std::error_code& code);

/// Makes renames in a folder survive a power cut, where its file system can.
void sync_folder(const std::filesystem::path& folder);

}  // namespace sturm
