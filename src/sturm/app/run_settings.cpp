// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/run_settings.h"

#include "sturm/core/memory.h"

namespace sturm {

linalg::Backend& backend_of(const RunSettings&) { return linalg::cpu_backend(); }

namespace {

constexpr int most_threads = 4096;  // more than any machine that this runs on has processors

}  // namespace

void check_threads(int count) {
  if (count < 0 || count > most_threads)
    throw UsageError("`threads` is a number from 1 to " + std::to_string(most_threads) +
                     ", or 0 for every processor, not " + std::to_string(count) + ".");
}

Index memory_budget(const RunSettings& settings) {
  return settings.memory.empty() ? memory_available() / 10 * 6 : parse_bytes(settings.memory, "memory");
}

}  // namespace sturm
