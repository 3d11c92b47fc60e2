#!/usr/bin/env bash
# A program that ends as soon as it learns that its device is gone, by whichever call and on whichever thread, leaves a whole
# dump, and ends as it does without the layer [ANN-LEAVE-01].
#   leave.sh ANNOT LEAVE [RUNS]
set -u
annot=$1 leave=$2 runs=${3:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_LEVEL=labels ANNOT_D3D12_PROBE=0
fail() {
  echo "$*"
  exit 1
}
# The watchdog is one more thread that may be the first to learn of it.
for way in poller waiter status exit return abort lock; do
  { ("$leave" $way) >"$work/out" 2>&1; } 2>/dev/null
  alone=$?
  for timeout in 5 60000; do
    for run in $(seq 1 "$runs"); do
      rm -f "$work"/x*
      ANNOT_D3D12_TIMEOUT=$timeout "$annot" d3d12 -o "$work/x" -- "$leave" $way >"$work/out" 2>&1
      status=$?
      [ $status = $alone ] || fail "$way, timeout $timeout, run $run: ends with $status, and alone with $alone: $(cat "$work/out")"
      last=$(find "$work" -name 'x*' ! -name '*.part' | sort -V | tail -1)
      [ -n "$last" ] || fail "$way, timeout $timeout, run $run: no dump, only $(ls "$work")"
      "$annot" show --output text "$last" >"$work/report" || fail "$way, timeout $timeout, run $run: a damaged dump"
      grep -q 'Water' "$work/report" || fail "$way, timeout $timeout, run $run: $(head -3 "$work/report")"
    done
  done
done
