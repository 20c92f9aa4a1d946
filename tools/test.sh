#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The test suite: the release build with everything, then the same tests under
# the address and undefined-behaviour sanitizers, then built by clang.
#
# usage: tools/test.sh [all|release]
#
# "release" is the first of them alone.  Without "all" tests labelled long are left out, and those that see the library
# from outside (pages in a browser, clients, Python) run once; so do the rules of the tree, but for clang, which reads
# the headers, too.  What clang builds is tried by unit and golden tests: the commands are the same, the numbers must be.
set -eu
cd "$(dirname "$0")/.."

# Sanitizers confuse the compiler's flow analysis, so that warnings are errors
# in the other two builds only.
presets='release asan clang'
[ "${1:-}" != release ] || presets=release
for preset in $presets; do
    echo "== $preset"
    cmake --preset $preset -DBUILD_TESTING=ON >/dev/null
    cmake --build build/$preset
    out='long'
    case $preset in
    asan) out='long|html|client|python|rules' ;;
    clang) out='long|html|client|python|fault|cli|judge|web|fuzz' ;;
    esac
    [ "${1:-}" != all ] || out='none'
    ctest --test-dir build/$preset --output-on-failure -j "$(nproc)" -LE "$out"
done
