# SPDX-License-Identifier: BSD-3-Clause
# OpenBLAS of the Python package scipy-openblas32, whose names begin with scipy_. STURM_OPENBLAS_FOLDER is set to the folder
# of its libraries, which have to travel with ours.
sturm_python_package(scipy_openblas32 package)
if(NOT package)
  include("${PROJECT_SOURCE_DIR}/cmake/FindOpenBLAS.cmake")
  return()
endif()
set(STURM_OPENBLAS_FOLDER "${package}/lib")
sturm_python_licence("${package}" STURM_LICENCE_OpenBLAS)
find_library(OpenBLAS_LIBRARY NAMES scipy_openblas PATHS "${STURM_OPENBLAS_FOLDER}" NO_DEFAULT_PATH NO_CACHE REQUIRED)
set(OpenBLAS_FOUND TRUE)
if(NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS SHARED IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}" INTERFACE_COMPILE_DEFINITIONS STURM_BLAS_PREFIX=scipy_)
endif()
