# SPDX-License-Identifier: Apache-2.0
# Removes what `cmake --install` put somewhere, and the folders that it made.
#
# usage: cmake -DBUILD=build/release -P cmake/uninstall.cmake
set(list ${BUILD}/install_manifest.txt)
if(NOT EXISTS ${list})
    message(FATAL_ERROR "${list} is not here: nothing was installed from ${BUILD}")
endif()
file(STRINGS ${list} files ENCODING UTF-8)
file(STRINGS ${BUILD}/install_made.txt folders ENCODING UTF-8)
foreach(file IN LISTS files)
    file(REMOVE "$ENV{DESTDIR}${file}")
    # Folders below one of our name are ours.
    get_filename_component(folder "${file}" DIRECTORY)
    if(file MATCHES "\\.py$") # what Python compiled of it
        file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}/__pycache__")
    endif()
    while(folder MATCHES "/intervale(-judge)?(/|$)")
        list(APPEND folders "${folder}")
        get_filename_component(folder "${folder}" DIRECTORY)
    endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # the inner ones first
foreach(folder IN LISTS folders)
    file(GLOB left "$ENV{DESTDIR}${folder}/*" "$ENV{DESTDIR}${folder}/.[!.]*")
    if(NOT left)
        file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
    endif()
endforeach()
file(REMOVE ${list} ${BUILD}/install_made.txt)
