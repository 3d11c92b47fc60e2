#include "resource/resource.h"

#include "base/abi.h"
#include "device/next_address.h"
#include "session/protected_session.h"
#include "resource/texture.h"

D3D12_CHILD_METHODS(d3d12_resource, ID3D12Resource2)

UINT d3d12_resource_parts(const struct d3d12_resource *resource)
{
    return resource_desc_is_buffer(&resource->desc) ? 1 : texture_parts(&resource->desc);
}

/* ---- methods ---- */

/* A range may be NULL, or empty (End up to Begin), or must have bytes of the subresource. */
static bool range_is_valid(const struct d3d12_resource *resource, const D3D12_RANGE *range)
{
    return !range || range->End <= range->Begin ||
           (resource_desc_is_buffer(&resource->desc) && range->End <= resource->desc.Width);
}

static struct validation_error check_map(struct d3d12_resource *resource, UINT subresource,
                                         const D3D12_RANGE *read, bool wants_pointer)
{
    REFUSE(resource->reserved, MAP_INVALIDRESOURCE,
           "a reserved resource has no memory of its own and can't be mapped");
    REFUSE(subresource >= d3d12_resource_parts(resource), MAP_INVALIDSUBRESOURCE,
           "Subresource must be an index of one of the resource's subresources");
    REFUSE(!d3d12_heap_properties_mappable(&resource->heap_properties), MAP_INVALIDHEAP,
           "the CPU can't access this resource's heap");
    REFUSE(wants_pointer && !resource_desc_is_buffer(&resource->desc), MAP_INVALIDDATAPOINTER,
           "ppData must be NULL: the texture's layout is unknown");
    REFUSE(resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D &&
               resource->desc.MipLevels > 1,
           MAP_INVALIDRESOURCE, "a 3D texture must have MipLevels = 1 to be mapped");
    REFUSE(!range_is_valid(resource, read), MAP_INVALIDRANGE,
           "the range must lie within the subresource");
    return no_validation_error;
}

/* The range is a hint about caches, which the emulator doesn't have. On failure D3D12 does not
 * change the pointer. */
static HRESULT STDMETHODCALLTYPE d3d12_resource_Map(ID3D12Resource2 *iface, UINT subresource,
                                                    const D3D12_RANGE *read, void **data)
{
    struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    const struct validation_error error = check_map(resource, subresource, read, data != NULL);
    if (error.text)
        return d3d12_child_invalid(&resource->child, error.id, "ID3D12Resource::Map: %s",
                                   validation_words(error).text);
    if (d3d12_device_is_removed(resource->child.device))
        return DXGI_ERROR_DEVICE_REMOVED;
    atomic_fetch_add(&resource->mapped[subresource], 1);
    if (data)
        *data = resource->cpu;
    return S_OK;
}

/* Takes one Map back; false: there is no Map. */
static bool unmap(struct d3d12_resource *resource, UINT subresource)
{
    return resource->mapped && counter_step(&resource->mapped[subresource], -1);
}

/* Every pointer of Map stays valid until the resource is destroyed. The count only finds calls
 * without a partner. */
static void STDMETHODCALLTYPE d3d12_resource_Unmap(ID3D12Resource2 *iface, UINT subresource,
                                                   const D3D12_RANGE *written)
{
    struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    int id = 0;
    if (subresource >= d3d12_resource_parts(resource))
        id = D3D12_MESSAGE_ID_UNMAP_INVALIDSUBRESOURCE;
    else if (!range_is_valid(resource, written))
        id = D3D12_MESSAGE_ID_UNMAP_INVALIDRANGE;
    else if (!unmap(resource, subresource))
        id = D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED;
    if (id != 0)
        d3d12_child_error(&resource->child, id, "ID3D12Resource::Unmap: %s",
                          id == D3D12_MESSAGE_ID_UNMAP_INVALIDRANGE
                              ? "the range must lie within the subresource"
                              : "the subresource is not mapped: call Unmap once for each Map");
}

ABI_GET(D3D12_RESOURCE_DESC, ID3D12Resource2, d3d12_resource_GetDesc, desc)

ABI_STRUCT_METHOD(D3D12_RESOURCE_DESC1, d3d12_resource_GetDesc1, ID3D12Resource2 *iface)
{
    const D3D12_RESOURCE_DESC *desc = &impl_from_ID3D12Resource2(iface)->desc;
    D3D12_RESOURCE_DESC1 desc1 = {0};
    memcpy(&desc1, desc, RESOURCE_DESC_SHARED);
    ABI_RETURN_STRUCT(desc1);
}

static D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE
d3d12_resource_GetGPUVirtualAddress(ID3D12Resource2 *iface)
{
    const struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    return resource_desc_is_buffer(&resource->desc) ? resource->address
                                                    : 0; /* textures have no address */
}

