/* The part of ID3D12DevicePreview for dump files: whether a removed device leaves a dump file, the
 * application's data in the file, and how long the file stays [DirectX dump files v0.02; ANN-FILE].
 *
 *     error code known
 *       -> Begin callback
 *       -> file with the data of runtime, driver, kernel and application
 *       -> End callback with the path
 *       -> file deleted unless retained
 *       -> the device is removed
 *
 * Callbacks run on the thread that noticed the error, without a lock. */
#pragma once

#include "base/com.h"
#include "base/messages.h"

#include <annot/dump.h>
#include <emu/driver.h>

#define DUMP_FILE_DRIVER_BLOB (4u << 20) /* size of the buffer for the driver's blob, in bytes */
/* Limit of the bytes of all blobs; the metadata of each blob counts as 8 bytes. */
#define DUMP_FILE_BLOBS (2u << 20)

struct dump_file_desc {
    const emu_driver *driver;
    void *driver_device;
    struct messages *messages; /* the device's messages */
    /* The path in UTF-8; the text outlives the device. NULL: no file is written. */
    const char *path;
    bool on_demand; /* whether a dump file is written only if a callback is set or the file stays */
    bool retain;
    uint32_t options; /* the user's options; 0: the application's options apply */
};

struct dump_file {
    ID3D12DevicePreview iface; /* the COM interface that the device shows to the program */
    IUnknown *owner;
    struct dump_file_desc desc;
    /* Buffer of DUMP_FILE_DRIVER_BLOB bytes; NULL: the driver isn't asked for a blob. */
    unsigned char *driver_blob;
    WCHAR *path;          /* the path in wide characters; NULL: no file is written */
    atomic_int error;     /* a D3D12_DEVICE_ERROR_CODE */
    atomic_bool retain;   /* whether the dump file stays after the program's End callback */
    atomic_uint options;  /* the options that ConfigureDumpFile set */
    pthread_mutex_t lock; /* guards everything below */
    D3D12_DUMPFILEBEGINCALLBACK begin;
    D3D12_DUMPFILEENDCALLBACK end;
    bool in_begin;
    unsigned char *bytes; /* DUMP_FILE_BLOBS bytes, with one blob after the other */
    UINT used;            /* number of bytes that count against the limit, including metadata */
    annot_blob *blobs;    /* the blobs; the first two come from the kernel and from its driver */
    size_t blob_count, blob_capacity;
};

/* Tells the driver the options. False: out of memory; the caller must finish `file` then, too. */
bool dump_file_init(struct dump_file *file, void *owner, const struct dump_file_desc *desc);
void dump_file_finish(struct dump_file *file);

/* Returns the interface with this IID, without a reference, or NULL if no such interface exists. */
void *dump_file_find(struct dump_file *file, const IID *riid);

/* Called when the device has failed: publishes the error code, and returns whether to write a file.
 * A Begin callback decides. Without a callback, a device with a path writes a file; if `on_demand`
 * is set, it writes only a file that stays. */
bool dump_file_begin(struct dump_file *file, annot_device_error error);

/* The debug data of the kernel, and of its driver. A pointer without data is NULL. */
struct dump_file_kernel {
    const void *data;
    size_t size;
    const void *driver_data;
    size_t driver_size;
};

/* Returns the kernel's blob and the Begin callback's blobs. The caller must not free the array. */
const annot_blob *dump_file_blobs(struct dump_file *file, const struct dump_file_kernel *kernel,
                                  size_t *count);

/* Whether a dump may have data of driver and kernel, which ConfigureDumpFile can forbid. */
bool dump_file_wants_data(const struct dump_file *file);

/* Asks the driver for its blob by the published DDI: first with the type FULL; if this fails, with
 * the type MINI and the same size. The new blob replaces the blob in `report`. Allocates nothing.
 * Returns false if the driver's blob was larger than the buffer, so that the blob was cut. */
bool dump_file_ask_driver(struct dump_file *file, const void *kernel, size_t size,
                          annot_crash_report *report);

/* Calls the End callback with the finished file's path. Returns whether the file stays. */
bool dump_file_end(struct dump_file *file, const char *path);
