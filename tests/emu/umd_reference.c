/* The reference driver and its variants: what a crash report says, from GPU memory alone
 * [ANN-CRASH-02, ANN-DDI-02]. */
#include "at_end.h"
#include "umd/driver.h"
#include "umd/types.h"
#include "rig.h"

#include <annot/text.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

struct rig {
    emu_gpu *gpu;
    const emu_driver *driver;
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation;
    void *device;
    void *queue;
    struct emu_engine engine;
    emu_gpu_memory word;
};

enum { QUEUE_ID = 11, LIST_ID = 12 };

static void rig_init(struct rig *r, const char *driver)
{
    r->gpu = emu_gpu_create();
    r->driver = emu_driver_find(driver);
    cr_assert_not_null(r->driver);
    r->annotation = r->driver->annot.annotation;
    r->device = r->driver->device_create(r->gpu, 0);
    r->queue = r->driver->queue_create(r->device, 0, QUEUE_ID);
    cr_assert_not_null(r->queue);
    emu_engine_init(&r->engine, r->gpu);
    r->word = allocate(r->gpu, 4096);
}

static void rig_finish(struct rig *r)
{
    r->driver->queue_destroy(r->queue);
    r->driver->device_destroy(r->device);
    emu_gpu_destroy(r->gpu);
}

static void *list_create(struct rig *r)
{
    void *list = r->driver->list_create(r->device, 0, LIST_ID);
    cr_assert_not_null(list);
    return list;
}

static void begin(struct rig *r, void *list, uint64_t id)
{
    r->annotation->pfnCmdListBeginEvent((D3D12DDI_HCOMMANDLIST){list}, 0, "name", 5, id);
}

static void end(struct rig *r, void *list, uint64_t id)
{
    r->annotation->pfnCmdListEndEvent((D3D12DDI_HCOMMANDLIST){list}, id);
}

static void set(struct rig *r, void *list, uint64_t id)
{
    r->annotation->pfnCmdListSetMarker((D3D12DDI_HCOMMANDLIST){list}, 0, "name", 5, id);
}

static void queue_begin(struct rig *r, uint64_t id)
{
    r->annotation->pfnCmdQueueBeginEvent((D3D12DDI_HCOMMANDQUEUE){r->queue}, 0, NULL, 0, id);
}

static void queue_end(struct rig *r, uint64_t id)
{
    r->annotation->pfnCmdQueueEndEvent((D3D12DDI_HCOMMANDQUEUE){r->queue}, id);
}

static void queue_set(struct rig *r, uint64_t id)
{
    r->annotation->pfnCmdQueueSetMarker((D3D12DDI_HCOMMANDQUEUE){r->queue}, 0, NULL, 0, id);
}

static void spin(struct rig *r, void *list)
{
    r->driver->cmd_dispatch(list, &(emu_dispatch){.kernel = EMU_KERNEL_SPIN, .groups = {1, 1, 1}});
}

static emu_command_buffer submit(struct rig *r, void *const *lists, uint32_t count, uint64_t serial)
{
    emu_command_buffer b;
    cr_assert(r->driver->queue_submit(
        r->queue, &(emu_submission){.lists = lists, .count = count, .serial = serial}, &b));
    return b;
}

static enum emu_engine_status execute(struct rig *r, emu_command_buffer b)
{
    emu_engine_start(&r->engine, b.address, b.size);
    return run(&r->engine);
}

/* Executes packets until the word at offset `index` is `value`. */
static void execute_until(struct rig *r, emu_command_buffer b, size_t index, uint32_t value)
{
    emu_engine_start(&r->engine, b.address, b.size);
    while (((uint32_t *)r->word.cpu)[index] != value)
        cr_assert_eq(step(&r->engine), EMU_ENGINE_BUSY);
}

static void write_word(struct rig *r, void *list, size_t index, uint32_t value)
{
    r->driver->cmd_write_immediate(list, r->word.address + index * 4, value, 0);
}

struct row {
    uint64_t submission;
    uint32_t list, bundle, state;
    uint64_t started, completed;
};

