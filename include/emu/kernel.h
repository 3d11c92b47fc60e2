/*
 * For authors of kernel-mode drivers for the emulator. This header has the functions that the
 * emulated graphics kernel calls. It also has the published structures that drivers and the kernel
 * pass to each other: marker logs, history buffers, and debug information of timeouts.
 *
 * Microsoft's documentation publishes the names and layouts that `#ifndef ANNOT_KMD_HAVE_WDK`
 * encloses; comments mark unpublished values. To use the WDK's definitions, include the WDK first
 * and define ANNOT_KMD_HAVE_WDK. docs/POSTMORTEM.md says which definitions are certain.
 *
 * A kernel-mode driver of your own is a shared object that exports emu_kernel_driver_open
 * (examples/kernel_driver.c). EMU_KERNEL_DRIVER_PATH has the object's path. A program can also set
 * its driver as emu_config.kernel_driver.
 */
#ifndef EMU_KERNEL_H
#define EMU_KERNEL_H

#include <annot/export.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ANNOT_BEGIN_DECLS

#ifndef ANNOT_KMD_HAVE_WDK

typedef uint64_t D3DGPU_VIRTUAL_ADDRESS;
typedef uint32_t D3DKMT_HANDLE;

/* ---- SetMarkerMode [WDDM 1.3] ---- */

typedef enum D3DWDDM1_3DDI_MARKER_TYPE {
    D3DWDDM1_3DDI_MARKER_TYPE_NONE = 0,   /* the driver logs no markers: the mode of a new device */
    D3DWDDM1_3DDI_MARKER_TYPE_PROFILE = 1 /* each time stamp is the time at which GPU work ended */
} D3DWDDM1_3DDI_MARKER_TYPE;

/* ---- pfnSubmitCommandCb [WDDM 2.0] ---- */

#define D3DDDI_MAX_BROADCAST_CONTEXT 64
#define D3DDDI_MAX_WRITTEN_PRIMARIES 16

typedef enum D3DDDI_MARKERLOGTYPE {
    D3DDDIMLT_NONE = 0,       /* the marker mode is NONE, so no markers are logged */
    D3DDDIMLT_PROFILE = 1,    /* single-threaded DDIs */
    D3DDDIMLT_FT_PROFILE = 2, /* the type for free-threaded DDIs, for example D3D12 */
    D3DDDIMLT_BATCHED = 3     /* the log has several command lists, and a value for each */
} D3DDDI_MARKERLOGTYPE;

typedef struct D3DDDICB_SUBMITCOMMANDFLAGS {
    uint32_t NullRendering : 1; /* the GPU must not execute the submission's commands */
    uint32_t Reserved : 31;     /* 0 */
} D3DDDICB_SUBMITCOMMANDFLAGS;

/* The API sequence numbers of calls in one command list. */
typedef struct D3DDDI_BATCHEDMARKERDATA {
    void *hRTCommandListHandle; /* the runtime's */
    uint32_t FirstAPISequenceNumberHigh;
    uint32_t CompletedAPISequenceNumberLowSize;
    const uint32_t *pCompletedAPISequenceNumberLow;
} D3DDDI_BATCHEDMARKERDATA;

/* The published unions have anonymous members, which C++ has only as an extension. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types"
#endif
typedef struct D3DDDICB_SUBMITCOMMAND {
    D3DGPU_VIRTUAL_ADDRESS Commands;
    uint32_t CommandLength; /* bytes */
    D3DDDICB_SUBMITCOMMANDFLAGS Flags;
    uint32_t BroadcastContextCount;
    void *BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
    void *pPrivateDriverData;
    uint32_t PrivateDriverDataSize;
    uint32_t NumPrimaries;
    D3DKMT_HANDLE WrittenPrimaries[D3DDDI_MAX_WRITTEN_PRIMARIES];
    D3DDDI_MARKERLOGTYPE MarkerLogType;
    /* number of the submission, from 1; for free-threaded DDIs, from 0x80000001 */
    uint32_t RenderCBSequence;
    union {
        ANNOT_EXTENSION struct {
            uint32_t FirstAPISequenceNumberHigh;
            uint32_t CompletedAPISequenceNumberLow0Size;
            uint32_t CompletedAPISequenceNumberLow1Size;
            uint32_t BegunAPISequenceNumberLow0Size;
            uint32_t BegunAPISequenceNumberLow1Size;
        };
        uint32_t BatchedMarkerDataCount;
    };
    union {
        ANNOT_EXTENSION struct {
            const uint32_t *pCompletedAPISequenceNumberLow0;
            const uint32_t *pCompletedAPISequenceNumberLow1;
            const uint32_t *pBegunAPISequenceNumberLow0;
            const uint32_t *pBegunAPISequenceNumberLow1;
        };
        const D3DDDI_BATCHEDMARKERDATA *pBatchedMarkerData;
    };
    uint32_t Reserved; /* 0 */
    uint32_t NumHistoryBuffers;
    D3DKMT_HANDLE *HistoryBufferArray;
    void *hSyncToken;
    void *pReserved;
} D3DDDICB_SUBMITCOMMAND;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/* ---- history buffers [WDDM 1.3] ---- */

