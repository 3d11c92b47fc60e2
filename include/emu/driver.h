/*
 * For authors of user-mode drivers for the emulator: the functions that the D3D12 runtime calls. A
 * driver turns recorded calls into command buffers in GPU memory, takes markers and names, and
 * after a crash reports the data that survived. annot/ddi.h has the functions for annotations;
 * emu_driver has all other functions.
 *
 * A driver of your own is a shared object that exports emu_driver_open. EMU_DRIVER_PATH,
 * emu_config.driver or emu_adapter_create gives the object's path. The emulator loads the object
 * once in a process and never unloads it. Most drivers copy the reference driver's table and
 * replace some functions (examples/driver_so.c).
 *
 * The driver chooses the handles of devices, queues, lists and objects. The runtime passes these
 * handles back to the driver, also in the annotation functions.
 *
 * The runtime calls the functions of a list on the thread that records the list. One thread at a
 * time calls the functions of a queue, also its markers; only submission_retired may be called at
 * the same time, by the queue's worker. Any thread may call the functions of a device. The runtime
 * calls crash_report after all engines have stopped; other threads may still create, record and
 * submit.
 *
 * The runtime checks all results of a driver [ANN-DDI-03], so a driver that fails or lies can only
 * spoil results. The runtime has no protection from a driver that writes into the runtime's memory,
 * because both are in one process.
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
    uint64_t address; /* the memory's GPU virtual address: a multiple of 64 KiB, never 0 */
    uint64_t size;    /* size of the memory in bytes, as requested */
    /* The CPU's pointer to the memory, whose bytes are zero at first. The pointer is aligned to 4
     * KiB and valid until the memory is freed. */
    void *cpu;
} emu_gpu_memory;

/* ---- the driver ---- */

typedef struct emu_command_buffer {
    uint64_t address; /* GPU virtual address of the first packet */
    uint64_t size;    /* bytes */
    /* The structure that the driver passes to pfnSubmitCommandCb, with the marker log and history
     * buffers. It stays valid until the queue's next call. Its members Commands and CommandLength
     * describe this command buffer. BroadcastContext[0] is the queue's handle, and
     * hRTCommandListHandle is a list's `id`. While the marker mode is NONE, `submit` is NULL. */
    const D3DDDICB_SUBMITCOMMAND *submit;
} emu_command_buffer;

typedef struct emu_dispatch {
    uint32_t kernel; /* emu_kernel, emu/emu.h */
    uint32_t groups[3];
    /* GPU virtual addresses: the destination, the source, and one reserved */
    uint64_t arguments[3];
    uint32_t constants[16];
    uint32_t descriptors; /* bit n is set if argument n is the address of a descriptor */
    /* In a bundle: bits for the values that the bundle's caller gives with cmd_bindings. Bit n
     * stands for argument n, and bit 16 + n for constant n. */
    uint32_t inherited;
} emu_dispatch;

#define EMU_INDIRECT_NOWHERE UINT32_MAX

/* Commands in GPU memory. Each command changes members of a dispatch or draw, then runs it. */
typedef struct emu_indirect {
    uint64_t commands; /* GPU virtual address of the first command, a multiple of 4 */
    /* GPU virtual address, a multiple of 4, of the 32-bit number of commands. 0: max_count. */
    uint64_t count;
    uint32_t max_count; /* the largest number of commands that the GPU runs */
    uint32_t stride;    /* distance in bytes from one command to the next */
    /* Where each command has its values: offsets in bytes from the command's begin.
     * EMU_INDIRECT_NOWHERE means that commands lack the value. */
    uint32_t groups_offset;        /* a dispatch has 3 words at this offset, a draw has 2 words */
    uint32_t argument_offsets[2];  /* 8 bytes each */
    uint32_t constant_offsets[16]; /* 4 bytes each */
} emu_indirect;

/* The version of this interface, which increases with every change of emu_driver or
 * emu_driver_host. */
#define EMU_DRIVER_VERSION 6u

