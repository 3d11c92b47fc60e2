#!/bin/sh
# A program that knows nothing of it runs on a driver from outside, and its dump says where that driver's breadcrumbs end.
# usage: driver_so.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: driver_so.sh path/to/annot" >&2; exit 2; }
annot=$1
bin=$(dirname "$annot")
driver=$bin/../lib/driver_so.so
[ -x "$bin/hang" ] && [ -e "$driver" ] || { echo "driver_so.sh: no $bin/hang or $driver: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$*"
    exit 1
}

for seed in 0 1 2 3 4 5 6 7 8 9; do
    rm -f "$work/dump"
    EMU_DRIVER_PATH=$driver "$bin/hang" --seed $seed --out "$work/dump" >"$work/out" 2>&1 || fail "hang: $(cat "$work/out")"
    "$annot" show --output text "$work/dump" >"$work/text" || fail "seed $seed: annot show exits with $?"
    grep -q '^  driver  *breadcrumbs$' "$work/text" || fail "seed $seed: another driver"
    grep -qxF '  Frame 7 / Shadow pass / Cascade 2' "$work/text" || fail "seed $seed: $(cat "$work/text")"
done
rm -f "$work/dump"
EMU_DRIVER_PATH=$driver "$bin/hang" --out "$work/dump" >"$work/out" 2>&1 || fail "with threads: $(cat "$work/out")"
"$annot" show --output text "$work/dump" | grep -qxF '  Frame 7 / Shadow pass / Cascade 2' || fail "with threads: another place"

EMU_DRIVER_PATH=$work/none.so "$bin/hang" --seed 0 --out "$work/none" >"$work/out" 2>"$work/errors" && fail "no driver, and yet it ran"
grep -c 'none.so' "$work/errors" | grep -qx 1 || fail "stderr: $(cat "$work/errors")"
[ ! -e "$work/none" ] || fail "a dump without a device"