typedef struct DXGK_HISTORY_BUFFER_HEADER {
    uint32_t RenderCbSequence; /* RenderCb sequence number of the submission */
    uint32_t NumTimestamps;    /* number of time stamps in a finished submission */
    uint32_t PrivateDataSize;  /* bytes of private data, a multiple of 8; time stamps follow */
    uint32_t Reserved;         /* 0 */
} DXGK_HISTORY_BUFFER_HEADER;

typedef struct DXGK_HISTORY_BUFFER {
    DXGK_HISTORY_BUFFER_HEADER Header;
    uint8_t DriverPrivateData[1];
} DXGK_HISTORY_BUFFER;

/* The precision of time stamps. 0: only DxgkDdiFormatHistoryBuffer makes time stamps usable. 32:
 * time stamps have 32 bits. 33 to 64: this many bits of a time stamp are valid, and the upper bits
 * are random. */
typedef struct DXGKARG_HISTORYBUFFERPRECISION {
    uint32_t PrecisionBits;
} DXGKARG_HISTORYBUFFERPRECISION;

typedef struct DXGKARG_FORMATHISTORYBUFFER {
    DXGK_HISTORY_BUFFER *pHistoryBuffer;
    uint32_t HistoryBufferSize; /* bytes */
    void *pFormattedBuffer;     /* time stamps only */
    uint32_t FormattedBufferSize;
    uint32_t NumTimestamps;                   /* out: number of time stamps that the driver wrote */
    DXGKARG_HISTORYBUFFERPRECISION Precision; /* out: not 0 */
    /* in: where this call starts in the blob; out: where the next call starts, or 0 */
    uint32_t Offset;
} DXGKARG_FORMATHISTORYBUFFER;

typedef struct DXGKARG_CALIBRATEGPUCLOCK {
    uint64_t GpuFrequency; /* Hz */
    uint64_t GpuClockCounter;
    uint64_t CpuClockCounter;
    uint32_t GpuClockFlags;
} DXGKARG_CALIBRATEGPUCLOCK;

typedef enum DXGK_QUERYADAPTERINFOTYPE {
    DXGKQAITYPE_HISTORYBUFFERPRECISION = 10 /* a DXGKARG_HISTORYBUFFERPRECISION per node */
} DXGK_QUERYADAPTERINFOTYPE;

typedef struct DXGKARG_QUERYADAPTERINFO {
    DXGK_QUERYADAPTERINFOTYPE Type;
    void *pInputData;
    uint32_t InputDataSize;
    void *pOutputData;
    uint32_t OutputDataSize; /* bytes */
} DXGKARG_QUERYADAPTERINFO;

/* ---- timeout detection and recovery [WDDM 3.2] ---- */

/* The values of DXGKARG_COLLECTDBGINFO.Reason, each the number of the bug check that follows. */
#define EMU_VIDEO_TDR_TIMEOUT_DETECTED    0x117u /* the adapter */
#define EMU_VIDEO_ENGINE_TIMEOUT_DETECTED 0x141u /* an engine */

typedef struct DXGKARG_COLLECTDBGINFO_EXT {
    uint32_t BucketingKey;
    uint32_t CurrentDmaBufferOffset;
    uint32_t Reserved2, Reserved3, Reserved4, Reserved5, Reserved6, Reserved7;
} DXGKARG_COLLECTDBGINFO_EXT;

typedef struct DXGKARG_COLLECTDBGINFO {
    uint32_t Reason;
    void *pBuffer;
    size_t BufferSize; /* size of the buffer; the driver can't say how many bytes it wrote */
    DXGKARG_COLLECTDBGINFO_EXT *pExtension;
} DXGKARG_COLLECTDBGINFO;