/* One ExecuteCommandLists. */
typedef struct emu_submission {
    void *const *lists; /* the driver's handles of the lists; their recordings are closed */
    uint32_t count;
    uint64_t serial; /* the submission's serial on the queue */
    /* For each list, the GPU address of the list's breadcrumb words, which have 32 bits: one word
     * for the list, and one for each bundle that the list executes. If an address is 0, or `crumbs`
     * is NULL, the list leaves no breadcrumbs. See op_end. */
    const uint64_t *crumbs;
    /* For each list, the high half of the list's API sequence numbers. Each recording has a new
     * high half. NULL: the marker mode is NONE. */
    const uint32_t *sequence_high;
} emu_submission;

typedef struct emu_driver {
    uint32_t size;      /* sizeof(emu_driver) */
    uint32_t version;   /* EMU_DRIVER_VERSION */
    annot_driver annot; /* the driver's name, its version of annotations, and its table */
    /* The published DDI for dump files; hDevice is the result of device_create. NULL: the driver
     * doesn't support dump files (tier 0). `dump_file_options` are the
     * D3D12_DUMP_FILE_DRIVER_OPTIONS that the driver knows. A driver that knows NO_OVERHEAD and a
     * single option has tier 2; a driver that knows MEDIUM or HIGH has tier 1. */
    const D3D12DDI_DUMP_FILE_FUNCS_0121 *dump_file;
    uint32_t dump_file_options;

    /* No function below may be NULL. Each create function returns NULL if memory runs out. */

    /* Makes the driver's device. `seed` is emu_config.seed, which may vary the driver's
     * behaviour. */
    void *(*device_create)(emu_gpu *gpu, uint64_t seed);
    void (*device_destroy)(void *device);

    /* Makes a handle for a device child that is not a queue and not a list; pfnSetName gets the
     * child's names with this handle. `id` is the annot_object_id, as in queue_create and
     * list_create. Rows of the crash report use `id`. */
    void *(*object_create)(void *device, D3D12DDI_HANDLETYPE type, uint64_t id);
    void (*object_destroy)(void *object);

    void *(*queue_create)(void *device, uint32_t type /* D3D12_COMMAND_LIST_TYPE */, uint64_t id);
    void (*queue_destroy)(void *queue);

    /* Makes a list. A list records from its creation or last reset to list_close. The list may be
     * reset or destroyed while the GPU runs its commands. So submissions must keep the commands
     * that they need, and lists that execute a bundle must keep the bundle's commands. */
    void *(*list_create)(void *device, uint32_t type, uint64_t id);
    void (*list_destroy)(void *list);
    bool (*list_reset)(void *list);
    /* Closes the recording. Returns false if the recording is incomplete and can't be executed. */
    bool (*list_close)(void *list);

    void (*cmd_copy)(void *list, uint64_t dst, uint64_t src, uint64_t size);
    /* Fills `size` bytes, a multiple of `unit`, with copies of `unit` (1 to 16) bytes. */
    void (*cmd_fill)(void *list, uint64_t dst, uint64_t size, const void *pattern, uint32_t unit);
    /* Copies query results. Unlike cmd_copy, this command ignores the predicate. */
    void (*cmd_resolve)(void *list, uint64_t dst, uint64_t src, uint64_t size);
    /* Makes the GPU read 8 bytes at `address`. The GPU skips later copies, fills, dispatches and
     * draws if the bytes are 0, or with skip_if_not_zero, if the bytes are not 0. If `address` is
     * 0, the GPU skips nothing any more. */
    void (*cmd_predicate)(void *list, uint64_t address, bool skip_if_not_zero);
    /* Writes the 4 bytes of `value` to `dst`; `mode` is a D3D12_WRITEBUFFERIMMEDIATE_MODE. */
    void (*cmd_write_immediate)(void *list, uint64_t dst, uint32_t value, uint32_t mode);
    void (*cmd_barrier)(void *list);
    void (*cmd_dispatch)(void *list, const emu_dispatch *dispatch);
    /* Records a draw. `groups` are the numbers of vertices (or indices) and instances, then 1; for
     * a mesh shader, the numbers of groups. The emulator doesn't rasterise: a draw runs the kernel
     * in a stage of its pipeline. A draw with kernel 0 does nothing, but keeps its place among the
     * markers. */
    void (*cmd_draw)(void *list, const emu_dispatch *draw);
    /* Records an indirect draw or dispatch. `work` is the same as for cmd_draw or cmd_dispatch. The
     * GPU reads each command right before it executes the command. */
    void (*cmd_execute_indirect)(void *list, const emu_dispatch *work, bool draws,
                                 const emu_indirect *indirect);
    void (*cmd_timestamp)(void *list, uint64_t dst); /* 8 bytes, ns */
    /* Sets the arguments, constants and descriptors that later bundles inherit, for draws or for
     * dispatches. */
    void (*cmd_bindings)(void *list, const emu_dispatch *bound, bool draws);
    /* Executes the last closed recording of the bundle. */
    void (*cmd_execute_bundle)(void *list, void *bundle);
    /* Ends an operation of the runtime: all commands and markers since the last op_end. When the
     * GPU has finished the operation, the GPU stores the number of finished operations into the
     * word in emu_submission.crumbs for the list or for the bundle's execution. The GPU stores 0
     * when the list or bundle begins. The runtime calls op_end only if it leaves breadcrumbs, and
     * once more before list_close, so that the last number says that all work is done. */
    void (*op_end)(void *list);

    /* The runtime calls this only right after device_create. `type` is a D3DWDDM1_3DDI_MARKER_TYPE;
     * without this call the mode is NONE. `flags` is 0, because the runtime takes no events of the
     * driver (docs/POSTMORTEM.md). */
    void (*set_marker_mode)(void *device, uint32_t type, uint32_t flags);
    /* The runtime calls this after each API call that recorded an operation, before op_end, unless
     * the marker mode is NONE. The driver increments the list's API sequence number. If work was
     * recorded since the last cmd_set_marker, the GPU writes a time stamp at the work's end [WDDM
     * 1.3]. */
    void (*cmd_set_marker)(void *list);

    /* Makes the command buffer that runs the lists of a submission. The buffer has a progress block
     * for each list, and runs the lists' buffers by patching or chaining them. The queue's markers
     * since the last submission come first. The buffer stays valid until submission_retired.
     * Returns false if memory runs out; then nothing will run. */
    bool (*queue_submit)(void *queue, const emu_submission *submission, emu_command_buffer *out);
    /* Makes a command buffer for the queue's markers since the queue's last submission. The buffer
     * becomes submission `serial`. If there are no such markers, the buffer's size is 0. */
    bool (*queue_flush)(void *queue, uint64_t serial, emu_command_buffer *out);
    /* Tells the driver that the last submission from queue_submit or queue_flush will never run. */
    void (*submission_withdrawn)(void *queue, uint64_t serial);
    /* Tells the driver that the GPU has completed all submissions up to `serial`, so the driver may
     * reuse their progress blocks and buffers. Any thread. */
    void (*submission_retired)(void *queue, uint64_t serial);

    /* Reports the data that survived in GPU memory, after the engines have stopped. */
    void (*crash_report)(void *device, annot_crash_report *report);
} emu_driver;

