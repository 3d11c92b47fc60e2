#include "queue/command_queue.h"

#include "base/abi.h"
#include "list/command_list.h"
#include "device/device.h"
#include "sync/fence.h"
#include "os_process.h"
#include "base/result.h"
#include "gate.h"

struct d3d12_command_queue *d3d12_command_queue_from(ID3D12CommandQueue *iface)
{
    struct d3d12_child *child = d3d12_child_from(iface);
    return child && child->class->kind == D3D12DDI_HT_COMMAND_QUEUE
               ? container_of(child, struct d3d12_command_queue, child)
               : NULL;
}

/* ---- submission ---- */

#define LISTS_ON_STACK 16

/* The lists of one ExecuteCommandLists, in the library's and the driver's form. */
struct batch {
    UINT count;
    ID3D12CommandList *const *lists;
    annot_context **contexts;
    void **drivers;
    annot_context *few_contexts[LISTS_ON_STACK];
    void *few_drivers[LISTS_ON_STACK];
};

/* Makes a batch. False means out of memory; batch_finish is needed in any case. */
static bool batch_init(struct batch *batch, UINT count)
{
    batch->count = count;
    batch->contexts = batch->few_contexts;
    batch->drivers = batch->few_drivers;
    if (count <= LISTS_ON_STACK)
        return true;
    batch->contexts = calloc(count, sizeof(void *));
    batch->drivers = calloc(count, sizeof(void *));
    return batch->contexts && batch->drivers;
}

static void batch_finish(struct batch *batch)
{
    if (batch->contexts != batch->few_contexts) {
        free(batch->contexts);
        free(batch->drivers);
    }
}

/* Checks a list. D3D12 may remove a device for any of these mistakes. The emulator removes the
 * device for an open list, as D3D12 does at once, and refuses the call for other mistakes. */
static bool check_list(struct d3d12_command_queue *queue, const struct d3d12_command_list *list)
{
    struct d3d12_device *device = queue->child.device;
    if (!list || list->child.device != device)
        return d3d12_device_refused(
            device, EMU_MESSAGE_INVALID_ARGUMENT,
            "ExecuteCommandLists: ppCommandLists must contain only command lists of this device");
    if (list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE)
        return d3d12_child_refused(&list->child,
                                   D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_BUNDLENOTSUPPORTED,
                                   "ExecuteCommandLists: a bundle can't be submitted; a command "
                                   "list must execute the bundle with ExecuteBundle");
    if (list->type != queue->desc.Type)
        return d3d12_child_refused(
            &list->child, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH,
            "ExecuteCommandLists: the command list's type must be the queue's type");
    switch (list->state) {
    case COMMAND_LIST_RECORDING:
        d3d12_child_error(
            &list->child, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_OPENCOMMANDLIST,
            "ExecuteCommandLists removes the device: the command list must be closed, but is still "
            "recording: call Close first");
        emu_kmd_remove(device->kmd, EMU_KMD_MISUSED);
        return false;
    case COMMAND_LIST_EMPTY:
        return d3d12_child_refused(
            &list->child, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST,
            "ExecuteCommandLists: the command list has no recording: call Reset, and then Close");
    case COMMAND_LIST_FAILED:
        return d3d12_child_refused(
            &list->child, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST,
            "ExecuteCommandLists: Close of the command list failed: see the earlier messages");
    case COMMAND_LIST_CLOSED:
        break;
    }
    if (!d3d12_command_list_is_intact(list) && !device->settings.config.reset_in_flight)
        return d3d12_child_refused(
            &list->child, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET,
            "ExecuteCommandLists: the allocator of the command list, or of a bundle in it, was "
            "reset after the recording: record the list again");
    return true;
}

static bool batch_fill(struct batch *batch, struct d3d12_command_queue *queue,
                       ID3D12CommandList *const *lists)
{
    batch->lists = lists;
    for (UINT i = 0; i < batch->count; i++) {
        struct d3d12_command_list *list = d3d12_command_list_from(lists[i]);
        if (!check_list(queue, list))
            return false;
        batch->contexts[i] = list->context;
        batch->drivers[i] = list->driver;
    }
    return true;
}

