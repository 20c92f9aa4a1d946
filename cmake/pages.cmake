# SPDX-License-Identifier: Apache-2.0
# HTML reports carry the libraries that draw their charts.  Those come from
# npm, in the versions of web/package-lock.json, when the library is built.
set(web ${PROJECT_SOURCE_DIR}/src/report/web)
set(made ${PROJECT_BINARY_DIR}/web)
if(INTERVALE_HTML)
    iv_npm_install(${made} ${web})
    add_custom_command(OUTPUT ${made}/page.c
        COMMAND ${INTERVALE_NODE} ${web}/inline.mjs ${web} ${made}/node_modules ${made}/page.c
        DEPENDS ${made}/installed ${web}/inline.mjs ${web}/page.js ${web}/page.css
        COMMENT "Inlining the script of HTML reports" VERBATIM)
    target_sources(iv_objects PRIVATE ${made}/page.c)
else()
    set_source_files_properties(src/report/html.c src/report/html_table.c PROPERTIES
        HEADER_FILE_ONLY ON)
endif()
set_source_files_properties(src/report/report.c PROPERTIES
    COMPILE_DEFINITIONS INTERVALE_HTML=$<BOOL:${INTERVALE_HTML}>)
