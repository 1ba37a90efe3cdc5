# SPDX-License-Identifier: BSD-3-Clause
# Run at every build: cmake -DSOURCE=<dir> -DHEADER=<file> -P git_revision.cmake. Touches HEADER only when it changes.
cmake_minimum_required(VERSION 3.25)
set(revision "")
if(EXISTS "${SOURCE}/REVISION")  # a source distribution
  file(STRINGS "${SOURCE}/REVISION" revision LIMIT_COUNT 1)
else()
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --exclude=*
                  OUTPUT_VARIABLE revision ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT revision)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "inline constexpr const char* git_revision = \"@revision@\";\n" @ONLY)
