/* Declares DXCore for C, because DirectX-Headers declares it only for C++. Use the declarations
 * with adapters of emu_adapter_create, and with the factory and lists of libdxcore. In C++ this
 * header includes directx/dxcore_interface.h. */
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

typedef enum DXCoreSegmentGroup { Local = 0, NonLocal = 1 } DXCoreSegmentGroup;

typedef enum DXCoreNotificationType {
    AdapterListStale = 0,
    AdapterNoLongerValid = 1,
    AdapterBudgetChange = 2,
    AdapterHardwareContentProtectionTeardown = 3
} DXCoreNotificationType;

typedef enum DXCoreAdapterPreference {
    Hardware = 0,
    MinimumPower = 1,
    HighPerformance = 2
} DXCoreAdapterPreference;

typedef struct DXCoreAdapterMemoryBudgetNodeSegmentGroup {
    uint32_t nodeIndex;
    DXCoreSegmentGroup segmentGroup;
} DXCoreAdapterMemoryBudgetNodeSegmentGroup;

typedef struct DXCoreAdapterMemoryBudget {
    uint64_t budget, currentUsage, availableForReservation, currentReservation; /* bytes */
} DXCoreAdapterMemoryBudget;

typedef void(STDMETHODCALLTYPE *PFN_DXCORE_NOTIFICATION_CALLBACK)(DXCoreNotificationType type,
                                                                  IUnknown *object, void *context);

typedef struct DXCoreHardwareID {
    uint32_t vendorID, deviceID, subSysID, revision;
} DXCoreHardwareID;

typedef struct DXCoreHardwareIDParts {
    uint32_t vendorID, deviceID, subSystemID, subVendorID, revisionID;
} DXCoreHardwareIDParts;

/* Every file that includes this header has copies of the IIDs, and needs no library for them. */
#if defined(__GNUC__)
#define EMU_DXCORE_UNUSED __attribute__((unused))
#else
#define EMU_DXCORE_UNUSED
#endif
EMU_DXCORE_UNUSED static const GUID IID_IDXCoreAdapter = {
    0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
EMU_DXCORE_UNUSED static const GUID IID_IDXCoreAdapterList = {
    0x526c7776, 0x40e9, 0x459b, {0xb7, 0x11, 0xf3, 0x2a, 0xd7, 0x6d, 0xfc, 0x28}};
EMU_DXCORE_UNUSED static const GUID IID_IDXCoreAdapterFactory = {
    0x78ee5945, 0xc36e, 0x4b13, {0xa6, 0x69, 0x00, 0x5d, 0xd1, 0x1c, 0x0f, 0x06}};
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

typedef struct IDXCoreAdapterList IDXCoreAdapterList;

typedef struct IDXCoreAdapterListVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)
    (IDXCoreAdapterList *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(IDXCoreAdapterList *This);
    ULONG(STDMETHODCALLTYPE *Release)(IDXCoreAdapterList *This);
    HRESULT(STDMETHODCALLTYPE *GetAdapter)
    (IDXCoreAdapterList *This, uint32_t index, REFIID riid, void **adapter);
    uint32_t(STDMETHODCALLTYPE *GetAdapterCount)(IDXCoreAdapterList *This);
    bool(STDMETHODCALLTYPE *IsStale)(IDXCoreAdapterList *This);
    HRESULT(STDMETHODCALLTYPE *GetFactory)(IDXCoreAdapterList *This, REFIID riid, void **factory);
    HRESULT(STDMETHODCALLTYPE *Sort)
    (IDXCoreAdapterList *This, uint32_t count, const DXCoreAdapterPreference *preferences);
    bool(STDMETHODCALLTYPE *IsAdapterPreferenceSupported)(IDXCoreAdapterList *This,
                                                          DXCoreAdapterPreference preference);
} IDXCoreAdapterListVtbl;

struct IDXCoreAdapterList {
    const IDXCoreAdapterListVtbl *lpVtbl;
};

typedef struct IDXCoreAdapterFactory IDXCoreAdapterFactory;

typedef struct IDXCoreAdapterFactoryVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)
    (IDXCoreAdapterFactory *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(IDXCoreAdapterFactory *This);
    ULONG(STDMETHODCALLTYPE *Release)(IDXCoreAdapterFactory *This);
    HRESULT(STDMETHODCALLTYPE *CreateAdapterList)
    (IDXCoreAdapterFactory *This, uint32_t count, const GUID *attributes, REFIID riid, void **list);
    HRESULT(STDMETHODCALLTYPE *GetAdapterByLuid)
    (IDXCoreAdapterFactory *This, const LUID *luid, REFIID riid, void **adapter);
    bool(STDMETHODCALLTYPE *IsNotificationTypeSupported)(IDXCoreAdapterFactory *This,
                                                         DXCoreNotificationType type);
    HRESULT(STDMETHODCALLTYPE *RegisterEventNotification)
    (IDXCoreAdapterFactory *This, IUnknown *object, DXCoreNotificationType type,
     PFN_DXCORE_NOTIFICATION_CALLBACK callback, void *context, uint32_t *cookie);
    HRESULT(STDMETHODCALLTYPE *UnregisterEventNotification)
    (IDXCoreAdapterFactory *This, uint32_t cookie);
} IDXCoreAdapterFactoryVtbl;

struct IDXCoreAdapterFactory {
    const IDXCoreAdapterFactoryVtbl *lpVtbl;
};

/* The only function that libdxcore exports. The function gives the process's only factory. */
HRESULT STDMETHODCALLTYPE DXCoreCreateAdapterFactory(REFIID riid, void **factory);

#endif
#endif
#endif
