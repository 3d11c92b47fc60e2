/* libdxcore: Windows has DXCore in a library of its own. The emulator has it in libd3d12, and this
 * library forwards the call. */
#include <emu/dxcore.h>
#include <emu/emu.h>

#if defined(_WIN32)
#define DXCORE_EXPORT __declspec(dllexport)
#else
#define DXCORE_EXPORT __attribute__((visibility("default")))
#endif

DXCORE_EXPORT HRESULT STDMETHODCALLTYPE DXCoreCreateAdapterFactory(REFIID riid, void **factory)
{
    return emu_dxcore_factory(riid, factory);
}
