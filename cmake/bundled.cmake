# SPDX-License-Identifier: Apache-2.0
# Libraries in place of the system's, for builds that must run elsewhere (browsers, wheels):
# header-only ones by links, away from the headers of another C library beside them, and unpackers
# compiled from their sources, which two packages of npm carry.  JSON is read by RapidJSON.
set(linked ${PROJECT_BINARY_DIR}/linked)
file(MAKE_DIRECTORY ${linked})
foreach(name boost Random123 kissfft rapidjson)
    find_path(INTERVALE_${name} ${name} PATHS /usr/include REQUIRED
        NO_CMAKE_SYSTEM_PATH DOC "The folder that ${name} is in")
    if(NOT name STREQUAL "rapidjson")
        file(CREATE_LINK ${INTERVALE_${name}}/${name} ${linked}/${name} SYMBOLIC)
    endif()
endforeach()
# Release 1.1.0 assigns to a constant in an operator that nobody uses; newer compilers refuse it.
file(REMOVE_RECURSE ${linked}/rapidjson)
file(COPY ${INTERVALE_rapidjson}/rapidjson DESTINATION ${linked})
file(READ ${linked}/rapidjson/document.h text)
string(REPLACE "{ s = rhs.s; length = rhs.length; }" "= delete;" text "${text}")
file(WRITE ${linked}/rapidjson/document.h "${text}")
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers INTERFACE ${linked})

include(cmake/npm.cmake)
iv_npm_install(has_codecs why ${PROJECT_BINARY_DIR}/codecs ${PROJECT_SOURCE_DIR}/web/codecs)
if(NOT has_codecs)
    message(FATAL_ERROR "${why}: it brings the sources of zlib and zstd")
endif()
set(zlib ${PROJECT_BINARY_DIR}/codecs/node_modules/zlib-sync/deps/zlib)
set(zstd ${PROJECT_BINARY_DIR}/codecs/node_modules/zstd-napi/deps/zstd/lib)
file(GLOB codecs ${zlib}/inf*.c ${zlib}/adler32.c ${zlib}/crc32.c ${zlib}/zutil.c
    ${zstd}/common/*.c ${zstd}/decompress/*.c)
add_library(iv_codecs STATIC ${codecs})
if(WASI)
    target_sources(iv_codecs PRIVATE web/thrown.c)
endif()
target_include_directories(iv_codecs SYSTEM PUBLIC ${zlib} ${zstd})
target_compile_definitions(iv_codecs PRIVATE ZSTD_DISABLE_ASM=1 DYNAMIC_BMI2=0
    ZSTDLIB_VISIBLE= ZSTDERRORLIB_VISIBLE=) # hidden, also where there is no version script
foreach(name ZLIB::ZLIB PkgConfig::ZSTD)
    add_library(${name} INTERFACE IMPORTED)
    target_link_libraries(${name} INTERFACE iv_codecs)
endforeach()
set(ZLIB_FOUND ON)
set(ZSTD_FOUND ON)
