/* Memory that the GPU writes words into: the process's own if the runtime can open it as a heap,
 * because only this memory is documented to survive a removal. Otherwise the memory is a READBACK
 * buffer. */
#include "layer.h"
#include "os_memory.h"

#include <string.h>

static const D3D12_RESOURCE_DESC buffer_desc = {
    .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
    .Width = LAYER_WORD_BYTES,
    .Height = 1,
    .DepthOrArraySize = 1,
    .MipLevels = 1,
    .SampleDesc = {1, 0},
    .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
};

void layer_release(struct layer_device *device, void *object)
{
    if (!object)
        return;
    object_release(object);
    layer_device_let_go(device);
}

void *layer_buffer_create(struct layer_device *device, D3D12_HEAP_TYPE type, UINT64 size,
                          D3D12_RESOURCE_STATES state, void **mapped)
{
    const bool is_custom = type == D3D12_HEAP_TYPE_CUSTOM;
    const D3D12_HEAP_PROPERTIES heap = {
        .Type = type,
        .CPUPageProperty =
            is_custom ? D3D12_CPU_PAGE_PROPERTY_WRITE_BACK : D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
        .MemoryPoolPreference = is_custom ? D3D12_MEMORY_POOL_L0 : D3D12_MEMORY_POOL_UNKNOWN};
    D3D12_RESOURCE_DESC desc = buffer_desc;
    void *buffer = NULL;
    desc.Width = size;
    desc.Flags = is_custom ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS : D3D12_RESOURCE_FLAG_NONE;
    *mapped = NULL;
    if (device->real->lpVtbl->CreateCommittedResource(device->real, &heap, D3D12_HEAP_FLAG_NONE,
                                                      &desc, state, NULL,
                                                      iid_of(TYPE_ID3D12Resource), &buffer) < 0)
        return NULL;
    layer_device_hold(device);
    ID3D12Resource *resource = buffer;
    if (resource->lpVtbl->Map(resource, 0, NULL, mapped) >= 0 && *mapped)
        return buffer;
    layer_release(device, buffer);
    return NULL;
}

static bool place_buffer(struct layer_device *device, struct layer_memory *memory)
{
    D3D12_RESOURCE_DESC desc = buffer_desc;
    void *buffer = NULL;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER; /* such heaps need this flag */
    if (device->real->lpVtbl->CreatePlacedResource(device->real, memory->heap, 0, &desc,
                                                   D3D12_RESOURCE_STATE_COPY_DEST, NULL,
                                                   iid_of(TYPE_ID3D12Resource), &buffer) < 0)
        return false;
    layer_device_hold(device);
    memory->buffer = buffer;
    return true;
}

bool layer_memory_open_own(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    D3D12_FEATURE_DATA_EXISTING_HEAPS existing = {FALSE};
    void *heap = NULL;
    if (device->real->lpVtbl->CheckFeatureSupport(device->real, D3D12_FEATURE_EXISTING_HEAPS,
                                                  &existing, sizeof existing) < 0 ||
        !existing.Supported)
        return false;
    ID3D12Device3 *device3 = object_query(device->real, iid_of(TYPE_ID3D12Device3));
    if (!device3)
        return false;
    void *pages = os_memory_take(LAYER_WORD_BYTES);
    const HRESULT opened = pages ? device3->lpVtbl->OpenExistingHeapFromAddress(
                                       device3, pages, iid_of(TYPE_ID3D12Heap), &heap)
                                 : E_OUTOFMEMORY;
    object_release(device3);
    if (opened >= 0) {
        layer_device_hold(device);
        memory->heap = heap;
        if (place_buffer(device, memory)) {
            memory->mapped = pages;
            memory->is_own = true;
            return true;
        }
        layer_release(device, heap);
        memory->heap = NULL;
    }
    if (pages)
        os_memory_give(pages, LAYER_WORD_BYTES);
    return false;
}

bool layer_memory_open_readback(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    memory->buffer = layer_buffer_create(device, D3D12_HEAP_TYPE_READBACK, LAYER_WORD_BYTES,
                                         D3D12_RESOURCE_STATE_COPY_DEST, &memory->mapped);
    if (memory->buffer)
        memset(memory->mapped, 0, LAYER_WORD_BYTES);
    return memory->buffer != NULL;
}

void layer_memory_finish(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    layer_release(device, memory->buffer);
    layer_release(device, memory->heap);
    if (memory->is_own)
        os_memory_give(memory->mapped, LAYER_WORD_BYTES);
    *memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
}
