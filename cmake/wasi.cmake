# SPDX-License-Identifier: Apache-2.0
# What the build for browsers needs beside the bundled libraries (cmake/bundled.cmake).

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
