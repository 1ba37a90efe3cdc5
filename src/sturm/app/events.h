// SPDX-License-Identifier: BSD-3-Clause
// What work tells whoever asked for it while it runs, and how it learns that it should stop. A front door shows it in
// its own way; the work itself prints nothing.
#pragma once

#include <functional>
#include <string>

#include "sturm/core/shape.h"
#include "sturm/solver/progress.h"

namespace sturm {

/// What a stop would meet.
enum class Phase {
  working,  ///< nothing is on disk: the program may end at once
  writing,  ///< what is begun is finished first
  written,  ///< the results are in place
};

class Events {
 public:
  Events() = default;
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  virtual ~Events() = default;

  virtual void say(const std::string& /*sentence*/) {}      ///< how it goes
  virtual void note(const std::string& /*sentence*/) {}     ///< what the user should know
  virtual void warning(const std::string& /*sentence*/) {}  ///< what is odd with the data
  virtual void warn(const std::string& /*sentence*/) {}     ///< what went wrong beside the work, which goes on
  virtual void detail(const std::string& /*sentence*/) {}   ///< for those who want to know more

  virtual void stage(const std::string& /*what*/) {}      ///< begins; what is counted next belongs to it
  virtual void count(Index /*done*/, Index /*total*/) {}  ///< pieces of the stage
  virtual void advance(double /*fraction*/, const std::string& /*words*/) {}  ///< of long work, and at what it is
  virtual void close() {}                                                     ///< no stage is under way
  virtual bool report(const FitProgress& /*now*/) { return true; }            ///< where a fit is; false asks to stop

  virtual void enter(Phase /*phase*/) {}
  virtual bool stop_asked() const { return false; }
};

/// Throws Interrupted where a stop was asked for.
inline void stop_if_asked(const Events& events) {
  if (events.stop_asked()) throw Interrupted();
}

/// Work that is done whole or not at all, in the middle of other work.
inline void do_whole(Events& events, const std::function<void()>& work) {
  events.enter(Phase::writing);
  work();
  stop_if_asked(events);
  events.enter(Phase::working);
}

}  // namespace sturm
