/* ID3D12Device on shared handles: of fences, heaps and committed resources that were made to be
 * shared. */
#include "device/device.h"
#include "device/device_methods.h"
#include "sync/fence.h"
#include "resource/resource.h"
#include "device/shared_table.h"

static HRESULT invalid_call(struct d3d12_device *device, const char *method, const char *what)
{
    d3d12_device_error(device, D3D12_MESSAGE_ID_DEVICE_CREATE_SHARED_HANDLE_INVALIDARG,
                       "ID3D12Device::%s: %s", method, what);
    return DXGI_ERROR_INVALID_CALL;
}

/* NULL: the object is not to be shared. A committed resource is shared as its heap is. */
static struct d3d12_child *find_shareable(const struct d3d12_device *device,
                                          ID3D12DeviceChild *iface)
{
    struct d3d12_fence *fence = d3d12_fence_from((ID3D12Fence *)iface);
    struct d3d12_heap *heap = d3d12_heap_from((ID3D12Heap *)iface);
    struct d3d12_resource *resource = d3d12_resource_from((ID3D12Resource *)iface);
    struct d3d12_child *child = NULL;
    if (fence && (fence->flags & D3D12_FENCE_FLAG_SHARED) != 0)
        child = &fence->child;
    if (heap && (heap->desc.Flags & D3D12_HEAP_FLAG_SHARED) != 0)
        child = &heap->child;
    if (resource && !resource->heap && (resource->heap_flags & D3D12_HEAP_FLAG_SHARED) != 0)
        child = &resource->child;
    return child && child->device == device ? child : NULL;
}

static bool name_is_valid(LPCWSTR name)
{
    size_t length = 0;
    while (name[length] != 0 && length < MAX_PATH)
        length++;
    return length != 0 && length < MAX_PATH;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateSharedHandle(device_iface *iface,
                                                          ID3D12DeviceChild *object,
                                                          const SECURITY_ATTRIBUTES *attributes,
                                                          DWORD access, LPCWSTR name,
                                                          HANDLE *handle)
{
    static const char method[] = "CreateSharedHandle";
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_child *child = find_shareable(device, object);
    (void)attributes; /* handles are good within the process only */
    if (handle)
        *handle = NULL;
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED;
    if (!handle || access != GENERIC_ALL || (name && !name_is_valid(name)))
        return invalid_call(device, method,
                            "pHandle must not be NULL, Access must be GENERIC_ALL, and a Name must "
                            "be neither empty nor too long");
    if (!child)
        return invalid_call(device, method,
                            "the object must be a fence, heap or committed resource of this "
                            "device, created with a SHARED flag");
    HRESULT hr = shared_table_add(child, name, handle);
    if (hr == DXGI_ERROR_NAME_ALREADY_EXISTS)
        d3d12_device_error(device, D3D12_MESSAGE_ID_DEVICE_CREATE_SHARED_HANDLE_INVALIDARG,
                           "ID3D12Device::%s: another object already has this Name", method);
    return hr;
}

/* Devices are singletons of their adapter, and adapters have memory of their own: what is opened is
 * the very object. */
HRESULT STDMETHODCALLTYPE d3d12_device_OpenSharedHandle(device_iface *iface, HANDLE handle,
                                                        REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    struct d3d12_child *child = shared_table_find(handle);
    if (child && child->device == device)
        return d3d12_child_give(child, riid, out);
    if (child)
        d3d12_child_release(child);
    return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                "ID3D12Device::OpenSharedHandle: the handle must belong to an "
                                "object on this adapter that still exists");
}

HRESULT STDMETHODCALLTYPE d3d12_device_OpenSharedHandleByName(device_iface *iface, LPCWSTR name,
                                                              DWORD access, HANDLE *handle)
{
    static const char method[] = "OpenSharedHandleByName";
    struct d3d12_device *device = impl_from_device_iface(iface);
    if (handle)
        *handle = NULL;
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED;
    HRESULT hr = E_INVALIDARG;
    if (handle && access == GENERIC_ALL && name && name_is_valid(name))
        hr = shared_table_open(name, handle);
    if (hr == E_INVALIDARG)
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::%s: no object has this Name, or pNTHandle is NULL",
                           method);
    return hr;
}
