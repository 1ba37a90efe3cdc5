# SPDX-License-Identifier: BSD-3-Clause
# LIBSVM: from its sources in STURM_LIBSVM_SOURCE or in third_party/libsvm (which our source distribution has), else as the
# system's library, else from the sources that pip fetches (python/fetch_libsvm.py).
set(STURM_LIBSVM_SOURCE "" CACHE PATH "A folder with svm.cpp and svm.h of LIBSVM")
set(source "${STURM_LIBSVM_SOURCE}")
if(NOT source AND EXISTS "${PROJECT_SOURCE_DIR}/third_party/libsvm/svm.cpp")
  set(source "${PROJECT_SOURCE_DIR}/third_party/libsvm")
endif()
if(NOT source)
  find_library(libsvm_LIBRARY NAMES svm)
  find_path(libsvm_INCLUDE_DIR NAMES libsvm/svm.h)
  if(libsvm_LIBRARY AND libsvm_INCLUDE_DIR)
    include("${PROJECT_SOURCE_DIR}/cmake/Findlibsvm.cmake")
    return()
  endif()
  set(source "${PROJECT_BINARY_DIR}/libsvm/source")
  execute_process(COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/python/fetch_libsvm.py" "${source}"
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "LIBSVM could not be fetched; pip's words are above. Without a network give pip a folder that holds "
      "the source archive of libsvm-official and a wheel of setuptools (PIP_FIND_LINKS), or install the Debian package libsvm-dev.")
  endif()
endif()
set(libsvm_FOUND TRUE)
set(STURM_LICENCE_LIBSVM "${source}/LICENSE")
if(NOT TARGET libsvm::libsvm)
  # The system's header is libsvm/svm.h.
  configure_file("${source}/svm.h" "${PROJECT_BINARY_DIR}/libsvm/include/libsvm/svm.h" COPYONLY)
  add_library(sturm_libsvm STATIC "${source}/svm.cpp")
  target_compile_options(sturm_libsvm PRIVATE -w)
  target_include_directories(sturm_libsvm INTERFACE "${PROJECT_BINARY_DIR}/libsvm/include")
  add_library(libsvm::libsvm ALIAS sturm_libsvm)
endif()
