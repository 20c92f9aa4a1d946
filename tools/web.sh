#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tool as a static site in build/web: one page, one script, one WebAssembly module.  No
# larger than 2 MB as a server sends it.
#
# usage: tools/web.sh
set -eu
cd "$(dirname "$0")/.."
most=2000000

tools/build.sh wasm
codecs=build/wasm/codecs/node_modules
licences=build/wasm/licences.txt
{
    echo 'Vega and what it needs (BSD-3-Clause and others): each report names them.'
    echo 'Boost.Math (BSL-1.0), zlib (Zlib), libc++ and compiler-rt (Apache-2.0 with the LLVM'
    echo 'exception), RapidJSON (MIT), and those whose notices follow.'
    for name in wasi-libc librandom123-dev libkissfft-dev rapidjson-dev; do
        [ ! -e /usr/share/doc/$name/copyright ] || { printf '\n---- %s\n\n' $name; cat /usr/share/doc/$name/copyright; }
    done
    printf '\n---- zlib\n\n'
    sed -n '/Copyright (C)/,/\*\//p' $codecs/zlib-sync/deps/zlib/zlib.h | sed '/\*\//,$d'
    printf '\n---- zstd\n\n'
    cat $codecs/zstd-napi/deps/zstd/LICENSE
} >$licences
"$(command -v node || command -v nodejs)" web/assemble.mjs web build/wasm/intervale.wasm $licences build/web
size=0
for file in build/web/*; do
    size=$((size + $(gzip -9c "$file" | wc -c)))
done
[ $size -le $most ] || { echo "web: $size bytes packed, expected at most $most" >&2; exit 1; }
echo "build/web: $size bytes packed; try: intervale web --site build/web --open"
