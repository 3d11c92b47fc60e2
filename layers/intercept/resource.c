#include "resource.h"

#include "d3d12.h"

#include <annot/annot.h>

#include <limits.h>
#include <string.h>

static uint32_t kind_of(const D3D12_HEAP_PROPERTIES *heap)
{
    if (heap->Type == D3D12_HEAP_TYPE_UPLOAD)
        return RESOURCE_UPLOAD;
    return heap->Type == D3D12_HEAP_TYPE_READBACK ? RESOURCE_READBACK : RESOURCE_SHARED;
}

struct resource_facts resource_describe(void *resource)
{
    const D3D12_RESOURCE_DESC desc = resource_desc_of(resource);
    D3D12_HEAP_PROPERTIES heap = {0};
    D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
    ID3D12Resource *r = resource;
    if (r->lpVtbl->GetHeapProperties(r, &heap, &flags) < 0)
        heap.Type = D3D12_HEAP_TYPE_DEFAULT;
    return (struct resource_facts){
        desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER ? desc.Width : 0, kind_of(&heap),
        (flags & (D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER)) != 0};
}

void resource_shape(void *resource, struct annot_resource *out)
{
    const D3D12_RESOURCE_DESC desc = resource_desc_of(resource);
    *out = (annot_resource){.width = desc.Width,
                            .dimension = (uint32_t)desc.Dimension,
                            .format = (uint32_t)desc.Format,
                            .height = desc.Height,
                            .depth = desc.DepthOrArraySize,
                            .mips = desc.MipLevels,
                            .samples = desc.SampleDesc.Count,
                            .state = out->state};
}

uint64_t resource_descriptors(void *heap)
{
    ID3D12DescriptorHeap *h = heap;
    D3D12_CPU_DESCRIPTOR_HANDLE start;
#ifdef INTERCEPT_STRUCTS_BY_POINTER
    h->lpVtbl->GetCPUDescriptorHandleForHeapStart(h, &start);
#else
    start = h->lpVtbl->GetCPUDescriptorHandleForHeapStart(h);
#endif
    return start.ptr;
}

static UINT64 at_least_one(UINT64 value)
{
    return value ? value : 1;
}

/* Returns the subresource, or a box in it, as a texture of its own with equally long rows. */
static D3D12_RESOURCE_DESC part_of(D3D12_RESOURCE_DESC desc, UINT mip, const D3D12_BOX *box)
{
    const bool is_3d = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    desc.Width = box ? box->right - box->left : at_least_one(desc.Width >> mip);
    desc.Height = box ? box->bottom - box->top : (UINT)at_least_one(desc.Height >> mip);
    desc.DepthOrArraySize = (UINT16)(!is_3d ? 1
                                     : box  ? box->back - box->front
                                            : at_least_one((UINT64)desc.DepthOrArraySize >> mip));
    desc.MipLevels = 1;
    desc.Alignment = 0;
    return desc;
}

uint64_t resource_row_size(void *resource, const void *desc, uint32_t *rows)
{
    ID3D12Resource *r = resource;
    void *device = NULL;
    UINT found = 0;
    UINT64 row_size = 0;
    if (r->lpVtbl->GetDevice(r, iid_of(TYPE_ID3D12Device), &device) < 0)
        return 0;
    ID3D12Device *d = device;
    d->lpVtbl->GetCopyableFootprints(d, desc, 0, 1, 0, NULL, &found, &row_size, NULL);
    d->lpVtbl->Release(d);
    if (found == 0 || found == UINT_MAX || row_size == UINT64_MAX)
        return 0;
    *rows = found;
    return row_size;
}

uint64_t resource_box_size(uint16_t method, void *resource, const uint64_t *args)
{
    /* Write: subresource, box, data, row pitch, depth pitch. Read: data, row pitch, depth pitch,
     * subresource, box. */
    const bool is_write = method == METHOD_ID3D12Resource_WriteToSubresource;
    const uint64_t *place = &args[is_write ? 0 : 3], *pitches = &args[is_write ? 3 : 1];
    const uint64_t row_pitch = (UINT)pitches[0], depth_pitch = (UINT)pitches[1];
    ID3D12Resource *r = resource;
    const D3D12_BOX *b = (const D3D12_BOX *)(uintptr_t)place[1];
    const D3D12_RESOURCE_DESC whole = resource_desc_of(r);
    uint32_t rows = 0;
    if (b && (b->right <= b->left || b->bottom <= b->top || b->back <= b->front))
        return 0;
    if (whole.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER)
        return b ? b->right - b->left : whole.Width;
    const D3D12_RESOURCE_DESC part =
        part_of(whole, (UINT)place[0] % (UINT)at_least_one(whole.MipLevels), b);
    const uint64_t row_size = resource_row_size(r, &part, &rows);
    const uint64_t slices = part.DepthOrArraySize;
    return row_size ? (slices - 1) * depth_pitch + (rows - 1) * row_pitch + row_size : 0;
}

uint64_t resource_address(void *resource)
{
    ID3D12Resource *r = resource;
    return resource_desc_of(r).Dimension == D3D12_RESOURCE_DIMENSION_BUFFER
               ? r->lpVtbl->GetGPUVirtualAddress(r)
               : 0;
}

uint64_t resource_fence_value(void *fence)
{
    ID3D12Fence *f = fence;
    return f->lpVtbl->GetCompletedValue(f);
}

uint64_t resource_library_size(void *library)
{
    ID3D12PipelineLibrary *l = library;
    return l->lpVtbl->GetSerializedSize(l);
}

void *object_query(void *real, const void *iid)
{
    IID as_declared;
    IUnknown *unknown = real;
    void *found = NULL;
    memcpy(&as_declared, iid, sizeof as_declared);
    return unknown->lpVtbl->QueryInterface(unknown, &as_declared, &found) >= 0 ? found : NULL;
}

void *object_peek(void *real, const void *iid)
{
    void *found = object_query(real, iid);
    if (found)
        object_release(found);
    return found;
}

uint32_t object_release(void *real)
{
    IUnknown *unknown = real;
    return unknown->lpVtbl->Release(unknown);
}

void resource_set_fact(void *device, void *annot_device_of, void *set_fact, const char *key,
                       const char *value)
{
    annot_device *(*of)(void *);
    annot_result (*set)(annot_device *, const char *, const char *);
    memcpy(&of, &annot_device_of, sizeof of);
    memcpy(&set, &set_fact, sizeof set);
    annot_device *annot = device && of && set ? of(device) : NULL;
    if (annot)
        set(annot, key, value);
}