/* Makes memory for the breadcrumbs' addresses. NULL: out of memory, so the GPU leaves none. */
static uint64_t *prepare_crumbs(struct d3d12_command_queue *queue, const struct batch *batch,
                                uint64_t serial)
{
    uint64_t *addresses = calloc(batch->count, sizeof *addresses);
    struct dred_source *sources = calloc(batch->count, sizeof *sources);
    if (addresses && sources) {
        const struct dred_submission submission = {&queue->iface, &queue->child.private_data,
                                                   annot_object_id(queue->child.annot), serial};
        for (UINT i = 0; i < batch->count; i++) {
            struct d3d12_command_list *list = d3d12_command_list_from(batch->lists[i]);
            sources[i] = (struct dred_source){(ID3D12GraphicsCommandList *)list->child.iface,
                                              &list->child.private_data, list->dred};
        }
        dred_submit(&queue->child.device->dred, &submission, sources, batch->count, addresses);
    }
    free(sources);
    return addresses;
}

/* The submission's times: the calls, and the high half of their API sequence numbers. */
struct histories {
    struct history_source *sources;
    uint32_t *sequence_high;
    uint64_t *objects;
    UINT count;
};

/* Makes the histories. False means out of memory: the submission has no history. */
static bool histories_init(struct histories *histories, const struct batch *batch)
{
    const UINT count = batch != NULL ? batch->count : 0;
    *histories =
        (struct histories){.sources = calloc(count + 1, sizeof *histories->sources),
                           .sequence_high = calloc(count + 1, sizeof *histories->sequence_high),
                           .objects = calloc(count + 1, sizeof *histories->objects),
                           .count = count};
    if (!histories->sources || !histories->sequence_high || !histories->objects)
        return false;
    for (UINT i = 0; i < count; i++) {
        struct d3d12_command_list *list = d3d12_command_list_from(batch->lists[i]);
        const bool counts_all = !list->child.device->dred.on.markers_only;
        histories->objects[i] = annot_object_id(list->child.annot);
        histories->sources[i] =
            (struct history_source){histories->objects[i], counts_all ? list->dred : NULL};
        histories->sequence_high[i] = list->dred != NULL ? (uint32_t)list->dred->id : 0;
    }
    return true;
}

struct submission {
    struct d3d12_command_queue *queue;
    const struct batch *batch; /* NULL: only the queue's markers are submitted */
    bool is_needless;          /* there were no markers to submit */
    bool has_crumbs;
};

/* The driver's command buffer for a submission. */
static bool build(struct submission *submission, uint64_t serial, const uint32_t *sequence_high,
                  emu_command_buffer *buffer)
{
    const struct batch *batch = submission->batch;
    struct d3d12_command_queue *queue = submission->queue;
    struct d3d12_device *device = queue->child.device;
    if (!batch) {
        const bool is_built = device->driver->queue_flush(queue->driver, serial, buffer);
        submission->is_needless = is_built && buffer->size == 0;
        return is_built && !submission->is_needless;
    }
    uint64_t *crumbs = NULL;
    if (device->dred.on.breadcrumbs)
        crumbs = prepare_crumbs(queue, batch, serial);
    submission->has_crumbs = crumbs != NULL;
    const emu_submission asked = {.lists = batch->drivers,
                                  .count = batch->count,
                                  .serial = serial,
                                  .crumbs = crumbs,
                                  .sequence_high = sequence_high};
    const bool is_built = device->driver->queue_submit(queue->driver, &asked, buffer);
    free(crumbs);
    return is_built;
}

/* Submits to the kernel with the driver's marker log. The history's lock gives submissions the
 * order of RenderCBSequence. */
