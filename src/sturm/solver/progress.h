// SPDX-License-Identifier: BSD-3-Clause
// How a long solve speaks to whoever waits for it.
#pragma once

#include <functional>

#include "sturm/core/error.h"

namespace sturm {

/// Called now and then from the thread that called fit; returns false to stop (the fit then throws Interrupted). The
/// last call, with none active, has the worst gap of all as it was proven, and nothing is left to stop.
struct FitProgress {
  int iteration = 0;
  double gap = 1;
  int active = 1, total = 1;  ///< problems under way, problems in all
};
using ProgressCallback = std::function<bool(const FitProgress&)>;

/// Thrown when a progress callback asked to stop. The program exits with 75.
class Interrupted : public Error {
 public:
  Interrupted() : Error("stopped before the end, as asked") {}
};

}  // namespace sturm
