#include "resource.h"

#include "abi.h"
#include "device.h"
#include "next_address.h"
#include "texture.h"

static CONST_VTBL ID3D12Resource2Vtbl d3d12_resource_vtable;

D3D12_CHILD_METHODS(d3d12_resource, ID3D12Resource2)

struct d3d12_resource *d3d12_resource_from(ID3D12Resource *iface)
{
    ID3D12Resource2 *resource = (ID3D12Resource2 *)iface;
    return resource != NULL && resource->lpVtbl == &d3d12_resource_vtable
               ? impl_from_ID3D12Resource2(resource)
               : NULL;
}

/* ---- descriptions ---- */

static bool is_valid_buffer(const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_RESOURCE_FLAGS never =
        D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER && desc->Width != 0 &&
           (desc->Alignment == 0 ||
            desc->Alignment == D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT) &&
           desc->Height == 1 && desc->DepthOrArraySize == 1 && desc->MipLevels == 1 &&
           desc->Format == DXGI_FORMAT_UNKNOWN && desc->SampleDesc.Count == 1 &&
           desc->SampleDesc.Quality == 0 && desc->Layout == D3D12_TEXTURE_LAYOUT_ROW_MAJOR &&
           (desc->Flags & never) == 0;
}

static HRESULT check_desc(struct d3d12_device *device, const D3D12_RESOURCE_DESC *desc,
                          const char *method)
{
    if (desc != NULL && (is_valid_buffer(desc) || texture_is_valid(desc)))
        return S_OK;
    d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE, "%s: invalid description", method);
    return E_INVALIDARG;
}

static bool is_buffer(const D3D12_RESOURCE_DESC *desc)
{
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
}

/* The heap types of uploads and readbacks are for buffers, and prescribe a state that never changes. */
static HRESULT check_state(struct d3d12_device *device, const D3D12_HEAP_PROPERTIES *properties,
                           const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
                           const char *method)
{
    const bool upload = properties->Type == D3D12_HEAP_TYPE_UPLOAD;
    const bool readback = properties->Type == D3D12_HEAP_TYPE_READBACK;
    const char *mistake = NULL;
    if ((upload || readback) && !is_buffer(desc))
        mistake = "upload and readback heaps are for buffers";
    else if ((upload && state != D3D12_RESOURCE_STATE_GENERIC_READ) ||
             (readback && state != D3D12_RESOURCE_STATE_COPY_DEST))
        mistake =
            "an upload heap's resource starts as GENERIC_READ, a readback heap's as COPY_DEST";
    if (mistake == NULL)
        return S_OK;
    d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE, "%s: %s", method, mistake);
    return E_INVALIDARG;
}

