// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "sturm/core/error.h"

namespace sturm {
namespace {

std::atomic<int> requested{0};
thread_local bool inside = false;

}  // namespace

int threads() { return requested > 0 ? requested.load() : omp_get_max_threads(); }

void set_threads(int count) {
  if (count < 1) throw UsageError("--threads must be at least 1, not " + std::to_string(count));
  requested = count;
}

void parallel_for(Index count, const std::function<void(Index, int)>& body) {
  const int team = inside ? 1 : static_cast<int>(std::min<Index>(threads(), count));
  if (team <= 1) {
    for (Index i = 0; i < count; ++i) body(i, 0);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel num_threads(team)
  {
    inside = true;
#pragma omp for schedule(dynamic, 1)
    for (Index i = 0; i < count; ++i) {
      try {
        body(i, omp_get_thread_num());
      } catch (...) {
#pragma omp critical(sturm_parallel_for)
        if (!failure) failure = std::current_exception();
      }
    }
    inside = false;
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sturm
