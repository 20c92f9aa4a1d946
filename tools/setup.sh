#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, as root or through sudo, and
# says so.  Does nothing, silently, when all are there.
#
# usage: tools/setup.sh build|test
set -eu

build="gcc g++ cmake ninja-build pkg-config python3
       libboost-math-dev librandom123-dev libkissfft-dev zlib1g-dev libzstd-dev"
test="binutils libcmocka-dev clang libclang-rt-14-dev libomp-dev
      gzip zstd mandoc"

# Node.js may come from elsewhere than Debian.
if ! command -v npm >/dev/null 2>&1 \
    || ! { command -v node || command -v nodejs; } >/dev/null 2>&1; then
    build="$build nodejs npm"
fi
test="$build $test"
if ! command -v chromium >/dev/null 2>&1; then
    test="$test chromium fonts-dejavu-core"
fi

case "${1:-}" in
build) wanted=$build ;;
test)  wanted=$test ;;
*)     echo "usage: tools/setup.sh build|test" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: not a Debian system; these packages or their like are needed:" \
         $wanted >&2
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: please install, as root:$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup: installing Debian packages:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
