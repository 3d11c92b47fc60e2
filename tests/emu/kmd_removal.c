/* Removals, whole: what the runtime is told and finds in the blob, for each end; and what is left
 * of a kernel then, or in a forked child. */
#include "kmd_rig.h"
#include "kmd/types.h"

enum end { HANGS, FAULTS, IS_NONE, LOST, ASKED, FORCED, MISUSED, ENDS };

enum { NOWHERE = 0x10000 };

/* One queue at rest, one that ends so or at rest, too, and one that waits. */
static void remove_device(struct rig *r, enum end end, uint64_t timeout)
{
    static const enum emu_kmd_error errors[] = {EMU_KMD_LOST, EMU_KMD_ASKED, EMU_KMD_FORCED,
                                                EMU_KMD_MISUSED};
    rig_init(r, true, 3, timeout);
    struct buffer fine = buffer_create(r->gpu), last = buffer_create(r->gpu);
    struct emu_kmd_queue *queues[3];
    for (int i = 0; i < 3; i++)
        queues[i] = emu_kmd_queue_create(r->kmd, NULL);
    struct emu_kmd_fence *fence = emu_kmd_fence_create(r->kmd, 0);
    put_bare(&fine, EMU_PACKET_BARRIER);
    put_bare(&last, EMU_PACKET_BARRIER);
    if (end == HANGS)
        put_kernel(&last, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    else if (end == FAULTS)
        put_write(&last, NOWHERE, 1);
    else
        put_marker(&last, (enum emu_marker_kind)9, 1);
    cr_assert(submit(queues[0], &fine, 5));
    cr_assert(emu_kmd_wait(queues[2], fence, 1) && submit(queues[2], &fine, 8));
    emu_kmd_run_until_idle(r->kmd);
    if (end <= IS_NONE) {
        cr_assert(submit(queues[1], &last, 6) && submit(queues[1], &fine, 7));
        emu_kmd_run_until_idle(r->kmd);
    } else {
        emu_kmd_remove(r->kmd, errors[end - LOST]);
        emu_kmd_remove(r->kmd, EMU_KMD_LOST);
    }
    cr_assert_eq(r->removals, 1);
    cr_expect_eq(emu_kmd_fence_value(fence), UINT64_MAX);
    const struct emu_kmd_blob *blob = rig_blob(r);
    const bool has_culprit = end <= IS_NONE;
    const struct emu_kmd_blob_queue rows[3] = {
        {0, EMU_KMD_BLOB_IDLE, 0, fine.memory.address, EMU_PACKET_BARRIER, 0},
        {1,
         end == HANGS  ? EMU_KMD_BLOB_SPINNING
         : has_culprit ? EMU_KMD_BLOB_FAULTED
                       : EMU_KMD_BLOB_IDLE,
         has_culprit ? 6 : 0, has_culprit ? last.memory.address + 8 : 0,
         end == HANGS     ? EMU_PACKET_DISPATCH
         : end == FAULTS  ? EMU_PACKET_WRITE_IMMEDIATE
         : end == IS_NONE ? EMU_PACKET_MARKER
                          : 0,
         has_culprit ? 1 : 0},
        {2, EMU_KMD_BLOB_WAITING, 0, 0, 0, 2}};
    cr_assert_eq(r->removal.blob_size, sizeof *blob + sizeof rows);
    cr_expect(memcmp(blob->magic, "EMUKMD1", 8) == 0 && blob->queue_count == 3);
    cr_expect_eq(blob->time, r->removal.time);
    cr_expect_eq(blob->error, (uint32_t)r->removal.error);
    cr_expect_eq(blob->culprit, has_culprit ? 1 : EMU_KMD_BLOB_NOBODY);
    cr_expect_eq(blob->reason, end == FAULTS    ? (uint32_t)EMU_FAULT_PAGE
                               : end == IS_NONE ? (uint32_t)EMU_FAULT_PACKET
                                                : 0);
    cr_expect_eq(blob->fault_address, end == FAULTS ? NOWHERE : 0);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(memcmp(&blob->queues[i], &rows[i], sizeof rows[i]), 0, "row %zu, end %d", i,
                     (int)end);
    emu_kmd_fence_destroy(fence);
    for (int i = 0; i < 3; i++)
        emu_kmd_queue_destroy(queues[i]);
    rig_finish(r);
}

Test(kmd_removal, the_runtime_is_told_how_the_device_ended)
{
    static const enum emu_kmd_error errors[] = {EMU_KMD_HUNG,   EMU_KMD_PAGE_FAULT, EMU_KMD_HUNG,
                                                EMU_KMD_LOST,   EMU_KMD_ASKED,      EMU_KMD_FORCED,
                                                EMU_KMD_MISUSED};
    static const uint64_t timeouts[][2] = {{0, EMU_KMD_TDR_TIMEOUT_NS},
                                           {1, 1},
                                           {5000, 5000},
                                           {EMU_KMD_TIMEOUT_LIMIT_NS - 1,
                                            EMU_KMD_TIMEOUT_LIMIT_NS - 1},
                                           {UINT64_MAX, EMU_KMD_TIMEOUT_LIMIT_NS}};
    for (int end = 0; end < ENDS; end++)
        for (size_t t = 0; t < sizeof timeouts / sizeof timeouts[0]; t++) {
            struct rig r;
            remove_device(&r, (enum end)end, timeouts[t][0]);
            cr_expect_eq(r.removal.error, errors[end]);
            cr_expect_eq(r.removal.bad_packet, end == IS_NONE);
            cr_expect_eq(r.removal.fault_address, end == FAULTS ? NOWHERE : 0);
            cr_expect_eq(r.removal.timeout_ns, timeouts[t][1]);
            cr_expect(end == HANGS ? r.removal.time >= timeouts[t][1] : r.removal.time < 100000,
                      "not before its time, or at once");
            cr_expect_eq(r.removal.tdr != NULL, end <= IS_NONE || end == FORCED);
        }
}

/* RFC 9562: version 4 in the high bits of the third group, which Windows stores backwards, and
 * variant 10; all others are the seed's. */
Test(kmd_removal, a_guid_is_random_but_for_its_version_and_variant)
{
    uint8_t ones[16] = {0}, zeros[16] = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        RIG(true, seed, 0);
        emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
        for (int i = 0; i < 16; i++) {
            ones[i] |= r.removal.guid[i];
            zeros[i] |= (uint8_t)~r.removal.guid[i];
        }
    }
    for (int i = 0; i < 16; i++) {
        cr_expect_eq(ones[i], i == 7 ? 0x4F : i == 8 ? 0xBF : 0xFF, "byte %d: %x", i, ones[i]);
        cr_expect_eq(zeros[i], i == 7 ? 0xBF : i == 8 ? 0x7F : 0xFF, "byte %d: %x", i, zeros[i]);
    }
}

