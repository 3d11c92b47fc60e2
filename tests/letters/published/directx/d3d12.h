/* A header as Microsoft publishes it, as far as tests need it: the installed one, and what
 * DirectX-Headers 1.721.1-preview has beyond it. Names, numbers, slots and result types are that
 * header's. With PUBLISHED_OTHER_PREVIEW it is one of 1.717 to 1.720 instead, which have another
 * ID3D12DevicePreview and nothing else of this. Constants whose enumeration is in the installed
 * header are an enumeration of their own. */
#include_next <directx/d3d12.h>

#ifndef PUBLISHED_D3D12_H
#define PUBLISHED_D3D12_H

#define PUBLISHED_UNKNOWN(I)                                                                       \
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(I * This, REFIID riid, void **ppvObject);           \
    ULONG(STDMETHODCALLTYPE *AddRef)(I * This);                                                    \
    ULONG(STDMETHODCALLTYPE *Release)(I * This);
#define PUBLISHED_TABLE(I)                                                                         \
    typedef struct I##Vtbl I##Vtbl;                                                                \
    typedef interface I {                                                                          \
        CONST_VTBL struct I##Vtbl *lpVtbl;                                                         \
    } I;

#define __ID3D12DevicePreview_INTERFACE_DEFINED__

#ifdef PUBLISHED_OTHER_PREVIEW

DEFINE_GUID(IID_ID3D12DevicePreview, 0x55ea41d3, 0x6bf5, 0x4332, 0xbb, 0xf9, 0x90, 0x5e, 0x6b, 0x4e,
            0x29, 0x30);
#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DevicePreview : public IUnknown
{
    virtual void STDMETHODCALLTYPE GetLinearAlgebraMatrixConversionDestinationInfo(void *pDesc) = 0;
};
#else
PUBLISHED_TABLE(ID3D12DevicePreview)
struct ID3D12DevicePreviewVtbl {
    PUBLISHED_UNKNOWN(ID3D12DevicePreview)
    void(STDMETHODCALLTYPE *GetLinearAlgebraMatrixConversionDestinationInfo)(
        ID3D12DevicePreview *This, void *pDesc);
};
#define ID3D12DevicePreview_QueryInterface(This, riid, ppvObject)                                  \
    ((This)->lpVtbl->QueryInterface(This, riid, ppvObject))
#endif

#else

#define __ID3D12DeviceTools2_INTERFACE_DEFINED__
#define DIRECT3D_PIX_MARKERS 1
#define DIRECT3D_DUMP_FILES  1
#define DIRECT3D_DEBUG_BREAK 1

enum {
    D3D12_FEATURE_DUMP_FILE = 71,
    D3D12_FEATURE_USER_DEFINED_ANNOTATION = 73,
    D3D12_FEATURE_DEBUG_BREAK = 74,
    D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_ALWAYS_HALT = 0x20,
    D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_FORCE_NOP = 0x40,
    D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_ALWAYS_HALT = 0x80,
    D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_FORCE_NOP = 0x100,
    D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_ADDRESS = 1439,
    D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_SIZE = 1440,
    D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_OUT_OF_MEMORY = 1441,
    D3D12_MESSAGE_ID_DUMP_FILE_DRIVER_OPTION_NOT_SUPPORTED = 1450,
    D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT = 1465
};
typedef enum D3D12_USER_DEFINED_ANNOTATION_MODE {
    D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY = 0,
    D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL = 1
} D3D12_USER_DEFINED_ANNOTATION_MODE;
typedef struct D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION {
    BOOL Supported;
} D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION;
typedef struct D3D12_FEATURE_DATA_DEBUG_BREAK {
    BOOL HaltSupported;
    BOOL LiveDebuggingSupported;
    BOOL CpuSupported;
} D3D12_FEATURE_DATA_DEBUG_BREAK;
typedef enum D3D12_DUMP_FILE_DRIVER_TIER {
    D3D12_DUMP_FILE_DRIVER_TIER_NOT_SUPPORTED = 0,
    D3D12_DUMP_FILE_DRIVER_TIER_1 = 1,
    D3D12_DUMP_FILE_DRIVER_TIER_2 = 2
} D3D12_DUMP_FILE_DRIVER_TIER;
typedef enum D3D12_DUMP_FILE_DRIVER_OPTIONS {
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD = 0x1,
    D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD = 0x2,
    D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD = 0x4,
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA = 0x8,
    D3D12_DUMP_FILE_DRIVER_OPTION_SHADER_REGISTERS = 0x10,
    D3D12_DUMP_FILE_DRIVER_OPTION_RESOURCES = 0x20,
    D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS = 0x40
} D3D12_DUMP_FILE_DRIVER_OPTIONS;
DEFINE_ENUM_FLAG_OPERATORS(D3D12_DUMP_FILE_DRIVER_OPTIONS)
typedef struct D3D12_FEATURE_DATA_DUMP_FILE {
    BOOL SupportedByOS;
    D3D12_DUMP_FILE_DRIVER_TIER DumpFileDriverTier;
    UINT DumpFileDriverOptionsMask;
} D3D12_FEATURE_DATA_DUMP_FILE;
__extension__ typedef enum D3D12_DEVICE_ERROR_CODE {
    D3D12_DEVICE_ERROR_NONE = 0,
    D3D12_DEVICE_ERROR_DEVICE_HUNG = 7,
    D3D12_DEVICE_ERROR_PAGE_FAULT = 9,
    D3D12_DEVICE_ERROR_UNKNOWN = 0x88000000
} D3D12_DEVICE_ERROR_CODE;
typedef UINT (*D3D12_DUMPFILEBEGINCALLBACK)(UINT64 flags);
typedef void (*D3D12_DUMPFILEENDCALLBACK)(const wchar_t *pDumpPath);

