/* The reference driver's objects and functions. The other drivers are variants of this driver, and
 * share its unchanged functions.
 *
 * A queue's submission is one allocation in GPU memory: the progress rows of its lists, then the
 * packets that run the lists. The memory is used again when the GPU is done with it. */
#pragma once

#include "umd/recording.h"

#include "gpu/progress.h"

#include <emu/driver.h>

#include <pthread.h>

struct emu_reference_device;

/* The members that all device children have: an identity, and a name. */
struct emu_reference_object {
    struct emu_reference_device *device;
    uint64_t id; /* annot_object_id */
    struct emu_reference_object *next;
    struct emu_reference_object *previous;
    D3D12DDI_HANDLETYPE type;
    ANNOT_DDI_WCHAR *name; /* the driver's copy of the name, without a NUL; NULL: no name */
    uint32_t name_bytes;
};

struct emu_reference_list {
    struct emu_reference_object object; /* must be the first member, because a handle of a queue or
                                           list is also a handle of its object */
    struct emu_recording *recording; /* NULL: memory ran out when the application reset the list */
    bool is_bundle;
};

#define EMU_LIST_TYPE_BUNDLE 1u /* the value of D3D12_COMMAND_LIST_TYPE_BUNDLE */

struct emu_reference_submission {
    struct emu_reference_submission *next;
    emu_gpu_memory memory;  /* rows, then packets */
    emu_gpu_memory history; /* size 0: no history */
    uint64_t serial;        /* the runtime's serial */
    uint64_t sequence;      /* number of command buffers that the queue has made */
    uint32_t row_count;
    uint32_t list_count;
    bool has_markers;              /* whether the command buffer has queue markers */
    struct emu_recording *lists[]; /* references to the recordings of the submitted lists */
};

struct emu_reference_queue {
    struct emu_reference_object object;
    struct emu_reference_queue *next;    /* the queue created after this one, or NULL */
    emu_gpu_memory memory;               /* memory of an emu_queue_progress */
    struct emu_queue_progress *progress; /* the progress in `memory` */
    uint64_t sequence;                   /* number of the queue's last command buffer */
    struct emu_packet_marker *markers;   /* recorded queue markers, for the next command buffer */
    size_t marker_count;
    size_t marker_capacity;
    bool markers_lost;
    struct emu_reference_submission *first; /* the oldest submission that is not complete */
    struct emu_reference_submission **last;
    emu_gpu_memory spare; /* memory of a completed submission, for the next one; size 0: none */
    emu_gpu_memory spare_history;
    /* The argument for pfnSubmitCommandCb with the last buffer; NULL: none was needed yet. */
    struct emu_reference_log *log;
};

