#include "device.h"

#include "ending.h"
#include "os_ask.h"
#include "say.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

void ANNOT_DDI_CALL crash_ignore_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                              const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

void ANNOT_DDI_CALL crash_ignore_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

void ANNOT_DDI_CALL crash_ignore_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

bool crash_device_open(struct crash_device *device, const struct crash_settings *settings,
                       const annot_driver *driver, const annot_tracker_desc *tracked,
                       const char *evidence)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = driver;
    desc.memory_budget = settings->memory;
    desc.force_driver_retail = true;
    device->settings = settings;
    device->promises = tracked->promises;
    device->rows = malloc(CRASH_ROWS * sizeof *device->rows);
    device->watched = malloc(CRASH_ROWS * sizeof *device->watched);
    device->dump = malloc(sizeof *device->dump);
    crash_claim_open(&device->claim, settings->wait);
    pthread_mutex_init(&device->waits.lock, NULL);
    if (!device->rows || !device->watched || !device->dump ||
        annot_device_create(&desc, &device->annot) != ANNOT_OK ||
        annot_tracker_create(device->annot, tracked, &device->tracker) != ANNOT_OK ||
        annot_dump_writer_create(device->annot, &device->writer) != ANNOT_OK) {
        crash_device_close(device);
        return false;
    }
    annot_device_set_fact(device->annot, "evidence", evidence);
    annot_device_set_fact(device->annot, "level", crash_level_text(settings->level));
    return true;
}

void crash_device_close(struct crash_device *device)
{
    annot_dump_writer_destroy(device->writer);
    annot_tracker_destroy(device->tracker);
    annot_device_destroy(device->annot);
    free(device->rows);
    free(device->watched);
    free(device->dump);
    pthread_mutex_destroy(&device->waits.lock);
    live_file_remove(&device->live);
    crash_device_inherit(device);
}

void crash_device_inherit(struct crash_device *device)
{
    device->annot = NULL;
    device->tracker = NULL;
    device->writer = NULL;
    device->rows = device->watched = NULL;
    device->dump = NULL;
    device->waits.queues = NULL;
}

/* ---- a dump ---- */

static void gather(struct crash_device *device)
{
    uint32_t count = 0, in_flight = 0;
    const bool has_rows =
        annot_tracker_copy_rows(device->tracker, device->rows, CRASH_ROWS, &count, &in_flight);
    const uint32_t cut = in_flight - count;
    count = device->functions->gather(device->user, device->dump, device->rows, count,
                                      has_rows && cut == 0);
    device->dump->info.progress_cut = cut;
    if (has_rows)
        crash_dump_add_rows(device->dump, device->rows, count, device->promises);
}

void crash_device_tell_waits(struct crash_device *device, struct crash_dump *dump,
                             const annot_progress *rows, uint32_t count)
{
    crash_waits_tell(&device->waits, rows, count, &device->told);
    dump->info.waits = device->told.waits;
    dump->info.wait_count = device->told.count;
}

/* Says once why the file for annot recover lacks a dump. Returns true if `why` is NULL. */
static bool is_kept(struct crash_device *device, const char *why)
{
    char line[320];
    snprintf(line, sizeof line, "the layer stores no new dump for annot recover: %s",
             why ? why : "");
    if (why && !device->has_complained)
        crash_say(device->settings->is_quiet, line);
    device->has_complained |= why != NULL;
    return !why;
}

