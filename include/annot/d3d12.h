/*
 * Adds the declarations that the included D3D12 header lacks: ID3D12DeviceTools, 1 and 2, user
 * defined annotations, dump files and debug breaks. Microsoft publishes these names and values
 * since Agility SDK 1.620 [preview header 1.721.1; DirectX dump files v0.02].
 *
 * For C and C++. Include a header of D3D12 first, from DirectX-Headers, mingw-w64, Wine or vkd3d
 * (vkd3d_d3d12.h). Without such a header, this header includes d3d12.h and d3d12sdklayers.h of
 * DirectX-Headers. This header doesn't change declarations of the included header. If
 * `__ID3D12DeviceTools2_INTERFACE_DEFINED__` is defined, the included header has all these
 * declarations, except perhaps ID3D12DevicePreview. Constants of D3D12_MESSAGE_ID need
 * d3d12sdklayers.h; vkd3d has none.
 *
 * In Microsoft's specification "D3D12 PIX Markers" v0.06, user defined annotations have other
 * numbers, and the function that sets the mode has no result. A program that follows this
 * specification defines ANNOT_D3D12_SPEC_V006 before this header; the published names then have the
 * specification's meaning. A runtime with both forms has two interfaces with different IIDs. The
 * mode's value 1 is RUNTIME_ONLY in one interface and DRIVER_RETAIL in the other. A file that needs
 * both interfaces uses annot_ID3D12DeviceTools2_v006 and its constants.
 */
#ifndef ANNOT_D3D12_H
#define ANNOT_D3D12_H

#ifndef __ID3D12Device_INTERFACE_DEFINED__
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#endif

/* Error codes for cached pipelines, from winerror.h, which DirectX-Headers lacks on Linux. */
#ifndef D3D12_ERROR_ADAPTER_NOT_FOUND
#define D3D12_ERROR_ADAPTER_NOT_FOUND ((HRESULT)0x887E0001)
#endif
#ifndef D3D12_ERROR_DRIVER_VERSION_MISMATCH
#define D3D12_ERROR_DRIVER_VERSION_MISMATCH ((HRESULT)0x887E0002)
#endif

/* Methods of ID3D12DeviceRemovedExtendedData return this error if the device is not removed. */
#ifndef DXGI_ERROR_NOT_CURRENTLY_AVAILABLE
#define DXGI_ERROR_NOT_CURRENTLY_AVAILABLE ((HRESULT)0x887A0022)
#endif

/* Every file that includes this header has its own IIDs; no library has to be linked for them. */
#if defined(__GNUC__)
#define ANNOT_D3D12_UNUSED    __attribute__((unused))
#define ANNOT_D3D12_EXTENSION __extension__
#else
#define ANNOT_D3D12_UNUSED
#define ANNOT_D3D12_EXTENSION
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

/* ---- declarations that Microsoft publishes, but older headers lack ---- */

#define ANNOT_D3D12_IID_DEVICE_TOOLS                                                               \
    0x2ea68e9c, 0x19c3, 0x4e47, 0xa1, 0x09, 0x6c, 0xda, 0xdf, 0xf0, 0xac, 0xa9
#define ANNOT_D3D12_IID_DEVICE_TOOLS1                                                              \
    0xe30e9fc7, 0xe641, 0x4d6e, 0x8a, 0x81, 0x9d, 0xd9, 0x20, 0x6e, 0xc4, 0x7a

/* The IID of ID3DDestructionNotifier. d3dcommon.h declares the interface, but only Windows'
 * libraries define IID_ID3DDestructionNotifier. */
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
    /* Sets the GPU virtual address of the next resource or heap that is created. The creation fails
     * if the address range is in use. */
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

#define ANNOT_D3D12_IID_DEVICE_TOOLS2                                                              \
    0x0edb4324, 0x20a7, 0x45ed, 0x80, 0x16, 0xc3, 0x17, 0xa0, 0x73, 0xbe, 0x33
/* This project chose the IID for this interface, because the specification gives no IID. */
#define ANNOT_D3D12_IID_DEVICE_TOOLS2_V006                                                         \
    0xd3c1a7e2, 0x5b84, 0x4f2f, 0x9c, 0x61, 0x2e, 0x8a, 0x0f, 0x47, 0xb6, 0x1d

