#include "sync/fence.h"

#include "device/device.h"
#include "os_handle.h"

D3D12_CHILD_METHODS(d3d12_fence, ID3D12Fence1)

/* ---- waiting ---- */

/* Signals the application's event; `user` is the emulator's own handle of the event. */
static void signal_event(void *user)
{
    os_event_signal((intptr_t)user);
    os_event_close((intptr_t)user);
}

static HRESULT notify(const struct emu_kmd_goal *goal, HANDLE handle)
{
    intptr_t event;
    if (!os_event_duplicate(handle, &event))
        return E_INVALIDARG;
    if (emu_kmd_notify(goal, signal_event, (void *)event))
        return S_OK;
    os_event_close(event);
    return E_OUTOFMEMORY;
}

/* Blocks, as far as the GPU can go. The last references to the fences may end meanwhile. */
static HRESULT block(struct d3d12_device *device, const struct emu_kmd_goal *goal)
{
    const UINT64 value = goal->values[0];
    d3d12_device_add_ref(device);
    const enum emu_kmd_waited waited = emu_kmd_wait_for(goal);
    if (waited == EMU_KMD_NEVER)
        d3d12_device_error(device, EMU_MESSAGE_ENDLESS_WAIT,
                           "the program waits for value %llu of a fence, but no work of the GPU "
                           "can signal this value now: a dump of the device shows what waits",
                           (unsigned long long)value);
    in_flight_sweep(&device->in_flight);
    d3d12_device_release(device);
    return waited == EMU_KMD_REACHED ? S_OK : waited == EMU_KMD_NEVER ? E_FAIL : E_OUTOFMEMORY;
}

HRESULT d3d12_fence_wait(struct d3d12_device *device, const struct emu_kmd_goal *goal, HANDLE event)
{
    if (!event)
        return block(device, goal);
    const HRESULT hr = notify(goal, event);
    /* Only this thread makes the GPU continue. If the fences aren't reached now, a later call may
     * reach them. */
    if (SUCCEEDED(hr) && d3d12_device_is_seeded(device))
        (void)emu_kmd_wait_for(goal);
    in_flight_sweep(&device->in_flight);
    return hr;
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
    struct emu_kmd_fence *const kmd = fence->kmd;
    const struct emu_kmd_goal goal = {&kmd, &value, 1, false};
    HRESULT hr = d3d12_fence_wait(fence->child.device, &goal, event);
    if (hr == E_INVALIDARG)
        d3d12_child_error(&fence->child, EMU_MESSAGE_INVALID_ARGUMENT,
                          "ID3D12Fence::SetEventOnCompletion: hEvent must be an event");
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_fence_Signal(ID3D12Fence1 *iface, UINT64 value)
{
    struct d3d12_fence *fence = impl_from_ID3D12Fence1(iface);
    if (!d3d12_fence_writable(fence))
        return E_INVALIDARG;
    return emu_kmd_fence_set(fence->kmd, value) ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}

COM_GET(D3D12_FENCE_FLAGS, ID3D12Fence1, d3d12_fence_GetCreationFlags, flags)

static CONST_VTBL ID3D12Fence1Vtbl d3d12_fence_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_fence),
    COM_METHODS(d3d12_fence, GetCompletedValue, SetEventOnCompletion, Signal, GetCreationFlags),
};

/* Releases the waits for a fence that has no owner any more, as D3D12 does. */
static void fence_abandon(struct d3d12_child *child)
{
    emu_kmd_fence_abandon(container_of(child, struct d3d12_fence, child)->kmd);
}

static void fence_release(struct d3d12_child *child)
{
    struct d3d12_fence *fence = container_of(child, struct d3d12_fence, child);
    if (fence->kmd)
        emu_kmd_fence_destroy(fence->kmd);
}

static const struct d3d12_child_class fence_class = {
    .kind = D3D12DDI_HT_FENCE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Fence, &IID_ID3D12Fence1, NULL},
    .abandon = fence_abandon,
    .methods = &d3d12_fence_vtable,
    .release = fence_release,
};

D3D12_CHILD_FROM(d3d12_fence, ID3D12Fence, fence_class)

#define KNOWN_FLAGS                                                                                \
    (D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER |                             \
     D3D12_FENCE_FLAG_NON_MONITORED)

HRESULT d3d12_fence_create(struct d3d12_device *device, UINT64 initial, D3D12_FENCE_FLAGS flags,
                           struct d3d12_fence **out)
{
    if (((unsigned)flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12Device::CreateFence: Flags must be D3D12_FENCE_FLAGS");
    struct d3d12_fence *fence = d3d12_child_begin(device, &fence_class, sizeof *fence);
    if (!fence)
        return E_OUTOFMEMORY;
    fence->flags = flags;
    fence->kmd = emu_kmd_fence_create(device->kmd, initial);
    *out = fence;
    const HRESULT hr = d3d12_child_end(&fence->child, fence->kmd ? S_OK : E_OUTOFMEMORY);
    if (SUCCEEDED(hr))
        emu_kmd_fence_identify(fence->kmd, annot_object_id(fence->child.annot),
                               (flags & D3D12_FENCE_FLAG_SHARED) != 0);
    return hr;
}
