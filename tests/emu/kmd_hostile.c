/* The kernel-mode driver that lies [ANN-TDR-06]: in every answer now and then, one thing at a time,
 * and never past the canaries. */
#include "at_end.h"
#include "kmd_rig.h"
#include "kmd/types.h"

static const emu_kernel_driver *const hostile = &emu__kernel_driver_hostile;

static void open_rig(struct rig *r)
{
    memset(r, 0, sizeof *r);
    r->gpu = emu_gpu_create();
    r->kmd = KMD(r->gpu, NULL, .seeded = true, .seed = 7, .driver = hostile);
}

static unsigned bit(unsigned n, bool is_so)
{
    return is_so ? 1u << n : 0;
}

Test(kmd_hostile, asked_for_the_precision_it_says_the_right_one_or_one_that_is_none)
{
    static const uint32_t said[] = {0, 1, 31, 32, 33, 63, 64, 65, UINT32_MAX};
    AT_END(rig_finish) struct rig r;
    open_rig(&r);
    unsigned numbers = 0, failed = 0;
    for (int i = 0; i < 2000; i++) {
        struct {
            DXGKARG_HISTORYBUFFERPRECISION precision;
            uint32_t behind;
        } out = {{4711}, 4712};
        const DXGKARG_QUERYADAPTERINFO query = {.Type = DXGKQAITYPE_HISTORYBUFFERPRECISION,
                                                .pOutputData = &out.precision,
                                                .OutputDataSize = sizeof out.precision};
        failed += hostile->DxgkDdiQueryAdapterInfo(r.kmd->driver_adapter, &query) < 0;
        unsigned n = 0;
        while (n < 9 && said[n] != out.precision.PrecisionBits)
            n++;
        cr_assert(n < 9);
        cr_assert_eq(out.behind, 4712);
        numbers |= 1u << n;
    }
    cr_expect_eq(numbers, 0x1FF, "%x", numbers);
    cr_expect(failed > 0 && failed < 500, "in one of eight: %u", failed);
}

Test(kmd_hostile, its_clock_has_one_member_wrong_or_none)
{
    AT_END(rig_finish) struct rig r;
    open_rig(&r);
    void *reference = emu__kernel_driver.adapter_create(&r.kmd->adapter);
    unsigned lies = 0, honest = 0;
    for (int i = 0; i < 2000; i++) {
        DXGKARG_CALIBRATEGPUCLOCK truth = {0}, said = {.GpuFrequency = 1};
        emu__kernel_driver.DxgkDdiCalibrateGpuClock(reference, 0, 0, &truth);
        const bool failed =
            hostile->DxgkDdiCalibrateGpuClock(r.kmd->driver_adapter, 0, 0, &said) < 0;
        const unsigned bits = bit(0, said.GpuFrequency != truth.GpuFrequency) |
                              bit(1, said.GpuClockCounter != truth.GpuClockCounter) |
                              bit(2, said.CpuClockCounter != truth.CpuClockCounter) |
                              bit(3, failed);
        cr_assert_eq(bits & (bits - 1), 0, "%x", bits);
        cr_assert(said.GpuFrequency == truth.GpuFrequency || said.GpuFrequency == 0);
        lies |= bits;
        honest += bits == 0;
    }
    cr_expect_eq(lies, 0xF, "%x", lies);
    cr_expect_gt(honest, 1000);
    emu__kernel_driver.adapter_destroy(reference);
}

Test(kmd_hostile, a_reset_fails_or_names_one_of_the_first_fences)
{
    AT_END(rig_finish) struct rig r;
    open_rig(&r);
    unsigned fences = 0, failed = 0;
    for (int i = 0; i < 300; i++) {
        DXGKARG_RESETENGINE reset = {.LastAbortedFenceId = 99};
        failed += hostile->DxgkDdiResetEngine(r.kmd->driver_adapter, &reset) < 0;
        cr_assert_lt(reset.LastAbortedFenceId, 4);
        fences |= 1u << reset.LastAbortedFenceId;
    }
    cr_expect_eq(fences, 0xF, "%x", fences);
    cr_expect(failed > 50 && failed < 150, "one in three: %u", failed);
}

enum { BUFFER = 40, PAYLOAD = 24, EDGE = 8 };