static void check_report(struct rig *r, const struct row *expected, size_t count)
{
    annot_crash_report report = {.size = sizeof report};
    r->driver->crash_report(r->device, &report);
    cr_assert_eq(report.progress_count, count, "%zu rows", report.progress_count);
    cr_assert_eq(report.fault_address, 0);
    for (size_t i = 0; i < count; i++) {
        const annot_progress *p = &report.progress[i];
        cr_assert_eq(p->queue, QUEUE_ID);
        cr_assert_eq(p->object, p->list == ANNOT_PROGRESS_QUEUE ? 0 : LIST_ID);
        cr_assert_eq(p->submission, expected[i].submission, "row %zu", i);
        cr_assert_eq(p->list, expected[i].list, "row %zu", i);
        cr_assert_eq(p->bundle, expected[i].bundle, "row %zu", i);
        cr_assert_eq(p->state, expected[i].state, "row %zu: state %u", i, p->state);
        cr_assert_eq(p->started, expected[i].started, "row %zu: started %llu", i,
                     (unsigned long long)p->started);
        cr_assert_eq(p->completed, expected[i].completed, "row %zu: completed %llu", i,
                     (unsigned long long)p->completed);
        cr_assert_eq(p->inside, ANNOT_INSIDE_TRACKED);
    }
}

#define CHECK_REPORT(r, ...)                                                                       \
    check_report(r, (const struct row[]){__VA_ARGS__},                                             \
                 sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row))

#define QUEUE ANNOT_PROGRESS_QUEUE
enum {
    NOT = ANNOT_PROGRESS_NOT_STARTED,
    STARTED = ANNOT_PROGRESS_STARTED,
    FINISHED = ANNOT_PROGRESS_FINISHED
};

/* ---- reports ---- */

Test(umd_reference, a_hang_between_markers_is_placed)
{
    RIG("reference");
    void *lists[3] = {list_create(&r), list_create(&r), list_create(&r)};
    begin(&r, lists[0], 100);
    end(&r, lists[0], 100);
    begin(&r, lists[1], 200);
    set(&r, lists[1], 201);
    begin(&r, lists[1], 202);
    spin(&r, lists[1]);
    set(&r, lists[1], 203);
    set(&r, lists[2], 300);
    for (int i = 0; i < 3; i++)
        cr_assert(r.driver->list_close(lists[i]));
    emu_command_buffer b = submit(&r, lists, 3, 9);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {9, 0, 0, NOT, 0, 0}, {9, 1, 0, NOT, 0, 0},
                 {9, 2, 0, NOT, 0, 0});
    cr_assert_eq(execute(&r, b), EMU_ENGINE_SPINNING);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {9, 0, 0, FINISHED, 100, 100},
                 {9, 1, 0, STARTED, 202, 201}, {9, 2, 0, NOT, 0, 0});
    for (int i = 0; i < 3; i++)
        r.driver->list_destroy(lists[i]);
}

Test(umd_reference, queue_markers_are_in_order_with_submissions)
{
    RIG("reference");
    void *list = list_create(&r);
    write_word(&r, list, 0, 1);
    cr_assert(r.driver->list_close(list));
    queue_begin(&r, 70);
    queue_set(&r, 71);
    emu_command_buffer first = submit(&r, &list, 1, 1);
    queue_end(&r, 70);
    queue_begin(&r, 72);
    emu_command_buffer second = submit(&r, &list, 1, 2);
    queue_end(&r, 72);
    emu_command_buffer third;
    cr_assert(r.driver->queue_flush(r.queue, 3, &third));
    cr_assert_neq(third.size, 0);
    emu_command_buffer none;
    cr_assert(r.driver->queue_flush(r.queue, 4, &none));
    cr_assert_eq(none.size, 0, "nothing new");
    execute_until(&r, first, 0, 1);
    CHECK_REPORT(&r, {0, QUEUE, 0, STARTED, 71, 71}, {1, 0, 0, STARTED, 0, 0},
                 {2, 0, 0, NOT, 0, 0});
    run(&r.engine);
    *(uint32_t *)r.word.cpu = 0;
    execute_until(&r, second, 0, 1);
    CHECK_REPORT(&r, {0, QUEUE, 0, STARTED, 72, 70}, {1, 0, 0, FINISHED, 0, 0},
                 {2, 0, 0, STARTED, 0, 0});
    run(&r.engine);
    execute(&r, third);
    CHECK_REPORT(&r, {0, QUEUE, 0, STARTED, 72, 72}, {1, 0, 0, FINISHED, 0, 0},
                 {2, 0, 0, FINISHED, 0, 0});
    r.driver->submission_retired(r.queue, 1);
    CHECK_REPORT(&r, {0, QUEUE, 0, STARTED, 72, 72}, {2, 0, 0, FINISHED, 0, 0});
    r.driver->list_destroy(list);
}

