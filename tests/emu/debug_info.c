/* What the kernel asks its driver for at a timeout, and takes from the answers [ANN-TDR-05, -06]:
 * each member of each answer, by a driver that says what it is told to. */
#include "at_end.h"
#include "kmd_rig.h"
#include "kmd/types.h"

struct answer {
    NTSTATUS status;
    uint32_t key, offset;
    uint64_t time;
    const char *data;    /* at the buffer's start */
    uint32_t last;       /* value of its last byte */
    bool before, behind; /* writes over a canary */
    void *context;
    int changed; /* this byte of the payload is changed; -1: none */
};

/* The script of one removal, and what the driver saw. */
static struct {
    struct answer answers[2];
    NTSTATUS reset;
    uint32_t aborted;
    const emu_kernel_adapter *kernel;
    unsigned calls, resets;
    DXGKARG_COLLECTDBGINFO2 asked[2];
    bool zeroed[2]; /* the buffer was */
    uint8_t payloads[2][ANNOT_TDR_PAYLOAD_MAX];
    uint8_t kept[ANNOT_TDR_PAYLOAD_MAX]; /* what was there when the removal was told */
} play;

static struct emu_kmd_tdr told;
static bool has_tdr;
static char bytes[EMU_KMD_TDR_BUFFER_MAX];

static void *adapter_create(emu_kernel_adapter *kernel)
{
    play.kernel = kernel;
    return emu__kernel_driver.adapter_create(kernel);
}

static NTSTATUS reset_engine(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter;
    play.resets++;
    reset->LastAbortedFenceId = play.aborted;
    return play.reset;
}

static NTSTATUS collect(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    const struct answer *answer = &play.answers[play.calls & 1];
    unsigned char *out = info->pBuffer;
    (void)adapter;
    cr_assert_lt(play.calls, 2);
    bool *zeroed = &play.zeroed[play.calls];
    play.asked[play.calls] = *info;
    *zeroed = info->pExtension->BucketingKey == 0 && info->pExtension->CurrentDmaBufferOffset == 0;
    for (uint32_t i = 0; i < info->BufferSize; i++)
        *zeroed &= out[i] == 0;
    if (info->TdrPayload) {
        memcpy(play.payloads[play.calls], info->TdrPayload, ANNOT_TDR_PAYLOAD_MAX);
        if (info->TdrPayloadSize >= sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT))
            ((DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *)info->TdrPayload)->hContext = answer->context;
        if (answer->changed >= 0)
            ((unsigned char *)info->TdrPayload)[answer->changed] ^= 1;
    }
    play.calls++;
    if (answer->data)
        memcpy(out, answer->data, strlen(answer->data));
    if (answer->last)
        out[info->BufferSize - 1] = (unsigned char)answer->last;
    out[-1] = (unsigned char)(answer->before ? 0 : out[-1]);
    out[info->BufferSize] = (unsigned char)(answer->behind ? 0 : out[info->BufferSize]);
    info->pExtension->BucketingKey = answer->key;
    info->pExtension->CurrentDmaBufferOffset = answer->offset;
    emu__kernel_host.stall(play.kernel, answer->time);
    return answer->status;
}

/* The DDI before: no type, and no payload. */
static NTSTATUS collect_as_before(void *adapter, const DXGKARG_COLLECTDBGINFO *info)
{
    return collect(adapter, &(DXGKARG_COLLECTDBGINFO2){.Reason = info->Reason,
                                                       .pBuffer = info->pBuffer,
                                                       .BufferSize = info->BufferSize,
                                                       .pExtension = info->pExtension});
}

static int ddis = 2; /* that the driver has: both; 1: the older one; 0: none */

static void on_removed(void *user, const struct emu_kmd_removal *removal)
{
    rig_removed(user, removal);
    has_tdr = removal->tdr != NULL;
    told = has_tdr ? *removal->tdr : (struct emu_kmd_tdr){0};
    if (told.data)
        memcpy(bytes, told.data, told.data_size);
    if (play.calls > 0 && play.asked[0].TdrPayload)
        memcpy(play.kept, play.asked[0].TdrPayload, ANNOT_TDR_PAYLOAD_MAX);
}

enum ends { HANGS, FAULTS, LOST, ASKED, FORCED, MISUSED };

enum { FIRST = 1, SECOND }; /* identities of the queues */
static char second_user;

