// SPDX-License-Identifier: BSD-3-Clause
// What a file or folder is, for sturm info.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sturm {

/// Keys and values in the order a person wants them, the first of them "kind". Throws where it cannot be read.
nlohmann::ordered_json describe_file(const std::filesystem::path& path);
/// The same as lines of text.
std::string lines_of_file(const nlohmann::ordered_json& facts);

/// Whether a file is named like a volume, or begins like one.
bool may_be_volume(const std::filesystem::path& file);
/// The same for a volume: its header, and its voxels read to the end.
nlohmann::ordered_json describe_volume(const std::filesystem::path& file);

}  // namespace sturm
