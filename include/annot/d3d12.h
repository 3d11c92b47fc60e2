/*
 * D3D12 definitions that no published header has yet: ID3D12DeviceTools, 1 and 2, the feature query
 * and the message of user defined annotations [D3D12 PIX Markers v0.06; DeviceTools and
 * DeviceTools1 as published], and ID3D12DevicePreview with what belongs to dump files [DirectX dump
 * files v0.02].
 *
 * For C and C++. Include D3D12's own header first: DirectX-Headers', mingw-w64's, Wine's or vkd3d's
 * (vkd3d_d3d12.h). Without one this header includes DirectX-Headers' d3d12.h and d3d12sdklayers.h.
 * Types that the included header already defines are left alone. The message macro needs
 * D3D12_MESSAGE_ID, which is in d3d12sdklayers.h; vkd3d has none.
 *
 * The numbers of DeviceTools2 are subject to change. Each can be given on the command line: the
 * macros ANNOT_D3D12_IID_DEVICE_TOOLS2, ANNOT_D3D12_IID_DEVICE_PREVIEW (eleven numbers as in
 * DEFINE_GUID), ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION, ANNOT_D3D12_FEATURE_DUMP_FILE and
 * ANNOT_D3D12_MESSAGE_ID_SET_MODE_INVALID_ARGUMENT. When the included header defines all of user
 * defined annotations itself, define ANNOT_D3D12_HAVE_USER_DEFINED_ANNOTATION;
 * ANNOT_D3D12_HAVE_DUMP_FILE for the query about dump files and ID3D12DevicePreview.
 */
#ifndef ANNOT_D3D12_H
#define ANNOT_D3D12_H

#ifndef __ID3D12Device_INTERFACE_DEFINED__
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#endif

#ifndef ANNOT_D3D12_IID_DEVICE_TOOLS2
#define ANNOT_D3D12_IID_DEVICE_TOOLS2                                                              \
    0xd3c1a7e2, 0x5b84, 0x4f2f, 0x9c, 0x61, 0x2e, 0x8a, 0x0f, 0x47, 0xb6, 0x1d
#endif
/* As in the header of the preview SDK 1.721.1, by two transcriptions that agree. */
#ifndef ANNOT_D3D12_IID_DEVICE_PREVIEW
#define ANNOT_D3D12_IID_DEVICE_PREVIEW                                                             \
    0x8f0856ad, 0xe37c, 0x4d75, 0xbe, 0x18, 0xfb, 0xb3, 0xd8, 0xc0, 0x4c, 0xed
#endif
#ifndef ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION
#define ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION 66
#endif
#ifndef ANNOT_D3D12_FEATURE_DUMP_FILE
#define ANNOT_D3D12_FEATURE_DUMP_FILE 71
#endif
#ifndef ANNOT_D3D12_MESSAGE_ID_SET_MODE_INVALID_ARGUMENT
#define ANNOT_D3D12_MESSAGE_ID_SET_MODE_INVALID_ARGUMENT 1464
#endif

/* From winerror.h, which DirectX-Headers on Linux lacks: results of pipeline states from caches. */
#ifndef D3D12_ERROR_ADAPTER_NOT_FOUND
#define D3D12_ERROR_ADAPTER_NOT_FOUND ((HRESULT)0x887E0001)
#endif
#ifndef D3D12_ERROR_DRIVER_VERSION_MISMATCH
#define D3D12_ERROR_DRIVER_VERSION_MISMATCH ((HRESULT)0x887E0002)
#endif

/* The result of ID3D12DeviceRemovedExtendedData for a device that is not removed. */
#ifndef DXGI_ERROR_NOT_CURRENTLY_AVAILABLE
#define DXGI_ERROR_NOT_CURRENTLY_AVAILABLE ((HRESULT)0x887A0022)
#endif

/* The IIDs are internal to every file that includes this: nothing has to be linked for them. */
#if defined(__GNUC__)
#define ANNOT_D3D12_UNUSED __attribute__((unused))
#else
#define ANNOT_D3D12_UNUSED
#endif
#define ANNOT_D3D12_IID(name, ...) ANNOT_D3D12_IID_(name, __VA_ARGS__)
#define ANNOT_D3D12_IID_(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                          \
    ANNOT_D3D12_UNUSED static const IID name = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}