struct emu_reference_block {
    struct emu_reference_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct emu_reference_device {
    emu_gpu *gpu;
    /* The driver may move a marker past this many other markers; 0: it moves none. */
    uint32_t order_window;
    bool reports;                /* whether it puts markers into buffers and reports progress */
    struct emu_hostile *hostile; /* the state of the driver "hostile"; NULL in every other driver */
    uint32_t marker_type;        /* a D3DWDDM1_3DDI_MARKER_TYPE */
    uint32_t dump_options;       /* D3D12_DUMP_FILE_DRIVER_OPTIONS */
    pthread_mutex_t lock; /* guards the members below and every queue; a thread holds it briefly */
    uint32_t render_cb_sequence; /* RenderCb sequence number of the last submission */
    struct emu_reference_queue *queues;
    struct emu_reference_object *objects;
    /* Memory for the crash report, which is allocated before the crash. It has room for all work in
     * flight. Memory that became too small is kept until the device ends, because another thread
     * may be reading a report in it. Each new block is twice as large, so all old blocks together
     * are not larger than the newest block. */
    struct emu_reference_block *blocks; /* the newest block, which points to the older blocks */
    annot_progress *rows;
    uint64_t row_count; /* how many progress rows a crash report would have now */
    uint64_t row_capacity;
    void *blob; /* an emu_reference_blob */
    size_t blob_size;
    size_t blob_capacity;
};

/* The header of the driver's debug blob. The names of the living objects follow the header. */
struct emu_reference_blob {
    char magic[8]; /* "EMUREF2" */
    uint32_t order_window;
    uint32_t name_count;
};

/* The header of an object's name. The characters follow, with zeros up to a multiple of 8. */
struct emu_reference_blob_name {
    uint64_t id;    /* annot_object_id */
    uint32_t type;  /* D3D12DDI_HANDLETYPE */
    uint32_t bytes; /* bytes of the name */
};

#define EMU_REFERENCE_NAME_LIMIT 1024u /* limit of a name's characters; longer names are cut */
/* Limit of queue markers that are not yet in a command buffer. */
#define EMU_REFERENCE_MARKER_LIMIT 65536u

_Static_assert(sizeof(struct emu_reference_blob) == 16, "blob layout");
_Static_assert(sizeof(struct emu_reference_blob_name) == 16, "blob layout");

/* The files are in order: functions of a file call only functions of the files listed before it. */

/* Moves each marker in `size` bytes of packets past at most `window` others (marker_order.c). */
void emu__reorder_markers(void *packets, uint64_t size, uint32_t window);

/* device.c */
/* emu__reference_memory_take takes the spare memory if it is large enough, or allocates memory.
 * emu__reference_memory_give keeps the larger memory as the spare one, and frees the other. The
 * device's lock is held. */
bool emu__reference_memory_take(emu_gpu *gpu, emu_gpu_memory *spare, uint64_t size,
                                emu_gpu_memory *out);
void emu__reference_memory_give(emu_gpu *gpu, emu_gpu_memory *spare, emu_gpu_memory memory);
void *emu__reference_device_create(emu_gpu *gpu, bool reports, uint32_t order_window);
bool emu__reference_rows_reserve(struct emu_reference_device *device, uint64_t more); /* lock
                                                                                         held */
bool emu__reference_blob_reserve(struct emu_reference_device *device, size_t size);   /* lock
                                                                                         held */

/* Functions of name.c. Call emu__reference_object_finish with the device's lock held. */
void emu__reference_object_init(struct emu_reference_object *object,
                                struct emu_reference_device *device, D3D12DDI_HANDLETYPE type,
                                uint64_t id);
void emu__reference_object_finish(struct emu_reference_object *object);
void ANNOT_DDI_CALL emu__reference_set_name(D3D12DDI_HANDLE_AND_TYPE object,
                                            const ANNOT_DDI_WCHAR *name);
void emu__reference_blob_fill(struct emu_reference_device *device); /* under the lock */

/* list.c */
void emu__reference_list_mark(void *list, enum emu_marker_kind kind, uint64_t event_id);

/* Functions of history.c: marker logs, history buffers [WDDM 1.3, 2.0]. Hold the device's lock. */
/* Makes a zeroed buffer for the history of the lists in `asked`, and fills in its header and the
 * private data. If no history is wanted, does nothing. False means out of memory. */
bool emu__reference_history_make(struct emu_reference_queue *queue, const emu_submission *asked,
                                 struct emu_reference_submission *submission);
/* Returns the address of the buffer's two time stamps; the lists' stamps follow. 0: no history. */
uint64_t emu__reference_history_stamps(const struct emu_reference_submission *submission);
/* Stores the marker log of the queue's newest command buffer in `out`. */
void emu__reference_history_log(struct emu_reference_queue *queue, const emu_submission *asked,
                                const struct emu_reference_submission *submission,
                                emu_command_buffer *out);
void emu__reference_history_finish(struct emu_reference_queue *queue);

/* queue.c */
void emu__reference_queue_mark(void *queue, enum emu_marker_kind kind, uint64_t event_id);

/* Defines the DDI's calls noun_begin, noun_end and noun_set for a driver that needs only a marker's
 * kind and EventID. The calls call mark(object, kind, event_id). */
#define EMU_MARKER_CALLS(noun, handle, mark)                                                       \
    static void ANNOT_DDI_CALL noun##_begin(handle object, uint32_t metadata, const void *data,    \
                                            uint32_t size, uint64_t event_id)                      \
    {                                                                                              \
        (void)metadata, (void)data, (void)size;                                                    \
        mark(object.pDrvPrivate, EMU_MARKER_BEGIN, event_id);                                      \
    }                                                                                              \
    static void ANNOT_DDI_CALL noun##_end(handle object, uint64_t event_id)                        \
    {                                                                                              \
        mark(object.pDrvPrivate, EMU_MARKER_END, event_id);                                        \
    }                                                                                              \
    static void ANNOT_DDI_CALL noun##_set(handle object, uint32_t metadata, const void *data,      \
                                          uint32_t size, uint64_t event_id)                        \
    {                                                                                              \
        (void)metadata, (void)data, (void)size;                                                    \
        mark(object.pDrvPrivate, EMU_MARKER_SET, event_id);                                        \
    }

