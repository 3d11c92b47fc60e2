/* A driver that fails and lies wherever it may [ANN-DDI-02, -03]: the reference driver behind a set
 * of lies, chosen by the configuration's seed. The seed's lowest bits (emu_lies) say in which ways
 * a device lies at all, so that some seeds fail early and some reach a crash report. The whole seed
 * then decides, call by call, whether the device lies.
 *
 * The driver only writes to its own memory: a driver that corrupts its process is not tested
 * here. */
#include "umd/types.h"

#include <emu/emu.h>

#include <stdlib.h>
#include <string.h>

#define ONE_IN   12u /* one of 12 calls lies, on average */
#define SEEN     64u
#define ROWS     256u
#define BLOB     (1u << 20)
#define OVERREAD (4u << 20) /* bytes that the driver claims in addition to its own */

struct emu_hostile {
    atomic_uint_fast64_t state;      /* state of the generator */
    unsigned lies;                   /* emu_lies */
    atomic_uint_fast64_t seen[SEEN]; /* EventIDs, for use elsewhere */
    annot_progress rows[ROWS];
    char blob[BLOB];
    D3DDDICB_SUBMITCOMMAND log; /* under the history's lock */
    D3DKMT_HANDLE history;
};

/* Splitmix64: any thread may draw. */
static uint64_t draw(struct emu_hostile *hostile)
{
    const uint64_t step = 0x9E3779B97F4A7C15u;
    uint64_t z = atomic_fetch_add(&hostile->state, step) + step;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static bool one_in(struct emu_hostile *hostile, unsigned count)
{
    return draw(hostile) % count == 0;
}

static bool lies(struct emu_hostile *hostile, unsigned where)
{
    return (hostile->lies & where) && one_in(hostile, ONE_IN);
}

static struct emu_hostile *of_object(void *handle)
{
    return ((struct emu_reference_object *)handle)->device->hostile;
}

/* ---- numbers ---- */

/* Returns any number, from a small one to an absurd one. */
static uint64_t wild(struct emu_hostile *hostile)
{
    static const uint64_t favourites[] = {
        0, 1, UINT32_MAX, UINT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 32, (uint64_t)1 << 63, 4096};
    const uint64_t number = draw(hostile);
    switch (draw(hostile) % 3) {
    case 0:
        return favourites[number % (sizeof favourites / sizeof favourites[0])];
    case 1:
        return number % 16;
    default:
        return number;
    }
}

/* Returns the EventID of another marker, the address of another object, or any number. */
static uint64_t forged_id(struct emu_hostile *hostile)
{
    const uint64_t seen = atomic_load(&hostile->seen[draw(hostile) % SEEN]);
    switch (draw(hostile) % 4) {
    case 0:
        return wild(hostile);
    case 1:
        return seen + 1;
    case 2:
        return seen + ((uint64_t)1 << 32); /* a later use */
    default:
        return seen;
    }
}

/* ---- creation and recording ---- */

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    struct emu_hostile *hostile = calloc(1, sizeof *hostile);
    if (!hostile)
        return NULL;
    atomic_init(&hostile->state, seed);
    hostile->lies = (unsigned)(seed & EMU_LIES_ALL);
    struct emu_reference_device *device =
        lies(hostile, EMU_LIES_CREATION) ? NULL : emu__reference_device_create(gpu, true, 0);
    if (!device) {
        free(hostile);
        return NULL;
    }
    device->hostile = hostile;
    return device;
}

static void device_destroy(void *handle)
{
    free(((struct emu_reference_device *)handle)->hostile);
    emu__reference_device_destroy(handle);
}

static void *queue_create(void *device, uint32_t type, uint64_t id)
{
    return lies(((struct emu_reference_device *)device)->hostile, EMU_LIES_CREATION)
               ? NULL
               : emu__reference_queue_create(device, type, id);
}

static void *list_create(void *device, uint32_t type, uint64_t id)
{
    return lies(((struct emu_reference_device *)device)->hostile, EMU_LIES_CREATION)
               ? NULL
               : emu__reference_list_create(device, type, id);
}

static bool list_reset(void *list)
{
    return emu__reference_list_reset(list) && !lies(of_object(list), EMU_LIES_RECORDING);
}

static bool list_close(void *list)
{
    return emu__reference_list_close(list) && !lies(of_object(list), EMU_LIES_RECORDING);
}

/* ---- submission ---- */

/* Makes a finished buffer wrong, in one member or in all members. */
static void spoil(struct emu_hostile *hostile, emu_command_buffer *buffer)
{
    switch (draw(hostile) % 4) {
    case 0:
        buffer->address = wild(hostile);
        break;
    case 1:
        buffer->size = wild(hostile);
        break;
    case 2:
        buffer->address += draw(hostile) % 64;
        break;
    default:
        buffer->size -= draw(hostile) % 64;
        break;
    }
}

