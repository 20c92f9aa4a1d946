# SPDX-License-Identifier: Apache-2.0
# Builds for Windows: what it lacks of POSIX is in src/base/win32.
set(win32 ${PROJECT_SOURCE_DIR}/src/base/win32)
target_include_directories(iv_flags INTERFACE ${win32})
target_compile_definitions(iv_flags INTERFACE _FILE_OFFSET_BITS=64 __USE_MINGW_ANSI_STDIO=0
    WIN32_LEAN_AND_MEAN)
target_compile_options(iv_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${win32}/win32.h>"
    -Wno-format) # checked on other systems; here it knows no %zu
target_link_libraries(iv_flags INTERFACE advapi32 shell32)
