/*
 * For driver authors: the functions through which a user-mode driver gets markers and object names,
 * and the report that the driver makes after a crash.
 *
 * The specification names the annotation table D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121
 * [ANN-DDI-01, D3D12 PIX Markers v0.06]. This header needs no Windows or D3D12 header. To use the
 * WDK's definitions, include the WDK first and define ANNOT_DDI_HAVE_WDK.
 *
 * The specification leaves the form of the crash report to the driver, so this project chose the
 * form. The report says for each execution which EventIDs the GPU started and completed.
 */
#ifndef ANNOT_DDI_H
#define ANNOT_DDI_H

#include "export.h"

#include <stddef.h>
#include <stdint.h>

ANNOT_BEGIN_DECLS

/* The character type of LPCWSTR. The type is wchar_t on Windows, and on Linux with DirectX-Headers.
 * A build with a 16-bit WCHAR on Linux defines ANNOT_DDI_WCHAR as char16_t or uint16_t before it
 * includes this header. */
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

/* The kinds of objects. The values are published as D3D12_DRED_ALLOCATION_TYPE. ROOT_SIGNATURE has
 * no published value; this project gave it the unused value 26. */
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
    /* The next kinds of device children have no published values; this project chose the values. */
    ANNOT_HT_SHADER_CACHE_SESSION = 0x10001,
    ANNOT_HT_LIFETIME_TRACKER = 0x10002
} D3D12DDI_HANDLETYPE;

typedef struct D3D12DDI_HANDLE_AND_TYPE {
    void *Handle; /* the driver's handle: the object's pDrvPrivate */
    D3D12DDI_HANDLETYPE Type;
} D3D12DDI_HANDLE_AND_TYPE;

/*
 * Functions for markers. pData is the runtime's own copy of the payload. The copy stays valid at
 * that address until the list's command allocator is reset or destroyed, or until the queue is
 * released. So a driver may keep the pointer [ANN-MARK-09]. There are three exceptions. If the
 * runtime could not retain a payload (budget, out of memory), all of the bits 12 to 31 of the
 * EventID are set, and pData is valid during the call only. If the budget is used up, the runtime
 * evicts payloads of completed queue markers, the oldest first [ANN-LIFE-06]. For a marker that was
 * recorded by reference, pData is the application's own pointer, which is valid during the call
 * only [ANN-LIFE-08].
 *
 * EventID is never 0 for Begin and Set. End passes the EventID of the Begin that it closes, or 0 if
 * there is no such Begin [ANN-MARK-05, -06]. End also passes 0 if the runtime could not remember
 * the scope's EventID, because more than 8 dropped scopes were nested and memory ran out.
 *
 * The runtime calls list functions on the thread that records the list. It calls queue functions
 * from any thread, but only one at a time for each queue.
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

/* The function that tells the driver an object's name. Name is the caller's own string, or NULL if
 * the name was cleared. A driver that wants to keep the name must copy it. */
typedef void(ANNOT_DDI_CALL *PFND3D12DDI_SET_NAME)(D3D12DDI_HANDLE_AND_TYPE Object,
                                                   const ANNOT_DDI_WCHAR *Name);

/* The specification declares these types with the suffix _ON_DRIVER, and also short names. */
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

/* The number of the feature, and the version of the user-mode DDI that brought the feature. The
 * specification gives no values for these names. If the WDK defines values, they are used;
 * otherwise this project's values are used. */
#define D3D12DDI_FEATURE_0121_USER_DEFINED_ANNOTATIONS           121
#define D3D12DDI_SUPPORTED_0121                                  ((uint64_t)12 << 48 | (uint64_t)121 << 16)
#define D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0 1u
#define D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_LATEST                                   \
    D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0

/*
 * Dump files [DirectX dump files v0.02; ANN-FILE]: the functions through which the driver adds its
 * data to the dump of a removed device. They return an HRESULT.
 */
typedef struct D3D12DDI_HDEVICE {
    void *pDrvPrivate;
} D3D12DDI_HDEVICE;

/* The driver's options for dump files, with the values of D3D12_DUMP_FILE_DRIVER_OPTIONS. Drivers
 * ignore unknown bits. The specification names only the type; this project named the constants. */
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
    D3D12DDI_DEBUG_BLOB_MINI = 1, /* up to D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121 */
    D3D12DDI_DEBUG_BLOB_FULL = 2
} D3D12DDI_DEBUG_BLOB_TYPE;
#define D3D12DDI_MINI_DEBUG_BLOB_MAX_SIZE_0121 (256u << 20)

typedef struct D3D12DDI_DEBUG_BLOB_DETAILS {
    D3D12DDI_DEBUG_BLOB_TYPE DebugBlobType;
    /* The blob's size in bytes. The runtime stores the maximum, or 0 for no maximum. The driver
     * stores an upper bound, or 0 for an unknown type of blob. */
    size_t DebugBlobSize;
} D3D12DDI_DEBUG_BLOB_DETAILS;

typedef struct D3D12DDI_DEBUG_BLOB_INFO {
    uint32_t NumDebugBlobDetails;
    D3D12DDI_DEBUG_BLOB_DETAILS *pDebugBlobDetails;
} D3D12DDI_DEBUG_BLOB_INFO;

typedef struct D3D12DDI_DEBUG_BLOB {
    D3D12DDI_DEBUG_BLOB_TYPE DebugBlobType;
    /* The runtime stores the size of pDebugBlob in bytes. The driver stores the number of bytes
     * that it wrote. */
    size_t DebugBlobSize;
    void *pDebugBlob;
} D3D12DDI_DEBUG_BLOB;

