// SPDX-License-Identifier: BSD-3-Clause
// Preloaded by info_test.py: an OpenBLAS that does not know the processor. It takes Prescott unless OPENBLAS_CORETYPE
// says otherwise, or always with FAKE_STUBBORN.
#include <cstdlib>

extern "C" const char* openblas_get_corename() {
  const char* asked = std::getenv("FAKE_STUBBORN") ? nullptr : std::getenv("OPENBLAS_CORETYPE");
  static const char* const chosen = asked ? asked : "Prescott";  // as the real one: once, at the first look
  return chosen;
}
