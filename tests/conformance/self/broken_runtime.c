/* Runtimes that are wrong in one way each, to see what the suite says of them:
 *
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

#if defined(FAILS)

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
