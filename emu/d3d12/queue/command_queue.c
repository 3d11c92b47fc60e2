#include "queue/command_queue.h"

#include "base/abi.h"
#include "list/command_list.h"
#include "device/device.h"
#include "sync/fence.h"
#include "base/os.h"
#include "base/result.h"

struct d3d12_command_queue *d3d12_command_queue_from(ID3D12CommandQueue *iface)
{
    struct d3d12_child *child = d3d12_child_from(iface);
    return child != NULL && child->class->kind == D3D12DDI_HT_COMMAND_QUEUE
               ? container_of(child, struct d3d12_command_queue, child)
               : NULL;
}

/* ---- submission ---- */

#define LISTS_ON_STACK 16

/* The lists of one ExecuteCommandLists, as the library and as the driver know them. */
struct batch {
    UINT count;
    ID3D12CommandList *const *lists;
    annot_context **contexts;
    void **drivers;
    annot_context *few_contexts[LISTS_ON_STACK];
    void *few_drivers[LISTS_ON_STACK];
};

/* False when out of memory; to be finished all the same. */
static bool batch_init(struct batch *batch, UINT count)
{
    batch->count = count;
    batch->contexts = batch->few_contexts;
    batch->drivers = batch->few_drivers;
    if (count <= LISTS_ON_STACK)
        return true;
    batch->contexts = calloc(count, sizeof(void *));
    batch->drivers = calloc(count, sizeof(void *));
    return batch->contexts != NULL && batch->drivers != NULL;
}

static void batch_finish(struct batch *batch)
{
    if (batch->contexts != batch->few_contexts) {
        free(batch->contexts);
        free(batch->drivers);
    }
}

/* D3D12 removes a device for any of these; the emulator refuses the call and says why. */
static bool check_list(struct d3d12_command_queue *queue, const struct d3d12_command_list *list)
{
    struct d3d12_device *device = queue->child.device;
    if (list == NULL || list->child.device != device) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ExecuteCommandLists: not a command list of this device");
        return false;
    }
    if (list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_BUNDLENOTSUPPORTED,
                           "ExecuteCommandLists: a bundle is executed by a command list only");
        return false;
    }
    if (list->type != queue->desc.Type) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH,
                           "ExecuteCommandLists: the command list is of another type than the "
                           "queue");
        return false;
    }
    switch (list->state) {
    case COMMAND_LIST_RECORDING:
        d3d12_device_error(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_OPENCOMMANDLIST,
                           "ExecuteCommandLists: the command list is still recording");
        return false;
    case COMMAND_LIST_EMPTY:
    case COMMAND_LIST_FAILED:
        d3d12_device_error(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST,
                           "ExecuteCommandLists: the command list was not recorded successfully");
        return false;
    case COMMAND_LIST_CLOSED:
        break;
    }
    if (!d3d12_command_list_is_intact(list) && !device->settings.config.reset_in_flight) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET,
                           "ExecuteCommandLists: the command list's allocator, or a bundle's that "
                           "it executes, was reset since it was recorded");
        return false;
    }
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

