#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The npm package, build/npm/intervale-X.Y.Z.tgz: the module of tools/web.sh, types and a command.
#
# usage: tools/npm.sh
set -eu
cd "$(dirname "$0")/.."
most=4000000 # bytes, as it is sent

tools/web.sh
folder=build/npm/package
rm -rf build/npm
mkdir -p $folder
cp web/npm/* web/disk.mjs web/tool.mjs web/wasi.mjs build/wasm/intervale.wasm LICENSE $folder
cp build/wasm/licences.txt $folder/NOTICE
version=$(sed -n 's/^#define IV_VERSION_[A-Z]* *//p' include/intervale/base.h | paste -sd .)
sed -i "s/^  \"name\": .*/&\n  \"version\": \"$version\",/" $folder/package.json
(cd build/npm && npm pack --silent ./package >/dev/null)
size=$(stat -c %s build/npm/intervale-"$version".tgz)
[ "$size" -le $most ] || { echo "npm: $size bytes, expected at most $most" >&2; exit 1; }
echo "build/npm/intervale-$version.tgz: $size bytes"
