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
show eval -m AP -m nDCG@10 collection/qrels collection/runs/*
show compare collection/qrels collection/runs/*
show sample --budget 60 collection/runs/* -o sample.prels
show recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --table recall
show prf --compare --counts A=80,20,40 --counts B=75,10,45 --table comparison
show plan power --topics 50 --effect 0.4
printf '\nThe collection stays in demo/collection; try the tool on it.\n'
# A session to judge the sample in; the simulated documents have no texts, so they get some.
if "$tool" help judge new >/dev/null 2>&1; then
    sed -n 's/^[^#][^ ]* \([^ ]*\) .*/{"_id": "\1", "title": "Document \1", "text": "A simulated document: judge it as you like."}/p' \
        sample.prels | sort -u >corpus.jsonl
    sed -n 's/^#: topic \([^ ]*\) .*/{"_id": "\1", "text": "the simulated topic \1"}/p' sample.prels >queries.jsonl
    show judge new judge.db --design sample.prels --documents corpus.jsonl --topics queries.jsonl
fi
if "$tool" compare --format html -o report.html --quiet collection/qrels collection/runs/* 2>/dev/null; then
    printf 'The comparison as a page with charts, to be opened in a browser: %s\n' \
        "$PWD/report.html"
else
    echo 'Pages with charts (--format html) need npm: make html'
fi
if [ -e judge.db ]; then
    printf 'To judge the sample in the browser: %s judge serve %s --open\n' "$tool" "$PWD/judge.db"
fi
