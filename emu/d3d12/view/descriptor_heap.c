#include "view/descriptor_heap.h"

#include "base/abi.h"
#include "device/device.h"
#include "view/view_texture.h"

#define GPU_BIT ((uint64_t)1 << 63)

/* A heap's descriptors must not reach the slot bits of handles. */
#define DESCRIPTORS_MAX (UINT32_MAX / DESCRIPTOR_SIZE)

static struct d3d12_descriptor_heap *find(struct d3d12_device *device, uint64_t handle, UINT count,
                                          UINT *index)
{
    struct d3d12_descriptor_heap *heap = descriptor_table_find(&device->descriptors, handle);
    const uint32_t offset = (uint32_t)handle;
    if (!heap || offset % DESCRIPTOR_SIZE != 0)
        return NULL;
    *index = offset / DESCRIPTOR_SIZE;
    return *index < heap->desc.NumDescriptors && count <= heap->desc.NumDescriptors - *index ? heap
                                                                                             : NULL;
}

struct d3d12_descriptor_heap *d3d12_descriptor_heap_find(struct d3d12_device *device,
                                                         D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                                         UINT count, UINT *index)
{
    return find(device, handle.ptr, count, index);
}

struct d3d12_descriptor_heap *d3d12_descriptor_heap_find_gpu(struct d3d12_device *device,
                                                             D3D12_GPU_DESCRIPTOR_HANDLE handle,
                                                             UINT *index)
{
    if ((handle.ptr & GPU_BIT) == 0)
        return NULL;
    struct d3d12_descriptor_heap *heap = find(device, handle.ptr & ~GPU_BIT, 1, index);
    return heap && heap->memory.address != 0 ? heap : NULL;
}

/* ---- methods ---- */

D3D12_CHILD_METHODS(d3d12_descriptor_heap, ID3D12DescriptorHeap)

ABI_GET(D3D12_DESCRIPTOR_HEAP_DESC, ID3D12DescriptorHeap, d3d12_descriptor_heap_GetDesc, desc)

ABI_STRUCT_METHOD(D3D12_CPU_DESCRIPTOR_HANDLE,
                  d3d12_descriptor_heap_GetCPUDescriptorHandleForHeapStart,
                  ID3D12DescriptorHeap *iface)
{
    const D3D12_CPU_DESCRIPTOR_HANDLE handle = {
        (SIZE_T)impl_from_ID3D12DescriptorHeap(iface)->start};
    ABI_RETURN_STRUCT(handle);
}

ABI_STRUCT_METHOD(D3D12_GPU_DESCRIPTOR_HANDLE,
                  d3d12_descriptor_heap_GetGPUDescriptorHandleForHeapStart,
                  ID3D12DescriptorHeap *iface)
{
    const struct d3d12_descriptor_heap *heap = impl_from_ID3D12DescriptorHeap(iface);
    const bool visible = heap->memory.address != 0;
    const D3D12_GPU_DESCRIPTOR_HANDLE handle = {visible ? heap->start | GPU_BIT : 0};
    if (!visible)
        d3d12_child_error(&heap->child, D3D12_MESSAGE_ID_DESCRIPTOR_HEAP_NOT_SHADER_VISIBLE,
                          "ID3D12DescriptorHeap::GetGPUDescriptorHandleForHeapStart: the heap is "
                          "not shader visible");
    ABI_RETURN_STRUCT(handle);
}

static CONST_VTBL ID3D12DescriptorHeapVtbl d3d12_descriptor_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_descriptor_heap),
    COM_METHODS(d3d12_descriptor_heap, GetDesc, GetCPUDescriptorHandleForHeapStart,
                GetGPUDescriptorHandleForHeapStart),
};

/* ---- life ---- */

static void descriptor_heap_release(struct d3d12_child *child)
{
    struct d3d12_descriptor_heap *heap = container_of(child, struct d3d12_descriptor_heap, child);
    if (heap->start != 0)
        descriptor_table_remove(&child->device->descriptors, heap->start);
    if (heap->memory.address != 0)
        emu_gpu_free(child->device->gpu, heap->memory.address);
    else
        free(heap->memory.cpu);
    free(heap->parts);
}

static const struct d3d12_child_class descriptor_heap_class = {
    .kind = D3D12DDI_HT_DESCRIPTOR_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12DescriptorHeap, NULL},
    .methods = &d3d12_descriptor_heap_vtable,
    .release = descriptor_heap_release,
};

D3D12_CHILD_FROM(d3d12_descriptor_heap, ID3D12DescriptorHeap, descriptor_heap_class)

static bool is_valid(const D3D12_DESCRIPTOR_HEAP_DESC *desc)
{
    if (!desc || (unsigned)desc->Type >= D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES ||
        desc->NumDescriptors == 0 || desc->NodeMask > 1 ||
        ((unsigned)desc->Flags & ~(unsigned)D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0)
        return false;
    if ((desc->Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) == 0)
        return true;
    switch (desc->Type) {
    case D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV:
        return desc->NumDescriptors <= DESCRIPTORS_SHADER_VISIBLE_MAX;
    case D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER:
        return desc->NumDescriptors <= SAMPLERS_SHADER_VISIBLE_MAX;
    default:
        return false; /* only the CPU sets targets */
    }
}

static bool allocate(struct d3d12_device *device, struct d3d12_descriptor_heap *heap)
{
    const UINT64 size = (UINT64)heap->desc.NumDescriptors * DESCRIPTOR_SIZE;
    if (heap->desc.NumDescriptors > DESCRIPTORS_MAX)
        return false;
    if ((heap->desc.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0)
        return emu_gpu_allocate(device->gpu, size, 0, &heap->memory);
    heap->memory.cpu = calloc(heap->desc.NumDescriptors, DESCRIPTOR_SIZE);
    if (heap->desc.Type == D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER)
        return heap->memory.cpu != NULL;
    heap->parts = calloc(heap->desc.NumDescriptors, sizeof *heap->parts);
    return heap->memory.cpu && heap->parts;
}

HRESULT d3d12_descriptor_heap_create(struct d3d12_device *device,
                                     const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                     struct d3d12_descriptor_heap **out)
{
    if (!is_valid(desc))
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_CREATE_DESCRIPTOR_HEAP_INVALID_DESC,
                                    "ID3D12Device::CreateDescriptorHeap: Type, NumDescriptors, "
                                    "Flags or NodeMask is out of range");
    struct d3d12_descriptor_heap *heap =
        d3d12_child_begin(device, &descriptor_heap_class, sizeof *heap);
    if (!heap)
        return E_OUTOFMEMORY;
    heap->desc = *desc;
    if (allocate(device, heap))
        heap->start = descriptor_table_add(&device->descriptors, heap);
    heap->child.memory = heap->memory;
    *out = heap;
    return d3d12_child_end(&heap->child, heap->start != 0 ? S_OK : E_OUTOFMEMORY);
}
