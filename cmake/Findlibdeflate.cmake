# SPDX-License-Identifier: BSD-3-Clause
# Finds libdeflate and defines libdeflate::libdeflate. Debian 12's version brings no CMake package of its own.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LIBDEFLATE QUIET libdeflate)
endif()
find_library(libdeflate_LIBRARY NAMES deflate HINTS ${PC_LIBDEFLATE_LIBRARY_DIRS})
find_path(libdeflate_INCLUDE_DIR NAMES libdeflate.h HINTS ${PC_LIBDEFLATE_INCLUDE_DIRS})
mark_as_advanced(libdeflate_LIBRARY libdeflate_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libdeflate
  REQUIRED_VARS libdeflate_LIBRARY libdeflate_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install the Debian package libdeflate-dev")

if(libdeflate_FOUND AND NOT TARGET libdeflate::libdeflate)
  add_library(libdeflate::libdeflate UNKNOWN IMPORTED)
  set_target_properties(libdeflate::libdeflate PROPERTIES
    IMPORTED_LOCATION "${libdeflate_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${libdeflate_INCLUDE_DIR}")
endif()
