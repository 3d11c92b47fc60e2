#!/usr/bin/env bash
# annot-conformance, which knows nothing of the layer, has the results with the layer in front of the emulator that it has
# without, on a driver that takes no markers [ANN-D3D-03]. Exemptions as in suite.sh.
#   conformance.sh ANNOT EXEMPTIONS ANNOT-CONFORMANCE I,N      the I-th of N shares of the cases
set -u
annot=$1 exempt=$2 program=$3 share=$4
library=$(dirname "$annot")/../lib/capture/libd3d12.so
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_PROBE=0 ANNOT_D3D12_LEVEL=labels
options=(--driver legacy --fraction "$share" --jobs 2 --timeout 120)
results() { # of a TAP file
  sed -nE 's/^(ok|not ok) [0-9]* - ([^ ]*)( # (SKIP))?.*/\1 \4 \2/p' "$1" | sort
}
"$program" "${options[@]}" >"$work/plain" 2>&1
"$annot" d3d12 -o "$work/%p.annotdmp" -- "$program" --runtime "$library" "${options[@]}" >"$work/layer" 2>"$work/errors"
grep 'no D3D12 call' "$work/errors" && exit 1
results "$work/plain" >"$work/expected"
results "$work/layer" >"$work/seen"
[ -s "$work/expected" ] || { echo "no cases: $(head -3 "$work/plain")"; exit 1; }
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
  echo "$name: $(grep -F " $name" "$work/expected") without the layer, $(grep -F " $name" "$work/seen") with it"
  failed=$((failed + 1))
done <"$work/different"
echo "$(wc -l <"$work/expected") cases, $failed differ, $excused exempt"
[ "$failed" = 0 ]
