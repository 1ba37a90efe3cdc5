// SPDX-License-Identifier: BSD-3-Clause
// What a file or folder is, for sturm info.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace sturm::cli {

/// Keys and values in the order a person wants them, the first of them "kind". Throws where it cannot be read.
nlohmann::ordered_json describe_file(const std::filesystem::path& path);

}  // namespace sturm::cli
