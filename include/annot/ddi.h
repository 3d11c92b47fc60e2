/*
 * For driver authors: the functions by which a user-mode driver receives markers and object names,
 * and its report after a crash.
 *
 * The specification names the annotation table D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121
 * [ANN-DDI-01, D3D12 PIX Markers v0.06]. This header needs no Windows or D3D12 header. To use the
 * WDK's definitions, include the WDK first and define ANNOT_DDI_HAVE_WDK.
 *
 * The specification leaves the form of the crash report to the driver, so this form is the
 * project's own. For each execution it has the EventIDs that the GPU started and completed.
 */
#ifndef ANNOT_DDI_H
#define ANNOT_DDI_H

#include "export.h"

#include <stddef.h>
#include <stdint.h>

ANNOT_BEGIN_DECLS

/* The character of LPCWSTR. DirectX-Headers on Linux and Windows: wchar_t. A build for 16-bit WCHAR
 * on Linux defines ANNOT_DDI_WCHAR as char16_t or uint16_t before it includes this header. */
#ifndef ANNOT_DDI_WCHAR
#define ANNOT_DDI_WCHAR wchar_t
#endif

#if defined(_WIN32) && !defined(_WIN64)
#define ANNOT_DDI_CALL __stdcall
#else
#define ANNOT_DDI_CALL
#endif

#ifndef ANNOT_DDI_HAVE_WDK

typedef struct D3D12DDI_HCOMMANDQUEUE {
    void *pDrvPrivate;
} D3D12DDI_HCOMMANDQUEUE;

typedef struct D3D12DDI_HCOMMANDLIST {
    void *pDrvPrivate;
} D3D12DDI_HCOMMANDLIST;

/* Object kinds. The values are those of D3D12_DRED_ALLOCATION_TYPE, which publishes them;
 * ROOT_SIGNATURE has no published value and takes the free 26. */
typedef enum D3D12DDI_HANDLETYPE {
    D3D12DDI_HT_COMMAND_QUEUE = 19,
    D3D12DDI_HT_COMMAND_ALLOCATOR = 20,
    D3D12DDI_HT_PIPELINE_STATE = 21,
    D3D12DDI_HT_COMMAND_LIST = 22,
    D3D12DDI_HT_FENCE = 23,
    D3D12DDI_HT_DESCRIPTOR_HEAP = 24,
    D3D12DDI_HT_HEAP = 25,
    D3D12DDI_HT_ROOT_SIGNATURE = 26,
    D3D12DDI_HT_QUERY_HEAP = 27,
    D3D12DDI_HT_COMMAND_SIGNATURE = 28,
    D3D12DDI_HT_PIPELINE_LIBRARY = 29,
    D3D12DDI_HT_VIDEO_DECODER = 30,
    D3D12DDI_HT_VIDEO_PROCESSOR = 32,
    D3D12DDI_HT_RESOURCE = 34,
    D3D12DDI_HT_PASS = 35,
    D3D12DDI_HT_CRYPTOSESSION = 36,
    D3D12DDI_HT_CRYPTOSESSIONPOLICY = 37,
    D3D12DDI_HT_PROTECTEDRESOURCESESSION = 38,
    D3D12DDI_HT_VIDEO_DECODER_HEAP = 39,
    D3D12DDI_HT_COMMAND_POOL = 40,
    D3D12DDI_HT_COMMAND_RECORDER = 41,
    D3D12DDI_HT_STATE_OBJECT = 42,
    D3D12DDI_HT_METACOMMAND = 43,
    D3D12DDI_HT_SCHEDULINGGROUP = 44,
    D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR = 45,
    D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP = 46,
    D3D12DDI_HT_VIDEO_EXTENSION_COMMAND = 47,
    D3D12DDI_HT_VIDEO_ENCODER = 48,
    D3D12DDI_HT_VIDEO_ENCODER_HEAP = 49,
    /* Device children without a published value; these values are this project's. */
    ANNOT_HT_SHADER_CACHE_SESSION = 0x10001,
    ANNOT_HT_LIFETIME_TRACKER = 0x10002
} D3D12DDI_HANDLETYPE;

typedef struct D3D12DDI_HANDLE_AND_TYPE {
    void *Handle; /* the driver's handle, pDrvPrivate of the object */
    D3D12DDI_HANDLETYPE Type;
} D3D12DDI_HANDLE_AND_TYPE;

