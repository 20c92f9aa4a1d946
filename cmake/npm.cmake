# SPDX-License-Identifier: Apache-2.0
# Packages of npm's registry, fetched by CMake: the versions and checksums are those of a lock
# file of npm.  npm itself is not needed; npm_config_registry in the environment names another
# registry.  Without one the tool is built without pages, unless the archive brought their
# script (built/page.c).
find_program(INTERVALE_NODE NAMES node nodejs DOC "Node.js, to build HTML reports")

# The archives are kept beside the folders of the presets, for all of them.
cmake_path(GET PROJECT_BINARY_DIR PARENT_PATH iv_npm_kept)
if(NOT iv_npm_kept STREQUAL "${PROJECT_SOURCE_DIR}/build")
    set(iv_npm_kept ${PROJECT_BINARY_DIR})
endif()
string(APPEND iv_npm_kept "/packages")

# Base64, as lock files have checksums, in hexadecimal digits, as CMake has them.
function(iv_hexadecimal out text)
    set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
    set(digits)
    string(REGEX MATCHALL "...." groups "${text}")
    foreach(group IN LISTS groups)
        set(number 1) # a leading one keeps the zeros
        foreach(at RANGE 3)
            string(SUBSTRING ${group} ${at} 1 letter)
            string(FIND ${letters} "${letter}" value)
            if(letter STREQUAL "=")
                set(value 0)
            endif()
            math(EXPR number "${number} * 64 + ${value}" OUTPUT_FORMAT HEXADECIMAL)
        endforeach()
        string(SUBSTRING ${number} 3 -1 number) # 0x1
        string(APPEND digits ${number})
    endforeach()
    string(LENGTH "${digits}" length)
    string(REGEX MATCH "=*$" filled "${text}")
    string(LENGTH "${filled}" filled)
    math(EXPR length "${length} - 2 * ${filled}")
    string(SUBSTRING "${digits}" 0 ${length} digits)
    set(${out} ${digits} PARENT_SCOPE)
endfunction()

# Puts one package into FOLDER; FAILED says what went wrong, or is empty.
function(iv_npm_fetch failed name version checksum folder)
    set(registry https://registry.npmjs.org)
    if(DEFINED ENV{npm_config_registry})
        string(REGEX REPLACE "/$" "" registry $ENV{npm_config_registry})
    endif()
    get_filename_component(short ${name} NAME) # without a scope
    string(SUBSTRING ${checksum} 0 16 brief)
    set(archive ${iv_npm_kept}/${short}-${version}-${brief}.tgz)
    if(NOT EXISTS ${archive})
        # What is trusted is the checksum, not the certificate of a registry or proxy.
        file(DOWNLOAD ${registry}/${name}/-/${short}-${version}.tgz ${folder}.tgz
            INACTIVITY_TIMEOUT 30 TLS_VERIFY OFF STATUS status)
        list(GET status 0 code)
        set(found)
        if(code EQUAL 0)
            file(SHA512 ${folder}.tgz found)
        endif()
        if(NOT found STREQUAL checksum)
            list(GET status 1 said)
            if(code EQUAL 0)
                set(said "another checksum than in the lock file")
            endif()
            file(REMOVE ${folder}.tgz)
            set(${failed} "${name} cannot be fetched (${said})" PARENT_SCOPE)
            return()
        endif()
        file(MAKE_DIRECTORY ${iv_npm_kept})
        file(RENAME ${folder}.tgz ${archive}) # all of it, or nothing
    endif()
    file(REMOVE_RECURSE ${folder}.new)
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}.new)
    file(GLOB inside ${folder}.new/*) # one folder, most call it package
    file(RENAME ${inside} ${folder})
    file(REMOVE_RECURSE ${folder}.new)
    set(${failed} "" PARENT_SCOPE)
endfunction()

# Installs the packages of SOURCE/package-lock.json into FOLDER/node_modules, now and
# whenever that file changes; OK says whether it worked, WHY what failed.
function(iv_npm_install ok why folder source)
    set(lock ${source}/package-lock.json)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${lock})
    set(${ok} OFF PARENT_SCOPE)
    set(${why} "Node.js is not here" PARENT_SCOPE)
    if(NOT INTERVALE_NODE)
        return()
    endif()
    if(NOT EXISTS ${folder}/installed OR ${lock} IS_NEWER_THAN ${folder}/installed)
        file(REMOVE_RECURSE ${folder}/node_modules)
        file(READ ${lock} packages)
        string(JSON packages GET "${packages}" packages)
        string(JSON count LENGTH "${packages}")
        foreach(at RANGE 1 ${count})
            if(at EQUAL count)
                break()
            endif()
            string(JSON place MEMBER "${packages}" ${at}) # the first, "", is this list
            string(JSON version GET "${packages}" ${place} version)
            string(JSON checksum GET "${packages}" ${place} integrity)
            string(REGEX REPLACE "^sha512-" "" checksum ${checksum})
            iv_hexadecimal(checksum ${checksum})
            string(REGEX REPLACE ".*node_modules/" "" name ${place})
            get_filename_component(above ${folder}/${place} DIRECTORY)
            file(MAKE_DIRECTORY ${above})
            iv_npm_fetch(failed ${name} ${version} ${checksum} ${folder}/${place})
            if(failed)
                set(${why} ${failed} PARENT_SCOPE)
                return()
            endif()
        endforeach()
        file(TOUCH ${folder}/installed)
    endif()
    set(${ok} ON PARENT_SCOPE)
endfunction()
