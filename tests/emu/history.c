/* SetMarker and history buffers [ANN-HIST-01 to -04; WDDM 1.3]: the reference user-mode driver
 * above the kernel, with kernel-mode drivers of the tests'. */
#include "kmd/types.h"
#include "history_stage.h"

/* ---- ANN-HIST: SetMarker and history buffers ---- */

Test(hist, a_call_without_work_adds_nothing_and_each_working_call_one)
{
    STAGE = open_stage();
    void *list = list_open(s, LIST);
    s->driver->cmd_set_marker(list); /* 1: nothing was recorded */
    copy(s, list);                   /* 2 */
    s->driver->annot.annotation->pfnCmdListBeginEvent((D3D12DDI_HCOMMANDLIST){list}, 0, "a", 2, 5);
    s->driver->cmd_set_marker(list); /* 3: a marker is no work */
    s->driver->cmd_copy(list, s->memory.address, s->memory.address + 4096, 256);
    copy(s, list); /* 4: one call, two packets */
    cr_assert(s->driver->list_close(list));
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.count, 2);
    cr_assert_eq(s->taken.numbers[0], (uint64_t)7 << 32 | 2);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 4);
    cr_assert(s->taken.begin < s->taken.stamps[0] && s->taken.stamps[0] < s->taken.stamps[1] &&
              s->taken.stamps[1] < s->taken.end);
}

Test(hist, an_operation_of_breadcrumbs_without_packets_is_no_work)
{
    STAGE = open_stage();
    void *list = list_open(s, LIST);
    for (int i = 0; i < 3; i++) { /* op_end adds a packet of its own */
        s->driver->cmd_set_marker(list);
        s->driver->op_end(list);
    }
    copy(s, list);
    s->driver->op_end(list);
    cr_assert(s->driver->list_close(list));
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.count, 1);
    cr_assert_eq(s->taken.numbers[0], (uint64_t)7 << 32 | 4);
}

Test(hist, layout_is_the_wdks)
{
    STAGE = open_stage();
    void *lists[] = {list_of(s, LIST, 1), list_of(s, OTHER_LIST, 2)};
    emu_command_buffer buffer = build(s, lists, 2);
    cr_assert_eq(buffer.submit->NumHistoryBuffers, 1);
    const uint32_t *words = emu_gpu_translate(
        s->gpu, EMU_HISTORY_ADDRESS(buffer.submit->HistoryBufferArray[0]), 16 + 16 + 5 * 8);
    cr_assert_not_null(words);
    cr_assert_eq(words[0], buffer.submit->RenderCBSequence);
    cr_assert_eq(words[0], 0x80000001u, "the first one of a free-threaded DDI");
    cr_assert_eq(words[1], 2 + 3, "begin, end and three calls");
    cr_assert_eq(words[2], 16, "12 bytes of private data, up to a multiple of 8");
    cr_assert_eq(words[3], 0);
    cr_assert(words[4] == 2 && words[5] == 2 && words[6] == 3 && words[7] == 0,
              "the lists, where the time stamps of each begin, and zeros");
    uint64_t stamps[5];
    emu_gpu_memory kept = allocate(s->gpu, 4096); /* the buffer is recycled once it is retired */
    (void)kept;
    struct emu_engine engine;
    emu_engine_init(&engine, s->gpu);
    engine.time = 77;
    emu_engine_start(&engine, buffer.address, buffer.size);
    cr_assert_eq(run(&engine), EMU_ENGINE_DONE);
    memcpy(stamps, (const char *)words + 16 + 16, sizeof stamps);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(stamps[i], 77, "time stamp %d lies 8 bytes behind the one before", i);
}

static void check_precision(uint32_t bits, enum emu_kmd_log_problem problem)
{
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = bits}, NULL,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem, "%u bits: %d", bits, (int)s->taken.problem);
    cr_assert_eq(s->taken.count, COPIES, "numbers are there all the same");
    for (uint32_t i = 0; i < COPIES;
         i++) /* a packet takes 1,000 ns, the first one is the list's begin */
        cr_assert_eq(s->taken.stamps[i], problem == EMU_KMD_LOG_FINE ? 4000u + i * 1000u : 0u,
                     "%u bits: %llu", bits, (unsigned long long)s->taken.stamps[i]);
}

