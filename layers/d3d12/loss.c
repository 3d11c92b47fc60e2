/* How a lost device, or a device without progress, gets its dump. */
#include "../intercept/unknown.h"
#include "layer.h"

#include <stdio.h>
#include <string.h>

#include <utlist.h>

static const struct {
    uint32_t code;
    const char *name;
} losses[] = {
    {0x887A0001u, "DXGI_ERROR_INVALID_CALL"}, /* a mistake for which the runtime removes a device */
    {0x887A0005u, "DXGI_ERROR_DEVICE_REMOVED"}, {0x887A0006u, "DXGI_ERROR_DEVICE_HUNG"},
    {0x887A0007u, "DXGI_ERROR_DEVICE_RESET"},   {0x887A0020u, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"},
    {0x88760870u, "D3DDDIERR_DEVICEREMOVED"}, /* only from Present */
};

static const char *loss_name(uint32_t result)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (losses[i].code == result)
            return losses[i].name;
    return NULL;
}

/* Never returns "no error" for a removed device. */
static annot_device_error error_of(uint32_t result)
{
    const annot_device_error error = annot_device_error_from_hresult(result);
    return error == ANNOT_DEVICE_ERROR_NONE ? ANNOT_DEVICE_ERROR_UNKNOWN : error;
}

/* ---- the dump ---- */

/* Locks the device. False: a dead or stuck thread has the lock. */
static bool lock(struct layer_device *device)
{
    const struct timespec until = crash_deadline(1);
    return pthread_mutex_timedlock(&device->lock, &until) == 0;
}

/* Finds the list; NULL: the list is gone. */
static const struct layer_list *find_list(const struct layer_device *device, uint64_t id)
{
    const struct layer_mirror *mirror;
    DL_FOREACH(device->mirrors, mirror)
    if (mirror->kind == LAYER_LIST && annot_object_id(mirror->object) == id)
        return (const struct layer_list *)(const void *)mirror;
    return NULL;
}

static bool is_cut(void *user, uint64_t id, uint32_t bundle)
{
    const struct layer_list *list = find_list(user, id);
    (void)bundle;
    return !list || atomic_load_explicit(&list->is_cut, memory_order_relaxed);
}

/* If a marker may have ended without a word, nothing is known inside the list. If the list may have
 * begun or ended without a word, nothing is known of the list. */
static void temper(const struct layer_device *device, annot_progress *row)
{
    const struct layer_list *list = find_list(device, row->object);
    if (row->bundle == 0 && row->list != ANNOT_PROGRESS_QUEUE &&
        row->state != ANNOT_PROGRESS_FINISHED && (list ? list->straddles : device->has_straddling))
        row->state = ANNOT_PROGRESS_UNKNOWN;
    if (row->bundle != 0 || row->inside == ANNOT_INSIDE_NOT_TRACKED ||
        (list && !atomic_load_explicit(&list->has_lost_end, memory_order_relaxed)))
        return;
    row->inside = ANNOT_INSIDE_NOT_TRACKED;
    row->started = row->completed = 0;
}

static uint32_t keep_telling_rows(struct layer_device *device, annot_progress *rows, uint32_t count)
{
    if (!lock(device))
        return count;
    for (uint32_t i = 0; device->evidence == LAYER_EVIDENCE_COPY && i < count; i++)
        temper(device, &rows[i]);
    count = crash_rows_keep(rows, count, is_cut, device);
    pthread_mutex_unlock(&device->lock);
    return count;
}

/* Returns the queue's oldest row that is not finished, or NULL. */
static annot_progress *front_of(const struct layer_queue *queue, annot_progress *rows,
                                uint32_t count)
{
    const uint64_t id = annot_object_id(queue->mirror.object);
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].queue == id && rows[i].bundle == 0 && rows[i].state != ANNOT_PROGRESS_FINISHED)
            return &rows[i];
    return NULL;
}

/* Whether the queue certainly waits in front of this row's submission. */
static bool is_held(const struct layer_device *device, const annot_progress *front)
{
    const annot_wait *wait =
        crash_told_before(&device->crash.told, front->queue, front->submission);
    return wait && wait->is_certain && (wait->list == 0 || wait->submission < front->submission);
}