/* dump_file.c */
int32_t ANNOT_DDI_CALL emu__reference_set_dump_options(D3D12DDI_HDEVICE device,
                                                       D3D12DDI_DUMP_FILE_OPTIONS_0121 options);
extern const D3D12DDI_DUMP_FILE_FUNCS_0121 emu__reference_dump_file;

/* reference.c */
extern const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 emu__reference_annotation;

/* Lists, by file, the functions of the driver's table that no other driver replaces. */
/* clang-format off */
#define EMU_REFERENCE_BASE_METHODS(M)                                                              \
    /* name.c */ M(object_create) M(object_destroy)                                                \
    /* list.c */ M(list_destroy) M(cmd_copy) M(cmd_fill) M(cmd_resolve) M(cmd_predicate)           \
        M(cmd_write_immediate) M(cmd_barrier) M(cmd_dispatch) M(cmd_draw) M(cmd_bindings)          \
        M(cmd_execute_indirect) M(cmd_timestamp) M(cmd_execute_bundle) M(op_end) M(cmd_set_marker) \
    /* history_writer.c */ M(set_marker_mode)                                                      \
    /* queue.c */ M(queue_destroy) M(submission_withdrawn) M(submission_retired)
/* Lists the functions that a driver replaces in order to fail on purpose. */
#define EMU_REFERENCE_OTHER_METHODS(M)                                                             \
    /* device.c */ M(device_destroy)                                                               \
    /* list.c */ M(list_create) M(list_reset) M(list_close)                                        \
    /* queue.c */ M(queue_create) M(queue_submit) M(queue_flush)                                   \
    /* crash_report.c */ M(crash_report)
/* clang-format on */
#define EMU_REFERENCE_PROTOTYPE(method)                                                            \
    __typeof__(*((const emu_driver *)NULL)->method) emu__reference_##method;
EMU_REFERENCE_BASE_METHODS(EMU_REFERENCE_PROTOTYPE)
EMU_REFERENCE_OTHER_METHODS(EMU_REFERENCE_PROTOTYPE)
#undef EMU_REFERENCE_PROTOTYPE

#define EMU_REFERENCE_ENTRY(method) .method = emu__reference_##method,
/* EMU_REFERENCE_BASE and EMU_REFERENCE_COMMON begin a driver's table: with the functions that
 * hostile.c keeps, or with all functions except device_create. */
#define EMU_REFERENCE_BASE                                                                         \
    EMU_REFERENCE_BASE_METHODS(EMU_REFERENCE_ENTRY).size = sizeof(emu_driver),                     \
    .version = EMU_DRIVER_VERSION
#define EMU_REFERENCE_COMMON EMU_REFERENCE_OTHER_METHODS(EMU_REFERENCE_ENTRY) EMU_REFERENCE_BASE

extern const emu_driver emu__driver_reference;
extern const emu_driver emu__driver_reorder;
extern const emu_driver emu__driver_warp;
extern const emu_driver emu__driver_legacy;
extern const emu_driver emu__driver_hostile;