typedef int32_t(ANNOT_DDI_CALL *PFND3D12DDI_SET_DUMP_FILE_OPTIONS_0121)(
    D3D12DDI_HDEVICE hDevice, D3D12DDI_DUMP_FILE_OPTIONS_0121 Options);
/* The kernel's blob is the first argument after the device. Only the driver understands the blob,
 * which is valid during the call. */
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

/* ---- the report that the driver makes after a crash ---- */

typedef enum annot_progress_state {
    ANNOT_PROGRESS_UNKNOWN = 0,     /* the driver doesn't know; a missing row means the same */
    ANNOT_PROGRESS_NOT_STARTED = 1, /* the GPU never reached this execution */
    ANNOT_PROGRESS_STARTED = 2,     /* the GPU reached this execution, but has not finished it */
    ANNOT_PROGRESS_FINISHED = 3     /* all work of this execution is done */
} annot_progress_state;

/* Says which EventIDs of a row the driver tracks. An EventID of 0 means "none yet" if the driver
 * tracks the EventID. Otherwise the marker's state is unknown, never "not started". */
typedef enum annot_progress_inside {
    ANNOT_INSIDE_NOT_TRACKED = 0, /* the driver does not track markers in the execution */
    ANNOT_INSIDE_STARTED = 1,     /* the driver tracks `started` */
    ANNOT_INSIDE_COMPLETED = 2,   /* the driver tracks `completed` */
    ANNOT_INSIDE_TRACKED = 3,     /* the driver tracks both EventIDs */
    ANNOT_INSIDE_LOST = 4 /* the words that the GPU wrote for the driver are lost or overwritten */
} annot_progress_inside;

/* The value of annot_progress.list in a row without a command list. If `submission` is 0, the row
 * is about the queue's own markers; otherwise the row is about the submission itself. If a
 * submission's row has only the state STARTED, the GPU began the submission. */
#define ANNOT_PROGRESS_QUEUE 0xFFFFFFFFu

/*
 * A row of the report: how far the GPU got with one execution. If the driver has evidence, the
 * report has a row for each command list of a submission, each execution of a bundle, and each
 * queue's own markers. Rows name objects by annot_object_id, never by a driver's handle. A row
 * whose members after `state` are all zero tells only the state.
 */
typedef struct annot_progress {
    uint64_t queue; /* the queue's annot_object_id */
    /* annot_object_id of the command list, or of the bundle with the number `bundle`; 0: not known.
     * Readers ignore a row whose object was not executed in that submission. */
    uint64_t object;
    uint64_t submission; /* the submission's serial, or 0 in a row about a queue */
    uint32_t list;       /* index of the command list in its submission, or ANNOT_PROGRESS_QUEUE */
    uint32_t bundle;     /* 0: this row is about the list; n: about the list's n-th ExecuteBundle */
    uint32_t state;      /* annot_progress_state */
    uint32_t inside;     /* annot_progress_inside */
    uint64_t started; /* EventID of the last Begin or Set that the GPU reached; 0: no marker yet */
    uint64_t
        completed; /* EventID of the last SetMarker or scope whose work is all done; 0: none yet */
} annot_progress;

/* The value of annot_crash_report.order_window if the driver promises no order. */
#define ANNOT_ORDER_UNKNOWN 0xFFFFFFFFu

/* What the driver promises about the order of the executions on one queue. Without a promise,
 * readers infer nothing about one execution from another; docs/DESIGN.md has the rules. */
typedef enum annot_promise {
    /* The GPU reaches a queue's executions and markers in order, but may run some at once. */
    ANNOT_PROMISE_STARTS_IN_ORDER = 1,
    /* The executions of a queue are completed in order. */
    ANNOT_PROMISE_RETIRES_IN_ORDER = 2,
    /* Every Begin, Set and End in a list waits until all earlier work is done, and all later work
     * waits until the marker's progress is written. */
    ANNOT_PROMISE_DRAINS = 4
} annot_promise;

/* The driver's report after a crash. The driver owns the memory behind the pointers; the memory
 * stays valid until the next call of the driver. */
typedef struct annot_crash_report {
    uint32_t size; /* size in bytes, which the runtime sets; the driver writes no more */
    /* 0: markers take effect in recorded order. n: a marker may be up to n markers early or late */
    uint32_t order_window;
    uint64_t fault_address; /* the page fault's GPU virtual address; 0: no page fault */
    const annot_progress *progress;
    size_t progress_count; /* number of rows, up to ANNOT_CRASH_REPORT_MAX_ROWS */
    const void *blob;      /* the driver's own data, stored in the dump unchanged */
    size_t blob_size;  /* size of `blob`; a dump stores at most ANNOT_CRASH_REPORT_MAX_BLOB bytes */
    uint32_t promises; /* annot_promise bits */
    uint32_t reserved; /* 0 */
} annot_crash_report;

#define ANNOT_CRASH_REPORT_MAX_ROWS (1u << 20)
#define ANNOT_CRASH_REPORT_MAX_BLOB (256u << 20)

/* Describes a driver to libannot. This is static data, which outlives every device that uses it. */
typedef struct annot_driver {
    const char *name; /* the driver's name in UTF-8 for messages and dumps */
    /* The version that the driver reports for D3D12DDI_FEATURE_0121_USER_DEFINED_ANNOTATIONS:
     * D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0. 0: the driver lacks the feature. */
    uint32_t annotation_version;
    /* The driver's functions for annotations. Fill in all entries or none. NULL, or a table of
     * NULLs, means that the driver takes no annotations. */
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation;
    /* sizeof(ANNOT_DDI_WCHAR) in the driver's build; 0 means the library's own unit. UTF-8 names
     * are converted to this unit. */
    uint32_t name_unit;
} annot_driver;

ANNOT_END_DECLS

#endif
