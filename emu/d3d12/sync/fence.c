#include "sync/fence.h"

#include "device/device.h"
#include "base/os.h"

static CONST_VTBL ID3D12Fence1Vtbl d3d12_fence_vtable;

D3D12_CHILD_METHODS(d3d12_fence, ID3D12Fence1)

struct d3d12_fence *d3d12_fence_from(ID3D12Fence *iface)
{
    ID3D12Fence1 *fence = (ID3D12Fence1 *)iface;
    return fence && fence->lpVtbl == &d3d12_fence_vtable ? impl_from_ID3D12Fence1(fence) : NULL;
}

/* ---- waiting ---- */

/* An event of the application that fences are to signal: each has a notification that holds it. */
struct fence_event {
    atomic_uint references;
    atomic_uint
        missing; /* so many fences more have to be reached; after that it counts on below 0 */
    bool open;
    intptr_t event;
};

static void release_event(void *user)
{
    struct fence_event *event = user;
    if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) > 1)
        return;
    if (event->open)
        os_event_close(event->event);
    free(event);
}

static void reach_event(void *user)
{
    struct fence_event *event = user;
    if (atomic_fetch_sub(&event->missing, 1) == 1) {
        os_event_signal(event->event);
        os_event_close(event->event);
        event->open = false;
    }
    release_event(event);
}

static HRESULT notify(const struct d3d12_fence_wait *wait, HANDLE handle)
{
    struct fence_event *event = malloc(sizeof *event);
    if (!event)
        return E_OUTOFMEMORY;
    if (!os_event_duplicate(handle, &event->event)) {
        free(event);
        return E_INVALIDARG;
    }
    atomic_init(&event->references, 1);
    atomic_init(&event->missing, wait->any ? 1 : wait->count);
    event->open = true;
    UINT told = 0;
    while (told < wait->count) {
        atomic_fetch_add(&event->references, 1);
        if (!emu_kmd_fence_notify(wait->fences[told], wait->values[told], reach_event, event))
            break;
        told++;
    }
    if (told < wait->count) {
        atomic_fetch_add(&event->missing, wait->count); /* more than are told: never */
        release_event(event);
    }
    release_event(event);
    return told == wait->count ? S_OK : E_OUTOFMEMORY;
}

/* Until then, as far as the GPU can go. */
static bool block(const struct d3d12_fence_wait *wait)
{
    bool reached = true;
    if (wait->any)
        return emu_kmd_fence_wait_any(wait->fences, wait->values, wait->count);
    for (UINT i = 0; i < wait->count && reached; i++)
        reached = emu_kmd_fence_wait(wait->fences[i], wait->values[i]);
    return reached;
}

HRESULT d3d12_fence_wait(struct d3d12_device *device, const struct d3d12_fence_wait *wait,
                         HANDLE event)
{
    if (event) {
        const HRESULT hr = notify(wait, event);
        /* Only this thread makes the GPU go on. When the fences aren't reached now, a later call
         * may reach them. */
        if (SUCCEEDED(hr) && d3d12_device_is_seeded(device))
            (void)block(wait);
        return hr;
    }
    if (block(wait))
        return S_OK;
    d3d12_device_error(device, EMU_MESSAGE_ENDLESS_WAIT,
                       "fences are waited for, but no queue will ever signal %llu",
                       (unsigned long long)wait->values[0]);
    return E_FAIL;
}

/* ---- ID3D12Fence1 ---- */

bool d3d12_fence_writable(const struct d3d12_fence *fence)
{
    if (fence->read_only)
        d3d12_child_error(&fence->child, EMU_MESSAGE_INVALID_ARGUMENT,
                          "Signal: the status fence of a protected session is read-only");
    return !fence->read_only;
}

static UINT64 STDMETHODCALLTYPE d3d12_fence_GetCompletedValue(ID3D12Fence1 *iface)
{
    return emu_kmd_fence_value(impl_from_ID3D12Fence1(iface)->kmd);
}

static HRESULT STDMETHODCALLTYPE d3d12_fence_SetEventOnCompletion(ID3D12Fence1 *iface, UINT64 value,
                                                                  HANDLE event)
{
    struct d3d12_fence *fence = impl_from_ID3D12Fence1(iface);
    const struct d3d12_fence_wait wait = {&fence->kmd, &value, 1, false};
    HRESULT hr = d3d12_fence_wait(fence->child.device, &wait, event);
    if (hr == E_INVALIDARG)
        d3d12_child_error(&fence->child, EMU_MESSAGE_INVALID_ARGUMENT,
                          "ID3D12Fence::SetEventOnCompletion: not an event");
    in_flight_sweep(&fence->child.device->in_flight);
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_fence_Signal(ID3D12Fence1 *iface, UINT64 value)
{
    struct d3d12_fence *fence = impl_from_ID3D12Fence1(iface);
    if (!d3d12_fence_writable(fence))
        return E_INVALIDARG;
    return emu_kmd_fence_set(fence->kmd, value) ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}

static D3D12_FENCE_FLAGS STDMETHODCALLTYPE d3d12_fence_GetCreationFlags(ID3D12Fence1 *iface)
{
    return impl_from_ID3D12Fence1(iface)->flags;
}

static CONST_VTBL ID3D12Fence1Vtbl d3d12_fence_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_fence),
    .GetCompletedValue = d3d12_fence_GetCompletedValue,
    .SetEventOnCompletion = d3d12_fence_SetEventOnCompletion,
    .Signal = d3d12_fence_Signal,
    .GetCreationFlags = d3d12_fence_GetCreationFlags,
};

static void fence_destroy(struct d3d12_child *child)
{
    struct d3d12_fence *fence = container_of(child, struct d3d12_fence, child);
    emu_kmd_fence_forget(fence->kmd, release_event);
    emu_kmd_fence_destroy(fence->kmd);
    d3d12_child_finish(child);
    free(fence);
}

static const struct d3d12_child_class fence_class = {
    .kind = D3D12DDI_HT_FENCE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Fence, &IID_ID3D12Fence1, NULL},
    .destroy = fence_destroy,
};

#define KNOWN_FLAGS                                                                                \
    (D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER |                             \
     D3D12_FENCE_FLAG_NON_MONITORED)

HRESULT d3d12_fence_create(struct d3d12_device *device, UINT64 initial, D3D12_FENCE_FLAGS flags,
                           struct d3d12_fence **out)
{
    if (((unsigned)flags & ~(unsigned)KNOWN_FLAGS) != 0) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::CreateFence: no such flags");
        return E_INVALIDARG;
    }
    struct d3d12_fence *fence = calloc(1, sizeof *fence);
    if (!fence)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    fence->iface.lpVtbl = &d3d12_fence_vtable;
    fence->flags = flags;
    fence->kmd = emu_kmd_fence_create(device->kmd, initial);
    if (!fence->kmd)
        goto err0;
    hr = d3d12_child_init(&fence->child, &fence->iface, &fence_class, device, 0, NULL);
    if (FAILED(hr))
        goto err1;
    *out = fence;
    return S_OK;
err1:
    emu_kmd_fence_destroy(fence->kmd);
err0:
    free(fence);
    return hr;
}
