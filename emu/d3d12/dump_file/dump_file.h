/*
 * ID3D12DevicePreview's half that is about dump files: whether a removed device leaves one, what the application adds to
 * it, and how long it stays [DirectX dump files v0.02; ANN-FILE].
 *
 *     error code known -> Begin callback -> file with runtime's, driver's, kernel's and application's data
 *                      -> End callback with the path -> file gone unless retained -> the device is removed
 *
 * Callbacks come on the thread that noticed the error, no lock held.
 */
#ifndef D3D12_DUMP_FILE_H
#define D3D12_DUMP_FILE_H

#include "base/com.h"

#include <annot/dump.h>
#include <pthread.h>
#include <stdatomic.h>

#define DUMP_FILE_BLOBS (2u << 20) /* bytes of all blobs, 8 for each one's metadata included */

struct dump_file {
    ID3D12DevicePreview iface; /* a face of `owner` */
    IUnknown *owner;
    WCHAR *path;          /* NULL: no file is written */
    atomic_int error;     /* D3D12_DEVICE_ERROR_CODE */
    atomic_bool retain;   /* the file stays behind the End callback */
    atomic_uint options;  /* ConfigureDumpFile's */
    pthread_mutex_t lock; /* of everything below */
    PFN_D3D12_DUMP_FILE_BEGIN begin;
    PFN_D3D12_DUMP_FILE_END end;
    bool in_begin;
    unsigned char *bytes; /* of the blobs, one behind the other: DUMP_FILE_BLOBS */
    UINT used;            /* of the limit, metadata included */
    annot_blob *blobs;    /* the first is the kernel's */
    size_t blob_count, blob_capacity;
};

/* `path` as UTF-8, NULL: none. False when out of memory, and nothing is left to finish. */
bool dump_file_init(struct dump_file *file, void *owner, const char *path, bool retain);
void dump_file_finish(struct dump_file *file);

/* The face of that ID, without a reference; NULL: none. */
void *dump_file_find(struct dump_file *file, const IID *riid);

/* The device has failed: publishes the code and asks the Begin callback, if there is one, whether to write a file. */
bool dump_file_begin(struct dump_file *file, annot_device_error error);

/* What the kernel has, and what the application added in the Begin callback; borrowed. */
const annot_blob *dump_file_blobs(struct dump_file *file, const void *kernel, size_t size,
                                  size_t *count);

/* Whether the application asked for no data of driver and kernel. */
bool dump_file_wants_data(const struct dump_file *file);

/* The file is there, at `path`: calls the End callback with it. Returns whether the file is to stay. */
bool dump_file_end(struct dump_file *file, const char *path);

#endif
