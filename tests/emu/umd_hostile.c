/* The driver that lies [ANN-DDI-02, -03]: where its seed says, and nowhere else. */
#include "at_end.h"
#include "umd/driver.h"
#include "umd/types.h"
#include "rig.h"

/* Two lists that were submitted, of which nothing was executed. */
struct rig {
    emu_gpu *gpu;
    const emu_driver *driver;
    void *device, *queue, *lists[2];
};

static void rig_init(struct rig *r, uint64_t seed)
{
    r->gpu = emu_gpu_create();
    r->driver = emu_driver_find("hostile");
    r->device = r->driver->device_create(r->gpu, seed);
    r->queue = r->driver->queue_create(r->device, 0, 11);
    for (uint64_t i = 0; i < 2; i++) {
        r->lists[i] = r->driver->list_create(r->device, 0, 12 + i);
        cr_assert(r->lists[i] && r->driver->list_close(r->lists[i]));
    }
    emu_command_buffer buffer;
    cr_assert(r->driver->queue_submit(
        r->queue, &(emu_submission){.lists = r->lists, .count = 2, .serial = 9}, &buffer));
}

static void rig_finish(struct rig *r)
{
    for (int i = 0; i < 2; i++)
        r->driver->list_destroy(r->lists[i]);
    r->driver->queue_destroy(r->queue);
    r->driver->device_destroy(r->device);
    emu_gpu_destroy(r->gpu);
}

enum { LIES_OF_ROWS = 9 };

/* The fields in which two rows differ, a bit each. */
static unsigned differences(const annot_progress *a, const annot_progress *b)
{
    const bool differ[LIES_OF_ROWS] = {a->queue != b->queue,           a->object != b->object,
                                       a->submission != b->submission, a->list != b->list,
                                       a->bundle != b->bundle,         a->state != b->state,
                                       a->inside != b->inside,         a->started != b->started,
                                       a->completed != b->completed};
    unsigned bits = 0;
    for (unsigned i = 0; i < LIES_OF_ROWS; i++)
        bits |= (unsigned)differ[i] << i;
    return bits;
}

static bool is_one(unsigned bits)
{
    return (bits & (bits - 1)) == 0;
}

/* A row lies in one field, or repeats another one that may. */
static unsigned lies_of_row(const annot_progress *row, const annot_crash_report *truth, size_t i)
{
    const unsigned bits = differences(row, &truth->progress[i]);
    bool is_repeated = is_one(bits);
    for (size_t k = 0; k < truth->progress_count; k++)
        is_repeated |= is_one(differences(row, &truth->progress[k]));
    cr_assert(is_repeated, "row %zu: %x", i, bits);
    return bits;
}

/* The fields of a report that lie, a bit each. */
static unsigned lies_of(struct rig *r, const annot_progress **rows)
{
    annot_crash_report truth = {.size = sizeof truth}, said = truth;
    emu__reference_crash_report(r->device, &truth);
    r->driver->crash_report(r->device, &said);
    unsigned bits = 0;
    if (!*rows)
        *rows = said.progress;
    else if (said.progress == *rows && said.progress_count == truth.progress_count)
        for (size_t i = 0; i < truth.progress_count; i++)
            bits |= lies_of_row(&said.progress[i], &truth, i);
    const bool lies[] = {said.progress != *rows,
                         said.progress_count != truth.progress_count,
                         said.blob != truth.blob,
                         said.blob_size != truth.blob_size,
                         said.order_window != truth.order_window,
                         said.promises != truth.promises,
                         said.fault_address != truth.fault_address,
                         said.size != truth.size};
    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; i++)
        bits |= (unsigned)lies[i] << (LIES_OF_ROWS + i);
    return bits;
}

