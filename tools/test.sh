#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole test suite: the release build with everything, then the same tests
# under the address and undefined-behaviour sanitizers, then built by clang.
set -eu
cd "$(dirname "$0")/.."

# Sanitizers confuse the compiler's flow analysis, so that warnings are errors
# in the other two builds only.  Pages in a browser, clients and Python see the
# library from outside: once is enough.
for preset in release asan clang; do
    echo "== $preset"
    cmake --preset $preset -DBUILD_TESTING=ON >/dev/null
    cmake --build build/$preset
    once=none
    [ $preset = release ] || once='html|client|python'
    ctest --test-dir build/$preset --output-on-failure -j "$(nproc)" -LE "$once"
done