Test(umd_reference, rows_come_from_gpu_memory_alone)
{
    RIG("reference");
    void *list = list_create(&r);
    set(&r, list, 5);
    cr_assert(r.driver->list_close(list));
    emu_command_buffer b = submit(&r, &list, 1, 1);
    cr_assert_eq(execute(&r, b), EMU_ENGINE_DONE);
    /* Something writes over the row, which lies before the packets: the report says what is there
     * now. */
    struct emu_progress *progress =
        emu_gpu_translate(r.gpu, b.address - sizeof *progress, sizeof *progress);
    cr_assert_eq(progress->started, 5);
    memset(progress, 0xEE, sizeof *progress);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0},
                 {1, 0, 0, ANNOT_PROGRESS_UNKNOWN, 0xEEEEEEEEEEEEEEEE, 0xEEEEEEEEEEEEEEEE});
    r.driver->list_destroy(list);
}

Test(umd_reference, fills_no_field_beyond_the_runtimes_struct)
{
    RIG("reference");
    annot_crash_report report;
    memset(&report, 0x55, sizeof report);
    report.size = offsetof(annot_crash_report, progress);
    r.driver->crash_report(r.device, &report);
    cr_assert_eq(report.size, offsetof(annot_crash_report, progress));
    cr_assert_eq(report.order_window, 0);
    cr_assert_eq(report.blob_size, 0x5555555555555555);
    annot_crash_report longer[2]; /* of a runtime that knows more */
    memset(longer, 0x55, sizeof longer);
    longer->size = sizeof longer;
    r.driver->crash_report(r.device, longer);
    cr_assert_eqs(longer[0].size, sizeof longer, longer[0].progress_count, 1);
    cr_assert_eqs(longer[1].size, 0x55555555, longer[1].blob_size, 0x5555555555555555);
}

/* ---- lifetimes ---- */

Test(umd_reference, recycled_rows_start_anew)
{
    RIG("reference");
    void *list = list_create(&r);
    set(&r, list, 5);
    cr_assert(r.driver->list_close(list));
    emu_command_buffer first = submit(&r, &list, 1, 1);
    cr_assert_eq(execute(&r, first), EMU_ENGINE_DONE);
    r.driver->submission_retired(r.queue, 1);
    emu_command_buffer second = submit(&r, &list, 1, 2);
    cr_assert_eq(second.address, first.address, "the same memory");
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {2, 0, 0, NOT, 0, 0});
    r.driver->list_destroy(list);
}

/* [DirectX dump files, GetDebugBlobInfo]: the size before the call is the most that is wanted; 0
 * says that there is no maximum. */
Test(umd_reference, a_debug_blob_of_no_maximum_is_as_large_as_it_is)
{
    RIG("reference");
    queue_begin(&r, 77);
    D3D12DDI_DEBUG_BLOB_DETAILS details[] = {{D3D12DDI_DEBUG_BLOB_MINI, 1u << 20},
                                             {D3D12DDI_DEBUG_BLOB_MINI, 0},
                                             {D3D12DDI_DEBUG_BLOB_MINI, 1},
                                             {(D3D12DDI_DEBUG_BLOB_TYPE)77, 0}};
    D3D12DDI_DEBUG_BLOB_INFO info = {4, details};
    cr_assert_eq(
        r.driver->dump_file->pfnGetDebugBlobInfo((D3D12DDI_HDEVICE){r.device}, NULL, 0, &info), 0);
    cr_expect_gt(details[0].DebugBlobSize, 1);
    cr_expect_eq(details[1].DebugBlobSize, details[0].DebugBlobSize);
    cr_expect_eq(details[2].DebugBlobSize, 0);
    cr_expect_eq(details[3].DebugBlobSize, 0);
}

