/* Marker logs [ANN-SUBM-01 to -05; WDDM 2.0]: what a user-mode driver passes to pfnSubmitCommandCb,
 * right and wrong. */
#include "kmd/types.h"
#include "umd/types.h"
#include "history_stage.h"

Test(subm, batched_names_each_list)
{
    STAGE = open_stage();
    void *lists[] = {list_of(s, LIST, 2), list_of(s, OTHER_LIST, 0), list_of(s, OTHER_LIST + 1, 3)};
    emu_command_buffer buffer = build(s, lists, 3);
    cr_assert_eq(buffer.submit->MarkerLogType, D3DDDIMLT_BATCHED);
    cr_assert_eq(buffer.submit->BatchedMarkerDataCount, 3);
    run_command(s, buffer, buffer.submit, 3);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    const struct emu_kmd_log_list expected[] = {{0, 2}, {2, 0}, {2, 3}};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(s->taken.lists[i].first, expected[i].first);
        cr_assert_eq(s->taken.lists[i].count, expected[i].count);
    }
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 2);
    cr_assert_eq(s->taken.numbers[4], (uint64_t)11 << 32 | 3);
}

/* `list` with that many copies, and its submission, which the test changes. */
#define ONE_LIST(copies)                                                                           \
    STAGE = open_stage();                                                                          \
    void *list = list_of(s, LIST, copies);                                                         \
    emu_command_buffer buffer = build(s, &list, 1);                                                \
    D3DDDICB_SUBMITCOMMAND command = *buffer.submit

/* Two lists' submission, in which a driver makes a mistake, after one without. */
static struct stage *stage;
static emu_command_buffer whole;
static D3DDDICB_SUBMITCOMMAND broken;
static D3DDDI_BATCHEDMARKERDATA batch[2];

static void begin_submission(void)
{
    stage = open_stage();
    void *lists[] = {list_of(stage, LIST, 2), list_of(stage, OTHER_LIST, 2)};
    run_lists(stage, lists, 2); /* the sequence has begun */
    whole = build(stage, lists, 2);
    broken = *whole.submit;
    memcpy(batch, broken.pBatchedMarkerData, sizeof batch);
    broken.pBatchedMarkerData = batch;
}

static void expect_problem(enum emu_kmd_log_problem problem, const char *mistake)
{
    run_command(stage, whole, &broken, 2);
    cr_assert_eq(stage->taken.problem, problem, "%s: %d", mistake, (int)stage->taken.problem);
    cr_assert_eq(stage->taken.stamps[0] != 0, problem == EMU_KMD_LOG_FINE, "%s", mistake);
    cr_assert_not(stage->taken.null_rendering, "the work is never lost for it");
    stage_ended(&stage);
}