/* The same of its debug blob: refused, announced, returned with another size, and nowhere. */
static unsigned lies_of_blob(struct rig *r)
{
    static char bytes[4096];
    const D3D12DDI_HDEVICE device = {r->device};
    const D3D12DDI_DUMP_FILE_FUNCS_0121 *funcs = r->driver->dump_file;
    D3D12DDI_DEBUG_BLOB_DETAILS truth = {D3D12DDI_DEBUG_BLOB_FULL, sizeof bytes}, said = truth;
    D3D12DDI_DEBUG_BLOB_INFO info = {1, &truth};
    D3D12DDI_DEBUG_BLOB blob = {D3D12DDI_DEBUG_BLOB_FULL, sizeof bytes, bytes};
    cr_assert_eq(emu__reference_dump_file.pfnGetDebugBlobInfo(device, NULL, 0, &info), 0);
    info.pDebugBlobDetails = &said;
    const bool lies[] = {funcs->pfnGetDebugBlobInfo(device, NULL, 0, &info) != 0,
                         said.DebugBlobSize != truth.DebugBlobSize,
                         funcs->pfnGetDebugBlob(device, NULL, 0, &blob) != 0,
                         blob.DebugBlobSize != truth.DebugBlobSize &&
                             blob.DebugBlobSize != sizeof bytes,
                         !blob.pDebugBlob};
    unsigned bits = 0;
    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; i++)
        bits |= (unsigned)lies[i] << i;
    return bits;
}

/* emu.h: "hostile" lies where its seed says, in every field now and then, and nowhere else. */
Test(umd_hostile, a_report_lies_in_each_of_its_fields_now_and_then)
{
    for (int lying = 0; lying < 2; lying++) {
        RIG(lying ? EMU_LIES_REPORT : 0);
        const annot_progress *rows = NULL;
        unsigned reports = 0, blobs = 0, honest = 0;
        for (int i = 0; i < 2000; i++) {
            const unsigned report = lies_of(&r, &rows), blob = lies_of_blob(&r);
            reports |= report;
            blobs |= blob;
            honest += report == 0 && blob == 0;
        }
        cr_expect_eq(reports, lying ? (1u << (LIES_OF_ROWS + 8)) - 1 : 0);
        cr_expect_eq(blobs, lying ? 0x1Fu : 0);
        cr_expect(lying ? honest > 0 && honest < 2000 : honest == 2000, "%u", honest);
    }
}

/* ---- the other ways to lie, each by itself ---- */

/* What was seen of one device: a bit for each lie. */
struct lies_seen {
    unsigned creation, recording, submission, flush, markers, log;
};

static unsigned bit(unsigned n, bool is_so)
{
    return is_so ? 1u << n : 0;
}

/* Devices, queues and lists of many seeds that agree in how they lie. */
static unsigned lies_of_creation(emu_gpu *gpu, const emu_driver *driver, unsigned lies)
{
    unsigned bits = 0;
    for (uint64_t n = 1; n < 200; n++) {
        void *device = driver->device_create(gpu, lies | n << 6);
        bits |= bit(0, !device);
        if (!device)
            continue;
        void *queue = driver->queue_create(device, 0, 1), *list = driver->list_create(device, 0, 2);
        bits |= bit(1, !queue) | bit(2, !list);
        driver->list_destroy(list);
        driver->queue_destroy(queue);
        driver->device_destroy(device);
    }
    return bits;
}

static unsigned lies_of_recording(const emu_driver *driver, void *list)
{
    unsigned bits = 0;
    for (int i = 0; i < 200; i++)
        bits |= bit(0, !driver->list_reset(list)) | bit(1, !driver->list_close(list));
    return bits;
}

/* Of the buffer that was made last, and what is said of it. */
static unsigned lies_of_buffer(const struct emu_reference_queue *queue, emu_command_buffer said,
                               uint64_t size)
{
    const struct emu_reference_submission *last = queue->first;
    while (last->next)
        last = last->next;
    const uint64_t address = last->memory.address + last->row_count * sizeof(struct emu_progress);
    return bit(0, said.address != address) | bit(1, said.size != size);
}