DEFINE_GUID(IID_ID3D12DeviceTools2, 0x0edb4324, 0x20a7, 0x45ed, 0x80, 0x16, 0xc3, 0x17, 0xa0, 0x73,
            0xbe, 0x33);
DEFINE_GUID(IID_ID3D12DevicePreview, 0x8f0856ad, 0xe37c, 0x4d75, 0xbe, 0x18, 0xfb, 0xb3, 0xd8, 0xc0,
            0x4c, 0xed);

/* Retail headers have these two since 1.616. */
#ifndef __ID3D12DeviceTools1_INTERFACE_DEFINED__
#define __ID3D12DeviceTools_INTERFACE_DEFINED__
#define __ID3D12DeviceTools1_INTERFACE_DEFINED__
DEFINE_GUID(IID_ID3D12DeviceTools, 0x2ea68e9c, 0x19c3, 0x4e47, 0xa1, 0x09, 0x6c, 0xda, 0xdf, 0xf0,
            0xac, 0xa9);
DEFINE_GUID(IID_ID3D12DeviceTools1, 0xe30e9fc7, 0xe641, 0x4d6e, 0x8a, 0x81, 0x9d, 0xd9, 0x20, 0x6e,
            0xc4, 0x7a);
typedef enum D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS {
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_UNKNOWN = 1,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_USED = 2,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_IGNORED = 3,
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_NOT_SPECIFIED = 4
} D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS;
#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DeviceTools : public IUnknown
{
    virtual void STDMETHODCALLTYPE
    SetNextAllocationAddress(D3D12_GPU_VIRTUAL_ADDRESS nextAllocationVirtualAddress) = 0;
};
interface ID3D12DeviceTools1 : public ID3D12DeviceTools
{
    virtual HRESULT STDMETHODCALLTYPE GetApplicationSpecificDriverState(ID3DBlob **ppBlob) = 0;
    virtual D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS STDMETHODCALLTYPE
    GetApplicationSpecificDriverBlobStatus(void) = 0;
};
#else
PUBLISHED_TABLE(ID3D12DeviceTools)
PUBLISHED_TABLE(ID3D12DeviceTools1)
#endif
#endif

