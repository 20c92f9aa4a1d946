# SPDX-License-Identifier: Apache-2.0
# Turns references.bib into a C array.  Before each entry stand its key, its label and the line of a list of
# references, which BibTeX skips; blank lines separate them and become NUL bytes; an empty key ends them.
#
# usage: cmake -DOUT=references_bib.c -DFROM=references.bib -P references.cmake
file(READ ${FROM} bytes HEX)
string(REPLACE "0a0a" "00" bytes "${bytes}")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/references.cmake. */\n#include \"result/methods.h\"\n\n"
    "const char iv_references[] = {\n${bytes}0x00, 0x00\n};\n")
