#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the tool for another processor and, under qemu-user, runs the golden tests and
# the README's commands, whose output must be that of the tool here, byte for byte; not on
# armhf, where a last digit differs.
# Says "skipped" where the compilers are not installed.
#
# usage: tools/cross.sh aarch64|s390x|armhf NATIVE-TOOL
#
# `tools/setup.sh cross` gets compilers and qemu; the libraries of the other processor are
# downloaded and unpacked into build/sysroot.
set -eu
cd "$(dirname "$0")/.."
arch=$1
native=$2
case $arch in
aarch64) triple=aarch64-linux-gnu debian=arm64 qemu=qemu-aarch64 ;;
s390x) triple=s390x-linux-gnu debian=s390x qemu=qemu-s390x ;;
armhf) triple=arm-linux-gnueabihf debian=armhf qemu=qemu-arm ;;
*) echo "cross: no such processor: $arch" >&2; exit 2 ;;
esac
for tool in $triple-gcc $triple-g++ apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not here"; exit 0; }
done
root=$PWD/build/sysroot/$arch
if [ ! -e "$root/ready" ]; then
    mkdir -p "$root"
    packages=
    for package in zlib1g zlib1g-dev libzstd1 libzstd-dev libjansson4 libjansson-dev libsqlite3-0 \
        libsqlite3-dev libevent-core-2.1-7 libevent-dev libcmocka0 libcmocka-dev; do
        packages="$packages $package:$debian"
    done
    (cd "$root" && apt-get download -q $packages >download.log 2>&1) || {
        echo "skipped: the libraries of $debian cannot be downloaded, see $root/download.log"; exit 0; }
    for file in "$root"/*.deb; do dpkg-deb -x "$file" "$root"; done
    # Links to the file system's root are made relative to this one.
    find "$root" -type l -lname '/*' | while read -r link; do
        ln -sf "$root$(readlink "$link")" "$link"
    done
    touch "$root/ready"
fi

export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cmake --preset "$arch" -DBUILD_TESTING=ON >/dev/null
cmake --build "build/$arch" --target intervale test_golden_trec_eval \
    test_golden_eval_command test_golden_sampled
command -v $qemu >/dev/null || { echo "skipped: $qemu is not here"; exit 0; }
ctest --test-dir "build/$arch" -R '^golden/(trec_eval|eval_command|sampled)$' -FA tree --output-on-failure
[ "$arch" != armhf ] || exit 0
python3 -B tests/cli/portable.py "$native" README.md $qemu -L /usr/$triple \
    -E "LD_LIBRARY_PATH=$root/usr/lib/$triple:$root/lib/$triple" "build/$arch/intervale"
