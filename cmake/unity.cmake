# SPDX-License-Identifier: BSD-3-Clause
# Several sources compiled as one, for builds from nothing: what they include is read once for all of them. Whoever edits a
# source waits longer for it, so it is for `make test` and not for work.
option(STURM_UNITY "Compile the tests several sources at a time, and with STURM_PRECOMPILE the library as well" OFF)

function(sturm_unity target)
  if(STURM_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# Sources of one folder may not have the same names in their unnamed namespaces then. Those of the library do not; each
# test gets a namespace around its own, in a copy that says which file and lines it is of.
function(sturm_unity_copy source out)
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
  string(MAKE_C_IDENTIFIER "${path}" name)
  set(copy "${PROJECT_BINARY_DIR}/unity/${path}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(REPLACE "\nnamespace {\n" "\nnamespace ${name} { namespace {\n" text "${text}")
  string(REPLACE "\n}  // namespace\n" "\n}}  // namespace\n" text "${text}")
  set(before "")
  if(EXISTS "${copy}")
    file(READ "${copy}" before)
  endif()
  set(text "#line 1 \"${source}\"\n${text}")
  if(NOT text STREQUAL before)
    file(WRITE "${copy}" "${text}")
  endif()
  set(${out} "${copy}" PARENT_SCOPE)
endfunction()
