#!/usr/bin/env bash
# What a report says first is the cause.
#   cause.sh FOLDER EMULATOR PROGRAM
set -u
folder=$(realpath "$1") emulator=$(realpath "$2") program=$(realpath "$3")
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

# An invalid mode that is taken: the method, and the mode.
WRONG_RUNTIME=any-mode run "$folder/runtime-wrong.so" --filter 'mode/any_other_value_is_not_got[published]'
grep -q '^#   cases_mode.c:[0-9]*: SetUserDefinedAnnotationMode(3) returned 0x00000000; a failure was expected$' <<<"$out" || fail "no mode is named: $out"

run "$folder/runtime-older.so" --filter 'mode/devices_have_their_tools'
says '#   the device has no ID3D12DeviceTools2'

run "$folder/runtime-older.so" --filter 'plain/balanced_markers_say_nothing[direct]'
grep -q '# SKIP needs messages: the runtime exports no D3D12GetDebugInterface' <<<"$out" || fail "no reason for missing messages: $out"
run "$folder/runtime-hooked.so" --filter '*[compute-pipeline]'
grep -q '# SKIP the suite has no shader for pipelines: the runtime exports no emu_kernel_bytecode$' <<<"$out" || fail "no reason for missing pipelines: $out"

run "$folder/runtime-fails.so"
says '# ID3D12DeviceTools2: not known: the runtime makes no device that can be tested'

# A waiver of no case is told in a run of all cases, and not in a run of some.
printf 'mode/no_such_case*  forgotten\nmode/*  known\n*queue*  known\n' >"$work/waivers"
run "$folder/runtime-older.so" --waivers "$work/waivers" --together 32 --jobs 2
says 'annot-conformance: no case matches waiver line 1'
[ "$(grep -c 'no case matches waiver' <<<"$out")" -eq 1 ] || fail "not one waiver is told: $out"
run "$folder/runtime-older.so" --waivers "$work/waivers" --filter 'mode/devices_have_their_tools'
! grep -q 'matches waiver' <<<"$out" || fail "a run of one case tells waivers: $out"

cd "$folder" && run runtime-hooked.so
grep -qF '(./FILE in the current folder)' <<<"$out" || fail "no hint for a file in the current folder: $out"
exit "$failed"
