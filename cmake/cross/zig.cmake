# SPDX-License-Identifier: Apache-2.0
# The compiler of PyPI's package ziglang, for another system: tools/wheels.py sets
# INTERVALE_ZIG_TARGET, such as x86_64-linux-gnu.2.28, and INTERVALE_ZIG, a folder with programs
# cc and c++ that call it.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES INTERVALE_ZIG INTERVALE_ZIG_TARGET)
if(NOT INTERVALE_ZIG)
    set(INTERVALE_ZIG $ENV{INTERVALE_ZIG})
    set(INTERVALE_ZIG_TARGET $ENV{INTERVALE_ZIG_TARGET})
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${INTERVALE_ZIG_TARGET})
if(INTERVALE_ZIG_TARGET MATCHES windows)
    set(CMAKE_SYSTEM_NAME Windows)
elseif(INTERVALE_ZIG_TARGET MATCHES macos)
    set(CMAKE_SYSTEM_NAME Darwin)
else()
    set(CMAKE_SYSTEM_NAME Linux)
endif()
set(CMAKE_C_COMPILER ${INTERVALE_ZIG}/cc)
set(CMAKE_CXX_COMPILER ${INTERVALE_ZIG}/c++)
set(CMAKE_AR ${INTERVALE_ZIG}/ar)
set(CMAKE_RANLIB ${INTERVALE_ZIG}/ranlib)
set(CMAKE_C_COMPILER_TARGET ${INTERVALE_ZIG_TARGET})
set(CMAKE_CXX_COMPILER_TARGET ${INTERVALE_ZIG_TARGET})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
# Nothing renames the library of macOS when it is installed.
set(CMAKE_BUILD_WITH_INSTALL_NAME_DIR ON)
set(CMAKE_INSTALL_NAME_DIR "@rpath")
# No table of symbols but those that are exported.
set(CMAKE_EXE_LINKER_FLAGS_INIT -s)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s)
