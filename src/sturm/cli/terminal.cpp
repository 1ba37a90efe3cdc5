// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/terminal.h"

#include "sturm/cli/signals.h"
#include "sturm/cli/words.h"

namespace sturm::cli {

Terminal::Terminal(const RunOptions& run, const ProgressGoal& goal)
    : progress(run.progress, goal, run.log_json), run_(run) {}

void Terminal::say(const std::string& sentence) { cli::say(run_, "{}", in_flags(sentence)); }
void Terminal::note(const std::string& sentence) { cli::say(run_, "note: {}", in_flags(sentence)); }
void Terminal::warn(const std::string& sentence) { fmt::print(stderr, "{}\n", in_flags(sentence)); }
void Terminal::detail(const std::string& sentence) {
  if (run_.verbose) cli::say(run_, "{}", in_flags(sentence));
}

void Terminal::enter(Phase phase) {
  on_signal(phase == Phase::working ? OnSignal::leave : phase == Phase::writing ? OnSignal::finish : OnSignal::ignore);
}

bool Terminal::stop_asked() const { return cli::stop_asked(); }

}  // namespace sturm::cli
