// SPDX-License-Identifier: BSD-3-Clause
// Files by a pattern, as a shell finds them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sturm {

/// Whether a path has a * or a ? in it.
bool is_pattern(std::string_view path);

/// Whether a name fits a pattern: * stands for any characters, ? for one.
bool fits_pattern(std::string_view name, std::string_view pattern);

/// What fits a pattern, folder by folder, in the order of the names. * and ? stand for no slash, nor for the dot that
/// a hidden name begins with. Folders that may not be looked into hold nothing.
std::vector<std::filesystem::path> files_that_fit(const std::filesystem::path& pattern);

}  // namespace sturm
