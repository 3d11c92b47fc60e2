/*
 * The emulator's controls: they choose a driver, advance the clock, set the path of dumps.
 * Everything else is D3D12.
 *
 * Settings are the process's; a D3D12 device reads them when it is created.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <annot/annot.h>
#include <annot/dump.h>
#include <emu/kernel.h>

/* EMU_STATIC: the emulator is linked as an archive. EMU_BUILDING: the emulator itself is being
 * compiled. */
#if defined(EMU_STATIC)
#define EMU_API
#elif defined(_WIN32)
#if defined(EMU_BUILDING)
#define EMU_API __declspec(dllexport)
#else
#define EMU_API __declspec(dllimport)
#endif
#else
#define EMU_API __attribute__((visibility("default")))
#endif

ANNOT_BEGIN_DECLS

/* Messages of the emulator on ID3D12InfoQueue that D3D12's debug layer lacks; all others have
 * D3D12's numbers. A number keeps its meaning for ever. */
typedef enum emu_message_id {
    EMU_MESSAGE_NOT_MODELLED = 20001, /* the emulator lacks the method, and did nothing */
    EMU_MESSAGE_ENDLESS_WAIT = 20002, /* seeded order: nothing will ever signal the awaited fence */
    EMU_MESSAGE_SUBMISSION_LOST = 20003,  /* submitted work was not executed: out of memory */
    EMU_MESSAGE_DUMP_NOT_WRITTEN = 20004, /* the device was removed, but its dump not written */
    EMU_MESSAGE_INVALID_ARGUMENT =
        20005, /* an argument is refused, and D3D12 has no number for the message */
    EMU_MESSAGE_ANNOTATION_MODE =
        20006, /* the device's annotation mode and its reason; sent if there are settings */
    EMU_MESSAGE_SETTINGS_IGNORED = 20007, /* a settings file, or a line in it, is unusable */
    EMU_MESSAGE_DEBUG_BLOB = 20008 /* a driver's debug blob is smaller than it says, and was cut */
} emu_message_id;

typedef enum emu_order {
    EMU_ORDER_THREADS = 0, /* for applications: one thread per queue, real clock */
    EMU_ORDER_SEEDED = 1   /* no threads, a virtual clock; `seed` decides the order */
} emu_order;

typedef enum emu_hang_place {
    EMU_HANG_NEVER = 0,
    EMU_HANG_AT_DISPATCH = 1,   /* the count-th dispatch that the GPU reaches never ends */
    EMU_HANG_BEFORE_LIST = 2,   /* the count-th command list never begins */
    EMU_HANG_AT_DRAW = 3,       /* the count-th draw never ends */
    EMU_HANG_AT_SUBMISSION = 4, /* the count-th ExecuteCommandLists ends before its first list */
    EMU_HANG_AT_MARKER =
        5 /* after the first BeginEvent or SetMarker on a list with a name that matches `marker` */
} emu_hang_place;

typedef enum emu_hang_kind {
    EMU_HANG_SPINS = 0,  /* the work makes no progress, until the timeout */
    EMU_HANG_FAULTS = 1, /* a page fault at an address that is never mapped */
    EMU_HANG_LOSES = 2   /* the device is removed at once, as if its driver was replaced */
} emu_hang_kind;

/* Makes the device fail at a chosen place. `count` is a number from 1 over all queues. A real
 * hang needs only EMU_KERNEL_SPIN. Without a place, the environment's EMU_HANG, EMU_FAULT or
 * EMU_LOSE decides. */
typedef struct emu_hang {
    emu_hang_place place;
    uint64_t count;
    emu_hang_kind kind;
    const char *marker; /* EMU_HANG_AT_MARKER: a name as in reports; '*': any text, '?': any byte */
} emu_hang;

/* The ways in which "hostile" lies: the lowest bits of emu_config.seed. The others decide when. */
typedef enum emu_lies {
    EMU_LIES_CREATION = 1,   /* devices, queues and lists can't be created */
    EMU_LIES_RECORDING = 2,  /* lists can't be reset or closed */
    EMU_LIES_SUBMISSION = 4, /* command buffers are refused, missing, misplaced, cut */
    EMU_LIES_MARKERS = 8,    /* EventIDs are forged or repeated in the command stream */
    EMU_LIES_REPORT = 16,    /* crash reports: rows, pointers, sizes, blobs */
    EMU_LIES_KERNEL = 32,    /* marker logs, history buffers, debug blobs */
    EMU_LIES_ALL = 63
} emu_lies;

/* The GPU's clock, which may differ from the CPU's. All zero: exactly 1 GHz, 0 at the CPU's 0, time
 * stamps of 64 bits. */
