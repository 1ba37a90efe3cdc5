# SPDX-License-Identifier: BSD-3-Clause
# The headers of the Python package nlohmann-json.
sturm_python_package(nlohmann_json package)
if(NOT package)
  find_package(nlohmann_json CONFIG REQUIRED)
  return()
endif()
set(nlohmann_json_FOUND TRUE)
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
  set_target_properties(nlohmann_json::nlohmann_json PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${package}/include")
endif()
