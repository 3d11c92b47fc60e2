/* The built-in kernel-mode driver and the kernel's functions for drivers, one by one; and what of
 * the kernel is seen best alone: its generator, its pairs of clocks, and tiles that a queue
 * updates. */
#include "gate.h"
#include "kmd_rig.h"
#include "kmd/types.h"

#include <time.h>

/* The numbers that splitmix64's authors give for the seed 1234567. */
Test(kmd_driver, the_generator_is_splitmix64)
{
    static const uint64_t numbers[] = {6457827717110365317u, 3203168211198807973u,
                                       9817491932198370423u, 4593380528125082431u,
                                       16408922859458223821u};
    uint64_t state = 1234567;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        cr_expect_eq(emu__kmd_random(&state), numbers[i]);
}

static void open_kernel(struct rig *r, const emu_kernel_driver *driver, uint32_t marker_type)
{
    memset(r, 0, sizeof *r);
    r->gpu = emu_gpu_create();
    cr_assert(emu_gpu_set_clock(
        r->gpu, &(struct emu_gpu_clock){.hz = 2000000000, .offset = 5, .stamp_bits = 40}));
    r->kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = r->gpu,
                                                   .seeded = true,
                                                   .seed = 99,
                                                   .driver = driver,
                                                   .marker_type = marker_type,
                                                   .removed = rig_removed,
                                                   .completed = rig_completed,
                                                   .user = r});
    cr_assert_not_null(r->kmd);
}

/* kernel.h, emu_kernel_host */
Test(kmd_driver, the_kernels_functions_say_what_the_clocks_read)
{
    AT_END(rig_finish) struct rig r;
    const emu_kernel_host *host = &emu__kernel_host;
    open_kernel(&r, NULL, 0);
    const emu_kernel_adapter *kernel = &r.kmd->adapter;
    emu_kernel_engine engine;
    for (uint64_t at = 0; at <= 3000; at += 1000) {
        cr_expect_eq(host->cpu_counter(kernel), at);
        cr_expect_eq(host->gpu_counter(kernel), 5 + 2 * at);
        host->stall(kernel, 1000);
    }
    host->stall(kernel, EMU_KMD_TIMEOUT_LIMIT_NS);
    cr_expect_eq(host->cpu_counter(kernel), 4000, "nobody waits for so long");
    cr_expect_eq(host->gpu_frequency(kernel), 2000000000);
    cr_expect_eq(host->stamp_bits(kernel), 40);
    cr_expect_eq(host->seed(kernel), 99);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    cr_expect_not(host->engine(kernel, 0, &engine), "no engine is stopped");
    cr_expect_eq(emu_kmd_time(r.kmd), 4000);
    emu_kmd_queue_destroy(queue);
}

/* A driver may wait for its hardware: really, where the clock is real. */
Test(kmd_driver, a_stall_lasts_as_long_as_the_driver_says)
{
    AT_END(rig_finish) struct rig r;
    rig_init(&r, false, 0, 0);
    const uint64_t before = emu_kmd_time(r.kmd);
    struct timespec now;
    emu__kernel_host.stall(&r.kmd->adapter, 3000000);
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t after = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    cr_expect(after - before >= 3000000 && emu_kmd_time(r.kmd) >= after);
}

Test(kmd_driver, it_knows_its_precision_and_nothing_else)
{
    AT_END(rig_finish) struct rig r;
    open_kernel(&r, NULL, 0);
    for (int type = DXGKQAITYPE_HISTORYBUFFERPRECISION - 1;
         type <= DXGKQAITYPE_HISTORYBUFFERPRECISION + 1; type++)
        for (uint32_t size = 3; size <= 5; size++) {
            uint32_t bits[2] = {7, 8};
            const DXGKARG_QUERYADAPTERINFO query = {.Type = (DXGK_QUERYADAPTERINFOTYPE)type,
                                                    .pOutputData = bits,
                                                    .OutputDataSize = size};
            const bool is_known = type == DXGKQAITYPE_HISTORYBUFFERPRECISION && size >= 4;
            cr_expect_eq(emu__kernel_driver.DxgkDdiQueryAdapterInfo(r.kmd->driver_adapter, &query),
                         is_known ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL);
            cr_expect_eqs(bits[0], (is_known ? 40 : 7), bits[1], 8);
        }
}