/* ---- a driver from outside ---- */

/* The emulator's functions that a driver may call. The table is static. */
typedef struct emu_driver_host {
    uint32_t size;    /* sizeof(emu_driver_host) */
    uint32_t version; /* EMU_DRIVER_VERSION */

    /* Maps `size` bytes at `address`, or anywhere if `address` is 0. Returns false if `address` is
     * misaligned, out of range or in use, if `size` is 0, or if memory is used up. Any thread. */
    bool (*gpu_allocate)(emu_gpu *gpu, uint64_t size, uint64_t address, emu_gpu_memory *out);
    /* Frees the allocation at `address`; 0 is allowed. The device's end frees all allocations. */
    void (*gpu_free)(emu_gpu *gpu, uint64_t address);
    /* Returns the CPU's pointer to `size` bytes at `address`; NULL: no allocation has the bytes. */
    void *(*gpu_map)(emu_gpu *gpu, uint64_t address, uint64_t size);

    /* The driver "reference". Its functions accept only handles that this driver made. */
    const emu_driver *reference;
} emu_driver_host;

#if defined(_WIN32)
#define EMU_DRIVER_EXPORT __declspec(dllexport)
#else
#define EMU_DRIVER_EXPORT __attribute__((visibility("default")))
#endif

/* The one function that a driver's shared object exports. It returns a table that lives as long as
 * the object. It returns NULL if the driver doesn't support this emulator, because host->version is
 * not the driver's version. */
EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host);

ANNOT_END_DECLS

#endif
