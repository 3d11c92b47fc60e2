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
  "$annot" replay --output json "$work/edited" >"$work/out" 2>&1
  [ $? = 1 ] && grep -q "^call $call: .*::$1, the call returned 0x.* (recorded: 0x.*), or wrote different values" "$work/out" ||
    fail "$1, $3: $(head -3 "$work/out")"
  grep -q '"different":1,' "$work/out" || fail "$1, $3: more than one call: $(tail -1 "$work/out")"
  "$annot" trace diff --output text "$work/t" "$work/edited" >"$work/diff"
  [ $? = 1 ] && grep -q "at call $call:" "$work/diff" || fail "diff of $1, $3: $(cat "$work/diff")"
}

# behind the newest call and the result come the words of the parameters, then what each pointer leads to
differs GetNodeCount 8 'the result'
differs SetEventOnCompletion 8 'a failure'
differs CheckFeatureSupport $((16 + 3 * 8 + 8 + 4)) 'bytes written'
differs GetHeapProperties $((16 + 2 * 8 + 8 + 4)) 'a structure written'
differs GetDesc $((16 + 16)) 'a structure returned'
differs AddRef 8 'a count, which one thread alone changes'

# of a trimmed trace what comes before the range is not compared, nor are counts and stored messages; the rest is
ranged() { # method, how often it is called before, byte of the record of what it returned, the status of its replay
  local call
  call=$(sed -n "s/^\\([0-9]*\\) .*::$1(.*/\\1/p" "$work/show" | sed -n "$(($2 + 1))p")
  rm -f "$work/trimmed" "$work/edited"
  "$annot" trace trim --output json "$work/t" -o "$work/trimmed" --from "$from" >"$work/out" || fail "trim: $(cat "$work/out")"
  "$edit" "$work/trimmed" "$work/edited" "$call" "$3" || fail "$1, trimmed: not edited"
  "$annot" replay --output json "$work/edited" >"$work/out" 2>&1
  [ $? = "$4" ] || fail "$1 in call $call, trimmed from $from: $(cat "$work/out")"
}
from=$(sed -n 's/^\([0-9]*\) .*::GetNodeCount(.*/\1/p' "$work/show" | sed -n 3p)
ranged GetNodeCount 2 8 1
ranged AddRef 2 8 0
ranged GetNumStoredMessages 2 8 0
ranged CreateCommandQueue 1 8 0

# the path of the settings is no difference, but where it is short it does not hide one
for n in 0 1; do
  ANNOT_CONFIG=$n "$annot" capture -o "$work/with$n" -- "$program" >/dev/null || fail "with settings"
done
call=$(sed -n "s/^\\([0-9]*\\) .*::GetNodeCount(.*/\\1/p" "$work/show" | head -1)
rm -f "$work/edited"
"$edit" "$work/with0" "$work/edited" "$call" 8 || fail "with settings: not edited"
"$annot" trace diff --output text "$work/with1" "$work/edited" >"$work/diff"
grep -q "at call $call:" "$work/diff" || fail "0 is taken for 1: $(cat "$work/diff")"

"$annot" replay --output json "$work/t" >"$work/out" 2>&1 && grep -q '"different":0,' "$work/out" || fail "unchanged: $(cat "$work/out")"
# of a trace that is cut, even beside itself, nobody knows whether the rest is the same
head -c $(($(wc -c <"$work/t") / 2)) "$work/t" >"$work/half"
"$annot" trace diff --output json "$work/half" "$work/half" >"$work/out" 2>/dev/null
[ $? = 1 ] && grep -q '"same":false' "$work/out" || fail "diff of a cut trace: $(cut -c1-200 "$work/out")"

echo "answers of six kinds are told of, and in trimmed traces those of the range"
