#!/bin/sh
# examples/runtime.c: the dump of a small runtime says what happened to it, whichever way it ended.
# usage: runtime.sh path/to/annot
set -u
annot=$1
runtime=$(dirname "$annot")/runtime
[ -x "$runtime" ] || { echo "runtime.sh: no $runtime: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# run HOW EXIT_CODE: its report in $work/HOW
run() {
    timeout 60 "$runtime" "$work/$1.annotdmp" "$1" >"$work/out" 2>"$work/err"
    code=$?
    [ "$code" -eq "$2" ] || { echo "$1: exit code $code in the place of $2"; cat "$work/err"; failed=1; }
    "$annot" show --output text "$(cat "$work/out")" >"$work/$1" || { echo "$1: not shown"; failed=1; }
}

# says FILE PATTERN: a whole line of the report
says() {
    grep -qxE -e "$2" "$work/$1" || { echo "$1: no line '$2' in:"; cat "$work/$1"; failed=1; }
}

run live 0
says live 'LIVE DEVICE: nothing is known to be in progress'
says live 'queue "early" \(direct\): idle, everything finished; submitted 80, completed 80'
says live 'queue "late" \(direct\): idle, everything finished; submitted 80, completed 80'

# The GPU: where it stopped, and what it is innocent of.
run hang 3
says hang 'GPU HANG in frame 20 / lighting.*'
says hang '  frame 20 / lighting'
says hang '    on queue "late", submission [0-9]+, list 1 of 1 "list C"'
says hang '    last started   lighting  \(EventID 0x[0-9a-f]+\)'
says hang '    last completed lights  \(EventID 0x[0-9a-f]+\)'
says hang '        \[X\] shadows  0x[0-9a-f]+'
says hang '        \[>\] lighting  0x[0-9a-f]+'
says hang 'queue "early" \(direct\): idle, everything finished; submitted 80, completed 80'

# The application: what its thread was recording comes first, whatever the GPU was doing.
for how in crash stall; do
    code=3 reason='no fence for a second'
    [ "$how" != crash ] || { code=139 reason=SIGSEGV; }
    run "$how" "$code"
    says "$how" 'APPLICATION CRASH while list "list C" was being recorded, in shadows'
    says "$how" "  reason       $reason"
    awk '/^WHAT/ && !/^WHAT TO DO/ { heads++ } heads == 1' "$work/$how" >"$work/$how.first"
    says "$how.first" 'WHAT WAS BEING RECORDED'
    says "$how.first" '  frame 20 / shadows'
    says "$how.first" '    on list "list C", begun by thread [0-9]+'
    says "$how.first" '    last recorded  shadows  \(EventID 0x[0-9a-f]+\)'
done
[ "$failed" -ne 0 ] || echo "the four ends of a runtime are in its dumps"
exit "$failed"