Test(hist, precisions_give_the_same_times)
{
    const uint32_t bits[] = {0, 32, 33, 55, 63, 64};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        check_precision(bits[i], EMU_KMD_LOG_FINE);
}

Test(hist, precisions_that_are_none_are_refused)
{
    const uint32_t bits[] = {1, 31, 65};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        check_precision(bits[i], EMU_KMD_LOG_PRECISION);
}

/* ---- formatting, by drivers that do it their own way ---- */

static unsigned format_calls;
static enum manner { IN_PARTS, ONE_BY_ONE, ENDLESS, OVERRUNS, STOPS_EARLY, FAILS, SAYS } manner;
static struct {
    uint32_t bits, stamps;
} said;
static uint32_t buffer_size; /* as the driver was told */

static NTSTATUS format_history(void *context, DXGKARG_FORMATHISTORYBUFFER *argument)
{
    const uint32_t offset = argument->Offset;
    format_calls++;
    buffer_size = argument->HistoryBufferSize;
    for (uint32_t i = 0; i < argument->FormattedBufferSize; i++)
        cr_assert_eq(((const char *)argument->pFormattedBuffer)[i], 0, "zeroed: %u", i);
    if (manner == SAYS) {
        argument->NumTimestamps = said.stamps;
        argument->Precision.PrecisionBits = said.bits;
        return STATUS_SUCCESS;
    }
    argument->FormattedBufferSize = (manner == ONE_BY_ONE ? 1 : 2) * sizeof(uint64_t);
    NTSTATUS status = emu__kernel_driver.DxgkDdiFormatHistoryBuffer(context, argument);
    if (manner == ENDLESS)
        argument->Offset = offset + 1;
    if (manner == OVERRUNS)
        memset((char *)argument->pFormattedBuffer + 4096, 1, 8);
    if (manner == STOPS_EARLY)
        argument->Offset = 0;
    return manner == FAILS ? STATUS_UNSUCCESSFUL : status;
}

static void check_format(enum manner how, enum emu_kmd_log_problem problem, unsigned calls)
{
    emu_kernel_driver kernel = emu__kernel_driver;
    kernel.DxgkDdiFormatHistoryBuffer = format_history;
    manner = how;
    format_calls = 0;
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 0}, &kernel,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    cr_expect_eq(s->taken.problem, problem, "manner %d: %d", how, (int)s->taken.problem);
    cr_expect_eqs(format_calls, calls, buffer_size, 4096, "manner %d", how);
    for (uint32_t i = 0; i < COPIES; i++)
        cr_expect_eq(s->taken.stamps[i],
                     problem == EMU_KMD_LOG_FINE && how != SAYS ? 4000u + i * 1000u : 0);
}

Test(hist, format_resumes_at_offset)
{
    check_format(IN_PARTS, EMU_KMD_LOG_FINE, (COPIES + 2 + 1) / 2);
    check_format(ONE_BY_ONE, EMU_KMD_LOG_FINE, COPIES + 2);
}

/* A call for each time stamp and two more. */
Test(hist, an_endless_formatter_is_left)
{
    check_format(ENDLESS, EMU_KMD_LOG_FORMAT, COPIES + 2 + 2);
}

Test(hist, a_formatter_that_breaks_the_rules_gives_no_times)
{
    check_format(OVERRUNS, EMU_KMD_LOG_OVERRUN, 1);
    check_format(STOPS_EARLY, EMU_KMD_LOG_FORMAT, 1);
    check_format(FAILS, EMU_KMD_LOG_FORMAT, 1);
}

