# SPDX-License-Identifier: Apache-2.0
# Someone else's program, built against the installed library.  Sanitized ones
# take seconds to start and would tell nothing more.
if(NOT INTERVALE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    iv_script_test(installed client client/client.py ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${PROJECT_VERSION})
    iv_script_test(recipes client client/recipes.py ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${PROJECT_VERSION})
endif()
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_CROSSCOMPILING) # planning takes a while
    get_property(examples DIRECTORY ${PROJECT_SOURCE_DIR}/examples PROPERTY BUILDSYSTEM_TARGETS)
    list(TRANSFORM examples REPLACE "(.+)" "$<TARGET_FILE:\\1>")
    iv_script_test(examples client client/examples.py $<TARGET_FILE:intervale>
        ${PROJECT_SOURCE_DIR} ${examples})
endif()
