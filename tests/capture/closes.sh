#!/usr/bin/env bash
# A program closes the recorder's descriptor and has a file of its own in its place: nothing is written into that. The trace
# goes on where it has its name still, and else ends with one line [ANN-LEAVE-05, ANN-HOST-02].
#   closes.sh ANNOT CLOSES
set -u
annot=$1 closes=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
ulimit -n 4096 2>/dev/null
cd "$work" || exit 2
"$closes" >out 2>&1 || fail "fails without the recorder: $(cat out)"
rm -f own*.bin
"$annot" capture -o "$work/trace" -- "$closes" >out 2>&1 || fail "fails under the recorder: $(cat out)"
"$annot" trace show "$work/trace" >calls 2>&1 || fail "no trace: $(head -3 calls)"
grep -q 'marker 299 of frame 59' calls || fail "the last calls are not in the trace: $(tail -3 calls)"
rm -f own*.bin
"$annot" capture -o "$work/gone" -- "$closes" unlink >out 2>&1; [ $? = 1 ] || fail "unlink: fails under the recorder: $(cat out)"
[ "$(grep -c 'recording has ended' out)" = 1 ] || fail "unlink: not one line: $(cat out)"
