# SPDX-License-Identifier: BSD-3-Clause
# Finds cairo and defines cairo::cairo. It brings no CMake package of its own.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_CAIRO QUIET cairo-pdf)
endif()
find_library(cairo_LIBRARY NAMES cairo HINTS ${PC_CAIRO_LIBRARY_DIRS})
find_path(cairo_INCLUDE_DIR NAMES cairo-pdf.h HINTS ${PC_CAIRO_INCLUDE_DIRS} PATH_SUFFIXES cairo)
mark_as_advanced(cairo_LIBRARY cairo_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cairo
  REQUIRED_VARS cairo_LIBRARY cairo_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install the Debian package libcairo2-dev")

if(cairo_FOUND AND NOT TARGET cairo::cairo)
  add_library(cairo::cairo UNKNOWN IMPORTED)
  set_target_properties(cairo::cairo PROPERTIES
    IMPORTED_LOCATION "${cairo_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${cairo_INCLUDE_DIR}")
endif()