Test(umd_reference, a_closed_list_takes_nothing_more)
{
    RIG("reference");
    void *list = list_create(&r);
    write_word(&r, list, 0, 1);
    cr_assert(r.driver->list_close(list));
    emu_command_buffer b = submit(&r, &list, 1, 1);
    for (int i = 0; i < 1000; i++)
        write_word(&r, list, 0, 2);
    cr_assert_eq(execute(&r, b), EMU_ENGINE_DONE);
    cr_assert_eq(execute(&r, submit(&r, &list, 1, 2)), EMU_ENGINE_DONE);
    cr_assert_eq(*(uint32_t *)r.word.cpu, 1);
    r.driver->list_destroy(list);
}

Test(umd_reference, a_steady_frame_loop_uses_no_more_memory)
{
    RIG("reference");
    void *list = list_create(&r);
    size_t after_warm_up = 0;
    for (uint64_t frame = 1; frame <= 200; frame++) {
        cr_assert(r.driver->list_reset(list));
        for (uint64_t i = 0; i < 500; i++)
            set(&r, list, frame * 1000 + i);
        cr_assert(r.driver->list_close(list));
        queue_set(&r, frame);
        cr_assert_eq(execute(&r, submit(&r, &list, 1, 2 * frame - 1)), EMU_ENGINE_DONE);
        queue_set(&r, frame);
        emu_command_buffer b;
        cr_assert(r.driver->queue_flush(r.queue, 2 * frame, &b));
        execute(&r, b);
        r.driver->submission_retired(r.queue, 2 * frame);
        if (frame == 10)
            after_warm_up = r.gpu->count;
    }
    cr_assert_leq(r.gpu->count, after_warm_up);
    r.driver->list_destroy(list);
}

Test(umd_reference, buffers_of_markers_alone_come_back)
{
    RIG("reference");
    for (uint64_t i = 1; i <= 1000; i++) {
        queue_set(&r, i);
        emu_command_buffer b;
        cr_assert(r.driver->queue_flush(r.queue, i, &b));
        cr_assert_eq(execute(&r, b), EMU_ENGINE_DONE);
        r.driver->submission_retired(r.queue, i);
    }
    cr_assert_leq(r.gpu->count, 6);
    CHECK_REPORT(&r, {0, QUEUE, 0, STARTED, 1000, 1000});
}

/* A submission that was never made leaves no row, and what else it held comes back. */
Test(umd_reference, a_withdrawn_submission_is_forgotten)
{
    RIG("reference");
    void *list = list_create(&r);
    set(&r, list, 5);
    cr_assert(r.driver->list_close(list));
    emu_command_buffer first = submit(&r, &list, 1, 1);
    submit(&r, &list, 1, 2);
    r.driver->submission_withdrawn(r.queue, 2);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {1, 0, 0, NOT, 0, 0});
    emu_command_buffer second = submit(&r, &list, 1, 2);
    cr_assert_eq(execute(&r, first), EMU_ENGINE_DONE);
    cr_assert_eq(execute(&r, second), EMU_ENGINE_DONE);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {1, 0, 0, FINISHED, 5, 5},
                 {2, 0, 0, FINISHED, 5, 5});
    r.driver->submission_retired(r.queue, 2);
    r.driver->list_destroy(list);
}

/* ---- limits ---- */

Test(umd_reference, without_memory_a_list_fails_at_close_and_recovers_by_reset)
{
    RIG("reference");
    void *list = list_create(&r);
    void *small = list_create(&r);
    set(&r, small, 1);
    cr_assert(r.driver->list_close(small));
    uint64_t limit = r.gpu->end;
    exhaust(r.gpu);
    for (uint64_t i = 1; i < 1000; i++)
        set(&r, list, i);
    cr_assert_not(r.driver->list_close(list));
    emu_command_buffer b;
    emu_submission submission = {.lists = &small, .count = 1, .serial = 1};
    cr_assert_not(r.driver->queue_submit(r.queue, &submission, &b));
    cr_assert_null(r.driver->queue_create(r.device, 0, QUEUE_ID));
    r.gpu->end = limit;
    submission.lists = &list;
    cr_assert_not(r.driver->queue_submit(r.queue, &submission, &b), "not closed");
    cr_assert(r.driver->list_reset(list));
    set(&r, list, 7);
    cr_assert(r.driver->list_close(list));
    cr_assert_eq(execute(&r, submit(&r, &list, 1, 1)), EMU_ENGINE_DONE);
    CHECK_REPORT(&r, {0, QUEUE, 0, NOT, 0, 0}, {1, 0, 0, FINISHED, 7, 7});
    r.driver->list_destroy(list);
    r.driver->list_destroy(small);
}

