#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The release build by one compiler, with warnings as errors, and its golden tests.
#
# usage: tools/compiler.sh gcc-13|clang-16|...
set -eu
cd "$(dirname "$0")/.."
c=$1
cxx=$(echo "$c" | sed 's/^gcc/g++/; s/^clang/clang++/')
command -v "$c" >/dev/null && command -v "$cxx" >/dev/null || {
    echo "skipped: $c or $cxx is not here"; exit 0; }
out=build/$c
cmake -S . -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$c" \
    -DCMAKE_CXX_COMPILER="$cxx" -DINTERVALE_WERROR=ON -DINTERVALE_HTML=OFF >/dev/null
cmake --build "$out" --target intervale test_golden_trec_eval test_golden_eval_command \
    test_golden_sampled
ctest --test-dir "$out" -R '^golden/' -FA tree --output-on-failure
