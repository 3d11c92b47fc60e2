/*
 * Controls the emulator: chooses a driver, advances the clock, sets the path of dumps. All other
 * calls of the emulator are D3D12 calls.
 *
 * Settings belong to the process. A D3D12 device reads the settings when it is created.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include <annot/annot.h>
#include <annot/dump.h>
#include <emu/kernel.h>

/* Define EMU_STATIC in programs that link the archive. Its own build defines EMU_BUILDING. */
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

/* The emulator's messages on ID3D12InfoQueue that D3D12's debug layer lacks. All other messages
 * have D3D12's numbers. A number never changes its meaning. */
typedef enum emu_message_id {
    EMU_MESSAGE_NOT_MODELLED =
        20001, /* the emulator lacks the called method, so the call did nothing */
    EMU_MESSAGE_ENDLESS_WAIT =
        20002, /* with EMU_ORDER_SEEDED, a call waits for a fence that no queue will signal */
    EMU_MESSAGE_SUBMISSION_LOST = 20003,  /* memory ran out, so submitted work was not executed */
    EMU_MESSAGE_DUMP_NOT_WRITTEN = 20004, /* the dump of a removed device could not be written */
    EMU_MESSAGE_INVALID_ARGUMENT = 20005, /* an invalid argument for which D3D12 has no message */
    EMU_MESSAGE_ANNOTATION_MODE = 20006,  /* which annotation mode the device has, and why */
    EMU_MESSAGE_SETTINGS_IGNORED = 20007, /* a settings file or one of its lines can't be used */
    /* a driver's debug blob is smaller than the size that the driver says */
    EMU_MESSAGE_DEBUG_BLOB = 20008
} emu_message_id;

typedef enum emu_order {
    EMU_ORDER_THREADS = 0, /* each queue has a thread; clock and order of threads are real */
    EMU_ORDER_SEEDED = 1 /* no queue has a thread; the clock is virtual; `seed` decides the order */
} emu_order;

typedef enum emu_hang_place {
    EMU_HANG_NEVER = 0,
    EMU_HANG_AT_DISPATCH = 1,   /* the count-th dispatch that the GPU reaches never ends */
    EMU_HANG_BEFORE_LIST = 2,   /* the count-th command list never begins */
    EMU_HANG_AT_DRAW = 3,       /* the count-th draw never ends */
    EMU_HANG_AT_SUBMISSION = 4, /* the count-th ExecuteCommandLists hangs before its first list */
    EMU_HANG_AT_MARKER = 5 /* the list hangs after the first marker whose name matches `marker` */
} emu_hang_place;

typedef enum emu_hang_kind {
    EMU_HANG_SPINS = 0,  /* the work makes no progress, until the timeout */
    EMU_HANG_FAULTS = 1, /* the work causes a page fault at an unmapped address */
    EMU_HANG_LOSES = 2   /* the device is removed at once, as after a driver's update */
} emu_hang_kind;

/* Makes the device fail at a chosen place. `count` counts from 1, over all queues. The kernel
 * EMU_KERNEL_SPIN hangs without this setting. If no place is set, the environment variables
 * EMU_HANG, EMU_FAULT and EMU_LOSE decide. */
typedef struct emu_hang {
    emu_hang_place place;
    uint64_t count;
    emu_hang_kind kind;
    const char *marker; /* EMU_HANG_AT_MARKER: the marker's name; '*' is any text, '?' any byte */
} emu_hang;

/* The ways in which the driver "hostile" reports wrong data or fails, on purpose. The lowest bits
 * of emu_config.seed choose the ways, and the other bits decide when. */
typedef enum emu_lies {
    EMU_LIES_CREATION = 1,  /* the driver can't create devices, queues and lists */
    EMU_LIES_RECORDING = 2, /* the driver can't reset or close lists */
    EMU_LIES_SUBMISSION =
        4,                /* command buffers of the driver are refused, missing, misplaced or cut */
    EMU_LIES_MARKERS = 8, /* EventIDs are forged or repeated in the command stream */
    EMU_LIES_REPORT = 16, /* the driver's crash reports have wrong rows, pointers, sizes or blobs */
    EMU_LIES_KERNEL = 32, /* marker logs, history buffers and debug blobs are wrong */
    EMU_LIES_ALL = 63
} emu_lies;

/* The GPU's clock, which may differ from the CPU's clock. If all members are zero, the clock has
 * exactly 1 GHz and is 0 when the CPU's clock is 0, and time stamps have 64 bits. */
typedef struct emu_gpu_clock_config {
    uint64_t hz; /* the clock's nominal frequency in Hz, up to 16 GHz */
    int32_t ppm; /* the clock is this many millionths too fast (if < 0, too slow); up to 100,000 */
    uint64_t offset; /* the GPU's ticks when the CPU's clock is 0 */
    /* The number of bits of time stamps in history buffers: 32 to 64, or EMU_STAMPS_RAW for time
     * stamps that only the kernel-mode driver can read. */
    uint32_t stamp_bits;
} emu_gpu_clock_config;

