#!/usr/bin/env bash
# Whatever the records of a trace say, calls are made with objects, memory and counts that are there: an object's number is
# looked up with the interface that the call takes, and as long as it has references; what is wrong is refused by name and
# counted, and all other calls are made [ANN-HOST-01, ANN-TRACE-03].
#   hostile.sh ANNOT EDIT PROGRAM EMULATOR BEHIND TRACE    BEHIND: a library in front of the emulator; TRACE: with descriptors
set -u
annot=$1 edit=$2 program=$3 emulator=$4 behind=$5 descriptors=$6
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
call() { # the n-th of a method
  sed -n "s/^\\([0-9]*\\) .*::$1(.*/\\1/p" "$work/show" | sed -n "${2:-1}p"
}
number() { # what the first call of a method made
  sed -n "/::$1(/{n;s/.*=#\\([0-9]*\\).*/\\1/p}" "$work/show" | head -1
}
replay() {
  "$annot" replay --output json "$work/edited" >"$work/out" 2>&1
  status=$?
  [ "$status" -le 1 ] || fail "$1: exit $status, $(tail -3 "$work/out")"
}
wrong() { # method, word of its record, value, what is said, how often it is counted at least
  local at
  at=$(call "$1")
  rm -f "$work/edited"
  "$edit" "$work/t" "$work/edited" word "$at,$2,$3" || fail "$1: not edited"
  replay "$1 with $3"
  [ "$status" = 1 ] && grep -q "^call $at: .*::$1, $4" "$work/out" || fail "$1 with $3: exit $status, $(head -3 "$work/out")"
  [ "$(grep -c ', refused: ' "$work/out")" = "$(sed -n 's/.*"refused":\([0-9]*\).*/\1/p' "$work/out")" ] ||
    fail "$1 with $3: not all are counted: $(tail -1 "$work/out")"
}

"$annot" capture -o "$work/t" -- "$program" >"$work/out" 2>&1 || fail "under capture: $(cat "$work/out")"
"$annot" trace show --output text "$work/t" >"$work/show"
device=$(sed -n 's/.* ppDevice=#\([0-9]*\).*/\1/p' "$work/show" | head -1)
debug=$(sed -n 's/.* ppvDebug=#\([0-9]*\).*/\1/p' "$work/show" | head -1)
queue=$(number CreateCommandQueue)
list=$(number CreateCommandList)

# the object whose method is called: of another interface, gone, or none
wrong GetCompletedValue 0 "$device" "refused: object #$device is not of type ID3D12Fence"
wrong CheckFeatureSupport 0 "$list" "refused: object #$list is not of type ID3D12Device"
wrong CheckFeatureSupport 0 "$debug" "refused: object #$debug was released"
wrong CreateCommandList 0 "$queue" "refused: object #$queue was released"
wrong ExecuteCommandLists 0 99999 "call not made: one of the call's objects does not exist in the replay"
wrong GetCompletedValue 0 0 "call not made: one of the call's objects does not exist in the replay"
wrong GetCompletedValue 0 0x8000000000000001 "call not made: one of the call's objects does not exist in the replay"

# an object of the program's own, asked for no interface
at=$(sed -n 's/^\([0-9]*\) .*::QueryInterface(riid=NULL,.*/\1/p' "$work/show" | head -1)
rm -f "$work/edited"
"$edit" "$work/t" "$work/edited" word "$at,0,0x8000000000000001" || fail "QueryInterface: not edited"
replay "QueryInterface of the program's own object"
grep -q "^call $at: .*::QueryInterface, call not made: one of the call's objects does not exist in the replay" "$work/out" ||
  fail "QueryInterface of the program's own object: $(head -3 "$work/out")"

# objects among the arguments
wrong CreateCommandList 3 "$device" "refused: object #$device is not of type ID3D12CommandAllocator"
wrong CreateCommandList 3 "$debug" "refused: object #$debug was released"
wrong CopyBufferRegion 1 "$device" "refused: object #$device is not of type ID3D12Resource"

# counts: more than there is
wrong ExecuteCommandLists 1 1000 "call not made: the call's record is damaged"

# a reference that was given to another object: this one is gone early, and whatever is done with it is refused
at=$(call AddRef)
rm -f "$work/edited"
"$edit" "$work/t" "$work/edited" word "$at,0,$device" || fail "AddRef: not edited"
replay "a reference to another object"
grep -q 'refused: object #[0-9]* was released' "$work/out" || fail "nothing is said of the object that is gone: $(head -3 "$work/out")"

# what is left alone is as it was
"$annot" replay --output json "$work/t" >"$work/out" 2>&1 && grep -q '"refused":0,' "$work/out" || fail "unchanged: $(cat "$work/out")"
# a library without the emulator's functions, with the recorder in front of it, which has them all
export BEHIND=$emulator
"$annot" capture -o "$work/front" --runtime "$behind" -- "$annot" replay "$work/t" >"$work/out" 2>&1 ||
  fail "a recorded replay in front of another library: $(cat "$work/out")"
# a runtime that is not known to be the emulator: handles of descriptors are of heaps that are there, as far as they reach
rm -f "$work/t" "$work/edited"
cp "$descriptors" "$work/t"
"$annot" replay --output json "$work/t" --runtime "$behind" >"$work/out" 2>&1
grep -q '"reads":[1-9][0-9]*,"unequal":0,' "$work/out" && grep -q '"refused":1,' "$work/out" &&
  grep -q "CopyDescriptorsSimple, refused: the call's descriptors go beyond" "$work/out" || fail "of another runtime: $(head -5 "$work/out")"
"$annot" trace show --output text "$work/t" >"$work/show" 2>/dev/null
astray() { # method, word of its record, value, what is said
  local at
  at=$(call "$1")
  rm -f "$work/edited"
  "$edit" "$work/t" "$work/edited" word "$at,$2,$3" || fail "$1: not edited"
  "$annot" replay --output json "$work/edited" --runtime "$behind" >"$work/out" 2>&1
  grep -q "^call $at: .*::$1, refused: $4" "$work/out" || fail "$1 with $3: $(head -5 "$work/out")"
}
astray CopyDescriptors 9 0x1234567890 "a descriptor handle does not lie in a heap"
astray CopyDescriptors 12 0x3e800000001 "the call's descriptors go beyond the end of the heap"
astray CreateUnorderedAccessView 4 0x7fffffff00000000 "a descriptor handle does not lie in a heap"
echo "what is wrong is refused"
