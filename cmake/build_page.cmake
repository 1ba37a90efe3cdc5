# SPDX-License-Identifier: BSD-3-Clause
# cmake -DWEB=web -DNPM=npm -P build_page.cmake: web/dist/index.html. Packages are fetched where package-lock.json changed.
# Where that fails (no network), those that are there are used. Where the page cannot be built an earlier one stays; where
# there is none it is empty, and the program says so when a report is asked for.
get_filename_component(folder "${NPM}" DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")  # the node that belongs to it
file(LOCK "${WEB}/dist.lock" GUARD PROCESS TIMEOUT 900)
set(page "${WEB}/dist/index.html")
set(stamp "${WEB}/node_modules/.sturm-lock")
file(SHA256 "${WEB}/package-lock.json" wanted)
set(there "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" there)
endif()
set(words "")
if(NOT there STREQUAL wanted)
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY "${WEB}" RESULT_VARIABLE code
                  OUTPUT_VARIABLE words ERROR_VARIABLE words)
  if(code EQUAL 0)
    file(WRITE "${stamp}" "${wanted}")
  endif()
endif()
execute_process(COMMAND "${NPM}" run --silent build WORKING_DIRECTORY "${WEB}" RESULT_VARIABLE code
                OUTPUT_VARIABLE built ERROR_VARIABLE built)
if(NOT code EQUAL 0)
  string(SUBSTRING "${words}" 0 1000 words)
  message(WARNING "The page of the report could not be built; reports will say so.\n${words}\n${built}")
  if(NOT EXISTS "${page}")
    file(WRITE "${page}" "")
  endif()
endif()
file(TOUCH "${page}")
