# SPDX-License-Identifier: Apache-2.0
# The judging page in a real browser; it needs npm's packages for the tests, not for the page.
if(NOT INTERVALE_JUDGE)
    add_test(NAME judge/without COMMAND intervale judge new session.db)
    set_tests_properties(judge/without PROPERTIES LABELS judge PASS_REGULAR_EXPRESSION
        "^intervale: unknown command 'judge': this build was made without SQLite, libevent or Jansson, which it needs; see 'intervale help'\n$")
endif()
if(NOT INTERVALE_JUDGE OR INTERVALE_SANITIZE)
    return()
endif()
iv_script_test(commands judge judge/commands.py $<TARGET_FILE:intervale>)
iv_script_test(duplicates judge judge/duplicates.py $<TARGET_FILE:intervale>)
iv_script_test(verdicts judge judge/verdicts.py $<TARGET_FILE:intervale>)
iv_script_test(report judge judge/report.py $<TARGET_FILE:intervale>)
iv_script_test(references judge judge/references.py $<TARGET_FILE:intervale>)
iv_script_test(forms judge judge/forms.py $<TARGET_FILE:intervale>)
# What ASReview itself makes and reads: minutes, most of them pip's.
iv_script_test(asreview judge judge/references.py $<TARGET_FILE:intervale>
    ${PROJECT_BINARY_DIR}/asreview)
set_tests_properties(judge/asreview PROPERTIES SKIP_RETURN_CODE 77)
iv_long_tests(judge/asreview)
iv_script_test(trust judge judge/trust.py $<TARGET_FILE:intervale>)
iv_script_test(simulated judge judge/simulated.py $<TARGET_FILE:intervale>)
iv_npm_install(has_driver why ${CMAKE_CURRENT_BINARY_DIR}/html ${CMAKE_CURRENT_SOURCE_DIR}/html)
if(has_driver AND INTERVALE_BROWSER)
    add_test(NAME judge/browser COMMAND ${INTERVALE_NODE}
        ${CMAKE_CURRENT_SOURCE_DIR}/judge/judging.mjs $<TARGET_FILE:intervale>
        ${INTERVALE_BROWSER} ${CMAKE_CURRENT_BINARY_DIR}/html/node_modules)
    set_tests_properties(judge/browser PROPERTIES LABELS html TIMEOUT 1500)
    foreach(documents 36 300) # the second in make test-all
        add_test(NAME judge/three_${documents} COMMAND ${INTERVALE_NODE}
            ${CMAKE_CURRENT_SOURCE_DIR}/judge/three.mjs $<TARGET_FILE:intervale>
            ${INTERVALE_BROWSER} ${CMAKE_CURRENT_BINARY_DIR}/html/node_modules ${documents})
        set_tests_properties(judge/three_${documents} PROPERTIES LABELS html TIMEOUT 1500)
    endforeach()
    iv_long_tests(judge/three_300)
else()
    if(has_driver)
        set(why "no browser of the Chromium family is here")
    endif()
    add_test(NAME judge/browser COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
    set_tests_properties(judge/browser PROPERTIES LABELS html SKIP_REGULAR_EXPRESSION skipped)
endif()
