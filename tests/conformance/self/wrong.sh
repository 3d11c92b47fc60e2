#!/usr/bin/env bash
# Without hooks, through D3D12 alone: each case passes with the emulator behind a runtime that adds nothing, and fails when one
# of the runtime's methods is wrong.
#   wrong.sh RUNTIME EMULATOR PROGRAM
set -u
runtime=$1 emulator=$2 program=$3
failed=0
fail() { echo "wrong.sh: $*"; failed=1; }
# EXIT_CODE CASE [VARIABLE]: the output is in $out
run() {
  out=$(env STAND_IN_REAL="$emulator" NO_COLOR=1 ${3+"$3"} timeout 100 "$program" --runtime "$runtime" --filter "$2" --timeout 20 2>/dev/null)
  local code=$?
  [ "$code" -eq "$1" ] || fail "${3-nothing wrong}: $2: exit code $code, not $1: $out"
}

count=0
while read -r wrong case; do
  run 0 "$case"
  grep -q "^ok [0-9]* - [^#]*\$" <<<"$out" || fail "$case is not run: $out"
  run 1 "$case" "WRONG_RUNTIME=$wrong"
  count=$((count + 1))
done <<'CASES'
skip-copy work/the_gpu_does_what_a_list_recorded[copy]
skip-clear work/the_gpu_does_what_a_list_recorded[clear]
skip-writes work/the_gpu_does_what_a_list_recorded[write-immediate]
lose-last work/lists_run_all_and_in_their_order
keep-recording work/a_recording_replaces_the_one_before
skip-predication work/a_predicate_skips_what_it_says[zero-equal]
skip-predication work/a_predicate_skips_what_it_says[one-not-equal]
skip-query work/time_stamps_are_the_times_of_their_places[direct]
begin-aligned plain/a_list_bears_markers_of_any_encoding[direct-pix2]
end-of-something plain/a_queue_bears_markers_of_any_encoding[direct-pix2]
begin-shallow plain/threads_may_mark_one_queue[direct]
never-clear plain/a_name_comes_back[fence]
name-first plain/a_name_comes_back[fence]
keep-no-name plain/a_devices_name_comes_back
never-reset plain/an_allocator_awaits_its_own_work_only[direct]
close-never-again plain/a_reset_list_is_as_new
signal-nothing plain/a_removed_device_takes_no_more
mend-name name/any_name_comes_back[lone-low-surrogate]
halve-data name/any_private_name_comes_back[bmp]
mend-name name/a_name_of_1_mib_comes_back[fence]
any-mode mode/any_other_value_is_not_got[published]
answer-nothing caps/the_answer_is_its_struct[published]
answer-nothing caps/wrong_sizes_write_nothing[published]
answer-nothing caps/null_data_is_refused[published]
answer-nothing caps/a_driver_with_the_feature_is_supported[published]
answer-wrongly spec/feature_check_succeeds[published]
answer-wrongly file/tier_matches_options
skip-copy plain/markers_change_no_result[direct-pix2]
list-end-of-something plain/surplus_ends_do_no_harm[direct]
list-begin-shallow plain/nesting_may_be_10000_deep[direct]
list-begin-shallow mark/deep_scopes_may_stay_open
close-balanced plain/scopes_may_stay_open[direct]
halve-data plain/private_data_is_a_name_that_comes_back[fence]
halve-data plain/other_private_data_comes_back[fence]
nameless plain/a_name_is_private_data
get-nothing mode/what_is_set_is_got[published]
get-nothing mode/every_face_sets_one_mode[published]
no-address mode/the_next_resource_gets_the_address[published]
no-address mode/the_next_heap_gets_the_address[published]
one-message plain/balanced_markers_say_nothing[direct]
one-message mark/balanced_scopes_say_nothing[direct]
one-message mode/valid_modes_say_nothing[published]
no-messages mark/a_surplus_end_is_told[direct]
no-messages mark/no_data_with_a_size_is_told[direct]
no-messages mark/markers_on_a_closed_list_are_told[direct]
no-messages mark/a_queue_tells_what_closes_nothing[direct]
no-messages mark/surplus_ends_of_queues_are_told[direct]
no-messages mode/any_other_value_is_told_once_per_call[published]
no-messages spec/an_invalid_mode_is_rejected_with_its_message[published]
no-crumbs plain/dred_tells_the_markers_of_a_list_that_waits[direct]
no-crumbs dred/finished_lists_have_none
no-crumbs dred/a_list_being_recorded_has_none
no-crumbs dred/names_a_and_w
no-crumbs dred/only_markers_count
no-crumbs dred/two_executions_have_two_nodes
no-crumbs dred/contexts_name_the_right_op[utf8]
no-crumbs dred/without_contexts_nodes_have_none
crumbs-of-nothing dred/off_by_default_when_removed
crumbs-of-nothing dred/before_removal
no-blob file/a_removed_devices_dump_has_what_was_added
no-blob file/outside_begin_fails
no-options file/configure_0xff_succeeds
other-callbacks file/a_removed_devices_dump_may_be_refused
other-callbacks file/a_removed_devices_callbacks_get_a_whole_file
skip-begin file/a_removed_devices_dump_has_its_markers
CASES
names=$(sed -n 's/^    M("\([a-z-]*\)",.*/\1/p' "$(dirname "$0")/wrong_runtime.c" | sort -u)
[ "$names" = "$(sed -n '/^done <<.CASES/,/^CASES$/s/^\([a-z-]*\) .*\/.*/\1/p' "$0" | sort -u)" ] || fail "the wrong methods are others than those of this list"
echo "$count of $count wrong methods"
exit "$failed"
