#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two threads that use the library at once,, and loops on many threads,
# under the ThreadSanitizer.
#
# usage: tools/threads.sh
set -eu
cd "$(dirname "$0")/.."
command -v clang >/dev/null || { echo "skipped: clang is not here"; exit 0; }
cmake --preset tsan >/dev/null
cmake --build build/tsan --target test_two_threads
TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/test_two_threads
