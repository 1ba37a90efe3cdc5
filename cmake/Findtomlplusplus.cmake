# SPDX-License-Identifier: BSD-3-Clause
# toml++ as headers alone, which is all of it: target tomlplusplus::tomlplusplus.
find_path(tomlplusplus_INCLUDE_DIR toml++/toml.h)
mark_as_advanced(tomlplusplus_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(tomlplusplus REQUIRED_VARS tomlplusplus_INCLUDE_DIR)
if(tomlplusplus_FOUND AND NOT TARGET tomlplusplus::tomlplusplus)
  add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
  set_target_properties(tomlplusplus::tomlplusplus PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${tomlplusplus_INCLUDE_DIR}" INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)
endif()
