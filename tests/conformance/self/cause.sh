#!/usr/bin/env bash
# What a report says first is the cause.
#   cause.sh FOLDER EMULATOR PROGRAM
set -u
folder=$1 emulator=$2 program=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "cause.sh: $*"; failed=1; }
# RUNTIME [arguments...]: both outputs are in $out
run() {
  local runtime=$1
  shift
  out=$(STAND_IN_REAL=$emulator HOOKED_DUMPS=$work NO_COLOR=1 timeout 300 "$program" --runtime "$runtime" --timeout 20 "$@" 2>&1)
}
# LINE: a whole line of the output
says() { grep -qxF -e "$1" <<<"$out" || fail "not said: $1: $out"; }

# A hook that refuses is the first that each case says, and one cause.
run "$folder/runtime-refusing.so" --filter 'm*/*[direct]' --report "$work/report"
refusal='#   annot_conformance_set_driver refused the suite'\''s driver: -1'
count=$(grep -c '^not ok' <<<"$out")
[ "$count" -gt 5 ] || fail "few cases need the hook: $out"
[ "$(grep -A1 '^not ok' <<<"$out" | grep -cxF -e "$refusal")" -eq "$count" ] || fail "not each of $count names the hook: $out"
grep -qxF -e "- $count runs fail here:" "$work/report" && ! grep -q '^### 2' "$work/report" || fail "not one cause: $(cat "$work/report")"
exit "$failed"
