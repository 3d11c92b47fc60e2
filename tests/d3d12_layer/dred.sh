#!/usr/bin/env bash
# DRED is evidence, and a program that doesn't use it sees nothing of it [ANN-D3D]: with breadcrumbs alone a dump names the
# operation that hung, and the buffer that was freed; at "low" and "labels" it has no operation of the layer's own.
#   dred.sh ANNOT HANG DRED
set -u
annot=$1 hang=$2 dred=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 EMU_DRIVER=legacy
fail() {
  echo "$*"
  exit 1
}
report() {
  "$annot" show --output text "$1"
}
cd "$work" || exit 2
for evidence in auto dred; do
  for level in low labels; do
    rm -f "$work"/*
    "$annot" d3d12 --evidence $evidence --level $level -o hung -- "$hang" --seed 5 --out own >out 2>&1 || fail "$evidence, $level: $(cat out)"
    report hung >text || fail "$evidence, $level: a damaged dump"
    grep -q '^    operation .* is not done: Dispatch;' text || fail "$evidence, $level: no operation: $(cat text)"
    grep -q WriteBufferImmediate: text && fail "$evidence, $level: an operation of the layer's: $(cat text)"
    grep -q -e 'lists whose markers are not all' -e 'contradict' text && fail "$evidence, $level: breadcrumbs don't fit: $(cat text)"
    [ $evidence = auto ] && continue
    grep -q "^  evidence     DRED's breadcrumbs, and completed submissions$" text || fail "dred: another kind: $(cat text)"
    grep -q -e '-- in progress: the runtime.s breadcrumbs$' text || fail "dred: not by breadcrumbs: $(cat text)"
  done
done

# a fault, in a program that has its own DRED on; one that has set it off keeps it off
"$annot" d3d12 --evidence dred -o fault -- "$dred" >out 2>&1
report fault >text
grep -q '^GPU PAGE FAULT at 0x[0-9a-f]* (freed "Lights") in Frame 1 ' text || fail "no fault: $(cat text)"
grep -q '^  freed there  Lights$' text || fail "the freed buffer has no name: $(cat text)"
grep -q '^  Frame 1 / Lighting / Tile (3, 7)$' text || fail "the fault has no place: $(cat text)"
"$annot" d3d12 --evidence fence -o fence -- "$dred" >out 2>&1
report fence >text
grep -q 'freed there' text && fail "fence: DRED was read"
"$dred" 2>&1 | sed 's/0x[0-9a-f]*//' >plain
for evidence in auto copy; do
  for level in labels exact; do
    "$annot" d3d12 --evidence $evidence --level $level -o seen -- "$dred" 2>errors | sed 's/0x[0-9a-f]*//' | diff - plain ||
      fail "$evidence, $level: the program sees something else"
  done
done
# calls are not told apart by breadcrumbs, which count the program's markers
"$annot" d3d12 --evidence dred --level exact -o exact -- "$dred" >out 2>&1
report exact >text
grep -q '^  Frame 1 / Lighting / Tile (3, 7)$' text || fail "dred, exact: the fault has no place: $(cat text)"
# the layer's own log of buffers: the address, the size, and the life
grep -q '^  address      128 bytes into "Lights" (destroyed) (resource, 4194304 bytes at 0x[0-9a-f]*), destroyed [0-9.]* s before the error$' text &&
  grep -q "^  life         made before the device's submission 1, destroyed before submission 1$" text ||
  fail "dred, exact: no life of the memory: $(cat text)"
echo "the operation, and the buffer"