/*
 * Markers. pData is the runtime's own copy. It stays valid at that address until the list's command
 * allocator is reset or destroyed, or until the queue is released. So a driver may keep the pointer
 * [ANN-MARK-09]. There are three exceptions. If the runtime could not retain a payload (budget, out
 * of memory), its EventID has all of bits 12-31 set, and its pData is valid for the call only.
 * Payloads of completed queue markers are evicted past the budget, the oldest first [ANN-LIFE-06].
 * A marker recorded by reference passes the application's own pointer, which is valid for the call
 * only [ANN-LIFE-08].
 *
 * EventID is never 0 for Begin and Set. End passes the EventID of the Begin that it closes, or 0 if
 * there is none [ANN-MARK-05, -06]. It is also 0 if the runtime could not remember the scope's
 * EventID: more than 8 dropped scopes were nested, and there was no memory for more.
 *
 * List functions are called on the thread that records; queue functions one at a time per queue,
 * from any thread.
 */
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_QUEUE_BEGIN_EVENT_ON_DRIVER)(
    D3D12DDI_HCOMMANDQUEUE hQueue, uint32_t Metadata, const void *pData, uint32_t Size,
    uint64_t EventID);
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_QUEUE_END_EVENT_ON_DRIVER)(
    D3D12DDI_HCOMMANDQUEUE hQueue, uint64_t EventID);
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_QUEUE_SET_MARKER_ON_DRIVER)(
    D3D12DDI_HCOMMANDQUEUE hQueue, uint32_t Metadata, const void *pData, uint32_t Size,
    uint64_t EventID);
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT_ON_DRIVER)(
    D3D12DDI_HCOMMANDLIST hList, uint32_t Metadata, const void *pData, uint32_t Size,
    uint64_t EventID);
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_LIST_END_EVENT_ON_DRIVER)(
    D3D12DDI_HCOMMANDLIST hList, uint64_t EventID);
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_COMMAND_LIST_SET_MARKER_ON_DRIVER)(
    D3D12DDI_HCOMMANDLIST hList, uint32_t Metadata, const void *pData, uint32_t Size,
    uint64_t EventID);

/* Names. Name is the caller's own string, or NULL if the name was cleared; the driver copies what
 * it wants to keep. */
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_SET_NAME)(D3D12DDI_HANDLE_AND_TYPE Object,
                                                   const ANNOT_DDI_WCHAR *Name);

/* The specification declares the types with the suffix _ON_DRIVER, but uses them without it. This
 * header has both names. */
typedef PFND3D12DDI_COMMAND_QUEUE_BEGIN_EVENT_ON_DRIVER PFND3D12DDI_COMMAND_QUEUE_BEGIN_EVENT;
typedef PFND3D12DDI_COMMAND_QUEUE_END_EVENT_ON_DRIVER PFND3D12DDI_COMMAND_QUEUE_END_EVENT;
typedef PFND3D12DDI_COMMAND_QUEUE_SET_MARKER_ON_DRIVER PFND3D12DDI_COMMAND_QUEUE_SET_MARKER;
typedef PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT_ON_DRIVER PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT;
typedef PFND3D12DDI_COMMAND_LIST_END_EVENT_ON_DRIVER PFND3D12DDI_COMMAND_LIST_END_EVENT;
typedef PFND3D12DDI_COMMAND_LIST_SET_MARKER_ON_DRIVER PFND3D12DDI_COMMAND_LIST_SET_MARKER;

typedef struct D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 {
    PFND3D12DDI_COMMAND_QUEUE_BEGIN_EVENT pfnCmdQueueBeginEvent;
    PFND3D12DDI_COMMAND_QUEUE_END_EVENT pfnCmdQueueEndEvent;
    PFND3D12DDI_COMMAND_QUEUE_SET_MARKER pfnCmdQueueSetMarker;
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT pfnCmdListBeginEvent;
    PFND3D12DDI_COMMAND_LIST_END_EVENT pfnCmdListEndEvent;
    PFND3D12DDI_COMMAND_LIST_SET_MARKER pfnCmdListSetMarker;
    PFND3D12DDI_SET_NAME pfnSetName;
} D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121;

/* The feature and the user-mode DDI's version that brought it. The specification names both without
 * values, so these values are this project's; the WDK's values are used if it defines them. */
#define D3D12DDI_FEATURE_0121_USER_DEFINED_ANNOTATIONS           121
#define D3D12DDI_SUPPORTED_0121                                  ((uint64_t)12 << 48 | (uint64_t)121 << 16)
#define D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0 1u
#define D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST                                   \
    D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0

/*
 * Dump files [DirectX dump files v0.02; ANN-FILE]: the driver's part of the dump of a removed
 * device. Functions return an HRESULT.
 */