/* ---- clocks ---- */

static bool fails;

static NTSTATUS calibrate(void *adapter, uint32_t node, uint32_t engine,
                          DXGKARG_CALIBRATEGPUCLOCK *clock)
{
    cr_assert_eqs(node, 0, engine, 0);
    const NTSTATUS status =
        emu__kernel_driver.DxgkDdiCalibrateGpuClock(adapter, node, engine, clock);
    cr_assert_eq(status, STATUS_SUCCESS);
    return fails ? STATUS_UNSUCCESSFUL : status;
}

/* The last ones are kept, in their order. */
Test(kmd_driver, pairs_of_clocks_are_taken_when_it_is_time_and_the_last_ones_kept)
{
    static struct emu_kmd_clock_pair pairs[EMU_KMD_CLOCK_PAIRS + 1];
    emu_kernel_driver driver = emu__kernel_driver;
    AT_END(rig_finish) struct rig r;
    driver.DxgkDdiCalibrateGpuClock = calibrate;
    open_kernel(&r, &driver, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
    cr_expect_eq(emu_kmd_clock_pairs(r.kmd, pairs, 4), 0);
    static const struct {
        uint64_t after;
        bool always, fails;
        size_t count;
    } steps[] = {
        {0, false, false, 1}, {EMU_KMD_CALIBRATE_NS - 1, false, false, 1},
        {1, false, true, 1},  {0, false, false, 2},
        {0, false, false, 2}, {0, true, false, 3},
        {1, true, true, 3},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        emu_kmd_advance(r.kmd, steps[i].after);
        fails = steps[i].fails;
        emu__kmd_calibrate(r.kmd, steps[i].always);
        cr_assert_eq(emu_kmd_clock_pairs(r.kmd, pairs, 9), steps[i].count, "%zu", i);
        for (size_t k = 0; k < steps[i].count; k++) {
            cr_expect_eq(pairs[k].cpu, k == 0 ? 0 : EMU_KMD_CALIBRATE_NS);
            cr_expect_eq(pairs[k].gpu, 5 + 2 * pairs[k].cpu);
            cr_expect_eq(pairs[k].frequency, 2000000000);
        }
    }
    fails = false;
    for (uint64_t total = 4; total <= EMU_KMD_CLOCK_PAIRS + 3; total++) {
        const size_t kept = total < EMU_KMD_CLOCK_PAIRS ? total : EMU_KMD_CLOCK_PAIRS;
        emu_kmd_advance(r.kmd, 1);
        emu__kmd_calibrate(r.kmd, true);
        cr_assert_eq(emu_kmd_clock_pairs(r.kmd, pairs, EMU_KMD_CLOCK_PAIRS + 1), kept);
        cr_assert_eq(pairs[kept - 1].cpu, emu__kmd_now(r.kmd));
        cr_assert_eq(emu__kmd_last_pair(r.kmd).cpu, emu__kmd_now(r.kmd));
    }
    for (size_t k = 0; k < EMU_KMD_CLOCK_PAIRS; k++)
        cr_assert_eq(pairs[k].cpu, EMU_KMD_CALIBRATE_NS + 2 + k, "%zu", k);
    cr_expect_eq(emu_kmd_clock_pairs(r.kmd, pairs, 2), 2, "as many as there is room for");
    rig_finish(&r);
    open_kernel(&r, &driver, D3DWDDM1_3DDI_MARKER_TYPE_NONE);
    emu__kmd_calibrate(r.kmd, true);
    cr_expect_eq(emu_kmd_clock_pairs(r.kmd, pairs, 4), 0, "nobody asked for times");
}

/* Bytes in reverse, from the offset on, as many as there is room for. */
Test(kmd_driver, it_turns_the_bytes_of_time_stamps_and_says_where_it_goes_on)
{
    enum { STAMPS = 5 };
    _Alignas(uint64_t) unsigned char buffer[16 + 8 + STAMPS * 8] = {0};
    const DXGK_HISTORY_BUFFER_HEADER header = {.NumTimestamps = STAMPS, .PrivateDataSize = 8};
    memcpy(buffer, &header, sizeof header);
    for (int i = 0; i < STAMPS * 8; i++)
        buffer[24 + i] = (unsigned char)(i + 1);
    for (uint32_t offset = 0; offset <= STAMPS; offset++)
        for (uint32_t room = 0; room <= STAMPS + 1; room++) {
            uint64_t out[STAMPS + 2];
            const uint32_t left = STAMPS - offset, count = room < left ? room : left;
            DXGKARG_FORMATHISTORYBUFFER argument = {.pHistoryBuffer =
                                                        (DXGK_HISTORY_BUFFER *)(void *)buffer,
                                                    .HistoryBufferSize = sizeof buffer,
                                                    .pFormattedBuffer = out,
                                                    .FormattedBufferSize = room * 8 + 7,
                                                    .Offset = offset,
                                                    .NumTimestamps = 99};
            memset(out, 0xEE, sizeof out);
            cr_expect_eq(emu__kernel_driver.DxgkDdiFormatHistoryBuffer(NULL, &argument),
                         STATUS_SUCCESS);
            cr_expect_eqs(argument.NumTimestamps, count, argument.Precision.PrecisionBits, 64);
            cr_expect_eq(argument.Offset, count < left ? offset + count : 0);
            for (uint32_t i = 0; i < STAMPS + 2; i++) {
                uint64_t stamp = 0xEEEEEEEEEEEEEEEE;
                if (i < count)
                    memcpy(&stamp, buffer + 24 + (offset + i) * 8, 8);
                cr_expect_eq(out[i], i < count ? __builtin_bswap64(stamp) : stamp);
            }
        }
}

/* ---- tiles ---- */

/* In order with the queue's work, and as they were when they were passed. */
Test(kmd_driver, a_queue_updates_tiles_in_its_order)
{
    AT_END(rig_finish) struct rig r;
    struct emu_gpu_access access;
    emu_gpu_memory range;
    open_kernel(&r, NULL, 0);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    const emu_gpu_memory memory = allocate(r.gpu, 2 * 65536);
    cr_assert(emu_gpu_reserve(r.gpu, 2 * 65536, 0, &range));
    struct buffer before = buffer_create(r.gpu), after = buffer_create(r.gpu);
    put_write(&before, range.address, 11);
    put_write(&after, range.address, 12);
    put_write(&after, range.address + 65536, 13);
    struct emu_gpu_tiles updates[2] = {{EMU_GPU_TILES_MAP, range.address, memory.address, 1, 65536},
                                       {EMU_GPU_TILES_MAP, range.address + 65536,
                                        memory.address + 65536, 1, 65536}};
    cr_assert(submit(queue, &before, 1));
    cr_assert(emu_kmd_update_tiles(queue, updates, 2));
    memset(updates, 0, sizeof updates);
    cr_assert(submit(queue, &after, 2));
    cr_assert(emu_kmd_update_tiles(queue, updates, 0), "none");
    cr_assert_not(emu_kmd_update_tiles(queue, updates, SIZE_MAX / sizeof *updates + 1));
    emu_kmd_run_until_idle(r.kmd);
    cr_expect_eq(r.completed, 2);
    cr_expect_eq(((uint32_t *)memory.cpu)[0], 12);
    cr_expect_eq(((uint32_t *)memory.cpu)[65536 / 4], 13);
    emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
    updates[0] = (struct emu_gpu_tiles){EMU_GPU_TILES_MAP, range.address, 0, 1, 0};
    cr_assert_not(emu_kmd_update_tiles(queue, updates, 1), "the device is removed");
    cr_assert(emu_gpu_access_begin(r.gpu, range.address, 4, &access));
    cr_expect_eq(*(uint32_t *)access.cpu, 12);
    emu_gpu_access_end(&access);
    emu_kmd_queue_destroy(queue);
}

/* ---- what the driver says of a hang ---- */

struct debug_data {
    char magic[8];
    uint32_t engines, type;
    emu_kernel_engine engine[2];
};

static struct emu_kmd_tdr told;
static struct debug_data said;

static void keep_data(void *user, const struct emu_kmd_removal *removal)
{
    rig_removed(user, removal);
    told = *removal->tdr;
    memset(&said, 0, sizeof said);
    if (told.data)
        memcpy(&said, told.data, told.data_size);
}

/* A reset names the first fence that the engine of that node did not complete, and the payload's
 * node and fences tell which engine timed out, unless another one has the same of each. */
Test(kmd_driver, the_engine_that_timed_out_is_known_by_its_node_and_fences)
{
    static const struct {
        uint32_t node, done, submitted; /* the other one's */
        bool is_busy;
    } others[] = {{2, 50, 52, true}, {1, 50, 50, false}, {2, 50, 50, false}, {1, 5, 7, true},
                  {2, 5, 7, true},   {1, 4, 7, true},    {1, 5, 8, true},    {1, 5, 7, false},
                  {2, 5, 7, false},  {1, 6, 6, false}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (int first = 0; first < 2; first++) {
            AT_END(rig_finish) struct rig r = {0};
            r.gpu = emu_gpu_create();
            r.kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = r.gpu,
                                                          .seeded = true,
                                                          .removed = keep_data,
                                                          .completed = rig_completed,
                                                          .user = &r});
            struct emu_kmd_queue *queues[2] = {emu_kmd_queue_create(r.kmd, &r),
                                               emu_kmd_queue_create(r.kmd, &told)};
            struct emu_kmd_queue *hung = queues[first], *other = queues[!first];
            struct buffer spin = buffer_create(r.gpu);
            put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
            cr_assert(emu_kmd_queue_identify(hung, 1, NULL) &&
                      emu_kmd_queue_identify(other, others[i].node, NULL));
            cr_assert(submit(hung, &spin, 7));
            cr_assert(emu_kmd_step(r.kmd), "spins from now on");
            hung->completed_tag = 5;
            if (others[i].is_busy) {
                cr_assert(submit(other, &spin, others[i].submitted));
                other->busy = true;
                other->address = 8;
            }
            other->completed_tag = others[i].done;
            other->submitted_tag = others[i].submitted;
            r.kmd->clock += EMU_KMD_TDR_TIMEOUT_NS;
            emu_lock(&r.kmd->lock);
            cr_assert(emu__kmd_check_timeout(hung));
            emu_unlock(&r.kmd->lock);
            cr_assert_eqs(r.removals, 1, told.node, 1);
            const bool is_alike = others[i].node == 1 && others[i].done == 5 &&
                                  others[i].submitted == 7 && others[i].is_busy;
            cr_expect_eq(told.context_user, is_alike ? NULL : hung->user, "%zu, %d", i, first);
            cr_expect_eq(told.flags & EMU_KMD_TDR_FORGED_CONTEXT, 0);
            if (others[i].node != 1 || !others[i].is_busy)
                cr_expect_eq(told.flags, 0, "the reset is believed: %x", told.flags);
            for (int n = 0; n < 2; n++)
                emu_kmd_queue_destroy(queues[n]);
        }
}