/* What a call did to the canaries, the payload, the clock and so on. */
static unsigned lies_of_collect(struct rig *r, uint32_t *key, uint32_t *offset)
{
    unsigned char bytes[EDGE + BUFFER + EDGE], payload[PAYLOAD + EDGE];
    DXGKARG_COLLECTDBGINFO_EXT extension = {0};
    memset(bytes, 0xC5, sizeof bytes);
    memset(payload, 0x5C, sizeof payload);
    const uint64_t before = emu__kmd_now(r->kmd);
    const bool failed =
        hostile->DxgkDdiCollectDbgInfo2(r->kmd->driver_adapter,
                                        &(DXGKARG_COLLECTDBGINFO2){.pBuffer = bytes + EDGE,
                                                                   .BufferSize = BUFFER,
                                                                   .pExtension = &extension,
                                                                   .TdrPayload = payload,
                                                                   .TdrPayloadSize = PAYLOAD}) < 0;
    const uint64_t time = emu__kmd_now(r->kmd) - before;
    cr_assert(time == 0 || time == EMU_KMD_TDR_DDI_DELAY + 1);
    bool changed = false;
    for (int i = 0; i < PAYLOAD; i++)
        changed |= payload[i] != 0x5C;
    for (int i = 0; i < EDGE; i++) {
        cr_assert_eq(payload[PAYLOAD + i], 0x5C);
        cr_assert(i == EDGE - 1 || bytes[i] == 0xC5);
        cr_assert(i == 0 || bytes[EDGE + BUFFER + i] == 0xC5);
    }
    for (int i = 1; i < BUFFER; i++)
        cr_assert_eq(bytes[EDGE + i], bytes[EDGE]);
    *key = extension.BucketingKey;
    *offset = extension.CurrentDmaBufferOffset;
    return bit(0, bytes[EDGE + BUFFER] != 0xC5) | bit(1, bytes[EDGE - 1] != 0xC5) |
           bit(2, time != 0) | bit(3, changed) | bit(4, failed) | bit(5, bytes[EDGE] != 0xC5);
}

Test(kmd_hostile, debug_information_is_junk_with_each_fault_now_and_then)
{
    AT_END(rig_finish) struct rig r;
    open_rig(&r);
    unsigned seen = 0, not_seen = 0, keys = 0, offsets = 0;
    uint32_t key = 0, offset = 0;
    for (int i = 0; i < 500; i++) {
        uint32_t last_key = key, last_offset = offset;
        const unsigned bits = lies_of_collect(&r, &key, &offset);
        seen |= bits;
        not_seen |= ~bits;
        keys += key != last_key;
        offsets += offset != last_offset;
    }
    cr_expect_eq(seen, 0x3F, "%x", seen);
    cr_expect_eq(not_seen & 0x1F, 0x1F, "each is left out, too: %x", not_seen);
    cr_expect(keys > 490 && offsets > 490, "another each time");
    DXGKARG_COLLECTDBGINFO_EXT extension;
    unsigned char bytes[BUFFER + 2];
    hostile->DxgkDdiCollectDbgInfo2(r.kmd->driver_adapter,
                                    &(DXGKARG_COLLECTDBGINFO2){.pBuffer = bytes + 1,
                                                               .BufferSize = BUFFER,
                                                               .pExtension = &extension,
                                                               .TdrPayloadSize = PAYLOAD});
}

/* ---- history buffers ---- */

enum { STAMPS = 5 };

struct history {
    DXGK_HISTORY_BUFFER_HEADER header;
    uint64_t stamps[STAMPS];
};

Test(kmd_hostile, a_formatted_history_has_one_fault_or_none)
{
    AT_END(rig_finish) struct rig r;
    open_rig(&r);
    void *context = hostile->context_create(r.kmd->driver_adapter, 0);
    struct history history = {.header = {.NumTimestamps = STAMPS}};
    unsigned lies = 0, honest = 0;
    for (uint64_t i = 0; i < STAMPS; i++)
        history.stamps[i] = (i + 1) << 56; /* the reference driver turns the bytes around */
    for (int i = 0; i < 1000; i++) {
        uint64_t out[STAMPS + 2] = {0};
        DXGKARG_FORMATHISTORYBUFFER argument = {.pHistoryBuffer = (void *)&history,
                                                .HistoryBufferSize = 16 * STAMPS,
                                                .pFormattedBuffer = out,
                                                .FormattedBufferSize = 8 * (STAMPS + 1)};
        const bool failed = hostile->DxgkDdiFormatHistoryBuffer(context, &argument) < 0;
        const unsigned bits = bit(0, argument.Offset != 0) |
                              bit(1, argument.NumTimestamps != STAMPS) |
                              bit(2, argument.Precision.PrecisionBits != 64) |
                              bit(3, out[STAMPS + 1] != 0) | bit(4, failed);
        cr_assert_eq(bits & (bits - 1), 0, "%x", bits);
        cr_assert(argument.Offset < STAMPS && argument.Precision.PrecisionBits < 80);
        for (uint64_t k = 0; k < STAMPS; k++)
            cr_assert_eq(out[k], k + 1);
        lies |= bits;
        honest += bits == 0;
    }
    cr_expect_eq(lies, 0x1F, "%x", lies);
    cr_expect_gt(honest, 300);
    /* more time stamps than there are bytes for are not read */
    history.header.NumTimestamps = STAMPS + 1;
    uint64_t out[STAMPS + 2] = {0};
    DXGKARG_FORMATHISTORYBUFFER argument = {.pHistoryBuffer = (void *)&history,
                                            .HistoryBufferSize = 16 * STAMPS,
                                            .pFormattedBuffer = out,
                                            .FormattedBufferSize = 8 * STAMPS};
    cr_expect_lt(hostile->DxgkDdiFormatHistoryBuffer(context, &argument), 0);
    cr_expect_eq(out[0], 0);
    hostile->context_destroy(context);
}
