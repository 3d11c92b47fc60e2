/* ID3D12Device on heaps and resources: all the methods that create them. */
#include "base/abi.h"
#include "device/device_methods.h"
#include "session/protected_session.h"
#include "resource/query_heap.h"
#include "resource/resource.h"

/* Gives the new object to the program, unless its session could not be noted. */
static HRESULT give(struct d3d12_child *child, HRESULT noted, const IID *riid, void **out)
{
    if (SUCCEEDED(noted))
        return d3d12_child_give(child, riid, out);
    d3d12_child_release(child);
    return noted;
}

static HRESULT begin_creation(struct d3d12_device *device, ID3D12ProtectedResourceSession *session,
                              const char *method, void **out)
{
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr) && !d3d12_protected_session_usable(device, session, method))
        hr = E_INVALIDARG;
    return hr;
}

/* ---- heaps ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap1(device_iface *iface, const D3D12_HEAP_DESC *desc,
                                                   ID3D12ProtectedResourceSession *session,
                                                   REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_heap *heap;
    HRESULT hr = begin_creation(device, session, "ID3D12Device::CreateHeap1", out);
    if (SUCCEEDED(hr))
        hr = d3d12_heap_create(device, desc, &heap);
    if (FAILED(hr))
        return hr;
    hr = d3d12_protected_session_attach(&heap->child, session);
    return give(&heap->child, hr, riid, out);
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap(device_iface *iface, const D3D12_HEAP_DESC *desc,
                                                  REFIID riid, void **out)
{
    return d3d12_device_CreateHeap1(iface, desc, NULL, riid, out);
}

DEVICE_CREATE(OpenExistingHeapFromAddress,
              (device_iface * iface, const void *address, REFIID riid, void **out), d3d12_heap,
              d3d12_heap_open(device, address, 0, &made))

DEVICE_CREATE(OpenExistingHeapFromAddress1,
              (device_iface * iface, const void *address, SIZE_T size, REFIID riid, void **out),
              d3d12_heap, d3d12_heap_open(device, address, size ? size : SIZE_MAX, &made))

ABI_STRUCT_PROTOTYPE_ARGS(D3D12_HEAP_PROPERTIES, d3d12_device_GetCustomHeapProperties,
                          device_iface *iface, UINT node_mask, D3D12_HEAP_TYPE type)
{
    D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                        D3D12_MEMORY_POOL_L0, 1, 1};
    if (type == D3D12_HEAP_TYPE_DEFAULT)
        properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
    if (node_mask > 1 || type < D3D12_HEAP_TYPE_DEFAULT || type > D3D12_HEAP_TYPE_READBACK) {
        d3d12_device_error(impl_from_device_iface(iface),
                           type == D3D12_HEAP_TYPE_CUSTOM
                               ? D3D12_MESSAGE_ID_GETCUSTOMHEAPPROPERTIES_INVALIDHEAPTYPE
                               : D3D12_MESSAGE_ID_GETCUSTOMHEAPPROPERTIES_UNRECOGNIZEDHEAPTYPE,
                           "ID3D12Device::GetCustomHeapProperties: the heap type must be DEFAULT, "
                           "UPLOAD or READBACK, and the node mask must be 0 or 1");
        memset(&properties, 0, sizeof properties);
    }
    ABI_RETURN_STRUCT(properties);
}

/* ---- resources ---- */

struct place {
    enum resource_kind kind;
    const D3D12_HEAP_PROPERTIES *properties; /* committed */
    D3D12_HEAP_FLAGS flags;
    ID3D12Heap *heap; /* placed */
    UINT64 offset;
    ID3D12ProtectedResourceSession *session; /* a placed resource uses its heap's session */
};

static HRESULT create(device_iface *iface, const struct place *place,
                      const struct resource_request *request, REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_resource *resource;
    HRESULT hr = begin_creation(device, place->session, request->method, out);
    if (SUCCEEDED(hr))
        hr = place->kind == RESOURCE_PLACED
                 ? d3d12_resource_create_placed(device, d3d12_heap_from(place->heap), place->offset,
                                                request, &resource)
                 : d3d12_resource_create(device, place->kind, place->properties, place->flags,
                                         request, &resource);
    if (FAILED(hr))
        return hr;
    hr = resource->heap ? d3d12_protected_session_inherit(&resource->child, &resource->heap->child)
                        : d3d12_protected_session_attach(&resource->child, place->session);
    return give(&resource->child, hr, riid, out);
}

#define IN_STATE .state = state
#define IN_LAYOUT                                                                                  \
    .has_layout = true, .layout = layout, .castable_count = count, .castable = castable
#define COMMITTED .kind = RESOURCE_COMMITTED, .properties = properties, .flags = flags
#define PLACED    .kind = RESOURCE_PLACED, .heap = heap, .offset = offset
#define RESERVED  .kind = RESOURCE_RESERVED

