/* Removals with kernel-mode drivers that are slow or lie [ANN-TDR-05, -06]. */
#include "at_end.h"
#include "kmd_rig.h"

#include "gpu/engine_step.h"

static struct emu_kmd_tdr last;
static bool has_tdr;

static void on_removed(void *user, const struct emu_kmd_removal *removal)
{
    rig_removed(user, removal);
    has_tdr = removal->tdr != NULL;
    if (has_tdr)
        last = *removal->tdr;
    for (size_t i = 0; has_tdr && last.data && i < last.data_size; i++)
        (void)((volatile const unsigned char *)last.data)[i];
}

enum { QUEUES = 2 };

/* All of one node and with equal fences. */
static void spin_on(unsigned queues, const emu_kernel_driver *driver, uint64_t seed)
{
    AT_END(rig_finish) struct rig r = {0};
    r.gpu = emu_gpu_create();
    r.kmd = KMD(r.gpu, &r, .seeded = true, .seed = seed, .removed = on_removed,
                .completed = rig_completed, .driver = driver);
    struct emu_kmd_queue *queue[QUEUES];
    for (unsigned i = 0; i < queues; i++) {
        queue[i] = emu_kmd_queue_create(r.kmd, NULL);
        cr_assert(emu_kmd_queue_identify(queue[i], i + 1, 0, NULL));
        struct buffer b = buffer_create(r.gpu);
        put_kernel(&b, EMU_KERNEL_SPIN, 0, 0, 0, 0);
        cr_assert(submit(queue[i], &b, 1));
    }
    emu_kmd_run_until_idle(r.kmd);
    cr_assert_eq(r.removals, 1);
    cr_assert(has_tdr);
    for (unsigned i = 0; i < queues; i++)
        emu_kmd_queue_destroy(queue[i]);
}

static void spin_with(const emu_kernel_driver *driver, uint64_t seed)
{
    spin_on(1, driver, seed);
}

static const emu_kernel_adapter *the_kernel;
static uint64_t delay;

static void *adapter_create(emu_kernel_adapter *kernel)
{
    the_kernel = kernel;
    return emu__kernel_driver.adapter_create(kernel);
}

static NTSTATUS collect_slowly(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    emu__kernel_host.stall(the_kernel, delay);
    return emu__kernel_driver.DxgkDdiCollectDbgInfo2(adapter, info);
}

Test(kmd_tdr, slow_ddi_is_told)
{
    emu_kernel_driver driver = emu__kernel_driver;
    driver.adapter_create = adapter_create;
    driver.DxgkDdiCollectDbgInfo2 = collect_slowly;
    delay = EMU_KMD_TDR_DDI_DELAY;
    spin_with(&driver, 1);
    cr_assert_eqs(last.dump.time, delay, last.dump.flags, 0);
    delay++;
    spin_with(&driver, 1);
    cr_assert_eqs(last.dump.time, delay, last.dump.flags, ANNOT_TDR_SLOW);
    cr_assert(last.data_size > 0, "what it said is kept");
}

Test(kmd_tdr, whatever_a_driver_does_the_device_is_removed_once)
{
    unsigned flags = 0, types = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        spin_with(&emu__kernel_driver_hostile, seed);
        flags |= last.dump.flags;
        types |= 1u << last.dump.type;
    }
    cr_assert_eq(flags,
                 ANNOT_TDR_OVERRUN | ANNOT_TDR_FAILED | ANNOT_TDR_FORGED_CONTEXT | ANNOT_TDR_SLOW |
                     ANNOT_TDR_PAYLOAD_CHANGED | ANNOT_TDR_RESET_FAILED,
                 "every lie was told: %x", flags);
    cr_assert_eq(types, 1u << 6 | 1u << 9);
}

/* Where node and fences fit two queues, the driver can't tell which of them timed out
 * [ANN-TDR-11]. */
Test(kmd_tdr, the_reference_driver_holds_no_other_queue_guilty)
{
    unsigned unnamed = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        spin_on(1, &emu__kernel_driver, seed);
        cr_assert_eq(last.dump.context, last.dump.queue, "alone, seed %d", (int)seed);
        cr_assert_eq(last.dump.context, 1);
        spin_on(2, &emu__kernel_driver, seed);
        cr_assert(last.dump.context == 0 || last.dump.context == last.dump.queue, "seed %d",
                  (int)seed);
        unnamed += last.dump.context == 0;
    }
    cr_assert_gt(unnamed, 0, "both were at work at no seed");
}

/* ---- work that would end ---- */

/* Removals of a program whose one fill of 64 pieces takes that many steps of the clock. */
static unsigned removals_of_long_work(bool times_work, uint64_t timeout_ns)
{
    AT_END(rig_finish) struct rig r = {0};
    enum { BYTES = 64 * EMU_ENGINE_STEP_BYTES };
    r.gpu = emu_gpu_create();
    r.kmd = KMD(r.gpu, &r, .seeded = true, .seed = 1, .tdr_timeout_ns = timeout_ns,
                .times_work = times_work, .removed = rig_removed, .completed = rig_completed);
    struct emu_kmd_queue *queue = emu_kmd_queue_create(r.kmd, NULL);
    emu_gpu_memory memory;
    struct buffer b = buffer_create(r.gpu);
    cr_assert(emu_gpu_allocate(r.gpu, BYTES, 0, &memory));
    put_kernel(&b, EMU_KERNEL_FILL, memory.address, 0, 7, BYTES / 4);
    cr_assert(submit(queue, &b, 1));
    emu_kmd_run_until_idle(r.kmd);
    emu_kmd_queue_destroy(queue);
    return r.removals;
}

/* Windows doesn't ask whether work would end: what the GPU is not done with in the time that is
 * permitted is a hang [S3]. The emulator does so where it is asked to. */
Test(kmd_tdr, one_operation_longer_than_the_timeout_is_a_hang_where_work_is_timed)
{
    cr_assert_eq(removals_of_long_work(false, 5000), 0);
    cr_assert_eq(removals_of_long_work(true, 5000), 1);
    cr_assert_eq(removals_of_long_work(true, 1000000), 0);
}
