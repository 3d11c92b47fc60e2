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

# CASE: passes with the reference driver, as the suite says, and fails with the wrong one; WRONG:TYPE is wrong on lists of a type
while read -r wrong case; do
  type=${wrong#"${wrong%%:*}"} type=${type#:}
  WRONG_DRIVER=${wrong%%:*} WRONG_TYPE=$type run 1 --driver "$modules/driver-wrong$suffix" --filter "$case"
  grep "^not ok" <<<"$out" | grep -qF -- "- ${case%%\**}" || fail "$wrong: not noticed by $case: $out"
done <<'CASES'
swaps crash/a_nested_scope_that_hangs_is_found
forgets crash/a_nested_scope_that_hangs_is_found
late stop/a_surplus_end_closes_the_innermost_open_scope*
copy-back work/the_gpu*[copy]
copy-half work/the_gpu*[copy]
copy-words work/the_gpu*[copy]
skip-copy work/the_gpu*[copy]
never-close work/the_gpu*[copy]
skip-copy:2 work/the_gpu*[copy-on-compute]
skip-copy:3 work/the_gpu*[copy-on-copy]
copy-64-kib work/the_gpu*[copies-large-and-many]
skip-dispatch work/the_gpu*[kernel-fill]
one-group work/the_gpu*[kernel-fill]
forget-constants work/the_gpu*[kernel-fill]
skip-dispatch:2 work/the_gpu*[kernel-on-compute]
fill-once work/the_gpu*[clear]
fill-once work/the_gpu*[clear-bytes]
fill-bytes work/the_gpu*[clear-pairs]
fill-words work/the_gpu*[clear-fours]
fill-cached work/the_gpu*[clear-fours]
swap-arguments work/the_gpu*[kernels]
skip-draw work/the_gpu*[kernel-draw]
one-instance work/the_gpu*[kernel-draw]
write-16-bits work/the_gpu*[write-immediate]
skip-write:3 work/the_gpu*[kernel-write-on-copy]
inherit-nothing work/the_gpu*[kernel-bundle]
draw-inherits-nothing work/the_gpu*[kernel-bundle]
skip-bindings work/the_gpu*[kernel-bundle]
bind-once work/the_gpu*[kernel-bundle]
swap-bindings work/the_gpu*[kernel-bundle]
few-bundles work/the_gpu*[kernel-bundle]
skip-bundle work/the_gpu*[kernel-bundle]
run-once work/the_gpu*[kernel-bundle]
run-twice work/the_gpu*[kernel-bundle]
skip-indirect work/the_gpu*[kernel-indirect]
ignore-arguments work/the_gpu*[kernel-indirect]
ignore-count work/the_gpu*[kernel-indirect]
ignore-groups work/the_gpu*[kernel-indirect]
count-now work/the_gpu*[kernel-indirect]
ignore-limit work/the_gpu*[kernel-indirect-limit]
ignore-arguments work/the_gpu*[kernel-indirect-all]
dispatch-draws work/the_gpu*[kernel-indirect-draw]
lose-last work/lists_run_all_and_in_their_order
swap-lists work/lists_run_all_and_in_their_order
keep-recording work/a_recording_replaces_the_one_before
reset-once work/a_recording_replaces_the_one_before
first-time work/a_recording_replaces_the_one_before
skip-barrier work/a_barrier_waits_for_what_is_in_flight[direct]
skip-barrier:2 work/a_barrier_waits_for_what_is_in_flight[compute]
skip-resolve work/a_predicate*[zero-equal]
resolve-as-copy work/a_predicate*[zero-equal]
skip-predicate work/a_predicate*[zero-equal]
invert-predicate work/a_predicate*[zero-equal]
never-end-predicate work/a_predicate*[zero-equal]
predicate-now work/a_predicate*[one-not-equal]
skip-timestamp work/time_stamps*[direct]
one-time work/time_stamps*[direct]
resolve-first work/time_stamps*[direct]
resolve-halves work/time_stamps*[direct]
skip-timestamp:2 work/time_stamps*[compute]
write-in-one-mode work/only_a_marker_that_goes_in_passes_a_hang
swap-modes work/only_a_marker_that_goes_in_passes_a_hang
lose-row work/the_crash_report_says_how_far_the_gpu_got
first-queue work/the_crash_report_says_how_far_the_gpu_got
finish-early work/the_crash_report_says_how_far_the_gpu_got
start-early work/the_crash_report_says_how_far_the_gpu_got
retire-next work/the_crash_report_says_how_far_the_gpu_got
skip-begin work/a_marker_has_the_state_of_its_place[list-begin]
begin-as-set work/a_marker_has_the_state_of_its_place[list-begin]
skip-end work/a_marker_has_the_state_of_its_place[list-end]
end-the-last work/a_marker_has_the_state_of_its_place[list-end]
skip-set work/a_marker_has_the_state_of_its_place[list-set]
set-as-begin work/a_marker_has_the_state_of_its_place[list-set]
skip-begin:1 work/a_marker_has_the_state_of_its_place[bundle-begin]
skip-end:1 work/a_marker_has_the_state_of_its_place[bundle-end]
never-completed work/a_marker_has_the_state_of_its_place[bundle-set]
skip-flush work/a_marker_has_the_state_of_its_place[queue-begin]
skip-flush work/a_marker_has_the_state_of_its_place[queue-end]
skip-flush work/a_marker_has_the_state_of_its_place[queue-set]
drop-name work/the_drivers_report_has_the_names[resource]
keep-name work/the_drivers_report_has_the_names[pipeline]
name-resources work/the_drivers_report_has_the_names[queue]
name-resources work/the_drivers_report_has_the_names[list]
ignore-withdrawn work/a_refused_submission_is_not_reported
retire-withdrawn work/a_refused_submission_is_not_reported
next-serial work/a_refused_submission_is_not_reported
skip-breadcrumbs dred/hang_at_op_n_counts_n*
CASES
WRONG_DRIVER=copy-words run 1 --driver "$modules/driver-wrong$suffix" --filter 'work/the_gpu*[copy]'
grep -q ' is 21 (0x15), not .* for i = 3$' <<<"$out" || fail "copy-words: no word's number: $out"
names=$(grep -o '\(is\|skips\)("[a-z0-9-]*"' "$(dirname "$0")/wrong_driver.c" | cut -d'"' -f2 | sort -u)
[ "$names" = "$(sed -n '/^done <<.CASES/,/^CASES$/s/^\([a-z0-9-]*\).* .*\/.*/\1/p' "$0" | sort -u)" ] || fail "the wrong drivers are others than those of this list"

run 2 --driver "$modules/there_is_none$suffix"
[ "$(wc -l <<<"$out")" -eq 1 ] && grep -q "there_is_none$suffix can't be used" <<<"$out" || fail "no such file: $out"
run 2 --driver "$other"
[ "$(wc -l <<<"$out")" -eq 1 ] || fail "no driver: $out"
run 2 --driver there_is_none
grep -q -- '--driver must be a file, or reference' <<<"$out" || fail "no such name: $out"
run 2 --runtime "$other" --driver "$example"
grep -q 'this runtime loads no drivers' <<<"$out" || fail "a runtime without drivers: $out"
exit "$failed"
