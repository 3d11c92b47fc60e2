/* The reference driver's objects and functions. The other drivers are variants of it, and share the
 * unchanged functions.
 *
 * A queue's submission is one allocation in GPU memory: the progress rows of its lists, then the
 * packets that run them. It is recycled when the GPU is done with it.
 */
#pragma once

#include "umd/recording.h"

#include "gpu/progress.h"

#include <emu/driver.h>

#include <pthread.h>

struct emu_reference_device;

/* What all device children have: an identity, and the name that the application gave. */
struct emu_reference_object {
    struct emu_reference_device *device;
    uint64_t id; /* annot_object_id */
    struct emu_reference_object *next;
    struct emu_reference_object *previous;
    D3D12DDI_HANDLETYPE type;
    ANNOT_DDI_WCHAR *name; /* the driver's copy, without a NUL; NULL: none */
    uint32_t name_bytes;
};

struct emu_reference_list {
    struct emu_reference_object
        object; /* first, because handles of queues and lists are handles of objects */
    struct emu_recording *recording; /* NULL when a reset found no memory */
    bool is_bundle;
};

#define EMU_LIST_TYPE_BUNDLE 1u /* D3D12_COMMAND_LIST_TYPE_BUNDLE */

struct emu_reference_submission {
    struct emu_reference_submission *next;
    emu_gpu_memory memory;  /* rows, then packets */
    emu_gpu_memory history; /* size 0: none */
    uint64_t serial;        /* the runtime's */
    uint64_t sequence;      /* number of the queue's buffers so far */
    uint32_t row_count;
    uint32_t list_count;
    bool has_markers;              /* the queue's */
    struct emu_recording *lists[]; /* references */
};

struct emu_reference_queue {
    struct emu_reference_object object;
    struct emu_reference_queue *next;    /* the queue that was created next */
    emu_gpu_memory memory;               /* an emu_queue_progress */
    struct emu_queue_progress *progress; /* in it */
    uint64_t sequence;                   /* of the last buffer */
    struct emu_packet_marker *markers;   /* the queue's markers that no buffer has yet */
    size_t marker_count;
    size_t marker_capacity;
    bool markers_lost;
    struct emu_reference_submission *first; /* the oldest submission that is not retired */
    struct emu_reference_submission **last;
    emu_gpu_memory spare; /* memory of a retired submission; size 0: none */
    emu_gpu_memory spare_history;
    struct emu_reference_log *
        log; /* the argument of pfnSubmitCommandCb for the last buffer; NULL: none was needed yet */
};

