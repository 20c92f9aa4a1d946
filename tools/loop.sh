#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The loop of a developer, timed: a changed file and its test (3 s wanted), a changed public header (40 s), the
# rules (15 s), and the slowest unit programs (10 s).  Needs a dev build with tests.  Seconds by the clock, of a machine
# that does nothing else, and of the processors, which others on the machine hardly change.
#
# usage: tools/loop.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
file=src/stat/paired/adjust.c header=include/intervale/stat/mean_intervals.h

TIMEFORMAT='%R %U %S'
timed() { # WORDS COMMAND...
    words=$1; shift
    { time "$@" >/dev/null 2>&1 || echo "failed: $*" >&2; } 2>&1 | awk -v w="$words" '
        NF == 3 && $1 + 0 == $1 { printf "%6.1f s  %6.1f s of processors  %s\n", $1, $2 + $3, w; next } { print }'
}
export CCACHE_DISABLE=1
ninja -C "$build" >/dev/null
touch "$file"
timed "$file and its test" sh -c "ninja -C '$build' test_paired && '$build'/tests/test_paired"
ninja -C "$build" >/dev/null
touch "$header"
timed "$header, everything built" ninja -C "$build"
timed "rules" ctest --test-dir "$build" -R ^rules/ -j "$(nproc)"
for name in $(ctest --test-dir "$build" -N -R ^unit/ | sed -n 's/.*: unit\///p'); do
    timed "unit/$name" "$build/tests/test_$name"
done | sort -rnk3 | head -n 5
