# SPDX-License-Identifier: Apache-2.0
# Reports in a real browser (sanitized builds render them in unit/report), and
# what is left of them in a build without npm.
iv_unit_test(report_off unit/test_report_off.c ${PROJECT_SOURCE_DIR}/src/report/report.c)
target_compile_definitions(test_report_off PRIVATE INTERVALE_HTML=0)

find_program(INTERVALE_BROWSER NAMES chromium chromium-browser google-chrome
    DOC "A browser of the Chromium family, for the tests of HTML reports")
set(has_browser OFF)
set(why "this build has no pages (`make html` and `make test-all` do)")
if(INTERVALE_HTML AND NOT INTERVALE_SANITIZE)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/html)
    # What draws is compared with what npm has, so that it is needed in an archive too.
    iv_npm_install(has_browser why ${made} ${CMAKE_CURRENT_SOURCE_DIR}/html)
    if(has_browser)
        iv_npm_install(has_browser why ${PROJECT_BINARY_DIR}/web
            ${PROJECT_SOURCE_DIR}/src/report/web)
    endif()
endif()
if(INTERVALE_HTML AND NOT INTERVALE_SANITIZE AND has_browser AND INTERVALE_BROWSER)
    set(open_pages ${INTERVALE_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/html/reports.mjs
        $<TARGET_FILE:intervale> ${INTERVALE_BROWSER} ${made}/node_modules
        ${PROJECT_BINARY_DIR}/web/node_modules)
    add_test(NAME html/browser COMMAND ${open_pages})
    add_test(NAME html/large COMMAND ${open_pages} - large)
    set_tests_properties(html/browser html/large PROPERTIES LABELS html TIMEOUT 1500
        COST 90) # among the first
    iv_long_tests(html/large)
elseif(NOT INTERVALE_SANITIZE)
    if(has_browser)
        set(why "no browser of the Chromium family is here (`make test-all` installs one)")
    endif()
    message(NOTICE "-- tests of pages are skipped: ${why}")
    add_test(NAME html/browser COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
    set_tests_properties(html/browser PROPERTIES LABELS html SKIP_REGULAR_EXPRESSION skipped)
endif()