#define ANNOT_D3D12_UUID(type, ...) ANNOT_D3D12_UUID_(type, __VA_ARGS__)
#if defined(__cplusplus) && defined(__CRT_UUID_DECL)
#define ANNOT_D3D12_UUID_(type, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                         \
    __CRT_UUID_DECL(type, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)
#else
#define ANNOT_D3D12_UUID_(type, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)
#endif

/* ---- published, but missing from older headers ---- */

#define ANNOT_D3D12_IID_DEVICE_TOOLS                                                               \
    0x2ea68e9c, 0x19c3, 0x4e47, 0xa1, 0x09, 0x6c, 0xda, 0xdf, 0xf0, 0xac, 0xa9
#define ANNOT_D3D12_IID_DEVICE_TOOLS1                                                              \
    0xe30e9fc7, 0xe641, 0x4d6e, 0x8a, 0x81, 0x9d, 0xd9, 0x20, 0x6e, 0xc4, 0x7a

/* Its interface is in d3dcommon.h, which leaves the definition of IID_ID3DDestructionNotifier to
 * Windows' libraries. */
#define ANNOT_D3D12_IID_DESTRUCTION_NOTIFIER                                                       \
    0xa06eb39a, 0x50da, 0x425b, 0x8c, 0x31, 0x4e, 0xec, 0xd6, 0xc2, 0x70, 0xf3
ANNOT_D3D12_IID(ANNOT_IID_ID3DDestructionNotifier, ANNOT_D3D12_IID_DESTRUCTION_NOTIFIER);

#ifndef __ID3D12DeviceTools_INTERFACE_DEFINED__
#define __ID3D12DeviceTools_INTERFACE_DEFINED__

typedef interface ID3D12DeviceTools ID3D12DeviceTools;
ANNOT_D3D12_IID(IID_ID3D12DeviceTools, ANNOT_D3D12_IID_DEVICE_TOOLS);

#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DeviceTools : public IUnknown
{
    /* The GPU virtual address that the next resource or heap gets; its creation fails when that
     * range is taken. */
    virtual void STDMETHODCALLTYPE
    SetNextAllocationAddress(D3D12_GPU_VIRTUAL_ADDRESS nextAllocationVirtualAddress) = 0;
};
ANNOT_D3D12_UUID(ID3D12DeviceTools, ANNOT_D3D12_IID_DEVICE_TOOLS)
#else
typedef struct ID3D12DeviceToolsVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(ID3D12DeviceTools *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(ID3D12DeviceTools *This);
    ULONG(STDMETHODCALLTYPE *Release)(ID3D12DeviceTools *This);
    void(STDMETHODCALLTYPE *SetNextAllocationAddress)(ID3D12DeviceTools *This,
                                                      D3D12_GPU_VIRTUAL_ADDRESS address);
} ID3D12DeviceToolsVtbl;

interface ID3D12DeviceTools
{
    CONST_VTBL struct ID3D12DeviceToolsVtbl *lpVtbl;
};

#ifdef COBJMACROS
#define ID3D12DeviceTools_QueryInterface(This, riid, out)                                          \
    ((This)->lpVtbl->QueryInterface(This, riid, out))
#define ID3D12DeviceTools_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define ID3D12DeviceTools_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DeviceTools_SetNextAllocationAddress(This, address)                                  \
    ((This)->lpVtbl->SetNextAllocationAddress(This, address))
#endif
#endif
#endif /* __ID3D12DeviceTools_INTERFACE_DEFINED__ */

#ifndef __ID3D12DeviceTools1_INTERFACE_DEFINED__
#define __ID3D12DeviceTools1_INTERFACE_DEFINED__

typedef enum D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS {
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_UNKNOWN = 1,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_USED = 2,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_IGNORED = 3,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED = 4
} D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS;

typedef interface ID3D12DeviceTools1 ID3D12DeviceTools1;
ANNOT_D3D12_IID(IID_ID3D12DeviceTools1, ANNOT_D3D12_IID_DEVICE_TOOLS1);

