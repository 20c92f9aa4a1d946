# SPDX-License-Identifier: Apache-2.0
# Turns the files of the judging page into one C file of bytes; no program but cmake is
# needed for it.  The scripts are one script, in this order.
#
# usage: cmake -DOUT=page.c -DHEADER=serve/site.h -DWEB=FOLDER -P bytes.cmake
set(text "/* Made by cmake/bytes.cmake. */\n#include \"${HEADER}\"\n")
function(put_bytes name)
    set(bytes "")
    foreach(file ${ARGN})
        file(READ ${WEB}/${file} more HEX)
        string(APPEND bytes "${more}")
    endforeach()
    string(LENGTH "${bytes}" digits)
    math(EXPR length "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    set(text "${text}\nconst unsigned char ${name}[] = {\n${bytes}\n};\nconst size_t ${name}_len = ${length};\n"
        PARENT_SCOPE)
endfunction()
put_bytes(iv_web_html judge.html)
put_bytes(iv_web_css ../../report/web/design.css judge.css)
put_bytes(iv_web_js ../../report/web/flow.js outbox.js judging.js owner.js start.js)
file(WRITE ${OUT} "${text}")
