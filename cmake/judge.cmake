# SPDX-License-Identifier: Apache-2.0
# Judging in the browser: a library of its own, so that who embeds libintervale gets neither
# SQLite nor libevent.  Static only: it is made of the same internals as libintervale.
if(INTERVALE_JUDGE)
    find_package(Threads REQUIRED)
    # The page needs no bundler: its files go into the program as they are.
    set(web ${PROJECT_SOURCE_DIR}/src/serve/web)
    set(scripts ${web}/outbox.js ${web}/judging.js ${web}/owner.js ${web}/start.js)
    set(judge_page ${PROJECT_BINARY_DIR}/judge_page.c)
    add_custom_command(OUTPUT ${judge_page}
        COMMAND ${CMAKE_COMMAND} -DOUT=${judge_page} -DHEADER=serve/site.h -DWEB=${web}
            -P ${PROJECT_SOURCE_DIR}/cmake/bytes.cmake
        DEPENDS ${PROJECT_SOURCE_DIR}/cmake/bytes.cmake ${web}/judge.html ${web}/judge.css
            ${PROJECT_SOURCE_DIR}/src/report/web/design.css
            ${PROJECT_SOURCE_DIR}/src/report/web/flow.js ${scripts}
        COMMENT "Inlining the page of judging" VERBATIM)
    add_library(intervale_judge STATIC ${judge} ${judge_page})
    set_target_properties(intervale_judge PROPERTIES OUTPUT_NAME intervale-judge)
    target_include_directories(intervale_judge PUBLIC src)
    target_link_libraries(intervale_judge PUBLIC intervale_static PkgConfig::SQLITE
        PkgConfig::EVENT Threads::Threads PRIVATE iv_flags iv_optional)
    target_compile_definitions(intervale_judge PRIVATE
        INTERVALE_ZLIB=$<BOOL:${INTERVALE_ZLIB}> INTERVALE_ZSTD=$<BOOL:${INTERVALE_ZSTD}>)
    install(TARGETS intervale_judge ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    set(store_headers store session assessors items entries lists overview session_export upkeep)
    set(live_headers live)
    set(review_headers review_verdict)
    set(serve_headers serve)
    foreach(module store live review serve)
        list(TRANSFORM ${module}_headers REPLACE "(.+)" "src/${module}/\\1.h")
        install(FILES ${${module}_headers}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/intervale-judge/${module})
    endforeach()
endif()