/* Two queues, of which the first has 1 of 3 submissions done when it ends so. Both have a context,
 * the second one's is `second_user`. */
static void play_removal(enum ends end, bool can_reset, uint32_t buffer, uint32_t payload)
{
    AT_END(rig_finish) struct rig r = {0};
    emu_kernel_driver driver = emu__kernel_driver;
    driver.adapter_create = adapter_create;
    driver.context_create = NULL;
    driver.context_destroy = NULL;
    driver.DxgkDdiResetEngine = can_reset ? reset_engine : NULL;
    driver.DxgkDdiCollectDbgInfo2 = ddis == 2 ? collect : NULL;
    driver.DxgkDdiCollectDbgInfo = ddis > 0 ? collect_as_before : NULL;
    play.calls = play.resets = 0;
    memset(play.zeroed, 0, sizeof play.zeroed);
    r.gpu = emu_gpu_create();
    r.kmd = KMD(r.gpu, &r, .seeded = true, .removed = on_removed, .completed = rig_completed,
                .driver = &driver, .tdr_buffer = buffer, .tdr_payload = payload);
    struct emu_kmd_queue *queues[2] = {emu_kmd_queue_create(r.kmd, NULL),
                                       emu_kmd_queue_create(r.kmd, NULL)};
    struct buffer fine = buffer_create(r.gpu), last = buffer_create(r.gpu);
    put_bare(&fine, EMU_PACKET_BARRIER);
    cr_assert(emu_kmd_queue_identify(queues[0], FIRST, 2, NULL));
    queues[1]->kernel_context = &second_user;
    queues[1]->object = SECOND;
    if (end == HANGS)
        put_kernel(&last, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    else
        put_write(&last, 65536, 1);
    cr_assert(submit(queues[0], &fine, 41));
    emu_kmd_run_until_idle(r.kmd);
    if (end <= FAULTS) {
        cr_assert(submit(queues[0], &last, 42) && submit(queues[0], &fine, 43));
        emu_kmd_run_until_idle(r.kmd);
    } else {
        static const enum emu_kmd_error errors[] = {EMU_KMD_LOST, EMU_KMD_ASKED, EMU_KMD_FORCED,
                                                    EMU_KMD_MISUSED};
        emu_kmd_remove(r.kmd, errors[end - LOST]);
    }
    cr_assert_eq(r.removals, 1);
    for (int i = 0; i < 2; i++)
        emu_kmd_queue_destroy(queues[i]);
}

static void script(struct answer first, struct answer second)
{
    memset(&play, 0, sizeof play);
    play.answers[0] = first;
    play.answers[1] = second;
    play.aborted = 42;
}

#define NOTHING                                                                                    \
    (struct answer)                                                                                \
    {                                                                                              \
        .changed = -1                                                                              \
    }

/* The type says what happened and what is reset; an engine that can't be reset is asked for again,
 * as the adapter. */
Test(kmd_debug, the_question_says_what_happened_and_what_will_be_reset)
{
    static const struct {
        enum ends end;
        bool can_reset, resets;
        uint32_t types[2]; /* 0: not asked */
    } cases[] = {
        {HANGS, true, true, {DXGK_TDR_TYPE_ENGINE_TIMEOUT, 0}},
        {HANGS, true, false, {DXGK_TDR_TYPE_ENGINE_TIMEOUT, DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED}},
        {HANGS, false, false, {DXGK_TDR_TYPE_PREEMPT_TIMEOUT, 0}},
        {FAULTS, true, true, {DXGK_TDR_TYPE_ENGINE_PAGE_FAULT, 0}},
        {FAULTS, true, false, {DXGK_TDR_TYPE_ENGINE_PAGE_FAULT, DXGK_TDR_TYPE_PAGE_FAULT}},
        {FAULTS, false, false, {DXGK_TDR_TYPE_PAGE_FAULT, 0}},
        {FORCED, true, true, {DXGK_TDR_TYPE_FORCED, 0}},
        {FORCED, false, true, {DXGK_TDR_TYPE_FORCED, 0}},
        {LOST, true, true, {0, 0}},
        {ASKED, true, true, {0, 0}},
        {MISUSED, true, true, {0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        script(NOTHING, NOTHING);
        play.reset = cases[i].resets ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
        play_removal(cases[i].end, cases[i].can_reset, 0, 0);
        const unsigned calls = cases[i].types[1] ? 2 : cases[i].types[0] ? 1 : 0;
        const bool has_culprit = cases[i].end <= FAULTS;
        cr_assert_eq(play.calls, calls, "%zu", i);
        cr_expect_eq(has_tdr, calls > 0, "%zu", i);
        if (calls == 0)
            continue;
        for (unsigned n = 0; n < calls; n++) {
            const bool is_engine = has_culprit && cases[i].can_reset && n == 0;
            cr_expect_eq(play.asked[n].TdrType, cases[i].types[n], "%zu: %d", i,
                         (int)play.asked[n].TdrType);
            cr_expect_eq(play.asked[n].Reason, is_engine ? EMU_VIDEO_ENGINE_TIMEOUT_DETECTED
                                                         : EMU_VIDEO_TDR_TIMEOUT_DETECTED);
            cr_expect(play.zeroed[n], "nothing of before is in the buffer");
        }
        cr_expect_eq(play.resets, has_culprit && cases[i].can_reset);
        cr_expect_eq(told.dump.type, cases[i].types[calls - 1]);
        cr_expect_eq(told.dump.reason, (uint32_t)play.asked[calls - 1].Reason);
        cr_expect_eq(told.is_adapter, !has_culprit || !cases[i].can_reset || !cases[i].resets);
        cr_expect_eq(told.dump.flags, calls == 2 ? ANNOT_TDR_RESET_FAILED : 0);
        cr_expect_eq(told.dump.ddi, 2);
        cr_expect_eq(told.dump.node, has_culprit ? 2 : UINT32_MAX);
        cr_expect_eq(told.dump.queue, has_culprit ? FIRST : 0);
        cr_expect_eq(told.dump.last_completed, has_culprit ? 41 : 0);
        cr_expect_eq(told.dump.last_submitted, has_culprit ? 43 : 0);
    }
}

/* The newer function where there is one, the older one without it, and never both. */
Test(kmd_debug, the_driver_is_asked_by_the_newest_function_that_it_has)
{
    for (ddis = 0; ddis <= 2; ddis++) {
        script((struct answer){.changed = -1, .data = "abc", .key = 5, .offset = 6}, NOTHING);
        play_removal(HANGS, true, 100, 0);
        cr_assert_eq(play.calls, ddis > 0);
        cr_assert(has_tdr);
        cr_expect_eqs(told.dump.ddi, (uint32_t)ddis, told.data_size, (ddis > 0 ? 3 : 0));
        cr_expect_eq(told.data != NULL, ddis > 0);
        cr_expect_eqs(told.dump.bucketing_key, (ddis > 0 ? 5 : 0), told.dump.dma_offset,
                      (ddis > 0 ? 6 : 0));
        cr_expect_eqs(told.dump.payload_size,
                      (ddis == 2 ? sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT) : 0), told.dump.flags,
                      0);
        cr_expect_eqs(told.dump.type, DXGK_TDR_TYPE_ENGINE_TIMEOUT, told.dump.reason,
                      EMU_VIDEO_ENGINE_TIMEOUT_DETECTED);
        if (ddis > 0)
            cr_expect_eqs((uint32_t)play.asked[0].Reason, EMU_VIDEO_ENGINE_TIMEOUT_DETECTED,
                          play.asked[0].BufferSize, 100);
    }
    ddis = 2;
}

/* A request to the adapter has no payload; the engine's stays. */
Test(kmd_debug, the_second_answer_has_nothing_of_the_first_but_what_stays)
{
    for (uint32_t kind = 0; kind < 2; kind++) {
        const struct answer failed = {.changed = -1, .status = STATUS_UNSUCCESSFUL, .time = 7};
        script(failed, (struct answer){.changed = -1, .data = "xy"});
        play.reset = STATUS_UNSUCCESSFUL;
        play_removal(HANGS, true, 64, kind);
        cr_assert_eq(play.calls, 2);
        cr_expect_eqs(told.dump.status, 0, told.data_size, 2);
        cr_expect_eqs(told.dump.flags, ANNOT_TDR_FAILED | ANNOT_TDR_RESET_FAILED, told.dump.time,
                      7);
        cr_expect_eq(told.dump.payload_size,
                     kind == 0 ? sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT) : 0);
        cr_expect_eqs(told.dump.node, 2, told.dump.queue, FIRST);
        cr_expect_eqs(told.dump.last_completed, 41, told.dump.last_submitted, 43);
    }
}

/* A fence ID that was not pending is no reset, whatever its status. */
Test(kmd_debug, a_reset_is_believed_that_names_a_fence_which_was_pending)
{
    for (uint32_t aborted = 39; aborted <= 46; aborted++) {
        script(NOTHING, NOTHING);
        play.aborted = aborted;
        play_removal(HANGS, true, 0, 0);
        cr_expect_eq(play.calls, aborted == 42 || aborted == 43 ? 1 : 2, "%u", aborted);
    }
}

Test(kmd_debug, the_buffer_has_the_size_that_was_asked_for)
{
    static const uint32_t sizes[][2] = {{0, EMU_KMD_TDR_BUFFER},
                                        {1, 1},
                                        {100, 100},
                                        {EMU_KMD_TDR_BUFFER_MAX - 1, EMU_KMD_TDR_BUFFER_MAX - 1},
                                        {EMU_KMD_TDR_BUFFER_MAX, EMU_KMD_TDR_BUFFER_MAX},
                                        {EMU_KMD_TDR_BUFFER_MAX + 1, EMU_KMD_TDR_BUFFER_MAX}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        script((struct answer){.changed = -1, .last = 9},
               (struct answer){.changed = -1, .last = 8});
        play.reset = STATUS_UNSUCCESSFUL;
        play_removal(HANGS, true, sizes[i][0], 0);
        cr_expect_eq(play.asked[0].BufferSize, sizes[i][1]);
        cr_expect_eq(play.asked[1].BufferSize, sizes[i][1]);
        cr_expect_eq(told.data_size, sizes[i][1], "up to its last byte");
        cr_expect_eq(bytes[sizes[i][1] - 1], 9, "of the first answer, which the second one left");
    }
}

/* Zeros behind its end are cut; what was written over the end, or failed, is none. */
Test(kmd_debug, the_drivers_bytes_are_taken_up_to_their_last_one)
{
    const struct {
        struct answer answer;
        size_t size;
        uint32_t flags;
    } cases[] = {
        {{.changed = -1}, 0, 0},
        {{.changed = -1, .data = "a"}, 1, 0},
        {{.changed = -1, .data = "abc"}, 3, 0},
        {{.changed = -1, .data = "abc", .last = 1}, 40, 0},
        {{.changed = -1, .data = "abc", .before = true}, 0, ANNOT_TDR_OVERRUN},
        {{.changed = -1, .data = "abc", .behind = true}, 0, ANNOT_TDR_OVERRUN},
        {{.changed = -1, .data = "abc", .status = STATUS_UNSUCCESSFUL}, 0, ANNOT_TDR_FAILED},
        {{.changed = -1, .behind = true, .status = STATUS_UNSUCCESSFUL}, 0, ANNOT_TDR_OVERRUN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        script(cases[i].answer, NOTHING);
        play_removal(HANGS, true, 40, 0);
        cr_expect_eq(told.data_size, cases[i].size, "%zu: %zu", i, told.data_size);
        cr_expect_eq(told.dump.flags, cases[i].flags, "%zu: %x", i, told.dump.flags);
        cr_expect_eq(told.data != NULL, cases[i].flags == 0, "%zu", i);
        cr_expect_eq(told.dump.status, cases[i].answer.status, "%zu", i);
        if (cases[i].size == 3)
            cr_expect_eq(memcmp(bytes, "abc", 3), 0);
    }
}

/* When the reset fails: each member from the first answer, unless that has none. */
Test(kmd_debug, the_engines_information_follows_the_adapters)
{
    for (unsigned first = 0; first < 16; first++)
        for (unsigned second = 0; second < 16; second++) {
            struct answer answers[2];
            const unsigned has[2] = {first, second};
            for (uint32_t n = 0; n < 2; n++)
                answers[n] = (struct answer){.changed = -1,
                                             .key = has[n] & 1 ? 11 + n : 0,
                                             .offset = has[n] & 2 ? 21 + n : 0,
                                             .data = has[n] & 4 ? n ? "second" : "first" : NULL,
                                             .context = has[n] & 8 ? &second_user : NULL,
                                             .time = 100 * (n + 1)};
            script(answers[0], answers[1]);
            play.reset = STATUS_UNSUCCESSFUL;
            play_removal(HANGS, true, 64, 0);
            cr_assert_eq(play.calls, 2);
            cr_expect_eq(told.dump.bucketing_key, first & 1 ? 11 : second & 1 ? 12 : 0);
            cr_expect_eq(told.dump.dma_offset, first & 2 ? 21 : second & 2 ? 22 : 0);
            cr_expect_eq(told.data_size, first & 4 ? 5 : second & 4 ? 6 : 0);
            cr_expect(told.data_size == 0 || bytes[0] == (first & 4 ? 'f' : 's'));
            cr_expect_eq(told.dump.context, first & 8 ? SECOND : 0, "has no payload then");
            cr_expect_eq(told.dump.time, 300);
            cr_expect_eq(told.dump.flags, ANNOT_TDR_RESET_FAILED);
            cr_expect_eq(told.dump.payload_size, sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT));
            cr_expect_eq(memcmp(told.dump.payload, play.payloads[0], sizeof told.dump.payload), 0);
            void *context;
            memcpy(&context,
                   told.dump.returned + offsetof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, hContext),
                   sizeof context);
            cr_expect_eq(context, answers[0].context);
        }
}

