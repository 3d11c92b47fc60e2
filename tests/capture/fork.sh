#!/usr/bin/env bash
# A recorded program that forks without exec while its threads record [ANN-HOST-03]: children use what they inherited and what
# they make, none hangs or writes, and the parent's trace is whole.
#   fork.sh ANNOT STRESS-D3D12_FORK FORKS
set -u
annot=$1 program=$2 forks=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

"$annot" capture -o "$work/trace" -- "$program" "$forks" >"$work/out" 2>&1 || fail "under capture: $(grep -v 'forked child' "$work/out")"
[ "$(grep -c 'a forked child is not recorded' "$work/out")" -ge "$forks" ] || fail "nothing about the children"
[ "$(ls "$work" | tr '\n' ' ')" = 'out trace ' ] || fail "other files: $(ls "$work")"
"$annot" trace info --output text "$work/trace" >"$work/info" || fail "the trace is not whole"
grep -q '^finished *yes' "$work/info" && ! grep -q '^in flight' "$work/info" || fail "$(cat "$work/info")"
"$annot" trace dump --output text "$work/trace" >"$work/dump" || fail "the trace can't be read"
tail -1 "$work/out"
