/*
 * For crash handlers: write what a device knows into a dump.
 *
 * A writer is made ahead of time; writing then allocates nothing, and waits for locks for a bounded
 * time only. What it can't get at in that time is left out and noted in the dump. The file format is
 * docs/DUMP_FORMAT.md.
 */
#ifndef ANNOT_DUMP_H
#define ANNOT_DUMP_H

#include "annot.h"

ANNOT_BEGIN_DECLS

typedef struct annot_dump_writer annot_dump_writer;

/* Where the bytes go. Both return false on failure, which ends the dump. write appends; finish is
 * called once, after the last write, with the 8 bytes that belong at offset 0 and were written as
 * zeros before: only they make the dump valid, so everything else should be safe on disk first. They
 * run with locks of the device held and must not call the library. */
typedef struct annot_dump_sink {
    void *user;
    bool (*write)(void *user, const void *data, size_t size);
    bool (*finish)(void *user, const void *magic, size_t size);
} annot_dump_sink;

/* ERROR(name, code, headline, sentence): why a dump was taken. The codes are those of D3D12_DEVICE_ERROR_CODE; that of
 * APPLICATION is ours. */
#define ANNOT_DEVICE_ERRORS(ERROR)                                                                 \
    ERROR(NONE, 0, "LIVE DEVICE", "no error when the dump was taken")                              \
    ERROR(HUNG, 7, "GPU HANG", "the GPU made no progress")                                         \
    ERROR(PAGE_FAULT, 9, "GPU PAGE FAULT", "the GPU read or wrote memory that is not mapped")      \
    ERROR(APPLICATION, 0x10001, "APPLICATION CRASH", "the application failed, not the device")     \
    ERROR(UNKNOWN, (int)0x88000000, "GPU ERROR", "the device failed for another reason")

#define ANNOT_DEVICE_ERROR_ENUM(name, code, headline, sentence) ANNOT_DEVICE_ERROR_##name = code,
typedef enum annot_device_error { ANNOT_DEVICE_ERRORS(ANNOT_DEVICE_ERROR_ENUM) } annot_device_error;

/* The headline of a code, and the sentence: those of UNKNOWN for a code without a name. Static. */
ANNOT_API const char *annot_device_error_headline(int32_t error);
ANNOT_API const char *annot_device_error_text(int32_t error);

/* What an API's error says of the device. DXGI: DEVICE_HUNG is HUNG; DEVICE_REMOVED, DEVICE_RESET and
 * DRIVER_INTERNAL_ERROR are UNKNOWN. Vulkan: VK_ERROR_DEVICE_LOST is UNKNOWN, since it does not say why. Every other
 * code, success among them, is NONE: it says nothing of the device. */
ANNOT_API annot_device_error annot_device_error_from_hresult(uint32_t result);
ANNOT_API annot_device_error annot_device_error_from_vk_result(int32_t result);

typedef enum annot_blob_kind {
    ANNOT_BLOB_DRIVER =
        1, /* the user-mode driver's, from annot_crash_report or its debug blob call */
    ANNOT_BLOB_KERNEL = 2,
    ANNOT_BLOB_APPLICATION = 3
} annot_blob_kind;

typedef struct annot_blob {
    uint32_t kind; /* annot_blob_kind */
    uint64_t metadata;
    const void *data;
    size_t size;
} annot_blob;

/* A key and its value, UTF-8; what is longer than ANNOT_FACT_KEY_MAX and ANNOT_FACT_VALUE_MAX is cut. */
typedef struct annot_fact {
    const char *key;
    const char *value;
} annot_fact;

/* `done` of an execution that the GPU never came to. */
#define ANNOT_CRUMBS_NOT_BEGUN 0xFFFFFFFFu

/* Operations of one recording that are kept: the last ones. */
#define ANNOT_CRUMBS_OPS 65536u

typedef enum annot_crumbs_flags {
    ANNOT_CRUMBS_MARKERS_ONLY = 1 /* only markers count as operations */
} annot_crumbs_flags;

/*
 * Breadcrumbs of one execution: the runtime's own count of the operations that the GPU was done with, independent of
 * what the driver reports. One row per command list of a submission, one per execution of a bundle in it.
 */