/* As many as are wanted, of a precision, and no more than its buffer holds. */
Test(hist, what_a_formatter_says_is_held_against_its_buffer)
{
    static const struct {
        uint32_t bits, stamps;
        enum emu_kmd_log_problem problem;
    } cases[] = {{64, COPIES + 2, EMU_KMD_LOG_FINE},
                 {64, COPIES + 1, EMU_KMD_LOG_FORMAT},
                 {64, 0, EMU_KMD_LOG_FORMAT},
                 {64, 512, EMU_KMD_LOG_FINE},
                 {64, 513, EMU_KMD_LOG_FORMAT},
                 {33, 512, EMU_KMD_LOG_FINE},
                 {33, 513, EMU_KMD_LOG_FORMAT},
                 {32, 1024, EMU_KMD_LOG_FINE},
                 {32, 1025, EMU_KMD_LOG_FORMAT},
                 {64, UINT32_MAX, EMU_KMD_LOG_FORMAT},
                 {0, COPIES + 2, EMU_KMD_LOG_PRECISION},
                 {31, COPIES + 2, EMU_KMD_LOG_PRECISION},
                 {65, COPIES + 2, EMU_KMD_LOG_PRECISION}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        said.bits = cases[i].bits;
        said.stamps = cases[i].stamps;
        check_format(SAYS, cases[i].problem, 1);
    }
}

/* ---- buffers written by hand ---- */

/* A submission of a list with two calls, whose log names another buffer: the four time stamps in
 * it are begin, end and the calls'. */
static enum emu_kmd_log_problem read_buffer(struct stage *s, emu_gpu_memory buffer)
{
    D3DKMT_HANDLE history = EMU_HISTORY_HANDLE(buffer.address);
    void *list = list_of(s, LIST, 2);
    emu_command_buffer made = build(s, &list, 1);
    D3DDDICB_SUBMITCOMMAND command = *made.submit;
    command.HistoryBufferArray = &history;
    run_command(s, made, &command, 1);
    cr_assert_eqs(s->taken.count, 2, s->taken.sequence, command.RenderCBSequence);
    for (struct emu_gpu_allocation *a = s->gpu->mapped; a; a = a->next)
        cr_assert_eq(a->references, 1);
    return s->taken.problem;
}

#define FIRST 0x80000001u /* RenderCbSequence of a stage's first submission */

Test(hist, a_buffer_has_the_size_and_the_header_that_it_says)
{
    static const struct {
        uint32_t bits;
        uint64_t size;
        DXGK_HISTORY_BUFFER_HEADER header;
        enum emu_kmd_log_problem problem;
    } cases[] = {
        {64, 48, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_FINE},
        {64, 47, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_BUFFER},
        {33, 48, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_FINE},
        {33, 47, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_BUFFER},
        {32, 32, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_FINE},
        {32, 31, {.RenderCbSequence = FIRST, .NumTimestamps = 4}, EMU_KMD_LOG_BUFFER},
        {64,
         56,
         {.RenderCbSequence = FIRST, .NumTimestamps = 4, .PrivateDataSize = 8},
         EMU_KMD_LOG_FINE},
        {64,
         55,
         {.RenderCbSequence = FIRST, .NumTimestamps = 4, .PrivateDataSize = 8},
         EMU_KMD_LOG_BUFFER},
        {64,
         64,
         {.RenderCbSequence = FIRST, .NumTimestamps = 4, .PrivateDataSize = 12},
         EMU_KMD_LOG_BUFFER},
        {64,
         64,
         {.RenderCbSequence = FIRST, .NumTimestamps = 4, .PrivateDataSize = UINT32_MAX - 7},
         EMU_KMD_LOG_BUFFER},
        {64,
         64,
         {.RenderCbSequence = FIRST, .NumTimestamps = 4, .Reserved = 1},
         EMU_KMD_LOG_BUFFER},
        {64, 64, {.RenderCbSequence = FIRST + 1, .NumTimestamps = 4}, EMU_KMD_LOG_BUFFER},
        {64, 64, {.RenderCbSequence = FIRST, .NumTimestamps = 3}, EMU_KMD_LOG_NUMBERS},
        {64, 64, {.RenderCbSequence = FIRST, .NumTimestamps = 5}, EMU_KMD_LOG_NUMBERS},
        {64, 48, {.RenderCbSequence = FIRST, .NumTimestamps = 5}, EMU_KMD_LOG_BUFFER},
        {64, 64, {.RenderCbSequence = FIRST, .NumTimestamps = UINT32_MAX}, EMU_KMD_LOG_BUFFER},
        {64, 16, {.RenderCbSequence = FIRST}, EMU_KMD_LOG_NUMBERS},
        {64, 15, {.RenderCbSequence = FIRST}, EMU_KMD_LOG_BUFFER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = cases[i].bits}, NULL,
                          D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
        const emu_gpu_memory buffer = allocate(s->gpu, cases[i].size);
        memcpy(buffer.cpu, &cases[i].header, cases[i].size < 16 ? cases[i].size : 16);
        const enum emu_kmd_log_problem problem = read_buffer(s, buffer);
        cr_expect_eq(problem, cases[i].problem, "%zu: %d", i, (int)problem);
    }
}

