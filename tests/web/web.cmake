# SPDX-License-Identifier: Apache-2.0
if(INTERVALE_JUDGE) # which has the server; the site here is one of three small files
    iv_script_test(serve web web/serve.py $<TARGET_FILE:intervale>)
    set_tests_properties(web/serve PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The tool as a web page: built once (tools/web.sh), its numbers beside the native ones, and the
# page in a real browser.  Only of the release build, which it is compared with.
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT INTERVALE_SANITIZE)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/web)
    set(module ${PROJECT_SOURCE_DIR}/build/wasm/intervale.wasm)
    execute_process(COMMAND sh -c "echo 'int main(){}' | clang++ --target=wasm32-wasi -x c++ \
-include vector -include rapidjson/rapidjson.h -idirafter /usr/include - -o /dev/null"
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    set(has_site OFF)
    set(why "clang cannot compile for WebAssembly here (tools/setup.sh web)")
    if(status EQUAL 0)
        iv_npm_install(has_site why ${made} ${CMAKE_CURRENT_SOURCE_DIR}/web)
    endif()
    if(has_site)
        add_test(NAME web/site COMMAND ${PROJECT_SOURCE_DIR}/tools/web.sh)
        set_tests_properties(web/site PROPERTIES FIXTURES_SETUP site TIMEOUT 1200 PROCESSORS 2
            COST 100)
        iv_script_test(numbers web web/numbers.py $<TARGET_FILE:intervale>
            ${PROJECT_SOURCE_DIR} ${module})
        iv_script_test(all_numbers web web/numbers.py $<TARGET_FILE:intervale>
            ${PROJECT_SOURCE_DIR} ${module} all)
        iv_script_test(speed web web/speed.py $<TARGET_FILE:intervale> ${INTERVALE_NODE}
            ${PROJECT_SOURCE_DIR}/web/node.mjs ${module})
        add_test(NAME web/package COMMAND ${PROJECT_SOURCE_DIR}/tools/npm.sh)
        iv_script_test(npm web web/npm.py $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR}
            ${PROJECT_SOURCE_DIR}/build/npm/intervale-${PROJECT_VERSION}.tgz)
        set_tests_properties(web/package PROPERTIES FIXTURES_SETUP package)
        set_tests_properties(web/npm PROPERTIES FIXTURES_REQUIRED package)
        iv_long_tests(web/all_numbers)
        set(tests web/site web/package web/npm web/numbers web/all_numbers web/speed)
        set_tests_properties(web/package web/numbers web/all_numbers web/speed PROPERTIES
            FIXTURES_REQUIRED site TIMEOUT 1200)
        if(INTERVALE_BROWSER AND INTERVALE_HTML AND INTERVALE_JUDGE)
            set(open_site ${INTERVALE_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/web/browser.mjs
                ${PROJECT_SOURCE_DIR}/build/web $<TARGET_FILE:intervale> ${INTERVALE_BROWSER}
                ${made}/node_modules)
            add_test(NAME web/browser COMMAND ${open_site})
            add_test(NAME web/half_a_gigabyte COMMAND ${open_site} - gigabyte)
            iv_long_tests(web/half_a_gigabyte)
            set_tests_properties(web/browser web/half_a_gigabyte PROPERTIES
                FIXTURES_REQUIRED site TIMEOUT 1200 COST 80)
            list(APPEND tests web/browser web/half_a_gigabyte)
            # The documents' site, with this one in it.
            add_test(NAME web/documents COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/site.py
                ${made}/site $<TARGET_FILE:intervale> ${PROJECT_SOURCE_DIR}/build/web)
            set_tests_properties(web/documents PROPERTIES FIXTURES_REQUIRED site FIXTURES_SETUP documents)
            add_test(NAME web/pages COMMAND ${INTERVALE_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/web/pages.mjs
                ${made}/site ${INTERVALE_BROWSER} ${made}/node_modules)
            set_tests_properties(web/pages PROPERTIES FIXTURES_REQUIRED documents TIMEOUT 3600 COST 80)
            iv_long_tests(web/pages) # axe on each of 170 pages, in both schemes
            list(APPEND tests web/documents web/pages)
        endif()
        set_property(TEST ${tests} APPEND PROPERTY LABELS web)
    else()
        add_test(NAME web/site COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
        set_tests_properties(web/site PROPERTIES LABELS web SKIP_REGULAR_EXPRESSION skipped)
    endif()
endif()