#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DeviceTools1 : public ID3D12DeviceTools
{
    virtual HRESULT STDMETHODCALLTYPE GetApplicationSpecificDriverState(ID3DBlob **ppBlob) = 0;
    virtual D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS STDMETHODCALLTYPE
    GetApplicationSpecificDriverBlobStatus(void) = 0;
};
ANNOT_D3D12_UUID(ID3D12DeviceTools1, ANNOT_D3D12_IID_DEVICE_TOOLS1)
#else
typedef struct ID3D12DeviceTools1Vtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(ID3D12DeviceTools1 *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(ID3D12DeviceTools1 *This);
    ULONG(STDMETHODCALLTYPE *Release)(ID3D12DeviceTools1 *This);
    void(STDMETHODCALLTYPE *SetNextAllocationAddress)(ID3D12DeviceTools1 *This,
                                                      D3D12_GPU_VIRTUAL_ADDRESS address);
    HRESULT(STDMETHODCALLTYPE *GetApplicationSpecificDriverState)
    (ID3D12DeviceTools1 *This, ID3DBlob **ppBlob);
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS(
        STDMETHODCALLTYPE *GetApplicationSpecificDriverBlobStatus)
    (ID3D12DeviceTools1 *This);
} ID3D12DeviceTools1Vtbl;

interface ID3D12DeviceTools1
{
    CONST_VTBL struct ID3D12DeviceTools1Vtbl *lpVtbl;
};

#ifdef COBJMACROS
#define ID3D12DeviceTools1_QueryInterface(This, riid, out)                                         \
    ((This)->lpVtbl->QueryInterface(This, riid, out))
#define ID3D12DeviceTools1_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define ID3D12DeviceTools1_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DeviceTools1_SetNextAllocationAddress(This, address)                                 \
    ((This)->lpVtbl->SetNextAllocationAddress(This, address))
#define ID3D12DeviceTools1_GetApplicationSpecificDriverState(This, blob)                           \
    ((This)->lpVtbl->GetApplicationSpecificDriverState(This, blob))
#define ID3D12DeviceTools1_GetApplicationSpecificDriverBlobStatus(This)                            \
    ((This)->lpVtbl->GetApplicationSpecificDriverBlobStatus(This))
#endif
#endif
#endif /* __ID3D12DeviceTools1_INTERFACE_DEFINED__ */

/* ---- user defined annotations ---- */

#ifndef ANNOT_D3D12_HAVE_USER_DEFINED_ANNOTATION

typedef enum D3D12_USER_DEFINED_ANNOTATION_MODE {
    D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY = 1,
    D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL = 2
} D3D12_USER_DEFINED_ANNOTATION_MODE;

#define D3D12_FEATURE_USER_DEFINED_ANNOTATION                                                      \
    ((D3D12_FEATURE)ANNOT_D3D12_FEATURE_USER_DEFINED_ANNOTATION)

typedef struct D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION {
    BOOL Supported; /* whether the driver takes markers and names */
} D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION;

#define D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT                         \
    ((D3D12_MESSAGE_ID)ANNOT_D3D12_MESSAGE_ID_SET_MODE_INVALID_ARGUMENT)

typedef interface ID3D12DeviceTools2 ID3D12DeviceTools2;
ANNOT_D3D12_IID(IID_ID3D12DeviceTools2, ANNOT_D3D12_IID_DEVICE_TOOLS2);

#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DeviceTools2 : public ID3D12DeviceTools1
{
    /* The mode that device children created from now on latch; existing ones keep theirs
     * [ANN-MODE-04, -05]. */
    virtual void STDMETHODCALLTYPE
    SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE mode) = 0;
    virtual D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE
    GetUserDefinedAnnotationMode(void) = 0;
};
ANNOT_D3D12_UUID(ID3D12DeviceTools2, ANNOT_D3D12_IID_DEVICE_TOOLS2)
#else
typedef struct ID3D12DeviceTools2Vtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(ID3D12DeviceTools2 *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(ID3D12DeviceTools2 *This);
    ULONG(STDMETHODCALLTYPE *Release)(ID3D12DeviceTools2 *This);
    void(STDMETHODCALLTYPE *SetNextAllocationAddress)(ID3D12DeviceTools2 *This,
                                                      D3D12_GPU_VIRTUAL_ADDRESS address);
    HRESULT(STDMETHODCALLTYPE *GetApplicationSpecificDriverState)
    (ID3D12DeviceTools2 *This, ID3DBlob **ppBlob);
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS(
        STDMETHODCALLTYPE *GetApplicationSpecificDriverBlobStatus)
    (ID3D12DeviceTools2 *This);
    void(STDMETHODCALLTYPE *SetUserDefinedAnnotationMode)(ID3D12DeviceTools2 *This,
                                                          D3D12_USER_DEFINED_ANNOTATION_MODE mode);
    D3D12_USER_DEFINED_ANNOTATION_MODE(STDMETHODCALLTYPE *GetUserDefinedAnnotationMode)
    (ID3D12DeviceTools2 *This);
} ID3D12DeviceTools2Vtbl;

