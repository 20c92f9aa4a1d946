# SPDX-License-Identifier: Apache-2.0
# Judging in the browser: a library of its own, so that who embeds libintervale gets neither
# SQLite nor libevent.  Static only: it is made of the same internals as libintervale.
if(INTERVALE_JUDGE)
    add_library(intervale_judge STATIC ${judge})
    set_target_properties(intervale_judge PROPERTIES OUTPUT_NAME intervale-judge)
    target_include_directories(intervale_judge PUBLIC src)
    target_link_libraries(intervale_judge PUBLIC intervale_static PkgConfig::SQLITE
        PkgConfig::EVENT PRIVATE iv_flags iv_optional)
    target_compile_definitions(intervale_judge PRIVATE
        INTERVALE_ZSTD=$<BOOL:${INTERVALE_ZSTD}>)
    install(TARGETS intervale_judge ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    foreach(room store live serve)
        install(FILES src/${room}/${room}.h OPTIONAL
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/intervale-judge/${room})
    endforeach()
endif()