/* False: it wrote none. */
static bool write_dump(struct crash_device *device, enum crash_cause cause,
                       annot_device_error error, const char *reason)
{
    struct crash_ending ending;
    if (!device->writer || !device->functions || !crash_claim_take(&device->claim, cause))
        return false;
    const bool is_live = cause == CRASH_LIVE;
    if (!is_live)
        crash_ending_hold(&ending);
    crash_dump_init(device->dump, error, reason);
    device->dump->is_loss = cause == CRASH_LOSS;
    gather(device);
    crash_dump_add_counts(device->dump, &device->counts);
    if (error == ANNOT_DEVICE_ERROR_NONE && device->dump->since != 0)
        snprintf(device->dump->reason, sizeof device->dump->reason,
                 "%s; the oldest unfinished work was submitted %.1f s before this dump", reason,
                 (double)(crash_clock_now() - device->dump->since) / 1e9);
    if (error != ANNOT_DEVICE_ERROR_NONE && cause == CRASH_ALARM)
        crash_dump_add_fact(device->dump, "alarm",
                            "the device was not lost; the work may be slow and finish later");
    size_t size = 0;
    if (is_live)
        annot_dump_write_memory(device->writer, &device->dump->info, device->live.dump,
                                (size_t)device->live.header.capacity, &size);
    const bool is_written = is_live
                                ? is_kept(device, live_file_store(&device->live, size))
                                : crash_dump_write(device->dump, device->settings, device->writer);
    if (device->functions->let_go)
        device->functions->let_go(device->user);
    crash_claim_finish(&device->claim);
    if (is_live)
        return is_written;
    if (error == ANNOT_DEVICE_ERROR_NONE && crash_claim_end_alarm(&device->claim))
        crash_claim_finish(&device->claim);
    crash_ending_release(&ending);
    return is_written;
}

/* Writes the dump again without a call of the runtime, because dead threads may have its locks. */
static void write_anew(struct crash_device *device)
{
    static char reason[sizeof device->dump->reason];
    uint32_t count = 0, in_flight = 0;
    memcpy(reason, device->dump->reason, sizeof reason - 1);
    crash_dump_init(device->dump, (annot_device_error)device->dump->info.error, reason);
    if (annot_tracker_copy_rows(device->tracker, device->rows, CRASH_ROWS, &count, &in_flight))
        crash_dump_add_rows(device->dump, device->rows, count, device->promises);
    device->dump->info.progress_cut = in_flight - count;
    crash_dump_add_counts(device->dump, &device->counts);
    crash_dump_add_fact(device->dump, "written anew",
                        "the process ended while another thread wrote this dump");
    device->dump->info.lock_wait = 1;
    crash_dump_write(device->dump, device->settings, device->writer);
    crash_claim_finish(&device->claim);
}

void crash_device_lost(struct crash_device *device, annot_device_error error, const char *reason)
{
    write_dump(device, CRASH_LOSS, error, reason);
}

bool crash_device_is_told(struct crash_device *device)
{
    return !device->writer || crash_claim_is_over(&device->claim);
}

bool crash_device_has_dump(const struct crash_device *device)
{
    return crash_claim_is_taken(&device->claim);
}

/* ---- the watchdog ---- */

static pthread_mutex_t watched_lock = PTHREAD_MUTEX_INITIALIZER;
static struct crash_device *watched;

/* Stores a dump of the watchdog's own device for annot recover. Answers a person who asks for a
 * dump: of each device, a new one unless it failed before [ANN-LEAVE-04]. */
static void answer(struct crash_device *own)
{
    const char *paths[OS_ASK_PATHS];
    struct crash_device *device;
    unsigned count = 0;
    if (pthread_mutex_trylock(&watched_lock) != 0)
        return;
    if (own->live.path)
        write_dump(own, CRASH_LIVE, ANNOT_DEVICE_ERROR_NONE, "kept while the program ran");
    const int request = os_ask_take();
    LL_FOREACH(request == -1 ? NULL : watched, device)
    {
        if (write_dump(device, CRASH_ALARM, ANNOT_DEVICE_ERROR_NONE,
                       "annot ask asked for this dump") ||
            (device->writer && crash_device_has_dump(device)))
            paths[count++ % OS_ASK_PATHS] = annot_dump_writer_path(device->writer);
    }
    if (request != -1)
        os_ask_answer(request, paths, count < OS_ASK_PATHS ? count : OS_ASK_PATHS,
                      "the process could not write a dump");
    pthread_mutex_unlock(&watched_lock);
}

