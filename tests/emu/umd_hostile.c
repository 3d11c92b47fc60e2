/* The driver that lies [ANN-DDI-02, -03]: where its seed says, and nowhere else. */
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
    D3D12DDI_DEBUG_BLOB_DETAILS truth = {D3D12DDI_DEBUG_BLOB_TYPE_FULL, sizeof bytes}, said = truth;
    D3D12DDI_DEBUG_BLOB_INFO info = {1, &truth};
    D3D12DDI_DEBUG_BLOB blob = {D3D12DDI_DEBUG_BLOB_TYPE_FULL, sizeof bytes, bytes};
    cr_assert_eq(emu__reference_dump_file.pfnGetDebugBlobInfo(device, NULL, 0, &info), 0);
    info.details = &said;
    const bool lies[] = {funcs->pfnGetDebugBlobInfo(device, NULL, 0, &info) != 0,
                         said.size != truth.size,
                         funcs->pfnGetDebugBlob(device, NULL, 0, &blob) != 0,
                         blob.size != truth.size && blob.size != sizeof bytes, !blob.data};
    unsigned bits = 0;
    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; i++)
        bits |= (unsigned)lies[i] << i;
    return bits;
}

/* emu.h: "hostile" lies where its seed says, in every field now and then, and nowhere else. */
Test(umd_hostile, a_report_lies_in_each_of_its_fields_now_and_then)
{
    for (int lying = 0; lying < 2; lying++) {
        struct rig r;
        rig_init(&r, lying ? EMU_LIES_REPORT : 0);
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
        rig_finish(&r);
    }
}