typedef struct emu_gpu_clock_config {
    uint64_t hz;     /* nominal frequency in Hz, up to 16 GHz */
    int32_t ppm;     /* by how many millionths it runs faster (slower, if < 0); up to 100,000 */
    uint64_t offset; /* ticks when the CPU's clock is 0 */
    /* The width of time stamps in history buffers: 32, 33 to 64, or EMU_STAMPS_RAW, which only the
     * kernel-mode driver can read. */
    uint32_t stamp_bits;
} emu_gpu_clock_config;

#define EMU_STAMPS_RAW UINT32_MAX

/* The version of the payload of DxgkDdiCollectDbgInfo2; only the payload's size tells it. */
typedef enum emu_tdr_payload {
    EMU_TDR_PAYLOAD_PUBLISHED = 0, /* as it is published */
    EMU_TDR_PAYLOAD_NONE = 1,      /* NULL */
    EMU_TDR_PAYLOAD_SHORT = 2,     /* it ends after the fence IDs, as in an earlier version */
    EMU_TDR_PAYLOAD_LONGER = 3     /* 8 bytes more, as in a later version */
} emu_tdr_payload;

typedef struct emu_config {
    /* The default adapter's driver: the name of a built-in one ("reference", "reorder", "warp",
     * "legacy", "hostile"), or the path, with a '/', of a shared object made with emu/driver.h.
     * NULL: the path in EMU_DRIVER_PATH, the name in EMU_DRIVER, or "reference". Without such a
     * driver, or if it can't be loaded, D3D12CreateDevice returns DXGI_ERROR_NOT_FOUND. If it is
     * incomplete, or made for another version of that header, the result is DXGI_ERROR_UNSUPPORTED.
     * stderr says once why a path failed. */
    const char *driver;
    emu_order order;
    /* EMU_ORDER_SEEDED: the same seed and calls give the same run. Driver "hostile": emu_lies and
     * more. 0: EMU_SEED, else 0. */
    uint64_t seed;
    uint64_t tdr_timeout_ns;  /* time without progress after which the GPU counts as hung; 0: 2 s */
    uint64_t memory_budget;   /* annot_device_desc.memory_budget; ANNOT_BUDGET_NONE: unbounded */
    bool force_driver_retail; /* annot_device_desc.force_driver_retail */
    /* The path of a removed device's dump. NULL: EMU_DUMP; without it the system's folder for
     * dumps, if a dump is wanted (docs/POSTMORTEM.md). If the name exists already, the dump gets
     * another name, as in annot_dump_write_file. */
    const char *dump_path;
    /* Called after the dump was written or failed (path NULL), on the thread that noticed the
     * error. `path` is the file that was written, valid during the call. */
    void (*on_removed)(void *user, annot_device_error error, const char *path);
    void *user;
    /* This table gets the markers and names instead of the driver's own table; it is static data.
     * It may pass them on to emu_driver_annotation's functions. NULL: the driver's own table. */
    const annot_driver *annotation;
    emu_hang hang;
    /* Whether an allocator can be reset while the GPU executes its lists. If false, the reset fails
     * with E_FAIL, as with a debug layer that watches the GPU. If true, it succeeds, as in a
     * runtime without a debug layer, and markers expire during the execution. Lists whose allocator
     * was reset are then executed as well. */
    bool reset_in_flight;
    /* The device has the debug layer's interfaces, ID3D12InfoQueue and ID3D12DebugDevice, even if
     * ID3D12Debug::EnableDebugLayer was not called before. d3dconfig's debug-layer-mode overrides
     * both. */
    bool debug_layer;
    /* D3DWDDM1_3DDI_MARKER_TYPE of new devices. With PROFILE, dumps have the times of submissions
     * and of the GPU's work for each API call, for `annot timeline`. With NONE, ANNOT_TIMELINE=1 in
     * the environment sets PROFILE. */
    D3DWDDM1_3DDI_MARKER_TYPE marker_type;
    emu_gpu_clock_config gpu_clock;
    /* The kernel-mode driver of new devices, static data. NULL: the shared object in
     * EMU_KERNEL_DRIVER_PATH, made with emu/kernel.h, or else the built-in driver. */
    const emu_kernel_driver *kernel_driver;
    emu_tdr_payload tdr_payload;
    uint32_t tdr_buffer; /* bytes for DxgkDdiCollectDbgInfo, up to 1 MiB; 0: 64 KiB */
    /* Windows' limits: after more than 5 timeouts of an adapter within 60 s, or more than 4 of its
     * engines, no new device can be created: D3D12CreateDevice returns DXGI_ERROR_DEVICE_REMOVED.
     * False means no limits. */
    bool tdr_limits;
    /* How many operations of one queue the GPU has in flight at once, up to 8. The seed chooses the
     * order in which they end, within one ExecuteCommandLists. Barriers, ends of markers, time
     * stamps at the end and signals wait for all of them. 1: one after the other. 0: EMU_IN_FLIGHT,
     * otherwise 1. */
    uint32_t in_flight;
} emu_config;

