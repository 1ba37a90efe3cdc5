# SPDX-License-Identifier: BSD-3-Clause
# Finds LIBSVM and defines libsvm::libsvm. Debian's package brings neither a CMake package nor a pkg-config file.
find_library(libsvm_LIBRARY NAMES svm)
find_path(libsvm_INCLUDE_DIR NAMES libsvm/svm.h)
mark_as_advanced(libsvm_LIBRARY libsvm_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libsvm
  REQUIRED_VARS libsvm_LIBRARY libsvm_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install the Debian package libsvm-dev")

if(libsvm_FOUND AND NOT TARGET libsvm::libsvm)
  add_library(libsvm::libsvm UNKNOWN IMPORTED)
  set_target_properties(libsvm::libsvm PROPERTIES
    IMPORTED_LOCATION "${libsvm_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${libsvm_INCLUDE_DIR}")
endif()