typedef struct D3D12DDI_HDEVICE {
    void *pDrvPrivate;
} D3D12DDI_HDEVICE;

/* D3D12_DUMP_FILE_DRIVER_OPTIONS; unknown bits are ignored. The specification names only the type;
 * the names of the constants are this project's. */
typedef enum D3D12DDI_DUMP_FILE_OPTIONS_0121 {
    D3D12DDI_DUMP_FILE_OPTION_NO_OVERHEAD = 0x1,
    D3D12DDI_DUMP_FILE_OPTION_MEDIUM_OVERHEAD = 0x2,
    D3D12DDI_DUMP_FILE_OPTION_HIGH_OVERHEAD = 0x4,
    D3D12DDI_DUMP_FILE_OPTION_NO_DATA = 0x8,
    D3D12DDI_DUMP_FILE_OPTION_SHADER_REGISTERS = 0x10,
    D3D12DDI_DUMP_FILE_OPTION_RESOURCES = 0x20,
    D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS = 0x40
} D3D12DDI_DUMP_FILE_OPTIONS_0121;

typedef enum D3D12DDI_DEBUG_BLOB_TYPE {
    D3D12DDI_DEBUG_BLOB_MINI = 1, /* at most D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121 */
    D3D12DDI_DEBUG_BLOB_FULL = 2
} D3D12DDI_DEBUG_BLOB_TYPE;
#define D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121 (256u << 20)

typedef struct D3D12DDI_DEBUG_BLOB_DETAILS {
    D3D12DDI_DEBUG_BLOB_TYPE DebugBlobType;
    size_t DebugBlobSize; /* bytes. In: the maximum (0: none). Out: an upper bound (0 for an unknown
                             type) */
} D3D12DDI_DEBUG_BLOB_DETAILS;

typedef struct D3D12DDI_DEBUG_BLOB_INFO {
    uint32_t NumDebugBlobDetails;
    D3D12DDI_DEBUG_BLOB_DETAILS *pDebugBlobDetails;
} D3D12DDI_DEBUG_BLOB_INFO;

typedef struct D3D12DDI_DEBUG_BLOB {
    D3D12DDI_DEBUG_BLOB_TYPE DebugBlobType;
    size_t DebugBlobSize; /* bytes. In: the size of pDebugBlob. Out: how many were written, at most
                             that size */
    void *pDebugBlob;
} D3D12DDI_DEBUG_BLOB;

typedef int32_t(ANNOT_DDI_CALL *PFND3D12DDI_SET_DUMP_FILE_OPTIONS_0121)(
    D3D12DDI_HDEVICE hDevice, D3D12DDI_DUMP_FILE_OPTIONS_0121 Options);
/* The first argument after the device is the kernel's blob. Only the driver can read it, during the
 * call. */
typedef int32_t(ANNOT_DDI_CALL *PFND3D12DDI_GET_DEBUG_BLOB_INFO_0121)(
    D3D12DDI_HDEVICE hDevice, const void *pKernelBlob, size_t KernelBlobSize,
    D3D12DDI_DEBUG_BLOB_INFO *pInfo);
typedef int32_t(ANNOT_DDI_CALL *PFND3D12DDI_GET_DEBUG_BLOB_0121)(D3D12DDI_HDEVICE hDevice,
                                                                 const void *pKernelBlob,
                                                                 size_t KernelBlobSize,
                                                                 D3D12DDI_DEBUG_BLOB *pBlob);

typedef struct D3D12DDI_DUMP_FILE_FUNCS_0121 {
    PFND3D12DDI_SET_DUMP_FILE_OPTIONS_0121 pfnSetDumpFileOptions;
    PFND3D12DDI_GET_DEBUG_BLOB_INFO_0121 pfnGetDebugBlobInfo;
    PFND3D12DDI_GET_DEBUG_BLOB_0121 pfnGetDebugBlob;
} D3D12DDI_DUMP_FILE_FUNCS_0121;

#endif /* ANNOT_DDI_HAVE_WDK */

/* ---- after a crash ---- */

typedef enum annot_progress_state {
    ANNOT_PROGRESS_UNKNOWN = 0,     /* the driver doesn't know; this means the same as no row */
    ANNOT_PROGRESS_NOT_STARTED = 1, /* the GPU never reached this execution */
    ANNOT_PROGRESS_STARTED =
        2, /* the GPU reached this execution, but not all of its work is done */
    ANNOT_PROGRESS_FINISHED = 3 /* all of its work is done */
} annot_progress_state;

/* The EventIDs of a row that the driver tracked. Only for a tracked EventID does 0 mean "none
 * yet"; otherwise the state is unknown, never "not started". */
