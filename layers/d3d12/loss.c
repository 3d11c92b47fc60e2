/* From a device that is lost, or makes no progress, to a dump: one for each device, because later
 * losses are consequences of the first. */
#include "../crash/say.h"
#include "layer.h"

#include <stdio.h>

#include <utlist.h>

static const struct {
    uint32_t code;
    const char *name;
} losses[] = {
    {0x887A0001u, "DXGI_ERROR_INVALID_CALL"}, /* a mistake that the runtime removes a device for */
    {0x887A0005u, "DXGI_ERROR_DEVICE_REMOVED"}, {0x887A0006u, "DXGI_ERROR_DEVICE_HUNG"},
    {0x887A0007u, "DXGI_ERROR_DEVICE_RESET"},   {0x887A0020u, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"},
};

static const char *loss_name(uint32_t result)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].code == result)
            return losses[i].name;
    return NULL;
}

/* A device that is removed is never said to be well. */
static annot_device_error error_of(uint32_t result)
{
    const annot_device_error error = annot_device_error_from_hresult(result);
    return error == ANNOT_DEVICE_ERROR_NONE ? ANNOT_DEVICE_ERROR_UNKNOWN : error;
}

/* ---- the dump ---- */

/* NULL: it is gone. */
static const struct layer_list *find_list(const struct layer_device *device, uint64_t id)
{
    const struct layer_mirror *mirror;
    DL_FOREACH(device->mirrors, mirror)
    if (mirror->kind == LAYER_LIST && annot_object_id(mirror->object) == id)
        return (const struct layer_list *)(const void *)mirror;
    return NULL;
}

/* Leaves out inner streams of which the rows say nothing: what is known of their places then
 * counts, unless one ends in the middle of a marker. Where a marker may have ended without a word,
 * nothing is known inside of the list. */
static uint32_t keep_telling_rows(struct layer_device *device, annot_progress *rows, uint32_t count)
{
    uint32_t kept = 0;
    bool is_cut = false;
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].bundle == 0) {
            const struct layer_list *list = find_list(device, rows[i].object);
            is_cut = !list || atomic_load_explicit(&list->is_cut, memory_order_relaxed);
            if (rows[i].inside != ANNOT_INSIDE_NOT_TRACKED &&
                rows[i].state != ANNOT_PROGRESS_FINISHED &&
                device->evidence == LAYER_EVIDENCE_COPY &&
                (!list || atomic_load_explicit(&list->has_lost_end, memory_order_relaxed))) {
                rows[i].inside = ANNOT_INSIDE_NOT_TRACKED;
                rows[i].started = rows[i].completed = 0;
            }
        }
        if (rows[i].bundle == 0 || rows[i].state != ANNOT_PROGRESS_UNKNOWN ||
            rows[i].inside != ANNOT_INSIDE_NOT_TRACKED || is_cut)
            rows[kept++] = rows[i];
    }
    pthread_mutex_unlock(&device->lock);
    return kept;
}

/* The queue's oldest row that doesn't say finished; NULL: there is none. */
static annot_progress *front_of(const struct layer_queue *queue, annot_progress *rows,
                                uint32_t count)
{
    const uint64_t id = annot_object_id(queue->mirror.object);
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].queue == id && rows[i].bundle == 0 && rows[i].state != ANNOT_PROGRESS_FINISHED)
            return &rows[i];
    return NULL;
}

/* Where each queue is. A submission that it has come to gets a row of its own. Where nothing tells
 * whether it has, a list that has not started may be what hangs, in front of its first word: it is
 * unknown, since a queue that has not started is taken for one that waits. */
static uint32_t judge_fronts(struct layer_device *device, annot_progress *rows, uint32_t count)
{
    const struct layer_queue *queue;
    const uint32_t all = count;
    pthread_mutex_lock(&device->lock);
    LL_FOREACH(device->queues, queue)
    {
        annot_progress *front = front_of(queue, rows, all);
        const enum layer_reached reached =
            front ? layer_queue_reached(queue, front->submission) : LAYER_NOT_REACHED;
        if (reached == LAYER_REACHED_UNKNOWN && front->list == 0 &&
            front->state == ANNOT_PROGRESS_NOT_STARTED)
            front->state = ANNOT_PROGRESS_UNKNOWN;
        if (reached == LAYER_REACHED && count < LAYER_ROWS)
            rows[count++] = (annot_progress){
                .queue = front->queue,
                .submission = front->submission,
                .list = ANNOT_PROGRESS_QUEUE,
                .state = ANNOT_PROGRESS_STARTED,
            };
    }
    pthread_mutex_unlock(&device->lock);
    return count;
}