static void submit_and_flush(const emu_driver *driver, struct emu_reference_queue *queue,
                             void *list, struct lies_seen *seen)
{
    const uint64_t empty = sizeof(struct emu_packet_queue) + sizeof(struct emu_packet_header);
    const uint64_t whole = empty + sizeof(struct emu_packet_execution_begin) +
                           sizeof(struct emu_packet_call) + sizeof(struct emu_packet_header);
    const uint32_t high = 5;
    for (uint64_t serial = 1; serial < 4000; serial++) {
        emu_command_buffer out = {.address = 1, .size = 2};
        const bool ok =
            driver->queue_submit(queue, &(emu_submission){&list, 1, serial, NULL, &high}, &out);
        if (!ok || !queue->first) { /* refused, or without a buffer */
            seen->submission |= ok ? 1u << 2 : 1u << 3;
            cr_assert(!queue->first);
            cr_assert_eqs(out.address, 1, out.size, 2);
        } else {
            seen->submission |= lies_of_buffer(queue, out, whole);
            /* the log of the reference driver begins with it */
            seen->log |=
                bit(0, !out.submit) |
                bit(1, out.submit && memcmp(out.submit, queue->log, sizeof *out.submit) != 0);
        }
        driver->submission_retired(queue, serial);
        emu__reference_queue_mark(queue, EMU_MARKER_SET, serial);
        if (driver->queue_flush(queue, serial, &out))
            seen->flush |= lies_of_buffer(queue, out, empty + sizeof(struct emu_packet_marker));
        else
            seen->flush |= 1u << 2;
        driver->submission_retired(queue, serial);
    }
}

/* Every marker becomes one packet or two that are alike. */
static unsigned lies_of_markers(const emu_driver *driver, void *list)
{
    unsigned bits = 0;
    uint64_t written = 0;
    emu__reference_list_reset(list);
    for (uint64_t i = 1; i <= 2000; i++) {
        driver->annot.annotation->pfnCmdListSetMarker((D3D12DDI_HCOMMANDLIST){list}, 0, NULL, 0,
                                                      1000 * i);
        const struct emu_recording *recording = ((struct emu_reference_list *)list)->recording;
        const struct emu_packet_marker *packet = recording->memory.cpu;
        const uint64_t count = recording->used / sizeof *packet - written;
        packet += written;
        written += count;
        cr_assert(count == 1 || (count == 2 && packet[1].event_id == packet->event_id));
        cr_assert_eqs(packet->kind, EMU_MARKER_SET, packet[count - 1].kind, EMU_MARKER_SET);
        bits |= bit(0, packet->event_id != 1000 * i) | bit(1, count == 2);
    }
    return bits;
}

/* emu.h: the lowest bits of the seed say in which ways it lies. */
Test(umd_hostile, it_lies_in_every_way_of_the_kinds_that_its_seed_has_and_in_no_other)
{
    const unsigned kinds[] = {0,
                              EMU_LIES_CREATION,
                              EMU_LIES_RECORDING,
                              EMU_LIES_SUBMISSION,
                              EMU_LIES_MARKERS,
                              EMU_LIES_REPORT,
                              EMU_LIES_KERNEL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const unsigned kind = kinds[i];
        AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
        const emu_driver *driver = emu_driver_find("hostile");
        struct lies_seen seen = {.creation = lies_of_creation(gpu, driver, kind)};
        void *device = NULL, *queue = NULL, *list = NULL;
        for (uint64_t n = 1000; !device; n++)
            device = driver->device_create(gpu, kind | n << 6);
        driver->set_marker_mode(device, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 0);
        while (!queue)
            queue = driver->queue_create(device, 0, 11);
        while (!list)
            list = driver->list_create(device, 0, 12);
        seen.recording = lies_of_recording(driver, list);
        submit_and_flush(driver, queue, list, &seen);
        seen.markers = lies_of_markers(driver, list);
        cr_expect_eq(seen.creation, kind == EMU_LIES_CREATION ? 7 : 0, "%u", kind);
        cr_expect_eq(seen.recording, kind == EMU_LIES_RECORDING ? 3 : 0, "%u", kind);
        cr_expect_eq(seen.submission, kind == EMU_LIES_SUBMISSION ? 15 : 0, "%u", kind);
        cr_expect_eq(seen.flush, kind == EMU_LIES_SUBMISSION ? 7 : 0, "%u", kind);
        cr_expect_eq(seen.log, kind == EMU_LIES_KERNEL ? 3 : 0, "%u", kind);
        cr_expect_eq(seen.markers, kind == EMU_LIES_MARKERS ? 3 : 0, "%u", kind);
        driver->list_destroy(list);
        driver->queue_destroy(queue);
        driver->device_destroy(device);
    }
}