typedef enum DXGK_TDR_TYPE {
    DXGK_TDR_TYPE_UNKNOWN = 0, /* never passed */
    DXGK_TDR_TYPE_FORCED = 1,
    DXGK_TDR_TYPE_PREEMPT_TIMEOUT = 2, /* a timeout, if the driver can't reset an engine */
    DXGK_TDR_TYPE_VSYNC_TIMEOUT = 3,
    DXGK_TDR_TYPE_DOD_PRESENT_FORCED = 4,
    DXGK_TDR_TYPE_DOD_PRESENT_TIMEOUT = 5,
    DXGK_TDR_TYPE_ENGINE_TIMEOUT = 6,
    DXGK_TDR_TYPE_DOD_VSYNC_FORCED = 7,
    DXGK_TDR_TYPE_DOD_VSYNC_TIMEOUT = 8,
    DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED = 9,
    DXGK_TDR_TYPE_PAGE_FAULT = 10, /* a page fault that needs a reset of the adapter */
    DXGK_TDR_TYPE_INVALID_FENCE = 11,
    DXGK_TDR_TYPE_ENGINE_PAGE_FAULT = 12, /* a page fault that needs a reset of the engine */
    DXGK_TDR_TYPE_DISPLAY_ENGINE_FAULT = 13
} DXGK_TDR_TYPE;

/* Later versions add members at the end: check TdrPayloadSize before you touch a member. */
typedef struct DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT {
    uint32_t NodeOrdinal, EngineOrdinal;
    uint64_t LastHwCompletedFenceId, LastHwSubmittedFenceId;
    uint32_t NumberOfPendingSuspendRequests, NumberOfReadyInteractiveHwQueues;
    /* The driver stores the context that it calls guilty, or NULL if it can't tell. */
    void *hContext;
} DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT;

typedef struct DXGK_TDR_PAYLOAD_VSYNC_TIMEOUT {
    uint32_t VidPnSourceId;
    uint32_t LayerIndex;
    uint64_t PresentId;
} DXGK_TDR_PAYLOAD_VSYNC_TIMEOUT;

typedef struct DXGKARG_COLLECTDBGINFO2 {
    uint32_t Reason;
    void *pBuffer;
    size_t BufferSize;
    DXGKARG_COLLECTDBGINFO_EXT *pExtension;
    DXGK_TDR_TYPE TdrType;
    uint32_t TdrPayloadSize;
    void *TdrPayload; /* payload of the driver, valid during the call; or NULL */
} DXGKARG_COLLECTDBGINFO2;

typedef struct DXGKARG_RESETENGINE {
    uint32_t NodeOrdinal;
    uint32_t EngineOrdinal;
    uint32_t LastAbortedFenceId; /* out */
} DXGKARG_RESETENGINE;

#ifdef _WIN32 /* bcrypt.h and winternl.h define this type in the same way */
typedef long NTSTATUS;
#else
typedef int32_t NTSTATUS;
#endif
#ifndef STATUS_SUCCESS
#define STATUS_SUCCESS ((int32_t)0)
#endif
#ifndef STATUS_UNSUCCESSFUL
#define STATUS_UNSUCCESSFUL ((int32_t)0xC0000001)
#endif

#endif /* ANNOT_KMD_HAVE_WDK */

/* ---- the emulator's own ---- */

/* Convert a GPU virtual address to its allocation's handle in HistoryBufferArray, and back. */
#define EMU_HISTORY_HANDLE(address) ((uint32_t)((address) >> 16))
#define EMU_HISTORY_ADDRESS(handle) ((uint64_t)(handle) << 16)

#define EMU_KERNEL_DRIVER_VERSION   1u

/* The kernel's adapter, which functions of emu_kernel_host take. */
typedef struct emu_kernel_adapter emu_kernel_adapter;

/*
 * A kernel-mode driver. Members with names in lower case are the emulator's own. Members with
 * published names take the published arguments. Each function may be NULL.
 *
 * The driver chooses the handles of adapters and contexts. The kernel calls the functions of an
 * adapter one at a time, but functions of several contexts at the same time, on any thread. The
 * functions must not call D3D12. The kernel checks their results: a driver that fails or lies can
 * damage only its evidence.
 */
