/*
 * SetMarker, history buffers and marker logs [ANN-HIST-01 to -04, ANN-SUBM-01 to -04; WDDM 1.3
 * and 2.0]: the reference user-mode driver above the kernel, with kernel-mode drivers of the
 * tests'.
 */
#include "kmd/kmd.h"
#include "umd/driver.h"
#include "rig.h"

#include <stdlib.h>

enum { LIST = 12, OTHER_LIST = 13, COPIES = 5 };

struct taken {
    uint32_t count, list_count;
    enum emu_kmd_log_problem problem;
    bool null_rendering;
    uint32_t sequence;
    uint64_t begin, end;
    uint64_t numbers[8192], stamps[8192];
    struct emu_kmd_log_list lists[4];
};

struct stage {
    emu_gpu *gpu;
    struct emu_kmd *kmd;
    const emu_driver *driver;
    void *device, *queue;
    struct emu_kmd_queue *kmd_queue;
    emu_gpu_memory memory;
    struct taken taken; /* of the last submission */
    unsigned histories, completed;
};

static void on_history(void *user, void *queue, uint64_t tag, const struct emu_kmd_history *history)
{
    struct stage *s = user;
    (void)queue, (void)tag;
    s->histories++;
    s->taken = (struct taken){.count = history->count,
                              .list_count = history->list_count,
                              .problem = history->problem,
                              .null_rendering = history->null_rendering,
                              .sequence = history->sequence,
                              .begin = history->begin,
                              .end = history->end};
    for (uint32_t i = 0; i < history->count && i < 8192; i++) {
        s->taken.numbers[i] = history->numbers[i];
        s->taken.stamps[i] = history->stamps[i];
    }
    for (uint32_t i = 0; i < history->list_count && i < 4; i++)
        s->taken.lists[i] = history->lists[i];
}

static void on_completed(void *user, void *queue, uint64_t tag)
{
    struct stage *s = user;
    (void)queue;
    s->completed++;
    s->driver->submission_retired(s->queue, tag);
}

static void on_removed(void *user, const struct emu_kmd_removal *removal)
{
    (void)user, (void)removal;
}

static struct stage *open_with(const struct emu_gpu_clock *clock, const emu_kernel_driver *kernel,
                               uint32_t type)
{
    struct stage *s = calloc(1, sizeof *s);
    s->gpu = emu_gpu_create();
    cr_assert(emu_gpu_set_clock(s->gpu, clock));
    s->kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = s->gpu,
                                                   .seeded = true,
                                                   .removed = on_removed,
                                                   .completed = on_completed,
                                                   .history = on_history,
                                                   .driver = kernel,
                                                   .marker_type = type,
                                                   .user = s});
    cr_assert_not_null(s->kmd);
    s->driver = emu_driver_find("reference");
    s->device = s->driver->device_create(s->gpu, 0);
    if (type != D3DWDDM1_3DDI_MARKER_TYPE_NONE)
        s->driver->set_marker_mode(s->device, type, 0);
    s->queue = s->driver->queue_create(s->device, 0, 11);
    s->kmd_queue = emu_kmd_queue_create(s->kmd, NULL);
    cr_assert(emu_kmd_queue_identify(s->kmd_queue, 0, s->queue));
    s->memory = allocate(s->gpu, 65536);
    return s;
}

static struct stage *open_stage(void)
{
    return open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, NULL,
                     D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
}

static void close_stage(struct stage *s)
{
    emu_kmd_queue_destroy(s->kmd_queue);
    s->driver->queue_destroy(s->queue);
    s->driver->device_destroy(s->device);
    emu_kmd_destroy(s->kmd);
    emu_gpu_destroy(s->gpu);
    free(s);
}

static void copy(struct stage *s, void *list)
{
    s->driver->cmd_copy(list, s->memory.address, s->memory.address + 4096, 256);
    s->driver->cmd_set_marker(list);
}

static void *list_of(struct stage *s, uint64_t id, unsigned copies)
{
    void *list = s->driver->list_create(s->device, 0, id);
    for (unsigned i = 0; i < copies; i++)
        copy(s, list);
    cr_assert(s->driver->list_close(list));
    return list;
}