Test(umd_reference, only_closed_bundles_that_call_no_bundle_can_be_executed)
{
    RIG("reference");
    void *open = list_create(&r);
    void *list = list_create(&r);
    r.driver->cmd_execute_bundle(list, open);
    cr_assert_not(r.driver->list_close(list));
    cr_assert(r.driver->list_close(open));
    cr_assert(r.driver->list_reset(list));
    r.driver->cmd_execute_bundle(list, open);
    cr_assert(r.driver->list_close(list));
    void *outer = list_create(&r);
    r.driver->cmd_execute_bundle(outer, list);
    cr_assert_not(r.driver->list_close(outer));
    r.driver->list_destroy(open);
    r.driver->list_destroy(list);
    r.driver->list_destroy(outer);
}

Test(umd_reference, queue_markers_past_the_limit_make_the_row_unknown)
{
    RIG("reference");
    for (uint64_t i = 1; i <= EMU_REFERENCE_MARKER_LIMIT + 1; i++)
        queue_set(&r, i);
    emu_command_buffer b;
    cr_assert(r.driver->queue_flush(r.queue, 1, &b));
    cr_assert_eq(execute(&r, b), EMU_ENGINE_DONE);
    annot_crash_report report = {.size = sizeof report};
    r.driver->crash_report(r.device, &report);
    cr_assert_eq(report.progress_count, 1);
    cr_expect_eq(report.progress[0].state, ANNOT_PROGRESS_UNKNOWN);
    cr_expect_eq(report.progress[0].inside, ANNOT_INSIDE_LOST);
    cr_expect_eq(report.progress[0].started, 0, "later ones may have been reached");
}

/* ---- names ---- */

static const struct emu_reference_blob *blob(struct rig *r, size_t *size)
{
    annot_crash_report report = {.size = sizeof report};
    r->driver->crash_report(r->device, &report);
    *size = report.blob_size;
    return report.blob;
}

static void set_name(struct rig *r, void *handle, D3D12DDI_HANDLETYPE type, const wchar_t *name)
{
    r->annotation->pfnSetName((D3D12DDI_HANDLE_AND_TYPE){handle, type}, name);
}

Test(umd_reference, keeps_the_names_of_all_objects_for_its_blob)
{
    RIG("reference");
    size_t size;
    void *list = list_create(&r);
    wchar_t name[] = L"shadow list";
    set_name(&r, list, D3D12DDI_HT_COMMAND_LIST, name);
    name[0] = L'X';                                              /* the driver has its own copy */
    set_name(&r, list, D3D12DDI_HT_RESOURCE, L"another kind's"); /* not an object of that kind */
    const struct emu_reference_blob *b = blob(&r, &size);
    cr_assert_str_eq(b->magic, "EMUREF2");
    cr_assert_eq(b->name_count, 1);
    const struct emu_reference_blob_name *entry = (const void *)(b + 1);
    cr_assert_eq(entry->id, LIST_ID);
    cr_assert_eq(entry->type, D3D12DDI_HT_COMMAND_LIST);
    cr_assert_eq(entry->bytes, 11 * sizeof(wchar_t));
    cr_assert_eq(memcmp(entry + 1, L"shadow list", entry->bytes), 0);
    set_name(&r, list, D3D12DDI_HT_COMMAND_LIST, NULL);
    cr_assert_eq(blob(&r, &size)->name_count, 0);
    cr_assert_eq(size, sizeof *b);
    static wchar_t huge[1 << 20];
    wmemset(huge, L'n', (1 << 20) - 1);
    set_name(&r, r.queue, D3D12DDI_HT_COMMAND_QUEUE, huge);
    set_name(&r, list, D3D12DDI_HT_COMMAND_LIST, L"again");
    cr_assert_eq(blob(&r, &size)->name_count, 2);
    cr_assert_leq(size, 3 * 16 + (EMU_REFERENCE_NAME_LIMIT + 8) * sizeof(wchar_t));
    r.driver->list_destroy(list);
    cr_assert_eq(blob(&r, &size)->name_count, 1);
    void *fence = r.driver->object_create(r.device, D3D12DDI_HT_FENCE, 77);
    set_name(&r, fence, D3D12DDI_HT_FENCE, L"frame");
    b = blob(&r, &size);
    cr_assert_eq(b->name_count, 2);
    entry = (const void *)(b + 1); /* the newest comes first */
    cr_expect_eq(entry->id, 77);
    cr_expect_eq(entry->type, D3D12DDI_HT_FENCE);
    cr_expect_eq(memcmp(entry + 1, L"frame", entry->bytes), 0);
    r.driver->object_destroy(fence);
    cr_assert_eq(blob(&r, &size)->name_count, 1);
}

