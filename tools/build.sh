#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds a preset with its progress on one line; what the compilers
# say goes to a log, and its end to the screen if they fail.
#
# usage: tools/build.sh PRESET [CMAKE-OPTION...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build/$preset
log=$folder/build.log

mkdir -p "$folder"
cmake --preset "$preset" "$@" >"$log" || { tail -n 30 "$log" >&2; exit 1; }
if cmake --build "$folder" -- -n 2>/dev/null | grep -q 'no work to do'; then
    exit 0
fi
echo "building $folder, which takes some minutes; details are in $log"
cmake --build "$folder" >>"$log" 2>&1 &
build=$!
while [ -t 1 ] && kill -0 $build 2>/dev/null; do
    printf '\r%s ' "$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1)"
    sleep 0.5
done
[ ! -t 1 ] || printf '\r              \r'
wait $build || { tail -n 30 "$log" >&2; exit 1; }
