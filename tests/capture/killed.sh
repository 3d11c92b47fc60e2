#!/usr/bin/env bash
# A program that is killed at any moment leaves every completed call, and the one in flight by name [ANN-TRACE-03]: the
# calls of its trace are the first calls of an undisturbed run, without a gap.
#   killed.sh ANNOT RUNS
set -u
annot=$1 runs=$2
bin=$(dirname "$annot")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
kept=0 cut=0 RANDOM=1

calls() {
  "$annot" trace dump --output text "$1" 2>/dev/null | sed -n 's/^\([0-9]* t1 [^=].*\)/\1/p' | sed 's/dump_path="[^"]*"//' |
    sed 's/0x[0-9a-f]*//g'
}

# between two calls there is none in flight, whatever the last one leaves of its return
last=("" RSSetScissorRects CopyBufferRegion OMSetStencilRef)
for i in 1 2 3; do
  "$annot" capture -o "$work/k.annottrace" -- "$bin/capture-parts" --killed $i >/dev/null 2>&1
  "$annot" trace info --output text "$work/k.annottrace" >"$work/info" 2>/dev/null
  grep '^in flight' "$work/info" && { echo "behind ${last[i]}: a call is in flight"; exit 1; }
  "$annot" trace show --output text "$work/k.annottrace" 2>/dev/null | tail -1 | grep -q "::${last[i]}(" || { echo "${last[i]} is not the last call"; exit 1; }
  rm -f "$work/k.annottrace"
done

# at moments of the time that it takes here
begun=$(date +%s%N)
"$annot" capture -o "$work/whole.annottrace" -- "$bin/hang" --seed 7 --out "$work/dump" >/dev/null || exit 1
microseconds=$((($(date +%s%N) - begun) / 1000 + 1))
calls "$work/whole.annottrace" >"$work/whole"
for ((i = 0; i < runs; i++)); do
  rm -f "$work/k.annottrace"
  "$annot" capture -o "$work/k.annottrace" -- "$bin/hang" --seed 7 --out "$work/dump" >/dev/null 2>&1 &
  pid=$!
  printf -v moment '%06d' $(((RANDOM * 32768 + RANDOM) % microseconds))
  sleep "$((10#$moment / 1000000)).$(printf '%06d' $((10#$moment % 1000000)))"
  pkill -9 -P $pid 2>/dev/null || kill -9 $pid 2>/dev/null # the program, if it runs already
  wait $pid 2>/dev/null
  [ -s "$work/k.annottrace" ] || continue # killed before it began
  "$annot" trace info "$work/k.annottrace" >"$work/info" 2>/dev/null
  status=$?
  [ $status -le 1 ] || { [ "$(head -c 8 "$work/k.annottrace" | tr -d '\0')" = "" ] && continue || { echo "run $i: exit $status"; exit 1; }; }
  calls "$work/k.annottrace" >"$work/part"
  lines=$(wc -l <"$work/part")
  head -n "$lines" "$work/whole" | cmp -s - "$work/part" || { echo "run $i: the $lines calls are not those that were made first"; diff <(head -n "$lines" "$work/whole") "$work/part" | head -4; exit 1; }
  kept=$((kept + 1))
  [ $status = 0 ] || cut=$((cut + 1))
done
echo "$kept traces of $runs runs, $cut of them cut short"
[ "$kept" -gt 0 ]