/* Declares ID3D12DeviceTools2: the published form or the form of specification v0.06. The two forms
 * differ in the mode's values and in the result of SetUserDefinedAnnotationMode. Device children
 * that are created after a call of this method latch the new mode; existing children keep their
 * mode [ANN-MODE-04, -05]. */
#if defined(__cplusplus) && !defined(CINTERFACE)
#define ANNOT_D3D12_DEVICE_TOOLS2(name, set_result, mode_type, ...)                                \
    interface name : public ID3D12DeviceTools1                                                     \
    {                                                                                              \
        virtual set_result STDMETHODCALLTYPE SetUserDefinedAnnotationMode(mode_type mode) = 0;     \
        virtual mode_type STDMETHODCALLTYPE GetUserDefinedAnnotationMode(void) = 0;                \
    };                                                                                             \
    ANNOT_D3D12_UUID(name, __VA_ARGS__)
#else
#define ANNOT_D3D12_DEVICE_TOOLS2(name, set_result, mode_type, ...)                                \
    typedef interface name name;                                                                   \
    typedef struct name##Vtbl {                                                                    \
        HRESULT(STDMETHODCALLTYPE *QueryInterface)(name * This, REFIID riid, void **out);          \
        ULONG(STDMETHODCALLTYPE *AddRef)(name * This);                                             \
        ULONG(STDMETHODCALLTYPE *Release)(name * This);                                            \
        void(STDMETHODCALLTYPE * SetNextAllocationAddress)(name * This,                            \
                                                           D3D12_GPU_VIRTUAL_ADDRESS address);     \
        HRESULT(STDMETHODCALLTYPE *GetApplicationSpecificDriverState)                              \
        (name * This, ID3DBlob **ppBlob);                                                          \
        D3D12_APPLICATION_SPECIFIC_DRIVER_BLOB_STATUS(                                             \
            STDMETHODCALLTYPE *GetApplicationSpecificDriverBlobStatus)                             \
        (name * This);                                                                             \
        set_result(STDMETHODCALLTYPE *SetUserDefinedAnnotationMode)(name * This, mode_type mode);  \
        mode_type(STDMETHODCALLTYPE *GetUserDefinedAnnotationMode)(name * This);                   \
    } name##Vtbl;                                                                                  \
    interface name                                                                                 \
    {                                                                                              \
        CONST_VTBL struct name##Vtbl *lpVtbl;                                                      \
    };
#endif

#ifndef __ID3D12DeviceTools2_INTERFACE_DEFINED__
#define __ID3D12DeviceTools2_INTERFACE_DEFINED__
#define ANNOT_D3D12_DECLARES /* says that this header declares the published names and values */

typedef enum D3D12_USER_DEFINED_ANNOTATION_MODE {
    D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY = 0,
    D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL = 1
} D3D12_USER_DEFINED_ANNOTATION_MODE;

#define D3D12_FEATURE_USER_DEFINED_ANNOTATION                              ((D3D12_FEATURE)73)
#define D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT ((D3D12_MESSAGE_ID)1465)

typedef struct D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION {
    BOOL Supported; /* true if the driver takes markers and names */
} D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION;

ANNOT_D3D12_IID(IID_ID3D12DeviceTools2, ANNOT_D3D12_IID_DEVICE_TOOLS2);
ANNOT_D3D12_DEVICE_TOOLS2(ID3D12DeviceTools2, HRESULT, D3D12_USER_DEFINED_ANNOTATION_MODE,
                          ANNOT_D3D12_IID_DEVICE_TOOLS2)

/* The macros below also work with the interface of specification v0.06. */
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
#endif /* __ID3D12DeviceTools2_INTERFACE_DEFINED__ */

/* The annotations of specification v0.06. This project chose the numbers of the feature and the
 * message, because the specification has no numbers. */
typedef enum annot_D3D12_MODE_V006 {
    ANNOT_D3D12_MODE_V006_RUNTIME_ONLY = 1,
    ANNOT_D3D12_MODE_V006_DRIVER_RETAIL = 2
} annot_D3D12_MODE_V006;
#define ANNOT_D3D12_FEATURE_V006 ((D3D12_FEATURE)66)
#define ANNOT_D3D12_MESSAGE_V006 ((D3D12_MESSAGE_ID)1464)