/* ---- the other drivers ---- */

/* ANN-CRASH-05: a reported EventID may be up to the window off, and never more. */
Test(umd_reorder, moves_markers_within_the_window_it_declares)
{
    enum { COUNT = 1000 };
    struct rig r;
    rig_init(&r, "reorder");
    void *list = list_create(&r);
    for (uint64_t i = 1; i <= COUNT; i++) {
        set(&r, list, i);
        write_word(&r, list, 0, (uint32_t)i);
    }
    cr_assert(r.driver->list_close(list));
    emu_command_buffer b = submit(&r, &list, 1, 1);
    emu_engine_start(&r.engine, b.address, b.size);
    annot_crash_report report = {.size = sizeof report};
    static bool seen[COUNT + 1];
    unsigned moved = 0;
    uint32_t last = 0;
    while (step(&r.engine) != EMU_ENGINE_DONE) {
        uint32_t now = *(uint32_t *)r.word.cpu;
        if (now == last)
            continue;
        last = now;
        r.driver->crash_report(r.device, &report);
        int64_t off = (int64_t)report.progress[1].started - now;
        cr_assert_leq(llabs(off), report.order_window);
        cr_assert_not(seen[report.progress[1].started]);
        seen[report.progress[1].started] = true;
        moved += off != 0;
    }
    cr_assert_eq(last, COUNT);
    cr_assert_gt(moved, COUNT / 2);
    cr_assert(report.order_window > 0 && report.order_window != ANNOT_ORDER_UNKNOWN);
    r.driver->list_destroy(list);
    rig_finish(&r);
}

Test(umd_warp, logs_calls_and_retains_nothing)
{
    char path[] = "/tmp/warp-log-XXXXXX";
    close(mkstemp(path));
    setenv("EMU_WARP_LOG", path, 1);
    RIG("warp");
    cr_assert_eq(r.driver->annot.annotation_version, 1);
    void *list = list_create(&r);
    begin(&r, list, 4711);
    end(&r, list, 4711);
    queue_set(&r, 4712);
    write_word(&r, list, 0, 1);
    set_name(&r, list, D3D12DDI_HT_COMMAND_LIST, L"gr\u00fc\u00df \"\U0001F600\"\n\u202e");
    set_name(&r, list, D3D12DDI_HT_COMMAND_LIST, NULL);
    cr_assert(r.driver->list_close(list));
    cr_assert_eq(execute(&r, submit(&r, &list, 1, 1)), EMU_ENGINE_DONE);
    cr_assert_eq(*(uint32_t *)r.word.cpu, 1);
    annot_crash_report report = {.size = sizeof report};
    r.driver->crash_report(r.device, &report);
    cr_assert_eq(report.progress_count, 0);
    cr_assert_eq(report.order_window, ANNOT_ORDER_UNKNOWN);
    cr_assert_eq(report.blob_size, 0);
    char log[1024] = "";
    FILE *file = fopen(path, "r");
    size_t size = fread(log, 1, sizeof log - 1, file);
    log[size] = 0;
    fclose(file);
    unlink(path);
    cr_assert(strstr(log, "ListBeginEvent") && strstr(log, "4711 metadata 0 size 5"));
    cr_assert(strstr(log, "ListEndEvent") && strstr(log, "QueueSetMarker"));
    cr_assert(strstr(log, "SetName "));
    cr_assert(strstr(log, " name \"gr\u00fc\u00df \\\"\U0001F600\\\"\\n\\u202e\"\n"), "%s", log);
    cr_assert(strstr(log, " no name\n"), "a name is cleared");
    r.driver->list_destroy(list);
}

Test(umd_driver, unknown_names_find_nothing)
{
    cr_assert_null(emu_driver_find("nothing"));
    cr_assert_null(emu_driver_find(""));
}