static bool build_and_pass_on(struct submission *submission, uint64_t serial, bool *is_built)
{
    struct d3d12_command_queue *queue = submission->queue;
    struct history *history = &queue->child.device->history;
    struct emu_kmd *kmd = queue->child.device->kmd;
    emu_command_buffer buffer = {0};
    struct histories of;
    const bool has_memory = histories_init(&of, submission->batch);
    emu_lock(&history->lock);
    const uint64_t begin = emu_kmd_time(kmd);
    *is_built = build(submission, serial, has_memory ? of.sequence_high : NULL, &buffer);
    struct history_submission *kept = NULL;
    if (*is_built && has_memory)
        kept = history_add(history, queue, annot_object_id(queue->child.annot), serial,
                           buffer.submit, of.sources, of.count);
    /* if the submission has no history, a dump would show work as done that was not executed */
    const bool is_told = kept || !buffer.submit || !buffer.submit->Flags.NullRendering;
    const bool done = *is_built && is_told &&
                      emu_kmd_submit_command(queue->kmd, buffer.address, buffer.size, serial,
                                             buffer.submit, of.objects, has_memory ? of.count : 0);
    if (done && kept) {
        kept->row.flags |= ANNOT_SUBMITTED_CALLED;
        kept->row.cpu_begin = begin;
        kept->row.cpu_end = emu_kmd_time(kmd);
        kept->row.thread = /* a seeded run leaves the same dump every time */
            d3d12_device_is_seeded(queue->child.device) ? 1 : (uint32_t)os_thread_id();
    } else {
        history_cancel(history, kept);
    }
    emu_unlock(&history->lock);
    free(of.sources);
    free(of.sequence_high);
    free(of.objects);
    return done;
}

/* The library has locked the queue, so serial, command buffer, markers and the kernel's queue have
 * one order. A submission that can't be made is withdrawn, because a later completion must not mark
 * it as finished. */
static bool make_submission(void *user, uint64_t serial)
{
    struct submission *submission = user;
    struct d3d12_command_queue *queue = submission->queue;
    struct d3d12_device *device = queue->child.device;
    atomic_store(&queue->has_markers, false);
    const struct batch *batch = submission->batch;
    size_t uses = 0;
    for (UINT i = 0; batch && i < batch->count; i++)
        uses += d3d12_command_list_from(batch->lists[i])->allocator_count;
    struct in_flight_entry *entry = in_flight_add(&device->in_flight, queue, serial, uses);
    if (!entry)
        return false;
    for (UINT i = 0; batch && i < batch->count; i++)
        d3d12_command_list_submitted(d3d12_command_list_from(batch->lists[i]), entry);
    bool is_built, done;
    if (device->history.on) {
        done = build_and_pass_on(submission, serial, &is_built);
    } else {
        emu_command_buffer buffer = {0};
        is_built = build(submission, serial, NULL, &buffer);
        done = is_built && emu_kmd_submit(queue->kmd, buffer.address, buffer.size, serial);
    }
    if (done)
        return true;
    if (submission->has_crumbs)
        dred_cancel(&device->dred, &queue->iface, serial);
    if (is_built)
        device->driver->submission_withdrawn(queue->driver, serial);
    in_flight_cancel(&device->in_flight, entry);
    return false;
}

static bool submit(struct d3d12_command_queue *queue, const struct batch *batch)
{
    struct submission submission = {.queue = queue, .batch = batch};
    return annot_context_submit_with(queue->context, batch->contexts, batch->count, make_submission,
                                     &submission) != 0;
}

void STDMETHODCALLTYPE d3d12_command_queue_ExecuteCommandLists(queue_iface *iface, UINT count,
                                                               ID3D12CommandList *const *lists)
{
    struct d3d12_command_queue *queue = command_queue_of(iface);
    struct d3d12_device *device = queue->child.device;
    struct batch batch;
    in_flight_sweep(&device->in_flight);
    if (d3d12_device_is_removed(device) || count == 0)
        return;
    if (!lists) {
        d3d12_child_error(&queue->child, EMU_MESSAGE_INVALID_ARGUMENT,
                          "ExecuteCommandLists: ppCommandLists is NULL");
        return;
    }
    bool done = batch_init(&batch, count);
    if (done && batch_fill(&batch, queue, lists))
        done = submit(queue, &batch);
    if (!done && !emu_kmd_is_removed(device->kmd))
        d3d12_child_error(&queue->child, EMU_MESSAGE_SUBMISSION_LOST,
                          "ExecuteCommandLists: out of memory; the lists were not executed");
    batch_finish(&batch);
}

