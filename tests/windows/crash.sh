#!/usr/bin/env bash
# examples/crash_handler.c: a program that is killed by its own fault leaves a dump that says so, and what it was recording.
#   crash.sh ANNOT RUN... PROGRAM
set -u
annot=$1
shift
work=$(mktemp -d ./crash.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# check FAULT REASON EXIT_CODES
check() {
  "${@:4}" "$work/$1.annotdmp" "$1" >"$work/out" 2>&1
  local code=$?
  [[ " $3 " == *" $code "* ]] || { echo "$1: exit code $code, not of: $3"; head -20 "$work/out"; failed=1; }
  "$annot" show --output text "$work/$1.annotdmp" >"$work/$1" || { echo "$1: not shown"; failed=1; }
  local first
  first=$(awk '/^WHAT/ { heads++ } heads == 2' "$work/$1") # behind what to do next
  for line in 'WHAT WAS BEING RECORDED' '  frame / particles' '    on list "main list", begun by thread [0-9]+' \
    '    last recorded  sorted  \(EventID 0x[0-9a-f]+\)'; do
    grep -qxE -e "$line" <<<"$first" || { echo "$1: its first part does not say '$line':"; cat "$work/$1"; failed=1; }
  done
  for line in 'APPLICATION CRASH .*' "  reason       $2" '  scene        harbour' '  process      [0-9]+'; do
    grep -qxE -e "$line" "$work/$1" || { echo "$1: the report does not say '$line':"; cat "$work/$1"; failed=1; }
  done
  ls "$work"/*.part >/dev/null 2>&1 && { echo "$1: an unfinished file was left"; failed=1; }
}

check segv '(SIGSEGV|access violation)' '139 5 0' "$@" # Wine's debugger takes the exception's code away
check abort abort '134 3' "$@"
check still 'the main loop stands still' 3 "$@"
[ "$failed" -eq 0 ] && echo "three ends of a program are in its dumps"
exit "$failed"
