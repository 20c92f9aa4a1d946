# SPDX-License-Identifier: Apache-2.0
# Turns files into one C file of bytes: no program but cmake is needed for it.
#
# usage: cmake -DOUT=web.c -DHEADER=serve/page.h -DNAMES=iv_web_html;iv_web_css
#              -DFILES=judge.html;judge.css -P bytes.cmake
set(text "/* Made by cmake/bytes.cmake. */\n#include \"${HEADER}\"\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
    file(READ ${file} bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR length "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "\nconst unsigned char ${name}[] = {\n${bytes}\n};\n"
        "const size_t ${name}_len = ${length};\n")
endforeach()
file(WRITE ${OUT} "${text}")
