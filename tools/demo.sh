#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tour of what the tool can do, on a small collection it makes itself.
#
# usage: tools/demo.sh INTERVALE
set -eu
cd "$(dirname "$0")/.."
tool=$PWD/$1
rm -rf demo
mkdir demo
cd demo

show() {
    printf '\n$ intervale'
    printf ' %s' "$@"
    printf '\n'
    "$tool" "$@"
}

show simulate --topics 50 --documents 1000 --runs 5 --seed 7 -o collection
show check collection/qrels collection/runs/*
printf '\nThe collection stays in demo/collection; try the tool on it.\n'