ANNOT_D3D12_IID(annot_IID_ID3D12DeviceTools2_v006, ANNOT_D3D12_IID_DEVICE_TOOLS2_V006);
ANNOT_D3D12_DEVICE_TOOLS2(annot_ID3D12DeviceTools2_v006, void, annot_D3D12_MODE_V006,
                          ANNOT_D3D12_IID_DEVICE_TOOLS2_V006)

#ifdef ANNOT_D3D12_SPEC_V006
#undef D3D12_FEATURE_USER_DEFINED_ANNOTATION
#undef D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT
#define ID3D12DeviceTools2                                                 annot_ID3D12DeviceTools2_v006
#define ID3D12DeviceTools2Vtbl                                             annot_ID3D12DeviceTools2_v006Vtbl
#define IID_ID3D12DeviceTools2                                             annot_IID_ID3D12DeviceTools2_v006
#define D3D12_USER_DEFINED_ANNOTATION_MODE                                 annot_D3D12_MODE_V006
#define D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY                    ANNOT_D3D12_MODE_V006_RUNTIME_ONLY
#define D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL                   ANNOT_D3D12_MODE_V006_DRIVER_RETAIL
#define D3D12_FEATURE_USER_DEFINED_ANNOTATION                              ANNOT_D3D12_FEATURE_V006
#define D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT ANNOT_D3D12_MESSAGE_V006
#endif

/* ---- debug breaks ---- */

#ifdef ANNOT_D3D12_DECLARES

#define D3D12_FEATURE_DEBUG_BREAK ((D3D12_FEATURE)74)

/* With ALWAYS_HALT, a pipeline halts at the debug breaks of its shaders even without a debugger, so
 * the GPU hangs. With FORCE_NOP, a pipeline never halts. Set at most one of the two flags. */
#define D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_ALWAYS_HALT ((D3D12_PIPELINE_STATE_FLAGS)0x20)
#define D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_FORCE_NOP   ((D3D12_PIPELINE_STATE_FLAGS)0x40)
#define D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_ALWAYS_HALT   ((D3D12_STATE_OBJECT_FLAGS)0x80)
#define D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_FORCE_NOP     ((D3D12_STATE_OBJECT_FLAGS)0x100)

typedef struct D3D12_FEATURE_DATA_DEBUG_BREAK {
    BOOL HaltSupported;
    BOOL LiveDebuggingSupported;
    BOOL CpuSupported;
} D3D12_FEATURE_DATA_DEBUG_BREAK;

/* ---- dump files ---- */

#define D3D12_FEATURE_DUMP_FILE                                ((D3D12_FEATURE)71)
#define D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_ADDRESS    ((D3D12_MESSAGE_ID)1439)
#define D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_SIZE       ((D3D12_MESSAGE_ID)1440)
#define D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_OUT_OF_MEMORY      ((D3D12_MESSAGE_ID)1441)
#define D3D12_MESSAGE_ID_DUMP_FILE_DRIVER_OPTION_NOT_SUPPORTED ((D3D12_MESSAGE_ID)1450)

/* The published name of a type that the specification also calls D3D12_DUMP_FILE_TIER. */
typedef enum D3D12_DUMP_FILE_DRIVER_TIER {
    D3D12_DUMP_FILE_DRIVER_TIER_NOT_SUPPORTED = 0,
    D3D12_DUMP_FILE_DRIVER_TIER_1 = 1, /* the driver has only options with overhead */
    D3D12_DUMP_FILE_DRIVER_TIER_2 =
        2 /* the driver also has options without overhead, and single options */
} D3D12_DUMP_FILE_DRIVER_TIER;

/* A mask that says which data the driver collects for a dump. If several overhead bits are set, the
 * highest overhead decides. */
