#include "resource.h"

#include "abi.h"
#include "device.h"

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
    if (desc != NULL && desc->Dimension >= D3D12_RESOURCE_DIMENSION_TEXTURE1D &&
        desc->Dimension <= D3D12_RESOURCE_DIMENSION_TEXTURE3D) {
        d3d12_device_not_modelled(device, "textures");
        return E_NOTIMPL;
    }
    if (desc != NULL && is_valid_buffer(desc))
        return S_OK;
    d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE, "%s: invalid description", method);
    return E_INVALIDARG;
}

/* The states that the heap types prescribe and that never change. */
static HRESULT check_state(struct d3d12_device *device, const D3D12_HEAP_PROPERTIES *properties,
                           D3D12_RESOURCE_STATES state, const char *method)
{
    if ((properties->Type != D3D12_HEAP_TYPE_UPLOAD ||
         state == D3D12_RESOURCE_STATE_GENERIC_READ) &&
        (properties->Type != D3D12_HEAP_TYPE_READBACK || state == D3D12_RESOURCE_STATE_COPY_DEST))
        return S_OK;
    d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE,
                       "%s: an upload heap's resource starts as GENERIC_READ, a readback heap's as "
                       "COPY_DEST",
                       method);
    return E_INVALIDARG;
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

void d3d12_resource_footprints(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows,
                               UINT64 *row_sizes, UINT64 *total)
{
    const bool valid = desc != NULL && is_valid_buffer(desc) && first == 0 && count <= 1 &&
                       desc->Width <= UINT32_MAX - D3D12_TEXTURE_DATA_PITCH_ALIGNMENT;
    for (UINT i = 0; i < count; i++) {
        if (layouts != NULL && valid)
            footprint(desc, base, &layouts[i]);
        else if (layouts != NULL) /* D3D12 answers what can't be with all ones */
            memset(&layouts[i], 0xFF, sizeof layouts[i]);
        if (rows != NULL)
            rows[i] = valid ? 1 : UINT32_MAX;
        if (row_sizes != NULL)
            row_sizes[i] = valid ? desc->Width : UINT64_MAX;
    }
    if (total != NULL)
        *total = !valid ? UINT64_MAX : count == 0 ? 0 : desc->Width;
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
    if (subresource != 0)
        return map_error(resource, D3D12_MESSAGE_ID_MAP_INVALIDSUBRESOURCE, "no such subresource");
    if (!d3d12_heap_properties_mappable(&resource->heap_properties))
        return map_error(resource, D3D12_MESSAGE_ID_MAP_INVALIDHEAP,
                         "the CPU can't access this heap");
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
    while (mapped != 0 && subresource == 0 &&
           !atomic_compare_exchange_weak(&resource->mapped, &mapped, mapped - 1))
        ;
    if (mapped == 0 || subresource != 0)
        d3d12_device_error(resource->child.device,
                           subresource != 0 ? D3D12_MESSAGE_ID_UNMAP_INVALIDSUBRESOURCE
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
    return impl_from_ID3D12Resource2(iface)->address;
}

/* Documented for textures only. */
static HRESULT STDMETHODCALLTYPE d3d12_resource_WriteToSubresource(ID3D12Resource2 *iface,
                                                                   UINT subresource,
                                                                   const D3D12_BOX *box,
                                                                   const void *data, UINT row_pitch,
                                                                   UINT depth_pitch)
{
    (void)iface, (void)subresource, (void)box, (void)data, (void)row_pitch, (void)depth_pitch;
    return E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_ReadFromSubresource(ID3D12Resource2 *iface,
                                                                    void *data, UINT row_pitch,
                                                                    UINT depth_pitch,
                                                                    UINT subresource,
                                                                    const D3D12_BOX *box)
{
    (void)iface, (void)data, (void)row_pitch, (void)depth_pitch, (void)subresource, (void)box;
    return E_INVALIDARG;
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
    resource->desc = *desc;
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
    hr = check_state(device, properties, state, method);
    if (FAILED(hr))
        return hr;
    struct d3d12_resource *resource = calloc(1, sizeof *resource);
    if (resource == NULL)
        return E_OUTOFMEMORY;
    emu_gpu_memory memory;
    hr = d3d12_memory_allocate(device, desc->Width, &memory);
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

static bool fits(const struct d3d12_heap *heap, UINT64 offset, UINT64 size)
{
    return offset % D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT == 0 &&
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
    if (heap == NULL || heap->child.device != device || !fits(heap, offset, desc->Width) ||
        (heap->desc.Flags & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATE_RESOURCE,
                           "%s: the buffer doesn't fit into the heap", method);
        return E_INVALIDARG;
    }
    hr = check_state(device, &heap->desc.Properties, state, method);
    if (FAILED(hr))
        return hr;
    struct d3d12_resource *resource = calloc(1, sizeof *resource);
    if (resource == NULL)
        return E_OUTOFMEMORY;
    d3d12_child_use(&heap->child);
    resource->heap = heap;
    resource->heap_properties = heap->desc.Properties;
    resource->heap_flags = heap->desc.Flags;
    resource->address = heap->memory.address + offset;
    resource->size = desc->Width;
    resource->cpu = (char *)heap->memory.cpu + offset;
    return finish_creation(device, resource, desc, out);
}
