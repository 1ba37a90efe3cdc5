// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/terminal/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sturm/terminal/signals.h"
#include "sturm/terminal/voice.h"
#include "sturm/text/width.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

bool terminal_speaks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      const std::string_view text = value;
      return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    }
  }
  return false;
}

ProgressMode chosen(ProgressMode mode) {
  if (mode == ProgressMode::automatic && speaks_json()) return ProgressMode::json;
  if (mode != ProgressMode::automatic) return mode;
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) && !dumb ? ProgressMode::bar : ProgressMode::plain;
}

/// Seconds between two signs of life, and before the first: a fast fit shows no more than its summary.
struct Pace {
  double first, then;
};
Pace pace(ProgressMode mode) {
  if (mode == ProgressMode::bar) return {0.2, 0.1};
  return mode == ProgressMode::json ? Pace{0, 0.5} : Pace{3, 5};
}

}  // namespace

double fraction_done(const ProgressGoal& goal, const FitProgress& now) {
  const double finished = now.total > 0 ? 1 - static_cast<double>(now.active) / now.total : 0;
  double current = goal.iterations > 0 ? static_cast<double>(now.iteration) / goal.iterations : 0;
  if (goal.gap > 0 && goal.gap < 1 && now.gap > 0 && now.gap < 1)
    current = std::max(current, std::log(now.gap) / std::log(goal.gap));
  return std::clamp(finished + (1 - finished) * std::clamp(current, 0.0, 1.0), 0.0, 1.0);
}

int terminal_columns(int stream) {
  const char* const said = std::getenv("COLUMNS");
  const int columns = said == nullptr ? 0 : std::atoi(said);
  if (columns > 0) return std::min(columns, 1000);
  winsize size{};
  return ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

Progress::Progress(ProgressMode mode, const ProgressGoal& goal)
    : mode_(chosen(mode)), goal_(goal), next_(pace(mode_).first) {
  if (mode_ == ProgressMode::json) speak_json();
}

Progress::~Progress() { close(); }

void Progress::stage(const std::string& what) {
  begin_ = Clock::now();
  next_ = pace(mode_).first;
  done_ = 0;
  begun_at_ = -1;
  stage_ = what;
  tell_event({{"event", "stage"}, {"stage", what}});
  if (mode_ == ProgressMode::bar) show(what + " ...");
}

void Progress::show(const std::string& line) {
  draw("\r\033[K " + shortened(line, terminal_columns(STDERR_FILENO) - 2));
  open_ = true;
  bar_is_open(true);
}

bool Progress::time_to_speak(double seconds) {
  if (seconds < next_) return false;
  next_ = seconds + pace(mode_).then;
  return true;
}

void Progress::count(Index done, Index total) {
  const double seconds = elapsed();
  done_ = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, total));
  if (!time_to_speak(seconds)) return;
  tell_event({{"event", "loading"}, {"stage", stage_}, {"seconds", seconds}, {"done", done}, {"total", total}});
  if (writes_lines()) draw_line({done_, -1, fmt::format("{}: {} of {}", stage_, done, total)}, seconds);
}

void Progress::advance(double fraction, const std::string& words) {
  const double seconds = elapsed();
  if (begun_at_ < 0) begun_at_ = fraction;
  done_ = fraction;
  if (!time_to_speak(seconds)) return;
  const double gone = fraction - begun_at_;
  const bool known = seconds > 2 && gone > 0.01 * (1 - begun_at_);
  const double left = known ? seconds * (1 - fraction) / std::max(gone, 1e-9) : -1;
  ordered_json what = {{"event", "progress"}, {"seconds", seconds}, {"done", fraction}, {"at", words}};
  if (known) what["seconds_left"] = left;
  tell_event(what);
  if (writes_lines()) draw_line({done_, left, words}, seconds);
}

bool Progress::report(const FitProgress& now) {
  if (stop_asked()) return false;
  const double seconds = elapsed();
  done_ = std::max(done_, fraction_done(goal_, now));
  if (!time_to_speak(seconds)) return true;
  tell_event({{"event", "progress"},
              {"seconds", seconds},
              {"iteration", now.iteration},
              {"gap", now.gap},
              {"active", now.active},
              {"total", now.total}});
  if (!writes_lines()) return true;
  // Early on the rate says little; an estimate that jumps about is worse than none.
  const double left = seconds > 1 && done_ > 0.02 ? seconds * (1 - done_) / done_ : -1;
  const std::string goal = goal_.gap > 0 ? fmt::format(" (goal {:.0e})", goal_.gap) : "";
  const std::string many = now.total > 1 ? fmt::format("{} of {} done  ", now.total - now.active, now.total) : "";
  draw_line({done_, left, fmt::format("{}iteration {}  gap {:.1e}{}", many, now.iteration, now.gap, goal)}, seconds);
  return true;
}

void Progress::draw_line(const ProgressLine& line, double seconds) {
  if (mode_ == ProgressMode::plain)
    draw(fmt::format("sturm: {} after {}\n", plain_progress(line), format_seconds(seconds)));
  else
    show(progress_line(line, terminal_columns(STDERR_FILENO) - 2, terminal_speaks_utf8()));
}

void Progress::close() {
  if (!open_) return;
  draw("\r\033[K");
  open_ = false;
  bar_is_open(false);
}

}  // namespace sturm::cli
