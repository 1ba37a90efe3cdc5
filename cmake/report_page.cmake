# SPDX-License-Identifier: BSD-3-Clause
# Gives the library the page of the report (docs/decisions/013-report.md): built by npm from web/, or web/dist/index.html
# as it is where there is no npm, or none at all; the program then says so when a report is asked for.
set(STURM_PAGE "auto" CACHE STRING "The page of reports: auto, none, or the path of an HTML file")

set(web "${PROJECT_SOURCE_DIR}/web")
set(page "")
find_program(STURM_NPM npm PATHS "${PROJECT_SOURCE_DIR}/.node/bin" NO_DEFAULT_PATH)  # scripts/setup.sh makes it where needed
find_program(STURM_NPM npm)
if(STURM_PAGE STREQUAL "auto")
  if(STURM_NPM AND EXISTS "${web}/package.json")
    # Only what the page is made from: a change anywhere else does not wake npm.
    file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${web}/src/*" "${web}/build/*")
    file(GLOB page_settings CONFIGURE_DEPENDS "${web}/*.json" "${web}/*.ts" "${web}/*.html" "${web}/.npmrc"
      "${PROJECT_SOURCE_DIR}/src/sturm/report/template/LICENCE.txt")
    set(page "${web}/dist/index.html")
    add_custom_command(OUTPUT "${page}"
      COMMAND ${CMAKE_COMMAND} -DWEB=${web} -DNPM=${STURM_NPM} -P "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
      DEPENDS ${page_sources} ${page_settings} "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
      COMMENT "Building the page of the report" VERBATIM)
    target_sources(sturm PRIVATE "${page}")  # so that there is a rule for it
  elseif(EXISTS "${web}/dist/index.html")
    set(page "${web}/dist/index.html")
  endif()
elseif(NOT STURM_PAGE STREQUAL "none")
  set(page "${STURM_PAGE}")
endif()

if(page)
  set(STURM_PAGE_FILE "${page}")
  configure_file("${PROJECT_SOURCE_DIR}/src/sturm/report/embedded_page.cpp.in"
                 "${PROJECT_BINARY_DIR}/generated/embedded_page.cpp" @ONLY)
  target_sources(sturm PRIVATE "${PROJECT_BINARY_DIR}/generated/embedded_page.cpp")
  set_source_files_properties("${PROJECT_BINARY_DIR}/generated/embedded_page.cpp" TARGET_DIRECTORY sturm PROPERTIES
    OBJECT_DEPENDS "${page}")
else()
  message(STATUS "The page of the report is left out: npm was not found")
  target_sources(sturm PRIVATE "${PROJECT_SOURCE_DIR}/src/sturm/report/no_page.cpp")
endif()
