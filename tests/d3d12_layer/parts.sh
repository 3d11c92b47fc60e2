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

for evidence in immediate copy fence; do
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
      [ $evidence = fence ] || continue # a name without an extension: both are shown as well
      under fence "$work/dump-plain" two >"$work/layer"
      [ "$(grep -c "^annot d3d12: $work/dump-plain" "$work/errors")" = 2 ] || fail "two: not both are shown: $(cat "$work/errors")"
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
  if [ $evidence != fence ]; then # fences alone don't prove that the Signal has not come
    report "$work/dump.x" | grep -q 'waiting for "Hung queue".s fence "work done" = 7, reached 0' ||
      fail "hung, $evidence: not what the queue behind it waits for: $(report "$work/dump.x")"
    report "$work/dump.x" | sed -n '/^WHAT HUNG/,/^FACTS/p' | grep -q '^  Endless$' || fail "hung: $(report "$work/dump.x")"
  else
    report "$work/dump.x" | grep -q '^queue "Hung queue" (direct): work in progress; submitted 1, completed 0$' || fail "hung: $(report "$work/dump.x")"
  fi
  rm -f "$work"/dump*
  [ "$(ANNOT_D3D12_TIMEOUT=300 under $evidence "$work/dump.x" waits "$work/dump.x")" = "no dump" ] ||
    fail "waits, $evidence: a queue that waits is called a hang: $(report "$work/dump.x" | head -3)"
done
# at level exact the shader of a pipeline that was made by a stream is told
rm -f "$work"/dump*
ANNOT_D3D12_LEVEL=exact ANNOT_D3D12_TIMEOUT=500 under immediate "$work/dump.x" hung "$work/dump.x" >/dev/null || fail "exact: no dump in a minute"
report "$work/dump.x" | grep -qE '^    shader +cs [0-9a-f]{16}$' || fail "exact: no shader: $(report "$work/dump.x")"

# a recording has copied words for 512 markers: those behind them are unknown while it is in progress; other words have no limit
for evidence in immediate copy; do
  rm -f "$work"/dump*
  ANNOT_D3D12_TIMEOUT=500 under $evidence "$work/dump.x" many "$work/dump.x" >/dev/null || fail "many, $evidence: no dump in a minute"
  report "$work/dump.x" >"$work/report"
  if [ $evidence = copy ]; then
    grep -q '\[?\] markers without marks of their own' "$work/report" && grep -q '\[>\] list 1 of 1 ' "$work/report" &&
      ! grep -q '^  Marker 600$' "$work/report" || fail "many, copy: $(cat "$work/report")"
  else
    grep -q '^  Marker 600$' "$work/report" || fail "many: $(cat "$work/report")"
  fi
done

# each call that says that the device is gone leaves the dump, and is named
told=0
for ((call = 0;; call++)); do
  EMU_DRIVER=legacy "$parts" lost $call >"$work/plain"
  [ $? = 3 ] && break
  rm -f "$work"/dump*
  under immediate "$work/dump.x" lost $call >"$work/layer" || fail "lost, $call: $(cat "$work/errors")"
  diff "$work/plain" "$work/layer" || fail "lost, $call: something else"
  if grep -qi ': 0x887A00\(0[567]\|20\)$' "$work/plain"; then
    name=$(sed -n '1s/:* 0x.*//; 1s/.*:://; 1p' "$work/plain")
    report "$work/dump.x" | grep -q "^  reason .*::$name[0-9]* returned DXGI_ERROR_" || fail "lost, $call: $name: $(report "$work/dump.x" | head -2)"
    told=$((told + 1))
  elif grep -q '^SetEventOnCompletion: ' "$work/plain"; then # it succeeds, since the fence has any value
    report "$work/dump.x" | grep -q '^  reason .*after ID3D12Fence::SetEventOnCompletion the device was removed with ' ||
      fail "lost, $call: a wait ends unnoticed: $(report "$work/dump.x" | head -2)"
  elif [ -e "$work/dump.x" ]; then
    fail "lost, $call: a dump, and nothing told the program: $(cat "$work/plain")"
  fi
done
[ "$told" -gt 3 ] || fail "only $told calls tell of a loss"

# killed at some moment, a program leaves a whole dump or none
for moment in 0.02 0.1 0.2 0.3 0.4 0.6; do
  rm -f "$work"/dump*
  ANNOT_D3D12_TIMEOUT=100 EMU_DRIVER=legacy "$annot" d3d12 -o "$work/dump.x" -- timeout -s KILL "$moment" "$parts" hung "$work/dump.x" >/dev/null 2>&1
  [ ! -e "$work/dump.x" ] || "$annot" show "$work/dump.x" >/dev/null || fail "killed after $moment s: a damaged dump"
done
echo "the same, with one dump for each device; $told calls tell of a loss"