/* Without a payload that is whole it knows of nobody; and a kernel needs no driver's adapters. */
Test(kmd_driver, without_a_whole_payload_it_names_nobody)
{
    for (uint32_t kind = 0; kind < 5; kind++) {
        AT_END(rig_finish) struct rig r = {0};
        emu_kernel_driver bare = emu__kernel_driver;
        bare.adapter_create = NULL;
        bare.adapter_destroy = NULL;
        bare.context_create = NULL;
        bare.context_destroy = NULL;
        r.gpu = emu_gpu_create();
        r.kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = r.gpu,
                                                      .seeded = true,
                                                      .driver = kind == 4 ? &bare : NULL,
                                                      .removed = keep_data,
                                                      .completed = rig_completed,
                                                      .tdr_payload = kind,
                                                      .user = &r});
        struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, &r);
        struct buffer spin = buffer_create(r.gpu);
        DXGKARG_RESETENGINE reset = {0};
        cr_assert(emu_kmd_queue_identify(queue, 0, NULL));
        put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
        cr_assert(submit(queue, &spin, 7));
        emu_kmd_run_until_idle(r.kmd);
        cr_assert_eq(r.removals, 1);
        cr_expect_eq(told.context_user, kind == 0 || kind == 3 ? (void *)&r : NULL, "%u", kind);
        if (kind < 4) {
            DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT payload = {.LastHwSubmittedFenceId = 7};
            unsigned char data[64] = {0};
            DXGKARG_COLLECTDBGINFO_EXT extension = {0};
            DXGKARG_COLLECTDBGINFO2 info = {.pBuffer = data,
                                            .BufferSize = sizeof data,
                                            .pExtension = &extension,
                                            .TdrType = DXGK_TDR_TYPE_ENGINE_TIMEOUT,
                                            .TdrPayloadSize = sizeof payload};
            cr_expect_eq(bare.DxgkDdiCollectDbgInfo2(r.kmd->driver_adapter, &info), STATUS_SUCCESS);
            info.TdrPayload = &payload;
            info.TdrPayloadSize--;
            cr_expect_eq(bare.DxgkDdiCollectDbgInfo2(r.kmd->driver_adapter, &info), STATUS_SUCCESS);
            cr_expect_null(payload.hContext);
            cr_expect_eq(bare.DxgkDdiResetEngine(r.kmd->driver_adapter, &reset), STATUS_SUCCESS);
        }
        emu_kmd_queue_destroy(queue);
    }
}

