/* include/emu/emu.h's functions on a device. Passing a pointer that is not a device of the emulator
 * is a programming error. */
#include "device/device.h"
#include "device/driver_module.h"

#include "list/command_list.h"
#include "queue/command_queue.h"

#include <assert.h>

static struct d3d12_device *expect_device(void *iface)
{
    struct d3d12_device *device = d3d12_device_from(iface);
    assert(device);
    return device;
}

void emu_run_until_idle(void *iface)
{
    struct d3d12_device *device = expect_device(iface);
    emu_kmd_run_until_idle(device->kmd);
    in_flight_sweep(&device->in_flight);
}

uint64_t emu_run_steps(void *iface, uint64_t steps)
{
    struct d3d12_device *device = expect_device(iface);
    uint64_t taken = 0;
    while (taken < steps && emu_kmd_step(device->kmd))
        taken++;
    in_flight_sweep(&device->in_flight);
    return taken;
}

void emu_advance_clock(void *iface, uint64_t nanoseconds)
{
    emu_kmd_advance(expect_device(iface)->kmd, nanoseconds);
}

void emu_force_tdr(void *iface)
{
    emu_kmd_remove(expect_device(iface)->kmd, EMU_KMD_FORCED);
}

annot_device *emu_annot_device(void *iface)
{
    return expect_device(iface)->annot;
}

typedef void marker_call(annot_context *, uint32_t metadata, const void *data, uint32_t size);

static void mark(void *iface, marker_call *call, uint32_t metadata, const void *data, uint32_t size)
{
    struct d3d12_command_list *list = d3d12_command_list_from(iface);
    struct d3d12_command_queue *queue = d3d12_command_queue_from(iface);
    assert(list || queue);
    if (list) {
        call(list->context, metadata, data, size);
        return;
    }
    call(queue->context, metadata, data, size);
    atomic_store(&queue->has_markers, true);
}

void emu_begin_event_by_reference(void *iface, uint32_t metadata, const void *data, uint32_t size)
{
    mark(iface, annot_context_begin_event_by_reference, metadata, data, size);
}

void emu_set_marker_by_reference(void *iface, uint32_t metadata, const void *data, uint32_t size)
{
    mark(iface, annot_context_set_marker_by_reference, metadata, data, size);
}

const annot_driver *emu_driver_annotation(const char *driver)
{
    const emu_driver *found = NULL;
    return driver != NULL && SUCCEEDED(driver_find(driver, &found)) ? &found->annot : NULL;
}