#if defined(__cplusplus) && !defined(CINTERFACE)
interface ID3D12DeviceTools2 : public ID3D12DeviceTools1
{
    virtual HRESULT STDMETHODCALLTYPE
    SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE mode) = 0;
    virtual D3D12_USER_DEFINED_ANNOTATION_MODE STDMETHODCALLTYPE
    GetUserDefinedAnnotationMode(void) = 0;
};
interface ID3D12DevicePreview : public IUnknown
{
    virtual void STDMETHODCALLTYPE GetLinearAlgebraMatrixConversionDestinationInfo(void *pDesc) = 0;
    virtual HRESULT STDMETHODCALLTYPE
    ConfigureDumpFile(D3D12_DUMP_FILE_DRIVER_OPTIONS driverOptions) = 0;
    virtual void STDMETHODCALLTYPE SetDumpFileCallbacks(D3D12_DUMPFILEBEGINCALLBACK pBeginCallback,
                                                        D3D12_DUMPFILEENDCALLBACK pEndCallback) = 0;
    virtual HRESULT STDMETHODCALLTYPE AddBlobToDumpFile(void *pBlob, UINT sizeBytes,
                                                        UINT64 metadata) = 0;
    virtual void STDMETHODCALLTYPE RetainDumpFile(BOOL retain) = 0;
    virtual D3D12_DEVICE_ERROR_CODE STDMETHODCALLTYPE GetDeviceErrorCode(void) = 0;
};
#ifdef __CRT_UUID_DECL
__CRT_UUID_DECL(ID3D12DeviceTools2, 0x0edb4324, 0x20a7, 0x45ed, 0x80, 0x16, 0xc3, 0x17, 0xa0, 0x73,
                0xbe, 0x33)
#endif
#else
PUBLISHED_TABLE(ID3D12DeviceTools2)
struct ID3D12DeviceTools2Vtbl {
    PUBLISHED_UNKNOWN(ID3D12DeviceTools2)
    void(STDMETHODCALLTYPE *SetNextAllocationAddress)(ID3D12DeviceTools2 *This,
                                                      D3D12_GPU_VIRTUAL_ADDRESS address);
    HRESULT(STDMETHODCALLTYPE *GetApplicationSpecificDriverState)
    (ID3D12DeviceTools2 *This, ID3DBlob **ppBlob);
    D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS(
        STDMETHODCALLTYPE *GetApplicationSpecificDriverBlobStatus)
    (ID3D12DeviceTools2 *This);
    HRESULT(STDMETHODCALLTYPE *SetUserDefinedAnnotationMode)
    (ID3D12DeviceTools2 *This, D3D12_USER_DEFINED_ANNOTATION_MODE mode);
    D3D12_USER_DEFINED_ANNOTATION_MODE(STDMETHODCALLTYPE *GetUserDefinedAnnotationMode)
    (ID3D12DeviceTools2 *This);
};
PUBLISHED_TABLE(ID3D12DevicePreview)
struct ID3D12DevicePreviewVtbl {
    PUBLISHED_UNKNOWN(ID3D12DevicePreview)
    void(STDMETHODCALLTYPE *GetLinearAlgebraMatrixConversionDestinationInfo)(
        ID3D12DevicePreview *This, void *pDesc);
    HRESULT(STDMETHODCALLTYPE *ConfigureDumpFile)
    (ID3D12DevicePreview *This, D3D12_DUMP_FILE_DRIVER_OPTIONS driverOptions);
    void(STDMETHODCALLTYPE *SetDumpFileCallbacks)(ID3D12DevicePreview *This,
                                                  D3D12_DUMPFILEBEGINCALLBACK pBeginCallback,
                                                  D3D12_DUMPFILEENDCALLBACK pEndCallback);
    HRESULT(STDMETHODCALLTYPE *AddBlobToDumpFile)
    (ID3D12DevicePreview *This, void *pBlob, UINT sizeBytes, UINT64 metadata);
    void(STDMETHODCALLTYPE *RetainDumpFile)(ID3D12DevicePreview *This, BOOL retain);
    D3D12_DEVICE_ERROR_CODE(STDMETHODCALLTYPE *GetDeviceErrorCode)(ID3D12DevicePreview *This);
};
#define ID3D12DeviceTools2_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DeviceTools2_SetUserDefinedAnnotationMode(This, mode)                                \
    ((This)->lpVtbl->SetUserDefinedAnnotationMode(This, mode))
#define ID3D12DeviceTools2_GetUserDefinedAnnotationMode(This)                                      \
    ((This)->lpVtbl->GetUserDefinedAnnotationMode(This))
#define ID3D12DevicePreview_ConfigureDumpFile(This, driverOptions)                                 \
    ((This)->lpVtbl->ConfigureDumpFile(This, driverOptions))
#define ID3D12DevicePreview_SetDumpFileCallbacks(This, pBeginCallback, pEndCallback)               \
    ((This)->lpVtbl->SetDumpFileCallbacks(This, pBeginCallback, pEndCallback))
#endif
#endif
#endif
