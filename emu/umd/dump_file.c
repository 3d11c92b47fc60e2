/* The reference driver's part of dump files [DirectX dump files v0.02]: the debug blob, and with
 * EVENT_MARKERS behind it a row for each execution:
 *
 *     names of objects (types.h) | "EMUROWS1", u64 count, annot_progress each
 *
 * FULL has both, MINI never has the rows. */
#include "umd/types.h"
#include "gate.h"

#include <string.h>

#define ROWS_MAGIC "EMUROWS1"

int32_t ANNOT_DDI_CALL emu__reference_set_dump_options(D3D12DDI_HDEVICE handle,
                                                       D3D12DDI_DUMP_FILE_OPTIONS_0121 options)
{
    struct emu_reference_device *device = handle.pDrvPrivate;
    emu_lock(&device->lock);
    device->dump_options = options;
    emu_unlock(&device->lock);
    return 0;
}

static bool has_rows(const struct emu_reference_device *device, D3D12DDI_DEBUG_BLOB_TYPE type)
{
    return type == D3D12DDI_DEBUG_BLOB_FULL &&
           (device->dump_options & D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS) != 0;
}

static size_t size_of(const struct emu_reference_device *device, D3D12DDI_DEBUG_BLOB_TYPE type,
                      const annot_crash_report *report)
{
    const size_t rows = sizeof(uint64_t) * 2 + report->progress_count * sizeof(annot_progress);
    return report->blob_size + (has_rows(device, type) ? rows : 0);
}

static int32_t ANNOT_DDI_CALL get_info(D3D12DDI_HDEVICE handle, const void *kernel, size_t size,
                                       D3D12DDI_DEBUG_BLOB_INFO *info)
{
    struct emu_reference_device *device = handle.pDrvPrivate;
    annot_crash_report report = {.size = sizeof report};
    (void)kernel, (void)size;
    emu__reference_crash_report(device, &report);
    for (uint32_t i = 0; i < info->NumDebugBlobDetails; i++) {
        D3D12DDI_DEBUG_BLOB_DETAILS *details = &info->pDebugBlobDetails[i];
        const bool is_known = details->DebugBlobType == D3D12DDI_DEBUG_BLOB_MINI ||
                              details->DebugBlobType == D3D12DDI_DEBUG_BLOB_FULL;
        const size_t needed = is_known ? size_of(device, details->DebugBlobType, &report) : 0;
        const size_t most = details->DebugBlobSize;
        details->DebugBlobSize = most == 0 || needed <= most ? needed : 0;
    }
    return 0;
}

static int32_t ANNOT_DDI_CALL get_blob(D3D12DDI_HDEVICE handle, const void *kernel, size_t size,
                                       D3D12DDI_DEBUG_BLOB *blob)
{
    struct emu_reference_device *device = handle.pDrvPrivate;
    annot_crash_report report = {.size = sizeof report};
    (void)kernel, (void)size;
    emu__reference_crash_report(device, &report);
    const size_t needed = size_of(device, blob->DebugBlobType, &report);
    if (needed > blob->DebugBlobSize)
        return (int32_t)0x8007000E; /* E_OUTOFMEMORY */
    char *at = blob->pDebugBlob;
    if (report.blob_size)
        memcpy(at, report.blob, report.blob_size);
    at += report.blob_size;
    if (has_rows(device, blob->DebugBlobType)) {
        const uint64_t count = report.progress_count;
        memcpy(at, ROWS_MAGIC, sizeof count);
        memcpy(at + sizeof count, &count, sizeof count);
        if (count)
            memcpy(at + 2 * sizeof count, report.progress, count * sizeof(annot_progress));
    }
    blob->DebugBlobSize = needed;
    return 0;
}

const D3D12DDI_DUMP_FILE_FUNCS_0121 emu__reference_dump_file = {emu__reference_set_dump_options,
                                                                get_info, get_blob};
