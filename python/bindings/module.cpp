// SPDX-License-Identifier: BSD-3-Clause
// The Python module sturm._native.
#include <nanobind/nanobind.h>

#include "sturm/core/build_info.h"

NB_MODULE(_native, m) {
  m.def("version", [] { return sturm::build_info().version; });
}
