# SPDX-License-Identifier: Apache-2.0
# Where things are installed.  Comes before whatever installs something: it writes down
# which of these folders are new, for uninstall.cmake.
# The module finds the library from where it stands; Python finds it there when
# PYTHONPATH says so, or INTERVALE_PYTHON_DIR names a folder of Python's own.
set(INTERVALE_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/intervale/python CACHE STRING
    "Where the Python package is installed, under the prefix")
set(site_dir ${CMAKE_INSTALL_DATADIR}/intervale/web) # of the tool as a web page
set(bash_dir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(zsh_dir ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
set(fish_dir ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
set(folders ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    ${CMAKE_INSTALL_LIBDIR}/cmake ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_DOCDIR}
    ${CMAKE_INSTALL_MANDIR}/man1 ${bash_dir} ${zsh_dir} ${fish_dir} ${INTERVALE_PYTHON_DIR}
    ${site_dir})
install(CODE "set(FOLDERS \"${folders}\")
    set(LIST \"${PROJECT_BINARY_DIR}/install_made.txt\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/install_made.cmake\")")
