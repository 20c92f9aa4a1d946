# SPDX-License-Identifier: Apache-2.0
iv_script_test(layers rules rules/layers.py ${PROJECT_SOURCE_DIR})
iv_script_test(style rules rules/style.py ${PROJECT_SOURCE_DIR})
iv_script_test(abi rules rules/abi.py ${PROJECT_SOURCE_DIR})
iv_script_test(house rules ../tools/house.py ${PROJECT_SOURCE_DIR}
    --tool $<TARGET_FILE:intervale> --check)
iv_script_test(documents rules rules/documents.py ${PROJECT_SOURCE_DIR})
iv_script_test(questions rules ../tools/python_questions.py ${PROJECT_SOURCE_DIR} --check)
iv_script_test(type_names rules rules/type_names.py ${PROJECT_SOURCE_DIR})
iv_script_test(links rules rules/links.py ${PROJECT_SOURCE_DIR})
iv_script_test(packaging rules rules/packaging.py ${PROJECT_SOURCE_DIR})
iv_script_test(messages rules rules/messages.py ${PROJECT_SOURCE_DIR})
iv_script_test(cautions rules rules/cautions.py ${PROJECT_SOURCE_DIR})
iv_script_test(methods rules rules/methods.py ${PROJECT_SOURCE_DIR})
iv_script_test(tested rules rules/tested.py ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
iv_script_test(headers rules rules/headers.py ${PROJECT_SOURCE_DIR}
    ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
if(NOT INTERVALE_SANITIZE) # sanitizers add symbols of their own
    iv_script_test(symbols rules rules/symbols.py ${PROJECT_SOURCE_DIR}
        ${CMAKE_NM} $<TARGET_FILE:intervale_shared> $<TARGET_FILE:intervale_static>)
endif()
if(INTERVALE_HARDEN AND CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_READELF
   AND NOT CMAKE_CROSSCOMPILING)
    set(files $<TARGET_FILE:intervale_shared> $<TARGET_FILE:intervale_static>)
    if(TARGET intervale_judge)
        list(APPEND files $<TARGET_FILE:intervale_judge>)
    endif()
    iv_script_test(hardened rules rules/hardened.py ${CMAKE_READELF}
        $<TARGET_FILE:intervale> ${files})
endif()

# What is in the source tree before the first test and after the last.
foreach(when before after)
    iv_script_test(tree_${when} rules rules/tree.py ${PROJECT_SOURCE_DIR}
        ${CMAKE_CURRENT_BINARY_DIR}/tree_before.txt ${when})
endforeach()
set_tests_properties(rules/tree_before PROPERTIES FIXTURES_SETUP tree)
set_tests_properties(rules/tree_after PROPERTIES FIXTURES_CLEANUP tree)
function(iv_watch_tree)
    get_property(all DIRECTORY PROPERTY TESTS)
    list(REMOVE_ITEM all rules/tree_before rules/tree_after)
    set_property(TEST ${all} APPEND PROPERTY FIXTURES_REQUIRED tree)
endfunction()
cmake_language(DEFER CALL iv_watch_tree) # when all tests are known