void d3d12_command_queue_completed(void *user, void *queue_user, uint64_t tag)
{
    struct d3d12_device *device = user;
    struct d3d12_command_queue *queue = queue_user;
    annot_context_completed(queue->context, tag);
    device->driver->submission_retired(queue->driver, tag);
    dred_retire(&device->dred, &queue->iface, tag);
    history_retire(&device->history, queue, tag);
    in_flight_retire(&device->in_flight, queue, tag);
}

void d3d12_command_queue_history(void *user, void *queue, uint64_t tag,
                                 const struct emu_kmd_history *history)
{
    struct d3d12_device *device = user;
    history_take(&device->history, queue, tag, history);
}

/* ---- markers: the library handles them ---- */

void STDMETHODCALLTYPE d3d12_command_queue_SetMarker(queue_iface *iface, UINT metadata,
                                                     const void *data, UINT size)
{
    struct d3d12_command_queue *queue = command_queue_of(iface);
    annot_context_set_marker(queue->context, metadata, data, size);
    atomic_store(&queue->has_markers, true);
}

void STDMETHODCALLTYPE d3d12_command_queue_BeginEvent(queue_iface *iface, UINT metadata,
                                                      const void *data, UINT size)
{
    struct d3d12_command_queue *queue = command_queue_of(iface);
    annot_context_begin_event(queue->context, metadata, data, size);
    atomic_store(&queue->has_markers, true);
}

void STDMETHODCALLTYPE d3d12_command_queue_EndEvent(queue_iface *iface)
{
    struct d3d12_command_queue *queue = command_queue_of(iface);
    annot_context_end_event(queue->context);
    atomic_store(&queue->has_markers, true);
}

/* ---- fences ---- */

/* Queue markers are submitted before the next fence operation, in a submission of their own. So
 * their order is kept, and the submission's completion completes them. */
static bool flush_markers(struct d3d12_command_queue *queue)
{
    struct submission submission = {.queue = queue};
    return !annot_context_forwards(queue->context) || !atomic_load(&queue->has_markers) ||
           annot_context_submit_with(queue->context, NULL, 0, make_submission, &submission) != 0 ||
           submission.is_needless;
}

