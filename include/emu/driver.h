/*
 * For authors of user-mode drivers for the emulator: the functions that the D3D12 runtime calls. A
 * driver turns recorded calls into command buffers in GPU memory, takes markers and names, and
 * after a crash reports the data that survived. annot/ddi.h has the annotation part; the table
 * below has the rest.
 *
 * A driver from outside is a shared object that exports emu_driver_open. Its path comes from
 * EMU_DRIVER_PATH, emu_config.driver or emu_adapter_create. It is loaded once in a process and
 * never unloaded. Most drivers copy the reference driver's table and replace some functions
 * (examples/driver_so.c).
 *
 * Handles (device, queue, list, object) are the driver's own; the runtime passes them back and uses
 * those of queues, lists and other children as handles in the annotation functions.
 *
 * Threads: functions on a list are called on the thread that records it. Functions on a queue, also
 * its markers, are called by one thread at a time; only submission_retired may come from the
 * queue's worker meanwhile. Functions on a device are called on any thread. crash_report is called
 * after every engine has stopped; other threads may still create, record and submit.
 *
 * The runtime checks all results of a driver [ANN-DDI-03]: a driver that fails or lies can only
 * spoil results. It has no protection from a driver that writes into foreign memory, because both
 * are in one process.
 */
#ifndef EMU_DRIVER_H
#define EMU_DRIVER_H

#include <annot/ddi.h>
#include <emu/kernel.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ANNOT_BEGIN_DECLS

/* ---- GPU memory ---- */

typedef struct emu_gpu emu_gpu; /* one per device */

typedef struct emu_gpu_memory {
    uint64_t address; /* GPU virtual address, a multiple of 64 KiB, never 0 */
    uint64_t size;    /* bytes mapped, exactly as asked */
    void *cpu; /* the same bytes for the CPU, zero at first, aligned to 4 KiB; valid until freed */
} emu_gpu_memory;

/* ---- the driver ---- */

typedef struct emu_command_buffer {
    uint64_t address; /* GPU virtual address of the first packet */
    uint64_t size;    /* bytes */
    /* The driver passes this structure to pfnSubmitCommandCb, for its marker log and history
     * buffers. It stays valid until the queue's next call. Commands and CommandLength describe this
     * buffer. BroadcastContext[0] is the queue's handle, and hRTCommandListHandle is a list's `id`.
     * NULL while the marker mode is NONE. */
    const D3DDDICB_SUBMITCOMMAND *submit;
} emu_command_buffer;

typedef struct emu_dispatch {
    uint32_t kernel; /* emu_kernel, emu/emu.h */
    uint32_t groups[3];
    uint64_t arguments[3]; /* GPU virtual addresses: destination, source, reserved */
    uint32_t constants[16];
    uint32_t descriptors; /* bit n: argument n is the address of a descriptor instead */
    /* In a bundle: bit n is argument n, and bit 16 + n is constant n. If the bit is set, the
     * bundle's caller gives the value (cmd_bindings). */
    uint32_t inherited;
} emu_dispatch;

#define EMU_INDIRECT_NOWHERE UINT32_MAX

/* Commands in GPU memory. Each changes some members of a dispatch or draw, and then runs it. */
typedef struct emu_indirect {
    uint64_t commands;  /* GPU virtual address of the first one, a multiple of 4 */
    uint64_t count;     /* address of a 32-bit number of commands, a multiple of 4; 0: max_count */
    uint32_t max_count; /* the limit of `count` */
    uint32_t stride;    /* bytes from command to command */
    /* The places of these values in a command, in bytes. EMU_INDIRECT_NOWHERE: commands don't have
     * the value. */
    uint32_t groups_offset; /* of a dispatch 3 words, of a draw 2: vertices or indices, instances */
    uint32_t argument_offsets[2];  /* 8 bytes each */
    uint32_t constant_offsets[16]; /* 4 bytes each */
} emu_indirect;

/* It grows with every change of the table or of emu_driver_host. */
#define EMU_DRIVER_VERSION 6u

