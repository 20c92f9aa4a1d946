#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Manual pages without a complaint of mandoc, completions that shells can read.
# usage: pages.sh INTERVALE
set -eu
intervale=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$intervale" manual --directory "$folder"
# One page a command and one for the tool.
"$intervale" help | sed -nE 's/^  ([a-z]+( [a-z]+)?)(   *.*)?$/\1/p' >"$folder/names"
while read -r name; do
    page=$folder/intervale-$(echo "$name" | tr ' ' '-').1
    [ -s "$page" ] || { echo "no manual page of '$name'"; exit 1; }
    "$intervale" manual $name | cmp - "$page"
    "$intervale" help $name >/dev/null
done <"$folder/names"
[ "$(wc -l <"$folder/names")" -eq "$(($(ls "$folder"/*.1 | wc -l) - 1))" ]

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$folder"/*.1
fi
for shell in bash zsh fish; do
    "$intervale" completion $shell -o "$folder/$shell"
    if command -v $shell >/dev/null; then
        $shell -n "$folder/$shell"
    fi
done

# What bash offers after some beginnings of a command line.
command -v bash >/dev/null || exit 0
cat >"$folder/offers" <<'END'
. "$1"
offers() { shift; COMP_WORDS=("$intervale" "$@"); COMP_CWORD=$#; _intervale; echo "${COMPREPLY[*]}"; }
[ "$(offers intervale vers)" = version ]
[ "$(offers intervale completion z)" = zsh ]
[ "$(offers intervale manual --dir)" = --directory ]
[ "$(offers intervale help comple)" = completion ]
[ "$(offers intervale plan reca)" = recall ]
[ "$(offers intervale check --format = ma)" = markdown ]
[ "$(offers intervale eval '')" = '' ]
END
intervale=$intervale bash -eu "$folder/offers" "$folder/bash"
