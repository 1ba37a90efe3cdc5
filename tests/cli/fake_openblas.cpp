// SPDX-License-Identifier: BSD-3-Clause
// Preloaded by info_test.py: an OpenBLAS that does not know the processor. It takes Prescott unless OPENBLAS_CORETYPE
// says otherwise, or always with FAKE_STUBBORN. With FAKE_LOG it says that it has threads of its own, and notes in that
// file how many it is asked for, at every start and at the end.
#include <cstdio>
#include <cstdlib>

namespace {

void note() {
  const char* const log = std::getenv("FAKE_LOG");
  std::FILE* const file = log ? std::fopen(log, "a") : nullptr;
  if (!file) return;
  const char* const threads = std::getenv("OPENBLAS_NUM_THREADS");
  std::fprintf(file, "%s\n", threads ? threads : "all");
  std::fclose(file);
}

[[gnu::constructor]] void start() { note(); }
[[gnu::destructor]] void end() { note(); }

}  // namespace

extern "C" const char* openblas_get_corename() {
  const char* asked = std::getenv("FAKE_STUBBORN") ? nullptr : std::getenv("OPENBLAS_CORETYPE");
  static const char* const chosen = asked ? asked : "Prescott";  // as the real one: once, at the first look
  return chosen;
}

extern "C" int openblas_get_parallel() { return std::getenv("FAKE_LOG") ? 1 : 2; }
