# SPDX-License-Identifier: Apache-2.0
# HTML reports carry the libraries that draw their charts.  Those come from npm, in
# the versions of web/package-lock.json, when the library is built; or, in an archive,
# from built/page.c, which was made so.
set(web ${PROJECT_SOURCE_DIR}/src/report/web)
set(made ${PROJECT_BINARY_DIR}/web)
set(page ${PROJECT_SOURCE_DIR}/built/page.c)
set(has_pages ON)
if(NOT EXISTS ${page} AND (NOT DEFINED INTERVALE_HTML OR INTERVALE_HTML))
    set(page ${made}/page.c)
    iv_npm_install(has_pages why ${made} ${web})
    if(NOT has_pages AND NOT DEFINED INTERVALE_HTML)
        message(NOTICE "-- ${why}: building without --format html")
    endif()
endif()
if(INTERVALE_HTML AND NOT has_pages)
    message(FATAL_ERROR "${why}; without: -DINTERVALE_HTML=OFF")
endif()
if(NOT DEFINED INTERVALE_HTML) # not kept: what is missing today may be there tomorrow
    set(INTERVALE_HTML ${has_pages})
endif()

if(INTERVALE_HTML)
    if(page STREQUAL ${made}/page.c)
        add_custom_command(OUTPUT ${page}
            COMMAND ${INTERVALE_NODE} ${web}/inline.mjs ${web} ${made}/node_modules ${page}
            DEPENDS ${made}/installed ${web}/inline.mjs ${web}/page.js ${web}/page.css
                ${web}/design.css
            COMMENT "Inlining the script of HTML reports" VERBATIM)
        add_custom_target(iv_page DEPENDS ${page}) # for tools/dist.sh
    endif()
    target_sources(iv_objects PRIVATE ${page})
else()
    set_source_files_properties(src/report/html.c PROPERTIES
        HEADER_FILE_ONLY ON)
endif()
set_source_files_properties(src/report/report.c PROPERTIES
    COMPILE_DEFINITIONS INTERVALE_HTML=$<BOOL:${INTERVALE_HTML}>)
