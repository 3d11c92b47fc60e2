/* Handles a removal: the kernel has stopped every engine and gives the reason. The driver makes its
 * crash report, then everything is written into a dump. Fences become UINT64_MAX only after this
 * returns, so an application that waits for the GPU finds the dump on disk. These functions
 * allocate nothing. */
#include "device/removed.h"

#include "environment.h"
#include "os_file.h"
#include "os_path.h"
#include "os_process.h"
#include "device/device.h"
#include "device/tdr_limit.h"
#include "dump_file/folder.h"
#include "gate.h"

#include <inttypes.h>

static void describe(const struct emu_kmd_removal *removal, char *text, size_t size)
{
    if (removal->error == EMU_KMD_PAGE_FAULT)
        snprintf(text, size, "GPU page fault at address 0x%" PRIX64, removal->fault_address);
    else if (removal->error == EMU_KMD_ASKED)
        snprintf(text, size, "the application called ID3D12Device5::RemoveDevice");
    else if (removal->error == EMU_KMD_MISUSED)
        snprintf(text, size,
                 ANNOT_REASON_REFUSED ": a command list was executed before the list was closed");
    else if (removal->error == EMU_KMD_FORCED)
        snprintf(text, size, "a timeout was forced");
    else if (removal->error == EMU_KMD_LOST)
        snprintf(text, size, "EMU_LOSE removed the device on purpose");
    else if (removal->bad_packet)
        snprintf(text, size, "the GPU found an invalid command");
    else
        snprintf(text, size, "GPU timeout: no progress for %" PRIu64 ".%03" PRIu64 " s",
                 removal->timeout_ns / 1000000000u, removal->timeout_ns / 1000000u % 1000u);
}

static annot_device_error error_of(const struct emu_kmd_removal *removal)
{
    switch (removal->error) {
    case EMU_KMD_HUNG:
    case EMU_KMD_FORCED:
        return ANNOT_DEVICE_ERROR_HUNG;
    case EMU_KMD_PAGE_FAULT:
        return ANNOT_DEVICE_ERROR_PAGE_FAULT;
    case EMU_KMD_ASKED:
    case EMU_KMD_LOST:
    case EMU_KMD_MISUSED:
        break;
    }
    return ANNOT_DEVICE_ERROR_UNKNOWN;
}

/* Adds DRED's evidence if DRED is on. */
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

static void add_history(const struct history *history, annot_dump_info *info)
{
    info->submitted = history->submitted;
    info->submitted_count = history->submitted_count;
    info->histories = history->rows;
    info->history_count = history->row_count;
    info->histories_lost = history->forgotten;
    info->clocks = history->clocks;
    info->clock_count = history->clock_count;
}

#define RANGES   64
#define MESSAGES 16 /* the newest messages of the info queue that a dump has */

struct facts {
    annot_fact facts[MESSAGES + 3];
    char keys[MESSAGES][16];
    char values[MESSAGES][ANNOT_FACT_VALUE_MAX + 2]; /* the library cuts longer values */
    char order[512];
};

/* Adds a scripted stop that the GPU carried out, and the settings that ordered it. */
static void add_order(const struct d3d12_settings *settings, struct facts *to,
                      annot_dump_info *info)
{
    snprintf(to->order, sizeof to->order, "%.400s; breadcrumbs are %s", settings->marker,
             settings->dred.breadcrumbs ? "on" : "off");
    to->facts[info->fact_count++] = (annot_fact){settings->hang_variable, to->order};
}

/* Says why the device has no breadcrumbs though the program switched them on. */
static void add_late_dred(const struct dred_enablement *on, struct facts *to, annot_dump_info *info)
{
    const D3D12_DRED_ENABLEMENT own = D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED;
    if (!on->breadcrumbs && !on->asked && dred_settings_latch(own, own, own).asked)
        to->facts[info->fact_count++] = (annot_fact){
            "DRED", "DRED was switched on after this device was created, so DRED recorded nothing"};
}

/* Adds facts "message.1" and so on, oldest first, with the messages of ID3D12InfoQueue, which
 * readers of the dump don't have. Other threads may emit meanwhile, so the texts are copied. */
static void add_messages(struct messages *messages, struct facts *to, annot_dump_info *info)
{
    emu_lock(&messages->lock);
    const UINT64 first = messages->count > MESSAGES ? messages->count - MESSAGES : 0;
    const struct message *message;
    for (size_t i = 0; i < MESSAGES && (message = messages_stored(messages, first + i)); i++) {
        snprintf(to->keys[i], sizeof to->keys[i], "message.%zu", i + 1);
        snprintf(to->values[i], sizeof to->values[i], "%s %d: %s",
                 messages_severity_word(message->head.severity), (int)message->head.id,
                 message->text);
        to->facts[i] = (annot_fact){to->keys[i], to->values[i]};
        info->fact_count = i + 1;
    }
    info->facts = to->facts;
    emu_unlock(&messages->lock);
}

struct evidence {
    annot_allocation_range ranges[RANGES];
    annot_fault fault;
    struct facts facts;
};