typedef enum D3D12_DUMP_FILE_DRIVER_OPTIONS {
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD = 0x1, /* the default */
    D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD = 0x2,
    D3D12_DUMP_FILE_DRIVER_OPTION_HIGH_OVERHEAD = 0x4,
    D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA =
        0x8, /* the driver collects no data, whatever other bits say */
    D3D12_DUMP_FILE_DRIVER_OPTION_SHADER_REGISTERS = 0x10,
    D3D12_DUMP_FILE_DRIVER_OPTION_RESOURCES = 0x20,
    D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS = 0x40
} D3D12_DUMP_FILE_DRIVER_OPTIONS;
#ifdef DEFINE_ENUM_FLAG_OPERATORS
DEFINE_ENUM_FLAG_OPERATORS(D3D12_DUMP_FILE_DRIVER_OPTIONS)
#endif

typedef struct D3D12_FEATURE_DATA_DUMP_FILE {
    BOOL SupportedByOS; /* true if the runtime learns of an error early enough to write a dump */
    D3D12_DUMP_FILE_DRIVER_TIER DumpFileDriverTier;
    UINT DumpFileDriverOptionsMask; /* mask of the options that the driver knows */
} D3D12_FEATURE_DATA_DUMP_FILE;

/* The value of UNKNOWN makes the type unsigned, as in the published header. */
ANNOT_D3D12_EXTENSION typedef enum D3D12_DEVICE_ERROR_CODE {
    D3D12_DEVICE_ERROR_NONE = 0,
    D3D12_DEVICE_ERROR_DEVICE_HUNG = 7,
    D3D12_DEVICE_ERROR_PAGE_FAULT = 9,
    D3D12_DEVICE_ERROR_UNKNOWN = 0x88000000
} D3D12_DEVICE_ERROR_CODE;

/* The application's callbacks for dump files. The Begin callback returns 1 if the runtime must
 * write a dump file, else 0. `flags` is reserved. The End callback gets the file's path; the
 * runtime deletes the file after the call unless the callback retains it. The runtime calls both
 * callbacks on the thread that noticed the error. The published header gives no calling convention,
 * so the callbacks have the compiler's default. WCHAR is wchar_t in Microsoft's D3D12. */
typedef UINT (*D3D12_DUMPFILEBEGINCALLBACK)(UINT64 flags);
typedef void (*D3D12_DUMPFILEENDCALLBACK)(const WCHAR *pDumpPath);

#endif /* ANNOT_D3D12_DECLARES */

/* Names that earlier versions of this header gave to the callback types. */
typedef D3D12_DUMPFILEBEGINCALLBACK PFN_D3D12_DUMP_FILE_BEGIN;
typedef D3D12_DUMPFILEENDCALLBACK PFN_D3D12_DUMP_FILE_END;

/* ID3D12DevicePreview has the methods for dump files. The headers of Agility SDK 1.717 to 1.720
 * have another interface of that name, without these methods. annot_ID3D12DeviceDumpFile is the
 * interface with these methods, whichever header is included. */
#if !defined(__ID3D12DevicePreview_INTERFACE_DEFINED__) || !defined(ANNOT_D3D12_DECLARES)
#define annot_ID3D12DeviceDumpFile     ID3D12DevicePreview
#define annot_ID3D12DeviceDumpFileVtbl ID3D12DevicePreviewVtbl
#define annot_IID_ID3D12DeviceDumpFile IID_ID3D12DevicePreview
#endif

#if !defined(__ID3D12DevicePreview_INTERFACE_DEFINED__) || defined(ANNOT_D3D12_DECLARES)
#ifndef __ID3D12DevicePreview_INTERFACE_DEFINED__
#define __ID3D12DevicePreview_INTERFACE_DEFINED__
#endif
#define ANNOT_D3D12_IID_DEVICE_DUMP_FILE                                                           \
    0x8f0856ad, 0xe37c, 0x4d75, 0xbe, 0x18, 0xfb, 0xb3, 0xd8, 0xc0, 0x4c, 0xed

typedef interface annot_ID3D12DeviceDumpFile annot_ID3D12DeviceDumpFile;
ANNOT_D3D12_IID(annot_IID_ID3D12DeviceDumpFile, ANNOT_D3D12_IID_DEVICE_DUMP_FILE);

/* Declares ID3D12DevicePreview. The interface's first method belongs to another feature. The
 * published header has this method; the specification of dump files does not. */
