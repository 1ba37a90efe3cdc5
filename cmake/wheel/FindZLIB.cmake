# SPDX-License-Identifier: BSD-3-Clause
# zlib of the Python package cmeel-zlib. Its library does not travel with ours: libz.so.1 is on every Linux that has Python.
if(STURM_CMEEL_PREFIX)
  find_library(ZLIB_LIBRARY NAMES z PATHS "${STURM_CMEEL_PREFIX}/lib64" "${STURM_CMEEL_PREFIX}/lib" NO_DEFAULT_PATH)
  find_path(ZLIB_INCLUDE_DIR NAMES zlib.h PATHS "${STURM_CMEEL_PREFIX}/include" NO_DEFAULT_PATH)
endif()
include("${CMAKE_ROOT}/Modules/FindZLIB.cmake")