static const uint32_t highs[] = {7, 9, 11};
static const uint64_t ids[] = {LIST, OTHER_LIST, OTHER_LIST + 1};

static emu_command_buffer build(struct stage *s, void *const *lists, uint32_t count)
{
    emu_command_buffer buffer = {0};
    cr_assert(s->driver->queue_submit(
        s->queue,
        &(emu_submission){.lists = lists, .count = count, .serial = 1, .sequence_high = highs},
        &buffer));
    return buffer;
}

static void run_command(struct stage *s, emu_command_buffer buffer,
                        const D3DDDICB_SUBMITCOMMAND *command, uint32_t count)
{
    const unsigned before = s->completed;
    cr_assert(
        emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, command, ids, count));
    emu_kmd_run_until_idle(s->kmd);
    cr_assert_eq(s->completed, before + 1, "the work is done whatever its log is");
}

static void run_lists(struct stage *s, void *const *lists, uint32_t count)
{
    emu_command_buffer buffer = build(s, lists, count);
    run_command(s, buffer, buffer.submit, count);
}

static void destroy_lists(struct stage *s, void *const *lists, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        s->driver->list_destroy(lists[i]);
}

/* ---- ANN-HIST: SetMarker and history buffers ---- */

Test(hist, no_mode_no_stamps)
{
    struct stage *s =
        open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, NULL, D3DWDDM1_3DDI_MARKER_TYPE_NONE);
    void *list = s->driver->list_create(s->device, 0, LIST);
    s->driver->cmd_copy(list, s->memory.address, s->memory.address + 4096, 256);
    cr_assert(s->driver->list_close(list));
    emu_command_buffer buffer = build(s, &list, 1);
    cr_assert_null(buffer.submit);
    run_command(s, buffer, NULL, 1);
    cr_assert_eq(s->histories, 0);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(hist, a_call_without_work_adds_nothing_and_each_working_call_one)
{
    struct stage *s = open_stage();
    void *list = s->driver->list_create(s->device, 0, LIST);
    s->driver->cmd_set_marker(list); /* 1: nothing was recorded */
    copy(s, list);                   /* 2 */
    s->driver->annot.annotation->pfnCmdListBeginEvent((D3D12DDI_HCOMMANDLIST){list}, 0, "a", 2, 5);
    s->driver->cmd_set_marker(list); /* 3: a marker is no work */
    s->driver->cmd_copy(list, s->memory.address, s->memory.address + 4096, 256);
    copy(s, list); /* 4: one call, two packets */
    cr_assert(s->driver->list_close(list));
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE, "%d", (int)s->taken.problem);
    cr_assert_eq(s->taken.count, 2);
    cr_assert_eq(s->taken.numbers[0], (uint64_t)7 << 32 | 2);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 4);
    cr_assert(s->taken.begin < s->taken.stamps[0] && s->taken.stamps[0] < s->taken.stamps[1] &&
              s->taken.stamps[1] < s->taken.end);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(hist, an_operation_of_breadcrumbs_without_packets_is_no_work)
{
    struct stage *s = open_stage();
    void *list = s->driver->list_create(s->device, 0, LIST);
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
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(hist, layout_is_the_wdks)
{
    struct stage *s = open_stage();
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
    destroy_lists(s, lists, 2);
    close_stage(s);
}

static void check_precision(uint32_t bits, enum emu_kmd_log_problem problem)
{
    struct stage *s = open_with(&(struct emu_gpu_clock){.stamp_bits = bits}, NULL,
                                D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem, "%u bits: %d", bits, (int)s->taken.problem);
    cr_assert_eq(s->taken.count, COPIES, "numbers are there all the same");
    for (uint32_t i = 0; i < COPIES;
         i++) /* a packet takes 1,000 ns, the first one is the list's begin */
        cr_assert_eq(s->taken.stamps[i], problem == EMU_KMD_LOG_FINE ? 4000u + i * 1000u : 0u,
                     "%u bits: %llu", bits, (unsigned long long)s->taken.stamps[i]);
    destroy_lists(s, &list, 1);
    close_stage(s);
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

Test(hist, a_32_bit_wrap_is_one_timeline)
{
    struct stage *s =
        open_with(&(struct emu_gpu_clock){.offset = 0xFFFFFFFFu - 5500, .stamp_bits = 32}, NULL,
                  D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    for (uint32_t i = 1; i < COPIES; i++)
        cr_assert_eq(s->taken.stamps[i] - s->taken.stamps[i - 1], 1000);
    cr_assert(s->taken.stamps[0] < (uint64_t)1 << 32 && s->taken.stamps[COPIES - 1] > UINT32_MAX);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

/* ---- formatting, by drivers that do it their own way ---- */

static unsigned format_calls;
static enum manner { IN_PARTS, ENDLESS, OVERRUNS, BOASTS, STOPS_EARLY, FAILS, NO_PRECISION } manner;

static NTSTATUS format_history(void *context, DXGKARG_FORMATHISTORYBUFFER *argument)
{
    const uint32_t offset = argument->Offset;
    format_calls++;
    argument->FormattedBufferSize = 2 * sizeof(uint64_t); /* two at a time */
    NTSTATUS status = emu__kernel_driver.DxgkDdiFormatHistoryBuffer(context, argument);
    if (manner == ENDLESS)
        argument->Offset = offset + 1;
    if (manner == OVERRUNS)
        memset((char *)argument->pFormattedBuffer + 4096, 1, 8);
    if (manner == BOASTS)
        argument->NumTimestamps = 100000;
    if (manner == STOPS_EARLY)
        argument->Offset = 0;
    if (manner == NO_PRECISION)
        argument->Precision.PrecisionBits = 0;
    return manner == FAILS ? STATUS_UNSUCCESSFUL : status;
}

static void check_format(enum manner how, enum emu_kmd_log_problem problem)
{
    emu_kernel_driver kernel = emu__kernel_driver;
    kernel.DxgkDdiFormatHistoryBuffer = format_history;
    manner = how;
    format_calls = 0;
    struct stage *s = open_with(&(struct emu_gpu_clock){.stamp_bits = 0}, &kernel,
                                D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem, "manner %d: %d", how, (int)s->taken.problem);
    if (problem == EMU_KMD_LOG_FINE)
        for (uint32_t i = 0; i < COPIES; i++)
            cr_assert_eq(s->taken.stamps[i], 4000u + i * 1000u);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(hist, format_resumes_at_offset)
{
    check_format(IN_PARTS, EMU_KMD_LOG_FINE);
    cr_assert_eq(format_calls, 4, "seven time stamps, two at a time");
}

Test(hist, an_endless_formatter_is_left)
{
    check_format(ENDLESS, EMU_KMD_LOG_FORMAT);
    cr_assert_leq(format_calls, COPIES + 2 + 2);
}

Test(hist, a_formatter_that_breaks_the_rules_gives_no_times)
{
    check_format(OVERRUNS, EMU_KMD_LOG_OVERRUN);
    check_format(BOASTS, EMU_KMD_LOG_FORMAT);
    check_format(STOPS_EARLY, EMU_KMD_LOG_FORMAT);
    check_format(FAILS, EMU_KMD_LOG_FORMAT);
    check_format(NO_PRECISION, EMU_KMD_LOG_PRECISION);
}

Test(hist, more_stamps_than_a_part_holds)
{
    struct stage *s = open_with(&(struct emu_gpu_clock){.stamp_bits = 0}, NULL,
                                D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, 2000);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    for (uint32_t i = 0; i < 2000; i++) {
        cr_assert_eq(s->taken.numbers[i], (uint64_t)7 << 32 | (i + 1));
        cr_assert_eq(s->taken.stamps[i], 4000u + i * 1000u);
    }
    destroy_lists(s, &list, 1);
    close_stage(s);
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
        {{.hz = 10 * MHZ, .offset = 77}, 0, 77},
        {{.hz = 10 * MHZ, .offset = 77}, 1500000000, 15 * MHZ + 77},
    };
    emu_gpu *gpu = emu_gpu_create();
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
    emu_gpu_destroy(gpu);
}

/* ---- clocks that can't be compared ---- */

static unsigned calibrations;
static bool frequency_is_0, goes_back;

static NTSTATUS calibrate(void *adapter, uint32_t node, uint32_t engine,
                          DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    NTSTATUS status = emu__kernel_driver.DxgkDdiCalibrateGpuClock(adapter, node, engine, clock);
    if (frequency_is_0)
        clock->GpuFrequency = 0;
    if (goes_back)
        clock->GpuClockCounter = 1000 - calibrations;
    calibrations++;
    return status;
}

static void check_clock(enum emu_kmd_log_problem problem)
{
    emu_kernel_driver kernel = emu__kernel_driver;
    kernel.DxgkDdiCalibrateGpuClock = calibrate;
    struct stage *s = open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, &kernel,
                                D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    void *list = list_of(s, LIST, COPIES);
    run_lists(s, &list, 1);
    emu_kmd_advance(s->kmd, EMU_KMD_CALIBRATE_NS);
    run_lists(s, &list, 1);
    cr_assert_eq(s->taken.problem, problem, "%d", (int)s->taken.problem);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(hist, clocks_are_calibrated_every_30_ms_of_work)
{
    calibrations = 0;
    check_clock(EMU_KMD_LOG_FINE);
    cr_assert_eq(calibrations, 2);
}

Test(hist, a_clock_without_frequency_or_that_goes_back_gives_no_times)
{
    frequency_is_0 = true;
    check_clock(EMU_KMD_LOG_CLOCK);
    frequency_is_0 = false;
    goes_back = true;
    check_clock(EMU_KMD_LOG_CLOCK);
}

Test(hist, stamps_that_lie_in_the_future_or_go_back_are_not_believed)
{
    for (int how = 0; how < 3; how++) {
        struct stage *s = open_stage();
        void *list = s->driver->list_create(s->device, 0, LIST);
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
        destroy_lists(s, &list, 1);
        close_stage(s);
    }
}

/* ---- ANN-SUBM: what pfnSubmitCommandCb is given ---- */

Test(subm, batched_names_each_list)
{
    struct stage *s = open_stage();
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
    destroy_lists(s, lists, 3);
    close_stage(s);
}

/* What a driver does wrong to its structure. */
enum wrong {
    RIGHT,
    OTHER_COMMANDS,
    OTHER_LENGTH,
    TWO_CONTEXTS,
    NO_CONTEXT,
    OTHER_CONTEXT,
    MANY_PRIMARIES,
    RESERVED_FLAG,
    RESERVED_WORD,
    TYPE_NONE,
    TYPE_PROFILE,
    TYPE_SINGLE_FOR_TWO,
    OTHER_LIST_NAMED,
    LISTS_SWAPPED,
    ONE_LIST_LESS,
    NO_BATCH,
    SEQUENCE_GAP,
    SEQUENCE_AGAIN,
    SEQUENCE_0,
    NULL_NUMBERS,
    TOO_MANY_NUMBERS,
    ONE_NUMBER_LESS,
    NO_HISTORY,
    TWO_HISTORIES,
    NULL_HISTORIES,
    UNMAPPED_HISTORY,
    WRONG_COUNT
};

static D3DDDI_BATCHEDMARKERDATA batch[2];
static D3DKMT_HANDLE nowhere = 1;

static void break_it(D3DDDICB_SUBMITCOMMAND *command, enum wrong wrong)
{
    memcpy(batch, command->pBatchedMarkerData, sizeof batch);
    command->pBatchedMarkerData = batch;
    D3DDDI_BATCHEDMARKERDATA first = batch[0];
    switch (wrong) {
    case OTHER_COMMANDS:
        command->Commands += 8;
        break;
    case OTHER_LENGTH:
        command->CommandLength -= 8;
        break;
    case TWO_CONTEXTS:
        command->BroadcastContextCount = 2;
        break;
    case NO_CONTEXT:
        command->BroadcastContextCount = 0;
        break;
    case OTHER_CONTEXT:
        command->BroadcastContext[0] = command;
        break;
    case MANY_PRIMARIES:
        command->NumPrimaries = 17;
        break;
    case RESERVED_FLAG:
        command->Flags.Reserved = 1;
        break;
    case RESERVED_WORD:
        command->Reserved = 1;
        break;
    case TYPE_NONE:
        command->MarkerLogType = D3DDDIMLT_NONE;
        break;
    case TYPE_PROFILE:
        command->MarkerLogType = D3DDDIMLT_PROFILE;
        break;
    case TYPE_SINGLE_FOR_TWO:
        command->MarkerLogType = D3DDDIMLT_FT_PROFILE;
        break;
    case OTHER_LIST_NAMED:
        batch[1].hRTCommandListHandle = (void *)(uintptr_t)99;
        break;
    case LISTS_SWAPPED:
        batch[0] = batch[1];
        batch[1] = first;
        break;
    case ONE_LIST_LESS:
        command->BatchedMarkerDataCount = 1;
        break;
    case NO_BATCH:
        command->pBatchedMarkerData = NULL;
        break;
    case SEQUENCE_GAP:
        command->RenderCBSequence++;
        break;
    case SEQUENCE_AGAIN:
        command->RenderCBSequence--;
        break;
    case SEQUENCE_0:
        command->RenderCBSequence = 0;
        break;
    case NULL_NUMBERS:
        batch[0].pCompletedAPISequenceNumberLow = NULL;
        break;
    case TOO_MANY_NUMBERS:
        batch[0].CompletedAPISequenceNumberLowSize = EMU_KMD_LOG_NUMBERS_MAX;
        break;
    case ONE_NUMBER_LESS:
        batch[0].CompletedAPISequenceNumberLowSize--;
        break;
    case NO_HISTORY:
        command->NumHistoryBuffers = 0;
        break;
    case TWO_HISTORIES:
        command->NumHistoryBuffers = 2;
        break;
    case NULL_HISTORIES:
        command->HistoryBufferArray = NULL;
        break;
    case UNMAPPED_HISTORY:
        command->HistoryBufferArray = &nowhere;
        break;
    case RIGHT:
    case WRONG_COUNT:
        break;
    }
}

Test(subm, a_wrong_log_is_dropped_with_its_reason_and_the_work_is_done)
{
    static const enum emu_kmd_log_problem expected[WRONG_COUNT] = {
        [RIGHT] = EMU_KMD_LOG_FINE,
        [OTHER_COMMANDS] = EMU_KMD_LOG_COMMANDS,
        [OTHER_LENGTH] = EMU_KMD_LOG_COMMANDS,
        [TWO_CONTEXTS] = EMU_KMD_LOG_CONTEXTS,
        [NO_CONTEXT] = EMU_KMD_LOG_CONTEXTS,
        [OTHER_CONTEXT] = EMU_KMD_LOG_CONTEXTS,
        [MANY_PRIMARIES] = EMU_KMD_LOG_PRIMARIES,
        [RESERVED_FLAG] = EMU_KMD_LOG_RESERVED,
        [RESERVED_WORD] = EMU_KMD_LOG_RESERVED,
        [TYPE_NONE] = EMU_KMD_LOG_TYPE,
        [TYPE_PROFILE] = EMU_KMD_LOG_TYPE,
        [TYPE_SINGLE_FOR_TWO] = EMU_KMD_LOG_TYPE,
        [OTHER_LIST_NAMED] = EMU_KMD_LOG_LISTS,
        [LISTS_SWAPPED] = EMU_KMD_LOG_LISTS,
        [ONE_LIST_LESS] = EMU_KMD_LOG_LISTS,
        [NO_BATCH] = EMU_KMD_LOG_LISTS,
        [SEQUENCE_GAP] = EMU_KMD_LOG_SEQUENCE,
        [SEQUENCE_AGAIN] = EMU_KMD_LOG_SEQUENCE,
        [SEQUENCE_0] = EMU_KMD_LOG_SEQUENCE,
        [NULL_NUMBERS] = EMU_KMD_LOG_NUMBERS,
        [TOO_MANY_NUMBERS] = EMU_KMD_LOG_TOO_LONG,
        [ONE_NUMBER_LESS] = EMU_KMD_LOG_NUMBERS,
        [NO_HISTORY] = EMU_KMD_LOG_BUFFER,
        [TWO_HISTORIES] = EMU_KMD_LOG_BUFFER,
        [NULL_HISTORIES] = EMU_KMD_LOG_BUFFER,
        [UNMAPPED_HISTORY] = EMU_KMD_LOG_BUFFER,
    };
    for (int wrong = RIGHT; wrong < WRONG_COUNT; wrong++) {
        struct stage *s = open_stage();
        void *lists[] = {list_of(s, LIST, 2), list_of(s, OTHER_LIST, 2)};
        run_lists(s, lists, 2); /* the sequence has begun */
        emu_command_buffer buffer = build(s, lists, 2);
        D3DDDICB_SUBMITCOMMAND command = *buffer.submit;
        break_it(&command, (enum wrong)wrong);
        run_command(s, buffer, &command, 2);
        cr_assert_eq(s->taken.problem, expected[wrong], "%d: %d", wrong, (int)s->taken.problem);
        cr_assert_eq(s->taken.stamps[0] != 0, wrong == RIGHT);
        destroy_lists(s, lists, 2);
        close_stage(s);
    }
}

Test(subm, a_log_in_the_mode_none_is_none)
{
    struct stage *s =
        open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, NULL, D3DWDDM1_3DDI_MARKER_TYPE_NONE);
    void *list = list_of(s, LIST, 1);
    emu_command_buffer buffer = build(s, &list, 1);
    D3DDDICB_SUBMITCOMMAND command = {.Commands = buffer.address,
                                      .CommandLength = (uint32_t)buffer.size,
                                      .BroadcastContextCount = 1,
                                      .BroadcastContext = {s->queue},
                                      .MarkerLogType = D3DDDIMLT_NONE,
                                      .RenderCBSequence = 1};
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.count, 0);
    command.RenderCBSequence = 2;
    command.MarkerLogType = D3DDDIMLT_FT_PROFILE;
    buffer = build(s, &list, 1);
    command.Commands = buffer.address;
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_TYPE);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

/* Decisions: the second part continues the first, and High goes up by one where the low half goes
 * down. */
Test(subm, low_wrap_carries_into_high)
{
    struct stage *s = open_stage();
    void *list = list_of(s, LIST, 4);
    emu_command_buffer buffer = build(s, &list, 1);
    D3DDDICB_SUBMITCOMMAND command = *buffer.submit;
    static const uint32_t low0[] = {0xFFFFFFFE, 0xFFFFFFFF}, low1[] = {0, 1};
    command.CompletedAPISequenceNumberLow0Size = command.CompletedAPISequenceNumberLow1Size = 2;
    command.pCompletedAPISequenceNumberLow0 = low0;
    command.pCompletedAPISequenceNumberLow1 = low1;
    run_command(s, buffer, &command, 1);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 0xFFFFFFFF);
    cr_assert_eq(s->taken.numbers[2], (uint64_t)8 << 32);
    cr_assert_eq(s->taken.numbers[3], ((uint64_t)8 << 32) + 1);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(subm, the_drivers_arrays_are_copied)
{
    struct stage *s = open_stage();
    void *list = list_of(s, LIST, 2);
    emu_command_buffer buffer = build(s, &list, 1);
    D3DDDICB_SUBMITCOMMAND command = *buffer.submit;
    uint32_t low[] = {1, 2};
    command.pCompletedAPISequenceNumberLow0 = low;
    cr_assert(
        emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, &command, ids, 1));
    memset(low, 0xEE, sizeof low);
    memset(&command, 0xEE, sizeof command);
    emu_kmd_run_until_idle(s->kmd);
    cr_assert_eq(s->taken.problem, EMU_KMD_LOG_FINE);
    cr_assert_eq(s->taken.numbers[1], (uint64_t)7 << 32 | 2);
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(subm, null_rendering_claims_nothing)
{
    struct stage *s = open_stage();
    void *list = list_of(s, LIST, 2);
    emu_command_buffer buffer = build(s, &list, 1);
    D3DDDICB_SUBMITCOMMAND command = *buffer.submit;
    memset((char *)s->memory.cpu + 4096, 5, 16);
    command.Flags.NullRendering = 1;
    run_command(s, buffer, &command, 1);
    cr_assert(s->taken.null_rendering);
    cr_assert_eq(s->taken.begin, 0);
    cr_assert_eq(s->taken.stamps[0], 0);
    cr_assert_eq(*(const unsigned char *)s->memory.cpu, 0, "nothing was copied");
    destroy_lists(s, &list, 1);
    close_stage(s);
}

Test(subm, what_was_not_completed_is_told_at_the_removal)
{
    struct stage *s = open_stage();
    void *list = s->driver->list_create(s->device, 0, LIST);
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
    destroy_lists(s, &list, 1);
    close_stage(s);
}
