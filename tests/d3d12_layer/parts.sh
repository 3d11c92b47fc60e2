#!/usr/bin/env bash
# A program of the layer's own tests does the same with the layer and without it: references are counted as without, threads
# end with their devices, each of two devices has a dump of its own, a hang that nobody reports is found and a queue that
# waits is none [ANN-D3D-01, -03, -04].
#   parts.sh ANNOT PARTS
set -u
annot=$1 parts=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_LEVEL=labels
fail() {
  echo "$*"
  exit 1
}
report() {
  "$annot" show --output text "$1" 2>&1
}
under() { # EVIDENCE DUMP PART...
  EMU_DRIVER=legacy "$annot" d3d12 --evidence "$1" -o "$2" -- "$parts" "${@:3}" 2>"$work/errors"
}

for evidence in immediate fence; do
  for part in devices two threads forks; do
    EMU_DRIVER=legacy "$parts" "$part" >"$work/plain" || fail "$part: fails without the layer"
    rm -f "$work"/dump*
    under $evidence "$work/dump.x" "$part" >"$work/layer" || fail "$part, $evidence: $(cat "$work/errors")"
    diff "$work/plain" "$work/layer" || fail "$part, $evidence: something else"
    case $part in
    devices | forks) [ -e "$work/dump.x" ] && fail "$part, $evidence: a dump of nothing" ;;
    two)
      report "$work/dump.x" | grep -q '"First device"' || fail "two, $evidence: the first dump is not of the first device"
      report "$work/dump-2.x" | grep -q '"Second device"' || fail "two, $evidence: no dump of the second device"
      ;;
    threads)
      [ -s "$work/dump.x" ] && [ ! -e "$work/dump-2.x" ] || fail "threads, $evidence: not one dump"
      "$annot" show --output text "$work/dump.x" >/dev/null || fail "threads, $evidence: a damaged dump"
      ;;
    esac
  done
  rm -f "$work"/dump*
  ANNOT_D3D12_TIMEOUT=500 under $evidence "$work/dump.x" hung "$work/dump.x" >/dev/null ||
    fail "hung, $evidence: no dump in a minute"
  report "$work/dump.x" | grep -q '^  reason       the GPU has work and made no progress for 0\.[5-9] s$' ||
    fail "hung, $evidence: another reason: $(report "$work/dump.x" | head -3)"
  if [ $evidence = immediate ]; then
    report "$work/dump.x" | sed -n '/^WHAT HUNG/,/^WHAT TO/p' | grep -q '^  Endless$' || fail "hung: $(report "$work/dump.x")"
  else
    report "$work/dump.x" | grep -q '^queue "Hung queue" (direct): work in progress; submitted 1, completed 0$' || fail "hung: $(report "$work/dump.x")"
  fi
  rm -f "$work"/dump*
  [ "$(ANNOT_D3D12_TIMEOUT=300 under $evidence "$work/dump.x" waits "$work/dump.x")" = "no dump" ] ||
    fail "waits, $evidence: a queue that waits is called a hang: $(report "$work/dump.x" | head -3)"
done
echo "the same, with one dump for each device"