#define EMU_CONFIG_INIT                                                                            \
    {                                                                                              \
        0, EMU_ORDER_THREADS, 0, 0, ANNOT_BUDGET_DEFAULT, false, 0, 0, 0, 0,                       \
            {EMU_HANG_NEVER, 0, EMU_HANG_SPINS, 0}, false, false, D3DWDDM1_3DDI_MARKER_TYPE_NONE,  \
            {0, 0, 0, 0}, 0, EMU_TDR_PAYLOAD_PUBLISHED, 0, false, 0                                \
    }

/* The annotation functions of a driver (a name or path as in emu_config.driver); they need its own
 * handles. NULL: no such driver. */
EMU_API const annot_driver *emu_driver_annotation(const char *driver);

/* Sets the configuration of devices that are created afterwards; strings are copied. NULL restores
 * the defaults. Any thread. As in all of D3D12, an adapter has one device at a time: while it
 * lives, D3D12CreateDevice returns it again, with the settings that it was created with. */
EMU_API annot_result emu_configure(const emu_config *config);

/* Makes another adapter with this driver (a name or path as in emu_config.driver; NULL: the
 * configured one), for D3D12CreateDevice's first argument. It is an IUnknown that answers
 * IDXCoreAdapter (emu/dxcore.h). It has its own LUID, so that two adapters of one driver have a
 * device each. The caller owns the reference, and may release it while the device lives.
 * ANNOT_ERROR_INVALID_ARGUMENT: no such driver. Any thread. */
EMU_API annot_result emu_adapter_create(const char *driver, void **adapter);

/* libdxcore's factory: its lists begin with the adapter that D3D12CreateDevice uses for NULL,
 * followed by those of emu_adapter_create. An HRESULT; `riid` points to a GUID. Any thread. */
EMU_API int32_t emu_dxcore_factory(const void *riid, void **factory);

/* EMU_ORDER_SEEDED: takes scheduling steps until every queue is idle or waits for something that no
 * queue will do. If a queue hangs, it takes steps until the timeout has removed the device. The
 * runtime does the same by itself when the application waits for a fence. */
EMU_API void emu_run_until_idle(void *d3d12_device);

/* EMU_ORDER_SEEDED: takes at most `steps` scheduling steps; returns how many were possible. */
EMU_API uint64_t emu_run_steps(void *d3d12_device, uint64_t steps);

/* EMU_ORDER_SEEDED: moves the virtual clock. */
EMU_API void emu_advance_clock(void *d3d12_device, uint64_t nanoseconds);

/* Removes the device as a timeout of the adapter does (DXGK_TDR_TYPE_FORCED), even if the GPU is
 * not hung. */
EMU_API void emu_force_tdr(void *d3d12_device);

/* The annotation device of a D3D12 device, for lookups, statistics and dumps of a live device.
 * Borrowed. */
EMU_API annot_device *emu_annot_device(void *d3d12_device);

/*
 * Markers with a payload that is not copied, on a command list or queue of the emulator. D3D12 has
 * no call for this. annot_context_begin_event_by_reference has the rules [ANN-LIFE-08]. EndEvent
 * closes such a scope.
 */
EMU_API void emu_begin_event_by_reference(void *d3d12_list_or_queue, uint32_t metadata,
                                          const void *data, uint32_t size);
EMU_API void emu_set_marker_by_reference(void *d3d12_list_or_queue, uint32_t metadata,
                                         const void *data, uint32_t size);

/* Shader bytecode that names one of the built-in kernels; a compute pipeline state made with it
 * runs that kernel on Dispatch. Root parameters: 0 = UAV of the destination, 1 = UAV/SRV of the
 * source, 2 = 32-bit constants. */
typedef enum emu_kernel {
    EMU_KERNEL_FILL = 1, /* dst[i] = constant 0, constant 1 words */
    EMU_KERNEL_COPY = 2, /* dst[i] = src[i], constant 1 words */
    EMU_KERNEL_ADD = 3,  /* dst[i] = dst[i] + src[i], constant 1 words */
    EMU_KERNEL_SPIN = 4, /* never returns: the GPU hangs */
    EMU_KERNEL_TOUCH = 5 /* writes to GPU address constant 1 << 32 | constant 0, mapped or not */
} emu_kernel;

/* Static bytecode of `*size` bytes (`size` may be NULL); NULL for an unknown kernel. A copy with
 * another digest (the 16 bytes from the fourth on) is another shader with the same work. */
EMU_API const void *emu_kernel_bytecode(emu_kernel kernel, size_t *size);

ANNOT_END_DECLS

#endif
