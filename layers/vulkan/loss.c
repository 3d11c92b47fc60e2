/* Writes the dump of a lost device: one for each device, because later losses are consequences of
 * the first. */
#include "vulkan_layer.h"

#include <stdio.h>
#include <time.h>

static bool is_cut(void *user, uint64_t list, uint32_t bundle)
{
    const struct vkl_device *device = user;
    return vkl_bundle_is_cut(device, list, bundle);
}

static uint32_t keep_telling_rows(struct vkl_device *device, annot_progress *rows, uint32_t count)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    if (pthread_rwlock_timedrdlock(&device->objects, &until) != 0)
        return count; /* a thread that is dead or stuck has it */
    for (uint32_t i = 0; i < count; i++)
        vkl_row_temper(device, &rows[i]);
    count = crash_rows_keep(rows, count, is_cut, device);
    pthread_rwlock_unlock(&device->objects);
    return count;
}

static void add_fault(struct crash_dump *dump, const struct vkl_fault *fault)
{
    if (!fault)
        return;
    if (fault->has_address)
        crash_dump_add_fault(dump, fault->address);
    for (uint32_t i = 0; i < fault->fact_count; i++)
        crash_dump_add_fact(dump, fault->facts[i][0], fault->facts[i][1]);
    if (fault->binary) {
        dump->blob = (annot_blob){
            .kind = ANNOT_BLOB_DRIVER, .data = fault->binary, .size = (size_t)fault->binary_size};
        dump->info.blobs = &dump->blob;
        dump->info.blob_count = 1;
    }
}

void vkl_dump(struct vkl_device *device, const struct vkl_crash *crash)
{
    uint32_t count = 0, in_flight = 0;
    struct crash_dump dump;
    if (!crash_device_claim_dump(&device->crash))
        return;
    crash_dump_init(&dump, crash->error, crash->reason);
    dump.info.adapter = device->properties.deviceName;
    struct vkl_fault *fault = crash->is_lost ? vkl_fault_ask(device) : NULL;
    if (annot_tracker_copy_rows(device->crash.tracker, device->crash.rows, CRASH_ROWS, &count,
                                &in_flight)) {
        if (crash->is_lost && device->evidence == VKL_EVIDENCE_CHECKPOINTS)
            vkl_checkpoints_judge(device, device->crash.rows, count);
        count = keep_telling_rows(device, device->crash.rows, count);
        crash_dump_add_rows(&dump, device->crash.rows, count);
    }
    crash_dump_add_counts(&dump, &device->crash.counts);
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        crash_queue_tell(&queue->crash, &dump);
    add_fault(&dump, fault);
    crash_dump_write(&dump, &device->settings, device->crash.writer);
    vkl_fault_free(fault);
}

VkResult vkl_check(struct vkl_device *device, VkResult result, const char *call)
{
    if (result != VK_ERROR_DEVICE_LOST || !device)
        return result;
    char reason[96];
    snprintf(reason, sizeof reason, "%s returned VK_ERROR_DEVICE_LOST", call);
    const struct vkl_crash crash = {
        .error = annot_device_error_from_vk_result(result), .reason = reason, .is_lost = true};
    vkl_device_poll(device);
    vkl_dump(device, &crash);
    return result;
}
