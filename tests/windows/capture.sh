#!/usr/bin/env bash
# Under Windows, or Wine: a program is recorded and its trace replays with equal read-backs; a hang's replay leaves its dump;
# traces that were taken on Linux replay here [ANN-TRACE-01, -02, -05, ANN-PORT-01].
#   capture.sh ANNOT BIN TRACES          BIN: the programs' folder; TRACES: of other systems
set -u
annot=$1 bin=$2 traces=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
drive=Z:
case $bin in [A-Za-z]:*) drive= ;; esac
fail() {
  echo "$*"
  exit 1
}
replayed() { # without a difference, and with so many read-backs
  "$annot" replay --output json "$drive$1" --runtime "$drive$bin/d3d12.dll" >"$work/out" 2>&1 || fail "$1: $(head -5 "$work/out")"
  reads=$(sed -n 's/.*"reads":\([0-9]*\).*/\1/p' "$work/out")
  [ "${reads:-0}" -ge "$2" ] || fail "$1: ${reads:-0} read-backs"
}
report() {
  "$annot" show --output text --all "$drive$1" | tr -d '\r' |
    grep -v -e '^  time ' -e '^  application ' -e '^  process ' -e '^  trace ' -e '^  replayed by ' -e '^    recorded  *from call ' -e '^  These are calls of a replay'
}

"$annot" capture -o "$drive$work/parts" -- "$drive$bin/capture-parts.exe" >"$work/out" 2>&1 || fail "capture: $(cat "$work/out")"
grep -q '6 parts, 0 wrong' "$work/out" || fail "the program says something else: $(cat "$work/out")"
"$annot" trace info --output text "$drive$work/parts" >"$work/info" || fail "info: $(cat "$work/info")"
grep -q 'finished   yes' "$work/info" && grep -q 'CopyBufferRegion' "$work/info" || fail "another trace: $(cat "$work/info")"
replayed "$work/parts" 6
"$annot" capture -o "$drive$work/again" -- "$drive$bin/capture-parts.exe" >"$work/out" 2>&1 || fail "capture again: $(cat "$work/out")"
"$annot" trace diff "$drive$work/parts" "$drive$work/again" >"$work/out" 2>&1 || fail "two runs differ: $(head -5 "$work/out")"

"$annot" capture -o "$drive$work/hang" -- "$drive$bin/hang.exe" --seed 7 --out "$drive$work/then" >"$work/out" 2>&1 ||
  fail "hang: $(cat "$work/out")"
"$annot" replay --output json "$drive$work/hang" --dump "$drive$work/here" >"$work/out" 2>&1 || fail "replay: $(head -5 "$work/out")"
"$annot" trace diff "$drive$work/parts" "$drive$work/hang" >"$work/out" 2>&1
[ $? = 1 ] && grep -q '^only in the ' "$work/out" || fail "two programs do not differ: $(head -5 "$work/out")"
report "$work/then" >"$work/expected"
grep -q '\[>\]' "$work/expected" || fail "the program left no dump of a hang"
report "$work/here" | diff "$work/expected" - || fail "another dump from replay"

for trace in "$traces"/*.annottrace; do
  replayed "$trace" 1
done
echo "recorded and replayed"
