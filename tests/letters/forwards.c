/* What the program needs of its runtime besides devices, for a library that stands in front of the
 * emulator: STAND_IN_REAL is that one's path. */
#include <unknwn.h>
#include <directx/d3d12.h>
#include <emu/emu.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void find(const char *name, void *function)
{
    void *library = dlopen(getenv("STAND_IN_REAL"), RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol)
        abort();
    memcpy(function, &symbol, sizeof symbol);
}

HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC *desc,
                                           D3D_ROOT_SIGNATURE_VERSION version, ID3DBlob **blob,
                                           ID3DBlob **error)
{
    HRESULT(WINAPI * real)
    (const D3D12_ROOT_SIGNATURE_DESC *, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob **, ID3DBlob **);
    find("D3D12SerializeRootSignature", &real);
    return real(desc, version, blob, error);
}

const void *emu_kernel_bytecode(emu_kernel kernel, size_t *size)
{
    const void *(*real)(emu_kernel, size_t *);
    find("emu_kernel_bytecode", &real);
    return real(kernel, size);
}