#include "base/stubs.h"

#define STUB_NOUN      d3d12_resource
#define STUB_INTERFACE ID3D12Resource2
#define STUB_NAME      "ID3D12Resource"
#define STUB_DEVICE    impl_from_ID3D12Resource2(iface)->child.device
#define RESOURCE_STUBS(S)                                                                          \
    S(FAIL, WriteToSubresource, UINT subresource, const D3D12_BOX *box, const void *data,          \
      UINT row_pitch, UINT depth_pitch)                                                            \
    S(FAIL, ReadFromSubresource, void *data, UINT row_pitch, UINT depth_pitch, UINT subresource,   \
      const D3D12_BOX *box)
RESOURCE_STUBS(STUB)

static HRESULT STDMETHODCALLTYPE d3d12_resource_GetHeapProperties(ID3D12Resource2 *iface,
                                                                  D3D12_HEAP_PROPERTIES *properties,
                                                                  D3D12_HEAP_FLAGS *flags)
{
    const struct d3d12_resource *resource = impl_from_ID3D12Resource2(iface);
    if (resource->reserved)
        return d3d12_child_invalid(
            &resource->child, D3D12_MESSAGE_ID_GETHEAPPROPERTIES_INVALIDRESOURCE,
            "ID3D12Resource::GetHeapProperties: a reserved resource has no heap");
    if (properties)
        *properties = resource->heap_properties;
    if (flags)
        *flags = resource->heap_flags;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE d3d12_resource_GetProtectedResourceSession(ID3D12Resource2 *iface,
                                                                            REFIID riid, void **out)
{
    return d3d12_protected_session_query(&impl_from_ID3D12Resource2(iface)->child, riid, out);
}

static CONST_VTBL ID3D12Resource2Vtbl d3d12_resource_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_resource),
    COM_METHODS(d3d12_resource, Map, Unmap, GetDesc, GetGPUVirtualAddress, GetHeapProperties,
                GetProtectedResourceSession, GetDesc1),
    RESOURCE_STUBS(STUB_ENTRY)};

/* ---- life ---- */

static void give_memory(struct d3d12_resource *resource)
{
    if (resource->address == 0)
        return;
    d3d12_range_remove(&resource->range, &resource->child);
    if (resource->heap)
        d3d12_child_release_private_ref(&resource->heap->child);
    else
        emu_gpu_free(resource->child.device->gpu, resource->address);
    resource->address = 0;
}

/* D3D12 leaves it undefined what the GPU then reads and writes. */
static void resource_abandon(struct d3d12_child *child)
{
    struct d3d12_resource *resource = container_of(child, struct d3d12_resource, child);
    if (child->device->settings.config.reset_in_flight)
        give_memory(resource);
}

static void resource_release(struct d3d12_child *child)
{
    struct d3d12_resource *resource = container_of(child, struct d3d12_resource, child);
    give_memory(resource);
    free((void *)resource->mapped);
    free(resource->castable);
}

static const struct d3d12_child_class resource_class = {
    .kind = D3D12DDI_HT_RESOURCE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12Resource, &IID_ID3D12Resource1,
                                 &IID_ID3D12Resource2, NULL},
    .methods = &d3d12_resource_vtable,
    .abandon = resource_abandon,
    .release = resource_release,
};

D3D12_CHILD_FROM(d3d12_resource, ID3D12Resource, resource_class)

static bool allocate_parts(struct d3d12_resource *resource, const struct resource_request *request)
{
    const UINT count = request->castable_count;
    if (count != 0) {
        resource->castable = calloc(count, sizeof *resource->castable);
        if (!resource->castable)
            return false;
        memcpy(resource->castable, request->castable, count * sizeof *resource->castable);
        resource->castable_count = count;
    }
    if (resource->reserved || !d3d12_heap_properties_mappable(&resource->heap_properties))
        return true;
    resource->mapped = calloc(d3d12_resource_parts(resource), sizeof *resource->mapped);
    return resource->mapped != NULL;
}

/* Makes a resource without memory, to be finished. NULL: out of memory. */
static struct d3d12_resource *
create(struct d3d12_device *device, const struct resource_request *request, enum resource_kind kind,
       const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags)
{
    struct d3d12_resource *resource = d3d12_child_begin(device, &resource_class, sizeof *resource);
    if (!resource)
        return NULL;
    resource->desc = resource_desc_complete(&request->desc);
    resource->reserved = kind == RESOURCE_RESERVED;
    resource->size = resource_desc_size(&request->desc);
    if (properties)
        resource->heap_properties = d3d12_heap_properties_complete(properties);
    resource->heap_flags = flags;
    if (allocate_parts(resource, request))
        return resource;
    d3d12_child_end(&resource->child, E_OUTOFMEMORY);
    return NULL;
}

