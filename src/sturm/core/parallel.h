// SPDX-License-Identifier: BSD-3-Clause
// Loops over independent pieces of work.
#pragma once

#include <functional>
#include <memory>

#include "sturm/core/shape.h"

namespace sturm {

/// How many threads loops of the caller may use: what UseThreads says, otherwise OMP_NUM_THREADS or every processor.
int threads();

/// From here to the end of the scope, loops of this thread run on this one and count - 1 others, which nobody else
/// uses: two callers in one process do not meet. 0: as it was. Must end on the thread that it began on.
class UseThreads {
 public:
  explicit UseThreads(int count);
  ~UseThreads();
  UseThreads(const UseThreads&) = delete;
  UseThreads& operator=(const UseThreads&) = delete;

 private:
  struct Scope;
  std::unique_ptr<Scope> scope_;
};

/// Calls body(index, worker) for every index below count, in any order, on at most threads() workers. The cut into
/// indices is the caller's and must not depend on threads(): then neither do the results. A loop inside a loop runs on
/// the worker that called it, helped by those that have nothing to do. The first exception is thrown again here.
/// `operations` is about how many the whole loop takes: waking a worker costs microseconds, and a loop too short for
/// that stays on the caller's thread.
void parallel_for(Index count, const std::function<void(Index index, int worker)>& body, double operations = 1e9);

/// The same for a loop inside another, however short, when workers are about to be free: it is open to them at once.
void parallel_for_expecting_help(Index count, const std::function<void(Index index, int worker)>& body);

/// The same for long pieces of work that have loops of their own, such as the fits of a fold: whoever is done first
/// helps with the loops of the others. So the caller may hold nothing that a thread has for itself. After an exception
/// no other piece is begun.
void side_by_side(Index count, const std::function<void(Index index)>& body);

/// The caller, and the workers that have nothing to do.
int free_threads();

/// Whether a loop of so many operations is shared at all: not where it is too short, and inside another only where
/// somebody is free to help.
bool worth_sharing(double operations);

}  // namespace sturm
