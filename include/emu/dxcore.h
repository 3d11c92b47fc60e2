/*
 * IDXCoreAdapter in C, for DirectX-Headers has it in C++ only: what emu_adapter_create's objects answer. In C++ this
 * header includes directx/dxcore_interface.h.
 */
#ifndef EMU_DXCORE_H
#define EMU_DXCORE_H

#include <unknwn.h>

#if defined(__cplusplus)
#include <directx/dxcore_interface.h>
#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __dxcore_interface_h__

typedef enum DXCoreAdapterProperty {
    InstanceLuid = 0,
    DriverVersion = 1,
    DriverDescription = 2,
    HardwareID = 3,
    KmdModelVersion = 4,
    ComputePreemptionGranularity = 5,
    GraphicsPreemptionGranularity = 6,
    DedicatedAdapterMemory = 7,
    DedicatedSystemMemory = 8,
    SharedSystemMemory = 9,
    AcgCompatible = 10,
    IsHardware = 11,
    IsIntegrated = 12,
    IsDetachable = 13,
    HardwareIDParts = 14
} DXCoreAdapterProperty;

typedef enum DXCoreAdapterState {
    IsDriverUpdateInProgress = 0,
    AdapterMemoryBudget = 1
} DXCoreAdapterState;

typedef struct DXCoreHardwareID {
    uint32_t vendorID, deviceID, subSysID, revision;
} DXCoreHardwareID;

typedef struct DXCoreHardwareIDParts {
    uint32_t vendorID, deviceID, subSystemID, subVendorID, revisionID;
} DXCoreHardwareIDParts;

/* Internal to every file that includes this: nothing has to be linked for them. */
#if defined(__GNUC__)
#define EMU_DXCORE_UNUSED __attribute__((unused))
#else
#define EMU_DXCORE_UNUSED
#endif
EMU_DXCORE_UNUSED static const GUID IID_IDXCoreAdapter = {
    0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
EMU_DXCORE_UNUSED static const GUID DXCORE_ADAPTER_ATTRIBUTE_D3D11_GRAPHICS = {
    0x8c47866b, 0x7583, 0x450d, {0xf0, 0xf0, 0x6b, 0xad, 0xa8, 0x95, 0xaf, 0x4b}};
EMU_DXCORE_UNUSED static const GUID DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS = {
    0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}};
EMU_DXCORE_UNUSED static const GUID DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};

typedef struct IDXCoreAdapter IDXCoreAdapter;

typedef struct IDXCoreAdapterVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(IDXCoreAdapter *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(IDXCoreAdapter *This);
    ULONG(STDMETHODCALLTYPE *Release)(IDXCoreAdapter *This);
    bool(STDMETHODCALLTYPE *IsValid)(IDXCoreAdapter *This);
    bool(STDMETHODCALLTYPE *IsAttributeSupported)(IDXCoreAdapter *This, REFGUID attribute);
    bool(STDMETHODCALLTYPE *IsPropertySupported)(IDXCoreAdapter *This,
                                                 DXCoreAdapterProperty property);
    HRESULT(STDMETHODCALLTYPE *GetProperty)
    (IDXCoreAdapter *This, DXCoreAdapterProperty property, size_t size, void *data);
    HRESULT(STDMETHODCALLTYPE *GetPropertySize)
    (IDXCoreAdapter *This, DXCoreAdapterProperty property, size_t *size);
    bool(STDMETHODCALLTYPE *IsQueryStateSupported)(IDXCoreAdapter *This, DXCoreAdapterState state);
    HRESULT(STDMETHODCALLTYPE *QueryState)
    (IDXCoreAdapter *This, DXCoreAdapterState state, size_t details_size, const void *details,
     size_t size, void *data);
    bool(STDMETHODCALLTYPE *IsSetStateSupported)(IDXCoreAdapter *This, DXCoreAdapterState state);
    HRESULT(STDMETHODCALLTYPE *SetState)
    (IDXCoreAdapter *This, DXCoreAdapterState state, size_t details_size, const void *details,
     size_t size, const void *data);
    HRESULT(STDMETHODCALLTYPE *GetFactory)(IDXCoreAdapter *This, REFIID riid, void **factory);
} IDXCoreAdapterVtbl;

struct IDXCoreAdapter {
    const IDXCoreAdapterVtbl *lpVtbl;
};

#endif
#endif
#endif
