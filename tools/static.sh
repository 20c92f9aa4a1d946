#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One file, build/static/intervale, that needs nothing of its system but a kernel; it is
# tried in an empty root.  What is linked into it is named in build/static/NOTICE: the
# C library is under the LGPL, whose duty is met by this very archive, from which
# everybody can link the tool again with another one (`make static`).
#
# usage: tools/static.sh
set -eu
cd "$(dirname "$0")/.."
most=$((8 * 1024 * 1024))

cmake --preset static >/dev/null
cmake --build build/static --target intervale >/dev/null
tool=build/static/intervale
strip "$tool"
size=$(stat -c %s "$tool")
[ "$size" -le $most ] || { echo "static: $size bytes, expected at most $most" >&2; exit 1; }
cat >build/static/NOTICE <<'END'
intervale is under the Apache License 2.0.  Linked into this file are zlib (Zlib),
libzstd, libevent (BSD-3-Clause), Jansson (MIT), SQLite (public domain), Boost.Math (BSL-1.0), Random123 and KISS FFT (BSD-3-Clause),
libgomp and libstdc++ (GPL-3.0 with the GCC Runtime Library Exception) and the GNU C
Library (LGPL-2.1-or-later).  The source of intervale, with `make static`, lets you
link it with a changed GNU C Library; that library's source is at its own place,
https://www.gnu.org/software/libc/.  The scripts of pages and their licences are in
the tool itself: every page that it writes has them.
END
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$tool" "$root/intervale"
said=$(unshare -r chroot "$root" /intervale prf --counts 10,10,5 --table metrics --format tsv)
[ "$said" = "$("$tool" prf --counts 10,10,5 --table metrics --format tsv)" ]
unshare -r chroot "$root" /intervale simulate --topics 5 --documents 50 --runs 1 --quiet -o /c \
    >/dev/null
unshare -r chroot "$root" /intervale eval --quiet -o /answer /c/qrels /c/runs/sim01
grep -q '^sim01 over 5 topics' "$root/answer"
echo "$tool: $size bytes, runs in an empty root"