typedef enum annot_progress_inside {
    ANNOT_INSIDE_NOT_TRACKED = 0, /* markers in this execution are not tracked */
    ANNOT_INSIDE_STARTED = 1,     /* the driver tracks `started` */
    ANNOT_INSIDE_COMPLETED = 2,   /* `completed` was followed */
    ANNOT_INSIDE_TRACKED = 3,     /* both */
    ANNOT_INSIDE_LOST =
        4 /* it is tracked, but no marker is known: the words are lost or overwritten */
} annot_progress_inside;

/* The value of `list` in a row without a command list. If `submission` is 0, the row is about the
 * queue's own markers; otherwise it is about the submission itself. A submission's row with only
 * the state STARTED says that the GPU began the submission. */
#define ANNOT_PROGRESS_QUEUE 0xFFFFFFFFu

/*
 * How far one execution got. If the driver has evidence, there is a row for each command list of a
 * submission, each execution of a bundle, and each queue's own markers. Rows name objects by
 * annot_object_id, never by a driver's handle. If all fields after the first five are zero, the row
 * says only what `state` says.
 */
typedef struct annot_progress {
    uint64_t queue;  /* annot_object_id of the queue */
    uint64_t object; /* annot_object_id of the command list, or of the bundle with number `bundle`;
                        0: not known. Readers ignore a row if its object was not executed there */
    uint64_t submission; /* the submission's serial; 0 in a queue's row */
    uint32_t list;       /* index of the command list in its submission, or ANNOT_PROGRESS_QUEUE */
    uint32_t bundle;     /* 0: the list itself; n: the n-th ExecuteBundle of that list */
    uint32_t state;      /* annot_progress_state */
    uint32_t inside;     /* annot_progress_inside */
    uint64_t started;    /* EventID of the last Begin or Set that the GPU reached; 0: none */
    uint64_t completed;  /* EventID of the last Set or scope with all its work done; 0: none */
} annot_progress;

/* The value of `order_window` if the driver promises no order. */
#define ANNOT_ORDER_UNKNOWN 0xFFFFFFFFu

/* The order that the driver promises between the executions of one queue. Without a promise nothing
 * is inferred from one execution to another; docs/DESIGN.md has the rules. */
typedef enum annot_promise {
    /* The GPU reaches the executions and markers of a queue in order. Work of several executions
     * may be in flight at once. */
    ANNOT_PROMISE_STARTS_IN_ORDER = 1,
    /* The executions of a queue become done in order. */
    ANNOT_PROMISE_RETIRES_IN_ORDER = 2,
    /* Every Begin, Set and End in a list waits until all earlier work is done, and all later work
     * waits until the marker's progress is written. */
    ANNOT_PROMISE_DRAINS = 4
} annot_promise;

/* The driver's findings. The driver owns the memory of all pointers; it stays valid until the
 * driver's next call. */
typedef struct annot_crash_report {
    uint32_t size; /* sizeof(annot_crash_report), set by the runtime; fill no field beyond it */
    uint32_t order_window;  /* 0: markers take effect in recorded order; n: a marker may take effect
                               up to n markers earlier or later */
    uint64_t fault_address; /* GPU virtual address of the page fault; 0: none */
    const annot_progress *progress;
    size_t progress_count; /* rows past ANNOT_CRASH_REPORT_MAX_ROWS are ignored */
    const void *blob;      /* the driver's own data, stored in the dump unchanged */
    size_t blob_size;      /* bytes; the dump stores at most ANNOT_CRASH_REPORT_MAX_BLOB */
    uint32_t promises;     /* annot_promise bits */
    uint32_t reserved;     /* 0 */
} annot_crash_report;

#define ANNOT_CRASH_REPORT_MAX_ROWS (1u << 20)
#define ANNOT_CRASH_REPORT_MAX_BLOB (256u << 20)

/* A driver as libannot sees it. It is static data, because it must outlive every device made with
 * it. */
typedef struct annot_driver {
    const char *name; /* UTF-8, shown in messages and dumps */
    /* The version under which the driver reports D3D12DDI_FEATURE_0121_USER_DEFINED_ANNOTATIONS,
     * D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0; 0 when it doesn't have the feature.
     */
    uint32_t annotation_version;
    /* Fill in all entries or none. NULL, or a table of NULLs, means that the driver takes no
     * annotations. */
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation;
    /* sizeof(ANNOT_DDI_WCHAR) in the driver's build; 0: as in the library's build. The library
     * converts UTF-8 names to this unit. */
    uint32_t name_unit;
} annot_driver;

ANNOT_END_DECLS

#endif
