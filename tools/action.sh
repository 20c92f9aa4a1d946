#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The two steps of action.yml, whose inputs are variables.  install: the tool of a release, by its
# checksum, or built here; run: the command, its summary, files and verdict.  For bash 3.2 (macOS).
#
# usage: tools/action.sh install|run
set -euo pipefail
work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/intervale.XXXXXX")

fail() {
    echo "::error title=intervale::$1" >&2
    exit 1
}

sum_of() {
    if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# The name of this machine's binary in a release (tools/wheels.py).
asset() {
    case ${RUNNER_OS:-}-${RUNNER_ARCH:-} in
    Linux-X64) echo intervale-musl-x86_64 ;; # linked whole: for any Linux
    Linux-ARM64) echo intervale-musl-aarch64 ;;
    macOS-ARM64) echo intervale-macos-arm64 ;;
    macOS-X64) echo intervale-macos-x86_64 ;;
    Windows-X64) echo intervale-windows-x86_64.exe ;;
    *) return 1 ;;
    esac
}

download() { # NAME: from a release into $work
    curl --fail --silent --show-error --location --retry 2 --proto =https,file --proto-redir =https \
        --output "$work/$1" "$INTERVALE_RELEASES/v$version/$1"
}

# False if the release has no binary that runs here; a wrong one ends the action.
install_release() {
    version=${INTERVALE_VERSION#v}
    if [ -z "$version" ] && [[ ${INTERVALE_REF:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
        version=${INTERVALE_REF#v}
    fi
    [ -n "$version" ] || return 1 # another commit than a release's
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version: '$version'; expected such as 0.4.0"
    name=$(asset) && download "$name" || return 1
    expected=$INTERVALE_SHA256
    if [ -z "$expected" ]; then
        download SHA256SUMS || return 1
        expected=$(sed -n "s/^\([0-9a-f]*\) [ *]$name\$/\1/p" "$work/SHA256SUMS")
    fi
    found=$(sum_of "$work/$name")
    [ "$found" = "$expected" ] || fail "$name: sha256 $found; expected '$expected'"
    mkdir "$work/bin"
    mv "$work/$name" "$work/bin/intervale${name#"${name%.exe}"}"
    chmod +x "$work/bin/intervale"*
    "$work/bin/intervale" version || return 1 # not for this system
    echo "$work/bin" >>"$GITHUB_PATH"
}

install() {
    if command -v intervale >/dev/null && [ -z "$INTERVALE_VERSION" ]; then
        intervale version
        return
    fi
    ! install_release || return 0
    [ -z "$INTERVALE_SHA256" ] || fail "no binary with the checksum could be used; nothing was built"
    echo "no binary of a release for ${RUNNER_OS:-this system}: building, which takes minutes"
    [ "${RUNNER_OS:-}" != Windows ] || fail "Windows: the tool cannot be built here; give version"
    make -C "$GITHUB_ACTION_PATH" release
    echo "$GITHUB_ACTION_PATH/build/release" >>"$GITHUB_PATH"
}

# The words of the command into the arrays options and operands: quotes and backslashes as in a shell,
# and nothing else.  xargs reads them so, and expands nothing.
split() {
    options=() operands=()
    printf '%s' "$INTERVALE_COMMAND" | xargs printf '%s\0' >"$work/words" \
        || fail "command: the quotes of '${INTERVALE_COMMAND//$'\n'/ }' do not match"
    local word after=
    while IFS= read -r -d '' word; do
        if [ -n "$after" ]; then
            operands+=("$word")
        elif [ "$word" = -- ]; then
            after=yes
        else
            options+=("$word")
        fi
    done <"$work/words"
    [ ${#options[@]} -gt 0 ] || fail "command: expected such as compare --scores --gate"
    while IFS= read -r word || [ -n "$word" ]; do
        word=${word%$'\r'}
        [ -z "$word" ] || operands+=("$word")
    done <<<"$INTERVALE_FILES"
    [ ${#operands[@]} -eq 0 ] || operands=(-- "${operands[@]}")
}

# An input that names a file to write, in the format of its ending, into the array outputs.
also() { # INPUT ENDING FILE
    [ -n "$3" ] || return 0
    [[ $3 == *.$2 ]] || fail "$1: '$3'; expected a name that ends in .$2"
    outputs+=(-o "$3")
}

run() {
    split
    outputs=(--format github -o -)
    also junit xml "$INTERVALE_JUNIT"
    also json json "$INTERVALE_JSON"
    status=0
    # Not to the log, where lines may be commands.
    intervale "${options[@]}" "${outputs[@]}" ${operands[@]+"${operands[@]}"} >"$work/summary" || status=$?
    cat "$work/summary" >>"$GITHUB_STEP_SUMMARY"
    verdict=$(sed -nE '1s/^\*\*(PASS|FAIL|INCONCLUSIVE|ERROR)\*\*.*/\1/p' "$work/summary")
    case $status in 0 | 3 | 4) ;; *) verdict=ERROR ;; esac
    printf 'verdict=%s\nstatus=%s\n' "$verdict" "$status" >>"$GITHUB_OUTPUT"
    exit "$status"
}

case ${1:-} in
install | run) "$1" ;;
*) sed -n '/^# usage: /s/^# //p' "$0" >&2; exit 2 ;;
esac
