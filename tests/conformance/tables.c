#include "case.h"

extern const struct case_table spec_cases, mode_cases, mode_race_cases, mode_tools_cases,
    caps_cases, mark_cases, mark_scope_cases, mark_data_cases, mark_id_cases, mark_bundle_cases,
    queue_cases, life_cases, budget_cases, reference_cases, name_cases, conf_cases, ddi_cases,
    crash_cases, crash_state_cases, crash_report_cases, ddi_forged_cases;

const struct case_table *const case_tables[] = {
    &spec_cases,      &mode_cases,       &mode_race_cases, &mode_tools_cases,  &caps_cases,
    &mark_cases,      &mark_scope_cases, &mark_data_cases, &mark_id_cases,     &mark_bundle_cases,
    &queue_cases,     &life_cases,       &budget_cases,    &reference_cases,   &name_cases,
    &conf_cases,      &ddi_cases,        &crash_cases,     &crash_state_cases, &crash_report_cases,
    &ddi_forged_cases};
const size_t case_table_count = sizeof case_tables / sizeof case_tables[0];