/* The engine writes them in the order begin, calls, end, none before the last pair of clocks and
 * none later than now; what it did not reach stays 0. */
Test(hist, time_stamps_are_in_the_order_in_which_the_engine_writes_them)
{
    enum { LATE = 1000000 };
    static const struct {
        uint64_t begin, end, calls[2];
        bool is_right;
    } cases[] = {{11, 14, {12, 13}, true},   {12, 12, {12, 12}, true},  {10, 10, {10, 10}, true},
                 {0, 0, {0, 0}, true},       {11, 0, {0, 0}, true},     {11, 0, {12, 0}, true},
                 {11, 0, {12, 13}, true},    {13, 14, {12, 13}, false}, {11, 14, {13, 12}, false},
                 {11, 12, {12, 13}, false},  {9, 14, {12, 13}, false},  {0, 14, {12, 13}, false},
                 {11, 14, {0, 13}, false},   {11, 14, {12, 0}, false},  {11, 0, {0, 13}, false},
                 {LATE, 0, {0, 0}, false},   {11, 0, {LATE, 0}, false}, {11, 0, {12, LATE}, false},
                 {11, LATE, {12, 13}, false}};
    static const uint32_t bits[] = {64, 63, 40, 33, 32};
    static const uint64_t offsets[] = {0, (uint64_t)5 << 40}; /* a multiple of what they can say */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 2 * sizeof bits / sizeof bits[0]; k++) {
            const uint64_t offset = offsets[k % 2];
            STAGE =
                open_with(&(struct emu_gpu_clock){.stamp_bits = bits[k / 2], .offset = offset + 10},
                          NULL, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
            const emu_gpu_memory buffer = allocate(s->gpu, 48);
            const DXGK_HISTORY_BUFFER_HEADER header = {.RenderCbSequence = FIRST,
                                                       .NumTimestamps = 4};
            uint64_t stamps[4] = {cases[i].begin, cases[i].end, cases[i].calls[0],
                                  cases[i].calls[1]};
            for (int n = 0; n < 4; n++)
                stamps[n] += stamps[n] != 0 ? offset : 0;
            memcpy(buffer.cpu, &header, sizeof header);
            for (size_t n = 0; n < 4; n++)
                memcpy((char *)buffer.cpu + sizeof header + n * (bits[k / 2] == 32 ? 4 : 8),
                       &stamps[n], bits[k / 2] == 32 ? 4 : 8);
            cr_expect_eq(read_buffer(s, buffer),
                         cases[i].is_right ? EMU_KMD_LOG_FINE : EMU_KMD_LOG_ORDER, "%zu, %u bits",
                         i, bits[k / 2]);
            const uint64_t read[4] = {s->taken.begin, s->taken.end, s->taken.stamps[0],
                                      s->taken.stamps[1]};
            for (int n = 0; n < 4; n++)
                cr_expect_eq(read[n], cases[i].is_right ? stamps[n] : 0, "%zu, %u bits: %d", i,
                             bits[k / 2], n);
        }
}

/* The times of a submission that waits for long do not go round: the pair of clocks that they go on
 * from is one of its beginning. */
