# SPDX-License-Identifier: Apache-2.0
# Before an installation: writes down which folders it will make, for uninstall.cmake.
# Given: FOLDERS below the prefix, and LIST, the file.
set(made)
foreach(folder IN LISTS FOLDERS)
    set(at "${CMAKE_INSTALL_PREFIX}/${folder}")
    while(NOT EXISTS "$ENV{DESTDIR}${at}" AND NOT at MATCHES "^/?$")
        list(APPEND made "${at}")
        get_filename_component(at "${at}" DIRECTORY)
    endwhile()
endforeach()
list(REMOVE_DUPLICATES made)
list(JOIN made "\n" made)
if(NOT made STREQUAL "")
    file(WRITE "${LIST}" "${made}\n")
elseif(NOT EXISTS "${LIST}")
    file(WRITE "${LIST}" "")
endif()