/* Where the GPU leaves breadcrumbs, per list; NULL without memory: it leaves none. */
static uint64_t *prepare_crumbs(struct d3d12_command_queue *queue, const struct batch *batch,
                                uint64_t serial)
{
    uint64_t *addresses = calloc(batch->count, sizeof *addresses);
    struct dred_source *sources = calloc(batch->count, sizeof *sources);
    if (addresses != NULL && sources != NULL) {
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

struct submission {
    struct d3d12_command_queue *queue;
    const struct batch *batch; /* NULL: only the queue's markers */
    uint64_t ticket;
    bool is_needless; /* there were no markers */
};

/* The library holds the queue: serial, command buffer, markers and the kernel's queue have one order. What can't be made
 * was never a submission: a later one that completes must not tell that it was finished. */
static bool make_submission(void *user, uint64_t serial)
{
    struct submission *submission = user;
    const struct batch *batch = submission->batch;
    struct d3d12_command_queue *queue = submission->queue;
    struct d3d12_device *device = queue->child.device;
    emu_command_buffer buffer = {0};
    atomic_store(&queue->has_markers, false);
    submission->ticket = in_flight_add(&device->in_flight, queue, serial);
    if (submission->ticket == 0)
        return false;
    bool is_built;
    uint64_t *crumbs = NULL;
    if (batch != NULL) {
        if (device->dred.on.breadcrumbs)
            crumbs = prepare_crumbs(queue, batch, serial);
        const emu_submission asked = {
            .lists = batch->drivers, .count = batch->count, .serial = serial, .crumbs = crumbs};
        is_built = device->driver->queue_submit(queue->driver, &asked, &buffer);
    } else {
        is_built = device->driver->queue_flush(queue->driver, serial, &buffer);
    }
    submission->is_needless = is_built && batch == NULL && buffer.size == 0;
    is_built &= !submission->is_needless;
    const bool has_crumbs = crumbs != NULL;
    free(crumbs);
    if (is_built && emu_kmd_submit(queue->kmd, buffer.address, buffer.size, serial))
        return true;
    if (has_crumbs)
        dred_cancel(&device->dred, &queue->iface, serial);
    if (is_built)
        device->driver->submission_withdrawn(queue->driver, serial);
    in_flight_cancel(&device->in_flight, submission->ticket);
    return false;
}

static bool submit(struct d3d12_command_queue *queue, const struct batch *batch, uint64_t *ticket)
{
    struct submission submission = {.queue = queue, .batch = batch};
    const bool done = annot_context_submit_with(queue->context, batch->contexts, batch->count,
                                                make_submission, &submission) != 0;
    *ticket = submission.ticket;
    return done;
}

void STDMETHODCALLTYPE d3d12_command_queue_ExecuteCommandLists(queue_iface *iface, UINT count,
                                                               ID3D12CommandList *const *lists)
{
    struct d3d12_command_queue *queue = command_queue_of(iface);
    struct d3d12_device *device = queue->child.device;
    struct batch batch;
    uint64_t ticket = 0;
    in_flight_sweep(&device->in_flight);
    if (d3d12_device_is_removed(device) || count == 0)
        return;
    if (lists == NULL) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT, "ExecuteCommandLists: no lists");
        return;
    }
    bool done = batch_init(&batch, count);
    if (done && batch_fill(&batch, queue, lists)) {
        done = submit(queue, &batch, &ticket);
        for (UINT i = 0; done && i < count; i++)
            d3d12_command_list_submitted(d3d12_command_list_from(lists[i]), queue, ticket);
    }
    if (!done && !emu_kmd_is_removed(device->kmd))
        d3d12_device_error(device, EMU_MESSAGE_SUBMISSION_LOST,
                           "ExecuteCommandLists: out of memory, the lists were not executed");
    batch_finish(&batch);
}

void d3d12_command_queue_completed(void *user, void *queue_user, uint64_t tag)
{
    struct d3d12_device *device = user;
    struct d3d12_command_queue *queue = queue_user;
    annot_context_completed(queue->context, tag);
    device->driver->submission_retired(queue->driver, tag);
    dred_retire(&device->dred, &queue->iface, tag);
    in_flight_retire(&device->in_flight, queue, tag);
}

/* ---- markers: the library does all of it ---- */

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

/* Queue markers stand before the fence operation that follows them, so that it doesn't let them be overtaken, and as a
 * submission of their own: what completes it completes them. */
static bool flush_markers(struct d3d12_command_queue *queue)
{
    struct submission submission = {.queue = queue};
    return !annot_context_forwards(queue->context) || !atomic_load(&queue->has_markers) ||
           annot_context_submit_with(queue->context, NULL, 0, make_submission, &submission) != 0 ||
           submission.is_needless;
}

static HRESULT fence_operation(struct d3d12_command_queue *queue, ID3D12Fence *iface, UINT64 value,
                               bool (*operation)(emu_kmd_queue *, emu_kmd_fence *, uint64_t))
{
    struct d3d12_device *device = queue->child.device;
    struct d3d12_fence *fence = d3d12_fence_from(iface);
    if (fence == NULL || fence->child.device != device) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12CommandQueue::Signal or Wait: not a fence of this device");
        return E_INVALIDARG;
    }
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
    if (signalled != NULL && !d3d12_fence_writable(signalled))
        return E_INVALIDARG;
    return fence_operation(command_queue_of(iface), fence, value, emu_kmd_signal);
}

