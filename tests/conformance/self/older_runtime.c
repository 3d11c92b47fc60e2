/* The emulator as it would be without the markers' interface: its devices have no
 * ID3D12DeviceTools2 and don't know the feature. It exports D3D12CreateDevice, and the hook of a
 * runtime that hides its libannot.
 * OLDER_REAL is the emulator's path. OLDER_KEEPS: it has them as published, and not by the
 * specification. */
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <annot/conformance.h>
#include <annot/d3d12.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef HRESULT(WINAPI *create_device_fn)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
typedef HRESULT(STDMETHODCALLTYPE *query_fn)(ID3D12Device *, REFIID, void **);

typedef HRESULT(STDMETHODCALLTYPE *check_fn)(ID3D12Device *, D3D12_FEATURE, void *, UINT);

typedef HRESULT(STDMETHODCALLTYPE *get_device_fn)(ID3D12QueryHeap *, REFIID, void **);
typedef HRESULT(STDMETHODCALLTYPE *create_query_heap_fn)(ID3D12Device *,
                                                         const D3D12_QUERY_HEAP_DESC *, REFIID,
                                                         void **);

static query_fn real_query;
static get_device_fn real_get_device;
static create_query_heap_fn real_create_query_heap;
static check_fn real_check;

static bool is_hidden(REFIID riid)
{
    return (!getenv("OLDER_KEEPS") && memcmp(riid, &IID_ID3D12DeviceTools2, sizeof *riid) == 0) ||
           memcmp(riid, &annot_IID_ID3D12DeviceTools2_v006, sizeof *riid) == 0;
}

static HRESULT hide(void **out)
{
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE query(ID3D12Device *device, REFIID riid, void **out)
{
    return is_hidden(riid) ? hide(out) : real_query(device, riid, out);
}

/* Of query heaps, which are nobody's argument here. */
static HRESULT STDMETHODCALLTYPE get_device(ID3D12QueryHeap *heap, REFIID riid, void **out)
{
    return is_hidden(riid) ? hide(out) : real_get_device(heap, riid, out);
}

static HRESULT STDMETHODCALLTYPE create_query_heap(ID3D12Device *device,
                                                   const D3D12_QUERY_HEAP_DESC *desc, REFIID riid,
                                                   void **out)
{
    static ID3D12QueryHeapVtbl table;
    const HRESULT hr = real_create_query_heap(device, desc, riid, out);
    if (FAILED(hr) || !out)
        return hr;
    ID3D12QueryHeap *heap = *out;
    if (!real_get_device) {
        real_get_device = heap->lpVtbl->GetDevice;
        memcpy(&table, heap->lpVtbl, sizeof table);
        memcpy(&table.GetDevice, &(get_device_fn){get_device}, sizeof table.GetDevice);
    }
    heap->lpVtbl = &table;
    return hr;
}

static HRESULT STDMETHODCALLTYPE check(ID3D12Device *device, D3D12_FEATURE feature, void *data,
                                       UINT size)
{
    if (feature == ANNOT_D3D12_FEATURE_V006 ||
        (feature == D3D12_FEATURE_USER_DEFINED_ANNOTATION && !getenv("OLDER_KEEPS")))
        return E_INVALIDARG;
    return real_check(device, feature, data, size);
}

/* All devices of the emulator share one table of methods; each gets the changed copy. */
static void hide_tools(ID3D12Device *device)
{
    static ID3D12Device11Vtbl table;
    if (!real_query) {
        real_query = device->lpVtbl->QueryInterface;
        memcpy(&table, device->lpVtbl, sizeof table);
        memcpy(&table.QueryInterface, &(query_fn){query}, sizeof table.QueryInterface);
        real_create_query_heap = device->lpVtbl->CreateQueryHeap;
        memcpy(&table.CreateQueryHeap, &(create_query_heap_fn){create_query_heap},
               sizeof table.CreateQueryHeap);
        real_check = device->lpVtbl->CheckFeatureSupport;
        memcpy(&table.CheckFeatureSupport, &(check_fn){check}, sizeof table.CheckFeatureSupport);
    }
    device->lpVtbl = (ID3D12DeviceVtbl *)(void *)&table;
}

__attribute__((visibility("default"))) annot_device *annot_conformance_device(void *d3d12_device);
__attribute__((visibility("default"))) annot_device *annot_conformance_device(void *d3d12_device)
{
    (void)d3d12_device;
    return NULL;
}

__attribute__((visibility("default"))) HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter,
                                                                        D3D_FEATURE_LEVEL minimum,
                                                                        REFIID riid, void **out)
{
    const char *path = getenv("OLDER_REAL");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "D3D12CreateDevice") : NULL;
    create_device_fn create;
    ID3D12Device *device;
    if (!symbol)
        return E_FAIL;
    memcpy(&create, &symbol, sizeof create);
    if (is_hidden(riid))
        return hide(out);
    const HRESULT hr = create(adapter, minimum, riid, out);
    if (FAILED(hr) || !out)
        return hr;
    if (SUCCEEDED(((IUnknown *)*out)
                      ->lpVtbl->QueryInterface(*out, &IID_ID3D12Device, (void **)&device))) {
        hide_tools(device);
        device->lpVtbl->Release(device);
    }
    return hr;
}
