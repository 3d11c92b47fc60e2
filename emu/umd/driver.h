/*
 * What the D3D12 runtime asks of a user-mode driver: turn recorded calls into command buffers in
 * GPU memory, take markers and names, and after a crash say what survived. The annotation part is
 * annot/ddi.h's; this table is the rest, as small as the emulator needs it.
 *
 * Handles (queue, list) are the driver's own allocations; the runtime passes them back and uses
 * them as pDrvPrivate in the annotation functions.
 */
#ifndef EMU_UMD_DRIVER_H
#define EMU_UMD_DRIVER_H

#include <annot/ddi.h>

#include "../gpu/gpu.h"

typedef struct emu_command_buffer {
    uint64_t address; /* GPU virtual address of the first packet */
    uint64_t size;    /* bytes */
} emu_command_buffer;

typedef struct emu_dispatch {
    uint32_t kernel; /* emu_kernel */
    uint32_t groups[3];
    uint64_t arguments[3]; /* GPU virtual addresses: destination, source, reserved */
    uint32_t constants[16];
    uint32_t descriptors; /* bit n: argument n is the address of an emu_descriptor instead */
} emu_dispatch;

typedef struct emu_driver {
    annot_driver annot; /* name, annotation version and table */

    /* All create functions return NULL when out of memory. */
    void *(*device_create)(emu_gpu *gpu);
    void (*device_destroy)(void *device);

    void *(*queue_create)(void *device, uint32_t type /* D3D12_COMMAND_LIST_TYPE */);
    void (*queue_destroy)(void *queue);

    /* A list records from its creation or last reset to close. It may be reset or destroyed while
     * the GPU runs what it recorded: submissions, and lists that call it as a bundle, keep the
     * commands they need. */
    void *(*list_create)(void *device, uint32_t type);
    void (*list_destroy)(void *list);
    bool (*list_reset)(void *list);
    bool (*list_close)(
        void *list); /* false: something recorded could not be kept, the list can't be executed */

    void (*cmd_copy)(void *list, uint64_t dst, uint64_t src, uint64_t size);
    void (*cmd_write_immediate)(void *list, uint64_t dst, uint32_t value, uint32_t mode);
    void (*cmd_barrier)(void *list);
    void (*cmd_dispatch)(void *list, const emu_dispatch *dispatch);
    void (*cmd_timestamp)(void *list, uint64_t dst); /* 8 bytes, ns */
    void (*cmd_execute_bundle)(void *list,
                               void *bundle); /* of the bundle's last closed recording */

    /* Makes the command buffer that runs these lists as submission `serial` of the queue: it sets
     * up a progress block per list, patches or chains the lists' buffers, and ends. The queue's
     * markers since the last submission come first. The buffer stays valid until
     * submission_retired. */
    bool (*queue_submit)(void *queue, void *const *lists, uint32_t count, uint64_t serial,
                         emu_command_buffer *out);
    /* Queue markers that no submission followed yet, as a buffer of their own; size 0: there are
     * none. */
    bool (*queue_flush)(void *queue, emu_command_buffer *out);
    /* The GPU is done up to this serial: progress blocks and buffers may be reused. Any thread. */
    void (*submission_retired)(void *queue, uint64_t serial);

    /* After the engine was stopped: what survived in GPU memory. */
    void (*crash_report)(void *device, annot_crash_report *report);
} emu_driver;

/* The drivers by name, "reference", "reorder", "warp" and "legacy"; NULL when there is none of that
 * name. */
const emu_driver *emu_driver_find(const char *name);

#endif
