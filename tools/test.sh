#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole test suite: the release build with everything, then the same tests
# under the address and undefined-behaviour sanitizers, then built by clang.
set -eu
cd "$(dirname "$0")/.."

# Sanitizers confuse the compiler's flow analysis, so that warnings are errors
# in the other two builds only.  The newest rooms have not been through the
# sanitizers yet; take them out of this list when they have.
not_sanitized='unit/(recall|recall_command|sample|prf_command)$|golden/sampled'

for preset in release asan clang; do
    echo "== $preset"
    cmake --preset $preset -DBUILD_TESTING=ON >/dev/null
    cmake --build build/$preset
    left_out='^$'
    [ $preset = asan ] && left_out=$not_sanitized
    ctest --test-dir build/$preset --output-on-failure -j "$(nproc)" -E "$left_out"
done
