#include "device.h"

#include <stdlib.h>

void ANNOT_DDI_CALL crash_ignore_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                              const void *data, uint32_t size, uint64_t event_id)
{
    (void)queue, (void)metadata, (void)data, (void)size, (void)event_id;
}

void ANNOT_DDI_CALL crash_ignore_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    (void)queue, (void)event_id;
}

void ANNOT_DDI_CALL crash_ignore_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    (void)object, (void)name;
}

bool crash_device_open(struct crash_device *device, const struct crash_settings *settings,
                       const annot_driver *driver, const annot_tracker_desc *tracked,
                       const char *evidence)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = driver;
    desc.memory_budget = settings->memory;
    desc.force_driver_retail = true;
    device->settings = settings;
    device->rows = malloc(CRASH_ROWS * sizeof *device->rows);
    device->watched = malloc(CRASH_ROWS * sizeof *device->watched);
    if (!device->rows || !device->watched ||
        annot_device_create(&desc, &device->annot) != ANNOT_OK ||
        annot_tracker_create(device->annot, tracked, &device->tracker) != ANNOT_OK ||
        annot_dump_writer_create(device->annot, &device->writer) != ANNOT_OK) {
        crash_device_close(device);
        return false;
    }
    annot_device_set_fact(device->annot, "evidence", evidence);
    annot_device_set_fact(device->annot, "level", crash_level_text(settings->level));
    return true;
}

void crash_device_close(struct crash_device *device)
{
    annot_dump_writer_destroy(device->writer);
    annot_tracker_destroy(device->tracker);
    annot_device_destroy(device->annot);
    free(device->rows);
    free(device->watched);
    crash_device_inherit(device);
}

void crash_device_inherit(struct crash_device *device)
{
    device->annot = NULL;
    device->tracker = NULL;
    device->writer = NULL;
    device->rows = device->watched = NULL;
}

void crash_device_watch(struct crash_device *device,
                        void (*look)(void *user, struct crash_look *look),
                        void (*hung)(void *user, uint64_t ns), void *user)
{
    device->watchdog.timeout = device->settings->timeout;
    device->watchdog.user = user;
    device->watchdog.look = look;
    device->watchdog.hung = hung;
    crash_watchdog_start(&device->watchdog);
}

bool crash_device_claim_dump(struct crash_device *device)
{
    return device->writer &&
           atomic_fetch_add_explicit(&device->dumps, 1, memory_order_acq_rel) == 0;
}

bool crash_device_has_dump(const struct crash_device *device)
{
    return atomic_load_explicit(&device->dumps, memory_order_relaxed) > 0;
}
