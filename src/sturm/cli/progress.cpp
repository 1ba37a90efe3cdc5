// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sturm/cli/signals.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

int terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

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

std::string bar_of(double done, int width) {
  const bool utf8 = terminal_speaks_utf8();
  const int full = static_cast<int>(std::lround(done * width));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? (utf8 ? "\u2501" : "#") : (utf8 ? "\u2500" : "-");
  return bar;
}

}  // namespace

double fraction_done(const ProgressGoal& goal, const FitProgress& now) {
  const double finished = now.total > 0 ? 1 - static_cast<double>(now.active) / now.total : 0;
  double current = goal.iterations > 0 ? static_cast<double>(now.iteration) / goal.iterations : 0;
  if (goal.gap > 0 && goal.gap < 1 && now.gap > 0 && now.gap < 1)
    current = std::max(current, std::log(now.gap) / std::log(goal.gap));
  return std::clamp(finished + (1 - finished) * std::clamp(current, 0.0, 1.0), 0.0, 1.0);
}

std::string format_seconds(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(0.0, seconds));
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(ProgressMode mode, const ProgressGoal& goal, const std::string& log_json)
    : mode_(chosen(mode)), goal_(goal), log_(nullptr, std::fclose), next_(pace(mode_).first) {
  if (log_json.empty()) return;
  log_.reset(std::fopen(log_json.c_str(), "a"));
  if (!log_) throw Error(log_json + ": cannot be written; check the path given to --log-json.");
}

Progress::~Progress() { close(); }

void Progress::event(const ordered_json& what) {
  const std::string line = what.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (mode_ == ProgressMode::json) fmt::print(stderr, "{}", line);
  if (log_) {
    std::fputs(line.c_str(), log_.get());
    std::fflush(log_.get());
  }
}

void Progress::stage(const std::string& what) {
  begin_ = Clock::now();
  next_ = pace(mode_).first;
  done_ = 0;
  begun_at_ = -1;
  stage_ = what;
  event({{"event", "stage"}, {"stage", what}});
  if (mode_ == ProgressMode::bar) show(what + " ...");
}

void Progress::show(const std::string& line) {
  fmt::print(stderr, "\r\033[K {}", line);
  std::fflush(stderr);
  open_ = true;
  bar_is_open(true);
}

void Progress::count(Index done, Index total) {
  const double seconds = elapsed();
  done_ = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, total));
  if (seconds < next_) return;
  next_ = seconds + pace(mode_).then;
  if (mode_ == ProgressMode::json || log_)
    event({{"event", "loading"}, {"stage", stage_}, {"seconds", seconds}, {"done", done}, {"total", total}});
  if (mode_ == ProgressMode::bar || mode_ == ProgressMode::plain)
    draw_line(fmt::format("{:3.0f} %  {}: {} of {}", std::floor(100 * done_), stage_, done, total), seconds);
}

void Progress::advance(double fraction, const std::string& words) {
  const double seconds = elapsed();
  if (begun_at_ < 0) begun_at_ = fraction;
  done_ = fraction;
  if (seconds < next_) return;
  next_ = seconds + pace(mode_).then;
  const double gone = fraction - begun_at_, left = seconds * (1 - fraction) / std::max(gone, 1e-9);
  const bool known = seconds > 2 && gone > 0.01 * (1 - begun_at_);
  if (mode_ == ProgressMode::json || log_) {
    ordered_json what = {{"event", "progress"}, {"seconds", seconds}, {"done", fraction}, {"at", words}};
    if (known) what["seconds_left"] = left;
    event(what);
  }
  const std::string eta = known ? "  about " + format_seconds(left) + " left" : "";
  if (mode_ == ProgressMode::bar || mode_ == ProgressMode::plain)
    draw_line(fmt::format("{:3.0f} %  {}{}", std::floor(100 * done_), words, eta), seconds);
}

bool Progress::report(const FitProgress& now) {
  if (stop_asked()) return false;
  const double seconds = elapsed();
  done_ = std::max(done_, fraction_done(goal_, now));
  if (seconds < next_) return true;
  next_ = seconds + pace(mode_).then;
  if (mode_ == ProgressMode::json || log_)
    event({{"event", "progress"},
           {"seconds", seconds},
           {"iteration", now.iteration},
           {"gap", now.gap},
           {"active", now.active},
           {"total", now.total}});
  if (mode_ == ProgressMode::bar || mode_ == ProgressMode::plain) draw(now, seconds);
  return true;
}

void Progress::draw(const FitProgress& now, double seconds) {
  // Early on the rate says little; an estimate that jumps about is worse than none.
  const double left = seconds * (1 - done_) / std::max(done_, 1e-9);
  const std::string eta = seconds > 1 && done_ > 0.02 ? "  about " + format_seconds(left) + " left" : "";
  const std::string goal = goal_.gap > 0 ? fmt::format(" (goal {:.0e})", goal_.gap) : "";
  const std::string many = now.total > 1 ? fmt::format("  {} of {} done", now.total - now.active, now.total) : "";
  const std::string words = fmt::format("{:3.0f} %{}  iteration {}  gap {:.1e}{}{}", std::floor(100 * done_), many,
                                        now.iteration, now.gap, goal, eta);
  draw_line(words, seconds);
}

void Progress::draw_line(const std::string& words, double seconds) {
  if (mode_ == ProgressMode::plain) {
    fmt::print(stderr, "sturm: {} after {}\n", words.substr(words.find_first_not_of(' ')), format_seconds(seconds));
    return;
  }
  const int room = terminal_columns() - static_cast<int>(words.size()) - 4;
  const std::string bar = room < 8 ? "" : bar_of(done_, std::min(room, 40)) + " ";
  const auto fits = static_cast<std::size_t>(std::max(1, terminal_columns() - 2));
  show(bar.empty() ? words.substr(0, fits) : bar + words);
}

void Progress::close() {
  if (!open_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  open_ = false;
  bar_is_open(false);
}

}  // namespace sturm::cli
