# SPDX-License-Identifier: BSD-3-Clause
# Installs the library with its headers and a package for find_package(sturm), and the program.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sturm")

install(TARGETS sturm EXPORT sturm-targets)
if(TARGET sturm-cli)
  install(TARGETS sturm-cli)
  install(FILES "${PROJECT_BINARY_DIR}/manual/sturm.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${PROJECT_BINARY_DIR}/manual/sturm.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
          RENAME sturm)
  install(FILES "${PROJECT_BINARY_DIR}/manual/_sturm" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()
install(DIRECTORY src/sturm DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE PATTERN terminal EXCLUDE PATTERN cpu EXCLUDE PATTERN cuda EXCLUDE)
install(EXPORT sturm-targets NAMESPACE sturm:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/sturm-config.cmake.in sturm-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(sturm-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/sturm-config.cmake" "${PROJECT_BINARY_DIR}/sturm-config-version.cmake"
              cmake/FindOpenBLAS.cmake cmake/Findlibdeflate.cmake cmake/Findlibsvm.cmake
              cmake/Findcairo.cmake
        DESTINATION "${package_dir}")