Test(hist, a_submission_that_waits_for_long_has_the_right_times)
{
    const uint64_t long_time = 60000000000;
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 32, .offset = 3}, NULL,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(s->kmd, 0);
    void *list = list_of(s, LIST, 2);
    const emu_command_buffer buffer = build(s, &list, 1);
    cr_assert(emu_kmd_wait(s->kmd_queue, fence, 1));
    cr_assert(emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, buffer.submit,
                                     ids, 1));
    emu_kmd_run_until_idle(s->kmd);
    emu_kmd_advance(s->kmd, long_time);
    cr_assert(emu_kmd_fence_set(fence, 1));
    emu_kmd_run_until_idle(s->kmd);
    cr_assert_eqs(s->histories, 1, s->taken.problem, EMU_KMD_LOG_FINE);
    cr_expect(s->taken.begin > long_time && s->taken.begin < s->taken.stamps[0] &&
              s->taken.stamps[1] < s->taken.end && s->taken.end < long_time + 100000);
    emu_kmd_fence_destroy(fence);
}

/* When it comes and when it is done, but not more often than every 30 ms. */
Test(hist, the_clocks_are_read_at_both_ends_of_long_work)
{
    STAGE = open_stage();
    struct emu_kmd_clock_pair pairs[4];
    void *list = list_of(s, LIST, COPIES);
    for (size_t read = 1; read <= 3; read++) {
        const emu_command_buffer buffer = build(s, &list, 1);
        cr_assert(emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1,
                                         buffer.submit, ids, 1));
        cr_assert(emu_kmd_step(s->kmd));
        cr_expect_eq(emu_kmd_clock_pairs(s->kmd, pairs, 4), read);
        emu_kmd_advance(s->kmd, EMU_KMD_CALIBRATE_NS);
        emu_kmd_run_until_idle(s->kmd);
        cr_expect_eq(emu_kmd_clock_pairs(s->kmd, pairs, 4), read + 1);
        cr_expect_geq(pairs[read].cpu - pairs[read - 1].cpu, EMU_KMD_CALIBRATE_NS);
    }
}

static struct emu_kmd_clock_pair pairs_at_removal[3];
static size_t pair_count;

static void keep_pairs(void *user, const struct emu_kmd_removal *removal)
{
    (void)removal;
    pair_count = emu_kmd_clock_pairs(*(struct emu_kmd **)user, pairs_at_removal, 3);
}

/* One pair more, of the removal itself. */
Test(hist, the_clocks_are_read_once_more_at_a_removal)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct emu_kmd *kmd = NULL;
    kmd = KMD(gpu, &kmd, .seeded = true, .marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE,
              .removed = keep_pairs);
    emu__kmd_calibrate(kmd, false);
    emu_kmd_advance(kmd, 100);
    emu_kmd_remove(kmd, EMU_KMD_ASKED);
    cr_assert_eq(pair_count, 2);
    cr_expect_eqs(pairs_at_removal[0].cpu, 0, pairs_at_removal[1].cpu, 100);
    emu_kmd_destroy(kmd);
}

/* ---- drivers that leave something out ---- */

static NTSTATUS say_nothing(void *adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    (void)adapter, (void)query;
    return STATUS_SUCCESS;
}

static NTSTATUS refuse(void *adapter, const DXGKARG_QUERYADAPTERINFO *query)
{
    memset(query->pOutputData, 1, query->OutputDataSize);
    (void)adapter;
    return STATUS_UNSUCCESSFUL;
}

static NTSTATUS tell_no_time(void *adapter, uint32_t node, uint32_t engine,
                             DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    (void)adapter, (void)node, (void)engine, (void)clock;
    return STATUS_SUCCESS;
}