struct emu_reference_block {
    struct emu_reference_block *next;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct emu_reference_device {
    emu_gpu *gpu;
    uint32_t order_window;       /* by how many places markers are moved; 0: not at all */
    bool reports;                /* markers are embedded and progress is reported */
    struct emu_hostile *hostile; /* state of hostile.c; NULL in every other driver */
    uint32_t marker_type;        /* D3DWDDM1_3DDI_MARKER_TYPE */
    uint32_t dump_options;       /* D3D12_DUMP_FILE_DRIVER_OPTIONS */
    pthread_mutex_t lock;        /* guards everything below, and every queue; locked briefly */
    uint32_t render_cb_sequence; /* RenderCb sequence number of the last submission */
    struct emu_reference_queue *queues;
    struct emu_reference_object *objects;
    /* The crash report's memory, allocated before the crash, has room for all work in flight.
     * Memory that became too small stays until the device ends, because a thread that submits must
     * not free a report that another thread reads. Capacities double, so all older memory together
     * is no larger than the newest. */
    struct emu_reference_block *blocks; /* the newest block, with older ones */
    annot_progress *rows;
    uint64_t row_count; /* number of rows that a report would have now */
    uint64_t row_capacity;
    void *blob; /* emu_reference_blob */
    size_t blob_size;
    size_t blob_capacity;
};

/* The driver's debug blob: this header, then the names of live objects. */
struct emu_reference_blob {
    char magic[8]; /* "EMUREF2" */
    uint32_t order_window;
    uint32_t name_count;
};

/* A name; its characters follow, and zeros up to a multiple of 8. */
struct emu_reference_blob_name {
    uint64_t id;    /* annot_object_id */
    uint32_t type;  /* D3D12DDI_HANDLETYPE */
    uint32_t bytes; /* size of the name */
};

#define EMU_REFERENCE_NAME_LIMIT   1024u  /* characters kept */
#define EMU_REFERENCE_MARKER_LIMIT 65536u /* most queue markers that wait for a buffer */

_Static_assert(sizeof(struct emu_reference_blob) == 16, "blob layout");
_Static_assert(sizeof(struct emu_reference_blob_name) == 16, "blob layout");

/* The files are listed from the lowest to the highest: each calls only those before it. */

/* marker_order.c: moves the markers among `size` bytes of packets by at most `window` places
 * each. */
void emu__reorder_markers(void *packets, uint64_t size, uint32_t window);

/* device.c */
void *emu__reference_device_create(emu_gpu *gpu, bool reports, uint32_t order_window);
bool emu__reference_rows_reserve(struct emu_reference_device *device,
                                 uint64_t more);                                    /* lock held */
bool emu__reference_blob_reserve(struct emu_reference_device *device, size_t size); /* lock held */

/* name.c. Call object_finish with the device's lock held. */
void emu__reference_object_init(struct emu_reference_object *object,
                                struct emu_reference_device *device, D3D12DDI_HANDLETYPE type,
                                uint64_t id);
void emu__reference_object_finish(struct emu_reference_object *object);
void ANNOT_DDI_CALL emu__reference_set_name(D3D12DDI_HANDLE_AND_TYPE object,
                                            const ANNOT_DDI_WCHAR *name);
void emu__reference_blob_fill(struct emu_reference_device *device); /* lock held */

/* list.c */
void emu__reference_list_mark(void *list, enum emu_marker_kind kind, uint64_t event_id);

/* history.c: marker logs and history buffers [WDDM 1.3, 2.0]. The device's lock is held. */
/* Makes a zeroed buffer for the lists of `asked`, and fills in header and private data. Without
 * history, `out` is untouched. False means out of memory. */
bool emu__reference_history_make(struct emu_reference_queue *queue, const emu_submission *asked,
                                 struct emu_reference_submission *submission);
/* The address of a list's time stamps. The first two time stamps belong to the buffer itself.
 */
uint64_t emu__reference_history_stamps(const struct emu_reference_submission *submission);
/* Fills in the log of the newest buffer, in `out`. */
void emu__reference_history_log(struct emu_reference_queue *queue, const emu_submission *asked,
                                const struct emu_reference_submission *submission,
                                emu_command_buffer *out);
void emu__reference_history_free(struct emu_reference_queue *queue, emu_gpu_memory memory);
void emu__reference_history_finish(struct emu_reference_queue *queue);

/* queue.c */
void emu__reference_queue_mark(void *queue, enum emu_marker_kind kind, uint64_t event_id);

/* The DDI's calls noun_begin, noun_end and noun_set for a driver to which only a marker's kind and
 * EventID matter: mark(object, kind, event_id). */
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
extern const D3D12DDI_DUMP_FILE_FUNCS_0121 emu__reference_dump_file;

/* reference.c */
extern const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 emu__reference_annotation;

/* The functions of the table, by file. No variant of the driver changes the first ones. */
/* clang-format off */
#define EMU_REFERENCE_BASE_METHODS(M)                                                              \
    /* name.c */ M(object_create) M(object_destroy)                                                \
    /* list.c */ M(list_destroy) M(cmd_copy) M(cmd_fill) M(cmd_resolve) M(cmd_predicate)           \
        M(cmd_write_immediate) M(cmd_barrier) M(cmd_dispatch) M(cmd_draw) M(cmd_bindings)          \
        M(cmd_execute_indirect) M(cmd_timestamp) M(cmd_execute_bundle) M(op_end) M(cmd_set_marker) \
    /* history_writer.c */ M(set_marker_mode)                                                      \
    /* queue.c */ M(queue_destroy) M(submission_withdrawn) M(submission_retired)
/* The functions that a driver changes if it fails on purpose. */
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
/* The first entries of a table: the functions that hostile.c keeps, or all but device_create. */
#define EMU_REFERENCE_BASE                                                                         \
    EMU_REFERENCE_BASE_METHODS(EMU_REFERENCE_ENTRY).size = sizeof(emu_driver),                     \
    .version = EMU_DRIVER_VERSION
#define EMU_REFERENCE_COMMON EMU_REFERENCE_OTHER_METHODS(EMU_REFERENCE_ENTRY) EMU_REFERENCE_BASE

extern const emu_driver emu__driver_reference;
extern const emu_driver emu__driver_reorder;
extern const emu_driver emu__driver_warp;
extern const emu_driver emu__driver_legacy;
extern const emu_driver emu__driver_hostile;
