/*
 * Runtimes that are wrong in one way each, to see what the suite says of them:
 *
 *     NO_TOOLS   a device that has no ID3D12DeviceTools2, like D3D12 of years ago
 *     FAILS      no device can be made          CRASHES   making one crashes
 *     EXITS      making one ends the process, saying that all is well
 *     NOTHING    exports no D3D12CreateDevice
 */
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#if defined(NO_TOOLS)

struct device {
    const void *const *vtable;
    ULONG references;
};

static HRESULT STDMETHODCALLTYPE query(struct device *device, const IID *riid, void **out)
{
    static const IID *const known[] = {&IID_IUnknown, &IID_ID3D12Object, &IID_ID3D12Device};
    *out = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (memcmp(riid, known[i], sizeof *riid) == 0)
            *out = device;
    if (*out == NULL)
        return E_NOINTERFACE;
    device->references++;
    return S_OK;
}

static ULONG STDMETHODCALLTYPE add_ref(struct device *device)
{
    return ++device->references;
}

static ULONG STDMETHODCALLTYPE release(struct device *device)
{
    return --device->references;
}

static HRESULT STDMETHODCALLTYPE not_implemented(void *device)
{
    (void)device;
    return E_NOTIMPL;
}

typedef void any_function(void);

static const void *address_of(any_function *function)
{
    const void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

static HRESULT create_device(const IID *riid, void **out)
{
    static const void *vtable[64];
    static struct device device = {vtable, 1};
    for (size_t i = 0; i < sizeof vtable / sizeof *vtable; i++)
        vtable[i] = address_of((any_function *)not_implemented);
    vtable[0] = address_of((any_function *)query);
    vtable[1] = address_of((any_function *)add_ref);
    vtable[2] = address_of((any_function *)release);
    return query(&device, riid, out);
}

#elif defined(FAILS)

static HRESULT create_device(const IID *riid, void **out)
{
    (void)riid;
    *out = NULL;
    return E_FAIL;
}

#elif defined(CRASHES)

static HRESULT create_device(const IID *riid, void **out)
{
    (void)riid, (void)out;
    abort();
}

#elif defined(EXITS)

static HRESULT create_device(const IID *riid, void **out)
{
    (void)riid, (void)out;
    exit(0);
}

#endif

#if defined(NOTHING)

EXPORT int nothing_of_d3d12(void);
EXPORT int nothing_of_d3d12(void)
{
    return 0;
}

#else

EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum, REFIID riid,
                                        void **out)
{
    (void)adapter, (void)minimum;
    return create_device(riid, out);
}

#endif
