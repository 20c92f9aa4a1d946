# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the libraries, the headers, descriptions
# for pkg-config and CMake, the manual and the completions of the tool.
include(CMakePackageConfigHelpers)

install(TARGETS intervale_static intervale_shared
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md"
    PATTERN "*.svg" PATTERN "*.json")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c"
    PATTERN "*.py" PATTERN "*.md" PATTERN "*.ipynb")
# The site for browsers, if it was built (make web).
install(FILES build/web/index.html build/web/intervale.js build/web/intervale.wasm OPTIONAL
    DESTINATION ${site_dir})
install(DIRECTORY python/intervale DESTINATION ${INTERVALE_PYTHON_DIR}
        PATTERN __pycache__ EXCLUDE)
# A wheel (pyproject.toml) has the library beside the modules, and the tool.
if(SKBUILD)
    install(FILES $<TARGET_FILE:intervale_shared> DESTINATION intervale COMPONENT python
        RENAME libintervale${CMAKE_SHARED_LIBRARY_SUFFIX})
    install(PROGRAMS $<TARGET_FILE:intervale> DESTINATION ${SKBUILD_SCRIPTS_DIR}
        COMPONENT python)
endif()

# What a program must link beside the static library, as the compiler in use
# needs it: compression and the C++ library, since two
# files of the library are C++ and a C compiler does not add it.
set(private_libs)
set(private_dirs)
if(INTERVALE_ZLIB)
    list(APPEND private_libs z)
endif()
if(INTERVALE_ZSTD)
    list(APPEND private_libs zstd)
endif()
if(INTERVALE_JANSSON)
    list(APPEND private_libs jansson)
endif()
set(cxx_libs ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER cxx_libs INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi)$")
list(APPEND private_libs ${cxx_libs} m)
list(REMOVE_DUPLICATES private_libs)
list(REMOVE_DUPLICATES private_dirs)

# Both find the library from where they stand, so that --prefix may move it.
file(RELATIVE_PATH pc_up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM private_dirs PREPEND "-L" OUTPUT_VARIABLE pc_private)
list(TRANSFORM private_libs PREPEND "-l" OUTPUT_VARIABLE pc_names)
list(JOIN pc_private " " pc_dirs)
list(JOIN pc_names " " pc_private)
string(STRIP "${pc_dirs} ${pc_private}" pc_private)
configure_file(cmake/intervale.pc.in intervale.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/intervale.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(INTERVALE_JUDGE)
    # Static ones by name, since a path with a blank in it does not come through pkg-config;
    # Apple's linker knows paths only.
    set(judge_libs "-L\${libdir} -l:libintervale-judge.a -l:libintervale.a")
    if(APPLE)
        set(judge_libs "\${libdir}/libintervale-judge.a \${libdir}/libintervale.a")
    endif()
    configure_file(cmake/intervale-judge.pc.in intervale-judge.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/intervale-judge.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/intervale)
configure_package_config_file(cmake/intervaleConfig.cmake.in intervaleConfig.cmake
    INSTALL_DESTINATION ${config_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/intervaleConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/intervaleConfig.cmake
    ${PROJECT_BINARY_DIR}/intervaleConfigVersion.cmake DESTINATION ${config_dir})

# The tool writes its own manual and completions, so it must run where it is built.
if(TARGET intervale AND NOT CMAKE_CROSSCOMPILING)
    set(pages ${PROJECT_BINARY_DIR}/man1)
    set(shells ${PROJECT_BINARY_DIR}/completions)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/pages.stamp
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages} ${shells}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${pages} ${shells}
        COMMAND intervale manual --directory ${pages}
        COMMAND intervale completion bash > ${shells}/intervale
        COMMAND intervale completion zsh > ${shells}/_intervale
        COMMAND intervale completion fish > ${shells}/intervale.fish
        COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/pages.stamp
        DEPENDS intervale COMMENT "Manual pages and completions" VERBATIM)
    set(with_all ALL)
    if(INTERVALE_SANITIZE) # seconds a start; who installs such a build asks for it
        set(with_all)
    endif()
    add_custom_target(intervale_pages ${with_all} DEPENDS ${PROJECT_BINARY_DIR}/pages.stamp)
    install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${shells}/intervale
        DESTINATION ${bash_dir})
    install(FILES ${shells}/_intervale
        DESTINATION ${zsh_dir})
    install(FILES ${shells}/intervale.fish
        DESTINATION ${fish_dir})
endif()
