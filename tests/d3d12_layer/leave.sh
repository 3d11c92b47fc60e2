#!/usr/bin/env bash
# A program that ends as soon as it learns that its device is gone, by whichever call and on whichever thread, leaves a whole
# dump, and ends as it does without the layer [ANN-LEAVE-01]; so it does where nobody reads a full stderr [ANN-LEAVE-05].
#   leave.sh WAYS RUNS ANNOT LEAVE [COMMAND...]      COMMAND runs Windows programs; RUNS: of each way
set -u
ways=$1 runs=$2 annot=$3 leave=$4
shift 4
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_LEVEL=labels ANNOT_D3D12_PROBE=0
fail() {
  echo "$*"
  exit 1
}
under() { # TIMEOUT WAY
  rm -f x*
  ANNOT_D3D12_TIMEOUT=$1 timeout 60 "${command[@]}" "$annot" d3d12 -o x -- "$leave" "$2"
}
command=("$@")
# The watchdog is one more thread that may be the first to learn of it.
for way in $ways; do
  { ("${command[@]}" "$leave" $way) >out 2>&1; } 2>/dev/null
  alone=$?
  for timeout in 5 60000; do
    for run in $(seq 1 "$runs"); do
      under $timeout $way >out 2>&1
      status=$?
      [ $status = $alone ] || fail "$way, timeout $timeout, run $run: ends with $status, and alone with $alone: $(cat out)"
      last=$(find . -name 'x*' ! -name '*.part' | sort -V | tail -1)
      [ -n "$last" ] || fail "$way, timeout $timeout, run $run: no dump, only $(ls)"
      "${command[@]}" "$annot" show --output text "$last" >report || fail "$way, timeout $timeout, run $run: a damaged dump"
      grep -q 'Water' report || fail "$way, timeout $timeout, run $run: $(head -3 report)"
    done
  done
done

mkfifo full
exec 7<>full
dd if=/dev/zero of=full bs=1024 oflag=nonblock conv=notrunc >/dev/null 2>&1
export ANNOT_D3D12_QUIET=0
under 5 return 2>full >out
status=$?
[ $status = 3 ] || fail "stderr is full: ends with $status"
for dump in x*; do
  "${command[@]}" "$annot" show --output text "$dump"
done | grep -q '^  stderr       stderr is full' || fail "no dump says that stderr is full"
