// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/memory.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// The number after `key` in a file of "key number" lines; an empty key reads a file of one number. "max" is none.
std::optional<Index> number_in(const fs::path& file, const std::string& key = {}) {
  std::ifstream in(file);
  std::string word;
  if (!key.empty())
    while (in >> word && word != key) {
    }
  Index value = 0;
  if (in >> value) return value;
  return {};
}

/// What one control group leaves: its limit less what it uses, where files kept in memory can be given up.
std::optional<Index> left_in(const fs::path& group, const char* limit, const char* usage, const char* cached) {
  const auto most = number_in(group / limit), used = number_in(group / usage);
  if (!most || !used) return {};
  const Index reclaimable = number_in(group / "memory.stat", cached).value_or(0);
  return std::max<Index>(0, *most - std::max<Index>(0, *used - reclaimable));
}

/// This process's groups from its own up to the root of the hierarchy: each of them limits.
Index left_in_groups(const fs::path& root) {
  Index least = std::numeric_limits<Index>::max();
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1);
    const bool unified = kinds.empty();
    if (!unified && ("," + kinds + ",").find(",memory,") == std::string::npos) continue;
    fs::path below = fs::path(line.substr(second + 1)).relative_path();
    for (bool more = true; more;) {
      const fs::path group = root / (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/memory") / below;
      const auto left = unified
                            ? left_in(group, "memory.max", "memory.current", "inactive_file")
                            : left_in(group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
      least = std::min(least, left.value_or(least));
      more = !below.empty();
      below = below.parent_path();
    }
  }
  return least;
}

}  // namespace

Index memory_available(const fs::path& root) {
  const auto kib = number_in(root / "proc/meminfo", "MemAvailable:");
  const Index machine = kib ? *kib * 1024 : std::numeric_limits<Index>::max();
  return std::min(machine, left_in_groups(root));
}

Index parse_bytes(std::string_view text, std::string_view option) {
  const auto fail = [&] {
    throw UsageError(option_name(option) + " is a size such as 4G or 512M, not '" + std::string(text) + "'.");
  };
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || !(value > 0) || !std::isfinite(value)) fail();
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  if (unit.ends_with('B') || unit.ends_with('b')) unit.pop_back();
  if (unit.ends_with('i')) unit.pop_back();
  const std::string_view units = "kmgt";
  if (unit.size() > 1) fail();
  if (unit.size() == 1) {
    const auto step = units.find(static_cast<char>(unit[0] | 0x20));
    if (step == std::string_view::npos) fail();
    value = std::ldexp(value, static_cast<int>(10 * (step + 1)));
  }
  if (value >= 0x1p62 || value < 1) fail();
  return static_cast<Index>(value);
}

std::string format_bytes(Index bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  int step = 0;
  for (; value >= 1024 && step < 6; ++step) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, step == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[step]);
  return text;
}

}  // namespace sturm
