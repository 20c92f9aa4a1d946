# SPDX-License-Identifier: Apache-2.0
# What makes a bug harder to use against who runs the program; rules/hardened looks
# whether it is there.  Builds for finding bugs do without.
option(INTERVALE_HARDEN "Stack protector, FORTIFY, PIE, full RELRO in release builds" ON)
if(NOT INTERVALE_STATIC) # -pie behind -static-pie would ask for a dynamic linker again
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C CXX)
endif()
if(INTERVALE_HARDEN AND NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT INTERVALE_SANITIZE)
    set(fortify 2)
    if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
        set(fortify 3)
    endif()
    # Undefined first: distributions define it too.
    target_compile_options(iv_flags INTERFACE -fstack-protector-strong
        -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
    if(NOT APPLE)
        target_link_options(iv_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
    endif()
endif()
