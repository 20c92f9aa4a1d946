#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the data and runs every benchmark.
#
# usage: tools/bench.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
data=build/bench-data

mkdir -p $data
cmake --build "$build" --target benchmarks

echo "== reading: 1000 topics x 1000 documents, 300 judged a topic"
[ -d $data/reading ] || "$build/intervale" simulate --topics 1000 --documents 1000 \
    --runs 1 --judged 300 --quiet -o $data/reading
"$build/bench/bench_read" $data/reading/qrels $data/reading/runs/*

echo "== numbers"
"$build/bench/bench_num"
