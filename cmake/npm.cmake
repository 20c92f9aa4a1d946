# SPDX-License-Identifier: Apache-2.0
# Packages of npm, installed into the build folder by `npm ci`: the versions
# and checksums are those of a lock file, from whatever registry npm is set to.
# Without npm or its registry the tool is built without pages, unless the archive
# brought their script (built/page.c).
find_program(INTERVALE_NODE NAMES node nodejs DOC "Node.js, to build HTML reports")
find_program(INTERVALE_NPM npm DOC "npm, to build HTML reports")

# Installs the packages of SOURCE/package-lock.json into FOLDER/node_modules, now and
# whenever that file changes; OK says whether it worked, WHY what npm said.
function(iv_npm_install ok why folder source)
    set(lock ${source}/package-lock.json)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${lock})
    set(${ok} OFF PARENT_SCOPE)
    set(${why} "npm is not here (`make html` and `make test-all` install it)" PARENT_SCOPE)
    if(NOT INTERVALE_NODE OR NOT INTERVALE_NPM)
        return()
    endif()
    if(NOT EXISTS ${folder}/installed OR ${lock} IS_NEWER_THAN ${folder}/installed)
        file(MAKE_DIRECTORY ${folder})
        file(COPY ${source}/package.json ${lock} DESTINATION ${folder})
        execute_process(COMMAND ${INTERVALE_NPM} ci --ignore-scripts --no-audit --no-fund
            --loglevel=error --fetch-retries=1
            WORKING_DIRECTORY ${folder} RESULT_VARIABLE status
            OUTPUT_VARIABLE said ERROR_VARIABLE said)
        if(NOT status EQUAL 0)
            string(REGEX REPLACE "\n.*" "" said "${said}")
            set(${why} "npm cannot fetch its packages (${said})" PARENT_SCOPE)
            return()
        endif()
        file(TOUCH ${folder}/installed)
    endif()
    set(${ok} ON PARENT_SCOPE)
endfunction()
