#!/bin/sh
# The tests that a change in layers/capture breaks, in seconds and the quickest first: for tests/mutants.
#   suite.sh BIN
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
quietly() {
  "$@" >/dev/null 2>&1 || exit 1
}
quietly "$bin/test-trace" --fail-fast -j1
quietly bash "$here/demo.sh" "$bin/annot"
quietly bash "$here/different.sh" "$bin/annot" "$bin/capture-edit" "$bin/capture-parts"
quietly bash "$here/turns.sh" "$bin/annot" "$bin/capture-turns"
quietly bash "$here/kinds.sh" "$bin/annot" "$bin/capture-kinds"
quietly bash "$here/stranger.sh" "$bin/annot" "$bin/capture-edit" "$bin/capture-parts" "$bin/../lib/capture-loaded.so"
quietly bash "$here/hostile.sh" "$bin/annot" "$bin/capture-edit" "$bin/capture-parts" "$bin/../lib/libd3d12.so" \
  "$bin/../lib/capture-behind.so" "$here/../fuzz/corpus/replay/copy_descriptors-ranges_of_different_lengths_line_up"
quietly bash "$here/limits.sh" "$bin/annot" "$bin/capture-edit" "$bin/capture-parts"
quietly bash "$here/memory.sh" "$bin/annot" "$bin/capture-memory"
quietly bash "$here/trim.sh" "$bin/annot" "$bin/wrong_draw" "$bin/capture-parts"
quietly bash "$here/wrong_draw.sh" "$bin/annot" "$bin/wrong_draw"
quietly bash "$here/elsewhere.sh" "$bin/annot" "$bin/../lib/libd3d12.so" "$here/../golden/traces"
quietly bash "$here/until.sh" "$bin/annot" "$bin/capture-parts" "$bin/dred"
quietly bash "$here/refused.sh" "$bin/annot" "$bin/test-d3d12"
# tests that between them make most kinds of calls
quietly bash "$here/replayed.sh" "$bin/annot" "$here/exempt.txt" "$bin/test-d3d12" \
  list_types/closed_ones_take_nothing \
  video_list/has_timestamps_and_predicates \
  device/makes_nothing_once_it_is_removed \
  video_device/objects_describe_themselves \
  configuration/a_device_tells_with_what_it_was_created \
  removal/every_call_answers_as_d3d12_does \
  debug_layer/can_be_switched_by_programs_that_do \
  info_queue/the_filter_on_top_of_the_stack_applies \
  copy_descriptors/ranges_of_different_lengths_line_up \
  debug_device/keeps_its_switches \
  private_data/interfaces_of_every_kind_are_counted \
  removal_lists/queues_take_nothing_more \
  resource_forms/are_asked_about_on_a_removed_device \
  additions/keep_what_was_there \
  associations/reach_the_exports_they_name \
  configuration/a_device_writes_and_reads_root_signatures \
  pipeline_library/loads_what_the_name_and_the_description_say \
  configuration/a_factory_refuses_what_it_is_not_for \
  dred_fault/a_freed_object_is_named \
  info_queue/a_filter_is_read_back \
  protected_session/is_valid_until_the_device_is_removed_and_its_fence_tells \
  resource/says_where_it_lies \
  resource/sizes_and_footprints_in_the_newer_form \
  shader_cache/can_be_disabled_and_cleared \
  subresource/boxes_of_a_volume_are_read_and_written_slice_by_slice \
  next_address/of_heaps_and_of_what_is_placed_in_them \
  existing_heap/lies_where_the_next_allocation_is_wanted \
  existing_heap/needs_memory_to_be_read_and_written \
  fences/an_event_waits_for_all_of_them \
  fences/without_event_block_until_a_thread_signals_one \
  shared_handle/names_lead_to_handles \
  shared_handle/leads_back_to_fences_heaps_and_committed_resources \
  dispatch_rays/can_hang \
  outside_driver/is_named_by_environment_or_configuration_and_loaded_once \
  singleton/the_environment_names_the_driver \
  adapter/somebody_elses_counts_by_its_luid \
  dxcore/the_adapter_is_one_object \
  environment/a_hang_at_a_marker_is_reported_in_its_scope \
  indirect/each_command_has_its_own_arguments \
  reserved/the_newer_forms_make_the_same \
  work/everything_may_be_released_while_the_gpu_uses_it
quietly bash "$here/killed.sh" "$bin/annot" 4