/* kernel_driver.c: each engine as it stopped, as many as there is room for, and the guilty one's
 * packet in the bucketing key. */
Test(kmd_driver, its_debug_data_has_the_engines_that_fit)
{
    static const uint32_t whole = sizeof(struct debug_data), one = sizeof(emu_kernel_engine);
    const uint32_t sizes[] = {15, 16, 16 + one - 1, 16 + one, whole - 1, whole, whole + 8};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        AT_END(rig_finish) struct rig r = {0};
        r.gpu = emu_gpu_create();
        r.kmd = emu_kmd_create(&(struct emu_kmd_desc){.gpu = r.gpu,
                                                      .seeded = true,
                                                      .removed = keep_data,
                                                      .completed = rig_completed,
                                                      .tdr_buffer = sizes[i],
                                                      .user = &r});
        struct emu_kmd_queue *queues[2] = {emu_kmd_queue_create(r.kmd, &r),
                                           emu_kmd_queue_create(r.kmd, &told)};
        struct buffer fine = buffer_create(r.gpu), spin = buffer_create(r.gpu);
        for (uint32_t n = 0; n < 2; n++)
            cr_assert(emu_kmd_queue_identify(queues[n], n, NULL));
        struct emu_kmd_fence *fence = emu_kmd_fence_create(r.kmd, 0);
        put_bare(&fine, EMU_PACKET_BARRIER);
        put_bare(&spin, EMU_PACKET_BARRIER);
        put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
        cr_assert(submit(queues[0], &fine, 30));
        cr_assert(submit(queues[1], &spin, 40) && submit(queues[1], &fine, 41));
        cr_assert(emu_kmd_signal(queues[1], fence, 99), "which is no submission");
        emu_kmd_run_until_idle(r.kmd);
        cr_assert_eq(r.removals, 1);
        const uint32_t engines = sizes[i] >= whole ? 2 : sizes[i] >= 16 + one ? 1 : 0;
        cr_expect_eq(told.flags, sizes[i] < 16 ? EMU_KMD_TDR_FAILED : 0, "%u bytes", sizes[i]);
        cr_expect_eq(told.context_user, sizes[i] < 16 ? NULL : (void *)&told, "the second queue's");
        cr_expect_eq(told.bucketing_key,
                     sizes[i] < 16 ? 0 : DXGK_TDR_TYPE_ENGINE_TIMEOUT << 16 | EMU_PACKET_DISPATCH);
        cr_expect_eq(told.status, sizes[i] < 16 ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS);
        cr_expect_eq(said.engines, engines, "%u bytes: %u", sizes[i], said.engines);
        if (engines > 0) {
            cr_expect_eq(memcmp(said.magic, "EMUKDRV1", 8), 0);
            cr_expect_eq(said.type, DXGK_TDR_TYPE_ENGINE_TIMEOUT);
            cr_expect_eqs(said.engine[0].last_completed, 30, said.engine[0].last_submitted, 30);
            cr_expect_eq(said.engine[0].command_buffer, 0, "at rest");
        }
        if (engines > 1) {
            cr_expect_eqs(said.engine[1].last_completed, 0, said.engine[1].last_submitted, 41);
            cr_expect_eq(said.engine[1].command_buffer, spin.memory.address);
            cr_expect_eq(said.engine[1].instruction, spin.memory.address + 8);
            cr_expect_eq(said.engine[1].opcode, EMU_PACKET_DISPATCH);
        }
        for (int n = 0; n < 2; n++)
            emu_kmd_queue_destroy(queues[n]);
        emu_kmd_fence_destroy(fence);
    }
}
