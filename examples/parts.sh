#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Scores runs side by side, a part each, and puts the parts together: with GNU parallel, which
# can hand them to other machines (--sshlogin), or else with xargs on this one.
# usage: parts.sh JUDGMENTS FOLDER-OF-PARTS RUN...   (prints what eval prints for all runs)
set -e
judgments=$1 parts=$2
shift 2
mkdir -p "$parts"
if command -v parallel > /dev/null 2>&1; then
    printf '%s\n' "$@" | parallel --halt now,fail=1 \
        intervale eval --quiet --write-scores "$parts"/{/}.ivs "$judgments" {} > /dev/null
else
    printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I RUN sh -c \
        'intervale eval --write-scores "$1/${3##*/}.ivs" "$2" "$3" > /dev/null' \
        sh "$parts" "$judgments" RUN
fi
for run; do set -- "$@" "$parts/${run##*/}.ivs"; shift; done
intervale eval --scores "$@"
