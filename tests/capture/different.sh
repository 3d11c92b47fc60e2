#!/usr/bin/env bash
# A runtime that answers otherwise than the recorded one is told of, with the call, and so is memory that reads otherwise
# [ANN-TRACE-02]; `annot trace diff` names the same call [ANN-TRACE-06].
#   different.sh ANNOT EDIT PROGRAM
set -u
annot=$1 edit=$2 program=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

"$annot" capture -o "$work/t" -- "$program" >/dev/null || fail "under capture"
"$annot" trace show --output text "$work/t" >"$work/show"

differs() { # method, byte of the record of what it returned, what its place is
  local call
  call=$(sed -n "s/^\\([0-9]*\\) .*::$1(.*/\\1/p" "$work/show" | head -1)
  rm -f "$work/edited"
  "$edit" "$work/t" "$work/edited" "$call" "$2" || fail "$1 at $2: not edited"
  "$annot" replay "$work/edited" >"$work/out" 2>&1
  [ $? = 1 ] && grep -q "^call $call: .*::$1, returned 0x.* or wrote otherwise" "$work/out" ||
    fail "$1, $3: $(head -3 "$work/out")"
  grep -q '"different": 1,' "$work/out" || fail "$1, $3: more than one call: $(tail -1 "$work/out")"
  "$annot" trace diff --output text "$work/t" "$work/edited" >"$work/diff"
  [ $? = 1 ] && grep -q "differ at call $call:" "$work/diff" || fail "diff of $1, $3: $(cat "$work/diff")"
}

# behind the newest call and the result come the words of the parameters, then what each pointer leads to
differs GetNodeCount 8 'the result'
differs SetEventOnCompletion 8 'a failure'
differs CheckFeatureSupport $((16 + 3 * 8 + 8 + 4)) 'bytes written'
differs GetHeapProperties $((16 + 2 * 8 + 8 + 4)) 'a structure written'
differs GetDesc $((16 + 16)) 'a structure returned'

"$annot" replay "$work/t" >"$work/out" 2>&1 && grep -q '"different": 0,' "$work/out" || fail "unchanged: $(cat "$work/out")"
echo "answers of five kinds are told of"