/* What a heap says it is not for. */
static bool heap_denies(D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_RESOURCE_FLAGS target =
        D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
    if (is_buffer(desc))
        return (flags & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0;
    return (flags & ((desc->Flags & target) != 0 ? D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES
                                                 : D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES)) != 0;
}

bool d3d12_resource_clear_value_valid(const D3D12_RESOURCE_DESC *desc,
                                      const D3D12_CLEAR_VALUE *clear)
{
    struct format format;
    const D3D12_RESOURCE_FLAGS target =
        D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
    return clear == NULL || desc == NULL ||
           (!is_buffer(desc) && (desc->Flags & target) != 0 &&
            format_find(clear->Format, &format) && !format.typeless);
}

static UINT64 align(UINT64 value, UINT64 alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

D3D12_RESOURCE_ALLOCATION_INFO d3d12_resource_allocation(const D3D12_RESOURCE_DESC *desc)
{
    const UINT64 alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    D3D12_RESOURCE_ALLOCATION_INFO info = {UINT64_MAX, alignment};
    if (is_valid_buffer(desc) && desc->Width <= EMU_GPU_ALLOCATION_LIMIT)
        info.SizeInBytes = align(desc->Width, alignment);
    else if (texture_is_valid(desc))
        info = texture_allocation(desc);
    return info;
}

static void footprint(const D3D12_RESOURCE_DESC *desc, UINT64 base,
                      D3D12_PLACED_SUBRESOURCE_FOOTPRINT *out)
{
    out->Offset = base;
    out->Footprint.Format = DXGI_FORMAT_UNKNOWN;
    out->Footprint.Width = (UINT)desc->Width;
    out->Footprint.Height = 1;
    out->Footprint.Depth = 1;
    out->Footprint.RowPitch = (UINT)align(desc->Width, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT);
}

/* One subresource as the three arrays tell it. */
struct copyable {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
    UINT rows;
    UINT64 row_size, size;
};

static bool is_copyable(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count)
{
    if (is_valid_buffer(desc))
        return first == 0 && count <= 1 &&
               desc->Width <= UINT32_MAX - D3D12_TEXTURE_DATA_PITCH_ALIGNMENT;
    if (!texture_is_valid(desc) || desc->SampleDesc.Count != 1)
        return false;
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    const UINT parts = texture_parts(&complete);
    return first <= parts && count <= parts - first;
}

static void measure(const D3D12_RESOURCE_DESC *desc, UINT index, UINT64 offset,
                    struct copyable *out)
{
    if (is_buffer(desc)) {
        footprint(desc, offset, &out->layout);
        out->rows = 1;
        out->row_size = out->size = desc->Width;
        return;
    }
    const D3D12_RESOURCE_DESC complete = texture_complete(desc);
    struct texture_part part;
    texture_part_measure(&complete, index, &part);
    out->layout = part.footprint;
    out->layout.Offset = offset;
    out->rows = part.rows;
    out->row_size = part.row_size;
    out->size = part.size;
}

void d3d12_resource_footprints(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows,
                               UINT64 *row_sizes, UINT64 *total)
{
    const bool valid = desc != NULL && is_copyable(desc, first, count);
    UINT64 end = base;
    for (UINT i = 0; i < count; i++) {
        struct copyable copyable;
        memset(&copyable, 0xFF, sizeof copyable); /* D3D12 answers what can't be with all ones */
        if (valid) {
            const UINT64 offset =
                i == 0 ? base : align(end, D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT);
            measure(desc, first + i, offset, &copyable);
            end = offset + copyable.size;
        }
        if (layouts != NULL)
            layouts[i] = copyable.layout;
        if (rows != NULL)
            rows[i] = copyable.rows;
        if (row_sizes != NULL)
            row_sizes[i] = copyable.row_size;
    }
    if (total != NULL)
        *total = valid ? end - base : UINT64_MAX;
}

UINT d3d12_resource_parts(const struct d3d12_resource *resource)
{
    return is_buffer(&resource->desc) ? 1 : texture_parts(&resource->desc);
}

/* ---- methods ---- */

static HRESULT map_error(struct d3d12_resource *resource, int id, const char *text)
{
    d3d12_device_error(resource->child.device, id, "ID3D12Resource::Map: %s", text);
    return E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_Map(ID3D12Resource2 *iface, UINT subresource,
                                                    const D3D12_RANGE *read, void **data)
{
    struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    (void)read; /* a hint about caches that the emulator doesn't have */
    if (data != NULL)
        *data = NULL;
    if (subresource >= d3d12_resource_parts(resource))
        return map_error(resource, D3D12_MESSAGE_ID_MAP_INVALIDSUBRESOURCE, "no such subresource");
    if (!d3d12_heap_properties_mappable(&resource->heap_properties))
        return map_error(resource, D3D12_MESSAGE_ID_MAP_INVALIDHEAP,
                         "the CPU can't access this heap");
    if (data != NULL && !is_buffer(&resource->desc))
        return map_error(resource, D3D12_MESSAGE_ID_MAP_INVALIDDATAPOINTER,
                         "a texture's layout is unknown: no pointer is given");
    if (d3d12_device_is_removed(resource->child.device))
        return DXGI_ERROR_DEVICE_REMOVED;
    atomic_fetch_add(&resource->mapped, 1);
    if (data != NULL)
        *data = resource->cpu;
    return S_OK;
}

/* Every pointer that Map gave stays good until the resource is gone; the count only finds the unpaired. */
static void STDMETHODCALLTYPE d3d12_resource_Unmap(ID3D12Resource2 *iface, UINT subresource,
                                                   const D3D12_RANGE *written)
{
    struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    (void)written;
    unsigned mapped = atomic_load(&resource->mapped);
    const bool exists = subresource < d3d12_resource_parts(resource);
    while (mapped != 0 && exists &&
           !atomic_compare_exchange_weak(&resource->mapped, &mapped, mapped - 1))
        ;
    if (mapped == 0 || !exists)
        d3d12_device_error(resource->child.device,
                           !exists ? D3D12_MESSAGE_ID_UNMAP_INVALIDSUBRESOURCE
                                   : D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED,
                           "ID3D12Resource::Unmap: the subresource is not mapped");
}

ABI_STRUCT_METHOD(D3D12_RESOURCE_DESC, d3d12_resource_GetDesc, ID3D12Resource2 *iface)
{
    ABI_RETURN_STRUCT(impl_from_ID3D12Resource2(iface)->desc);
}

ABI_STRUCT_METHOD(D3D12_RESOURCE_DESC1, d3d12_resource_GetDesc1, ID3D12Resource2 *iface)
{
    const D3D12_RESOURCE_DESC *desc = &impl_from_ID3D12Resource2(iface)->desc;
    const D3D12_RESOURCE_DESC1 desc1 = {
        .Dimension = desc->Dimension,
        .Alignment = desc->Alignment,
        .Width = desc->Width,
        .Height = desc->Height,
        .DepthOrArraySize = desc->DepthOrArraySize,
        .MipLevels = desc->MipLevels,
        .Format = desc->Format,
        .SampleDesc = desc->SampleDesc,
        .Layout = desc->Layout,
        .Flags = desc->Flags,
    };
    ABI_RETURN_STRUCT(desc1);
}

static D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE
d3d12_resource_GetGPUVirtualAddress(ID3D12Resource2 *iface)
{
    const struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    return is_buffer(&resource->desc) ? resource->address : 0; /* textures have none */
}

/* Where a subresource's bytes are for WriteToSubresource and its reverse. */
struct access {
    struct texture_part part;
    D3D12_BOX box;
    char *bytes; /* of the subresource */
};

static HRESULT begin_access(struct d3d12_resource *resource, UINT subresource, const D3D12_BOX *box,
                            const void *data, bool writes, struct access *out)
{
    int id = 0;
    const char *mistake = NULL;
    if (is_buffer(&resource->desc) || resource->desc.SampleDesc.Count != 1) {
        id = writes ? D3D12_MESSAGE_ID_WRITETOSUBRESOURCE_INVALIDRESOURCE
                    : D3D12_MESSAGE_ID_READFROMSUBRESOURCE_INVALIDRESOURCE;
        mistake = "not a texture of one sample";
    } else if (!d3d12_heap_properties_mappable(&resource->heap_properties)) {
        id = writes ? D3D12_MESSAGE_ID_WRITETOSUBRESOURCE_INVALIDHEAP
                    : D3D12_MESSAGE_ID_READFROMSUBRESOURCE_INVALIDHEAP;
        mistake = "the CPU can't access this heap";
    } else if (subresource >= texture_parts(&resource->desc)) {
        id = writes ? D3D12_MESSAGE_ID_WRITETOSUBRESOURCE_INVALIDSUBRESOURCE
                    : D3D12_MESSAGE_ID_READFROMSUBRESOURCE_INVALIDSUBRESOURCE;
        mistake = "no such subresource";
    } else {
        texture_part_find(&resource->desc, subresource, &out->part);
        out->bytes = (char *)resource->cpu + out->part.footprint.Offset;
        if (data == NULL || !texture_part_box(&out->part, box, &out->box)) {
            id = writes ? D3D12_MESSAGE_ID_WRITETOSUBRESOURCE_INVALIDBOX
                        : D3D12_MESSAGE_ID_READFROMSUBRESOURCE_INVALIDBOX;
            mistake = "no data, or a box that is not whole blocks of the subresource";
        }
    }
    if (mistake == NULL)
        return S_OK;
    d3d12_device_error(resource->child.device, id, "ID3D12Resource::%s: %s",
                       writes ? "WriteToSubresource" : "ReadFromSubresource", mistake);
    return E_INVALIDARG;
}

/* Row of blocks by row of blocks, from the application's memory or to it. */
static void copy_rows(const struct access *access, char *data, UINT row_pitch, UINT depth_pitch,
                      bool writes)
{
    const struct format_plane *plane = &access->part.plane;
    const D3D12_BOX *box = &access->box;
    if (box->left >= box->right)
        return;
    const size_t size = (size_t)((box->right - box->left) / plane->width) * plane->bytes;
    for (UINT z = box->front; z < box->back; z++)
        for (UINT y = box->top; y < box->bottom; y += plane->height) {
            char *texels = access->bytes + texture_part_offset(&access->part, box->left, y, z);
            char *row = data + (size_t)(z - box->front) * depth_pitch +
                        (size_t)((y - box->top) / plane->height) * row_pitch;
            memcpy(writes ? texels : row, writes ? row : texels, size);
        }
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_WriteToSubresource(ID3D12Resource2 *iface,
                                                                   UINT subresource,
                                                                   const D3D12_BOX *box,
                                                                   const void *data, UINT row_pitch,
                                                                   UINT depth_pitch)
{
    struct access access;
    HRESULT hr =
        begin_access(impl_from_ID3D12Resource2(iface), subresource, box, data, true, &access);
    if (SUCCEEDED(hr))
        copy_rows(&access, (char *)(uintptr_t)data, row_pitch, depth_pitch, true);
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_ReadFromSubresource(ID3D12Resource2 *iface,
                                                                    void *data, UINT row_pitch,
                                                                    UINT depth_pitch,
                                                                    UINT subresource,
                                                                    const D3D12_BOX *box)
{
    struct access access;
    HRESULT hr =
        begin_access(impl_from_ID3D12Resource2(iface), subresource, box, data, false, &access);
    if (SUCCEEDED(hr))
        copy_rows(&access, data, row_pitch, depth_pitch, false);
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_GetHeapProperties(ID3D12Resource2 *iface,
                                                                  D3D12_HEAP_PROPERTIES *properties,
                                                                  D3D12_HEAP_FLAGS *flags)
{
    const struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    if (properties != NULL)
        *properties = resource->heap_properties;
    if (flags != NULL)
        *flags = resource->heap_flags;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_GetProtectedResourceSession(ID3D12Resource2 *iface,
                                                                            REFIID riid, void **out)
{
    (void)iface;
    (void)riid;
    if (out != NULL)
        *out = NULL;
    return DXGI_ERROR_NOT_FOUND; /* as documented for a resource without session */
}

static CONST_VTBL ID3D12Resource2Vtbl d3d12_resource_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_resource),
    .Map = d3d12_resource_Map,
    .Unmap = d3d12_resource_Unmap,
    .GetDesc = d3d12_resource_GetDesc,
    .GetGPUVirtualAddress = d3d12_resource_GetGPUVirtualAddress,
    .WriteToSubresource = d3d12_resource_WriteToSubresource,
    .ReadFromSubresource = d3d12_resource_ReadFromSubresource,
    .GetHeapProperties = d3d12_resource_GetHeapProperties,
    .GetProtectedResourceSession = d3d12_resource_GetProtectedResourceSession,
    .GetDesc1 = d3d12_resource_GetDesc1,
};

/* ---- life ---- */

static void release_memory(struct d3d12_device *device, struct d3d12_resource *resource)
{
    if (resource->heap != NULL)
        d3d12_child_unuse(&resource->heap->child);
    else
        emu_gpu_free(device->gpu, resource->address);
}

static void resource_destroy(struct d3d12_child *child)
{
    struct d3d12_resource *resource = container_of(child, struct d3d12_resource, child);
    release_memory(child->device, resource);
    d3d12_child_finish(child);
    free(resource);
}

static const struct d3d12_child_class resource_class = {
    .kind = D3D12DDI_HT_RESOURCE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Resource, &IID_ID3D12Resource1,
                                 &IID_ID3D12Resource2, NULL},
    .destroy = resource_destroy,
};

/* Takes over the memory that `resource` names already, also on failure. */
static HRESULT finish_creation(struct d3d12_device *device, struct d3d12_resource *resource,
                               const D3D12_RESOURCE_DESC *desc, struct d3d12_resource **out)
{
    resource->iface.lpVtbl = &d3d12_resource_vtable;
    resource->desc = is_buffer(desc) ? *desc : texture_complete(desc);
    if (resource->desc.Alignment == 0)
        resource->desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    atomic_init(&resource->mapped, 0);
    HRESULT hr =
        d3d12_child_init(&resource->child, &resource->iface, &resource_class, device, 0, NULL);
    if (FAILED(hr)) {
        release_memory(device, resource);
        free(resource);
        return hr;
    }
    *out = resource;
    return S_OK;
}

/* Buffers have exactly the bytes that were asked for. */
static UINT64 memory_size(const D3D12_RESOURCE_DESC *desc)
{
    return is_buffer(desc) ? desc->Width : texture_allocation(desc).SizeInBytes;
}

HRESULT d3d12_resource_create_committed(struct d3d12_device *device,
                                        const D3D12_HEAP_PROPERTIES *properties,
                                        D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC *desc,
                                        D3D12_RESOURCE_STATES state, struct d3d12_resource **out)
{
    static const char method[] = "ID3D12Device::CreateCommittedResource";
    HRESULT hr = check_desc(device, desc, method);
    if (FAILED(hr))
        return hr;
    if (properties == NULL || !d3d12_heap_properties_valid(properties)) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE, "%s: invalid heap properties",
                           method);
        return E_INVALIDARG;
    }
    if (heap_denies(flags, desc)) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE,
                           "%s: the heap's flags deny such a resource", method);
        return E_INVALIDARG;
    }
    hr = check_state(device, properties, desc, state, method);
    if (FAILED(hr))
        return hr;
    struct d3d12_resource *resource = calloc(1, sizeof *resource);
    if (resource == NULL)
        return E_OUTOFMEMORY;
    emu_gpu_memory memory;
    hr = d3d12_memory_allocate(device, memory_size(desc), &memory);
    if (FAILED(hr)) {
        free(resource);
        return hr;
    }
    resource->heap_properties = *properties;
    resource->heap_flags = flags;
    resource->address = memory.address;
    resource->size = memory.size;
    resource->cpu = memory.cpu;
    return finish_creation(device, resource, desc, out);
}

