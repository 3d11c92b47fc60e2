#!/usr/bin/env bash
# A trace takes no more time, memory or room than its reader allows: what its records are in all is told before any is
# read, a call that never returns ends the replay, and memory has an end; options raise each limit [ANN-HOST-01].
#   limits.sh ANNOT EDIT PROGRAM
set -u
annot=$1 edit=$2 program=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

"$annot" capture -o "$work/t" -- "$program" >"$work/out" 2>&1 || fail "under capture: $(cat "$work/out")"

# 400 MiB of zeros, which the file has as some tens of KB
"$edit" "$work/t" "$work/zeros" zeros $((400 << 20)) || fail "no zeros"
size=$(wc -c <"$work/zeros")
[ "$size" -lt 500000 ] || fail "zeros are $size bytes"
for command in "replay" "trace info" "trace show" "trace trim -o $work/trimmed" "trace diff $work/t"; do
  # shellcheck disable=SC2086 # words
  timeout 60 "$annot" $command "$work/zeros" >"$work/out" 2>&1
  [ $? = 2 ] && grep -q '0\.[0-9] MB has 4[0-9][0-9]\.[0-9] MB of records.*--max-expansion' "$work/out" || fail "$command: $(head -3 "$work/out")"
done
"$annot" replay --output json "$work/zeros" --max-expansion 0 >"$work/out" 2>&1 && ! grep -q damaged "$work/out" || fail "all the same: $(head -3 "$work/out")"

call() { # the first of a method
  sed -n "s/^\\([0-9]*\\) .*::$1(.*/\\1/p" "$work/show" | head -1
}
"$annot" trace show --output text "$work/t" >"$work/show"

# a wait for a value that no queue signals
waits=$(call SetEventOnCompletion)
"$edit" "$work/t" "$work/endless" word "$waits,1,999999" || fail "SetEventOnCompletion: not edited"
for limit in 1 10 100; do # on a busy machine a call before it may take a second
  "$annot" replay --output json "$work/endless" --call-limit $limit >"$work/out" 2>&1
  [ $? = 2 ] && grep -q "call [0-9]* takes longer than --call-limit" "$work/out" || fail "a wait without end: $(head -3 "$work/out")"
  ! grep -q "call $waits takes" "$work/out" || break
done
grep -q "call $waits takes" "$work/out" || fail "it is not the wait that takes longer: $(head -3 "$work/out")"
"$annot" replay --output json "$work/endless" --time-limit 1 >"$work/out" 2>&1
[ $? = 2 ] && grep -q "stopped at call [0-9]*: .*--time-limit" "$work/out" || fail "all of it without end: $(head -3 "$work/out")"

# memory: a call that wants more fails, as where there is none
creates=$(call CreateCommittedResource)
"$edit" "$work/t" "$work/large" word "$creates,15,$((2 << 30))" || fail "CreateCommittedResource: not edited"
"$annot" replay --output json "$work/large" --memory-limit 512 >"$work/out" 2>&1
[ $? = 1 ] && grep -q "^call $creates: .*returned 0x8007000e" "$work/out" || fail "2 GiB of 512 MiB: $(head -3 "$work/out")"
"$annot" replay --output json "$work/t" --memory-limit 0 --call-limit 0 --time-limit 0 >"$work/out" 2>&1 || fail "no limit: $(head -3 "$work/out")"
echo "limits hold"