typedef struct annot_crumbs {
    uint64_t queue;      /* annot_object_id */
    uint64_t submission; /* its serial */
    uint32_t list;       /* index in the submission */
    uint32_t bundle;     /* 0: the list itself; n: its n-th ExecuteBundle */
    uint64_t log;        /* identity of what was recorded: executions of one recording share it */
    uint32_t count;      /* operations recorded */
    uint32_t done;       /* done by the GPU, or ANNOT_CRUMBS_NOT_BEGUN */
    uint32_t markers;    /* SetMarker, BeginEvent and EndEvent among `count` */
    uint32_t kept;       /* operations that `ops` has: the last ones, at most ANNOT_CRUMBS_OPS */
    uint32_t flags;      /* annot_crumbs_flags */
    uint32_t reserved;   /* 0 */
    const uint8_t *ops;  /* D3D12_AUTO_BREADCRUMB_OP; number i at i % ANNOT_CRUMBS_OPS */
} annot_crumbs;

typedef enum annot_range_flags {
    ANNOT_RANGE_FREED = 1 /* the object was destroyed before the error */
} annot_range_flags;

/* Whose GPU virtual addresses these are. */
typedef struct annot_allocation_range {
    uint64_t address, size; /* bytes */
    uint64_t object;        /* annot_object_id */
    uint64_t freed_before;  /* ns from the object's end to the error; 0: lives */
    uint32_t kind;          /* D3D12DDI_HANDLETYPE */
    uint32_t flags;         /* annot_range_flags */
} annot_allocation_range;

/* What the caller knows and the library doesn't. All members may be zero. Everything pointed at is
 * read during the call only. */
typedef struct annot_dump_info {
    uint8_t guid[16];
    int32_t error;           /* annot_device_error */
    uint64_t time;           /* nanoseconds since 1970-01-01 UTC; 0: now */
    const char *application; /* UTF-8; NULL: the name of the process */
    const char *adapter;     /* UTF-8 */
    const char *reason;      /* UTF-8, one line for people: "GPU timeout after 2.0 s" */
    /* the driver's; NULL: no evidence but completed submissions */
    const annot_crash_report *report;
    const annot_blob *blobs;
    size_t blob_count;
    const annot_fact *facts; /* beside those of annot_device_set_fact */
    size_t fact_count;       /* past ANNOT_FACTS_MAX they are left out */
    const annot_crumbs *crumbs;
    size_t crumb_count;
    const annot_allocation_range *ranges; /* around the fault address */
    size_t range_count;
    uint64_t
        lock_wait; /* nanoseconds to wait for locks of the device at most, in all; 0: 100 ms [ANN-SEC-03] */
} annot_dump_info;

/* Preallocates all that a dump of this device needs, about 300 KiB, independent of how many markers
 * there are. The device outlives the writer. One thread writes with it at a time. */
ANNOT_API annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out);
ANNOT_API void annot_dump_writer_destroy(annot_dump_writer *writer);

/* Writes a dump of the device as it is now. Other threads may go on recording; a reset or destroy
 * of the arena that is just being written waits for it. The driver must not be called meanwhile by
 * the caller's own doing: fetch its report first. ANNOT_ERROR_IO when the sink failed; the dump is
 * then incomplete and says so to every reader. */
ANNOT_API annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                                        const annot_dump_sink *sink);

/* The same into a new file that only its owner may read. It is written beside PATH under a name of
 * its own, PATH.xxxxxxxx.part, synced, completed, synced, and given the name PATH. Nothing is ever
 * followed, replaced or waited for, be it a file, a link, a folder or a pipe: where something has
 * that name already, the dump becomes NAME-2.EXT, then -3 and so on, so writers that share a path
 * leave a whole dump each, and annot_dump_writer_path says which is whose [ANN-SEC-02].
 *
 * ANNOT_ERROR_IO, with errno set: there is no new file, but for a dump that is whole and only could
 * not get its name. ANNOT_ERROR_INVALID_ARGUMENT: the path is empty, longer than 4,000 bytes or ends
 * in a separator. A process killed half way leaves at most the .part file, which readers show as far
 * as it goes [design: absent, incomplete or valid]. */
ANNOT_API annot_result annot_dump_write_file(annot_dump_writer *writer, const annot_dump_info *info,
                                             const char *path);

/* The same into memory, for a process that hands its dump to another one. *size is the whole dump's size in any case;
 * ANNOT_ERROR_TOO_LARGE when that is more than `capacity`, and the buffer then holds no dump. `buffer` may be NULL when
 * `capacity` is 0. Allocates nothing. */
ANNOT_API annot_result annot_dump_write_memory(annot_dump_writer *writer,
                                               const annot_dump_info *info, void *buffer,
                                               size_t capacity, size_t *size);

/* The file that the last annot_dump_write_file of this writer left, "" when it left none: show this
 * one to people. Valid until the writer's next dump. */
ANNOT_API const char *annot_dump_writer_path(const annot_dump_writer *writer);

ANNOT_END_DECLS

#endif