#if defined(__cplusplus) && !defined(CINTERFACE)
interface annot_ID3D12DeviceDumpFile : public IUnknown
{
    virtual void STDMETHODCALLTYPE GetLinearAlgebraMatrixConversionDestinationInfo(void *desc) = 0;
    /* Sets which data the driver collects for dumps. Unknown options are no error. */
    virtual HRESULT STDMETHODCALLTYPE ConfigureDumpFile(D3D12_DUMP_FILE_DRIVER_OPTIONS options) = 0;
    virtual void STDMETHODCALLTYPE SetDumpFileCallbacks(D3D12_DUMPFILEBEGINCALLBACK begin,
                                                        D3D12_DUMPFILEENDCALLBACK end) = 0;
    /* Adds `size` bytes at `data` to the dump file. Call the method only inside the Begin callback.
     * All blobs and metadata have at most 2 MiB together. The runtime copies the bytes. */
    virtual HRESULT STDMETHODCALLTYPE AddBlobToDumpFile(void *data, UINT size, UINT64 metadata) = 0;
    virtual void STDMETHODCALLTYPE RetainDumpFile(BOOL retain) = 0;
    virtual D3D12_DEVICE_ERROR_CODE STDMETHODCALLTYPE GetDeviceErrorCode(void) = 0;
};
ANNOT_D3D12_UUID(annot_ID3D12DeviceDumpFile, ANNOT_D3D12_IID_DEVICE_DUMP_FILE)
#else
typedef struct annot_ID3D12DeviceDumpFileVtbl {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)
    (annot_ID3D12DeviceDumpFile *This, REFIID riid, void **out);
    ULONG(STDMETHODCALLTYPE *AddRef)(annot_ID3D12DeviceDumpFile *This);
    ULONG(STDMETHODCALLTYPE *Release)(annot_ID3D12DeviceDumpFile *This);
    void(STDMETHODCALLTYPE *GetLinearAlgebraMatrixConversionDestinationInfo)(
        annot_ID3D12DeviceDumpFile *This, void *desc);
    HRESULT(STDMETHODCALLTYPE *ConfigureDumpFile)
    (annot_ID3D12DeviceDumpFile *This, D3D12_DUMP_FILE_DRIVER_OPTIONS options);
    void(STDMETHODCALLTYPE *SetDumpFileCallbacks)(annot_ID3D12DeviceDumpFile *This,
                                                  D3D12_DUMPFILEBEGINCALLBACK begin,
                                                  D3D12_DUMPFILEENDCALLBACK end);
    HRESULT(STDMETHODCALLTYPE *AddBlobToDumpFile)
    (annot_ID3D12DeviceDumpFile *This, void *data, UINT size, UINT64 metadata);
    void(STDMETHODCALLTYPE *RetainDumpFile)(annot_ID3D12DeviceDumpFile *This, BOOL retain);
    D3D12_DEVICE_ERROR_CODE(STDMETHODCALLTYPE *GetDeviceErrorCode)
    (annot_ID3D12DeviceDumpFile *This);
} annot_ID3D12DeviceDumpFileVtbl;

interface annot_ID3D12DeviceDumpFile
{
    CONST_VTBL struct annot_ID3D12DeviceDumpFileVtbl *lpVtbl;
};

#if defined(COBJMACROS) && !defined(ID3D12DevicePreview_ConfigureDumpFile)
#ifndef ID3D12DevicePreview_QueryInterface /* the older interface of this name has these macros */
#define ID3D12DevicePreview_QueryInterface(This, riid, out)                                        \
    ((This)->lpVtbl->QueryInterface(This, riid, out))
#define ID3D12DevicePreview_AddRef(This)  ((This)->lpVtbl->AddRef(This))
#define ID3D12DevicePreview_Release(This) ((This)->lpVtbl->Release(This))
#define ID3D12DevicePreview_GetLinearAlgebraMatrixConversionDestinationInfo(This, desc)            \
    ((This)->lpVtbl->GetLinearAlgebraMatrixConversionDestinationInfo(This, desc))
#endif
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
#endif /* of dump files' interface */

#endif