/* Finishes a creation; `hr` is the result of the memory's allocation. */
static HRESULT finish_creation(HRESULT hr, struct d3d12_resource *resource,
                               const struct resource_request *request, struct d3d12_resource **out)
{
    resource->child.memory = (emu_gpu_memory){resource->address, resource->size, NULL};
    hr = d3d12_child_end(&resource->child, hr);
    if (FAILED(hr))
        return hr;
    annot_object_set_resource(
        resource->child.annot,
        &(const annot_resource){.width = resource->desc.Width,
                                .dimension = (uint32_t)resource->desc.Dimension,
                                .format = (uint32_t)resource->desc.Format,
                                .height = resource->desc.Height,
                                .depth = resource->desc.DepthOrArraySize,
                                .mips = resource->desc.MipLevels,
                                .samples = resource->desc.SampleDesc.Count,
                                .state = request->has_layout ? 0 : (uint32_t)request->state + 1,
                                .memory = resource->reserved ? ANNOT_MEMORY_RESERVED
                                          : resource->heap   ? ANNOT_MEMORY_PLACED
                                                             : ANNOT_MEMORY_COMMITTED});
    if (!resource->heap && (resource->heap_flags & D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT) != 0)
        atomic_store(&resource->child.residency, 0);
    d3d12_range_add(&resource->range, &resource->child, resource->address, resource->size,
                    resource->heap != NULL);
    *out = resource;
    return S_OK;
}

HRESULT d3d12_resource_create(struct d3d12_device *device, enum resource_kind kind,
                              const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
                              const struct resource_request *request, struct d3d12_resource **out)
{
    struct validation_error error = resource_request_check(request, kind);
    if (kind == RESOURCE_COMMITTED) {
        UNLESS_REFUSED(error, d3d12_heap_check(properties, flags, true));
        UNLESS_REFUSED(error, resource_request_check_heap(request, properties, flags));
    }
    if (error.text)
        return d3d12_device_refuse(device, request->method, error);
    struct d3d12_resource *resource = create(device, request, kind, properties, flags);
    if (!resource)
        return E_OUTOFMEMORY;
    emu_gpu_memory memory;
    HRESULT hr = d3d12_memory_allocate(device, resource->size, kind == RESOURCE_RESERVED, &memory);
    if (SUCCEEDED(hr)) {
        resource->address = memory.address;
        resource->cpu = memory.cpu;
    }
    return finish_creation(hr, resource, request, out);
}

static struct validation_error check_place(const struct d3d12_device *device,
                                           const struct d3d12_heap *heap, UINT64 offset,
                                           const struct resource_request *request)
{
    REFUSE(!heap || heap->child.device != device, CREATERESOURCEANDHEAP_NULLHEAP,
           "pHeap must be a heap of this device");
    const UINT64 size = resource_desc_size(&request->desc);
    const UINT64 alignment = resource_desc_complete(&request->desc).Alignment;
    REFUSE(offset % alignment != 0 || alignment > heap->desc.Alignment,
           CREATERESOURCE_INVALIDALIGNMENT,
           "HeapOffset and the heap's Alignment must be multiples of the resource's alignment");
    REFUSE(offset > heap->memory.size || size > heap->memory.size - offset,
           CREATERESOURCEANDHEAP_INVALID_PARAMETERS, "the resource doesn't fit into the heap");
    return resource_request_check_heap(request, &heap->desc.Properties, heap->desc.Flags);
}

HRESULT d3d12_resource_create_placed(struct d3d12_device *device, struct d3d12_heap *heap,
                                     UINT64 offset, const struct resource_request *request,
                                     struct d3d12_resource **out)
{
    struct validation_error error = resource_request_check(request, RESOURCE_PLACED);
    UNLESS_REFUSED(error, check_place(device, heap, offset, request));
    if (error.text)
        return d3d12_device_refuse(device, request->method, error);
    const D3D12_GPU_VIRTUAL_ADDRESS address = next_address_take(device);
    if (address != 0 && address != heap->memory.address + offset)
        return d3d12_device_refuse(
            device, request->method,
            validation_error(EMU_MESSAGE_INVALID_ARGUMENT,
                             "the resource's address in this heap differs from the "
                             "address set with SetNextAllocationAddress"));
    struct d3d12_resource *resource =
        create(device, request, RESOURCE_PLACED, &heap->desc.Properties, heap->desc.Flags);
    if (!resource)
        return E_OUTOFMEMORY;
    d3d12_child_add_private_ref(&heap->child);
    resource->heap = heap;
    resource->address = heap->memory.address + offset;
    resource->cpu = (char *)heap->memory.cpu + offset;
    return finish_creation(S_OK, resource, request, out);
}
