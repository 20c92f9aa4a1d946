# SPDX-License-Identifier: Apache-2.0
# What a release promises, beyond this build: all of it takes minutes and is long.
function(iv_release_test name)
    add_test(NAME release/${name} COMMAND ${ARGN})
    set_tests_properties(release/${name} PROPERTIES LABELS release TIMEOUT 7200
        SKIP_REGULAR_EXPRESSION "skipped: " RUN_SERIAL ON)
    iv_long_tests(release/${name})
endfunction()

if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_CROSSCOMPILING)
    set(tools ${PROJECT_SOURCE_DIR}/tools)
    foreach(arch aarch64 s390x armhf)
        iv_release_test(${arch} ${tools}/cross.sh ${arch} $<TARGET_FILE:intervale>)
    endforeach()
    iv_release_test(bare ${tools}/bare.sh $<TARGET_FILE:intervale>)
    iv_release_test(static ${tools}/static.sh)
    iv_release_test(threads ${tools}/threads.sh)
endif()
add_test(NAME rules/site COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/site.py
    ${CMAKE_CURRENT_BINARY_DIR}/site $<TARGET_FILE:intervale>)
set_tests_properties(rules/site PROPERTIES LABELS rules)