/* Makes a marker log break one rule. The log's target stays, because the kernel may read it. */
static void spoil_log(struct emu_hostile *hostile, emu_command_buffer *buffer)
{
    D3DDDICB_SUBMITCOMMAND *log = &hostile->log;
    *log = *buffer->submit;
    buffer->submit = log;
    uint32_t *const numbers[10] = {[0] = &log->RenderCBSequence,
                                   [1] = &log->BroadcastContextCount,
                                   [3] = &log->NumHistoryBuffers,
                                   [7] = &log->CommandLength};
    const uint64_t which = draw(hostile) % 10;
    if (numbers[which])
        *numbers[which] = (uint32_t)wild(hostile);
    switch (which) {
    case 2:
        log->MarkerLogType = (D3DDDI_MARKERLOGTYPE)(draw(hostile) % 4);
        log->BatchedMarkerDataCount = 0;
        break;
    case 4:
        log->HistoryBufferArray = &hostile->history;
        hostile->history = (uint32_t)wild(hostile);
        break;
    case 5:
        log->Flags.NullRendering = 1;
        break;
    case 6:
        log->Flags.Reserved = 1;
        break;
    case 8:
        log->FirstAPISequenceNumberHigh = (uint32_t)draw(hostile) % 3;
        break;
    case 9:
        buffer->submit = NULL;
        break;
    default:
        break;
    }
}

static bool queue_submit(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    struct emu_hostile *hostile = of_object(queue);
    if (lies(hostile, EMU_LIES_SUBMISSION))
        return false;
    if (lies(hostile, EMU_LIES_SUBMISSION))
        return true; /* then there is no buffer */
    if (!emu__reference_queue_submit(queue, submission, out))
        return false;
    if (out->submit && (hostile->lies & EMU_LIES_KERNEL) && one_in(hostile, 3))
        spoil_log(hostile, out);
    if (lies(hostile, EMU_LIES_SUBMISSION))
        spoil(hostile, out);
    return true;
}

static bool queue_flush(void *queue, uint64_t serial, emu_command_buffer *out)
{
    struct emu_hostile *hostile = of_object(queue);
    if (!emu__reference_queue_flush(queue, serial, out) || lies(hostile, EMU_LIES_SUBMISSION))
        return false;
    if (lies(hostile, EMU_LIES_SUBMISSION))
        spoil(hostile, out);
    return true;
}

/* ---- markers ---- */

/* Writes something else in the place of a marker. */
static uint64_t marker_id(struct emu_hostile *hostile, uint64_t event_id)
{
    atomic_store(&hostile->seen[draw(hostile) % SEEN], event_id);
    return lies(hostile, EMU_LIES_MARKERS) ? forged_id(hostile) : event_id;
}

/* Each marker may be written twice. */
#define MARK(noun)                                                                                 \
    static void noun##_mark(void *object, enum emu_marker_kind kind, uint64_t event_id)            \
    {                                                                                              \
        struct emu_hostile *hostile = of_object(object);                                           \
        const uint64_t id = marker_id(hostile, event_id);                                          \
        for (int times = lies(hostile, EMU_LIES_MARKERS) ? 2 : 1; times > 0; times--)              \
            emu__reference_##noun##_mark(object, kind, id);                                        \
    }

MARK(queue)
MARK(list)
EMU_MARKER_CALLS(queue, D3D12DDI_HCOMMANDQUEUE, queue_mark)
EMU_MARKER_CALLS(list, D3D12DDI_HCOMMANDLIST, list_mark)

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, emu__reference_set_name,
};

/* ---- crash report ---- */

/* Spoils one of the first `count` rows. */
static void spoil_row(struct emu_hostile *hostile, annot_progress *row, size_t count)
{
#define MEMBER(name, is_event) offsetof(annot_progress, name), sizeof row->name, is_event
    static const struct {
        size_t offset, size;
        bool is_event;
    } members[] = {{MEMBER(queue, false)},    {MEMBER(submission, false)}, {MEMBER(list, false)},
                   {MEMBER(bundle, false)},   {MEMBER(state, false)},      {MEMBER(started, true)},
                   {MEMBER(completed, true)}, {MEMBER(object, false)},     {MEMBER(inside, false)}};
#undef MEMBER
    const size_t all = sizeof members / sizeof *members, which = draw(hostile) % (all + 1);
    if (which == all) {
        *row = hostile->rows[draw(hostile) % count]; /* the row is there twice */
        return;
    }
    const uint64_t value = members[which].is_event ? forged_id(hostile) : wild(hostile);
    memcpy((char *)row + members[which].offset, &value, members[which].size);
}

static void spoil_rows(struct emu_hostile *hostile, annot_crash_report *report)
{
    size_t count = report->progress_count < ROWS ? report->progress_count : ROWS;
    if (count)
        memcpy(hostile->rows, report->progress, count * sizeof hostile->rows[0]);
    for (size_t i = 0; i < count; i++)
        if (one_in(hostile, 3))
            spoil_row(hostile, &hostile->rows[i], count);
    report->progress = hostile->rows;
    report->progress_count = count;
}

