// SPDX-License-Identifier: BSD-3-Clause
// The way in for libFuzzer; STURM_FUZZ_TARGET is a function of targets.h.
#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sturm::fuzz::STURM_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
