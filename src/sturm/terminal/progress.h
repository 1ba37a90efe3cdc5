// SPDX-License-Identifier: BSD-3-Clause
// What a person or a program sees of work while it runs: a bar, lines, or JSON, all on stderr.
#pragma once

#include <chrono>
#include <string>

#include "sturm/core/options.h"
#include "sturm/core/shape.h"
#include "sturm/solver/progress.h"
#include "sturm/text/progress_line.h"

namespace sturm {

enum class ProgressMode { automatic, bar, plain, json, none };
template <>
inline std::vector<std::string> names_of<ProgressMode>() {
  return {"auto", "bar", "plain", "json", "none"};
}

namespace cli {

/// Where a fit is going: `gap` is 0 where it runs a fixed number of iterations.
struct ProgressGoal {
  double gap = 1e-3;
  int iterations = 5000;
};

/// How much of the way is behind us, from 0 to 1. The gap falls by factors, so it counts on a logarithmic scale.
double fraction_done(const ProgressGoal& goal, const FitProgress& now);

/// The columns of the terminal behind a stream: what COLUMNS says, or the terminal itself, or 80.
int terminal_columns(int stream);

class Progress {
 public:
  /// auto: a bar on a terminal, lines elsewhere.
  Progress(ProgressMode mode, const ProgressGoal& goal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What happens before there are iterations to count: a word in place of the bar. Time is counted from here.
  void stage(const std::string& what);
  /// How many of `total` pieces of the stage are done; not too often.
  void count(Index done, Index total);
  /// How much of a long piece of work is done, from 0 to 1, and at what it is; not too often. The time that is left is
  /// reckoned from the first call after stage().
  void advance(double fraction, const std::string& words);
  /// Shows where the fit is, not too often. False once a signal asked to stop.
  bool report(const FitProgress& now);
  /// Takes the bar away.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool time_to_speak(double seconds);
  bool writes_lines() const { return mode_ == ProgressMode::bar || mode_ == ProgressMode::plain; }
  void draw_line(const ProgressLine& line, double seconds);
  void show(const std::string& line);

  ProgressMode mode_;
  ProgressGoal goal_;
  Clock::time_point begin_ = Clock::now();
  double next_ = 0;       ///< seconds from begin_ at which to speak again
  double done_ = 0;       ///< the furthest fraction so far: a bar does not go back
  double begun_at_ = -1;  ///< the fraction of the first advance()
  bool open_ = false;
  std::string stage_;
};

}  // namespace cli
}  // namespace sturm
