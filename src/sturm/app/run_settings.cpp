// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/run_settings.h"

#include "sturm/core/memory.h"

namespace sturm {

linalg::Backend& backend_of(const RunSettings&) { return linalg::cpu_backend(); }

Index memory_budget(const RunSettings& settings) {
  return settings.memory.empty() ? memory_available() / 10 * 6 : parse_bytes(settings.memory, "memory");
}

}  // namespace sturm
