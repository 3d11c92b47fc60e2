#!/usr/bin/env bash
# Bundles, words and waits under the layer [ANN-D3D]: a stop in a bundle has the bundle's place among the program's own, at each
# level and for each kind of evidence, though the layer's bundles of markers that it doesn't mark are between them; the
# program's own words come, and are operations that count; a stop that no call tells of is noticed when a wait returns.
#   lists.sh ANNOT LISTS
set -u
annot=$1 lists=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_PROBE=0 EMU_DRIVER=legacy
fail() {
  echo "$*"
  exit 1
}
# under EVIDENCE LEVEL PLACE PART: what the program prints in $work/seen, the report in $work/report
under() {
  rm -f "$work/dump"
  # shellcheck disable=SC2086 # words
  HANG_AT=$3 "$annot" d3d12 --evidence "$1" --level "$2" -o "$work/dump" -- "$lists" $4 >"$work/seen" 2>"$work/errors" ||
    fail "$*: $(cat "$work/errors")"
  "$annot" show --all --output text "$work/dump" >"$work/report" 2>&1 || fail "$*: no whole dump"
}
has() { # of what, and a line of the report
  grep -qE "$2" "$work/report" || fail "$1: no line '$2': $(cat "$work/report")"
}
hasnt() {
  ! grep -qE "$2" "$work/report" || fail "$1: a line '$2': $(cat "$work/report")"
}

for evidence in immediate readback copy dred fence; do
  for level in low labels exact; do
    of="bundles, $evidence, $level"
    under $evidence $level 4 bundles
    hasnt "$of" 'ExecuteBundle [3-9]'
    case $evidence in
    immediate | readback) # words are written in bundles: all of them, since a bundle has no place for markers without
      has "$of" '^  Frame / Rocks / Moss( / Dispatch.*)?$'
      has "$of" '^    on queue "Queue", submission 1, list 1 of 1 "List", ExecuteBundle 2: "Second bundle"$'
      has "$of" '\[X\] ExecuteBundle 1: "First bundle"$'
      has "$of" '\[>\] ExecuteBundle 2: "Second bundle"$'
      ;;
    *) # nothing of a bundle is known where the list is in progress
      has "$of" '^    on queue "Queue", submission 1, list 1 of 1 "List"$'
      hasnt "$of" '\[[X> ]\] (Rocks|Moss)'
      [ $evidence = fence ] || [ $level = low ] || has "$of" '^  Frame$'
      ;;
    esac
  done
done

# The words that the program wrote are in memory, and its breadcrumbs are what they are without the layer: the second dispatch of the
# second recording is the seventh of nine operations, whoever writes between them.
HANG_AT=4 "$lists" writes own >"$work/plain" || fail "writes: fails without the layer"
grep -q '^words: 12 23 33$' "$work/plain" && grep -q '^6 of 9: ' "$work/plain" || fail "writes, without the layer: $(cat "$work/plain")"
for evidence in immediate readback copy dred; do
  for level in low labels exact; do
    of="writes, $evidence, $level"
    under $evidence $level 4 "writes own"
    diff "$work/plain" "$work/seen" || fail "$of: the program sees something else"
    has "$of" '^    operation +(7 of 9 is not done: Dispatch; 6 is done: WriteBufferImmediate|Dispatch\(1, 1, 1\))$'
    [ $evidence = dred ] || [ $level = low ] || has "$of" '^  Second 1( / .*)?$'
  done
done
for evidence in immediate readback copy dred fence; do # nothing hangs, and nothing is left behind
  rm -f "$work/dump"
  "$annot" d3d12 --evidence $evidence --level labels -o "$work/dump" -- "$lists" writes >"$work/seen" 2>&1 || fail "writes, $evidence: $(cat "$work/seen")"
  grep -q '^words: 12 23 34$' "$work/seen" && [ ! -e "$work/dump" ] || fail "writes, $evidence: $(cat "$work/seen")"
done

# A recording is the same in a new list and behind a different one of the list.
part() { # what hung, and the tree of the newest recording, without numbers
  sed -n '/^WHAT HUNG/,/^FACTS/p; /"List"  3 markers/,$p' "$work/report" |
    sed 's/submission [0-9]*/submission N/; s/fence #[0-9]*/fence N/; s/0x[0-9a-f]*/ID/; /^LOST OR ODD/,$d'
}
for evidence in immediate copy dred; do
  for level in low labels exact; do
    under $evidence $level 2 again
    part >"$work/new"
    under $evidence $level 3 "again used"
    part >"$work/used"
    [ $level != labels ] || grep -q '^  Frame / Lights$' "$work/new" || fail "again, $evidence, $level: $(cat "$work/report")"
    diff "$work/new" "$work/used" || fail "again, $evidence, $level: another report"
  done
done

# A program that only waits, or looks at a fence, is told of nothing by a removed device: the dump is there when the call returns,
# and what was complete at the call before is complete in it. No watchdog looks.
export ANNOT_D3D12_TIMEOUT=0
for evidence in immediate readback copy dred fence; do
  under $evidence labels 3 waits
  has "waits, $evidence" '^  reason +after ID3D12Fence::SetEventOnCompletion the device was removed with DXGI_ERROR_DEVICE_HUNG$'
  has "waits, $evidence" '^queue "Queue" \(direct\): .*; submitted 3, completed 2$'
  hasnt "waits, $evidence" '\[[> ?]\] Pass [12]'
  [ $evidence = fence ] || has "waits, $evidence" '^  Pass 3$'
  under $evidence labels 1 looks
  has "looks, $evidence" '^  reason +after ID3D12Fence::GetCompletedValue the device was removed with DXGI_ERROR_DEVICE_HUNG$'
  rm -f "$work/dump"
  "$annot" d3d12 --evidence $evidence -o "$work/dump" -- "$lists" waits >"$work/seen" 2>&1 && [ ! -e "$work/dump" ] ||
    fail "waits, $evidence: a dump of nothing: $(cat "$work/seen")"
done

# Executions of one list are told apart, also by lists of the layer that are used again.
for evidence in immediate readback copy; do
  under $evidence labels 4 turns
  has "turns, $evidence" '^    on queue "Queue", submission 4, list 1 of 1 "List"$'
  has "turns, $evidence" '^  \[X\] submission 3, 1 list$'
  has "turns, $evidence" '^  \[ \] submission 5(, 1 list| not started)$'
done

# More executions in flight than the layer has room for: how many were left out is said, and the list that hangs is not.
under immediate labels 1 rows
has rows '^  Step$'
has rows '^    on queue "Other", submission 1, list 2100 of 2100 "Simulation"$'
hasnt rows 'damage'
has rows ' [0-9]+ executions in flight that had no room in the report'

echo "bundles by their numbers, the program's own words, and a stop that only a wait ends at"