static bool fits(const struct d3d12_heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC *desc)
{
    const UINT64 size = memory_size(desc);
    const UINT64 alignment = d3d12_resource_allocation(desc).Alignment;
    return offset % alignment == 0 && alignment <= heap->desc.Alignment &&
           offset <= heap->memory.size && size <= heap->memory.size - offset;
}

HRESULT d3d12_resource_create_placed(struct d3d12_device *device, struct d3d12_heap *heap,
                                     UINT64 offset, const D3D12_RESOURCE_DESC *desc,
                                     D3D12_RESOURCE_STATES state, struct d3d12_resource **out)
{
    static const char method[] = "ID3D12Device::CreatePlacedResource";
    HRESULT hr = check_desc(device, desc, method);
    if (FAILED(hr))
        return hr;
    if (heap == NULL || heap->child.device != device || !fits(heap, offset, desc) ||
        heap_denies(heap->desc.Flags, desc)) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE,
                           "%s: the resource doesn't fit into the heap", method);
        return E_INVALIDARG;
    }
    hr = check_state(device, &heap->desc.Properties, desc, state, method);
    if (FAILED(hr))
        return hr;
    const D3D12_GPU_VIRTUAL_ADDRESS address = next_address_take(device);
    if (address != 0 && address != heap->memory.address + offset) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "%s: the heap has another address there than SetNextAllocationAddress "
                           "wants",
                           method);
        return E_INVALIDARG;
    }
    struct d3d12_resource *resource = calloc(1, sizeof *resource);
    if (resource == NULL)
        return E_OUTOFMEMORY;
    d3d12_child_use(&heap->child);
    resource->heap = heap;
    resource->heap_properties = heap->desc.Properties;
    resource->heap_flags = heap->desc.Flags;
    resource->address = heap->memory.address + offset;
    resource->size = memory_size(desc);
    resource->cpu = (char *)heap->memory.cpu + offset;
    return finish_creation(device, resource, desc, out);
}
