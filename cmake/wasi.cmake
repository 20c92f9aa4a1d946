# SPDX-License-Identifier: Apache-2.0
# What the build for browsers needs in place of the system's libraries: header-only ones
# by links, away from the headers of another C library beside them, and unpackers
# compiled from their sources, which two packages of npm carry.
set(linked ${PROJECT_BINARY_DIR}/linked)
file(MAKE_DIRECTORY ${linked})
foreach(name boost Random123 kissfft rapidjson)
    find_path(INTERVALE_${name} ${name} PATHS /usr/include REQUIRED
        NO_CMAKE_SYSTEM_PATH DOC "The folder that ${name} is in")
    file(CREATE_LINK ${INTERVALE_${name}}/${name} ${linked}/${name} SYMBOLIC)
endforeach()
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers INTERFACE ${linked})

# A module is put together once: no tables to find its parts by.
unset(CMAKE_POSITION_INDEPENDENT_CODE)
# One thread: no mutex in Boost.  No exceptions: the library lets none out, and what would be
# one (memory that is not there for Boost) ends the run.  Random123 has a list of
# processors that it was tried on; on this one it behaves as on RISC-V.
add_compile_definitions(BOOST_DISABLE_THREADS
    BOOST_SMART_PTR_DETAIL_LWM_STD_MUTEX_HPP_INCLUDED _WASI_EMULATED_SIGNAL _WASI_EMULATED_MMAN
    _WASI_EMULATED_GETPID)
add_compile_options("$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${PROJECT_SOURCE_DIR}/web/lacking.h>"
    $<$<COMPILE_LANGUAGE:CXX>:-fignore-exceptions>)
set_source_files_properties(src/num/draw.c PROPERTIES COMPILE_DEFINITIONS __riscv=64)
# -O0 is of the link alone, and means that wasm-opt is not looked for: it takes 40 s and gains
# nothing that was seen, in bytes or in time, and a module should not depend on its being there.
add_link_options(-O0 -lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-getpid
    -Wl,--max-memory=4294967296 -Wl,-z,stack-size=1048576 -Wl,--stack-first
    $<$<CONFIG:Release>:-Wl,--strip-all>)

include(cmake/npm.cmake)
iv_npm_install(has_codecs why ${PROJECT_BINARY_DIR}/codecs ${PROJECT_SOURCE_DIR}/web/codecs)
if(NOT has_codecs)
    message(FATAL_ERROR "${why}: it brings the sources of zlib and zstd")
endif()
set(zlib ${PROJECT_BINARY_DIR}/codecs/node_modules/zlib-sync/deps/zlib)
set(zstd ${PROJECT_BINARY_DIR}/codecs/node_modules/zstd-napi/deps/zstd/lib)
file(GLOB codecs ${zlib}/inf*.c ${zlib}/adler32.c ${zlib}/crc32.c ${zlib}/zutil.c
    ${zstd}/common/*.c ${zstd}/decompress/*.c)
add_library(iv_codecs STATIC ${codecs} web/thrown.c)
target_include_directories(iv_codecs SYSTEM PUBLIC ${zlib} ${zstd})
target_compile_definitions(iv_codecs PRIVATE ZSTD_DISABLE_ASM=1 DYNAMIC_BMI2=0)
foreach(name ZLIB::ZLIB PkgConfig::ZSTD)
    add_library(${name} INTERFACE IMPORTED)
    target_link_libraries(${name} INTERFACE iv_codecs)
endforeach()
set(ZLIB_FOUND ON)
set(ZSTD_FOUND ON)