#define PROBLEM(problem, ...)                                                                      \
    do {                                                                                           \
        begin_submission();                                                                        \
        __VA_ARGS__;                                                                               \
        expect_problem(EMU_KMD_LOG_##problem, #__VA_ARGS__);                                       \
    } while (0)

Test(subm, a_wrong_log_is_dropped_with_its_reason_and_the_work_is_done)
{
    static D3DKMT_HANDLE nowhere = 1;
    D3DDDICB_SUBMITCOMMAND *const command = &broken;
    void *const other = (void *)(uintptr_t)99;
    PROBLEM(FINE, (void)"no mistake");
    PROBLEM(COMMANDS, command->Commands += 8);
    PROBLEM(COMMANDS, command->CommandLength -= 8);
    PROBLEM(CONTEXTS, command->BroadcastContextCount = 2);
    PROBLEM(CONTEXTS, command->BroadcastContextCount = 0);
    PROBLEM(CONTEXTS, command->BroadcastContext[0] = command);
    PROBLEM(PRIMARIES, command->NumPrimaries = 17);
    PROBLEM(FINE, command->NumPrimaries = 16);
    PROBLEM(LISTS, batch[0].hRTCommandListHandle = other);
    PROBLEM(RESERVED, command->Flags.NullRendering = 1; command->Reserved = 1);
    PROBLEM(RESERVED, command->Flags.Reserved = 1);
    PROBLEM(RESERVED, command->Reserved = 1);
    PROBLEM(TYPE, command->MarkerLogType = D3DDDIMLT_NONE);
    PROBLEM(TYPE, command->MarkerLogType = D3DDDIMLT_PROFILE);
    PROBLEM(TYPE, command->MarkerLogType = D3DDDIMLT_FT_PROFILE); /* for two lists */
    PROBLEM(LISTS, batch[1].hRTCommandListHandle = other);
    PROBLEM(LISTS, const D3DDDI_BATCHEDMARKERDATA first = batch[0]; batch[0] = batch[1];
            batch[1] = first);
    PROBLEM(LISTS, command->BatchedMarkerDataCount = 1);
    PROBLEM(LISTS, command->pBatchedMarkerData = NULL);
    PROBLEM(SEQUENCE, command->RenderCBSequence++);
    PROBLEM(SEQUENCE, command->RenderCBSequence--);
    PROBLEM(SEQUENCE, command->RenderCBSequence = 0);
    PROBLEM(ARRAY, batch[0].pCompletedAPISequenceNumberLow = NULL);
    PROBLEM(TOO_LONG, batch[0].CompletedAPISequenceNumberLowSize = EMU_KMD_LOG_NUMBERS_MAX);
    PROBLEM(NUMBERS, batch[0].CompletedAPISequenceNumberLowSize--);
    PROBLEM(BUFFER, command->NumHistoryBuffers = 0);
    PROBLEM(BUFFER, command->NumHistoryBuffers = 2);
    PROBLEM(BUFFER, command->HistoryBufferArray = NULL);
    PROBLEM(BUFFER, command->HistoryBufferArray = &nowhere);
    PROBLEM(PRIVATE_DATA, command->pPrivateDriverData = &nowhere;
            command->PrivateDriverDataSize = sizeof nowhere);
    PROBLEM(PRIVATE_DATA, command->PrivateDriverDataSize = 0x7FFFFFFF);
}

/* A list and its submission on a stage without marker logs. */
#define LIST_WITHOUT_LOG(sequence)                                                                 \
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, NULL,                             \
                      D3DWDDM1_3DDI_MARKER_TYPE_NONE);                                             \
    void *list = list_of(s, LIST, 1);                                                              \
    emu_command_buffer buffer = build(s, &list, 1);                                                \
    D3DDDICB_SUBMITCOMMAND command = {.Commands = buffer.address,                                  \
                                      .CommandLength = (uint32_t)buffer.size,                      \
                                      .BroadcastContextCount = 1,                                  \
                                      .BroadcastContext = {s->queue},                              \
                                      .RenderCBSequence = sequence}

/* "Starts at a value of 1 for contexts associated with single-threaded user-mode DDIs and ranges to
 * a value of 0x80000001 for contexts associated with free-threaded user mode DDIs" [S3]. */
Test(subm, the_first_sequence_number_is_1_or_0x80000001)
{
    static const struct {
        uint32_t first;
        enum emu_kmd_log_problem problem;
    } firsts[] = {{1, EMU_KMD_LOG_FINE},     {0x80000001, EMU_KMD_LOG_FINE},
                  {2, EMU_KMD_LOG_SEQUENCE}, {0x80000000, EMU_KMD_LOG_SEQUENCE},
                  {0, EMU_KMD_LOG_SEQUENCE}, {UINT32_MAX, EMU_KMD_LOG_SEQUENCE}};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        LIST_WITHOUT_LOG(firsts[i].first);
        run_command(s, buffer, &command, 1);
        cr_assert_eq(s->taken.problem, firsts[i].problem, "0x%x: %d", firsts[i].first,
                     (int)s->taken.problem);
    }
}

/* The numbers of calls that began, of one list, which nothing else is done with. */
Test(subm, begun_numbers_that_are_missing_are_refused)
{
    for (int part = 0; part < 2; part++) {
        ONE_LIST(2);
        if (part == 0)
            command.BegunAPISequenceNumberLow0Size = 5;
        else
            command.BegunAPISequenceNumberLow1Size = 5;
        run_command(s, buffer, &command, 1);
        cr_assert_eq(s->taken.problem, EMU_KMD_LOG_ARRAY);
        static const uint32_t begun[5];
        buffer = build(s, &list, 1);
        command = *buffer.submit;
        command.BegunAPISequenceNumberLow0Size = command.BegunAPISequenceNumberLow1Size = 5;
        command.pBegunAPISequenceNumberLow0 = command.pBegunAPISequenceNumberLow1 = begun;
        run_command(s, buffer, &command, 1);
        cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE, "and these are there");
    }
}

