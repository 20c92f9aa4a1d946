#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The loop of a developer, timed: a changed file and its test (3 s wanted), a changed public header (40 s), the
# rules (15 s), and the slowest unit programs (10 s).  Needs a dev build with tests.
#
# usage: tools/loop.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
file=src/stat/paired/adjust.c header=include/intervale/stat/interval.h

timed() { # WORDS COMMAND...
    words=$1; shift
    start=$(date +%s%N)
    "$@" >/dev/null || echo "failed: $*"
    awk -v w="$words" -v ns=$(($(date +%s%N) - start)) 'BEGIN { printf "%6.1f s  %s\n", ns / 1e9, w }'
}
export CCACHE_DISABLE=1
ninja -C "$build" >/dev/null
touch "$file"
timed "$file and its test" sh -c "ninja -C '$build' test_paired && '$build'/tests/test_paired"
ninja -C "$build" >/dev/null
touch "$header"
timed "$header, everything built" ninja -C "$build"
timed "rules" ctest --test-dir "$build" -R ^rules/ -j "$(nproc)"
ctest --test-dir "$build" -R ^unit/ | sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec$/\2 \1/p' | sort -rn | head -n 5 \
    | awk '{ printf "%6.1f s  %s\n", $1, $2 }'
