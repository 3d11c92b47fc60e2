/* A device of a crash layer, for every API: the device of libannot, the watchdog and the dumps. */
#pragma once

#include "claim.h"
#include "dump.h"
#include "live_file.h"
#include "settings.h"
#include "waits.h"
#include "watchdog.h"

#include <annot/annot.h>
#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/evidence.h>

#include <stdatomic.h>

enum {
    CRASH_ROWS = 4096
}; /* limit of the executions in a dump; of each queue, the oldest executions are kept */

/* Functions of a layer, which get the layer's `user`. */
struct crash_functions {
    void (*look)(void *user, struct crash_look *look);
    /* Adds the layer's other evidence to the rows of the work in flight. The function may change
     * the rows, and returns the number of rows, at most CRASH_ROWS. `is_whole` says whether the
     * rows have all work in flight. */
    uint32_t (*gather)(void *user, struct crash_dump *dump, annot_progress *rows, uint32_t count,
                       bool is_whole);
    void (*let_go)(
        void *user); /* frees what `gather` allocated, after the dump is written; may be NULL */
};

struct crash_device {
    const struct crash_settings *settings;
    const struct crash_functions *functions;
    void *user;
    annot_device *annot; /* libannot's device; NULL: nothing is recorded */
    annot_tracker *tracker;
    uint32_t promises; /* annot_tracker_desc.promises */
    annot_dump_writer *writer;
    annot_progress *rows,
        *watched; /* two arrays of CRASH_ROWS rows: for the dump, and for the watchdog */
    struct crash_claim claim;
    struct crash_dump *dump; /* the dump that is being written */
    struct crash_counts counts;
    struct crash_waits waits;
    struct crash_told told, watched_waits; /* for the dump, and for the watchdog */
    struct live_file live; /* the file for `annot recover` */
    bool has_complained;   /* whether stderr has a line about this file */
    struct crash_watchdog watchdog;
    struct crash_device *next; /* the next device in the list of watched devices */
};

/* Functions for a layer's annot_driver. They do nothing, because markers of queues and names need
 * no GPU writes. */
void ANNOT_DDI_CALL crash_ignore_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                              const void *data, uint32_t size, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name);

/* Opens a device; `settings` must outlive it. False: out of memory; then `device` isn't open. */
bool crash_device_open(struct crash_device *device, const struct crash_settings *settings,
                       const annot_driver *driver, const annot_tracker_desc *tracked,
                       const char *evidence);
/* Closes a device. Call crash_device_stop before. */
void crash_device_close(struct crash_device *device);
/* Forgets the device in the child of a fork, and frees nothing. */
void crash_device_inherit(struct crash_device *device);

/* Adds the waits to a dump, for a layer's `gather`. */
void crash_device_tell_waits(struct crash_device *device, struct crash_dump *dump,
                             const annot_progress *rows, uint32_t count);

/* Starts the watchdog, which calls `functions`. Then crash_devices_end checks it, too. */
void crash_device_watch(struct crash_device *device, const struct crash_functions *functions,
                        void *user);
/* Ends the watchdog. False: the watchdog's dump takes too long, so the device must not be freed. */
bool crash_device_stop(struct crash_device *device);
/* Call it when the process ends. It waits for a dump that a thread is writing, ends the watchdogs,
 * and checks each device once more. `is_alone`: all other threads are gone, so it makes no call of
 * the runtime, and writes a half-written dump again. */
void crash_devices_end(bool is_alone);

/* Writes a dump unless the device has one. After a loss, the function waits for a dump that another
 * thread writes [ANN-LEAVE-01]. Allocates nothing. */
void crash_device_lost(struct crash_device *device, annot_device_error error, const char *reason);
/* Waits for the dump after a call has reported the loss. True: the dump exists, so no dump must be
 * written. */
bool crash_device_is_told(struct crash_device *device);
/* Whether an alarm or the loss already has a dump. */
bool crash_device_has_dump(const struct crash_device *device);