interface ID3D12DeviceTools2
{
    CONST_VTBL struct ID3D12DeviceTools2Vtbl *lpVtbl;
};

#ifdef COBJMACROS
#define ID3D12DeviceTools2_QueryInterface(This, riid, out)                                         \
    ((This)->lpVtbl->QueryInterface(This, riid, out))
#define ID3D12DeviceTools2_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define ID3D12DeviceTools2_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DeviceTools2_SetNextAllocationAddress(This, address)                                 \
    ((This)->lpVtbl->SetNextAllocationAddress(This, address))
#define ID3D12DeviceTools2_GetApplicationSpecificDriverState(This, blob)                           \
    ((This)->lpVtbl->GetApplicationSpecificDriverState(This, blob))
#define ID3D12DeviceTools2_GetApplicationSpecificDriverBlobStatus(This)                            \
    ((This)->lpVtbl->GetApplicationSpecificDriverBlobStatus(This))
#define ID3D12DeviceTools2_SetUserDefinedAnnotationMode(This, mode)                                \
    ((This)->lpVtbl->SetUserDefinedAnnotationMode(This, mode))
#define ID3D12DeviceTools2_GetUserDefinedAnnotationMode(This)                                      \
    ((This)->lpVtbl->GetUserDefinedAnnotationMode(This))
#endif
#endif
#endif /* ANNOT_D3D12_HAVE_USER_DEFINED_ANNOTATION */

/* ---- dump files ---- */

#ifndef ANNOT_D3D12_HAVE_DUMP_FILE

#define D3D12_FEATURE_DUMP_FILE ((D3D12_FEATURE)ANNOT_D3D12_FEATURE_DUMP_FILE)

/* The preview header's name; the specification calls it D3D12_DUMP_FILE_TIER as well. */
typedef enum D3D12_DUMP_FILE_DRIVER_TIER {
    D3D12_DUMP_FILE_DRIVER_TIER_NOT_SUPPORTED = 0,
    D3D12_DUMP_FILE_DRIVER_TIER_1 = 1, /* medium or high overhead only */
    D3D12_DUMP_FILE_DRIVER_TIER_2 = 2  /* without overhead, and at least one single option */
} D3D12_DUMP_FILE_DRIVER_TIER;

/* The data that the driver collects for a dump; a mask. The highest overhead that is set counts. */
typedef enum D3D12_DUMP_FILE_DRIVER_OPTIONS {
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD = 0x1, /* the default */
    D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD = 0x2,
    D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD = 0x4,
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA = 0x8, /* nothing: the other bits are ignored */
    D3D12_DUMP_FILE_DRIVER_OPTION_SHADER_REGISTERS = 0x10,
    D3D12_DUMP_FILE_DRIVER_OPTION_RESOURCES = 0x20,
    D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS = 0x40
} D3D12_DUMP_FILE_DRIVER_OPTIONS;

typedef struct D3D12_FEATURE_DATA_DUMP_FILE {
    BOOL SupportedByOS; /* whether a device error reaches the runtime in time for a dump */
    D3D12_DUMP_FILE_DRIVER_TIER DumpFileDriverTier;
    UINT DumpFileDriverOptionsMask; /* options that the driver knows */
} D3D12_FEATURE_DATA_DUMP_FILE;

typedef enum D3D12_DEVICE_ERROR_CODE {
    D3D12_DEVICE_ERROR_NONE = 0,
    D3D12_DEVICE_ERROR_DEVICE_HUNG = 7,
    D3D12_DEVICE_ERROR_PAGE_FAULT = 9,
    D3D12_DEVICE_ERROR_UNKNOWN = (int)0x88000000
} D3D12_DEVICE_ERROR_CODE;

/* Begin: 1, and the dump file is written; 0, and it isn't. Flags are reserved. End: where the file
 * is; it is gone after the call unless retained. Both come on the thread that noticed the error.
 * The types' names are ours. */
typedef UINT(STDMETHODCALLTYPE *PFN_D3D12_DUMP_FILE_BEGIN)(UINT64 flags);
typedef void(STDMETHODCALLTYPE *PFN_D3D12_DUMP_FILE_END)(const WCHAR *path);

