#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The archive of `make dist` builds and passes its tests without a network, as an ordinary
# user, in a path with blanks and letters beyond ASCII, in two locales; what it installs
# works when the source is gone, and uninstalls without a trace.  Needs root, for a
# namespace without network and for the user.
#
# usage: tools/dist_check.sh [MAKE-TARGET]     make test unless given
set -eu
cd "$(dirname "$0")/.."
target=${1:-test}
archive=$PWD/$(ls build/dist/intervale-*.tar.zst)
user=nobody
work=$(mktemp -d /tmp/intervale-dist-XXXXXX)
place="$work/Prüfung mit Leerzeichen"
trap '[ $? -ne 0 ] && echo "dist_check: kept $work" >&2 || rm -rf "$work"' EXIT

mkdir "$place"
tar xf "$archive" -C "$place" --strip-components=1
chown -R $user "$work"
# No network but the machine's own, which judging is tested over.
cat >"$work/lo.py" <<'END'
import fcntl, os, socket, struct, sys
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
os.execvp(sys.argv[1], sys.argv[1:])
END
offline() { # LOCALE COMMAND...
    locale=$1; shift
    (cd "$place" && unshare -n python3 -B "$work/lo.py" setpriv --reuid=$user --regid=nogroup --clear-groups \
        env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work" LANG="$locale" LC_ALL="$locale" \
        "$@")
}
locale -a | grep -qix 'de_DE.utf-\?8' || {
    echo "dist_check: there is no locale de_DE.UTF-8 here: localedef -i de_DE -f UTF-8 de_DE.UTF-8" >&2; exit 1; }
for locale in de_DE.UTF-8 C; do
    echo "== $locale: make $target"
    offline $locale make $target
done
offline C make install PREFIX="$work/in stalled"
cp "$place/examples/plan_power.c" "$place/tests/client/second_client.c" "$work"
rm -rf "${place:?}"/{src,include,cli,tests,doc,examples}
prefix="$work/in stalled"
said=$("$prefix/bin/intervale" plan power --test t --sides two --effect 0.3 --power 0.8)
case $said in '90 topics'*) ;; *) echo "dist_check: the installed tool: $said" >&2; exit 1 ;; esac
export PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name intervale.pc)")
(cd "$work" && eval cc plan_power.c -o client $(pkg-config --cflags --libs intervale))
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libintervale.so)") "$work/client" 0.3 0.8 \
    | grep -q '^90 topics'
# The second library too, for a session that the installed tool made.
echo '1 Q0 a 1 2 r' >"$work/run"
"$prefix/bin/intervale" judge new "$work/session" --queue "$work/run" \
    --missing-documents show-id >/dev/null
(cd "$work" && eval cc second_client.c -o judging $(pkg-config --cflags --libs intervale-judge))
[ "$("$work/judging" "$work/session")" = queue ]
offline C cmake -DBUILD="$place/build/release" -P cmake/uninstall.cmake
[ ! -e "$prefix" ] || { echo "dist_check: uninstall leaves:" >&2; find "$prefix" >&2; exit 1; }
echo "the archive builds offline, passes its tests, installs and uninstalls"
