# SPDX-License-Identifier: Apache-2.0
# Packages of npm, installed into the build folder by `npm ci`: the versions
# and checksums are those of a lock file, from whatever registry npm is set to.
# INTERVALE_HTML is on where npm is found, and is asked for or refused by hand.
find_program(INTERVALE_NODE NAMES node nodejs DOC "Node.js, to build HTML reports")
find_program(INTERVALE_NPM npm DOC "npm, to build HTML reports")
set(has_npm OFF)
if(INTERVALE_NODE AND INTERVALE_NPM)
    set(has_npm ON)
endif()
if(NOT DEFINED INTERVALE_HTML AND NOT has_npm)
    message(STATUS "npm is not here: building without --format html")
endif()
option(INTERVALE_HTML "Build --format html (needs npm and its registry)" ${has_npm})
if(INTERVALE_HTML AND NOT has_npm)
    message(FATAL_ERROR "INTERVALE_HTML needs node and npm; without them: "
        "-DINTERVALE_HTML=OFF")
endif()

# Installs the packages of SOURCE/package-lock.json into FOLDER/node_modules;
# FOLDER/installed is newer than the lock file when that is done.
function(iv_npm_install folder source)
    add_custom_command(OUTPUT ${folder}/installed
        COMMAND ${CMAKE_COMMAND} -DNPM=${INTERVALE_NPM} -DSOURCE=${source}
            -DFOLDER=${folder} -P ${PROJECT_SOURCE_DIR}/cmake/npm_ci.cmake
        DEPENDS ${source}/package.json ${source}/package-lock.json
            ${PROJECT_SOURCE_DIR}/cmake/npm_ci.cmake
        COMMENT "npm ci in ${folder}" VERBATIM)
endfunction()
