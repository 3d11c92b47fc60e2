/* libdxcore: what Windows has in a library of its own, and the emulator in libd3d12. */
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
