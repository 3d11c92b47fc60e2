/* A crash layer's device, for every API: the device of libannot, the watchdog and the dumps. */
#pragma once

#include "claim.h"
#include "dump.h"
#include "live_file.h"
#include "waits.h"
#include "watchdog.h"

enum {
    CRASH_ROWS = 4096
}; /* largest number of executions in a dump; each queue's oldest ones are kept */

/* A layer's callbacks; they get the layer's pointer `user`. */
struct crash_functions {
    void (*look)(void *user, struct crash_look *look);
    /* Adds the layer's other evidence to `rows`, the progress rows of the work in flight, and may
     * change them. The callback returns the number of rows, which is at most CRASH_ROWS. `is_whole`
     * says whether the rows are all work in flight. */
    uint32_t (*gather)(void *user, struct crash_dump *dump, annot_progress *rows, uint32_t count,
                       bool is_whole);
    /* Frees the memory that `gather` allocated, when the dump is written; may be NULL. */
    void (*let_go)(void *user);
};

struct crash_device {
    const struct crash_settings *settings;
    const struct crash_functions *functions;
    void *user;
    annot_device *annot; /* libannot's device; NULL: the layer records nothing */
    annot_tracker *tracker;
    uint32_t promises; /* annot_tracker_desc.promises */
    annot_dump_writer *writer;
    /* Arrays of CRASH_ROWS progress rows: one for dumps, and one for the watchdog. */
    annot_progress *rows, *watched;
    struct crash_claim claim;
    struct crash_dump *dump; /* the dump that a thread is just writing; NULL: none */
    struct crash_counts counts;
    struct crash_waits waits;
    struct crash_told told, watched_waits; /* waits for the dump, and for the watchdog */
    struct live_file live;                 /* the file with the live dump, for `annot recover` */
    bool has_complained;                   /* whether stderr has a line about this file */
    struct crash_watchdog watchdog;
    struct crash_device *next; /* next device in the list of those with a watchdog */
};

/* Members of a layer's annot_driver that do nothing, because queue markers and names need no GPU
 * writes. */
void ANNOT_DDI_CALL crash_ignore_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                              const void *data, uint32_t size, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name);

/* Opens a device; `settings` must live longer. False: out of memory, and `device` isn't open. */
bool crash_device_open(struct crash_device *device, const struct crash_settings *settings,
                       const annot_driver *driver, const annot_tracker_desc *tracked,
                       const char *evidence);
/* Closes a device, after crash_device_stop. */
void crash_device_close(struct crash_device *device);
/* Forgets the device in a child process of fork, without freeing anything. */
void crash_device_inherit(struct crash_device *device);

/* Adds the device's waits to a dump; a layer's callback `gather` calls it. */
void crash_device_tell_waits(struct crash_device *device, struct crash_dump *dump,
                             const annot_progress *rows, uint32_t count);

/* Starts the watchdog, which calls `functions`. Then crash_devices_end checks this device, too. */
void crash_device_watch(struct crash_device *device, const struct crash_functions *functions,
                        void *user);
/* Ends the watchdog. False: its dump takes too long, so the caller must not free the device. */
bool crash_device_stop(struct crash_device *device);
/* Waits for a dump that a thread is writing, ends the watchdogs, and checks each device once more.
 * Call this function when the process ends. `is_alone`: all other threads are gone, so the function
 * makes no call of the runtime, and writes a half-written dump again. */
void crash_devices_end(bool is_alone);

/* Writes a dump unless the device has one. After a loss, waits for a dump that another thread is
 * writing [ANN-LEAVE-01]. Allocates nothing. */
void crash_device_lost(struct crash_device *device, annot_device_error error, const char *reason);
/* Called when a call has reported the loss: waits for the dump. True: the dump exists, so the
 * caller must write none. */
bool crash_device_is_told(struct crash_device *device);
/* Whether an alarm or the device's loss has already written a dump. */
bool crash_device_has_dump(const struct crash_device *device);
