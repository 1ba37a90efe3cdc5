# SPDX-License-Identifier: BSD-3-Clause
# A build for pip takes what Debian's packages bring elsewhere from Python packages, which pyproject.toml asks for: the
# modules in cmake/wheel/ look there first, and then where every other build looks.
find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
if(NOT Python_FOUND)
  message(FATAL_ERROR "The headers of Python were not found: install the Debian package python3-dev.")
endif()
list(PREPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/cmake/wheel")

# The folder of a Python package; empty where it is not there.
function(sturm_python_package name out)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c "import importlib.util, sys; s = importlib.util.find_spec(sys.argv[1]); print(s.submodule_search_locations[0] if s else '')" "${name}"
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# The licence of a Python package by the name of its folder, for what we take along of it; empty where there is none.
function(sturm_python_licence folder out)
  file(GLOB found "${folder}-*.dist-info/licenses/LICENSE*")
  list(APPEND found "")
  list(GET found 0 first)
  set(${out} "${first}" PARENT_SCOPE)
endfunction()

# What the packages of the cmeel family install lies beside their package, in one folder for all of them.
sturm_python_package(cmeel cmeel)
if(cmeel)
  cmake_path(REPLACE_FILENAME cmeel cmeel.prefix OUTPUT_VARIABLE STURM_CMEEL_PREFIX)
endif()

if(STURM_CLI)
  find_package(CLI11 QUIET)
  if(NOT CLI11_FOUND)
    message(STATUS "CLI11 was not found, so the program sturm is left out of the package (Debian package libcli11-dev).")
    set(STURM_CLI OFF)
  endif()
endif()