typedef interface ID3D12DevicePreview ID3D12DevicePreview;
ANNOT_D3D12_IID(IID_ID3D12DevicePreview, ANNOT_D3D12_IID_DEVICE_PREVIEW);

/* The first method is of another feature; the specification of dump files leaves it out, the
 * preview header does not. */
#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DevicePreview : public IUnknown
{
    virtual void STDMETHODCALLTYPE GetLinearAlgebraMatrixConversionDestinationInfo(void *desc) = 0;
    /* `options` is a mask of D3D12_DUMP_FILE_DRIVER_OPTIONS; succeeds whether or not the driver
     * knows them. */
    virtual HRESULT STDMETHODCALLTYPE ConfigureDumpFile(UINT options) = 0;
    virtual void STDMETHODCALLTYPE SetDumpFileCallbacks(PFN_D3D12_DUMP_FILE_BEGIN begin,
                                                        PFN_D3D12_DUMP_FILE_END end) = 0;
    /* Inside of the Begin callback only; all blobs and their metadata together 2 MiB at most. The
     * memory may be reused at once. */
    virtual HRESULT STDMETHODCALLTYPE AddBlobToDumpFile(void *data, UINT size, UINT64 metadata) = 0;
    virtual void STDMETHODCALLTYPE RetainDumpFile(BOOL retain) = 0;
    virtual D3D12_DEVICE_ERROR_CODE STDMETHODCALLTYPE GetDeviceErrorCode(void) = 0;
};
ANNOT_D3D12_UUID(ID3D12DevicePreview, ANNOT_D3D12_IID_DEVICE_PREVIEW)
#else
typedef struct ID3D12DevicePreviewVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(ID3D12DevicePreview *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(ID3D12DevicePreview *This);
    ULONG(STDMETHODCALLTYPE *Release)(ID3D12DevicePreview *This);
    void(STDMETHODCALLTYPE *GetLinearAlgebraMatrixConversionDestinationInfo)(
        ID3D12DevicePreview *This, void *desc);
    HRESULT(STDMETHODCALLTYPE *ConfigureDumpFile)(ID3D12DevicePreview *This, UINT options);
    void(STDMETHODCALLTYPE *SetDumpFileCallbacks)(ID3D12DevicePreview *This,
                                                  PFN_D3D12_DUMP_FILE_BEGIN begin,
                                                  PFN_D3D12_DUMP_FILE_END end);
    HRESULT(STDMETHODCALLTYPE *AddBlobToDumpFile)
    (ID3D12DevicePreview *This, void *data, UINT size, UINT64 metadata);
    void(STDMETHODCALLTYPE *RetainDumpFile)(ID3D12DevicePreview *This, BOOL retain);
    D3D12_DEVICE_ERROR_CODE(STDMETHODCALLTYPE *GetDeviceErrorCode)(ID3D12DevicePreview *This);
} ID3D12DevicePreviewVtbl;

interface ID3D12DevicePreview
{
    CONST_VTBL struct ID3D12DevicePreviewVtbl *lpVtbl;
};

#ifdef COBJMACROS
#define ID3D12DevicePreview_QueryInterface(This, riid, out)                                        \
    ((This)->lpVtbl->QueryInterface(This, riid, out))
#define ID3D12DevicePreview_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define ID3D12DevicePreview_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DevicePreview_GetLinearAlgebraMatrixConversionDestinationInfo(This, desc)            \
    ((This)->lpVtbl->GetLinearAlgebraMatrixConversionDestinationInfo(This, desc))
#define ID3D12DevicePreview_ConfigureDumpFile(This, options)                                       \
    ((This)->lpVtbl->ConfigureDumpFile(This, options))
#define ID3D12DevicePreview_SetDumpFileCallbacks(This, begin, end)                                 \
    ((This)->lpVtbl->SetDumpFileCallbacks(This, begin, end))
#define ID3D12DevicePreview_AddBlobToDumpFile(This, data, size, metadata)                          \
    ((This)->lpVtbl->AddBlobToDumpFile(This, data, size, metadata))
#define ID3D12DevicePreview_RetainDumpFile(This, retain)                                           \
    ((This)->lpVtbl->RetainDumpFile(This, retain))
#define ID3D12DevicePreview_GetDeviceErrorCode(This) ((This)->lpVtbl->GetDeviceErrorCode(This))
#endif
#endif

#endif /* ANNOT_D3D12_HAVE_DUMP_FILE */

#endif
