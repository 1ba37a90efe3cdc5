# SPDX-License-Identifier: BSD-3-Clause
# Gives the library core/build_info.cpp: version and options at configure time, the git revision at build time.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" STURM_FLAGS)
if(STURM_CUDA)
  set(STURM_CUDA_BOOL true)
else()
  set(STURM_CUDA_BOOL false)
endif()

set(generated "${PROJECT_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/src/sturm/core/build_info.cpp.in" "${generated}/build_info.cpp" @ONLY)
add_custom_target(sturm_git_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${generated}/git_revision.h
          -P ${PROJECT_SOURCE_DIR}/cmake/git_revision.cmake
  BYPRODUCTS "${generated}/git_revision.h"
  COMMENT "Asking git for the revision" VERBATIM)
target_sources(sturm PRIVATE "${generated}/build_info.cpp")
add_dependencies(sturm sturm_git_revision)
