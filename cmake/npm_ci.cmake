# SPDX-License-Identifier: Apache-2.0
# usage: cmake -DNPM=npm -DSOURCE=dir -DFOLDER=dir -P npm_ci.cmake
file(MAKE_DIRECTORY ${FOLDER})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${FOLDER})
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status
    OUTPUT_VARIABLE said ERROR_VARIABLE complained)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm ci failed in ${FOLDER}:\n${said}${complained}"
        "Without npm's registry, build with -DINTERVALE_HTML=OFF")
endif()
file(TOUCH ${FOLDER}/installed)