static HRESULT fence_operation(struct d3d12_command_queue *queue, ID3D12Fence *iface, UINT64 value,
                               bool (*operation)(struct emu_kmd_queue *, struct emu_kmd_fence *,
                                                 uint64_t))
{
    struct d3d12_device *device = queue->child.device;
    struct d3d12_fence *fence = d3d12_fence_from(iface);
    if (!fence || fence->child.device != device)
        return d3d12_child_invalid(
            &queue->child, EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12CommandQueue::Signal or Wait: pFence must be a fence of this device");
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED;
    bool done = flush_markers(queue) && operation(queue->kmd, fence->kmd, value);
    if (done)
        return S_OK;
    return emu_kmd_is_removed(device->kmd) ? DXGI_ERROR_DEVICE_REMOVED : E_OUTOFMEMORY;
}

HRESULT STDMETHODCALLTYPE d3d12_command_queue_Signal(queue_iface *iface, ID3D12Fence *fence,
                                                     UINT64 value)
{
    const struct d3d12_fence *signalled = d3d12_fence_from(fence);
    if (signalled && !d3d12_fence_writable(signalled))
        return E_INVALIDARG;
    return fence_operation(command_queue_of(iface), fence, value, emu_kmd_signal);
}

HRESULT STDMETHODCALLTYPE d3d12_command_queue_Wait(queue_iface *iface, ID3D12Fence *fence,
                                                   UINT64 value)
{
    return fence_operation(command_queue_of(iface), fence, value, emu_kmd_wait);
}

/* ---- other methods ---- */

HRESULT STDMETHODCALLTYPE d3d12_command_queue_GetTimestampFrequency(queue_iface *iface,
                                                                    UINT64 *frequency)
{
    if (!frequency)
        return E_INVALIDARG;
    *frequency = emu_gpu_get_clock(command_queue_of(iface)->child.device->gpu)->hz;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE d3d12_command_queue_GetClockCalibration(queue_iface *iface, UINT64 *gpu,
                                                                  UINT64 *cpu)
{
    if (!gpu || !cpu)
        return E_INVALIDARG;
    const struct d3d12_device *device = command_queue_of(iface)->child.device;
    *gpu = emu_gpu_counter(device->gpu, emu_kmd_time(device->kmd));
    *cpu = os_performance_count();
    return S_OK;
}

ABI_STRUCT_PROTOTYPE(D3D12_COMMAND_QUEUE_DESC, d3d12_command_queue_GetDesc, queue_iface *iface)
{
    ABI_RETURN_STRUCT(command_queue_of(iface)->desc);
}

/* ---- life ---- */

/* Destroys the kernel's queue first; after that no callback comes for this queue. */
static void command_queue_destroy(struct d3d12_child *child)
{
    struct d3d12_command_queue *queue = container_of(child, struct d3d12_command_queue, child);
    struct d3d12_device *device = child->device;
    emu_kmd_queue_destroy(queue->kmd);
    in_flight_retire(&device->in_flight, queue, UINT64_MAX);
    dred_retire(&device->dred, &queue->iface, UINT64_MAX);
    history_retire(&device->history, queue, UINT64_MAX);
    annot_context_destroy(queue->context);
    device->driver->queue_destroy(queue->driver);
    d3d12_child_finish(child);
    free(queue);
    in_flight_sweep(&device->in_flight);
}

static const struct d3d12_child_class command_queue_class = {
    .kind = D3D12DDI_HT_COMMAND_QUEUE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, QUEUE_IIDS, NULL},
    .destroy = command_queue_destroy,
    .immediate = true,
};

static bool is_valid(const D3D12_COMMAND_QUEUE_DESC *desc)
{
    const int priority = desc != NULL ? (int)desc->Priority : 0;
    const unsigned flags = desc != NULL ? (unsigned)desc->Flags : 0;
    return desc && desc->NodeMask <= 1 &&
           flags <= (QUEUE_ALLOWS_PRIORITY | D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT) &&
           (priority == (int)D3D12_COMMAND_QUEUE_PRIORITY_NORMAL ||
            priority == (int)D3D12_COMMAND_QUEUE_PRIORITY_HIGH) &&
           d3d12_command_allocator_has_type(desc->Type) &&
           desc->Type != D3D12_COMMAND_LIST_TYPE_BUNDLE;
}

HRESULT d3d12_command_queue_create(struct d3d12_device *device,
                                   const D3D12_COMMAND_QUEUE_DESC *desc,
                                   CONST_VTBL queue_vtbl *methods, struct d3d12_command_queue **out)
{
    if (!is_valid(desc))
        return d3d12_device_invalid(
            device, EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12Device::CreateCommandQueue: Type, Priority, Flags or NodeMask is out of range");
    struct d3d12_command_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    queue->iface.lpVtbl = &methods->older;
    queue->desc = *desc;
    if (queue->desc.NodeMask == 0)
        queue->desc.NodeMask = 1;
    const bool is_high = desc->Priority >= D3D12_COMMAND_QUEUE_PRIORITY_HIGH;
    atomic_init(&queue->process_priority, is_high ? QUEUE_PROCESS_HIGH : 0);
    atomic_init(&queue->global_priority, QUEUE_GLOBAL_DEFAULT);
    struct d3d12_driver_object made = {.id = annot_device_reserve_id(device->annot)};
    made.handle = queue->driver =
        device->driver->queue_create(device->driver_device, (uint32_t)desc->Type, made.id);
    if (!queue->driver)
        goto err0;
    hr = d3d12_child_init(&queue->child, &queue->iface, &command_queue_class, device,
                          (uint32_t)desc->Type, &made);
    if (FAILED(hr))
        goto err1;
    atomic_init(&queue->has_markers, false);
    hr = hresult_from_annot(annot_context_create(queue->child.annot, &queue->context));
    if (SUCCEEDED(hr) && ((queue->kmd = emu_kmd_queue_create(device->kmd, queue)) == NULL ||
                          !emu_kmd_queue_identify(queue->kmd, annot_object_id(queue->child.annot),
                                                  (uint32_t)desc->Type, queue->driver)))
        hr = E_OUTOFMEMORY;
    if (FAILED(hr))
        d3d12_child_release(&queue->child);
    else
        *out = queue;
    return hr;
err1:
    device->driver->queue_destroy(queue->driver);
err0:
    free(queue);
    return hr;
}
