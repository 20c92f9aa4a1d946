#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A build without threads, zlib, libzstd, Jansson and pages gives the bytes of the full one, and
# says what it cannot do.
#
# usage: tools/bare.sh NATIVE-TOOL
set -eu
cd "$(dirname "$0")/.."
out=build/bare

cmake -S . -B $out -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
    -DINTERVALE_THREADS=OFF -DINTERVALE_ZLIB=OFF -DINTERVALE_ZSTD=OFF -DINTERVALE_JANSSON=OFF \
    -DINTERVALE_JUDGE=OFF -DINTERVALE_HTML=OFF \
    -DINTERVALE_WERROR=ON >/dev/null
cmake --build $out --target intervale
python3 -B tests/cli/portable.py "$1" README.md $out/intervale
echo '1 Q0 a 1 9 r' | gzip >$out/run.gz
said=$($out/intervale check $out/run.gz 2>&1) && exit 1
case $said in
*'packed by gzip, which this build was made without; unpack it first'*) ;;
*) echo "bare: a packed file: $said" >&2; exit 1 ;;
esac
said=$($out/intervale prf --counts 1,1,1 --format html 2>&1) && exit 1
case $said in
*'install npm and build with -DINTERVALE_HTML=ON'*) echo "bare is built and tried" ;;
*) echo "bare: a page: $said" >&2; exit 1 ;;
esac