static void look(void *user, struct crash_look *look)
{
    struct crash_device *device = user;
    answer(device);
    crash_waits_tell(&device->waits, NULL, 0, &device->watched_waits);
    look->is_pending |= device->watched_waits.has_circle;
    look->is_alarmed |= device->watched_waits.has_circle;
    look->waits = &device->watched_waits;
    device->functions->look(device->user, look);
}

static void hung(void *user, uint64_t ns)
{
    char reason[96];
    crash_hung_reason(reason, sizeof reason, ns);
    write_dump(user, CRASH_ALARM, ANNOT_DEVICE_ERROR_HUNG, reason);
}

/* Adds the fact that the alarm was false to the alarm's dump, the writer's last dump unless the
 * device was lost meanwhile. */
static void finished(void *user, uint64_t ns)
{
    struct crash_device *device = user;
    char took[32], line[256];
    if (!crash_claim_end_alarm(&device->claim))
        return;
    snprintf(took, sizeof took, "%.1f s", (double)ns / 1e9);
    annot_dump_writer_add_fact(device->writer, ANNOT_FACT_SLOW, took);
    snprintf(line, sizeof line, "slow work finished after %s and did not hang", took);
    crash_say(device->settings->is_quiet, line);
    crash_claim_finish(&device->claim);
}

/* ---- watched devices, for the process's end ---- */

/* Forgets all devices in a child of fork, where a thread of the parent may hold the lock. */
static void forget_watched(void)
{
    pthread_mutex_init(&watched_lock, NULL);
    watched = NULL;
}

static void leave(void)
{
    crash_devices_end(false);
}

void crash_device_watch(struct crash_device *device, const struct crash_functions *functions,
                        void *user)
{
    crash_ending_register(leave, forget_watched);
    device->functions = functions;
    device->user = user;
    device->watchdog.timeout = device->settings->timeout;
    device->watchdog.user = device;
    device->watchdog.look = look;
    device->watchdog.hung = hung;
    device->watchdog.finished = finished;
    pthread_mutex_lock(&watched_lock);
    os_ask_prepare();
    crash_tell_prepare();
    if (device->settings->recover != 0 && device->dump) {
        char *path = device->dump->path;
        annot_dump_path(device->settings->dump, path, sizeof device->dump->path);
        is_kept(device, device->settings->timeout
                            ? live_file_open(&device->live, path, device->settings->recover / 2)
                            : "the setting timeout is 0");
        if (device->live.path)
            crash_tell(device->live.path);
    }
    LL_PREPEND(watched, device);
    pthread_mutex_unlock(&watched_lock);
    crash_watchdog_start(&device->watchdog);
}

bool crash_device_stop(struct crash_device *device)
{
    struct crash_device *at;
    pthread_mutex_lock(&watched_lock);
    LL_FOREACH(watched, at)
    if (at == device) {
        LL_DELETE(watched, device);
        break;
    }
    pthread_mutex_unlock(&watched_lock);
    return crash_watchdog_stop(&device->watchdog, device->claim.wait);
}

/* A dead thread or the caller may hold the lock. */
void crash_devices_end(bool is_alone)
{
    const bool is_locked = pthread_mutex_trylock(&watched_lock) == 0;
    struct crash_device *const first = is_locked || is_alone ? watched : NULL;
    struct crash_device *device;
    for (device = first; device; device = device->next)
        if (crash_claim_take_over(&device->claim, is_alone))
            write_anew(device);
    const bool is_quiet = !is_alone && crash_claim_wait_all();
    for (device = is_quiet ? first : NULL; device; device = device->next)
        if (crash_device_is_told(device))
            crash_watchdog_stop(&device->watchdog, device->claim.wait);
        else
            crash_watchdog_end(&device->watchdog, device->claim.wait);
    for (device = is_quiet || is_alone ? first : NULL; device; device = device->next)
        live_file_remove(&device->live);
    if (is_locked)
        pthread_mutex_unlock(&watched_lock);
}
