# SPDX-License-Identifier: BSD-3-Clause
# How our own sources are compiled. Every target of ours links sturm_compiler privately.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(sturm_compiler INTERFACE)

# Headers of others that most files of a target include, read once for all of them; for builds that look for something
# else than warnings, since g++ 12 warns of its own library where that is precompiled. ccache does without: it would not
# recognise a file it has seen.
option(STURM_PRECOMPILE "Precompile the headers that most files include; no warnings" OFF)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(STURM_PRECOMPILE OFF)
endif()
function(sturm_precompile target)
  if(STURM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE -w)
  endif()
endfunction()

# No -Wsign-conversion: LAPACK counts in int, containers in size_t, and a cast at every index hides the formula.
# No -Wconversion for the same reason; -Wfloat-conversion keeps the part that loses digits.
# g++ 12 warns of overlapping copies in every "text" + std::string (-Wrestrict, its bug 105651).
# g++ 13 takes every reference that a function with temporary arguments returns for one of them (-Wdangling-reference).
# Options are structs with defaults in place: naming only the fields that differ is their purpose.
# No contraction to fused multiply-adds behind our backs: a compiler may fuse one copy of an expression (unrolled, inlined,
# the rest of a loop) and not another, and a problem's bits must not depend on which of them it goes through. The kernels
# say where they fuse.
target_compile_options(sturm_compiler INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wshadow -Wfloat-conversion -Wnon-virtual-dtor -Wcast-align
  -Wformat=2 -Wundef -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
  $<$<BOOL:${STURM_WERROR}>:-Werror>)

if(STURM_SANITIZE)
  set(sanitize -fsanitize=${STURM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(sturm_compiler INTERFACE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:STURM_WITHOUT_SANITIZERS>>>:${sanitize}>")
  target_link_options(sturm_compiler INTERFACE ${sanitize})
endif()
