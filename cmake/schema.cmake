# SPDX-License-Identifier: Apache-2.0
# Turns the schema of answers into a text of the tool.
#
# usage: cmake -DOUT=answer_schema.c -DFROM=doc/schema/result.json -P schema.cmake
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/schema.cmake. */\n#include \"frame/frame.h\"\n\n"
    "const char answer_schema[] = {\n${bytes}0x00\n};\n")
