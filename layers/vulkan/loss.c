/* How a lost device, or a device without progress, gets its dump. */
#include "vulkan_layer.h"
#include "environment.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Adds the objects near the address. device->objects is locked. */
static void add_objects(struct vkl_device *device, struct crash_dump *dump, uint64_t address)
{
    struct vkl_named *named, *next;
    crash_memory_seek(&device->memory, address);
    HASH_ITER(hh, device->named, named, next)
    crash_memory_weigh(&device->memory,
                       (annot_allocation_range){.address = named->address,
                                                .size = named->size,
                                                .object = annot_object_id(named->object)});
    crash_memory_tell(&device->memory, dump, 0);
}

static uint32_t keep_telling_rows(struct vkl_device *device, struct crash_dump *dump,
                                  annot_progress *rows, uint32_t count)
{
    const struct timespec until = crash_deadline(1);
    if (pthread_rwlock_timedrdlock(&device->objects, &until) != 0)
        return count; /* a dead or stuck thread has the lock */
    const char *said = vkl_stamps_judge(device, rows, count);
    if (said)
        crash_dump_add_fact(dump, "in passes", said);
    for (uint32_t i = 0; i < count; i++)
        vkl_row_temper(device, &rows[i]);
    if (dump->info.fault_count > 0)
        add_objects(device, dump, dump->info.faults[0].address);
    count = crash_rows_keep(rows, count, vkl_bundle_is_cut, device);
    pthread_rwlock_unlock(&device->objects);
    return count;
}

static void add_fault(struct crash_dump *dump, const struct vkl_fault *fault)
{
    if (!fault)
        return;
    dump->info.findings_cut += fault->cut;
    if (fault->has_address)
        crash_dump_add_fault(dump, fault->address, ANNOT_FAULT_DRIVER);
    for (uint32_t i = 0; i < fault->fact_count; i++)
        crash_dump_add_fact(dump, fault->facts[i][0], fault->facts[i][1]);
    if (fault->binary) {
        dump->blob = (annot_blob){
            .kind = ANNOT_BLOB_DRIVER, .data = fault->binary, .size = (size_t)fault->binary_size};
        dump->info.blobs = &dump->blob;
        dump->info.blob_count = 1;
    }
}

/* Adds the files that the driver wrote about the hang: RADV's folder (RADV_DEBUG=hang) with its
 * names, but not those behind a link, and the log of Mesa's drivers.
 * https://docs.mesa3d.org/drivers/amd/hang-debugging.html */
static void add_driver_s_files(struct vkl_device *device, struct crash_dump *dump)
{
    const char *home = os_environment_borrow("HOME"), *log = os_environment_borrow("MESA_LOG_FILE");
    const char *debug = os_environment_borrow("RADV_DEBUG");
    char *text = device->driver_s_report, path[sizeof device->driver_s_report];
    struct stat status;
    glob_t found = {0};
    if (log && *log)
        crash_dump_add_fact(dump, "driver's log", log);
    snprintf(path, sizeof path, "%s/radv_dumps_%ld_*", home ? home : "", (long)getpid());
    if (!debug || !strstr(debug, "hang") || glob(path, 0, NULL, &found) != 0)
        return;
    size_t used = (size_t)snprintf(text, sizeof path, "%s", found.gl_pathv[found.gl_pathc - 1]);
    crash_dump_add_fact(dump, "driver's report", text);
    globfree(&found);
    DIR *folder = lstat(text, &status) == 0 && S_ISDIR(status.st_mode) ? opendir(text) : NULL;
    for (const struct dirent *at; folder && used < sizeof path && (at = readdir(folder));)
        if (*at->d_name != '.')
            used += (size_t)snprintf(text + used, sizeof path - used, " %s", at->d_name);
    if (folder)
        closedir(folder);
}

static uint32_t gather(void *user, struct crash_dump *dump, annot_progress *rows, uint32_t count,
                       bool is_whole)
{
    struct vkl_device *device = user;
    (void)is_whole;
    dump->info.adapter = device->properties.deviceName;
    device->fault = dump->is_loss ? vkl_fault_ask(device) : NULL;
    add_fault(dump, device->fault);
    if (dump->is_loss)
        add_driver_s_files(device, dump);
    if (dump->is_loss && device->evidence == VKL_EVIDENCE_CHECKPOINTS)
        vkl_checkpoints_judge(device, rows, count);
    count = keep_telling_rows(device, dump, rows, count);
    crash_device_tell_waits(&device->crash, dump, rows, count);
    const struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next)
        crash_queue_tell(&queue->crash, dump);
    return count;
}

static void let_go(void *user)
{
    struct vkl_device *device = user;
    vkl_fault_free(device->fault);
    device->fault = NULL;
}

/* ---- calls that report a loss ---- */

static void lost(struct vkl_device *device, const char *call)
{
    char reason[96];
    snprintf(reason, sizeof reason, "%s returned VK_ERROR_DEVICE_LOST", call);
    vkl_device_poll(device);
    crash_device_lost(&device->crash, annot_device_error_from_vk_result(VK_ERROR_DEVICE_LOST),
                      reason);
}

VkResult vkl_check(struct vkl_device *device, VkResult result, const char *call)
{
    if (result == VK_ERROR_DEVICE_LOST && device && !crash_device_is_told(&device->crash))
        lost(device, call);
    return result;
}

/* ---- the watchdog, which takes no lock that the application's threads hold around a call of the
 * driver, and makes no call that can wait ---- */

static bool waits(const struct vkl_queue *queue, uint64_t serial)
{
    const uint32_t byte =
        atomic_load_explicit(&queue->waits[serial % VKL_WAITS / 8], memory_order_relaxed);
    return byte >> serial % 8 & 1u;
}

static void look(void *user, struct crash_look *look)
{
    struct vkl_device *device = user;
    const bool is_there = vkl_device_poll(device);
    struct vkl_queue *queue = atomic_load_explicit(&device->queues, memory_order_acquire);
    for (; queue; queue = queue->next) {
        /* a submission that waits for a semaphore may wait for a much later signal */
        const bool is_due = !waits(queue, crash_queue_done(&queue->crash) + 1);
        crash_queue_look(&queue->crash, is_due, look);
    }
    const uint32_t count =
        crash_look_rows(look, device->crash.tracker, device->crash.watched, CRASH_ROWS);
    if (is_there && look->is_pending && look->fingerprint == device->crash.watchdog.fingerprint)
        vkl_stamps_ask(device, device->crash.watched, count);
    if (!is_there && !crash_device_is_told(&device->crash))
        lost(device, "the layer's vkGetSemaphoreCounterValue");
}

bool vkl_watchdog_look(struct vkl_device *device, uint64_t now)
{
    const bool is_first = !crash_device_has_dump(&device->crash);
    return crash_watchdog_look(&device->crash.watchdog, now) && is_first;
}

void vkl_watchdog_start(struct vkl_device *device)
{
    static const struct crash_functions functions = {look, gather, let_go};
    crash_device_watch(&device->crash, &functions, device);
}
