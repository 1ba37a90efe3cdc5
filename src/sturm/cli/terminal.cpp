// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/terminal.h"

#include "sturm/terminal/signals.h"
#include "sturm/terminal/voice.h"

namespace sturm::cli {

Terminal::Terminal(const RunOptions& run, const ProgressGoal& goal) : progress(run.progress, goal), run_(run) {}

void Terminal::say(const std::string& sentence) { tell("say", sentence); }
void Terminal::note(const std::string& sentence) { tell("note", sentence); }
void Terminal::warning(const std::string& sentence) { tell("warning", sentence); }
void Terminal::warn(const std::string& sentence) { tell_plainly("warning", sentence); }
void Terminal::detail(const std::string& sentence) {
  if (run_.verbose) say(sentence);
}

void Terminal::enter(Phase phase) {
  on_signal(phase == Phase::working ? OnSignal::leave : phase == Phase::writing ? OnSignal::finish : OnSignal::ignore);
}

bool Terminal::stop_asked() const { return cli::stop_asked(); }

}  // namespace sturm::cli