HRESULT STDMETHODCALLTYPE d3d12_command_queue_Wait(queue_iface *iface, ID3D12Fence *fence,
                                                   UINT64 value)
{
    return fence_operation(command_queue_of(iface), fence, value, emu_kmd_wait);
}

/* ---- the rest ---- */

#define TIMESTAMP_FREQUENCY 1000000000u /* the GPU counts nanoseconds */

HRESULT STDMETHODCALLTYPE d3d12_command_queue_GetTimestampFrequency(queue_iface *iface,
                                                                    UINT64 *frequency)
{
    (void)iface;
    if (frequency == NULL)
        return E_INVALIDARG;
    *frequency = TIMESTAMP_FREQUENCY;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE d3d12_command_queue_GetClockCalibration(queue_iface *iface, UINT64 *gpu,
                                                                  UINT64 *cpu)
{
    if (gpu == NULL || cpu == NULL)
        return E_INVALIDARG;
    *gpu = emu_kmd_time(command_queue_of(iface)->child.device->kmd);
    *cpu = os_performance_count();
    return S_OK;
}

ABI_STRUCT_PROTOTYPE(D3D12_COMMAND_QUEUE_DESC, d3d12_command_queue_GetDesc, queue_iface *iface)
{
    ABI_RETURN_STRUCT(command_queue_of(iface)->desc);
}

/* ---- life ---- */

/* The kernel first: after that nothing calls back for this queue. */
static void command_queue_destroy(struct d3d12_child *child)
{
    struct d3d12_command_queue *queue = container_of(child, struct d3d12_command_queue, child);
    struct d3d12_device *device = child->device;
    emu_kmd_queue_destroy(queue->kmd);
    in_flight_retire(&device->in_flight, queue, UINT64_MAX);
    dred_retire(&device->dred, &queue->iface, UINT64_MAX);
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
    return desc != NULL && desc->NodeMask <= 1 &&
           flags <= (unsigned)D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT &&
           (priority == (int)D3D12_COMMAND_QUEUE_PRIORITY_NORMAL ||
            priority == (int)D3D12_COMMAND_QUEUE_PRIORITY_HIGH) &&
           (desc->Type == D3D12_COMMAND_LIST_TYPE_DIRECT ||
            desc->Type == D3D12_COMMAND_LIST_TYPE_COMPUTE ||
            desc->Type == D3D12_COMMAND_LIST_TYPE_COPY ||
            desc->Type == D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE ||
            desc->Type == D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS ||
            desc->Type == D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE);
}

HRESULT d3d12_command_queue_create(struct d3d12_device *device,
                                   const D3D12_COMMAND_QUEUE_DESC *desc,
                                   CONST_VTBL queue_vtbl *methods, struct d3d12_command_queue **out)
{
    if (!is_valid(desc)) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::CreateCommandQueue: no such type, priority, flag or "
                           "node");
        return E_INVALIDARG;
    }
    struct d3d12_command_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    queue->iface.lpVtbl = methods;
    queue->desc = *desc;
    if (queue->desc.NodeMask == 0)
        queue->desc.NodeMask = 1;
    struct d3d12_driver_object made = {.id = annot_device_reserve_id(device->annot)};
    made.handle = queue->driver =
        device->driver->queue_create(device->driver_device, (uint32_t)desc->Type, made.id);
    if (queue->driver == NULL)
        goto err0;
    hr = d3d12_child_init(&queue->child, &queue->iface, &command_queue_class, device,
                          (uint32_t)desc->Type, &made);
    if (FAILED(hr))
        goto err1;
    hr = hresult_from_annot(annot_context_create(queue->child.annot, &queue->context));
    if (FAILED(hr))
        goto err2;
    hr = E_OUTOFMEMORY;
    queue->kmd = emu_kmd_queue_create(device->kmd, queue);
    if (queue->kmd == NULL)
        goto err3;
    atomic_init(&queue->has_markers, false);
    *out = queue;
    return S_OK;
err3:
    annot_context_destroy(queue->context);
err2:
    d3d12_child_finish(&queue->child);
    d3d12_device_release(device); /* d3d12_child_init's */
err1:
    device->driver->queue_destroy(queue->driver);
err0:
    free(queue);
    return hr;
}
