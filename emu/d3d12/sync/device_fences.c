/* ID3D12Device on fences. */
#include "device/device_methods.h"
#include "sync/fence.h"

DEVICE_CREATE(CreateFence,
              (device_iface * iface, UINT64 initial, D3D12_FENCE_FLAGS flags, REFIID riid,
               void **out),
              d3d12_fence, d3d12_fence_create(device, initial, flags, &made))

static bool collect_fences(struct d3d12_device *device, ID3D12Fence *const *ifaces, UINT count,
                           struct emu_kmd_fence **fences)
{
    for (UINT i = 0; i < count; i++) {
        const struct d3d12_fence *fence = d3d12_fence_from(ifaces[i]);
        if (!fence || fence->child.device != device)
            return false;
        fences[i] = fence->kmd;
    }
    return true;
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetEventOnMultipleFenceCompletion(
    device_iface *iface, ID3D12Fence *const *ifaces, const UINT64 *values, UINT count,
    D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags, HANDLE event)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const bool any = flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY;
    HRESULT hr = E_INVALIDARG;
    struct emu_kmd_fence **fences = NULL;
    if (ifaces && values && count > 0 && (any || flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL)) {
        fences = calloc(count, sizeof *fences);
        if (!fences)
            return E_OUTOFMEMORY;
        if (collect_fences(device, ifaces, count, fences)) {
            const struct emu_kmd_goal goal = {fences, values, count, any};
            hr = d3d12_fence_wait(device, &goal, event);
        }
    }
    free(fences);
    if (hr == E_INVALIDARG)
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device1::SetEventOnMultipleFenceCompletion: fences must be of "
                           "this device, Flags must be ALL or ANY, and hEvent must be an event");
    return hr;
}
