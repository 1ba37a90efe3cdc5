// SPDX-License-Identifier: BSD-3-Clause
// How much memory there is, and sizes as people write them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sturm/core/shape.h"

namespace sturm {

/// Bytes that can be taken without swapping: what the kernel calls available, or less where a control group
/// (a container, a Slurm job) allows less. `root` is where /proc and /sys are found; other than "/" in tests alone.
Index memory_available(const std::filesystem::path& root = "/");

/// "4G", "1.5 GiB", "512M", "100000": steps of 1024. Throws UsageError naming `option`.
Index parse_bytes(std::string_view text, std::string_view option);

/// "1.5 GiB"
std::string format_bytes(Index bytes);

}  // namespace sturm
