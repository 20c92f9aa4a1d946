#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks for what the build, the tests, the site for browsers, the archive, packages, another
# compiler or other processors need; on Debian and Ubuntu installs the packages that
# are missing, as root or through sudo, and says so; elsewhere says how to.  Silent when all
# is there.  Exits non-zero only if something is missing that cannot be done without.
#
# usage: tools/setup.sh build|html|test|test-all|web|dist|deb|wheel|cross
#        tools/setup.sh compiler gcc-13|clang-16|...
set -eu

what=${1:-} compiler=${2:-}
case "$what $compiler" in
'build ' | 'html ' | 'test ' | 'test-all ' | 'web ' | 'dist ' | 'deb ' | 'wheel ' | 'cross ' | 'compiler '?*) ;;
*) sed -n '/^# usage: /,/^set/s/^# //p' "$0" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null 2>&1; }
has_header() { # without a compiler where Debian and others have them
    if ! has "${CC:-cc}"; then
        [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]
        return
    fi
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" \
        | "${CC:-cc}" -E - >/dev/null 2>&1
}

# What is missing, in words that every table of packages below has.  Of the build,
# threads, packings, JSON, judging and pages can be excluded; tests want all but pages.  Those need
# npm, which has 350 packages on Debian: only those who ask for pages or for all tests get it.
needed= optional=
need() { needed="$needed $1"; }
want() { case $what in test*) need "$1" ;; *) optional="$optional $1" ;; esac; }
has_npm() { has npm && { has node || has nodejs; }; }

if [ $what != dist ]; then
    has "${CC:-cc}" && has "${CXX:-c++}" || need compiler
    has cmake || need cmake
    has ninja || need ninja
    has_header boost/math/distributions.hpp || need boost
    has_header Random123/philox.h || need random123
    has_header kissfft/kissfft.hh || need kissfft
    has_header zlib.h || want zlib
    has_header zstd.h || want zstd
    has_header jansson.h || want jansson
    has_header sqlite3.h || want sqlite
    has_header event2/listener.h || want libevent
    has pkg-config || want pkg-config
fi
case $what in
test-all | web) has_npm || need npm ;;
html | dist | deb) [ -e built/page.c ] || has_npm || need npm ;; # an archive has it
esac
# The site for browsers is compiled by clang, with libraries for WebAssembly.
clang_has() { # HEADER FLAG...
    header=$1; shift
    printf '#include <%s>\n' "$header" | clang++ --target=wasm32-wasi "$@" -E -x c++ - \
        >/dev/null 2>&1
}
if [ $what = test-all ] || [ $what = web ]; then
    has clang || need clang
    has wasm-ld || need lld
    has llvm-ar || need llvm # GNU's ar makes no index of such files
    clang_has stdlib.h -nostdinc++ || need wasi
    clang_has vector || need wasm-c++
    { has clang && [ -e "$(clang -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" ]; } \
        || need wasm-rt
    has_header rapidjson/document.h || need rapidjson
    has pdflatex || [ $what = web ] || need latex
fi
! has clang || { llvm=$(clang -dumpversion); llvm=${llvm%%.*}; }
case $what in test*)
    has python3 || need python
    has_header cmocka.h || need cmocka
    python3 -c 'import jsonschema' 2>/dev/null || need jsonschema
    python3 -c 'import venv, ensurepip' 2>/dev/null || need venv
    if has clang; then
        [ -n "$(find "$(clang -print-resource-dir)/" -name '*fuzzer*.a' 2>/dev/null | head -n 1)" ] \
            || need clang-sanitizers
    else
        needed="$needed clang clang-sanitizers"
    fi
    has mandoc || need mandoc
    has nm || need binutils
    { has gzip && has zstd; } || need packers
    ;;
esac
# 670 MB on Debian: make test has pages drawn only where there is one.
if [ $what = test-all ]; then
    has chromium || has chromium-browser || has google-chrome || optional="$optional browser"
fi
if [ $what = dist ] || [ $what = deb ]; then
    has git || need git
    has python3 || need python
    has zstd || need packers
fi
if [ $what = deb ]; then
    has dpkg-buildpackage && has dh && has dh_python3 && has lintian && has debootstrap || need debian
fi
[ $what != wheel ] || python3 -c 'import venv, ensurepip' 2>/dev/null || need venv
# What is not here of other compilers is skipped.
if [ $what = compiler ] || [ $what = cross ]; then
    has python3 || need python
    has_header cmocka.h || need cmocka
fi
if [ $what = compiler ] && ! has "$compiler"; then
    number=${compiler##*-} optional="$optional named"
    case $compiler in
    clang*) ;;
    *) compiler=$compiler,g++-$number ;;
    esac