/* One ExecuteCommandLists. */
typedef struct emu_submission {
    void *const *lists; /* lists of the driver, whose recordings are closed */
    uint32_t count;
    uint64_t serial; /* number of the submission on its queue */
    /* For each list the GPU address of its breadcrumb words of 32 bits: one for the list, one for
     * each of its executions of a bundle. 0, or NULL for all: no breadcrumbs. See op_end. */
    const uint64_t *crumbs;
    /* For each list the high half of its API sequence numbers, which is new for each recording.
     * NULL: the marker mode is NONE. */
    const uint32_t *sequence_high;
} emu_submission;

typedef struct emu_driver {
    uint32_t size;      /* sizeof(emu_driver) */
    uint32_t version;   /* EMU_DRIVER_VERSION */
    annot_driver annot; /* name, annotation version and table */
    /* The published DDI for dump files; its hDevice is the result of device_create. NULL: the
     * driver doesn't support dump files (tier 0). `dump_file_options` is the
     * D3D12_DUMP_FILE_DRIVER_OPTIONS that it knows. NO_OVERHEAD with one single option is tier 2;
     * MEDIUM or HIGH is tier 1. */
    const D3D12DDI_DUMP_FILE_FUNCS_0121 *dump_file;
    uint32_t dump_file_options;

    /* All functions must be there. All create functions return NULL when out of memory. */

    /* `seed` is emu_config.seed, for a driver that varies what it does. */
    void *(*device_create)(emu_gpu *gpu, uint64_t seed);
    void (*device_destroy)(void *device);

    /* Called for every device child that is neither queue nor list; the result is the handle for
     * its names. `id` is its annot_object_id, as in the two functions below; rows of the crash
     * report use it. */
    void *(*object_create)(void *device, D3D12DDI_HANDLETYPE type, uint64_t id);
    void (*object_destroy)(void *object);

    void *(*queue_create)(void *device, uint32_t type /* D3D12_COMMAND_LIST_TYPE */, uint64_t id);
    void (*queue_destroy)(void *queue);

    /* A list records from its creation or last reset to close. It may be reset or destroyed while
     * the GPU runs what it recorded: submissions, and lists that call it as a bundle, keep the
     * commands they need. */
    void *(*list_create)(void *device, uint32_t type, uint64_t id);
    void (*list_destroy)(void *list);
    bool (*list_reset)(void *list);
    /* Closes the recording. False means that the driver could not keep a part of it, so nobody may
     * execute the list. */
    bool (*list_close)(void *list);

    void (*cmd_copy)(void *list, uint64_t dst, uint64_t src, uint64_t size);
    /* Writes the `unit` bytes (at most 16) at `pattern` again and again; size is a multiple of
     * unit. */
    void (*cmd_fill)(void *list, uint64_t dst, uint64_t size, const void *pattern, uint32_t unit);
    /* Copies query results; unlike cmd_copy, it is never skipped by a predicate. */
    void (*cmd_resolve)(void *list, uint64_t dst, uint64_t src, uint64_t size);
    /* When the GPU reaches this command, it reads 8 bytes. If they are zero, or not zero, it skips
     * copies, fills, dispatches and draws from here on; address 0: skip nothing from here on. */
    void (*cmd_predicate)(void *list, uint64_t address, bool skip_if_not_zero);
    /* Writes 4 bytes; `mode` is a D3D12_WRITEBUFFERIMMEDIATE_MODE. */
    void (*cmd_write_immediate)(void *list, uint64_t dst, uint32_t value, uint32_t mode);
    void (*cmd_barrier)(void *list);
    void (*cmd_dispatch)(void *list, const emu_dispatch *dispatch);
    /* `groups` are vertices or indices, instances, and 1; for a mesh its groups. Nothing is
     * rasterised: a draw runs the kernel that its pipeline has in a stage. With kernel 0 the draw
     * does nothing, but keeps its place among the markers. */
    void (*cmd_draw)(void *list, const emu_dispatch *draw);
    /* Records an indirect draw or dispatch; `work` is as for cmd_draw or cmd_dispatch. The GPU
     * reads each command right before it executes it. */
    void (*cmd_execute_indirect)(void *list, const emu_dispatch *work, bool draws,
                                 const emu_indirect *indirect);
    void (*cmd_timestamp)(void *list, uint64_t dst); /* 8 bytes, ns */
    /* Sets the arguments, constants and descriptors that later bundles inherit from `bound`, for
     * their dispatches or their draws. */
    void (*cmd_bindings)(void *list, const emu_dispatch *bound, bool draws);
    /* Executes the bundle's last closed recording. */
    void (*cmd_execute_bundle)(void *list, void *bundle);
    /* All that was recorded since the last op_end is one operation of the runtime, markers
     * included. When the GPU has done all of it, it stores into the word of emu_submission.crumbs
     * how many operations of this list, or of this execution of the bundle, are done. It stores 0
     * when the list or bundle begins. Called only if the runtime leaves breadcrumbs, and once more
     * before list_close, so that the last number says that everything is done. */
    void (*op_end)(void *list);

    /* SetMarkerMode, called only right after device_create. `type` is D3DWDDM1_3DDI_MARKER_TYPE;
     * without this call it is NONE. `flags` is 0: the driver's own events are not taken
     * (docs/POSTMORTEM.md). */
    void (*set_marker_mode)(void *device, uint32_t type, uint32_t flags);
    /* SetMarker, called after every API call that recorded an operation, before op_end; not while
     * the marker mode is NONE. Increments the API sequence number of the list. If work was recorded
     * since the last SetMarker, writes a time stamp when the GPU has done it [WDDM 1.3]. */
    void (*cmd_set_marker)(void *list);

    /* Makes the command buffer that runs the submission's lists: it has a progress block for each
     * list, and patches or chains the lists' buffers. The queue's markers since the last submission
     * come first. The buffer stays valid until submission_retired. False means out of memory; then
     * nothing will run. */
    bool (*queue_submit)(void *queue, const emu_submission *submission, emu_command_buffer *out);
    /* Submits queue markers without a later submission, as submission `serial`. Size 0: there are
     * no such markers. */
    bool (*queue_flush)(void *queue, uint64_t serial, emu_command_buffer *out);
    /* Called if the queue's last submission of queue_submit or queue_flush will never run. */
    void (*submission_withdrawn)(void *queue, uint64_t serial);
    /* Called when the GPU has completed everything up to this serial, so progress blocks and
     * buffers may be reused. Any thread. */
    void (*submission_retired)(void *queue, uint64_t serial);

    /* Called after the engines have stopped: reports the data that survived in GPU memory. */
    void (*crash_report)(void *device, annot_crash_report *report);
} emu_driver;

