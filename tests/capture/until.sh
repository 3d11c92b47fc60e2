#!/usr/bin/env bash
# `annot replay --until` the call in which a program learns that its device is gone leaves the dump that the program left:
# the same tree, the same breadcrumbs, page fault and kernel driver's report [ANN-TRACE-05].
# And without timeouts a hang hangs: after as many steps of a clock that does not run by itself, no fence was reached.
#   until.sh ANNOT PARTS PROGRAM...
set -u
annot=$1 parts=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
report() { # what must be equal in two reports of one hang
  "$annot" show --output text --all "$1" | grep -v -e '^  time ' -e '^  application ' -e '^  process ' -e '^  trace ' -e '^  replayed by ' -e '^    recorded  *from call ' -e '^  These are calls of a replay'
}

"$annot" capture -o "$work/t" -- "$parts" --hang >"$work/out" 2>&1 || fail "without a timeout: $(cat "$work/out")"
"$annot" trace show --output text "$work/t" >"$work/show"
grep -q '= 32 *$' "$work/show" || fail "no 32 steps in the trace"
"$annot" replay --output json "$work/t" >"$work/out" 2>&1 && grep -q '"different":0,' "$work/out" || fail "no hang in replay: $(cat "$work/out")"
"$annot" capture -o "$work/again" -- "$annot" replay --output json "$work/t" >"$work/out" 2>&1
"$annot" trace show --output text "$work/again" | cut -d' ' -f2- >"$work/then"
cut -d' ' -f2- "$work/show" | diff - "$work/then" | grep -e emu_run_steps -e '= 32' -e GetCompletedValue && fail "other steps in replay"

for program in "$@"; do
  rm -f "$work"/*
  rm -f "$work/t"
  "$annot" capture -o "$work/t" -- "$program" --out "$work/then" >"$work/out" 2>&1 || fail "$program: $(cat "$work/out")"
  asked=$("$annot" trace show --output text "$work/t" | sed -n 's/^\([0-9]*\) t[0-9]* .*GetDeviceRemovedReason()$/\1/p' | tail -1)
  [ -n "$asked" ] || fail "$program does not ask why its device is gone"
  made=$("$annot" replay --output json "$work/t" --until "$asked" --dump "$work/here" 2>&1 | sed -n 's/.*"calls":\([0-9]*\).*/\1/p')
  [ "$made" = "$asked" ] || fail "$program: $made calls made, not $asked"
  report "$work/then" >"$work/expected"
  grep -q -e 'in progress' -e '\[>\]' "$work/expected" || fail "$program: the report says of nothing that it was in progress"
  report "$work/here" | diff "$work/expected" - || fail "$program: another report"
done

# a callback of the program's that was asked whether there shall be a dump says yes in replay
rm -f "$work"/*
rm -f "$work/t"
"$annot" capture -o "$work/t" -- "$(dirname "$annot")/dump_file" --out "$work/then" >"$work/out" 2>&1 || fail "dump_file: $(cat "$work/out")"
"$annot" replay --output json "$work/t" --dump "$work/here" >"$work/out" 2>&1 || fail "dump_file in replay: $(cat "$work/out")"
[ -s "$work/then" ] && [ -s "$work/here" ] || fail "no dump of a program that is asked for it"
echo "the same reports from $# programs"
