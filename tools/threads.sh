#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two threads that use the library at once, loops on many threads, and commands on four,
# under the ThreadSanitizer.
#
# usage: tools/threads.sh
set -eu
cd "$(dirname "$0")/.."
command -v clang >/dev/null || { echo "skipped: clang is not here"; exit 0; }
cmake --preset tsan >/dev/null
cmake --build build/tsan --target test_two_threads --target test_base --target intervale
export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0
build/tsan/tests/test_two_threads
build/tsan/tests/test_base
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
build/tsan/intervale simulate --topics 30 --documents 300 --runs 6 --judged 60 --threads 4 --quiet -o "$made/c"
for command in eval compare incomplete next check; do
    build/tsan/intervale $command --threads 4 "$made/c/qrels" "$made"/c/runs/* >/dev/null
done