Test(subm, a_log_in_the_mode_none_is_none)
{
    LIST_WITHOUT_LOG(1);
    cr_assert_eq(command.MarkerLogType, D3DDDIMLT_NONE);
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eqs(s->taken.count, 0, s->taken.list_count, 0);
    cr_assert_eq(s->histories, 1);
    command.RenderCBSequence = 2;
    command.MarkerLogType = D3DDDIMLT_FT_PROFILE;
    buffer = build(s, &list, 1);
    command.Commands = buffer.address;
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_TYPE);
}

/* With one list or none. */
Test(subm, a_log_of_one_list_has_its_type_and_one_of_none_nothing)
{
    static const uint32_t many[EMU_KMD_LOG_NUMBERS_MAX];
    static const struct {
        D3DDDI_MARKERLOGTYPE type;
        uint32_t lists, batched, numbers;
        bool has_batch;
        enum emu_kmd_log_problem problem;
    } cases[] = {
        {D3DDDIMLT_FT_PROFILE, 1, 0, 2, false, EMU_KMD_LOG_FINE},
        {D3DDDIMLT_PROFILE, 1, 0, 2, false, EMU_KMD_LOG_TYPE},
        {D3DDDIMLT_NONE, 1, 0, 2, false, EMU_KMD_LOG_TYPE},
        {D3DDDIMLT_FT_PROFILE, 0, 0, 0, false, EMU_KMD_LOG_FINE},
        {D3DDDIMLT_BATCHED, 1, 1, 2, true, EMU_KMD_LOG_FINE},
        {D3DDDIMLT_BATCHED, 1, 1, 2, false, EMU_KMD_LOG_LISTS},
        {D3DDDIMLT_BATCHED, 0, 0, 0, false, EMU_KMD_LOG_FINE},
        {D3DDDIMLT_BATCHED, 0, 1, 0, true, EMU_KMD_LOG_LISTS},
        {D3DDDIMLT_BATCHED, 1, 1, EMU_KMD_LOG_NUMBERS_MAX, true, EMU_KMD_LOG_NUMBERS},
        {D3DDDIMLT_BATCHED, 1, 1, EMU_KMD_LOG_NUMBERS_MAX + 1, true, EMU_KMD_LOG_TOO_LONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        STAGE = open_stage();
        void *list = list_of(s, LIST, cases[i].lists > 0 ? 2 : 0);
        emu_command_buffer buffer = {0};
        emu__reference_queue_mark(s->queue, EMU_MARKER_SET, 1);
        if (cases[i].lists > 0)
            buffer = build(s, &list, 1);
        else
            cr_assert(s->driver->queue_flush(s->queue, 1, &buffer));
        const D3DDDI_BATCHEDMARKERDATA data = {.hRTCommandListHandle = (void *)(uintptr_t)LIST,
                                               .FirstAPISequenceNumberHigh = 3,
                                               .CompletedAPISequenceNumberLowSize =
                                                   cases[i].numbers,
                                               .pCompletedAPISequenceNumberLow = many};
        D3DDDICB_SUBMITCOMMAND command = *buffer.submit;
        command.MarkerLogType = cases[i].type;
        if (cases[i].type == D3DDDIMLT_BATCHED) {
            command.BatchedMarkerDataCount = cases[i].batched;
            command.pBatchedMarkerData = cases[i].has_batch ? &data : NULL;
        }
        run_command(s, buffer, &command, cases[i].lists);
        cr_expect_eq(s->taken.problem, cases[i].problem, "%zu: %d", i, (int)s->taken.problem);
        if (cases[i].problem == EMU_KMD_LOG_FINE) {
            cr_expect_eqs(s->taken.list_count, cases[i].lists, s->taken.count, cases[i].numbers);
            cr_expect(s->taken.begin != 0 && s->taken.end != 0);
        }
    }
}

/* It goes up by one, and never to 0. */
Test(subm, a_sequence_number_is_the_next_one_until_there_is_none)
{
    static const struct {
        uint32_t last, next;
        bool is_right;
    } cases[] = {{1, 2, true},           {1, 1, false},
                 {1, 3, false},          {UINT32_MAX - 1, UINT32_MAX, true},
                 {UINT32_MAX, 0, false}, {UINT32_MAX, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ONE_LIST(1);
        s->kmd->last_sequence = cases[i].last;
        command.RenderCBSequence = cases[i].next;
        run_command(s, buffer, &command, 1);
        cr_expect_eq(s->taken.problem,
                     cases[i].is_right ? EMU_KMD_LOG_BUFFER : EMU_KMD_LOG_SEQUENCE, "%zu", i);
    }
}

/* Decisions: the second part continues the first, and High goes up by one where the low half goes
 * down. */
Test(subm, low_wrap_carries_into_high)
{
    ONE_LIST(4);
    static const uint32_t low0[] = {0xFFFFFFFE, 0xFFFFFFFF}, low1[] = {0, 1};
    command.CompletedAPISequenceNumberLow0Size = command.CompletedAPISequenceNumberLow1Size = 2;
    command.pCompletedAPISequenceNumberLow0 = low0;
    command.pCompletedAPISequenceNumberLow1 = low1;
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 0xFFFFFFFF);
    cr_assert_eq(s->taken.numbers[2], (uint64_t)8 << 32);
    cr_assert_eq(s->taken.numbers[3], ((uint64_t)8 << 32) + 1);
    static const uint32_t again[] = {0, 0}, higher[] = {5, 5};
    buffer = build(s, &list, 1);
    command = *buffer.submit;
    command.CompletedAPISequenceNumberLow0Size = command.CompletedAPISequenceNumberLow1Size = 2;
    command.pCompletedAPISequenceNumberLow0 = again;
    command.pCompletedAPISequenceNumberLow1 = higher;
    run_command(s, buffer, &command, 1);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(s->taken.numbers[i], (uint64_t)7 << 32 | (i < 2 ? 0u : 5u),
                     "no half goes down");
}

Test(subm, the_drivers_arrays_are_copied)
{
    ONE_LIST(2);
    uint32_t low[] = {1, 2};
    command.pCompletedAPISequenceNumberLow0 = low;
    cr_assert(
        emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, &command, ids, 1));
    memset(low, 0xEE, sizeof low);
    memset(&command, 0xEE, sizeof command);
    emu_kmd_run_until_idle(s->kmd);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 2);
}