/* Makes a pointer and a count that don't fit each other. */
static void spoil_extent(struct emu_hostile *hostile, const void **pointer, size_t *count,
                         size_t unit)
{
    switch (draw(hostile) % 6) {
    case 0:
        *pointer = NULL;
        *count = SIZE_MAX;
        break;
    case 1:
        *pointer = (const void *)(uintptr_t)wild(hostile);
        *count = (size_t)(wild(hostile) % (OVERREAD / unit));
        break;
    case 2:
        *pointer = (const void *)((uintptr_t)*pointer + 3);
        break;
    case 3:
        *count += OVERREAD / unit;
        break;
    case 4:
        *count = 0;
        break;
    default:
        break;
    }
}

static void spoil_report(struct emu_hostile *hostile, annot_crash_report *report)
{
    const void *rows;
    spoil_rows(hostile, report);
    if (one_in(hostile, 3)) {
        report->blob = hostile->blob;
        report->blob_size = sizeof hostile->blob;
        memset(hostile->blob, (int)(draw(hostile) % 256), sizeof hostile->blob);
    }
    rows = report->progress;
    if (one_in(hostile, 3))
        spoil_extent(hostile, &rows, &report->progress_count, sizeof(annot_progress));
    report->progress = rows;
    if (one_in(hostile, 3))
        spoil_extent(hostile, &report->blob, &report->blob_size, 1);
    if (one_in(hostile, 3))
        report->order_window = (uint32_t)wild(hostile);
    if (one_in(hostile, 3))
        report->promises = (uint32_t)wild(hostile);
    if (one_in(hostile, 3))
        report->fault_address = wild(hostile);
    if (one_in(hostile, 3))
        report->size = (uint32_t)wild(hostile);
}

static void crash_report(void *device, annot_crash_report *report)
{
    struct emu_hostile *hostile = ((struct emu_reference_device *)device)->hostile;
    emu__reference_crash_report(device, report);
    if (hostile->lies & EMU_LIES_REPORT)
        spoil_report(hostile, report);
}

/* ---- debug blobs: sizes that don't fit, and failures ---- */

static int32_t ANNOT_DDI_CALL get_info(D3D12DDI_HDEVICE handle, const void *kernel, size_t size,
                                       D3D12DDI_DEBUG_BLOB_INFO *info)
{
    struct emu_hostile *hostile = ((struct emu_reference_device *)handle.pDrvPrivate)->hostile;
    const int32_t hr = emu__reference_dump_file.pfnGetDebugBlobInfo(handle, kernel, size, info);
    if (!(hostile->lies & EMU_LIES_REPORT))
        return hr;
    for (uint32_t i = 0; i < info->NumDebugBlobDetails; i++)
        if (one_in(hostile, 2))
            info->pDebugBlobDetails[i].DebugBlobSize = (size_t)wild(hostile);
    return one_in(hostile, 4) ? -1 : hr;
}

static int32_t ANNOT_DDI_CALL get_blob(D3D12DDI_HDEVICE handle, const void *kernel, size_t size,
                                       D3D12DDI_DEBUG_BLOB *blob)
{
    struct emu_hostile *hostile = ((struct emu_reference_device *)handle.pDrvPrivate)->hostile;
    if ((hostile->lies & EMU_LIES_REPORT) && one_in(hostile, 3))
        return -1;
    const int32_t hr = emu__reference_dump_file.pfnGetDebugBlob(handle, kernel, size, blob);
    if ((hostile->lies & EMU_LIES_REPORT) && one_in(hostile, 2))
        blob->DebugBlobSize = (size_t)wild(hostile);
    if ((hostile->lies & EMU_LIES_REPORT) && one_in(hostile, 4))
        blob->pDebugBlob = NULL;
    return hr;
}

static const D3D12DDI_DUMP_FILE_FUNCS_0121 dump_file = {emu__reference_set_dump_options, get_info,
                                                        get_blob};

const emu_driver emu__driver_hostile = {
    .annot = {"hostile", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &annotation,
              sizeof(ANNOT_DDI_WCHAR)},
    .dump_file = &dump_file,
    .dump_file_options =
        D3D12DDI_DUMP_FILE_OPTION_NO_OVERHEAD | D3D12DDI_DUMP_FILE_OPTION_EVENT_MARKERS,
    .device_create = device_create,
    .device_destroy = device_destroy,
    .queue_create = queue_create,
    .list_create = list_create,
    .list_reset = list_reset,
    .list_close = list_close,
    .queue_submit = queue_submit,
    .queue_flush = queue_flush,
    .crash_report = crash_report,
    EMU_REFERENCE_BASE,
};
