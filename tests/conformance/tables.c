/* All tables of cases, in the order in which they run. */
#include "case.h"

extern struct case_table work_cases, plain_cases, spec_cases, mode_cases, mode_race_cases,
    mode_object_cases, mode_tools_cases, caps_cases, mark_cases, mark_scope_cases, mark_data_cases,
    mark_id_cases, mark_bundle_cases, queue_cases, life_cases, budget_cases, reference_cases,
    name_cases, conf_cases, ddi_cases, ddi_forged_cases, infer_cases, ddi_driver_cases,
    ddi_hostile_cases, crash_cases, crash_state_cases, crash_report_cases, stop_cases, told_cases,
    dred_cases, dred_removed_cases, join_cases, file_cases, file_removed_cases, tdr_cases,
    hist_cases;

// Cases run and are told in this order. First what a driver's work does, because all else follows
// from it; an area's tables stand together.
struct case_table *const case_tables[] = {
    &work_cases,        &plain_cases,        &spec_cases,         &mode_cases,
    &mode_race_cases,   &mode_object_cases,  &mode_tools_cases,   &caps_cases,
    &mark_cases,        &mark_scope_cases,   &mark_data_cases,    &mark_id_cases,
    &mark_bundle_cases, &queue_cases,        &life_cases,         &budget_cases,
    &reference_cases,   &name_cases,         &conf_cases,         &ddi_cases,
    &ddi_forged_cases,  &infer_cases,        &ddi_driver_cases,   &ddi_hostile_cases,
    &crash_cases,       &crash_state_cases,  &crash_report_cases, &stop_cases,
    &told_cases,        &dred_cases,         &dred_removed_cases, &join_cases,
    &file_cases,        &file_removed_cases, &tdr_cases,          &hist_cases};
const size_t case_table_count = sizeof case_tables / sizeof case_tables[0];
