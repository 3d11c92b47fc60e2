/* Programs that were told something false about, as test-truth prints them, each shrunk to what it
 * takes. */
#include "judge.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static void expect_truth(const struct program *program)
{
    struct verdict verdict;
    setenv("EMU_WARP_LOG", "/dev/null", 1);
    judge_here(program, ".", NULL, &verdict);
    for (uint32_t i = 0; i < verdict.count && i < COMPLAINTS_MAX; i++)
        cr_expect_fail("%s: %s", verdict.complaints[i].kind, verdict.complaints[i].text);
}

/* There is no memory for the history of a submission that the driver has not executed. */
Test(truth, what_is_not_executed_is_not_finished_without_memory)
{
    struct program program = {
        .witnesses = {.driver = LESS, .has_times = true},
        .count = 5,
        .ops = {{OP_END, 0, 0, 0},
                {OP_NULL_RENDERING, 0, 0, 0},
                {OP_FAIL, 0, 0, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    for (uint32_t i = 1; i < 24; i++) {
        program.ops[2].value = i;
        expect_truth(&program);
    }
}

/* A page fault in the clear of a render pass, which no breadcrumb counts. */
Test(truth, a_list_that_faults_in_work_without_a_breadcrumb_is_not_finished)
{
    static const char *const drivers[] = {"reference", "legacy", "warp", "reorder"};
    for (unsigned i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        const struct program program = {
            .witnesses = {.driver = drivers[i], .dred = DRED_FULL},
            .count = 4,
            .ops = {{OP_BEGIN, 0, 0, 0},
                    {OP_WORK, 0, WORK_LOST_PASS, 1},
                    {OP_EXECUTE, 0, 1, 0},
                    {OP_STEPS, 0, 0, UINT32_MAX}},
        };
        expect_truth(&program);
    }
}

/* Only markers leave breadcrumbs, and the hang is behind the last one. */
Test(truth, a_list_that_hangs_behind_its_last_marker_is_not_finished)
{
    static const struct program program = {
        .witnesses = {.driver = "legacy", .dred = DRED_MARKERS_ONLY},
        .count = 5,
        .ops = {{OP_WORK, 0, WORK_DISPATCH, 1},
                {OP_WORK, 0, WORK_SPIN, 1},
                {OP_EXECUTE, 1, 1, 0},
                {OP_EXECUTE, 1, 1, 0},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

Test(truth, a_scope_that_a_later_list_has_closed_is_not_open)
{
    static const struct program program = {
        .witnesses = {.driver = "reference",
                      .hang_place = EMU_HANG_AT_DISPATCH,
                      .hang_kind = EMU_HANG_FAULTS,
                      .hang_count = 3},
        .count = 6,
        .ops = {{OP_BEGIN, 0, 0, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_END, 0, 0, 0},
                {OP_WORK, 0, WORK_DISPATCH, 3},
                {OP_EXECUTE, 0, 1, 0},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

Test(truth, a_bundle_that_hangs_has_started)
{
    static const struct program program = {
        .witnesses = {.driver = "legacy",
                      .dred = DRED_FULL,
                      .hang_place = EMU_HANG_AT_DISPATCH,
                      .hang_count = 4},
        .count = 5,
        .ops = {{OP_BEGIN, 7, 0, 0},
                {OP_WORK, 7, WORK_DISPATCH, 4},
                {OP_CALL, 0, 1, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

Test(truth, a_list_has_the_name_that_it_had_when_it_was_submitted)
{
    static const struct program program = {
        .witnesses = {.driver = "reference", .dred = DRED_FULL},
        .count = 8,
        .ops = {{OP_WORK, 0, WORK_DISPATCH, 1},
                {OP_NAME, 0, 0, 1},
                {OP_CLOSE, 0, 0, 0},
                {OP_NAME, 0, 0, 2},
                {OP_QUEUE_NAME, 0, 0, 3},
                {OP_EXECUTE, 0, 1, 0},
                {OP_NAME, 0, 0, 4},
                {OP_QUEUE_NAME, 0, 0, 5}},
    };
    expect_truth(&program);
}

Test(truth, a_driver_that_moves_markers_contradicts_nothing)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        const struct program program = {
            .seed = seed * 4 + 1,
            .witnesses = {.driver = "reorder",
                          .hang_place = EMU_HANG_AT_DISPATCH,
                          .hang_kind = EMU_HANG_FAULTS,
                          .hang_count = 1},
            .count = 5,
            .ops = {{OP_BEGIN, 1, 0, 0},
                    {OP_WORK, 1, WORK_DISPATCH, 1},
                    {OP_END, 1, 0, 0},
                    {OP_EXECUTE, 3, 1, 1},
                    {OP_STEPS, 0, 0, UINT32_MAX}},
        };
        expect_truth(&program);
    }
}

Test(truth, what_is_not_executed_is_not_finished)
{
    static const struct program program = {
        .witnesses = {.driver = LESS, .has_times = true},
        .count = 6,
        .ops = {{OP_BEGIN, 6, 0, 0},
                {OP_CALL, 0, 0, 0},
                {OP_SET, 0, 0, 0},
                {OP_NULL_RENDERING, 0, 0, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

Test(truth, what_is_not_executed_opens_no_scope)
{
    static const struct program program = {
        .witnesses = {.driver = LESS, .has_times = true},
        .count = 6,
        .ops = {{OP_NULL_RENDERING, 0, 0, 0},
                {OP_BEGIN, 4, 0, 0},
                {OP_EXECUTE, 0, 1, 4},
                {OP_END, 4, 0, 0},
                {OP_EXECUTE, 0, 1, 4},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

/* The clear is no call, and so has no time. */
Test(truth, a_list_that_faults_behind_its_last_call_is_unfinished_in_the_timeline)
{
    static const struct program program = {
        .witnesses = {.driver = "reference", .has_times = true},
        .count = 4,
        .ops = {{OP_WORK, 0, WORK_LOST_PASS, 1},
                {OP_WORK, 5, WORK_WRITE, 1},
                {OP_EXECUTE, 0, 2, 0x50},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

/* The Begin was not executed with the submission, its End was with the next one. */
Test(truth, a_queue_with_markers_that_were_not_executed_contradicts_nothing)
{
    static const struct program program = {
        .seed = 2002601,
        .witnesses = {.driver = LESS, .has_times = true},
        .queue_types = {3},
        .list_types = {0, 3},
        .count = 7,
        .ops = {{OP_QUEUE_BEGIN, 0, 0, 0},
                {OP_NULL_RENDERING, 0, 0, 0},
                {OP_WORK, 1, WORK_WRITE, 1},
                {OP_EXECUTE, 0, 1, 1},
                {OP_QUEUE_END, 0, 0, 0},
                {OP_EXECUTE, 0, 1, 1},
                {OP_STEPS, 0, 0, UINT32_MAX}},
    };
    expect_truth(&program);
}

/* The list keeps no markers, the bundle's surplus End does, and there is no memory for it. */
Test(truth, a_call_of_a_kept_bundle_without_memory_is_no_marker)
{
    struct program program = {
        .witnesses = {.driver = "reference"},
        .count = 7,
        .ops = {{OP_END, 8, 0, 0},
                {OP_MODE, 0, 0, 0},
                {OP_BEGIN, 0, 0, 0},
                {OP_FAIL, 0, 0, 0},
                {OP_WORK, 0, WORK_DRAW, 1},
                {OP_CALL, 0, 2, 0},
                {OP_EXECUTE, 0, 1, 0}},
    };
    for (uint32_t i = 1; i < 24; i++) {
        program.ops[3].value = i;
        expect_truth(&program);
    }
}

/* The list of a submission that is lost keeps no markers, only its bundle does. */
Test(truth, a_submission_of_kept_bundles_is_lost_beyond_the_budget)
{
    static const struct program program = {
        .seed = 5188669,
        .witnesses = {.driver = "reference", .budget = 4},
        .count = 8,
        .ops = {{OP_WORK, 6, WORK_WRITE, 1},
                {OP_MODE, 0, 0, 0},
                {OP_CALL, 0, 0, 0},
                {OP_CALL, 1, 0, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_CALL, 0, 0, 0},
                {OP_EXECUTE, 0, 1, 0},
                {OP_EXECUTE, 0, 2, 1}},
    };
    expect_truth(&program);
}

/* The driver saw the BeginEvent start that breadcrumbs say is not done: of two suspects without
 * another scope the order must not hang on names, which a redacted copy changes. */
Test(truth, a_begin_event_that_is_not_done_is_no_scope_around_itself)
{
    static const struct program program = {
        /* clang-format off */
        .seed = 1104758,
        .witnesses = {.driver = "reference", .dred = DRED_MARKERS_ONLY, .in_flight = 4,
         .hang_place = 3, .hang_kind = 2, .hang_count = 2},
        .count = 19,
        .ops = {{OP_WORK, 1, WORK_COPY, 1}, {OP_WORK, 1, WORK_DISPATCH, 1}, {OP_BEGIN, 1, 0, 0},
         {OP_WORK, 0, WORK_DISPATCH, 3}, {OP_WORK, 0, WORK_DISPATCH, 1}, {OP_BEGIN, 0, 0, 0},
         {OP_WORK, 0, WORK_DISPATCH, 2}, {OP_EXECUTE, 3, 1, 1}, {OP_QUEUE_END, 1, 0, 0},
         {OP_CALL, 1, 1, 0}, {OP_EXECUTE, 2, 1, 0}, {OP_SIGNAL, 1, 2, 3}, {OP_WAIT, 0, 2, 3},
         {OP_EXECUTE, 0, 1, 0}, {OP_BEGIN, 0, 0, 0}, {OP_WORK, 0, WORK_DRAW, 1},
         {OP_EXECUTE, 3, 1, 0}, {OP_EXECUTE, 1, 1, 0}, {OP_STEPS, 0, 0, UINT32_MAX}},
        /* clang-format on */
    };
    expect_truth(&program);
}

/* A queue begins its submissions in order. If one has not started, a later one is no place, even if
 * the report does not mention the later one. */
Test(truth, work_behind_a_submission_that_has_not_started_is_no_place)
{
    static const struct program program = {
        /* clang-format off */
        .seed = 2043752,
        .witnesses = {.driver = "less", .hang_place = 4, .hang_kind = 2, .hang_count = 7},
        .count = 14,
        .ops = {{OP_WORK, 0, WORK_INDIRECT, 1}, {OP_EXECUTE, 0, 1, 0}, {OP_EXECUTE, 0, 1, 0},
         {OP_EXECUTE, 0, 1, 0}, {OP_EXECUTE, 0, 1, 0}, {OP_WORK, 3, WORK_DISPATCH, 1},
         {OP_EXECUTE, 0, 1, 3}, {OP_WORK, 2, WORK_DISPATCH, 1}, {OP_EXECUTE, 0, 1, 2},
         {OP_WORK, 4, WORK_DISPATCH, 1}, {OP_EXECUTE, 0, 1, 4}, {OP_QUEUE_BEGIN, 0, 0, 0},
         {OP_EXECUTE, 0, 1, 0}, {OP_STEPS, 0, 0, UINT32_MAX}},
        /* clang-format on */
    };
    expect_truth(&program);
}
