# SPDX-License-Identifier: BSD-3-Clause
# fmt of the Python package cmeel-fmt, as headers alone: its library would have to travel with ours.
if(NOT EXISTS "${STURM_CMEEL_PREFIX}/include/fmt/format.h")
  find_package(fmt CONFIG REQUIRED)
  return()
endif()
set(fmt_FOUND TRUE)
if(NOT TARGET fmt::fmt)
  add_library(fmt::fmt INTERFACE IMPORTED)
  set_target_properties(fmt::fmt PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${STURM_CMEEL_PREFIX}/include" INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)
endif()
