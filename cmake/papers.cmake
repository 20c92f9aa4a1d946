# SPDX-License-Identifier: Apache-2.0
# Turns the tables of printed values into one C file of bytes.
#
# usage: cmake -DOUT=papers_files.c -DFOLDER=src/study/papers -P papers.cmake
file(GLOB files ${FOLDER}/*.tsv)
list(SORT files)
set(text "/* Made by cmake/papers.cmake. */\n#include \"study/study.h\"\n")
set(list "")
foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR length "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "\nstatic const unsigned char ${name}[] = {\n${bytes}\n};\n")
    string(LENGTH "${name}" letters)
    string(APPEND list
        "    { { \"${name}\", ${letters} }, { (const char *)${name}, ${length} } },\n")
endforeach()
list(LENGTH files count)
string(APPEND text "\nconst iv_str iv_papers_files[][2] = {\n${list}};\n"
    "const size_t iv_papers_file_count = ${count};\n")
file(WRITE ${OUT} "${text}")
