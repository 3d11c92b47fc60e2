#!/usr/bin/env bash
# examples/wrong_draw.c: `annot trace diff` names the call that makes a tile wrong [ANN-TRACE-06].
#   wrong_draw.sh ANNOT PROGRAM
set -u
annot=$1 program=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$annot" capture -o "$work/good.annottrace" -- "$program" >"$work/good" || exit 1
"$annot" capture -o "$work/bad.annottrace" -- "$program" --broken >"$work/bad" || exit 1
grep -q 'tile 5: 105' "$work/good" && grep -q 'tile 5: 0' "$work/bad" || { echo "the programs show no wrong tile"; exit 1; }
"$annot" trace diff --output text "$work/good.annottrace" "$work/bad.annottrace" >"$work/diff"
[ $? = 1 ] || { echo "no difference"; exit 1; }
cat "$work/diff"
call=$(sed -n 's/^other .*, at call \([0-9]*\): .*/\1/p' "$work/diff" | head -1)
grep -q SetComputeRoot32BitConstants "$work/diff" || { echo "another call"; exit 1; }
grep -q ', in "Frame 1" / "Tile 5"$' "$work/diff" || { echo "the scopes around the call are not named"; exit 1; }
"$annot" trace diff --output json "$work/good.annottrace" "$work/bad.annottrace" | grep -q '"path":\["Frame 1","Tile 5"\]' ||
  { echo "nor in JSON"; exit 1; }
# what is wrong is said in the first ten lines, whatever it is
named() { # kind of mistake, how its line begins, the method and the scopes, what differs in the second call's line; '': no such line
  "$annot" capture -o "$work/$1.annottrace" -- "$program" --broken "$1" >/dev/null || exit 1
  "$annot" trace diff --output text "$work/good.annottrace" "$work/$1.annottrace" | head -10 >"$work/diff"
  [ "$(grep -c "^$2, at call [0-9]*: $3\$" "$work/diff")" = 1 ] && { [ -z "$4" ] || grep -q "^  > .*$4" "$work/diff"; } ||
    { echo "$1: $(cat "$work/diff")"; exit 1; }
}
list=ID3D12GraphicsCommandList:: scopes=', in "Frame 1" / "Tile 5"'
named draw 'only in the first trace' "${list}Dispatch$scopes" ''
named constant 'other arguments' "${list}SetComputeRoot32BitConstants$scopes" 'pSrcData="0000000004000000"'
named barrier 'other arguments' "${list}ResourceBarrier$scopes" 'StateAfter=D3D12_RESOURCE_STATE_GENERIC_READ'
named size 'other arguments' ID3D12Device::CreateCommittedResource 'Width=32768'
named order 'other order' "${list}Dispatch$scopes" "${list}Dispatch("

# the work that one run alone has is said first, by scope
to=$("$annot" trace marker "$work/good.annottrace" 'Tile 6' | sed -n 's/^call \([0-9]*\),.*/\1/p')
"$annot" trace trim "$work/good.annottrace" -o "$work/part.annottrace" --to "$to" >/dev/null || exit 1
"$annot" trace diff "$work/good.annottrace" "$work/part.annottrace" >"$work/diff"
sed -n 2p "$work/diff" | grep -q '^only in the first trace, at call [0-9]*: .*::Dispatch, in "Frame 1" / "Tile 6"$' ||
  { echo "what is missing is not said first: $(head -3 "$work/diff")"; exit 1; }
# the marker before it is the tile's
"$annot" trace show --output text --to "$call" "$work/bad.annottrace" | sed -n 's/.*-- //p' | tail -1 | grep -q 'Tile 5' ||
  { echo "not in tile 5"; exit 1; }
