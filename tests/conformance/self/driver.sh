#!/usr/bin/env bash
# --driver with a file: the example passes all but what its waivers name, and as many cases as the page says; drivers that
# are wrong in one way each are noticed; what can't be tested is refused.
#   driver.sh EXAMPLE WAIVERS MODULES SUFFIX OTHER_RUNTIME DOC PROGRAM [arguments...]
# OTHER_RUNTIME: one that loads no drivers. DOC "-": only the cases of crash/.
set -u
example=$1 waivers=$2 modules=$3 suffix=$4 other=$5 doc=$6
shift 6
program=("$@")
failed=0
fail() { echo "driver.sh: $*"; failed=1; }
# EXIT_CODE ARGUMENTS...
run() {
  out=$(NO_COLOR=1 timeout 600 "${program[@]}" --jobs 2 --timeout 60 "${@:2}" 2>&1)
  local code=$?
  out=$(tr -d '\r' <<<"$out")
  [ "$code" -eq "$1" ] || fail "${*:2}: exit code $code, not $1: $(grep -A12 '^not ok' <<<"$out" | head -40) $(tail -n2 <<<"$out")"
}

only=()
[ "$doc" != - ] || only=(--filter 'crash/*' --together 32)
run 0 --driver "$example" --waivers "$waivers" ${only[@]+"${only[@]}"}
grep '^#   passes; its waiver can be removed' <<<"$out" && fail "a waiver of the example's is not needed"
counts=$(tail -n1 <<<"$out")
if [ "$doc" != - ]; then
  passed=${counts%% passed*}
  waived=$(grep -c '# SKIP waived: ' <<<"$out")
  grep -q "^    # $passed pass, $waived are waived\$" "$doc" || fail "$doc has another number than $passed, $waived"
  [ "$(grep -o '^# [0-9]* cases asked' <<<"$out")" = "# $passed cases asked" ] || fail "$(tail -n2 <<<"$out")"
fi
echo "$counts"

# CASE: passes with the reference driver, as the suite says, and fails with the wrong one
while read -r wrong case; do
  WRONG_DRIVER=$wrong run 1 --driver "$modules/driver-wrong$suffix" --filter "$case"
  grep "^not ok" <<<"$out" | grep -qF -- "- ${case%%\**}" || fail "$wrong: not noticed by $case: $out"
done <<'CASES'
swaps crash/a_nested_scope_that_hangs_is_found
forgets crash/a_nested_scope_that_hangs_is_found
late stop/a_surplus_end_closes_the_innermost_open_scope*
drop-name work/the_drivers_report_has_the_names
keep-recording work/a_recording_replaces_the_one_before
never-close work/the_gpu_does*copy*
skip-copy work/the_gpu_does*copy*
copy-back work/the_gpu_does*copy*
copy-half work/the_gpu_does*copy*
fill-once work/the_gpu_does*clear*
skip-resolve work/a_predicate*zero-equal*
resolve-as-copy work/a_predicate*zero-equal*
skip-predicate work/a_predicate*zero-equal*
invert-predicate work/a_predicate*zero-equal*
never-end-predicate work/a_predicate*zero-equal*
write-in-one-mode work/only_a_marker_that_goes_in_passes_a_hang
swap-modes work/only_a_marker_that_goes_in_passes_a_hang
skip-barrier work/a_barrier_waits_for_what_is_in_flight
skip-dispatch work/the_gpu_does*fill*
swap-arguments work/the_gpu_does*kernels*
forget-constants work/the_gpu_does*fill*
inherit-nothing work/the_gpu_does*bundle*
skip-draw work/the_gpu_does*draw*
skip-indirect work/the_gpu_does*indirect*
ignore-count work/the_gpu_does*indirect*
ignore-arguments work/the_gpu_does*indirect*
skip-timestamp work/time_stamps_are_the_times_of_their_places
one-time work/time_stamps_are_the_times_of_their_places
skip-bindings work/the_gpu_does*bundle*
swap-bindings work/the_gpu_does*bundle*
skip-bundle work/the_gpu_does*bundle*
run-twice work/the_gpu_does*bundle*
lose-last work/lists_run_all_and_in_their_order
ignore-withdrawn work/a_refused_submission_is_not_reported
retire-withdrawn work/a_refused_submission_is_not_reported
CASES
names=$(sed -n 's/^    M("\([a-z-]*\)",.*/\1/p' "$(dirname "$0")/wrong_driver.c" | sort)
[ "$names" = "$(sed -n '/^done <<.CASES/,/^CASES$/s/^\([a-z-]*\) .*\/.*/\1/p' "$0" | sort)" ] || fail "the wrong drivers are others than those of this list"

run 2 --driver "$modules/there_is_none$suffix"
[ "$(wc -l <<<"$out")" -eq 1 ] && grep -q "there_is_none$suffix can't be used" <<<"$out" || fail "no such file: $out"
run 2 --driver "$other"
[ "$(wc -l <<<"$out")" -eq 1 ] || fail "no driver: $out"
run 2 --driver there_is_none
grep -q -- '--driver must be a file, or reference' <<<"$out" || fail "no such name: $out"
run 2 --runtime "$other" --driver "$example"
grep -q 'this runtime loads no drivers' <<<"$out" || fail "a runtime without drivers: $out"
exit "$failed"