#define EMU_STAMPS_RAW UINT32_MAX

/* The version of DxgkDdiCollectDbgInfo2's payload. Only the payload's size tells the version. */
typedef enum emu_tdr_payload {
    EMU_TDR_PAYLOAD_PUBLISHED = 0, /* the published payload */
    EMU_TDR_PAYLOAD_NONE = 1,      /* NULL */
    EMU_TDR_PAYLOAD_SHORT = 2, /* the payload ends after the fence IDs, as in an earlier version */
    EMU_TDR_PAYLOAD_LONGER = 3 /* the payload is 8 bytes longer, as in a later version */
} emu_tdr_payload;

typedef struct emu_config {
    /* The default adapter's driver: the name of a built-in driver ("reference", "reorder", "warp",
     * "legacy", "hostile"), or the path, with a '/', of a shared object made with emu/driver.h.
     * NULL: the path in EMU_DRIVER_PATH, the name in EMU_DRIVER, or "reference". D3D12CreateDevice
     * returns DXGI_ERROR_NOT_FOUND if the driver doesn't exist or can't be loaded. It returns
     * DXGI_ERROR_UNSUPPORTED if the driver is incomplete or made for another version of
     * emu/driver.h. The first failure of a path prints the reason to stderr. */
    const char *driver;
    emu_order order;
    /* With EMU_ORDER_SEEDED, the same seed and calls give the same run. For the driver "hostile",
     * the seed's lowest bits are bits of emu_lies. 0 means the seed in EMU_SEED, or else 0. */
    uint64_t seed;
    uint64_t tdr_timeout_ns;  /* time without progress after which the emulator calls the GPU hung;
                                 0: 2 s */
    uint64_t memory_budget;   /* annot_device_desc.memory_budget; ANNOT_BUDGET_NONE: unbounded */
    bool force_driver_retail; /* annot_device_desc.force_driver_retail */
    /* The path of a removed device's dump. NULL: the path in EMU_DUMP, or else the system's folder
     * for dumps if settings ask for a dump (docs/POSTMORTEM.md). If the name exists already, the
     * dump gets another name, as in annot_dump_write_file. */
    const char *dump_path;
    /* The program's function that the emulator calls on the thread that noticed the error, after
     * the dump is written. If the dump could not be written, `path` is NULL. Otherwise `path` is
     * valid during the call. */
    void (*on_removed)(void *user, annot_device_error error, const char *path);
    void *user;
    /* A static table that gets the markers and names instead of the driver's own table. Its
     * functions may call functions of emu_driver_annotation. NULL: the driver's own table. */
    const annot_driver *annotation;
    emu_hang hang;
    /* True if an allocator may be reset while the GPU executes its lists. If false, the reset fails
     * with E_FAIL, as with a debug layer that watches the GPU. If true, the reset succeeds, as in a
     * runtime without a debug layer, and markers expire during the execution. Lists whose allocator
     * was reset are then executed, too. A released resource's memory then goes at once, so work
     * that still uses the memory faults. */
    bool reset_in_flight;
    /* True if devices have the debug layer's interfaces, ID3D12InfoQueue and ID3D12DebugDevice,
     * even without ID3D12Debug::EnableDebugLayer. The setting debug-layer-mode of d3dconfig
     * overrides both this member and EnableDebugLayer. */
    bool debug_layer;
    /* The marker mode of new devices. With PROFILE, dumps have the times of submissions and of the
     * GPU's work for each API call, for `annot timeline`. With NONE, ANNOT_TIMELINE=1 in the
     * environment sets PROFILE. */
    D3DWDDM1_3DDI_MARKER_TYPE marker_type;
    emu_gpu_clock_config gpu_clock;
    /* The kernel-mode driver of new devices, a static table. NULL: the shared object that
     * EMU_KERNEL_DRIVER_PATH names, made with emu/kernel.h, or else the built-in driver. */
    const emu_kernel_driver *kernel_driver;
    emu_tdr_payload tdr_payload;
    uint32_t tdr_buffer; /* bytes of DxgkDdiCollectDbgInfo's buffer, up to 1 MiB; 0: 64 KiB */
    /* True: the emulator has the same limits as Windows. After 6 timeouts of an adapter, or 5 of
     * its engines, within 60 s, D3D12CreateDevice returns DXGI_ERROR_DEVICE_REMOVED. False: there
     * are no limits. */
    bool tdr_limits;
    /* The number of operations of one queue that the GPU has in flight at once, up to 8. The seed
     * chooses the order in which operations of one ExecuteCommandLists end. Barriers, ends of
     * markers, time stamps at the end and signals wait for all operations in flight. 1: one
     * operation at a time. 0: EMU_IN_FLIGHT, or else 1. */
    uint32_t in_flight;
} emu_config;

