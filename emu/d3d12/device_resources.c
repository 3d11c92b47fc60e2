/* ID3D12Device on heaps and resources. */
#include "abi.h"
#include "device.h"
#include "device_methods.h"
#include "resource.h"

static D3D12_RESOURCE_ALLOCATION_INFO sum_allocations(UINT count, const D3D12_RESOURCE_DESC *descs,
                                                      D3D12_RESOURCE_ALLOCATION_INFO1 *each)
{
    D3D12_RESOURCE_ALLOCATION_INFO sum = {0, 0};
    for (UINT i = 0; i < count; i++) {
        const D3D12_RESOURCE_ALLOCATION_INFO one = d3d12_resource_allocation(&descs[i]);
        const UINT64 gap = (0 - sum.SizeInBytes) & (one.Alignment - 1);
        sum.SizeInBytes = gap <= UINT64_MAX - sum.SizeInBytes ? sum.SizeInBytes + gap : UINT64_MAX;
        if (each != NULL)
            each[i] =
                (D3D12_RESOURCE_ALLOCATION_INFO1){sum.SizeInBytes, one.Alignment, one.SizeInBytes};
        if (one.Alignment > sum.Alignment)
            sum.Alignment = one.Alignment;
        if (one.SizeInBytes > UINT64_MAX - sum.SizeInBytes)
            sum.SizeInBytes = UINT64_MAX;
        else
            sum.SizeInBytes += one.SizeInBytes;
    }
    if (sum.Alignment == 0)
        sum.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    return sum;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap(ID3D12Device11 *iface,
                                                  const D3D12_HEAP_DESC *desc, REFIID riid,
                                                  void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_heap *heap;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_heap_create(device, desc, &heap);
    return SUCCEEDED(hr) ? d3d12_child_give(&heap->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap1(ID3D12Device11 *iface,
                                                   const D3D12_HEAP_DESC *desc,
                                                   ID3D12ProtectedResourceSession *session,
                                                   REFIID riid, void **out)
{
    if (session == NULL)
        return d3d12_device_CreateHeap(iface, desc, riid, out);
    return E_INVALIDARG; /* there are no sessions */
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommittedResource(
    ID3D12Device11 *iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
    const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear,
    REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_resource *resource;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr) && !d3d12_resource_clear_value_valid(desc, clear))
        hr = E_INVALIDARG;
    if (SUCCEEDED(hr))
        hr = d3d12_resource_create_committed(device, properties, flags, desc, state, &resource);
    return SUCCEEDED(hr) ? d3d12_child_give(&resource->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommittedResource1(
    ID3D12Device11 *iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
    const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear,
    ID3D12ProtectedResourceSession *session, REFIID riid, void **out)
{
    if (session == NULL)
        return d3d12_device_CreateCommittedResource(iface, properties, flags, desc, state, clear,
                                                    riid, out);
    return E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreatePlacedResource(
    ID3D12Device11 *iface, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC *desc,
    D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_resource *resource;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr) && !d3d12_resource_clear_value_valid(desc, clear))
        hr = E_INVALIDARG;
    if (SUCCEEDED(hr))
        hr = d3d12_resource_create_placed(device, d3d12_heap_from(heap), offset, desc, state,
                                          &resource);
    return SUCCEEDED(hr) ? d3d12_child_give(&resource->child, riid, out) : hr;
}

ABI_STRUCT_PROTOTYPE_ARGS(D3D12_HEAP_PROPERTIES, d3d12_device_GetCustomHeapProperties,
                          ID3D12Device11 *iface, UINT node_mask, D3D12_HEAP_TYPE type)
{
    (void)iface, (void)node_mask;
    D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        D3D12_MEMORY_POOL_L0, 1, 1};
    if (type == D3D12_HEAP_TYPE_DEFAULT)
        properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
    ABI_RETURN_STRUCT(properties);
}

ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC *descs)
{
    (void)iface, (void)visible_mask;
    ABI_RETURN_STRUCT(sum_allocations(descs != NULL ? count : 0, descs, NULL));
}

ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo1,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each)
{
    (void)iface, (void)visible_mask;
    ABI_RETURN_STRUCT(sum_allocations(descs != NULL ? count : 0, descs, each));
}

ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo2,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC1 *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each)
{
    (void)visible_mask, (void)count, (void)descs, (void)each;
    const D3D12_RESOURCE_ALLOCATION_INFO none = {UINT64_MAX, 0};
    d3d12_device_not_modelled(impl_from_ID3D12Device11(iface),
                              "ID3D12Device::GetResourceAllocationInfo2");
    ABI_RETURN_STRUCT(none);
}

void STDMETHODCALLTYPE d3d12_device_GetCopyableFootprints(
    ID3D12Device11 *iface, const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows, UINT64 *row_sizes, UINT64 *total)
{
    (void)iface;
    d3d12_resource_footprints(desc, first, count, base, layouts, rows, row_sizes, total);
}

/* Everything is always resident. */
HRESULT STDMETHODCALLTYPE d3d12_device_MakeResident(ID3D12Device11 *iface, UINT count,
                                                    ID3D12Pageable *const *objects)
{
    (void)iface;
    return count == 0 || objects != NULL ? S_OK : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE d3d12_device_Evict(ID3D12Device11 *iface, UINT count,
                                             ID3D12Pageable *const *objects)
{
    return d3d12_device_MakeResident(iface, count, objects);
}
