# SPDX-License-Identifier: BSD-3-Clause
# What goes into the wheel beside the files of python/sturm/: the module, the program, and the libraries that travel with
# them, which both find by where they lie themselves.
add_custom_target(sturm_python DEPENDS _native)  # what pyproject.toml asks for
set_target_properties(_native PROPERTIES INSTALL_RPATH "$ORIGIN/lib")
install(TARGETS _native DESTINATION sturm COMPONENT python)

if(TARGET sturm-cli)
  add_dependencies(sturm_python sturm-cli)
  set_target_properties(sturm-cli PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS sturm-cli DESTINATION sturm/bin COMPONENT python)
  install(FILES "${PROJECT_BINARY_DIR}/manual/sturm.1" DESTINATION "${SKBUILD_DATA_DIR}/share/man/man1" COMPONENT python)
  install(FILES "${PROJECT_BINARY_DIR}/manual/sturm.bash" RENAME sturm COMPONENT python
          DESTINATION "${SKBUILD_DATA_DIR}/share/bash-completion/completions")
  install(FILES "${PROJECT_BINARY_DIR}/manual/_sturm" COMPONENT python
          DESTINATION "${SKBUILD_DATA_DIR}/share/zsh/site-functions")
endif()

if(STURM_OPENBLAS_FOLDER)
  file(GLOB libraries "${STURM_OPENBLAS_FOLDER}/*.so*")
  install(FILES ${libraries} DESTINATION sturm/lib COMPONENT python)
endif()

# nlohmann-json's package has the licence of its packaging in that place, which is the same one, MIT.
foreach(name nanobind nlohmann_json)
  sturm_python_package(${name} folder)
  sturm_python_licence("${folder}" STURM_LICENCE_${name})
endforeach()
foreach(name OpenBLAS LIBSVM nanobind nlohmann_json)
  if(STURM_LICENCE_${name})
    install(FILES "${STURM_LICENCE_${name}}" DESTINATION sturm/lib RENAME "LICENCE-${name}.txt" COMPONENT python)
  endif()
endforeach()