#define EMU_CONFIG_INIT                                                                            \
    {                                                                                              \
        0, EMU_ORDER_THREADS, 0, 0, ANNOT_BUDGET_DEFAULT, false, 0, 0, 0, 0,                       \
            {EMU_HANG_NEVER, 0, EMU_HANG_SPINS, 0}, false, false, D3DWDDM1_3DDI_MARKER_TYPE_NONE,  \
            {0, 0, 0, 0}, 0, EMU_TDR_PAYLOAD_PUBLISHED, 0, false, 0                                \
    }

/* Returns the annotation functions of a driver, or NULL if there is no such driver. `driver` is a
 * name or path as in emu_config.driver. The functions take only handles of that driver. */
EMU_API const annot_driver *emu_driver_annotation(const char *driver);

/* Sets the configuration of devices that are created afterwards. The call copies strings. NULL
 * restores the defaults. Any thread. As in all of D3D12, an adapter has one device at a time. While
 * a device lives, D3D12CreateDevice returns the same device, with the settings from its creation.
 */
EMU_API annot_result emu_configure(const emu_config *config);

/* Makes another adapter for D3D12CreateDevice's first argument. `driver` is a name or path as in
 * emu_config.driver; NULL means the configured driver. The adapter is an IUnknown with the
 * interface IDXCoreAdapter (emu/dxcore.h). Each adapter has a LUID and a device of its own, even if
 * two adapters have the same driver. The caller owns the reference to the adapter, and may release
 * it while the device lives. ANNOT_ERROR_INVALID_ARGUMENT: no such driver. Any thread. */
EMU_API annot_result emu_adapter_create(const char *driver, void **adapter);

/* Gets libdxcore's factory. Its lists begin with the adapter that D3D12CreateDevice uses for NULL;
 * emu_adapter_create's adapters follow. `riid` is a GUID. Returns an HRESULT. Any thread. */
EMU_API int32_t emu_dxcore_factory(const void *riid, void **factory);

/* With EMU_ORDER_SEEDED, runs the queues until every queue is idle or waits in vain. If a queue
 * hangs, the call runs until the timeout has removed the device. The runtime does the same when the
 * application waits for a fence. */
EMU_API void emu_run_until_idle(void *d3d12_device);

/* With EMU_ORDER_SEEDED, takes at most `steps` scheduling steps. Returns the number taken. */
EMU_API uint64_t emu_run_steps(void *d3d12_device, uint64_t steps);

/* With EMU_ORDER_SEEDED, moves the virtual clock forward by this many nanoseconds. */
EMU_API void emu_advance_clock(void *d3d12_device, uint64_t nanoseconds);

/* Removes the device as an adapter's timeout does (DXGK_TDR_TYPE_FORCED), even without a hang. */
EMU_API void emu_force_tdr(void *d3d12_device);

/* Returns the annotation device of a D3D12 device, for lookups, statistics and dumps of a live
 * device. The D3D12 device owns the annotation device. */
EMU_API annot_device *emu_annot_device(void *d3d12_device);

/*
 * These functions record markers on a command list or queue of the emulator without copying the
 * payload. D3D12 has no such call. annot_context_begin_event_by_reference has the rules for the
 * payload [ANN-LIFE-08]. EndEvent closes such a scope.
 */
EMU_API void emu_begin_event_by_reference(void *d3d12_list_or_queue, uint32_t metadata,
                                          const void *data, uint32_t size);
EMU_API void emu_set_marker_by_reference(void *d3d12_list_or_queue, uint32_t metadata,
                                         const void *data, uint32_t size);

/* The built-in kernels. A compute pipeline with the bytecode of a kernel (emu_kernel_bytecode) runs
 * this kernel on Dispatch. Root parameter 0 is the UAV of dst. Root parameter 1 is the UAV or SRV
 * of src. Root parameter 2 is the array c of 32-bit root constants. */
typedef enum emu_kernel {
    EMU_KERNEL_FILL = 1, /* dst[i] = c[0], for each i below c[1] */
    EMU_KERNEL_COPY = 2, /* dst[i] = src[i], for each i below c[1] */
    EMU_KERNEL_ADD = 3,  /* dst[i] = dst[i] + src[i], for each i below c[1] */
    EMU_KERNEL_SPIN = 4, /* the kernel never returns, so the GPU hangs */
    EMU_KERNEL_TOUCH = 5 /* the kernel writes to the GPU address (c[1] << 32 | c[0]) */
} emu_kernel;

/* Returns the bytecode of a kernel, or NULL for an unknown kernel. The bytecode is static and has
 * *size bytes; `size` may be NULL. A copy with another digest (16 bytes at offset 4) counts as
 * another shader, and does the same work. */
EMU_API const void *emu_kernel_bytecode(emu_kernel kernel, size_t *size);

ANNOT_END_DECLS

#endif
