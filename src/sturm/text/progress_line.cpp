// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/progress_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/text/width.h"

namespace sturm {
namespace {

constexpr int shortest_bar = 8, longest_bar = 24;

std::string bar_of(double done, int width, bool utf8) {
  const int full = static_cast<int>(std::lround(done * width));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? (utf8 ? "\u2501" : "#") : (utf8 ? "\u2500" : "-");
  return bar;
}

std::string percent(double done) { return fmt::format("{:.0f} %", std::floor(100 * std::clamp(done, 0.0, 1.0))); }

std::string time_left(const ProgressLine& now) {
  return now.seconds_left < 0 ? "" : "about " + format_seconds(now.seconds_left) + " left";
}

}  // namespace

std::string format_seconds(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_line(const ProgressLine& now, int columns, bool utf8) {
  std::string line = time_left(now);
  line += (line.empty() ? "" : "  ") + fmt::format("{:>5}", percent(now.done));
  const int room = columns - width_of(line), words = width_of(now.what);
  // What is done is worth more than a bar, and a bar takes what the words leave.
  const int bar = std::min(room - 4 - words, longest_bar);
  if (bar >= shortest_bar) line += "  " + bar_of(now.done, bar, utf8);
  if (room > 10) line += "  " + shortened(now.what, columns - width_of(line) - 2);
  return shortened(line, columns);
}

std::string plain_progress(const ProgressLine& now) {
  const std::string left = time_left(now);
  return percent(now.done) + "  " + now.what + (left.empty() ? "" : ", " + left);
}

}  // namespace sturm
