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
if "$tool" compare --format html -o report.html collection/qrels collection/runs/*; then
    printf '\nA report with charts of the comparison is in demo/report.html; open it in a browser.\n'
fi
printf '\nThe collection stays in demo/collection; try the tool on it.\n'
