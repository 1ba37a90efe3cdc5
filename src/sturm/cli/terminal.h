// SPDX-License-Identifier: BSD-3-Clause
// The events of work on a terminal: words and a bar on stderr, signals from the keyboard.
#pragma once

#include <string>

#include "sturm/app/events.h"
#include "sturm/cli/run_options.h"
#include "sturm/terminal/progress.h"

namespace sturm::cli {

class Terminal : public Events {
 public:
  Terminal(const RunOptions& run, const ProgressGoal& goal);

  void say(const std::string& sentence) override;
  void note(const std::string& sentence) override;
  void warning(const std::string& sentence) override;
  void warn(const std::string& sentence) override;
  void detail(const std::string& sentence) override;
  void stage(const std::string& what) override { progress.stage(what); }
  void count(Index done, Index total) override { progress.count(done, total); }
  void advance(double fraction, const std::string& words) override { progress.advance(fraction, words); }
  void close() override { progress.close(); }
  bool report(const FitProgress& now) override { return progress.report(now); }
  void enter(Phase phase) override;
  bool stop_asked() const override;

  Progress progress;

 private:
  const RunOptions& run_;
};

}  // namespace sturm::cli