/* Without a seed no two are alike. */
Test(kmd_removal, guids_of_applications_differ)
{
    uint8_t guids[8][16];
    for (int i = 0; i < 8; i++) {
        RIG(false, 0, 0);
        emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
        memcpy(guids[i], r.removal.guid, 16);
        for (int k = 0; k < i; k++)
            cr_expect_neq(memcmp(guids[i], guids[k], 16), 0);
        cr_expect_eqs(guids[i][7] >> 4, 4, guids[i][8] >> 6, 2);
    }
}

/* ---- fences ---- */

/* Whichever goes first, a removal reaches those that are left, and those that come later. */
Test(kmd_removal, every_fence_that_there_is_or_will_be_has_the_highest_value)
{
    for (unsigned left = 0; left < 8; left++) {
        AT_END(rig_finish) struct rig r;
        struct emu_kmd_fence *fences[3];
        rig_init(&r, true, 1, 0);
        for (uint64_t i = 0; i < 3; i++)
            fences[i] = emu_kmd_fence_create(r.kmd, 10 + i);
        for (uint64_t i = 0; i < 3; i++)
            if ((left & 1u << i) == 0)
                emu_kmd_fence_destroy(fences[i]);
            else
                cr_assert_eq(emu_kmd_fence_value(fences[i]), 10 + i);
        emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
        struct emu_kmd_fence *late = emu_kmd_fence_create(r.kmd, 1);
        cr_expect_eq(emu_kmd_fence_value(late), UINT64_MAX);
        emu_kmd_fence_destroy(late);
        for (int i = 0; i < 3; i++)
            if (left & 1u << i) {
                cr_expect_eq(emu_kmd_fence_value(fences[i]), UINT64_MAX, "%u: %d", left, i);
                emu_kmd_fence_destroy(fences[i]);
            }
        cr_expect_null(r.kmd->fences);
    }
}

/* ---- a forked child ---- */

/* Nothing runs there, and nobody is told. */
Test(kmd_removal, a_kernel_that_was_inherited_is_removed)
{
    RIG(true, 1, 0);
    AT_END(queue_ended) struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    struct emu_kmd_fence *fences[2] = {emu_kmd_fence_create(r.kmd, 5),
                                       emu_kmd_fence_create(r.kmd, 6)};
    struct buffer spin = buffer_create(r.gpu);
    put_kernel(&spin, EMU_KERNEL_SPIN, 0, 0, 0, 0);
    cr_assert(submit(queue, &spin, 1) && submit(queue, &spin, 2));
    for (int i = 0; i < 3; i++)
        cr_assert(emu_kmd_step(r.kmd));
    r.kmd->active = 1; /* a thread of the parent's, in a callback */
    emu_kmd_inherit(r.kmd);
    cr_expect(emu_kmd_is_removed(r.kmd));
    for (int i = 0; i < 2; i++)
        cr_expect_eq(emu_kmd_fence_value(fences[i]), UINT64_MAX);
    cr_expect_not(submit(queue, &spin, 3));
    cr_expect_not(emu_kmd_step(r.kmd));
    emu_kmd_remove(r.kmd, EMU_KMD_ASKED);
    cr_expect_eq(r.removals, 0);
    cr_expect(atomic_load(&r.kmd->stop));
    for (int i = 0; i < 2; i++)
        emu_kmd_fence_destroy(fences[i]);
}