static unsigned long long count_of(const _Atomic uint64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

/* What a dump is written from. */
struct parts {
    annot_crash_report report;
    annot_fact facts[3];
    char labels[160];
    annot_dump_info info;
};

static void add_fact(struct parts *parts, const char *key, const char *value)
{
    parts->facts[parts->info.fact_count++] = (annot_fact){key, value};
    parts->info.facts = parts->facts;
}

static void add_counts(struct parts *parts, const struct layer_counts *counts)
{
    snprintf(parts->labels, sizeof parts->labels, "%llu begun, %llu ended, %llu points, %llu names",
             count_of(&counts->begun), count_of(&counts->ended), count_of(&counts->points),
             count_of(&counts->names));
    add_fact(parts, "labels", parts->labels);
}

static void add_dred(struct parts *parts, const struct layer_crumbs *crumbs)
{
    parts->info.crumbs = crumbs->rows;
    parts->info.crumb_count = crumbs->count;
    if (crumbs->fault_address == 0)
        return;
    parts->report.fault_address = crumbs->fault_address;
    parts->info.error = ANNOT_DEVICE_ERROR_PAGE_FAULT;
    if (crumbs->has_existing)
        add_fact(parts, "at fault", crumbs->existing);
    if (crumbs->has_freed)
        add_fact(parts, "freed there", crumbs->freed);
}

static void dump(struct layer_device *device, annot_device_error error, const char *reason)
{
    char path[sizeof layer_settings.dump + 32];
    uint32_t count = 0, in_flight = 0;
    if (atomic_fetch_add_explicit(&device->dumps, 1, memory_order_acq_rel) > 0)
        return;
    struct parts parts = {.report = {.size = sizeof parts.report}};
    parts.info = (annot_dump_info){.error = error, .reason = reason};
    device->crumbs->count = 0;
    if (annot_tracker_copy_rows(device->tracker, device->rows, LAYER_ROWS, &count, &in_flight)) {
        const bool is_whole = in_flight == count;
        if (is_whole)
            layer_dred_read(device, device->rows, count, device->crumbs);
        parts.report.progress = device->rows;
        count = keep_telling_rows(device, device->rows, count);
        parts.report.progress_count = judge_fronts(device, device->rows, count);
        parts.info.report = &parts.report;
        if (is_whole)
            add_dred(&parts, device->crumbs);
    }
    add_counts(&parts, &device->counts);
    crash_dump_path(&layer_settings, path, sizeof path);
    const annot_result result = annot_dump_write_file(device->writer, &parts.info, path);
    layer_dred_give(device->crumbs);
    const char *written = annot_dump_writer_path(device->writer);
    crash_dump_say(&layer_settings, result, reason, *written ? written : path);
}

/* ---- calls that tell ---- */

static uint32_t removed_reason(struct layer_device *device)
{
    return (uint32_t)device->real->lpVtbl->GetDeviceRemovedReason(device->real);
}

void layer_check(struct object *object, uint16_t method, uint64_t result)
{
    const uint32_t code = (uint32_t)result;
    const bool is_vague =
        code == (uint32_t)E_FAIL && (method == METHOD_ID3D12CommandQueue_Signal ||
                                     method == METHOD_ID3D12GraphicsCommandList_Close);
    char reason[200];
    if (!loss_name(code) && !is_vague)
        return;
    struct layer_device *device = layer_device_of_any(object);
    if (!device || atomic_load_explicit(&device->dumps, memory_order_relaxed) > 0)
        return;
    const uint32_t why = removed_reason(device);
    if (!loss_name(why))
        return; /* it is there: the call failed for another reason */
    const struct schema_method_row *m = &schema_methods[method];
    layer_device_poll(device);
    const char *returned = loss_name(code) ? loss_name(code) : "E_FAIL";
    if (code == why)
        snprintf(reason, sizeof reason, "%s::%s returned %s", m->iface, m->name, returned);
    else
        snprintf(reason, sizeof reason, "%s::%s returned %s, and the device was removed for %s",
                 m->iface, m->name, returned, loss_name(why));
    dump(device, error_of(why), reason);
}

/* ---- the watchdog ---- */

/* Whether the queue has work that nothing keeps from being done: the oldest submission is behind no
 * Wait, or its Wait is over. */
static bool is_due(const struct layer_queue *queue)
{
    const uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_acquire);
    const uint64_t waited = atomic_load_explicit(&queue->waited, memory_order_relaxed);
    if (!queue->done || completed >= atomic_load_explicit(&queue->submitted, memory_order_acquire))
        return false;
    return waited <= completed || layer_queue_reached(queue, completed + 1) == LAYER_REACHED;
}

static void look(void *user, struct crash_look *look)
{
    struct layer_device *device = user;
    const struct layer_queue *queue;
    uint32_t count = 0, in_flight = 0;
    const bool is_there = layer_device_poll(device);
    pthread_mutex_lock(&device->lock);
    LL_FOREACH(device->queues, queue)
    {
        look->is_pending |= is_there && is_due(queue);
        crash_look_mix(look, atomic_load_explicit(&queue->completed, memory_order_acquire));
    }
    pthread_mutex_unlock(&device->lock);
    if (!annot_tracker_copy_rows(device->tracker, device->watched_rows, LAYER_ROWS, &count,
                                 &in_flight))
        return; /* locked for that long: somebody is at work */
    for (uint32_t i = 0; i < count; i++) {
        const annot_progress *row = &device->watched_rows[i];
        look->is_pending |= is_there && row->state == ANNOT_PROGRESS_STARTED;
        crash_look_mix(look, row->started);
        crash_look_mix(look, row->completed);
        crash_look_mix(look, (uint64_t)row->state << 32 | row->list);
    }
    if (!is_there && loss_name(removed_reason(device)))
        dump(device, error_of(removed_reason(device)),
             "the fences say that the device was removed");
}

static void hung(void *user, uint64_t ns)
{
    char reason[96];
    snprintf(reason, sizeof reason, "the GPU has work and made no progress for %.1f s",
             (double)ns / 1e9);
    dump(user, ANNOT_DEVICE_ERROR_HUNG, reason);
}

void layer_watch(struct layer_device *device)
{
    device->watchdog.timeout = layer_settings.timeout;
    device->watchdog.user = device;
    device->watchdog.look = look;
    device->watchdog.hung = hung;
    crash_watchdog_start(&device->watchdog);
}
