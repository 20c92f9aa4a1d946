#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian packages of the archive: built, looked at by lintian, installed into a scratch
# root, tried there and removed without a trace.  Needs root for the scratch root.
#
# usage: tools/deb.sh
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/deb

[ -e build/dist/SHA256SUMS ] || tools/dist.sh >/dev/null
mkdir -p "$out"
find "$out" -mindepth 1 -maxdepth 1 ! -name root -exec rm -rf {} + # the root can be used again
tar xf build/dist/intervale-*.tar.zst -C "$out"
source=$(echo "$out"/intervale-*)
version=${source##*-}
tar c -C "$out" --exclude=debian "$(basename "$source")" | xz -1 \
    >"$out/intervale_$version.orig.tar.xz"
(cd "$source" && dpkg-buildpackage -us -uc -j"$(nproc)" >"$out/build.log" 2>&1) \
    || { tail -n 30 "$out/build.log" >&2; exit 1; }
lintian --fail-on error,warning --tag-display-limit 0 "$out"/intervale_*.changes \
    --suppress-tags initial-upload-closes-no-bugs
ls -l "$out"/*.deb
tools/deb_try.sh "$out"
