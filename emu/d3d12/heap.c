#include "heap.h"

#include "abi.h"
#include "device.h"
#include "next_address.h"

static CONST_VTBL ID3D12Heap1Vtbl d3d12_heap_vtable;

D3D12_CHILD_METHODS(d3d12_heap, ID3D12Heap1)

struct d3d12_heap *d3d12_heap_from(ID3D12Heap *iface)
{
    ID3D12Heap1 *heap = (ID3D12Heap1 *)iface;
    return heap != NULL && heap->lpVtbl == &d3d12_heap_vtable ? impl_from_ID3D12Heap1(heap) : NULL;
}

bool d3d12_heap_properties_valid(const D3D12_HEAP_PROPERTIES *properties)
{
    const bool abstract = properties->CPUPageProperty == D3D12_CPU_PAGE_PROPERTY_UNKNOWN &&
                          properties->MemoryPoolPreference == D3D12_MEMORY_POOL_UNKNOWN;
    switch (properties->Type) {
    case D3D12_HEAP_TYPE_DEFAULT:
    case D3D12_HEAP_TYPE_UPLOAD:
    case D3D12_HEAP_TYPE_READBACK:
        return abstract;
    case D3D12_HEAP_TYPE_CUSTOM:
        return properties->CPUPageProperty >= D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE &&
               properties->CPUPageProperty <= D3D12_CPU_PAGE_PROPERTY_WRITE_BACK &&
               properties->MemoryPoolPreference == D3D12_MEMORY_POOL_L0;
    default:
        return false;
    }
}

bool d3d12_heap_properties_mappable(const D3D12_HEAP_PROPERTIES *properties)
{
    return properties->Type == D3D12_HEAP_TYPE_UPLOAD ||
           properties->Type == D3D12_HEAP_TYPE_READBACK ||
           (properties->Type == D3D12_HEAP_TYPE_CUSTOM &&
            properties->CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE);
}

HRESULT d3d12_memory_allocate(struct d3d12_device *device, UINT64 size, emu_gpu_memory *out)
{
    const D3D12_GPU_VIRTUAL_ADDRESS address = next_address_take(device);
    if (emu_gpu_allocate(device->gpu, size, address, out))
        return S_OK;
    if (address == 0)
        return E_OUTOFMEMORY;
    d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                       "ID3D12DeviceTools::SetNextAllocationAddress: nothing can be allocated at "
                       "that address");
    return E_INVALIDARG;
}

ABI_STRUCT_METHOD(D3D12_HEAP_DESC, d3d12_heap_GetDesc, ID3D12Heap1 *iface)
{
    ABI_RETURN_STRUCT(impl_from_ID3D12Heap1(iface)->desc);
}

static HRESULT STDMETHODCALLTYPE d3d12_heap_GetProtectedResourceSession(ID3D12Heap1 *iface,
                                                                        REFIID riid, void **out)
{
    (void)iface;
    (void)riid;
    if (out != NULL)
        *out = NULL;
    return DXGI_ERROR_NOT_FOUND; /* as documented for a heap without session */
}

static CONST_VTBL ID3D12Heap1Vtbl d3d12_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_heap),
    .GetDesc = d3d12_heap_GetDesc,
    .GetProtectedResourceSession = d3d12_heap_GetProtectedResourceSession,
};

static void heap_destroy(struct d3d12_child *child)
{
    struct d3d12_heap *heap = container_of(child, struct d3d12_heap, child);
    emu_gpu_free(child->device->gpu, heap->memory.address);
    d3d12_child_finish(child);
    free(heap);
}

static const struct d3d12_child_class heap_class = {
    .kind = D3D12DDI_HT_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Heap, &IID_ID3D12Heap1, NULL},
    .destroy = heap_destroy,
};

static bool is_valid(const D3D12_HEAP_DESC *desc)
{
    return desc != NULL && desc->SizeInBytes != 0 &&
           d3d12_heap_properties_valid(&desc->Properties) &&
           (desc->Alignment == 0 || desc->Alignment == D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT ||
            desc->Alignment == D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT);
}

HRESULT d3d12_heap_create(struct d3d12_device *device, const D3D12_HEAP_DESC *desc,
                          struct d3d12_heap **out)
{
    if (!is_valid(desc)) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDARG_RETURN,
                           "ID3D12Device::CreateHeap: invalid description");
        return E_INVALIDARG;
    }
    struct d3d12_heap *heap = calloc(1, sizeof *heap);
    if (heap == NULL)
        return E_OUTOFMEMORY;
    heap->iface.lpVtbl = &d3d12_heap_vtable;
    heap->desc = *desc;
    if (heap->desc.Alignment == 0)
        heap->desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    HRESULT hr = d3d12_memory_allocate(device, desc->SizeInBytes, &heap->memory);
    if (FAILED(hr))
        goto err0;
    hr = d3d12_child_init(&heap->child, &heap->iface, &heap_class, device, 0, NULL);
    if (FAILED(hr))
        goto err1;
    *out = heap;
    return S_OK;
err1:
    emu_gpu_free(device->gpu, heap->memory.address);
err0:
    free(heap);
    return hr;
}