/* Finds the place of each queue. A submission that the queue has reached gets its own row. If it is
 * not known whether the queue reached the submission, a list that has not started may hang in front
 * of its first word. Such a list becomes unknown, because a queue that has not started counts as
 * waiting. */
static uint32_t judge_fronts(struct layer_device *device, struct crash_dump *dump,
                             annot_progress *rows, uint32_t count)
{
    const struct layer_queue *queue;
    const uint32_t all = count;
    if (!lock(device))
        return count;
    crash_device_tell_waits(&device->crash, dump, rows, count);
    LL_FOREACH(device->queues, queue)
    {
        annot_progress *front = front_of(queue, rows, all);
        const enum layer_reached reached =
            front ? layer_queue_reached(queue, front->submission) : LAYER_NOT_REACHED;
        if (reached == LAYER_REACHED_UNKNOWN && front->list == 0 &&
            front->state == ANNOT_PROGRESS_NOT_STARTED && !is_held(device, front))
            front->state = ANNOT_PROGRESS_UNKNOWN;
        if (reached == LAYER_REACHED && count == CRASH_ROWS)
            dump->info.findings_cut++;
        else if (reached == LAYER_REACHED)
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

/* Adds the objects near the fault: the program's buffers, if they are known and one has the
 * address, else those that DRED names. */
static void add_memory(struct layer_device *device, struct crash_dump *dump,
                       const struct layer_crumbs *crumbs)
{
    bool is_held = false;
    if (lock(device)) {
        const struct layer_range *buffer = device->buffers.ranges;
        crash_memory_seek(&device->freed, crumbs->fault_address);
        for (uint32_t i = 0; i < device->buffers.count; i++, buffer++)
            crash_memory_weigh(&device->freed, (annot_allocation_range){
                                                   .address = buffer->address,
                                                   .size = buffer->size,
                                                   .object = annot_object_id(buffer->of->object)});
        is_held = crash_memory_tell(&device->freed, dump, D3D12_DRED_ALLOCATION_TYPE_RESOURCE);
        pthread_mutex_unlock(&device->lock);
    }
    if (is_held || crumbs->range_count == 0)
        return;
    dump->info.ranges = crumbs->ranges;
    dump->info.range_count = crumbs->range_count;
}

static void add_dred(struct layer_device *device, struct crash_dump *dump,
                     const struct layer_crumbs *crumbs)
{
    dump->info.crumbs = crumbs->rows;
    dump->info.crumb_count = crumbs->count;
    dump->info.findings_cut += crumbs->cut;
    if (crumbs->fault_address == 0)
        return;
    crash_dump_add_fault(dump, crumbs->fault_address, ANNOT_FAULT_RUNTIME);
    add_memory(device, dump, crumbs);
    if (crumbs->has_existing)
        crash_dump_add_fact(dump, "at fault", crumbs->existing);
    if (crumbs->has_freed)
        crash_dump_add_fact(dump, "freed there", crumbs->freed);
}

static void add_busy(struct crash_dump *dump, struct layer_device *device,
                     const annot_progress *rows, uint32_t count)
{
    const struct layer_queue *queue;
    if (!lock(device))
        return;
    LL_FOREACH(device->queues, queue)
    crash_queue_tell(&queue->crash, dump);
    layer_indirect_tell(device, dump, rows, count);
    pthread_mutex_unlock(&device->lock);
}

static uint32_t gather(void *user, struct crash_dump *dump, annot_progress *rows, uint32_t count,
                       bool is_whole)
{
    struct layer_device *device = user;
    memset(device->crumbs, 0, sizeof *device->crumbs);
    if (is_whole)
        layer_dred_read(device, rows, count, device->crumbs);
    count = judge_fronts(device, dump, rows, keep_telling_rows(device, rows, count));
    if (is_whole)
        add_dred(device, dump, device->crumbs);
    if (*unknown_refused())
        crash_dump_add_fact(dump, "refused", unknown_refused());
    if (*unknown_passed())
        crash_dump_add_fact(dump, "passed unrecorded", unknown_passed());
    add_busy(dump, device, rows, count);
    return count;
}

static void let_go(void *user)
{
    const struct layer_device *device = user;
    layer_dred_give(device->crumbs);
}

/* ---- calls that report a loss ---- */

static uint32_t removed_reason(struct layer_device *device)
{
    return (uint32_t)device->real->lpVtbl->GetDeviceRemovedReason(device->real);
}

/* Returns the interface that the program knows: DXGI's, even for a call of Proton's interface. */
static const char *interface_of(const struct schema_method_row *m)
{
    return m->owner == TYPE_IDXGIVkSwapChain          ? "IDXGISwapChain"
           : m->owner == TYPE_IDXGIVkSwapChainFactory ? "IDXGIFactory"
                                                      : m->iface;
}

static const char *name_of(const struct schema_method_row *m)
{
    return m == &schema_methods[METHOD_IDXGIVkSwapChain_ChangeProperties] ? "ResizeBuffers"
                                                                          : m->name;
}

/* Looks for a loss. `code` is the failure that the call returned; 0: the call reported none. */
static void examine(struct object *object, uint16_t method, uint32_t code)
{
    struct layer_device *device = layer_device_of_any(object);
    const struct schema_method_row *m = &schema_methods[method];
    const char *returned = loss_name(code) ? loss_name(code) : "E_FAIL";
    char reason[200];
    if (!device || crash_device_is_told(&device->crash) || (layer_device_poll(device) && code == 0))
        return;
    const uint32_t removed = removed_reason(device);
    const char *why = loss_name(removed);
    if (!why)
        return; /* the device works: the call failed for another reason */
    if (code == 0)
        snprintf(reason, sizeof reason, "after %s::%s the device was removed with %s",
                 interface_of(m), name_of(m), why);
    else if (code == removed)
        snprintf(reason, sizeof reason, "%s::%s returned %s", interface_of(m), name_of(m), why);
    else
        snprintf(reason, sizeof reason, "%s::%s returned %s; the device was removed with %s",
                 interface_of(m), name_of(m), returned, why);
    crash_device_lost(&device->crash, error_of(removed), reason);
}

/* Looks for a loss within another call: the runtime may have locks that a dump's writer needs. */
static void examine_within(struct object *object, uint16_t method, uint32_t code)
{
    const bool is_inside = call_depth() > 0;
    if (is_inside)
        crash_claim_enter();
    examine(object, method, code);
    if (is_inside)
        crash_claim_leave();
}

void layer_check(struct object *object, uint16_t method, uint64_t result)
{
    const uint32_t code = (uint32_t)result;
    const bool is_vague =
        code == (uint32_t)E_FAIL && (method == METHOD_ID3D12CommandQueue_Signal ||
                                     method == METHOD_ID3D12GraphicsCommandList_Close);
    if (loss_name(code) || is_vague)
        examine_within(object, method, code);
}

void layer_notice(struct object *object, uint16_t method)
{
    examine_within(object, method, 0);
}

/* ---- the watchdog ---- */

/* Whether no Wait in front of the queue's oldest submission is open, and no list of it waits. */
static bool is_due(const struct layer_queue *queue, const struct crash_told *waits)
{
    const uint64_t completed = crash_queue_done(&queue->crash);
    const uint64_t waited = atomic_load_explicit(&queue->waited, memory_order_relaxed);
    const annot_wait *wait = crash_told_before(waits, queue->waiter.id, completed + 1);
    return queue->done && !(wait && wait->list > 0) &&
           (waited <= completed || layer_queue_reached(queue, completed + 1) == LAYER_REACHED);
}

static void look(void *user, struct crash_look *look)
{
    struct layer_device *device = user;
    struct layer_queue *queue;
    const bool is_there = layer_device_poll(device);
    pthread_mutex_lock(&device->lock);
    LL_FOREACH(device->queues, queue)
    crash_queue_look(&queue->crash, is_due(queue, look->waits), look);
    pthread_mutex_unlock(&device->lock);
    crash_look_rows(look, device->crash.tracker, device->crash.watched, CRASH_ROWS);
    look->is_pending &= is_there;
    if (!is_there && loss_name(removed_reason(device)))
        crash_device_lost(&device->crash, error_of(removed_reason(device)),
                          "a fence shows that the device was removed");
}

void layer_watch(struct layer_device *device)
{
    static const struct crash_functions functions = {look, gather, let_go};
    crash_device_watch(&device->crash, &functions, device);
}
