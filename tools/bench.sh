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

echo "== evaluating; TREC_EVAL=PATH times that program beside"
[ -d $data/many ] || "$build/intervale" simulate --topics 50 --documents 3000 \
    --runs 100 --depth 1000 --judged 1000 --quiet -o $data/many
[ -d $data/track ] || "$build/intervale" simulate --topics 30 --documents 3000 \
    --runs 143 --depth 1000 --judged 300 --grades 3 --quiet -o $data/track
"$build/bench/bench_eval" "$build/intervale" $data/reading $data/many $data/track

echo "== recall intervals"
"$build/bench/bench_recall"

echo "== comparing: 143 runs x 30 topics, 100,000 permutations"
"$build/bench/bench_compare"

echo "== incomplete judgments"
"$build/bench/bench_incomplete"

echo "== Python, beside other packages (an environment of the tests, or PYTHON=)"
python=${PYTHON:-$build/python-partners/bin/python}
[ -x "$python" ] || python=python3
INTERVALE_LIBRARY=$build PYTHONPATH=python "$python" -B bench/bench_python.py
