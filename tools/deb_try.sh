#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of a folder into a fresh Debian made by debootstrap, runs
# debian/tests/smoke there, removes them and looks for what is left.
#
# usage: tools/deb_try.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
folder=$1
root=$folder/root

command -v debootstrap >/dev/null || { echo "deb_try: debootstrap is not here" >&2; exit 1; }
if [ ! -e "$root/ready" ]; then
    rm -rf "$root"
    mirror=$(sed -n 's/^deb  *\(\[[^]]*\] *\)*\([^ ]*\) .*/\2/p; s/^URIs: *\([^ ]*\).*/\1/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" \
        >"$folder/debootstrap.log"
    touch "$root/ready"
fi
mkdir -p "$root/packages"
cp "$folder"/*.deb debian/tests/smoke "$root/packages"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
inside() { DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"; }
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var -o -path ./packages \
    -o -path ./tmp -o -path ./root \) -prune -o -print | sort); }
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends gcc libc6-dev libevent-dev libjansson-dev libsqlite3-dev \
    libzstd-dev zlib1g-dev pkg-config python3 man-db sensible-utils >/dev/null 2>&1
files >"$folder/before"
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb' >/dev/null 2>&1
inside /packages/smoke
inside apt-get purge -y -qq intervale libintervale2 libintervale-dev python3-intervale \
    >/dev/null 2>&1
files >"$folder/after"
diff "$folder/before" "$folder/after" || { echo "deb_try: the packages leave a trace" >&2; exit 1; }
echo "installed, tried and removed without a trace"
