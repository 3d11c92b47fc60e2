/* The emulator as a runtime of somebody else's, which exports D3D12 and the hooks of
 * annot/conformance.h and nothing of emu.h: threads in place of a seeded order, no settings, no
 * compute shader that hangs. HOOKED_DUMPS is a folder for dumps.
 */
#include <unknwn.h>
#include <directx/d3d12.h>
#include <annot/conformance.h>
#include <emu/emu.h>

#include "stand_in.h"

#include <stdio.h>

EXPORT annot_result annot_conformance_set_driver(const annot_driver *driver);
EXPORT annot_device *annot_conformance_device(void *d3d12_device);

static const annot_driver *test_driver;

EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum, REFIID riid,
                                        void **out)
{
    HRESULT(WINAPI * create)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    annot_result (*configure)(const emu_config *);
    char dump[512];
    emu_config config = EMU_CONFIG_INIT;
    const char *folder = getenv("HOOKED_DUMPS");
    snprintf(dump, sizeof dump, "%s/%ld.annotdmp", folder ? folder : ".", (long)getpid());
    config.dump_path = dump;
    config.annotation = test_driver;
    if (!find("D3D12CreateDevice", &create) || !find("emu_configure", &configure) ||
        configure(&config) != ANNOT_OK)
        return E_FAIL;
    return create(adapter, minimum, riid, out);
}

EXPORT HRESULT WINAPI D3D12GetDebugInterface(REFIID riid, void **out)
{
    HRESULT(WINAPI * get)(REFIID, void **);
    return find("D3D12GetDebugInterface", &get) ? get(riid, out) : E_NOINTERFACE;
}

EXPORT HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc,
                                                  D3D_ROOT_SIGNATURE_VERSION version,
                                                  ID3DBlob **blob, ID3DBlob **error)
{
    HRESULT(WINAPI * serialize)
    (const D3D12_ROOT_SIGNATURE_DESC *, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob **, ID3DBlob **);
    return find("D3D12SerializeRootSignature", &serialize) ? serialize(desc, version, blob, error)
                                                           : E_NOTIMPL;
}

EXPORT annot_result annot_conformance_set_driver(const annot_driver *driver)
{
    test_driver = driver;
    return ANNOT_OK;
}

EXPORT annot_device *annot_conformance_device(void *d3d12_device)
{
    annot_device *(*device)(void *);
    return find("emu_annot_device", &device) ? device(d3d12_device) : NULL;
}
