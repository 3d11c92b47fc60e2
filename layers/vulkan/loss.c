/* Writes the dump of a lost device: one for each device, because later losses are consequences of
 * the first. */
#include "vulkan_layer.h"
#include "../crash/say.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Leaves out bundles of which the rows say nothing: what is known of their places then counts,
 * unless they are cut. */
static uint32_t keep_telling_rows(struct vkl_device *device, annot_progress *rows, uint32_t count)
{
    struct timespec until;
    uint32_t kept = 0;
    uint64_t list = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    if (pthread_rwlock_timedrdlock(&device->objects, &until) != 0)
        return count; /* a thread that is dead or stuck has it */
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].bundle == 0)
            list = rows[i].object;
        vkl_row_temper(device, &rows[i]);
        if (rows[i].bundle == 0 || rows[i].state != ANNOT_PROGRESS_UNKNOWN ||
            rows[i].inside != ANNOT_INSIDE_NOT_TRACKED ||
            vkl_bundle_is_cut(device, list, rows[i].bundle))
            rows[kept++] = rows[i];
    }
    pthread_rwlock_unlock(&device->objects);
    return kept;
}

struct parts {
    annot_crash_report report;
    annot_blob blob;
    char labels[160];
    annot_fact facts[25];
    annot_dump_info info;
};

static unsigned long long count_of(const _Atomic uint64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

/* So that a report without labels says whether there were none, or none was recorded where the GPU
 * stopped. */
static void add_counts(struct parts *parts, const struct vkl_counts *counts)
{
    snprintf(parts->labels, sizeof parts->labels, "%llu begun, %llu ended, %llu points, %llu names",
             count_of(&counts->begun), count_of(&counts->ended), count_of(&counts->points),
             count_of(&counts->names));
    parts->facts[parts->info.fact_count++] = (annot_fact){"labels", parts->labels};
    parts->info.facts = parts->facts;
}

static void add_fault(struct parts *parts, const struct vkl_fault *fault)
{
    if (!fault)
        return;
    if (fault->has_address) {
        parts->report.fault_address = fault->address;
        parts->info.error = ANNOT_DEVICE_ERROR_PAGE_FAULT;
    }
    for (uint32_t i = 0; i < fault->fact_count; i++)
        parts->facts[parts->info.fact_count++] =
            (annot_fact){fault->facts[i][0], fault->facts[i][1]};
    if (fault->binary) {
        parts->blob = (annot_blob){
            .kind = ANNOT_BLOB_DRIVER, .data = fault->binary, .size = (size_t)fault->binary_size};
        parts->info.blobs = &parts->blob;
        parts->info.blob_count = 1;
    }
}

void vkl_dump(struct vkl_device *device, const struct vkl_crash *crash)
{
    char path[sizeof device->settings.dump + 32];
    uint32_t count = 0, in_flight = 0;
    if (!device->writer || atomic_fetch_add_explicit(&device->dumps, 1, memory_order_acq_rel) > 0)
        return;
    struct parts parts = {.report = {.size = sizeof parts.report}};
    parts.info = (annot_dump_info){
        .error = crash->error,
        .reason = crash->reason,
        .adapter = device->properties.deviceName,
    };
    struct vkl_fault *fault = crash->is_lost ? vkl_fault_ask(device) : NULL;
    if (annot_tracker_copy_rows(device->tracker, device->rows, device->row_capacity, &count,
                                &in_flight)) {
        if (crash->is_lost && device->evidence == VKL_EVIDENCE_CHECKPOINTS)
            vkl_checkpoints_judge(device, device->rows, count);
        parts.report.progress = device->rows;
        parts.report.progress_count = keep_telling_rows(device, device->rows, count);
        parts.info.report = &parts.report;
    }
    add_counts(&parts, &device->counts);
    add_fault(&parts, fault);
    crash_dump_path(&device->settings, path, sizeof path);
    const annot_result result = annot_dump_write_file(device->writer, &parts.info, path);
    const char *written = annot_dump_writer_path(device->writer);
    crash_dump_say(&device->settings, result, crash->reason, *written ? written : path);
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