Test(hist, a_driver_without_a_function_has_64_bits_and_no_times_that_need_it)
{
    emu_kernel_driver drivers[6];
    static const enum emu_kmd_log_problem problems[6] = {EMU_KMD_LOG_FINE,  EMU_KMD_LOG_FINE,
                                                         EMU_KMD_LOG_FINE,  EMU_KMD_LOG_CLOCK,
                                                         EMU_KMD_LOG_CLOCK, EMU_KMD_LOG_PRECISION};
    for (int i = 0; i < 6; i++)
        drivers[i] = emu__kernel_driver;
    drivers[0].DxgkDdiQueryAdapterInfo = NULL;
    drivers[1].DxgkDdiQueryAdapterInfo = refuse;
    drivers[2].DxgkDdiQueryAdapterInfo = say_nothing;
    drivers[3].DxgkDdiCalibrateGpuClock = NULL;
    drivers[4].DxgkDdiCalibrateGpuClock = tell_no_time;
    drivers[5].DxgkDdiFormatHistoryBuffer = NULL;
    for (int i = 0; i < 6; i++) {
        STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = i == 5 ? 0 : 64}, &drivers[i],
                          D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
        void *list = list_of(s, LIST, COPIES);
        run_lists(s, &list, 1);
        cr_expect_eq(s->taken.problem, problems[i], "%d: %d", i, (int)s->taken.problem);
        for (uint32_t k = 0; k < COPIES; k++)
            cr_expect_eq(s->taken.stamps[k], problems[i] == EMU_KMD_LOG_FINE ? 4000 + k * 1000 : 0);
    }
}

Test(hist, more_stamps_than_a_part_holds)
{
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 0}, NULL,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, 2000);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    for (uint32_t i = 0; i < 2000; i++) {
        cr_assert_eq(s->taken.numbers[i], (uint64_t)7 << 32 | (i + 1));
        cr_assert_eq(s->taken.stamps[i], 4000u + i * 1000u);
    }
}

/* ---- the GPU's clock ---- */

/* gpu.h: ticks since the CPU's 0, as fast as the clock runs and not as it says it does. */
Test(gpu_clock, reads_its_own_frequency_its_error_and_its_offset)
{
    enum { MHZ = 1000000 };
    const uint64_t second = 1000000000;
    static const struct {
        struct emu_gpu_clock clock;
        uint64_t nanoseconds, ticks;
    } cases[] = {
        {{.hz = 0}, 1234567890123, 1234567890123},
        {{.hz = 10 * MHZ}, 1000000000, 10 * MHZ},
        {{.hz = 10 * MHZ}, 100, 1},
        {{.hz = 10 * MHZ, .ppm = 100}, 1000000000, 10001000},
        {{.hz = 10 * MHZ, .ppm = -100}, 1000000000, 9999000},
        {{.hz = 1500000, .ppm = 1000}, 1000000000, 1501500},
        {{.hz = 1999999, .ppm = 100000}, 1000000000, 2199998},
        {{.hz = 10 * MHZ, .offset = 77}, 0, 77},
        {{.hz = 10 * MHZ, .offset = 77}, 1500000000, 15 * MHZ + 77},
    };
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert(emu_gpu_set_clock(gpu, &cases[i].clock));
        cr_expect_eq(emu_gpu_counter(gpu, cases[i].nanoseconds), cases[i].ticks, "%zu: %llu", i,
                     (unsigned long long)emu_gpu_counter(gpu, cases[i].nanoseconds));
    }
    const struct emu_gpu_clock fastest = {.hz = EMU_GPU_CLOCK_LIMIT_HZ},
                               wrong[] = {{.hz = EMU_GPU_CLOCK_LIMIT_HZ + 1},
                                          {.ppm = 100001},
                                          {.ppm = -100001}};
    cr_assert(emu_gpu_set_clock(gpu, &fastest));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(emu_gpu_set_clock(gpu, &wrong[i]));
    cr_expect_eq(emu_gpu_get_clock(gpu)->hz, EMU_GPU_CLOCK_LIMIT_HZ, "nothing happens");
    cr_expect_eq(emu_gpu_counter(gpu, 86400 * second), 86400 * EMU_GPU_CLOCK_LIMIT_HZ);
}

/* ---- clocks that can't be compared ---- */

static unsigned calibrations;
static bool frequency_is_0, goes_back, cpu_goes_back;

