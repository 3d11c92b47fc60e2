/* A device of a crash layer, whatever API it is of: libannot's part, the watchdog, and its one
 * dump. */
#pragma once

#include "dump.h"
#include "settings.h"
#include "watchdog.h"

#include <annot/annot.h>
#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/evidence.h>

#include <stdatomic.h>

enum { CRASH_ROWS = 4096 }; /* the oldest executions in flight */

struct crash_device {
    const struct crash_settings *settings;
    annot_device *annot; /* NULL: nothing is kept of the device */
    annot_tracker *tracker;
    annot_dump_writer *writer;
    annot_progress *rows, *watched; /* CRASH_ROWS for the dump, and for the watchdog */
    atomic_int dumps;
    struct crash_counts counts;
    struct crash_watchdog watchdog;
};

/* Functions of a layer's annot_driver that do nothing: queues' markers and names need no word. */
void ANNOT_DDI_CALL crash_ignore_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                              const void *data, uint32_t size, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id);
void ANNOT_DDI_CALL crash_ignore_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name);

/* `settings` outlive the device. False: no memory, and there is nothing to close. */
bool crash_device_open(struct crash_device *device, const struct crash_settings *settings,
                       const annot_driver *driver, const annot_tracker_desc *tracked,
                       const char *evidence);
/* Behind crash_watchdog_stop. */
void crash_device_close(struct crash_device *device);
/* For the child of a fork: forgets all of it, and frees nothing. */
void crash_device_inherit(struct crash_device *device);

/* Starts the watchdog, which calls `look` and `hung` with `user`. */
void crash_device_watch(struct crash_device *device,
                        void (*look)(void *user, struct crash_look *look),
                        void (*hung)(void *user, uint64_t ns), void *user);

/* False: the device has its dump; later losses are consequences of the first. */
bool crash_device_claim_dump(struct crash_device *device);
bool crash_device_has_dump(const struct crash_device *device);
