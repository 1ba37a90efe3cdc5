// SPDX-License-Identifier: BSD-3-Clause
// One line that says how far work is, for whatever width a terminal has.
#pragma once

#include <string>

namespace sturm {

/// "12 s", "3 min 20 s", "2 h 5 min"
std::string format_seconds(double seconds);

struct ProgressLine {
  double done = 0;           ///< from 0 to 1
  double seconds_left = -1;  ///< negative: not known yet
  std::string what;          ///< at what the work is
};

/// "about 3 min 20 s left  37 %  ####------  task 3 of 110": the time first, since that is what people look for; then
/// what there is room for. Never wider than `columns`.
std::string progress_line(const ProgressLine& now, int columns, bool utf8);

/// The same for a line that stays: "37 %  task 3 of 110, about 3 min 20 s left".
std::string plain_progress(const ProgressLine& now);

}  // namespace sturm
