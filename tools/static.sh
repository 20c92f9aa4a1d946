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
most=8000000 # 8 MB, of 1000 * 1000 bytes

cmake --preset static >/dev/null
cmake --build build/static --target intervale >/dev/null
tool=build/static/intervale
strip "$tool"
size=$(stat -c %s "$tool")
[ "$size" -le $most ] || { echo "static: $size bytes, expected at most $most" >&2; exit 1; }
cat >build/static/NOTICE <<'END'
intervale is under the Apache License 2.0.  Linked into this file are zlib (Zlib),
libzstd, libevent (BSD-3-Clause), Jansson (MIT), SQLite (public domain), Boost.Math (BSL-1.0), Random123 and KISS FFT (BSD-3-Clause),
libstdc++ (GPL-3.0 with the GCC Runtime Library Exception) and the GNU C
Library (LGPL-2.1-or-later).  The source of intervale, with `make static`, lets you
link it with a changed GNU C Library; that library's source is at its own place,
https://www.gnu.org/software/libc/.  The scripts of pages and their licences are in
the tool itself: every page that it writes has them.
END
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$tool" "$root/intervale"
alone() { unshare -r chroot "$root" /intervale "$@"; }
alone simulate --topics 20 --documents 200 --runs 2 --quiet -o /c >/dev/null
alone eval --quiet -o /answer /c/qrels /c/runs/sim01
grep -q '^sim01 over 20 topics' "$root/answer"
alone compare /c/qrels /c/runs/sim01 /c/runs/sim02 | grep -q sim02
said=$(alone recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --format json)
[ "$said" = "$("$tool" recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --format json)" ]
alone judge new /session --queue /c/runs/sim01 --count 5 --missing-documents show-id >/dev/null
alone judge status /session | grep -q '^0 of 5 documents are judged'
# Until it is interrupted, judging is served.
timeout -s INT 10 unshare -r chroot "$root" /intervale judge serve /session --url-file /links >/dev/null 2>&1 &
serving=$!
for _ in $(seq 50); do [ -s "$root/links" ] && break; sleep 0.1; done
port=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$root/links")
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET / HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" >&3
grep -q '^<html' <&3
kill -INT $serving
wait $serving || true
echo "$tool: $size bytes, runs in an empty root"
