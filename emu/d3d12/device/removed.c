/*
 * The end of a device: the kernel has stopped every engine and says why. What survived is asked of the driver, then
 * everything goes into a dump. Fences jump to UINT64_MAX only after this returns, so an application that waits for the GPU finds
 * the dump on disk. Nothing here allocates.
 */
#include "device/removed.h"

#include "base/os.h"
#include "device/device.h"

#include <inttypes.h>
#include <stdio.h>

static void describe(const emu_kmd_removal *removal, char *text, size_t size)
{
    if (removal->error == EMU_KMD_PAGE_FAULT)
        snprintf(text, size, "GPU page fault at address 0x%" PRIX64, removal->fault_address);
    else if (removal->error == EMU_KMD_ASKED)
        snprintf(text, size, "the application called ID3D12Device5::RemoveDevice");
    else if (removal->error == EMU_KMD_LOST)
        snprintf(text, size, "the device was removed by order of EMU_LOSE");
    else if (removal->bad_packet)
        snprintf(text, size, "the GPU met a command that is not valid");
    else
        snprintf(text, size, "GPU timeout: no progress for %" PRIu64 ".%03" PRIu64 " s",
                 removal->timeout_ns / 1000000000u, removal->timeout_ns / 1000000u % 1000u);
}

static annot_device_error error_of(const emu_kmd_removal *removal)
{
    switch (removal->error) {
    case EMU_KMD_HUNG:
        return ANNOT_DEVICE_ERROR_HUNG;
    case EMU_KMD_PAGE_FAULT:
        return ANNOT_DEVICE_ERROR_PAGE_FAULT;
    case EMU_KMD_ASKED:
    case EMU_KMD_LOST:
        break;
    }
    return ANNOT_DEVICE_ERROR_UNKNOWN;
}

/* What DRED knows, where it is on. */
static void add_dred(struct dred *dred, uint64_t time, annot_allocation_range *ranges,
                     size_t capacity, annot_dump_info *info)
{
    info->crumbs = dred->rows;
    info->crumb_count = dred->row_count;
    if (dred->fault_address != 0)
        info->range_count =
            dred_ranges_select(&dred->ranges, dred->fault_address, time, ranges, capacity);
    info->ranges = ranges;
}

#define RANGES 64

/* The dump's path, which need not be the one that was asked for; NULL: it could not be written. */
static const char *write_dump(struct d3d12_device *device, const emu_kmd_removal *removal,
                              const char *reason)
{
    char application[256], adapter[128];
    os_application_name(application, sizeof application);
    snprintf(adapter, sizeof adapter, "libannot emulator, driver %s", device->driver->annot.name);

    annot_crash_report report = {.size = sizeof report};
    device->driver->crash_report(device->driver_device, &report);
    if (report.fault_address == 0)
        report.fault_address = removal->fault_address;
    const bool wants_data = dump_file_wants_data(&device->dump_file);
    if (!wants_data)
        report.blob = NULL;
    annot_dump_info info = {
        .error = error_of(removal),
        /* a seeded run leaves the same dump every time */
        .time = d3d12_device_is_seeded(device) ? removal->time : os_wall_clock_ns(),
        .application = application,
        .adapter = adapter,
        .reason = reason,
        .report = &report,
    };
    info.blobs = dump_file_blobs(&device->dump_file, wants_data ? removal->blob : NULL,
                                 removal->blob_size, &info.blob_count);
    annot_allocation_range ranges[RANGES];
    add_dred(&device->dred, removal->time, ranges, RANGES, &info);
    memcpy(info.guid, removal->guid, sizeof info.guid);
    if (annot_dump_write_file(device->dump_writer, &info, device->settings.dump_path) != ANNOT_OK)
        return NULL;
    return annot_dump_writer_path(device->dump_writer);
}

/* The file's path, NULL: there is none. */
static const char *leave_dump(struct d3d12_device *device, const emu_kmd_removal *removal,
                              const char *reason)
{
    if (!dump_file_begin(&device->dump_file, error_of(removal)))
        return NULL;
    const char *path = write_dump(device, removal, reason);
    if (path == NULL) {
        messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_EXECUTION,
                      D3D12_MESSAGE_SEVERITY_ERROR, EMU_MESSAGE_DUMP_NOT_WRITTEN,
                      "the dump of the removed device could not be written to %s",
                      device->settings.dump_path);
        return NULL;
    }
    if (dump_file_end(&device->dump_file, path))
        return path;
    os_file_remove(path);
    return NULL;
}

void d3d12_device_removed(void *user, const emu_kmd_removal *removal)
{
    struct d3d12_device *device = user;
    const emu_config *config = &device->settings.config;
    char reason[128];
    describe(removal, reason, sizeof reason);
    dred_freeze(&device->dred, error_of(removal), removal->fault_address);
    const char *path = leave_dump(device, removal, reason);

    /* D3D12 reports page faults and badly formed commands as DEVICE_HUNG too. */
    const bool hung = error_of(removal) != ANNOT_DEVICE_ERROR_UNKNOWN;
    const HRESULT hr = hung ? DXGI_ERROR_DEVICE_HUNG : DXGI_ERROR_DEVICE_REMOVED;
    atomic_store_explicit(&device->removed_reason, hr, memory_order_release);
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_ERROR,
                  D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT, "device removed: %s", reason);
    if (config->on_removed != NULL)
        config->on_removed(config->user, error_of(removal), path);
}