typedef struct emu_kernel_driver {
    uint32_t size;    /* sizeof(emu_kernel_driver) */
    uint32_t version; /* EMU_KERNEL_DRIVER_VERSION */
    const char *name; /* UTF-8 */

    /* Makes an adapter for each D3D12 device. Returns NULL if memory runs out; then no device is
     * created. Without this function the adapter is `kernel`. */
    void *(*adapter_create)(emu_kernel_adapter *kernel);
    void (*adapter_destroy)(void *adapter);
    /* Makes a context for each queue, on the node for the queue's type. Returns NULL if memory runs
     * out. Without this function contexts are NULL. */
    void *(*context_create)(void *adapter, uint32_t node);
    void (*context_destroy)(void *context);

    /* The kernel calls this once, for DXGKQAITYPE_HISTORYBUFFERPRECISION. If the function is
     * missing or fails, time stamps have 64 bits. */
    NTSTATUS (*DxgkDdiQueryAdapterInfo)(void *hAdapter, const DXGKARG_QUERYADAPTERINFO *);
    /* Reads both clocks. If this function is missing or fails, API calls have no times. */
    NTSTATUS(*DxgkDdiCalibrateGpuClock)
    (void *hAdapter, uint32_t NodeOrdinal, uint32_t EngineOrdinal, DXGKARG_CALIBRATEGPUCLOCK *);
    NTSTATUS (*DxgkDdiFormatHistoryBuffer)(void *hContext, DXGKARG_FORMATHISTORYBUFFER *);

    /* All engines have stopped when the kernel calls DxgkDdiResetEngine or
     * DxgkDdiCollectDbgInfo(2). DxgkDdiResetEngine is called after the driver gave its debug
     * information. If DxgkDdiResetEngine is missing, timeouts are DXGK_TDR_TYPE_PREEMPT_TIMEOUT. If
     * it fails, or if LastAbortedFenceId is not in (last completed, last submitted], the kernel
     * resets the adapter and asks the driver again with DXGK_TDR_TYPE_ENGINE_TIMEOUT_PROMOTED. */
    NTSTATUS (*DxgkDdiResetEngine)(void *hAdapter, DXGKARG_RESETENGINE *);
    /* Returns the driver's information about the timeout, if DxgkDdiCollectDbgInfo2 is missing. */
    NTSTATUS (*DxgkDdiCollectDbgInfo)(void *hAdapter, const DXGKARG_COLLECTDBGINFO *);
    NTSTATUS (*DxgkDdiCollectDbgInfo2)(void *hAdapter, const DXGKARG_COLLECTDBGINFO2 *);
} emu_kernel_driver;

/* What an engine of the GPU executes now. */
typedef struct emu_kernel_engine {
    uint64_t last_completed, last_submitted; /* fence IDs, which are the serials of submissions */
    uint64_t command_buffer; /* GPU virtual address of the command buffer that runs now; 0: idle */
    uint64_t instruction;    /* address of the oldest unfinished packet, or of the last packet */
    uint32_t opcode;         /* opcode of that packet */
    void *context;           /* the context that context_create made for the queue, or NULL */
    /* Address of the newest packet that has begun, perhaps `instruction` itself. */
    uint64_t newest;
} emu_kernel_engine;

/* The emulator's functions that a kernel-mode driver may call at any time. The table is static. */
typedef struct emu_kernel_host {
    uint32_t size;    /* sizeof(emu_kernel_host) */
    uint32_t version; /* EMU_KERNEL_DRIVER_VERSION */

    /* Return the GPU's clock now, its nominal frequency in Hz, and the CPU's clock in ns. */
    uint64_t (*gpu_counter)(const emu_kernel_adapter *kernel);
    uint64_t (*gpu_frequency)(const emu_kernel_adapter *kernel);
    uint64_t (*cpu_counter)(const emu_kernel_adapter *kernel);
    /* Returns how many bits an engine's time stamps have: 32 to 64. 0: 64 bits, with reversed
     * bytes. */
    uint32_t (*stamp_bits)(const emu_kernel_adapter *kernel);
    /* Lets time pass. */
    void (*stall)(const emu_kernel_adapter *kernel, uint64_t nanoseconds);
    /* emu_config.seed. */
    uint64_t (*seed)(const emu_kernel_adapter *kernel);

    /* Gets queue `n` of the device, from 0. Returns false if there is no such queue. Call this
     * function only in DxgkDdiResetEngine, DxgkDdiCollectDbgInfo and DxgkDdiCollectDbgInfo2. */
    bool (*engine)(const emu_kernel_adapter *kernel, uint32_t n, emu_kernel_engine *out);

    /* The built-in kernel-mode driver. Its functions accept only handles that this driver made. */
    const struct emu_kernel_driver *reference;
} emu_kernel_host;

#if defined(_WIN32)
#define EMU_KERNEL_EXPORT __declspec(dllexport)
#else
#define EMU_KERNEL_EXPORT __attribute__((visibility("default")))
#endif

/* The one function that a kernel-mode driver's shared object exports. It returns a table that lives
 * as long as the object. It returns NULL if the driver doesn't support this emulator, because
 * host->version is not the driver's version. */
EMU_KERNEL_EXPORT const emu_kernel_driver *emu_kernel_driver_open(const emu_kernel_host *host);

ANNOT_END_DECLS

#endif
