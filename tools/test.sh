#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The test suite: the release build by gcc with everything, then the same tests built
# by clang with the address and undefined-behaviour sanitizers (clang's find more than gcc's).
#
# usage: tools/test.sh [all|release]
#
# "release" is the first of them alone.  Without "all" tests labelled long are left out, and those that see the library
# from outside (pages in a browser, clients, Python) run once; so do the rules of the tree and cases that draw for
# seconds (tests/unit/drawn.h).  "all" adds clang without sanitizers.
set -eu
cd "$(dirname "$0")/.."

presets='release asan'
case ${1:-} in
release) presets=release ;;
all)
    presets='release asan clang'
    export INTERVALE_TEST_ALL=1
    ;;
esac
failed=
for preset in $presets; do # all of them, whatever fails
    echo "== $preset"
    if ! { cmake --preset $preset -DBUILD_TESTING=ON >/dev/null && cmake --build build/$preset; }; then
        failed="$failed $preset (build)"
        continue
    fi
    out='long'
    [ $preset != asan ] || out='long|html|client|python|rules'
    [ "${1:-}" != all ] || out='none'
    # More than there are cores: pip, servers, pages and examples wait half of their time.
    ctest --test-dir build/$preset --output-on-failure -j "$(($(nproc) + 2))" -LE "$out" \
        || failed="$failed $preset"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