static NTSTATUS calibrate(void *adapter, uint32_t node, uint32_t engine,
                          DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    NTSTATUS status = emu__kernel_driver.DxgkDdiCalibrateGpuClock(adapter, node, engine, clock);
    if (frequency_is_0)
        clock->GpuFrequency = 0;
    if (goes_back)
        clock->GpuClockCounter = 1000 - calibrations;
    if (cpu_goes_back)
        clock->CpuClockCounter = 1000 - calibrations;
    calibrations++;
    return status;
}

static void check_clock(enum emu_kmd_log_problem problem)
{
    emu_kernel_driver kernel = emu__kernel_driver;
    kernel.DxgkDdiCalibrateGpuClock = calibrate;
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, &kernel,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    emu_kmd_advance(s->kmd, EMU_KMD_CALIBRATE_NS);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem);
    calibrations += 100;
    emu_kmd_advance(s->kmd, EMU_KMD_CALIBRATE_NS);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem, "and nothing that is asked later helps");
}

static struct emu_kmd *watched;
static unsigned unlocked;

static NTSTATUS calibrate_watched(void *adapter, uint32_t node, uint32_t engine,
                                  DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    if (watched && pthread_mutex_trylock(&watched->lock) == 0) {
        pthread_mutex_unlock(&watched->lock);
        unlocked++;
    }
    return emu__kernel_driver.DxgkDdiCalibrateGpuClock(adapter, node, engine, clock);
}

/* The pairs that it adds to belong to the lock: another thread may submit and calibrate, too. */
Test(hist, clocks_are_calibrated_under_the_lock_also_at_a_removal)
{
    emu_kernel_driver kernel = emu__kernel_driver;
    kernel.DxgkDdiCalibrateGpuClock = calibrate_watched;
    STAGE = open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, &kernel,
                      D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    watched = s->kmd;
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    emu_kmd_remove(s->kmd, EMU_KMD_FORCED);
    cr_assert_eq(unlocked, 0);
    watched = NULL;
}

Test(hist, clocks_are_calibrated_every_30_ms_of_work)
{
    calibrations = 0;
    check_clock(EMU_KMD_LOG_FINE);
    cr_assert_eq(calibrations, 103);
}

Test(hist, a_clock_without_frequency_or_that_goes_back_gives_no_times)
{
    bool *const wrong[] = {&frequency_is_0, &goes_back, &cpu_goes_back};
    static const unsigned last[] = {101, 102, 102};
    for (int i = 0; i < 3; i++) {
        calibrations = 0;
        *wrong[i] = true;
        check_clock(EMU_KMD_LOG_CLOCK);
        *wrong[i] = false;
        cr_expect_eq(calibrations, last[i], "it is not asked again");
    }
}

Test(hist, stamps_that_lie_in_the_future_or_go_back_are_not_believed)
{
    for (int how = 0; how < 3; how++) {
        STAGE = open_stage();
        void *list = list_open(s, LIST);
        copy(s, list);
        copy(s, list);
        cr_assert(s->driver->list_close(list));
        emu_command_buffer buffer = build(s, &list, 1);
        char *stamps = (char *)emu_gpu_translate(
                           s->gpu, EMU_HISTORY_ADDRESS(buffer.submit->HistoryBufferArray[0]), 64) +
                       16 + 8;
        cr_assert(emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1,
                                         buffer.submit, ids, 1));
        while (s->histories == 0) { /* somebody writes over a time stamp as soon as it is there */
            uint64_t stamp;
            memcpy(&stamp, stamps + 16 + 8, sizeof stamp);
            const uint64_t wrong[] = {UINT64_MAX / 2, 1, 0};
            if (stamp != 0)
                memcpy(stamps + 16 + (how == 2 ? 0 : 8), &wrong[how], sizeof stamp);
            cr_assert(emu_kmd_step(s->kmd));
        }
        cr_assert_eq(s->taken.problem, EMU_KMD_LOG_ORDER, "%d: %d", how, (int)s->taken.problem);
        cr_assert_eq(s->taken.stamps[0], 0);
        emu_kmd_run_until_idle(s->kmd);
    }
}
