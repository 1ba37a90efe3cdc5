// SPDX-License-Identifier: BSD-3-Clause
// What this copy of the library was built from, and how.
#pragma once

namespace sturm {

struct BuildInfo {
  const char* version;
  const char* revision;  ///< short git commit, with "-dirty" after local changes; "unknown" outside a clone
  const char* compiler;
  const char* build_type;
  const char* flags;
  const char* sanitizers;  ///< empty for none
  bool cuda;
};

BuildInfo build_info();

}  // namespace sturm