fi
if [ $what = cross ]; then
    for tool in qemu-aarch64 qemu-s390x qemu-arm aarch64-linux-gnu-g++ s390x-linux-gnu-g++ arm-linux-gnueabihf-g++; do
        has $tool || case " $optional " in *' cross '*) ;; *) optional="$optional cross" ;; esac
    done
fi
[ -n "$needed$optional" ] || exit 0

# name:debian:fedora:alpine:homebrew, a comma between several packages.
table="compiler:gcc,g++:gcc,gcc-c++:build-base:gcc
cmake:cmake:cmake:cmake:cmake
ninja:ninja-build:ninja-build:samurai:ninja
boost:libboost-dev:boost-devel:boost-dev:boost
random123:librandom123-dev:random123-devel::random123
kissfft:libkissfft-dev:kiss-fft-devel:kissfft-dev:kissfft
zlib:zlib1g-dev:zlib-devel:zlib-dev:zlib
zstd:libzstd-dev:libzstd-devel:zstd-dev:zstd
jansson:libjansson-dev:jansson-devel:jansson-dev:jansson
sqlite:libsqlite3-dev:sqlite-devel:sqlite-dev:sqlite
libevent:libevent-dev:libevent-devel:libevent-dev:libevent
pkg-config:pkg-config:pkgconf-pkg-config:pkgconf:pkgconf
npm:nodejs,npm:nodejs,npm:nodejs,npm:node
python:python3:python3:python3:python
latex:texlive-latex-base,texlive-latex-recommended:texlive-latex,texlive-booktabs:texlive:texlive
jsonschema:python3-jsonschema:python3-jsonschema:py3-jsonschema:python-jsonschema
cmocka:libcmocka-dev:libcmocka-devel:cmocka-dev:cmocka
clang:clang:clang:clang:llvm
clang-sanitizers:libclang-rt-${llvm:-14}-dev:compiler-rt:compiler-rt:llvm
lld:lld:lld:lld:lld
llvm:llvm:llvm:llvm:llvm
wasi:wasi-libc:wasi-libc-devel:wasi-libc:wasi-libc
wasm-c++:libc++-${llvm:-14}-dev-wasm32:wasi-libcxx-devel:wasi-libcxx:wasi-runtimes
wasm-rt:libclang-rt-${llvm:-14}-dev-wasm32:wasi-compiler-rt:wasi-compiler-rt:wasi-runtimes
rapidjson:rapidjson-dev:rapidjson-devel:rapidjson-dev:rapidjson
mandoc:mandoc:mandoc:mandoc:mandoc
binutils:binutils:binutils:binutils:binutils
packers:gzip,zstd:gzip,zstd:gzip,zstd:zstd
browser:chromium,fonts-dejavu-core:chromium:chromium:chromium
git:git:git:git:git
venv:python3-venv:python3:python3:python
debian:dpkg-dev,debhelper,dh-python,lintian,debootstrap:dpkg-dev,debhelper:dpkg-dev:dpkg
named:$compiler:gcc,gcc-c++:gcc,g++:gcc
cross:qemu-user,g++-aarch64-linux-gnu,g++-s390x-linux-gnu,g++-arm-linux-gnueabihf:qemu-user,gcc-c++-aarch64-linux-gnu,gcc-c++-s390x-linux-gnu:qemu-aarch64,qemu-s390x,qemu-arm:qemu"

packages() { # COLUMN WORD...
    column=$1; shift
    for word in "$@"; do
        printf '%s\n' "$table" | awk -F: -v w="$word" -v c="$column" \
            '$1 == w { gsub(/,/, " ", $c); print $c }'
    done | tr '\n' ' '
}

tell() { # COMMAND COLUMN
    [ -z "$needed" ] || echo "setup: missing:$needed; try: $1 $(packages "$2" $needed)" >&2
    [ -z "$optional" ] || echo "setup: not here, can be left out:$optional; $1" \
        "$(packages "$2" $optional)" >&2
    [ -z "$needed" ] && exit 0
    exit 1
}

if has dnf; then tell "dnf install" 3; fi
if has apk; then tell "apk add" 4; fi
if has brew && ! has apt-get; then tell "brew install" 5; fi
has apt-get || tell "install the like of" 2

as_root=
if [ "$(id -u)" -ne 0 ]; then
    has sudo || tell "as root: apt-get install" 2
    as_root=sudo
fi
missing=$(packages 2 $needed $optional)
echo "setup: installing Debian packages: $missing"
export DEBIAN_FRONTEND=noninteractive
[ $what != cross ] || for arch in arm64 s390x armhf; do $as_root dpkg --add-architecture $arch; done
$as_root apt-get update -qq || echo "setup: some lists of packages are not to be had now; going on with the others" >&2
if ! $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    [ -z "$needed" ] || exit 1
    echo "setup: that failed; going on without$optional" >&2
fi
