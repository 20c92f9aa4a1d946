#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The archive of a release: the files of the last commit, and built/ with the script
# of pages and its licences, so that nobody needs npm to build it.  Beside it an SBOM
# (SPDX) and checksums.  The same commit gives the same bytes.
#
# usage: tools/dist.sh
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define IV_VERSION_[A-Z]* *//p' include/intervale/base.h | paste -sd.)
name=intervale-$version
out=build/dist
when=$(git log -1 --format=%ct)

rm -rf "$out"
mkdir -p "$out/$name/built"
git archive --format=tar HEAD | tar x -C "$out/$name"
cmake --preset release -DBUILD_TESTING=OFF -DINTERVALE_HTML=ON >/dev/null
cmake --build build/release --target iv_page >/dev/null
cp build/release/web/page.c build/release/web/licences.txt build/release/web/packages.json \
    "$out/$name/built"
python3 -B tools/sbom.py "$version" "$when" "$out/$name/built/packages.json" \
    >"$out/$name.spdx.json"
tar c -C "$out" --sort=name --mtime="@$when" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX "$name" | zstd -q -19 -T1 -o "$out/$name.tar.zst"
rm -rf "${out:?}/$name"
(cd "$out" && sha256sum "$name".* >SHA256SUMS)
echo "$out:"
(cd "$out" && cat SHA256SUMS)
