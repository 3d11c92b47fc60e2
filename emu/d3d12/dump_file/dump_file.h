/* The part of ID3D12DevicePreview for dump files: whether a removed device leaves one, the
 * application's data in it, and how long it stays [DirectX dump files v0.02; ANN-FILE].
 *
 *     error code known
 *       -> Begin callback
 *       -> file with the data of runtime, driver, kernel and application
 *       -> End callback with the path
 *       -> file deleted unless retained
 *       -> the device is removed
 *
 * Callbacks run on the thread that noticed the error, without a lock.
 */
#pragma once

#include "base/com.h"
#include "base/messages.h"

#include <annot/dump.h>
#include <emu/driver.h>
#include <pthread.h>
#include <stdatomic.h>

#define DUMP_FILE_DRIVER_BLOB (4u << 20) /* bytes reserved for the driver's blob */
#define DUMP_FILE_BLOBS       (2u << 20) /* bytes of all blobs, with 8 for the metadata of each */

struct dump_file {
    ID3D12DevicePreview iface; /* an interface of the object `owner` */
    IUnknown *owner;
    const emu_driver *driver;
    void *driver_device;
    struct messages *messages;
    bool options_forced;        /* the user has decided, so ConfigureDumpFile has no effect */
    unsigned char *driver_blob; /* DUMP_FILE_DRIVER_BLOB; NULL: the driver is not asked */
    const char *place;          /* the path of `desc` */
    WCHAR *path;                /* the path in wide characters; NULL: no file is written */
    bool on_demand;       /* a file is written only if the program or the user asked for one */
    atomic_int error;     /* D3D12_DEVICE_ERROR_CODE */
    atomic_bool retain;   /* the file stays after the End callback */
    atomic_uint options;  /* the options of ConfigureDumpFile */
    pthread_mutex_t lock; /* guards everything below */
    D3D12_DUMPFILEBEGINCALLBACK begin;
    D3D12_DUMPFILEENDCALLBACK end;
    bool in_begin;
    unsigned char *bytes; /* the blobs, one after the other: DUMP_FILE_BLOBS */
    UINT used;            /* bytes that count against the limit, metadata included */
    annot_blob *blobs;    /* the first two belong to the kernel and its driver */
    size_t blob_count, blob_capacity;
};

struct dump_file_desc {
    const emu_driver *driver;
    void *driver_device;
    struct messages *messages; /* the device's */
    const char *path; /* UTF-8, a file or a folder, outlives this; NULL: no file is written */
    bool on_demand;   /* a file is written only if callbacks are set or the file stays */
    bool retain;
    uint32_t options; /* the user's options; 0: use the application's */
};

/* Tells the driver its options. False means out of memory; then there is nothing to finish. */
bool dump_file_init(struct dump_file *file, void *owner, const struct dump_file_desc *desc);
void dump_file_finish(struct dump_file *file);

/* The interface with this IID, without a reference; NULL: none. */
void *dump_file_find(struct dump_file *file, const IID *riid);

/* Called when the device has failed: publishes the error code, and returns whether to write a file.
 * The Begin callback decides. Without a callback, a device with a path writes a file; with
 * on_demand, only if the file stays. */
bool dump_file_begin(struct dump_file *file, annot_device_error error);

/* The data of the kernel and of its driver; NULL: none. */
struct dump_file_kernel {
    const void *data;
    size_t size;
    const void *driver_data;
    size_t driver_size;
};

/* The kernel's blob, and the blobs that the application added in the Begin callback; borrowed. */
const annot_blob *dump_file_blobs(struct dump_file *file, const struct dump_file_kernel *kernel,
                                  size_t *count);

/* Whether the application asked for no data of driver and kernel. */
bool dump_file_wants_data(const struct dump_file *file);

/* Gets the driver's blob by the published DDI: FULL, and if that fails, MINI with the same size. It
 * replaces the blob of the driver's report. Allocates nothing. False: the driver claimed more than
 * the buffer has, so the blob was cut. */
bool dump_file_ask_driver(struct dump_file *file, const void *kernel, size_t size,
                          annot_crash_report *report);

/* Calls the End callback with the finished file at `path`. Returns whether the file stays. */
bool dump_file_end(struct dump_file *file, const char *path);
