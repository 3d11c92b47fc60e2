/*
 * For crash handlers: write what a device knows into a dump.
 *
 * A writer is made ahead of time; writing then allocates nothing, and waits only for locks that are
 * held for a bounded number of instructions. What it can't get at in bounded time is left out and
 * noted in the dump. The file format is docs/DUMP_FORMAT.md.
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

/* The same into a file: written as PATH.part, synced, completed, synced, renamed to PATH. On
 * failure PATH is untouched and PATH.part removed; a process killed half way leaves at most
 * PATH.part [design: absent, incomplete or valid]. */
ANNOT_API annot_result annot_dump_write_file(annot_dump_writer *writer, const annot_dump_info *info,
                                             const char *path);

/* The same into memory, for a process that hands its dump to another one. *size is the whole dump's size in any case;
 * ANNOT_ERROR_TOO_LARGE when that is more than `capacity`, and the buffer then holds no dump. `buffer` may be NULL when
 * `capacity` is 0. Allocates nothing. */
ANNOT_API annot_result annot_dump_write_memory(annot_dump_writer *writer,
                                               const annot_dump_info *info, void *buffer,
                                               size_t capacity, size_t *size);

ANNOT_END_DECLS

#endif
