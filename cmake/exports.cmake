# SPDX-License-Identifier: Apache-2.0
# The shared library exports the C interface and nothing of C++.
include(CheckLinkerFlag)
set(map ${CMAKE_CURRENT_LIST_DIR}/exports.map)
check_linker_flag(C -Wl,--version-script=${map} INTERVALE_HAS_VERSION_SCRIPT)
if(INTERVALE_HAS_VERSION_SCRIPT)
    target_link_options(intervale_shared PRIVATE -Wl,--version-script=${map})
    set_target_properties(intervale_shared PROPERTIES LINK_DEPENDS ${map})
endif()
