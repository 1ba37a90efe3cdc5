// SPDX-License-Identifier: BSD-3-Clause
// Work tells Python how it goes, and stops where Ctrl-C was pressed.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "python/bindings/bind.h"
#include "sturm/app/events.h"

namespace sturm::python {

/// Calls `tell(kind, text, done, total)` of Python: kinds are note, warning, detail, stage, progress and close. The
/// work runs without the GIL; what it says is told with it. Ten times a second the thread that made the call asks
/// Python for signals; what other threads count is not shown.
class PythonEvents : public Events {
 public:
  explicit PythonEvents(nb::object tell) : tell_(std::move(tell)) {}

  void say(const std::string& sentence) override { told("note", sentence); }
  void note(const std::string& sentence) override { told("note", sentence); }
  void warning(const std::string& sentence) override { told("warning", sentence); }
  void warn(const std::string& sentence) override { told("warning", sentence); }
  void detail(const std::string& sentence) override { told("detail", sentence); }
  void stage(const std::string& what) override {
    stage_ = what;
    told("stage", what);
  }
  void count(Index done, Index total) override {
    if (look()) told("progress", stage_, static_cast<double>(done), static_cast<double>(total));
  }
  void advance(double fraction, const std::string& words) override {
    if (look()) told("progress", words, fraction, 1);
  }
  void close() override { told("close", stage_); }
  bool report(const FitProgress& now) override {
    if (look()) told("progress", "fit", now.total - now.active, now.total);
    return !stopped_;
  }
  bool stop_asked() const override {
    const_cast<PythonEvents*>(this)->look();
    return stopped_;
  }

 private:
  void told(const char* kind, const std::string& text, double done = 0, double total = 0);
  /// Whether a tenth of a second has passed since the last look of the caller's thread, at which signals are asked for.
  bool look();
  /// Keeps the exception that is set, which the call then ends with.
  void stop() { stopped_ = true; }

  nb::object tell_;
  std::string stage_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopped_ = false;
};

}  // namespace sturm::python