/* `describe` is for the form of `desc`; the last arguments are the place. */
#define CREATE(name, parameters, begins, describe, ...)                                            \
    HRESULT STDMETHODCALLTYPE d3d12_device_Create##name parameters                                 \
    {                                                                                              \
        struct resource_request request = {                                                        \
            .method = "ID3D12Device::Create" #name, .clear = clear, begins};                       \
        resource_request_##describe(&request, desc);                                               \
        return create(iface, &(struct place){__VA_ARGS__}, &request, riid, out);                   \
    }

CREATE(CommittedResource,
       (device_iface * iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
        const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
        const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out),
       IN_STATE, describe, COMMITTED)
CREATE(CommittedResource1,
       (device_iface * iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
        const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
        const D3D12_CLEAR_VALUE *clear, ID3D12ProtectedResourceSession *session, REFIID riid,
        void **out),
       IN_STATE, describe, COMMITTED, .session = session)
CREATE(CommittedResource2,
       (device_iface * iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
        const D3D12_RESOURCE_DESC1 *desc, D3D12_RESOURCE_STATES state,
        const D3D12_CLEAR_VALUE *clear, ID3D12ProtectedResourceSession *session, REFIID riid,
        void **out),
       IN_STATE, describe1, COMMITTED, .session = session)
CREATE(CommittedResource3,
       (device_iface * iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
        const D3D12_RESOURCE_DESC1 *desc, D3D12_BARRIER_LAYOUT layout,
        const D3D12_CLEAR_VALUE *clear, ID3D12ProtectedResourceSession *session, UINT32 count,
        castable_formats castable, REFIID riid, void **out),
       IN_LAYOUT, describe1, COMMITTED, .session = session)

CREATE(PlacedResource,
       (device_iface * iface, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC *desc,
        D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out),
       IN_STATE, describe, PLACED)
CREATE(PlacedResource1,
       (device_iface * iface, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC1 *desc,
        D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out),
       IN_STATE, describe1, PLACED)
CREATE(PlacedResource2,
       (device_iface * iface, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC1 *desc,
        D3D12_BARRIER_LAYOUT layout, const D3D12_CLEAR_VALUE *clear, UINT32 count,
        castable_formats castable, REFIID riid, void **out),
       IN_LAYOUT, describe1, PLACED)

CREATE(ReservedResource,
       (device_iface * iface, const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
        const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out),
       IN_STATE, describe, RESERVED)
CREATE(ReservedResource1,
       (device_iface * iface, const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
        const D3D12_CLEAR_VALUE *clear, ID3D12ProtectedResourceSession *session, REFIID riid,
        void **out),
       IN_STATE, describe, RESERVED, .session = session)
CREATE(ReservedResource2,
       (device_iface * iface, const D3D12_RESOURCE_DESC *desc, D3D12_BARRIER_LAYOUT layout,
        const D3D12_CLEAR_VALUE *clear, ID3D12ProtectedResourceSession *session, UINT32 count,
        castable_formats castable, REFIID riid, void **out),
       IN_LAYOUT, describe, RESERVED, .session = session)

DEVICE_CREATE(CreateQueryHeap,
              (device_iface * iface, const D3D12_QUERY_HEAP_DESC *desc, REFIID riid, void **out),
              d3d12_query_heap, d3d12_query_heap_create(device, desc, 0, &made))

DEVICE_CREATE(CreateQueryHeap1,
              (device_iface * iface, const D3D12_QUERY_HEAP_DESC *desc, UINT flags, REFIID riid,
               void **out),
              d3d12_query_heap, d3d12_query_heap_create(device, desc, flags, &made))

/* Resolves on the CPU. The application must know that the GPU has written the queries. */
HRESULT STDMETHODCALLTYPE d3d12_device_ResolveQueryData(device_iface *iface,
                                                        ID3D12QueryHeap *heap_iface,
                                                        D3D12_QUERY_TYPE type, UINT first,
                                                        UINT count, void *out)
{
    static const char method[] = "ID3D12Device15::ResolveQueryData";
    struct d3d12_device *device = impl_from_device_iface(iface);
    const struct d3d12_query_heap *heap = d3d12_query_heap_from(heap_iface);
    if (!heap || heap->child.device != device || !heap->is_for_cpu)
        return d3d12_device_invalid(device, QUERY_HEAP_INVALID,
                                    "%s: the heap must belong to this device and have CPU_RESOLVE",
                                    method);
    const bool copies = heap->desc.Type == D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP;
    if (!out || !d3d12_query_heap_has(heap, type, first, count, copies))
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS,
            "%s: the heap doesn't have all these queries, or the pointer for the results is NULL",
            method);
    const size_t stride = d3d12_query_heap_stride(heap);
    memcpy(out, (const char *)heap->memory.cpu + first * stride, count * stride);
    return S_OK;
}
