#!/usr/bin/env bash
# Every test of a Criterion program has the result under the layer that it has without, on a driver that takes no markers
# [ANN-D3D-03]. Those that can't are listed with their reasons; one that is listed in vain fails too.
#   suite.sh ANNOT EXEMPTIONS PROGRAM [FILTER] [JOBS]
set -u
annot=$1 exempt=$2 program=$3 filter=${4:-*} jobs=${5:-2}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export EMU_DRIVER=legacy ANNOT_D3D12_QUIET=1 ANNOT_D3D12_PROBE=0 ANNOT_D3D12_LEVEL=labels
results() { # of a TAP file
  sed -nE '/# SKIP/d; s/^(ok|not ok) - ([^ ]*)::([^ ]*).*/\1 \2\/\3/p' "$1" | sort
}
"$program" -j"$jobs" --filter "$filter" --tap="$work/plain" >/dev/null 2>&1
"$annot" d3d12 -o "$work/%p.annotdmp" -- "$program" -j"$jobs" --filter "$filter" --tap="$work/layer" >/dev/null 2>"$work/errors"
grep 'no D3D12 call' "$work/errors" && exit 1
results "$work/plain" >"$work/expected"
results "$work/layer" >"$work/seen"
[ -s "$work/expected" ] || { echo "no test fits $filter"; exit 1; }
failed=0 excused=0
diff "$work/expected" "$work/seen" | sed -n 's/^[<>].* //p' | sort -u >"$work/different"
while read -r name; do # that are excused, and need not be
  grep -qFx -- "$name" "$work/different" && continue
  grep -q " $name\$" "$work/expected" || continue
  echo "$name: listed as an exemption, but all is well"
  failed=$((failed + 1))
done < <(cut -f1 "$exempt")
while read -r name; do
  reason=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$exempt")
  [ -n "$reason" ] && excused=$((excused + 1)) && continue
  echo "$name: $(grep " $name$" "$work/expected") without the layer, $(grep " $name$" "$work/seen") with it"
  failed=$((failed + 1))
done <"$work/different"
echo "$(wc -l <"$work/expected") tests, $failed differ, $excused exempt"
[ "$failed" = 0 ]