static void add_evidence(struct d3d12_device *device, const struct emu_kmd_removal *removal,
                         struct evidence *to, annot_dump_info *info)
{
    add_dred(&device->dred, removal->time, to->ranges, RANGES, info);
    add_history(&device->history, info);
    to->fault = (annot_fault){removal->fault_address, ANNOT_FAULT_KERNEL, 0};
    info->faults = &to->fault;
    info->fault_count = 1;
    info->waits = removal->waits;
    info->wait_count = removal->wait_count;
    add_messages(&device->messages, &to->facts, info);
    add_late_dred(&device->dred.on, &to->facts, info);
    if (removal->command[0] != '\0')
        to->facts.facts[info->fact_count++] = (annot_fact){"indirect", removal->command};
    if (removal->is_ordered && device->settings.hang_variable)
        add_order(&device->settings, &to->facts, info);
    info->tdr = removal->tdr ? &removal->tdr->dump : NULL;
}

/* Writes the dump. Returns its path, perhaps another path than requested; NULL: no dump. */
static const char *write_dump(struct d3d12_device *device, const struct emu_kmd_removal *removal,
                              const char *reason)
{
    char application[256], adapter[128], named[4096]; /* the program's path, then the dump's */
    const char *given = os_environment_borrow("EMU_APPLICATION");
    os_program_path(named, sizeof named);
    snprintf(application, sizeof application, "%s", given && *given ? given : os_file_name(named));
    snprintf(adapter, sizeof adapter, "libannot emulator, driver %s", device->driver->annot.name);

    annot_crash_report report = {.size = sizeof report};
    device->driver->crash_report(device->driver_device, &report);
    const bool wants_data = dump_file_wants_data(&device->dump_file);
    if (!wants_data)
        report.blob = NULL;
    else if (!dump_file_ask_driver(&device->dump_file, removal->blob, removal->blob_size, &report))
        d3d12_device_warning(
            device, EMU_MESSAGE_DEBUG_BLOB,
            "the driver's debug blob is larger than the buffer that the driver got");
    annot_dump_info info = {
        .error = error_of(removal),
        /* a seeded run leaves the same dump every time */
        .time = d3d12_device_is_seeded(device) ? removal->time : os_wall_clock_ns(),
        .has_virtual_clock = d3d12_device_is_seeded(device),
        .application = application,
        .adapter = adapter,
        .reason = reason,
        .report = &report,
    };
    const struct emu_kmd_tdr *asked = wants_data ? removal->tdr : NULL;
    info.blobs = dump_file_blobs(
        &device->dump_file,
        &(struct dump_file_kernel){wants_data ? removal->blob : NULL, removal->blob_size,
                                   asked ? asked->data : NULL, asked ? asked->data_size : 0},
        &info.blob_count);
    struct evidence evidence;
    add_evidence(device, removal, &evidence, &info);
    memcpy(info.guid, removal->guid, sizeof info.guid);
    const char *path = device->settings.dump_path;
    if (device->settings.default_folder)
        dump_folder_make(path);
    if (dump_folder_is(path)) {
        dump_folder_name(path, application, os_wall_clock_ns(), named, sizeof named);
        path = named;
    }
    if (annot_dump_write_file(device->dump_writer, &info, path) != ANNOT_OK)
        return NULL;
    return annot_dump_writer_path(device->dump_writer);
}

/* Writes the dump if a dump is wanted. Returns the path, or NULL. */
static const char *leave_dump(struct d3d12_device *device, const struct emu_kmd_removal *removal,
                              const char *reason)
{
    if (!dump_file_begin(&device->dump_file, error_of(removal)))
        return NULL;
    const char *path = write_dump(device, removal, reason);
    if (!path) {
        d3d12_device_error(device, EMU_MESSAGE_DUMP_NOT_WRITTEN,
                           "the dump of the removed device could not be written to %s",
                           device->settings.dump_path);
        return NULL;
    }
    if (dump_file_end(&device->dump_file, path))
        return path;
    os_file_remove(path);
    return NULL;
}

void d3d12_device_removed(void *user, const struct emu_kmd_removal *removal)
{
    struct d3d12_device *device = user;
    const emu_config *config = &device->settings.config;
    char reason[128];
    describe(removal, reason, sizeof reason);
    if (removal->tdr)
        tdr_limit_note(removal->tdr->is_adapter);
    dred_freeze(&device->dred, error_of(removal), removal->fault_address);
    history_freeze(&device->history, device->kmd);
    const char *path = leave_dump(device, removal, reason);

    /* D3D12 reports page faults and badly formed commands as DEVICE_HUNG too. */
    const bool hung = error_of(removal) != ANNOT_DEVICE_ERROR_UNKNOWN;
    const HRESULT hr = removal->error == EMU_KMD_MISUSED ? DXGI_ERROR_INVALID_CALL
                       : hung                            ? DXGI_ERROR_DEVICE_HUNG
                                                         : DXGI_ERROR_DEVICE_REMOVED;
    atomic_store_explicit(&device->removed_reason, hr, memory_order_release);
    /* No dump replaces a file, so its name may have a number that nobody asked for. */
    const char *asked = device->settings.dump_path;
    const bool is_renamed = path && !dump_folder_is(asked) && strcmp(path, asked) != 0;
    d3d12_device_error(device, D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT,
                       "device removed: %s%s%s%s%s", reason, path ? "; the dump is " : "",
                       path ? path : "", is_renamed ? ", because the file exists: " : "",
                       is_renamed ? os_file_name(asked) : ""); /* two paths may be too long */
    if (config->on_removed)
        config->on_removed(config->user, error_of(removal), path);
}
