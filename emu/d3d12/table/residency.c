/* ID3D12Device on residency. All memory is always resident; the methods only keep D3D12's count of
 * MakeResident and Evict for each object. */
#include "device/device_methods.h"
#include "sync/fence.h"
#include "resource/query_heap.h"
#include "resource/resource.h"
#include "view/descriptor_heap.h"

/* Returns the object of an interface if the object has residency; otherwise NULL. */
static struct d3d12_child *find_pageable(const struct d3d12_device *device, ID3D12Pageable *iface)
{
    struct d3d12_heap *heap = d3d12_heap_from((ID3D12Heap *)iface);
    struct d3d12_resource *resource = d3d12_resource_from((ID3D12Resource *)iface);
    struct d3d12_query_heap *queries = d3d12_query_heap_from((ID3D12QueryHeap *)iface);
    struct d3d12_descriptor_heap *views = d3d12_descriptor_heap_from((ID3D12DescriptorHeap *)iface);
    struct d3d12_child *child = NULL;
    if (heap)
        child = &heap->child;
    else if (resource && !resource->heap && !resource->reserved)
        child = &resource->child;
    else if (queries)
        child = &queries->child;
    else if (views)
        child = &views->child;
    return child && child->device == device ? child : NULL;
}

/* Checks all objects before any of them changes. */
static HRESULT check_objects(struct d3d12_device *device, UINT count,
                             ID3D12Pageable *const *objects, int null_id, const char *method)
{
    bool all = count == 0 || objects;
    for (UINT i = 0; i < count && all; i++)
        all = find_pageable(device, objects[i]) != NULL;
    if (all)
        return d3d12_device_is_removed(device) ? DXGI_ERROR_DEVICE_REMOVED : S_OK;
    return d3d12_device_invalid(device, objects ? EMU_MESSAGE_INVALID_ARGUMENT : null_id,
                                "ID3D12Device::%s: %s", method,
                                objects ? "ppObjects must contain only heaps, committed resources, "
                                          "descriptor heaps or query heaps of this device"
                                        : "no objects");
}

static void make_resident(struct d3d12_device *device, UINT count, ID3D12Pageable *const *objects)
{
    for (UINT i = 0; i < count; i++)
        atomic_fetch_add(&find_pageable(device, objects[i])->residency, 1);
}

HRESULT STDMETHODCALLTYPE d3d12_device_MakeResident(device_iface *iface, UINT count,
                                                    ID3D12Pageable *const *objects)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    HRESULT hr = check_objects(device, count, objects,
                               D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY, "MakeResident");
    if (SUCCEEDED(hr))
        make_resident(device, count, objects);
    return hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_Evict(device_iface *iface, UINT count,
                                             ID3D12Pageable *const *objects)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    HRESULT hr =
        check_objects(device, count, objects, D3D12_MESSAGE_ID_EVICT_NULLOBJECTARRAY, "Evict");
    for (UINT i = 0; SUCCEEDED(hr) && i < count; i++)
        if (!counter_step(&find_pageable(device, objects[i])->residency, -1))
            d3d12_device_warning(device, D3D12_MESSAGE_ID_EVICT_UNDERFLOW,
                                 "ID3D12Device::Evict: object %u is not resident", i);
    return hr;
}

/* The memory is resident at once, so the fence is signalled at once. */
HRESULT STDMETHODCALLTYPE d3d12_device_EnqueueMakeResident(device_iface *iface,
                                                           D3D12_RESIDENCY_FLAGS flags, UINT count,
                                                           ID3D12Pageable *const *objects,
                                                           ID3D12Fence *fence_iface, UINT64 value)
{
    static const char method[] = "EnqueueMakeResident";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_fence *fence = d3d12_fence_from(fence_iface);
    if (((UINT)flags & ~(UINT)D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET) != 0)
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_ENQUEUE_MAKE_RESIDENT_INVALID_FLAGS,
                                    "ID3D12Device::%s: Flags is out of range", method);
    if (!fence || fence->child.device != device)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12Device::%s: the fence must be of this device", method);
    HRESULT hr = check_objects(device, count, objects,
                               D3D12_MESSAGE_ID_MAKERESIDENT_NULLOBJECTARRAY, method);
    if (FAILED(hr))
        return hr;
    make_resident(device, count, objects);
    return emu_kmd_fence_set(fence->kmd, value) ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}
