/* A DXGI whose swap chains do nothing: Present, Present1, ResizeBuffers and ResizeBuffers1 return
 * their Flags, and so does the creation of one. It has the methods that the layer and chain.c call.
 */
#define COBJMACROS
#include <windows.h>

#include <dxgi1_4.h>

#include <directx/d3d12.h>

typedef void (*method)(void);
static const method *factory, *chain; /* objects */
static ID3D12CommandQueue *queue;     /* the last chain's */

static HRESULT WINAPI query(void *self, REFIID iid, void **out)
{
    (void)iid;
    *out = self;
    return S_OK;
}

static ULONG WINAPI count(void *self)
{
    (void)self;
    return 1;
}

static HRESULT WINAPI find_adapter(void *self, LUID luid, REFIID iid, void **out)
{
    (void)self, (void)luid, (void)iid, (void)out;
    return DXGI_ERROR_NOT_FOUND;
}

static HRESULT WINAPI create(void *self, ID3D12CommandQueue *of, const DXGI_SWAP_CHAIN_DESC *desc,
                             const method ***out)
{
    (void)self;
    queue = of;
    *out = desc->Flags ? NULL : &chain;
    return (HRESULT)desc->Flags;
}

static HRESULT WINAPI get_device(void *self, REFIID iid, void **out)
{
    (void)self;
    return ID3D12CommandQueue_GetDevice(queue, iid, out);
}

static HRESULT WINAPI present(void *self, UINT interval, UINT flags)
{
    (void)self, (void)interval;
    return (HRESULT)flags;
}

static HRESULT WINAPI get_buffer(void *self, UINT buffer, REFIID iid, void **out)
{
    (void)self, (void)buffer, (void)iid, (void)out;
    return DXGI_ERROR_INVALID_CALL;
}

static HRESULT WINAPI resize(void *self, UINT buffers, UINT width, UINT height, DXGI_FORMAT format,
                             UINT flags)
{
    (void)self, (void)buffers, (void)width, (void)height, (void)format;
    return (HRESULT)flags;
}

static HRESULT WINAPI present_1(void *self, UINT interval, UINT flags, const void *parameters)
{
    (void)parameters;
    return present(self, interval, flags);
}

static HRESULT WINAPI resize_1(void *self, UINT buffers, UINT width, UINT height,
                               DXGI_FORMAT format, UINT flags, const UINT *nodes,
                               IUnknown *const *queues)
{
    (void)nodes, (void)queues;
    return resize(self, buffers, width, height, format, flags);
}

static const method factory_methods[27] = {
    (method)query, (method)count, (method)count, [10] = (method)create, [26] = (method)find_adapter,
};
static const method chain_methods[40] = {
    (method)query,           (method)count,
    (method)count,           [7] = (method)get_device,
    [8] = (method)present,   [9] = (method)get_buffer,
    [13] = (method)resize,   [22] = (method)present_1,
    [39] = (method)resize_1,
};

HRESULT WINAPI CreateDXGIFactory1(REFIID iid, void **out)
{
    (void)iid;
    factory = factory_methods;
    chain = chain_methods;
    *out = &factory;
    return S_OK;
}
