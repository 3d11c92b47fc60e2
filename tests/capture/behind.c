/* A D3D12 library in front of the emulator, which the environment names. Without emu_configure it
 * is not known to be the emulator. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int D3D12CreateDevice(void *adapter, int level, const void *riid, void **device);
int D3D12GetDebugInterface(const void *riid, void **debug);
int D3D12SerializeRootSignature(const void *desc, int version, void **blob, void **error);
int emu_adapter_create(const char *driver, void **adapter);
const void *emu_kernel_bytecode(int kernel, size_t *size);
void emu_run_until_idle(void *device);

/* Into a pointer to a function. */
static void find(const char *name, void *function)
{
    static void *library;
    const char *path = getenv("BEHIND");
    if (!library && path)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

int D3D12CreateDevice(void *adapter, int level, const void *riid, void **device)
{
    int (*call)(void *, int, const void *, void **);
    find("D3D12CreateDevice", &call);
    return call(adapter, level, riid, device);
}

int D3D12GetDebugInterface(const void *riid, void **debug)
{
    int (*call)(const void *, void **);
    find("D3D12GetDebugInterface", &call);
    return call(riid, debug);
}

int D3D12SerializeRootSignature(const void *desc, int version, void **blob, void **error)
{
    int (*call)(const void *, int, void **, void **);
    find("D3D12SerializeRootSignature", &call);
    return call(desc, version, blob, error);
}

int emu_adapter_create(const char *driver, void **adapter)
{
    int (*call)(const char *, void **);
    find("emu_adapter_create", &call);
    return call(driver, adapter);
}

const void *emu_kernel_bytecode(int kernel, size_t *size)
{
    const void *(*call)(int, size_t *);
    find("emu_kernel_bytecode", &call);
    return call(kernel, size);
}

void emu_run_until_idle(void *device)
{
    void (*call)(void *);
    find("emu_run_until_idle", &call);
    call(device);
}