Test(subm, null_rendering_claims_nothing)
{
    ONE_LIST(2);
    memset((char *)s->memory.cpu + 4096, 5, 16);
    command.Flags.NullRendering = 1;
    run_command(s, buffer, &command, 1);
    cr_assert(s->taken.null_rendering);
    cr_assert_eq(s->taken.begin, 0);
    cr_assert_eq(s->taken.stamps[0], 0);
    cr_assert_eq(*(const unsigned char *)s->memory.cpu, 0, "nothing was copied");
}

Test(subm, what_was_not_completed_is_told_at_the_removal)
{
    STAGE = open_stage();
    void *list = list_open(s, LIST);
    copy(s, list);
    s->driver->cmd_dispatch(list, &(emu_dispatch){.kernel = EMU_KERNEL_SPIN, .groups = {1, 1, 1}});
    s->driver->cmd_set_marker(list);
    copy(s, list);
    cr_assert(s->driver->list_close(list));
    emu_command_buffer buffer = build(s, &list, 1);
    cr_assert(emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, buffer.submit,
                                     ids, 1));
    emu_kmd_run_until_idle(s->kmd);
    cr_assert(emu_kmd_is_removed(s->kmd));
    cr_assert_eq(s->histories, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_neq(s->taken.stamps[0], 0);
    cr_assert_eq(s->taken.stamps[1], 0, "the dispatch spins");
    cr_assert_eq(s->taken.stamps[2], 0);
    cr_assert_eq(s->taken.end, 0);
}
