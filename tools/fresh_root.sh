#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make demo, then make test, in a bare Debian with git and make alone: what each installs, and how long it
# takes.  The figures stand in doc/portability.md.  Needs root and debootstrap.
#
# usage: tools/fresh_root.sh FOLDER [demo|test...]
set -eu
root=$1; shift
source=$(cd "$(dirname "$0")/.." && pwd)

[ -e "$root/usr/bin/make" ] || debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$root" >/dev/null
rm -rf "$root/srv/intervale"
git clone -q --no-hardlinks "$source" "$root/srv/intervale"
for folder in proc dev; do
    mountpoint -q "$root/$folder" || mount --rbind "/$folder" "$root/$folder"
    mount --make-rslave "$root/$folder" # what is unmounted there stays here
done
trap 'umount -l "$root/dev" "$root/proc"' EXIT
installed() { # packages and megabytes
    chroot "$root" dpkg-query -W -f '${Installed-Size}\n' | awk '{ kb += $1 } END { printf "%d packages, %d MB", NR, kb / 1024 }'
}
echo "bare: $(installed)"
for target in "${@:-demo}"; do
    start=$(date +%s) status=0
    chroot "$root" env HOME=/root make -C /srv/intervale "$target" >"$root/$target.log" 2>&1 || status=$?
    echo "make $target: exit $status, $(($(date +%s) - start)) s, now $(installed)"
done
