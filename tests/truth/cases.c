/* Programs that were told something false about, as test-truth prints them, each shrunk to what it
 * takes. */
#include "judge.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static void expect_truth(const char *why, const struct program *program)
{
    struct verdict verdict;
    setenv("EMU_WARP_LOG", "/dev/null", 1);
    judge_here(program, ".", NULL, &verdict);
    for (uint32_t i = 0; i < verdict.count && i < COMPLAINTS_MAX; i++)
        cr_expect_fail("%s: %s: %s", why, verdict.complaints[i].kind, verdict.complaints[i].text);
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
        expect_truth("without memory", &program);
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
        expect_truth(drivers[i], &program);
    }
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
        expect_truth("reorder", &program);
    }
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
        expect_truth("without memory", &program);
    }
}

Test(truth, is_told_where_something_false_was_said)
{
    static const struct {
        const char *why;
        struct program program;
    } cases[] = {
        /* Only markers leave breadcrumbs, and the hang is behind the last one. */
        {"a list that hangs behind its last marker is not finished",
         {.witnesses = {.driver = "legacy", .dred = DRED_MARKERS_ONLY},
          .count = 5,
          .ops = {{OP_WORK, 0, WORK_DISPATCH, 1},
                  {OP_WORK, 0, WORK_SPIN, 1},
                  {OP_EXECUTE, 1, 1, 0},
                  {OP_EXECUTE, 1, 1, 0},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        {"a scope that a later list has closed is not open",
         {.witnesses = {.driver = "reference",
                        .hang_place = EMU_HANG_AT_DISPATCH,
                        .hang_kind = EMU_HANG_FAULTS,
                        .hang_count = 3},
          .count = 6,
          .ops = {{OP_BEGIN, 0, 0, 0},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_END, 0, 0, 0},
                  {OP_WORK, 0, WORK_DISPATCH, 3},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        {"a bundle that hangs has started",
         {.witnesses = {.driver = "legacy",
                        .dred = DRED_FULL,
                        .hang_place = EMU_HANG_AT_DISPATCH,
                        .hang_count = 4},
          .count = 5,
          .ops = {{OP_BEGIN, 7, 0, 0},
                  {OP_WORK, 7, WORK_DISPATCH, 4},
                  {OP_CALL, 0, 1, 0},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        {"a list has the name that it had when it was submitted",
         {.witnesses = {.driver = "reference", .dred = DRED_FULL},
          .count = 8,
          .ops = {{OP_WORK, 0, WORK_DISPATCH, 1},
                  {OP_NAME, 0, 0, 1},
                  {OP_CLOSE, 0, 0, 0},
                  {OP_NAME, 0, 0, 2},
                  {OP_QUEUE_NAME, 0, 0, 3},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_NAME, 0, 0, 4},
                  {OP_QUEUE_NAME, 0, 0, 5}}}},
        {"what is not executed is not finished",
         {.witnesses = {.driver = LESS, .has_times = true},
          .count = 6,
          .ops = {{OP_BEGIN, 6, 0, 0},
                  {OP_CALL, 0, 0, 0},
                  {OP_SET, 0, 0, 0},
                  {OP_NULL_RENDERING, 0, 0, 0},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        {"what is not executed opens no scope",
         {.witnesses = {.driver = LESS, .has_times = true},
          .count = 6,
          .ops = {{OP_NULL_RENDERING, 0, 0, 0},
                  {OP_BEGIN, 4, 0, 0},
                  {OP_EXECUTE, 0, 1, 4},
                  {OP_END, 4, 0, 0},
                  {OP_EXECUTE, 0, 1, 4},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        /* The clear is no call, and so has no time. */
        {"a list that faults behind its last call is unfinished in the timeline",
         {.witnesses = {.driver = "reference", .has_times = true},
          .count = 4,
          .ops = {{OP_WORK, 0, WORK_LOST_PASS, 1},
                  {OP_WORK, 5, WORK_WRITE, 1},
                  {OP_EXECUTE, 0, 2, 0x50},
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        /* The Begin was not executed with the submission, its End was with the next one. */
        {"a queue with markers that were not executed contradicts nothing",
         {.seed = 2002601,
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
                  {OP_STEPS, 0, 0, UINT32_MAX}}}},
        /* The list of a submission that is lost keeps no markers, only its bundle does. */
        {"a submission of kept bundles is lost beyond the budget",
         {.seed = 5188669,
          .witnesses = {.driver = "reference", .budget = 4},
          .count = 8,
          .ops = {{OP_WORK, 6, WORK_WRITE, 1},
                  {OP_MODE, 0, 0, 0},
                  {OP_CALL, 0, 0, 0},
                  {OP_CALL, 1, 0, 0},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_CALL, 0, 0, 0},
                  {OP_EXECUTE, 0, 1, 0},
                  {OP_EXECUTE, 0, 2, 1}}}},
        /* The driver saw the BeginEvent start that breadcrumbs say is not done: of two suspects
         * without another scope the order must not hang on names, which a redacted copy changes. */
        /* clang-format off */
        {"a begin event that is not done is no scope around itself",
         {.seed = 1104758,
          .witnesses = {.driver = "reference", .dred = DRED_MARKERS_ONLY, .in_flight = 4,
           .hang_place = 3, .hang_kind = 2, .hang_count = 2},
          .count = 19,
          .ops = {{OP_WORK, 1, WORK_COPY, 1}, {OP_WORK, 1, WORK_DISPATCH, 1}, {OP_BEGIN, 1, 0, 0},
           {OP_WORK, 0, WORK_DISPATCH, 3}, {OP_WORK, 0, WORK_DISPATCH, 1}, {OP_BEGIN, 0, 0, 0},
           {OP_WORK, 0, WORK_DISPATCH, 2}, {OP_EXECUTE, 3, 1, 1}, {OP_QUEUE_END, 1, 0, 0},
           {OP_CALL, 1, 1, 0}, {OP_EXECUTE, 2, 1, 0}, {OP_SIGNAL, 1, 2, 3}, {OP_WAIT, 0, 2, 3},
           {OP_EXECUTE, 0, 1, 0}, {OP_BEGIN, 0, 0, 0}, {OP_WORK, 0, WORK_DRAW, 1},
           {OP_EXECUTE, 3, 1, 0}, {OP_EXECUTE, 1, 1, 0}, {OP_STEPS, 0, 0, UINT32_MAX}}}},
        /* clang-format on */
        /* A queue begins its submissions in order. If one has not started, a later one is no place,
         * even if the report does not mention the later one. */
        /* clang-format off */
        {"work behind a submission that has not started is no place",
         {.seed = 2043752,
          .witnesses = {.driver = "less", .hang_place = 4, .hang_kind = 2, .hang_count = 7},
          .count = 14,
          .ops = {{OP_WORK, 0, WORK_INDIRECT, 1}, {OP_EXECUTE, 0, 1, 0}, {OP_EXECUTE, 0, 1, 0},
           {OP_EXECUTE, 0, 1, 0}, {OP_EXECUTE, 0, 1, 0}, {OP_WORK, 3, WORK_DISPATCH, 1},
           {OP_EXECUTE, 0, 1, 3}, {OP_WORK, 2, WORK_DISPATCH, 1}, {OP_EXECUTE, 0, 1, 2},
           {OP_WORK, 4, WORK_DISPATCH, 1}, {OP_EXECUTE, 0, 1, 4}, {OP_QUEUE_BEGIN, 0, 0, 0},
           {OP_EXECUTE, 0, 1, 0}, {OP_STEPS, 0, 0, UINT32_MAX}}}},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_truth(cases[i].why, &cases[i].program);
}
