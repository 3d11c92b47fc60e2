#define INITGUID
#include "adapter.h"

#include <windows.h>

#include <dxgi1_4.h>

#include <stdio.h>
#include <string.h>

/* Makes a factory of the system's DXGI, or of a DXGI beside the program. NULL: neither has one. */
static IDXGIFactory4 *create_factory(void)
{
    typedef HRESULT(WINAPI * create)(REFIID, void **);
    const HMODULE library = LoadLibraryW(L"dxgi.dll");
    const FARPROC found = library ? GetProcAddress(library, "CreateDXGIFactory1") : NULL;
    void *factory = NULL;
    create make;
    memcpy(&make, &found, sizeof make);
    return make && make(&IID_IDXGIFactory4, &factory) >= 0 ? factory : NULL;
}

static void read_wine(struct layer_adapter *out)
{
    const HMODULE ntdll = GetModuleHandleA("ntdll.dll");
    const FARPROC found = ntdll ? GetProcAddress(ntdll, "wine_get_version") : NULL;
    const char *(CDECL * get)(void);
    memcpy(&get, &found, sizeof get);
    if (get)
        snprintf(out->wine, sizeof out->wine, "%s", get());
}

static void read_adapter(ID3D12Device *device, struct layer_adapter *out)
{
    IDXGIFactory4 *factory = create_factory();
    void *found = NULL;
    LUID luid;
    DXGI_ADAPTER_DESC desc;
    LARGE_INTEGER version;
    if (!factory)
        return;
    device->lpVtbl->GetAdapterLuid(device, &luid);
    if (factory->lpVtbl->EnumAdapterByLuid(factory, luid, &IID_IDXGIAdapter, &found) >= 0 &&
        found) {
        IDXGIAdapter *adapter = found;
        if (adapter->lpVtbl->GetDesc(adapter, &desc) >= 0) {
            char name[sizeof desc.Description];
            WideCharToMultiByte(CP_UTF8, 0, desc.Description, -1, name, sizeof name, NULL, NULL);
            name[sizeof name - 1] = '\0';
            snprintf(out->name, sizeof out->name, "%.100s (%04x:%04x)", name,
                     (unsigned)desc.VendorId, (unsigned)desc.DeviceId);
        }
        if (adapter->lpVtbl->CheckInterfaceSupport(adapter, &IID_IDXGIDevice, &version) >= 0)
            snprintf(out->driver, sizeof out->driver, "%u.%u.%u.%u",
                     (unsigned)HIWORD(version.HighPart), (unsigned)LOWORD(version.HighPart),
                     (unsigned)HIWORD(version.LowPart), (unsigned)LOWORD(version.LowPart));
        adapter->lpVtbl->Release(adapter);
    }
    factory->lpVtbl->Release(factory);
}

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out)
{
    read_wine(out);
    read_adapter(device, out);
}
