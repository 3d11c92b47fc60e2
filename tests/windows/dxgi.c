/* dxgi.dll as programs under Wine meet it: factory, adapters, memory, and answers to what it has
 * not. Documentation of DXGI says what each call returns.
 *
 *     dxgi [--tap FILE]
 */
#define COBJMACROS
#define INITGUID
#include <dxgi1_6.h>

#include <directx/d3d12.h>
#include <emu/emu.h>

#include "cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ANSWERS(call, expected) REQUIRE((call) == (HRESULT)(expected))

static HRESULT(WINAPI *create_factory)(REFIID, void **),
    (WINAPI * create_factory1)(REFIID, void **);
static HRESULT(WINAPI *create_factory2)(UINT, REFIID, void **);
static HRESULT(WINAPI *get_debug)(UINT, REFIID, void **);
static HRESULT(WINAPI *declare_support)(void);

static bool find(HMODULE library, const char *name, void *function)
{
    const FARPROC found = GetProcAddress(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static IDXGIFactory7 *factory;
static IDXGIAdapter4 *adapter;

static ULONG references(void *object)
{
    IUnknown_AddRef((IUnknown *)object);
    return IUnknown_Release((IUnknown *)object);
}

/* Each of the interfaces, and no other. */
static bool expect_faces(IUnknown *object, const IID *const *iids, size_t count)
{
    const ULONG before = references(object);
    void *out;
    for (size_t i = 0; i < count; i++) {
        ANSWERS(IUnknown_QueryInterface(object, iids[i], &out), S_OK);
        REQUIRE(out && references(object) == before + 1);
        IUnknown_Release((IUnknown *)out);
    }
    ANSWERS(IUnknown_QueryInterface(object, &IID_IDXGIOutput, &out), E_NOINTERFACE);
    REQUIRE(!out && references(object) == before);
    ANSWERS(IUnknown_QueryInterface(object, &IID_IUnknown, NULL), E_POINTER);
    return true;
}

static bool factories(void)
{
    static const IID *const iids[] = {&IID_IUnknown,      &IID_IDXGIObject,   &IID_IDXGIFactory,
                                      &IID_IDXGIFactory1, &IID_IDXGIFactory2, &IID_IDXGIFactory3,
                                      &IID_IDXGIFactory4, &IID_IDXGIFactory5, &IID_IDXGIFactory6,
                                      &IID_IDXGIFactory7};
    void *out = &out;
    REQUIRE(expect_faces((IUnknown *)factory, iids, sizeof iids / sizeof iids[0]));
    REQUIRE(IDXGIFactory7_GetCreationFlags(factory) == DXGI_CREATE_FACTORY_DEBUG);
    ANSWERS(create_factory2(0, &IID_IDXGIAdapter, &out), E_NOINTERFACE);
    REQUIRE(!out);
    ANSWERS(create_factory2(0, &IID_IDXGIFactory, NULL), DXGI_ERROR_INVALID_CALL);
    IDXGIFactory3 *other = NULL;
    ANSWERS(create_factory(&IID_IDXGIFactory3, (void **)&other), S_OK);
    REQUIRE(IDXGIFactory3_GetCreationFlags(other) == 0);
    REQUIRE(IDXGIFactory3_Release(other) == 0);
    ANSWERS(create_factory1(&IID_IDXGIFactory3, (void **)&other), S_OK);
    REQUIRE(IDXGIFactory3_GetCreationFlags(other) == 0);
    REQUIRE(IDXGIFactory3_Release(other) == 0);
    ANSWERS(declare_support(), S_OK);
    out = &out;
    ANSWERS(get_debug(0, &IID_IUnknown, &out), E_NOINTERFACE);
    REQUIRE(!out);
    ANSWERS(get_debug(0, &IID_IUnknown, NULL), E_NOINTERFACE);
    return true;
}

static bool same_luid(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

static LUID luid_of(void *of)
{
    DXGI_ADAPTER_DESC desc = {0};
    IDXGIAdapter_GetDesc((IDXGIAdapter *)of, &desc);
    return desc.AdapterLuid;
}

static bool adapters_are_dxcores(void)
{
    static const IID *const iids[] = {&IID_IUnknown,      &IID_IDXGIObject,   &IID_IDXGIAdapter,
                                      &IID_IDXGIAdapter1, &IID_IDXGIAdapter2, &IID_IDXGIAdapter3,
                                      &IID_IDXGIAdapter4};
    void *made = NULL, *out = &out;
    IDXGIAdapter1 *first = NULL;
    IDXGIAdapter *second = NULL;
    REQUIRE(expect_faces((IUnknown *)adapter, iids, sizeof iids / sizeof iids[0]));
    REQUIRE(IDXGIFactory7_IsCurrent(factory));
    ANSWERS(IDXGIFactory7_EnumAdapters1(factory, 0, &first), S_OK);
    REQUIRE(same_luid(luid_of(first), luid_of(adapter)));
    REQUIRE(IDXGIAdapter1_Release(first) == 0);
    ANSWERS(IDXGIFactory7_EnumAdapters(factory, 1, &second), DXGI_ERROR_NOT_FOUND);
    REQUIRE(!second && emu_adapter_create("warp", &made) == ANNOT_OK);
    ANSWERS(IDXGIFactory7_EnumAdapters(factory, 1, &second), S_OK);
    REQUIRE(!same_luid(luid_of(second), luid_of(adapter)));
    ANSWERS(IDXGIFactory7_EnumAdapterByLuid(factory, luid_of(second), &IID_IDXGIAdapter,
                                            (void **)&out),
            S_OK);
    REQUIRE(same_luid(luid_of(second), luid_of(out)) && out != (void *)second);
    IUnknown_Release((IUnknown *)out);
    ANSWERS(IDXGIFactory7_EnumAdapters(factory, 2, &second), DXGI_ERROR_NOT_FOUND);
    ANSWERS(IDXGIFactory7_EnumAdapters(factory, 0, NULL), DXGI_ERROR_INVALID_CALL);
    out = &out;
    const LUID none = {0xFFFFFFFF, 0x7FFFFFFF};
    REQUIRE(FAILED(IDXGIFactory7_EnumAdapterByLuid(factory, none, &IID_IDXGIAdapter, &out)));
    REQUIRE(!out);
    out = &out;
    ANSWERS(IDXGIFactory7_EnumAdapterByGpuPreference(factory, 0, DXGI_GPU_PREFERENCE_UNSPECIFIED,
                                                     &IID_IDXGIFactory, &out),
            E_NOINTERFACE);
    REQUIRE(!out);
    IUnknown_Release((IUnknown *)made);
    return true;
}

static bool descriptions(void)
{
    DXGI_ADAPTER_DESC desc;
    DXGI_ADAPTER_DESC1 desc1;
    DXGI_ADAPTER_DESC2 desc2;
    DXGI_ADAPTER_DESC3 desc3;
    ANSWERS(IDXGIAdapter4_GetDesc(adapter, &desc), S_OK);
    ANSWERS(IDXGIAdapter4_GetDesc1(adapter, &desc1), S_OK);
    ANSWERS(IDXGIAdapter4_GetDesc2(adapter, &desc2), S_OK);
    ANSWERS(IDXGIAdapter4_GetDesc3(adapter, &desc3), S_OK);
    REQUIRE(wcsstr(desc3.Description, L"libannot emulator"));
    REQUIRE(memcmp(&desc, &desc3, sizeof desc) == 0);
    REQUIRE(memcmp(&desc1, &desc3, sizeof desc1) == 0);
    REQUIRE(memcmp(&desc2, &desc3, sizeof desc2) == 0);
    REQUIRE(desc3.Flags == DXGI_ADAPTER_FLAG3_NONE);
    REQUIRE(desc3.VendorId == 0 && desc3.DeviceId == 0); /* nobody's, as DXCore's HardwareID */
    REQUIRE(desc3.SubSysId == 0 && desc3.Revision == 0);
    REQUIRE(desc3.SharedSystemMemory > 0);
    REQUIRE(desc3.DedicatedVideoMemory < (SIZE_T)1 << 40);
    REQUIRE(desc3.GraphicsPreemptionGranularity == DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY);
    REQUIRE(desc3.ComputePreemptionGranularity == DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY);
    ANSWERS(IDXGIAdapter4_GetDesc(adapter, NULL), E_INVALIDARG);
    ANSWERS(IDXGIAdapter4_GetDesc3(adapter, NULL), E_INVALIDARG);
    LARGE_INTEGER version = {.QuadPart = 0};
    ANSWERS(IDXGIAdapter4_CheckInterfaceSupport(adapter, &IID_IDXGIDevice, &version), S_OK);
    REQUIRE(version.QuadPart != 0);
    ANSWERS(IDXGIAdapter4_CheckInterfaceSupport(adapter, &IID_IDXGIDevice, NULL), S_OK);
    ANSWERS(IDXGIAdapter4_CheckInterfaceSupport(adapter, &IID_IDXGIOutput, &version),
            DXGI_ERROR_UNSUPPORTED);
    return true;
}

/* The device that a DXGI adapter makes is that adapter's. */
static bool devices(void)
{
    DXGI_QUERY_VIDEO_MEMORY_INFO before = {0}, after = {0}, other = {0};
    ID3D12Device *device = NULL;
    ID3D12Heap *heap = NULL;
    LUID luid;
    ANSWERS(D3D12CreateDevice((IUnknown *)adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                              (void **)&device),
            S_OK);
    device->lpVtbl->GetAdapterLuid(device, &luid);
    REQUIRE(same_luid(luid, luid_of(adapter)));
    ANSWERS(IDXGIAdapter4_QueryVideoMemoryInfo(adapter, 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL,
                                               &before),
            S_OK);
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 8 << 20,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    ANSWERS(ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, (void **)&heap), S_OK);
    ANSWERS(IDXGIAdapter4_QueryVideoMemoryInfo(adapter, 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &after),
            S_OK);
    REQUIRE(after.Budget > 0 && after.CurrentUsage == before.CurrentUsage + (8 << 20));
    REQUIRE(after.CurrentReservation == 0 && after.AvailableForReservation <= after.Budget);
    ANSWERS(IDXGIAdapter4_QueryVideoMemoryInfo(adapter, 0, DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL,
                                               &other),
            S_OK);
    REQUIRE(other.CurrentUsage == 0);
    REQUIRE(FAILED(
        IDXGIAdapter4_QueryVideoMemoryInfo(adapter, 1, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &other)));
    ANSWERS(IDXGIAdapter4_QueryVideoMemoryInfo(adapter, 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, NULL),
            E_INVALIDARG);
    ANSWERS(IDXGIAdapter4_SetVideoMemoryReservation(adapter, 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 1),
            S_OK);
    ANSWERS(IDXGIAdapter4_SetVideoMemoryReservation(adapter, 1, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 1),
            E_INVALIDARG);
    ID3D12Heap_Release(heap);
    REQUIRE(ID3D12Device_Release(device) == 0);
    return true;
}

static bool private_data_and_parents(void)
{
    UINT size = 4;
    void *out = &out;
    ANSWERS(IDXGIAdapter4_GetPrivateData(adapter, &IID_IUnknown, &size, &out),
            DXGI_ERROR_NOT_FOUND);
    REQUIRE(size == 0);
    ANSWERS(IDXGIAdapter4_GetPrivateData(adapter, &IID_IUnknown, NULL, &out), E_INVALIDARG);
    ANSWERS(IDXGIAdapter4_SetPrivateData(adapter, &IID_IUnknown, 4, "abc"), DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIAdapter4_SetPrivateDataInterface(adapter, &IID_IUnknown, NULL),
            DXGI_ERROR_UNSUPPORTED);
    size = 4;
    ANSWERS(IDXGIFactory7_GetPrivateData(factory, &IID_IUnknown, &size, &out),
            DXGI_ERROR_NOT_FOUND);
    REQUIRE(size == 0);
    ANSWERS(IDXGIFactory7_GetPrivateData(factory, &IID_IUnknown, NULL, &out), E_INVALIDARG);
    ANSWERS(IDXGIFactory7_SetPrivateData(factory, &IID_IUnknown, 4, "abc"), DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIFactory7_SetPrivateDataInterface(factory, &IID_IUnknown, NULL),
            DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIAdapter4_GetParent(adapter, &IID_IDXGIFactory7, &out), S_OK);
    REQUIRE(out == (void *)factory);
    IUnknown_Release((IUnknown *)out);
    ANSWERS(IDXGIFactory7_GetParent(factory, &IID_IUnknown, &out), E_NOINTERFACE);
    REQUIRE(!out);
    ANSWERS(IDXGIFactory7_GetParent(factory, &IID_IUnknown, NULL), E_NOINTERFACE);
    return true;
}

/* There is nothing to show anything on. */
static bool no_outputs_and_swap_chains(void)
{
    void *out = &out;
    HWND window = (HWND)&out;
    BOOL tearing = TRUE;
    ANSWERS(IDXGIAdapter4_EnumOutputs(adapter, 0, (IDXGIOutput **)&out), DXGI_ERROR_NOT_FOUND);
    REQUIRE(!out);
    ANSWERS(IDXGIAdapter4_EnumOutputs(adapter, 0, NULL), E_INVALIDARG);
    out = &out;
    ANSWERS(IDXGIFactory7_CreateSwapChain(factory, NULL, NULL, (IDXGISwapChain **)&out),
            DXGI_ERROR_UNSUPPORTED);
    REQUIRE(!out);
    out = &out;
    ANSWERS(IDXGIFactory7_CreateSwapChainForHwnd(factory, NULL, NULL, NULL, NULL, NULL,
                                                 (IDXGISwapChain1 **)&out),
            DXGI_ERROR_UNSUPPORTED);
    REQUIRE(!out);
    ANSWERS(IDXGIFactory7_CreateSwapChainForCoreWindow(factory, NULL, NULL, NULL, NULL, NULL),
            DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIFactory7_CreateSwapChainForComposition(factory, NULL, NULL, NULL, NULL),
            DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIFactory7_MakeWindowAssociation(factory, NULL, 0), S_OK);
    ANSWERS(IDXGIFactory7_GetWindowAssociation(factory, &window), S_OK);
    REQUIRE(!window);
    ANSWERS(IDXGIFactory7_GetWindowAssociation(factory, NULL), DXGI_ERROR_INVALID_CALL);
    out = &out;
    ANSWERS(IDXGIFactory7_EnumWarpAdapter(factory, &IID_IDXGIAdapter, &out), DXGI_ERROR_NOT_FOUND);
    REQUIRE(!out);
    out = &out;
    ANSWERS(IDXGIFactory7_CreateSoftwareAdapter(factory, NULL, (IDXGIAdapter **)&out),
            DXGI_ERROR_UNSUPPORTED);
    REQUIRE(!out);
    REQUIRE(!IDXGIFactory7_IsWindowedStereoEnabled(factory));
    ANSWERS(IDXGIFactory7_CheckFeatureSupport(factory, DXGI_FEATURE_PRESENT_ALLOW_TEARING, &tearing,
                                              sizeof tearing),
            S_OK);
    REQUIRE(!tearing);
    ANSWERS(IDXGIFactory7_CheckFeatureSupport(factory, DXGI_FEATURE_PRESENT_ALLOW_TEARING, &tearing,
                                              1),
            DXGI_ERROR_INVALID_CALL);
    ANSWERS(IDXGIFactory7_CheckFeatureSupport(factory, DXGI_FEATURE_PRESENT_ALLOW_TEARING, NULL,
                                              sizeof tearing),
            DXGI_ERROR_INVALID_CALL);
    ANSWERS(IDXGIFactory7_CheckFeatureSupport(factory, (DXGI_FEATURE)7, &tearing, sizeof tearing),
            DXGI_ERROR_INVALID_CALL);
    return true;
}

/* Notifications can be asked for, and none comes. */
static bool events(void)
{
    DWORD cookie = 0;
    HANDLE event = CreateEventA(NULL, FALSE, FALSE, NULL);
    ANSWERS(IDXGIFactory7_RegisterAdaptersChangedEvent(factory, event, &cookie), S_OK);
    REQUIRE(cookie != 0);
    ANSWERS(IDXGIFactory7_UnregisterAdaptersChangedEvent(factory, cookie), S_OK);
    ANSWERS(IDXGIFactory7_UnregisterAdaptersChangedEvent(factory, cookie + 1),
            DXGI_ERROR_INVALID_CALL);
    ANSWERS(IDXGIFactory7_RegisterAdaptersChangedEvent(factory, NULL, &cookie),
            DXGI_ERROR_INVALID_CALL);
    ANSWERS(IDXGIFactory7_RegisterAdaptersChangedEvent(factory, event, NULL),
            DXGI_ERROR_INVALID_CALL);
    cookie = 0;
    ANSWERS(IDXGIAdapter4_RegisterVideoMemoryBudgetChangeNotificationEvent(adapter, event, &cookie),
            S_OK);
    REQUIRE(cookie != 0);
    IDXGIAdapter4_UnregisterVideoMemoryBudgetChangeNotification(adapter, cookie);
    ANSWERS(IDXGIAdapter4_RegisterVideoMemoryBudgetChangeNotificationEvent(adapter, NULL, &cookie),
            E_INVALIDARG);
    cookie = 0;
    ANSWERS(IDXGIAdapter4_RegisterHardwareContentProtectionTeardownStatusEvent(adapter, event,
                                                                               &cookie),
            S_OK);
    REQUIRE(cookie != 0);
    ANSWERS(IDXGIAdapter4_RegisterHardwareContentProtectionTeardownStatusEvent(adapter, event,
                                                                               NULL),
            E_INVALIDARG);
    ANSWERS(IDXGIFactory7_RegisterOcclusionStatusEvent(factory, event, &cookie),
            DXGI_ERROR_UNSUPPORTED);
    ANSWERS(IDXGIFactory7_RegisterStereoStatusWindow(factory, NULL, 0, &cookie),
            DXGI_ERROR_UNSUPPORTED);
    LUID luid;
    ANSWERS(IDXGIFactory7_GetSharedResourceAdapterLuid(factory, event, &luid),
            DXGI_ERROR_UNSUPPORTED);
    CloseHandle(event);
    return true;
}

static const struct named_case cases[] = {
    {"factories", factories},
    {"adapters are DXCore's, in its order", adapters_are_dxcores},
    {"descriptions", descriptions},
    {"devices of an adapter, and their memory", devices},
    {"private data and parents", private_data_and_parents},
    {"no outputs and swap chains", no_outputs_and_swap_chains},
    {"events", events},
};

static bool open_library(void)
{
    HMODULE dxgi = LoadLibraryA("dxgi.dll");
    return dxgi && find(dxgi, "CreateDXGIFactory", &create_factory) &&
           find(dxgi, "CreateDXGIFactory1", &create_factory1) &&
           find(dxgi, "CreateDXGIFactory2", &create_factory2) &&
           find(dxgi, "DXGIGetDebugInterface1", &get_debug) &&
           find(dxgi, "DXGIDeclareAdapterRemovalSupport", &declare_support) &&
           create_factory2(DXGI_CREATE_FACTORY_DEBUG, &IID_IDXGIFactory7, (void **)&factory) ==
               S_OK &&
           IDXGIFactory7_EnumAdapterByGpuPreference(factory, 0, DXGI_GPU_PREFERENCE_UNSPECIFIED,
                                                    &IID_IDXGIAdapter4, (void **)&adapter) == S_OK;
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!open_library()) {
        printf("no dxgi.dll of ours\n");
        return 2;
    }
    return run_cases(cases, (int)(sizeof cases / sizeof cases[0]), argv + 1);
}
