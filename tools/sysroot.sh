#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Downloads the libraries of another processor and unpacks them into build/sysroot.
# Says "skipped", with status 77, where the compilers are not installed (`tools/setup.sh cross`).
#
# usage: tools/sysroot.sh aarch64|s390x|armhf
set -eu
cd "$(dirname "$0")/.."
arch=$1
case $arch in
aarch64) triple=aarch64-linux-gnu debian=arm64 ;;
s390x) triple=s390x-linux-gnu debian=s390x ;;
armhf) triple=arm-linux-gnueabihf debian=armhf ;;
*) echo "sysroot: no such processor: $arch" >&2; exit 2 ;;
esac
for tool in $triple-gcc $triple-g++ apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not here"; exit 77; }
done
root=$PWD/build/sysroot/$arch
[ ! -e "$root/ready" ] || exit 0
mkdir -p "$root"
packages=
for package in zlib1g zlib1g-dev libzstd1 libzstd-dev libjansson4 libjansson-dev libsqlite3-0 \
    libsqlite3-dev libevent-core-2.1-7 libevent-dev libcmocka0 libcmocka-dev; do
    packages="$packages $package:$debian"
done
(cd "$root" && apt-get download -q $packages >download.log 2>&1) || {
    echo "skipped: the libraries of $debian cannot be downloaded, see $root/download.log"; exit 77; }
for file in "$root"/*.deb; do dpkg-deb -x "$file" "$root"; done
# Links to the file system's root are made relative to this one.
find "$root" -type l -lname '/*' | while read -r link; do
    ln -sf "$root$(readlink "$link")" "$link"
done
touch "$root/ready"
