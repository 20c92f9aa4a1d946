#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the charts of the README anew, from data the tool makes itself.
#
# usage: tools/charts.sh (after `make release`)
set -eu
cd "$(dirname "$0")/.."
build=$PWD/build/release
tool=$build/intervale
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
draw() { # NAME N ARGUMENTS...: the Nth chart
    name=$1
    number=$2
    shift 2
    (cd "$folder" && "$tool" "$@" --format vega --quiet) \
        | node tools/chart_svg.mjs "$build" "$number" >"$folder/$name.svg"
    mv "$folder/$name.svg" doc/img/
    echo "doc/img/$name.svg"
}

mkdir -p doc/img
(cd "$folder" && "$tool" simulate --topics 50 --documents 1000 --runs 8 --seed 7 \
    -o collection >/dev/null)
draw eval 1 eval -m AP collection/qrels "$folder"/collection/runs/*
draw recall 1 recall --retrieved 4000,400,260 --unretrieved 96000,1600,25 --target 0.6
