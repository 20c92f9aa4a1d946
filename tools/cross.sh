#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the tool for another processor and, under qemu-user, runs the golden tests and
# the README's commands, whose output must be that of the tool here, byte for byte; not on
# armhf, where a last digit differs.
# Says "skipped" where the compilers are not installed.
#
# usage: tools/cross.sh aarch64|s390x|armhf NATIVE-TOOL
#
# `tools/setup.sh cross` gets compilers and qemu, tools/sysroot.sh the libraries.
set -eu
cd "$(dirname "$0")/.."
arch=$1
native=$2
case $arch in
aarch64) triple=aarch64-linux-gnu qemu=qemu-aarch64 ;;
s390x) triple=s390x-linux-gnu qemu=qemu-s390x ;;
armhf) triple=arm-linux-gnueabihf qemu=qemu-arm ;;
*) echo "cross: no such processor: $arch" >&2; exit 2 ;;
esac
tools/sysroot.sh "$arch" || { [ $? = 77 ] && exit 0; exit 1; }
root=$PWD/build/sysroot/$arch

export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
cmake --preset "$arch" -DBUILD_TESTING=ON >/dev/null
cmake --build "build/$arch" --target intervale test_golden_trec_eval \
    test_golden_eval_command test_golden_sampled
command -v $qemu >/dev/null || { echo "skipped: $qemu is not here"; exit 0; }
ctest --test-dir "build/$arch" -R '^golden/(trec_eval|eval_command|sampled)$' -FA tree --output-on-failure
[ "$arch" != armhf ] || exit 0
python3 -B tests/cli/portable.py "$native" README.md $qemu -L /usr/$triple \
    -E "LD_LIBRARY_PATH=$root/usr/lib/$triple:$root/lib/$triple" "build/$arch/intervale"