/* ---- a driver from outside ---- */

/* The emulator's functions for a driver; static. */
typedef struct emu_driver_host {
    uint32_t size;    /* sizeof(emu_driver_host) */
    uint32_t version; /* EMU_DRIVER_VERSION */

    /* Maps `size` bytes at `address`, or anywhere if `address` is 0. Returns false and does nothing
     * if the address is misaligned, out of range or taken, if the size is 0, and without memory.
     * Any thread. */
    bool (*gpu_allocate)(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out);
    /* Frees the allocation that starts at `address`; 0 is allowed. The device's end frees all
     * others. */
    void (*gpu_free)(emu_gpu *gpu, uint64_t address);
    /* The CPU's pointer to `size` bytes at `address`; NULL if they are not in one allocation. */
    void *(*gpu_map)(emu_gpu *gpu, uint64_t address, uint64_t size);

    /* The driver that EMU_DRIVER=reference names, with all functions; they need its own handles. */
    const emu_driver *reference;
} emu_driver_host;

#if defined(_WIN32)
#define EMU_DRIVER_EXPORT __declspec(dllexport)
#else
#define EMU_DRIVER_EXPORT __attribute__((visibility("default")))
#endif

/* The one function of that shared object. Returns a table that lives as long as the object, or NULL
 * when the driver does not support this emulator (host->version differs from its own). */
EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host);

ANNOT_END_DECLS

#endif
