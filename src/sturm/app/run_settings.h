// SPDX-License-Identifier: BSD-3-Clause
// Where work runs, and how much it may take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sturm/core/options.h"
#include "sturm/core/precision.h"
#include "sturm/core/shape.h"
#include "sturm/linalg/backend.h"

namespace sturm {

enum class Device { cpu, automatic, cuda };
template <>
inline std::vector<std::string> names_of<Device>() {
  return {"cpu", "auto", "cuda"};
}

struct RunSettings {
  std::uint64_t seed = 0;
  int threads = 0;
  Device device = Device::automatic;
  Precision precision = Precision::f32;
  std::string memory;
};
template <class Field>
void describe(Field&& field, RunSettings& o) {
  field("seed", o.seed, "random numbers start here: from 0 to 2^63 - 1");
  field("threads", o.threads, "0: every processor, or OMP_NUM_THREADS");
  field("device", o.device, "where to compute");
  field("precision", o.precision, "of the volumes and of the solver; sums that matter are f64 anyway");
  field("memory", o.memory, "for volumes and solver together, such as 4G (default: 60 % of what is available)");
}

/// The device that was asked for: the one place where one is named.
linalg::Backend& backend_of(const RunSettings& settings);

/// Throws where that many threads make no sense.
void check_threads(int count);

/// The memory in bytes.
Index memory_budget(const RunSettings& settings);

}  // namespace sturm
