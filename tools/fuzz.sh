#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target for a number of seconds; stops at the first crash.
#
# usage: tools/fuzz.sh SECONDS
set -eu
cd "$(dirname "$0")/.."

cmake --preset fuzz >/dev/null
cmake --build build/fuzz
for target in build/fuzz/tests/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    name=$(basename "$target")
    found=build/fuzz/found/$name
    mkdir -p "$found"
    echo "== $name, $1 s"
    "$target" -max_total_time="$1" -max_len=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$found/" "$found" "tests/fuzz/corpus/${name#fuzz_}"
done
