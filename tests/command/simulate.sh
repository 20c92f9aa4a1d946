#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: simulate.sh INTERVALE -- claims about the command, in words before each.
tool=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() { echo "FAILED: $*"; exit 1; }

# says STATUS TEXT ARGUMENTS...: exit status, and one line on standard error
says() {
    status=$1 text=$2
    shift 2
    "$tool" simulate "$@" >out 2>err
    got=$?
    [ $got -eq "$status" ] || fail "simulate $*: status $got, expected $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "simulate $*: not one line: $(cat err)"
    case $(cat err) in
    *"$text"*) ;;
    *) fail "simulate $*: '$(cat err)' does not say '$text'" ;;
    esac
    [ ! -s out ] || fail "simulate $*: wrote to standard output"
}

small="--topics 4 --documents 60 --runs 3 --prevalence 0.2"

# The result and the files do not depend on threads or on the directory's name.
"$tool" simulate $small --threads 1 --format json -o one >one.json || fail "one"
"$tool" simulate $small --threads 3 --format json -o two >two.json || fail "two"
cmp one.json two.json || fail "the result depends on threads or name"
diff -r one two || fail "the files depend on threads or name"
[ "$(ls one one/runs | tr '\n' ' ')" = "one: README qrels runs truth.tsv  one/runs: sim01 sim02 sim03 " ] \
    || fail "unexpected files: $(ls one one/runs)"

# The command in README makes the same files again.
sed -n '/^    intervale/,/-o DIR$/p' one/README | tr -d '\\' | tr '\n' ' ' >again
set -- $(cat again)
shift 2
"$tool" simulate "$@" >/dev/null || fail "README's command"
diff -r one DIR || fail "README's command makes other files"

# The tsv result has the columns of truth.tsv.
"$tool" simulate $small --truth-topics 50 --format tsv -o three >three.tsv || fail "three"
cmp three.tsv three/truth.tsv || fail "the result is not truth.tsv"

# What is in the files: every document of every topic, six columns in rank order.
[ "$(wc -l <one/qrels)" -eq 240 ] || fail "judgments"
awk 'NF != 6 || $2 != "Q0" || $6 != "sim03" { exit 1 }
     $1 == topic && ($4 != rank + 1 || $5 >= score) { exit 1 }
     { topic = $1; rank = $4; score = $5 }
     END { if (NR != 240) exit 1 }' one/runs/sim03 || fail "sim03 is not in rank order"

# Ties only on request.
"$tool" simulate $small --ties 0.5 -o tied >/dev/null || fail "tied"
awk '{ if (($1, $5) in seen) tied++; seen[$1, $5] } END { exit tied < 50 }' \
    tied/runs/sim01 || fail "no ties"

# Grades, fewer judgments, names and numbers as asked.
"$tool" simulate $small --grades 3 --judged 9 --judging uniform --first-topic 7 \
    --prefix bm25- --depth 5 -o odd >/dev/null || fail "odd"
[ "$(cut -d' ' -f1 odd/qrels | uniq -c | tr -s ' \n' ' ')" = " 9 7 9 8 9 9 9 10 " ] \
    || fail "judged"
[ "$(wc -l <odd/runs/bm25-02)" -eq 20 ] || fail "depth"

# Defaults of the command are those of the library, which wrote the first line
# that a unit test pins.
"$tool" simulate --topics 1 -o standard >/dev/null || fail "standard"
[ "$(head -1 standard/runs/sim10)" = "301 Q0 DOC-0854199 1 3.367928 sim10" ] \
    || fail "defaults: $(head -1 standard/runs/sim10)"

says 2 "-o DIR is missing" --topics 3
says 2 "'1' is not an integer from 2 to 10" --grades 1 -o bad
says 2 "not a number above 0 and below 1" --prevalence 1 -o bad
says 2 "a depth of 70, but a topic has 60 documents" $small --depth 70 -o bad
says 2 "4 qualities for 3 runs" $small --quality 1,2,3,4 -o bad
says 2 "61 judged documents, but a topic has 60" $small --judged 61 -o bad
says 2 "unexpected operand 'x'" $small -o bad x
says 2 "did you mean '--quality'?" --qualty 1 -o bad
says 1 "one: exists and is not empty" $small -o one
says 1 "no/such: cannot make the directory" $small -o no/such
[ ! -e bad ] || fail "a refused collection was made"
[ "$(ls -d ./*.tmp-* 2>/dev/null)" = "" ] || fail "temporary directories are left"
echo "all claims hold"