/* ---- the payload ---- */

/* A driver sees as much of it as the configuration says, and only of a timeout of an engine. */
Test(kmd_debug, the_payload_has_the_fences_and_ends_where_it_is_said_to)
{
    const size_t whole = sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT);
    const uint32_t sizes[] = {(uint32_t)whole, 0, 24, (uint32_t)whole + 8};
    for (uint32_t kind = 0; kind < 4; kind++) {
        DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT expected = {
            .NodeOrdinal = 2, .LastHwCompletedFenceId = 41, .LastHwSubmittedFenceId = 43};
        uint8_t payload[ANNOT_TDR_PAYLOAD_MAX] = {0};
        script(NOTHING, NOTHING);
        play_removal(HANGS, true, 0, kind);
        memcpy(payload, &expected, sizes[kind] < whole ? sizes[kind] : whole);
        cr_expect_eq(play.asked[0].TdrPayloadSize, sizes[kind]);
        cr_expect_eq(play.asked[0].TdrPayload != NULL, sizes[kind] != 0);
        cr_expect_eq(told.dump.payload_size, sizes[kind]);
        cr_expect_eq(memcmp(told.dump.payload, payload, sizeof payload), 0, "%u", kind);
        cr_expect_eq(told.dump.flags, 0);
        cr_expect(!play.asked[0].TdrPayload ||
                  memcmp(play.payloads[0], payload, sizeof payload) == 0);
        if (play.asked[0].TdrPayload)
            for (size_t i = 0; i < sizeof play.kept; i++)
                cr_assert_eq(play.kept[i], 0xDD, "gone as soon as the call was over");
    }
    static const enum ends others[] = {FAULTS, FORCED};
    for (size_t i = 0; i < 2; i++) {
        script(NOTHING, NOTHING);
        play_removal(others[i], true, 0, 0);
        cr_expect_null(play.asked[0].TdrPayload);
        cr_expect_eq(play.asked[0].TdrPayloadSize, 0);
    }
}

/* hContext is the one that is the driver's to write, and has to be a queue's. */
Test(kmd_debug, a_payload_that_was_changed_elsewhere_is_told)
{
    const int at = offsetof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT, hContext);
    for (int i = -1; i < (int)ANNOT_TDR_PAYLOAD_MAX; i++) {
        const bool is_context = i >= at && i < at + (int)sizeof(void *);
        struct answer answer = {.changed = i, .context = &second_user};
        script(answer, NOTHING);
        play_removal(HANGS, true, 64, 0);
        cr_expect_eq(told.dump.flags,
                     i < 0        ? 0
                     : is_context ? ANNOT_TDR_FORGED_CONTEXT
                                  : ANNOT_TDR_PAYLOAD_CHANGED,
                     "byte %d: %x", i, told.dump.flags);
        cr_expect_eq(told.dump.context, is_context ? 0 : SECOND);
    }
    /* Behind the end of a payload that is too short for it. */
    for (int i = at; i < at + (int)sizeof(void *); i++) {
        script((struct answer){.changed = i}, NOTHING);
        play_removal(HANGS, true, 64, 2);
        cr_expect_eqs(told.dump.flags, ANNOT_TDR_PAYLOAD_CHANGED, told.dump.context, 0);
    }
}
