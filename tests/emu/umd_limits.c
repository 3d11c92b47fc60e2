/* The reference driver at its limits: reports that are full or begun, names of every length, memory
 * that grows, submissions that are none, and lists without memory. */
#include "umd/driver.h"
#include "umd/types.h"
#include "rig.h"

#include <wchar.h>

struct scene {
    emu_gpu *gpu;
    const emu_driver *driver;
    struct emu_reference_device *device;
    struct emu_reference_queue *queue;
    struct emu_reference_list *list;
};

static void open_scene(struct scene *s, const char *driver)
{
    s->gpu = emu_gpu_create();
    s->driver = emu_driver_find(driver);
    s->device = s->driver->device_create(s->gpu, 0);
    s->queue = s->driver->queue_create(s->device, 0, 11);
    s->list = s->driver->list_create(s->device, 0, 12);
}

static void close_scene(struct scene *s)
{
    s->driver->list_destroy(s->list);
    s->driver->queue_destroy(s->queue);
    cr_expect_eq(s->device->row_count, 0);
    s->driver->device_destroy(s->device);
    cr_expect_eq(s->gpu->count, 0);
    emu_gpu_destroy(s->gpu);
}

static emu_command_buffer submit(struct scene *s, void *list, uint64_t serial)
{
    emu_command_buffer out;
    cr_assert(s->driver->queue_submit(
        s->queue, &(emu_submission){.lists = &list, .count = 1, .serial = serial}, &out));
    return out;
}

static enum emu_engine_status execute(struct scene *s, emu_command_buffer buffer)
{
    struct emu_engine engine;
    emu_engine_init(&engine, s->gpu);
    emu_engine_start(&engine, buffer.address, buffer.size);
    return run(&engine);
}

static annot_crash_report report_of(struct scene *s)
{
    annot_crash_report report = {.size = sizeof report};
    s->driver->crash_report(s->device, &report);
    return report;
}

/* ---- reports ---- */

/* Where no list of a submission says that the GPU has come to it, a row of the queue does; and a
 * report ends where its room does. */
Test(umd_limits, a_submission_that_has_begun_has_a_row_of_its_queue)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "reference");
    emu_gpu_script_hang(s.gpu, EMU_GPU_HANG_AT_SUBMISSION, 2, EMU_GPU_HANG_SPINS);
    cr_assert(s.driver->list_close(s.list));
    cr_assert_eq(execute(&s, submit(&s, s.list, 4)), EMU_ENGINE_DONE);
    const emu_command_buffer hung = submit(&s, s.list, 5);
    submit(&s, s.list, 6);
    annot_crash_report report = report_of(&s);
    cr_assert_eq(report.progress_count, 4, "none has begun");
    cr_assert_eq(execute(&s, hung), EMU_ENGINE_SPINNING);
    s.queue->markers_lost = true;
    const annot_progress rows[] = {
        {.queue = 11, .list = ANNOT_PROGRESS_QUEUE, .inside = ANNOT_INSIDE_LOST},
        {.queue = 11,
         .object = 12,
         .submission = 4,
         .state = ANNOT_PROGRESS_FINISHED,
         .inside = ANNOT_INSIDE_TRACKED},
        {.queue = 11,
         .submission = 5,
         .list = ANNOT_PROGRESS_QUEUE,
         .state = ANNOT_PROGRESS_STARTED},
        {.queue = 11,
         .object = 12,
         .submission = 5,
         .state = ANNOT_PROGRESS_NOT_STARTED,
         .inside = ANNOT_INSIDE_TRACKED},
        {.queue = 11,
         .object = 12,
         .submission = 6,
         .state = ANNOT_PROGRESS_NOT_STARTED,
         .inside = ANNOT_INSIDE_TRACKED}};
    const uint64_t capacity = s.device->row_capacity;
    for (uint64_t room = 0; room <= 6; room++) {
        const size_t count = room < 5 ? (size_t)room : 5;
        annot_progress untouched;
        memset(&untouched, 0xEE, sizeof untouched);
        memset(s.device->rows, 0xEE, (size_t)capacity * sizeof *rows);
        s.device->row_capacity = room;
        report = report_of(&s);
        cr_assert_eq(report.progress_count, count);
        for (size_t i = 0; i < 5; i++)
            cr_expect_eq(memcmp(&report.progress[i], i < count ? &rows[i] : &untouched,
                                sizeof untouched),
                         0, "row %zu of %zu", i, count);
    }
    s.device->row_capacity = capacity;
    cr_expect_eq(report.promises, ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER);
}

/* Markers alone are no submission of lists. */
Test(umd_limits, a_flush_that_has_begun_has_no_row_but_its_markers)
{
    AT_END(close_scene) struct scene s;
    emu_command_buffer out;
    open_scene(&s, "reference");
    emu__reference_queue_mark(s.queue, EMU_MARKER_BEGIN, 7);
    cr_assert(s.driver->queue_flush(s.queue, 1, &out));
    cr_assert_eq(execute(&s, out), EMU_ENGINE_DONE);
    const annot_crash_report report = report_of(&s);
    cr_assert_eqs(report.progress_count, 1, report.progress[0].started, 7);
    s.driver->submission_withdrawn(s.queue, 1);
    cr_expect_eq(report_of(&s).progress[0].inside, ANNOT_INSIDE_LOST, "with one marker");
    cr_assert(s.driver->list_close(s.list));
    s.queue->markers_lost = false;
    submit(&s, s.list, 2);
    s.driver->submission_withdrawn(s.queue, 2);
    cr_expect_eq(report_of(&s).progress[0].inside, ANNOT_INSIDE_TRACKED, "with none");
}

/* ---- the memory of a report ---- */

static size_t blocks_of(const struct scene *s)
{
    size_t count = 0;
    for (const struct emu_reference_block *block = s->device->blocks; block; block = block->next)
        count++;
    return count;
}

/* types.h: capacities double, so that all that were outgrown are no more than the last one. */
Test(umd_limits, a_reports_memory_grows_by_doubling)
{
    enum { COUNT = 300 };
    AT_END(close_scene) struct scene s;
    static void *objects[COUNT];
    open_scene(&s, "reference");
    cr_assert(s.driver->list_close(s.list));
    for (uint64_t i = 0; i < COUNT; i++) {
        objects[i] = s.driver->object_create(s.device, D3D12DDI_HT_FENCE, i);
        emu__reference_set_name((D3D12DDI_HANDLE_AND_TYPE){objects[i], D3D12DDI_HT_FENCE}, L"name");
        submit(&s, s.list, i);
        cr_assert_geq(s.device->row_capacity, s.device->row_count);
        cr_assert_geq(s.device->blob_capacity, s.device->blob_size);
        cr_assert_leq(s.device->row_capacity, 2 * s.device->row_count);
        cr_assert_leq(s.device->blob_capacity, 2 * s.device->blob_size);
    }
    cr_expect_leq(blocks_of(&s), 2 * 10, "of each as many as the count has bits");
    for (uint64_t i = 0; i < COUNT; i++)
        s.driver->object_destroy(objects[i]);
}

/* ddi.h: rows past the limit are ignored, so that there is no room for them. */
Test(umd_limits, there_is_room_for_as_many_rows_as_a_report_may_have)
{
    AT_END(close_scene) struct scene s;
    const uint64_t most = ANNOT_CRASH_REPORT_MAX_ROWS, more = (uint64_t)1 << 40;
    open_scene(&s, "reference");
    const uint64_t before = s.device->row_count;
    cr_assert(emu__reference_rows_reserve(s.device, more));
    cr_expect_eqs(s.device->row_count, before + more, s.device->row_capacity, 2 * most);
    s.device->row_count = before;
}

/* ---- names ---- */

/* Entries are followed by zeros up to a multiple of 8, whatever lay there; an empty name is none.
 */
Test(umd_limits, names_of_every_length_lie_one_behind_the_other)
{
    static wchar_t name[EMU_REFERENCE_NAME_LIMIT + 3];
    static const size_t lengths[] = {9,
                                     0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     5,
                                     8,
                                     EMU_REFERENCE_NAME_LIMIT - 1,
                                     EMU_REFERENCE_NAME_LIMIT,
                                     EMU_REFERENCE_NAME_LIMIT + 1};
    AT_END(close_scene) struct scene s;
    const D3D12DDI_HANDLE_AND_TYPE list = {NULL, D3D12DDI_HT_COMMAND_LIST};
    open_scene(&s, "reference");
    emu__reference_set_name(list, L"nobody");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t kept =
            lengths[i] < EMU_REFERENCE_NAME_LIMIT ? lengths[i] : EMU_REFERENCE_NAME_LIMIT;
        const size_t bytes = kept * sizeof *name, padded = (bytes + 7) / 8 * 8;
        wmemset(name, 0x01010101, lengths[i]);
        name[lengths[i]] = 0;
        name[lengths[i] + 1] = 0x02020202;
        emu__reference_set_name((D3D12DDI_HANDLE_AND_TYPE){s.list, D3D12DDI_HT_COMMAND_LIST}, name);
        memset((char *)s.device->blob + sizeof(struct emu_reference_blob), 0xEE,
               s.device->blob_size - sizeof(struct emu_reference_blob));
        const annot_crash_report report = report_of(&s);
        const struct emu_reference_blob *blob = report.blob;
        const struct emu_reference_blob_name *entry = (const void *)(blob + 1);
        const unsigned char *at = (const unsigned char *)(entry + 1);
        cr_assert_eq(blob->name_count, kept > 0);
        cr_assert_eq(report.blob_size, sizeof *blob + (kept > 0 ? sizeof *entry + padded : 0));
        if (kept == 0)
            continue;
        cr_assert_eqs(entry->bytes, bytes, entry->id, 12);
        for (size_t k = 0; k < padded; k++)
            cr_assert_eq(at[k], k < bytes, "%zu of %zu", k, bytes);
    }
}

/* ---- submissions ---- */

/* Without numbers for its lists a submission has no history; without lists it needs none. */
Test(umd_limits, history_wants_the_numbers_of_all_lists)
{
    AT_END(close_scene) struct scene s;
    void *lists[41];
    uint32_t highs[40] = {0};
    emu_command_buffer out;
    open_scene(&s, "reference");
    s.driver->set_marker_mode(s.device, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 0);
    s.driver->cmd_barrier((void *)s.list);
    s.driver->cmd_set_marker((void *)s.list);
    cr_assert(s.driver->list_close(s.list));
    for (int i = 0; i < 41; i++)
        lists[i] = s.list;
    for (uint32_t count = 1; count <= 40; count++) {
        cr_assert(s.driver->queue_submit(s.queue,
                                         &(emu_submission){lists, count, count, NULL, NULL}, &out));
        cr_expect_null(out.submit);
        cr_expect_eq(execute(&s, out), EMU_ENGINE_DONE);
        cr_assert(s.driver->queue_submit(
            s.queue, &(emu_submission){lists, count, count, NULL, highs}, &out));
        cr_assert_not_null(out.submit);
        const uint32_t *header =
            emu_gpu_translate(s.gpu, EMU_HISTORY_ADDRESS(out.submit->HistoryBufferArray[0]), 16);
        cr_expect_eqs(header[1], 2 + count, header[2], (4 * (1 + count) + 7) / 8 * 8);
        cr_expect_eq(execute(&s, out), EMU_ENGINE_DONE);
        s.driver->submission_retired(s.queue, count);
    }
    emu__reference_queue_mark(s.queue, EMU_MARKER_SET, 7);
    cr_assert(s.driver->queue_flush(s.queue, 41, &out));
    cr_assert_not_null(out.submit);
    cr_expect_eqs(out.submit->NumHistoryBuffers, 1, out.submit->RenderCBSequence, 0x80000001 + 40);
    s.driver->submission_retired(s.queue, 41);
    /* More than a header can say. */
    const uint32_t stamps = s.list->recording->stamp_count;
    s.list->recording->stamp_count = UINT32_MAX;
    cr_expect_not(
        s.driver->queue_submit(s.queue, &(emu_submission){lists, 2, 42, NULL, highs}, &out));
    s.list->recording->stamp_count = stamps;
    s.list->recording->bundle_count = UINT32_MAX;
    cr_expect_not(
        s.driver->queue_submit(s.queue, &(emu_submission){lists, 2, 42, NULL, NULL}, &out));
    s.list->recording->bundle_count = 0;
}

/* Large and small ones in turn: no memory of the GPU's is lost, and the largest stays. */
Test(umd_limits, memory_of_submissions_of_all_sizes_comes_back)
{
    AT_END(close_scene) struct scene s;
    static void *lists[200];
    static uint32_t highs[200];
    open_scene(&s, "reference");
    s.driver->set_marker_mode(s.device, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 0);
    cr_assert(s.driver->list_close(s.list));
    for (int i = 0; i < 200; i++)
        lists[i] = s.list;
    const size_t count = s.gpu->count;
    static const uint32_t sizes[] = {1, 200, 1, 100, 200, 1, 1, 50};
    for (uint64_t round = 0; round < 3; round++) {
        emu_command_buffer out = {.submit = NULL};
        for (uint64_t i = 0; i < 8; i++)
            cr_assert(s.driver->queue_submit(
                s.queue, &(emu_submission){lists, sizes[i], i, NULL, highs}, &out));
        s.driver->submission_retired(s.queue, 8);
        cr_expect_eq(s.gpu->count, count + 2, "one of each");
        cr_expect_eq(s.queue->spare.size, 32768);
    }
}

/* ---- lists ---- */

/* A closed list's packets are the GPU's to read. */
Test(umd_limits, a_closed_list_is_not_changed_by_anything)
{
    AT_END(close_scene) struct scene s;
    char before[256];
    open_scene(&s, "reference");
    s.driver->cmd_barrier(s.list);
    cr_assert(s.driver->list_close(s.list));
    memcpy(before, s.list->recording->memory.cpu, sizeof before);
    s.driver->op_end(s.list);
    s.driver->cmd_set_marker(s.list);
    s.driver->cmd_execute_bundle(s.list, s.list);
    cr_expect_eq(memcmp(before, s.list->recording->memory.cpu, sizeof before), 0);
    cr_expect_eqs(s.list->recording->used, sizeof(struct emu_packet_header),
                  s.list->recording->calls, 0);
}

/* Numbers of calls begin anew at a reset; a bundle's calls leave no time stamps. */
Test(umd_limits, calls_are_counted_from_the_last_reset_and_stamped_in_lists)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "reference");
    for (int round = 0; round < 2; round++)
        for (uint32_t type = 0; type < 2; type++) {
            void *list = s.driver->list_create(s.device, type, 13);
            const struct emu_reference_list *reference = list;
            for (int i = 0; i < 3; i++) {
                cr_assert(s.driver->list_reset(list));
                for (int k = 0; k < 2; k++) {
                    s.driver->cmd_barrier(list);
                    s.driver->cmd_set_marker(list);
                }
                cr_expect_eqs(reference->recording->calls, 2, reference->recording->stamp_count,
                              (type == EMU_LIST_TYPE_BUNDLE ? 0 : 2));
                cr_expect(type == EMU_LIST_TYPE_BUNDLE || reference->recording->stamped[1] == 2);
            }
            s.driver->list_destroy(list);
        }
}

/* As one whose reset found no memory: it takes nothing, can't be executed, and can be reset. */
Test(umd_limits, a_list_without_a_recording_can_only_be_reset)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "reference");
    void *empty = s.driver->list_create(s.device, 0, 13);
    struct emu_reference_list *list = empty;
    const emu_dispatch work = {.kernel = EMU_KERNEL_SPIN};
    emu_command_buffer out;
    emu__recording_release(list->recording);
    list->recording = NULL;
    s.driver->cmd_copy(empty, 1, 2, 3);
    s.driver->cmd_barrier(empty);
    s.driver->cmd_dispatch(empty, &work);
    s.driver->cmd_execute_bundle(empty, s.list);
    s.driver->op_end(empty);
    s.driver->cmd_set_marker(empty);
    emu__reference_list_mark(empty, EMU_MARKER_SET, 1);
    cr_expect_not(s.driver->list_close(empty));
    cr_expect_not(
        s.driver->queue_submit(s.queue, &(emu_submission){&empty, 1, 1, NULL, NULL}, &out));
    s.driver->cmd_execute_bundle(s.list, empty);
    cr_expect_not(s.driver->list_close(s.list), "what it calls is not there");
    s.driver->list_destroy(empty);
    cr_assert(s.driver->list_reset(s.list));
    s.list->recording->bundle_count = UINT32_MAX / 4;
    s.driver->cmd_execute_bundle(s.list, s.list);
    s.list->recording->bundle_count = 0;
    cr_expect_not(s.driver->list_close(s.list));
    emu__recording_release(s.list->recording);
    s.list->recording = NULL;
    cr_expect(s.driver->list_reset(s.list) && s.driver->list_close(s.list));
    cr_expect_eq(s.list->recording->object, 12);
}

Test(umd_limits, nothing_can_be_destroyed)
{
    const emu_driver *driver = emu_driver_find("reference");
    driver->device_destroy(NULL);
    driver->queue_destroy(NULL);
    driver->list_destroy(NULL);
    driver->object_destroy(NULL);
    emu_gpu_destroy(NULL);
}

/* ---- markers that move ---- */

enum { MARKERS = 30 };

static void check_order(const struct emu_packet_marker *packets, unsigned count, uint64_t first,
                        bool swapped[])
{
    unsigned at[MARKERS];
    for (unsigned i = 0; i < count; i++) {
        const uint64_t n = packets[i].event_id - first;
        cr_assert_eqs(packets[i].kind, EMU_MARKER_SET, packets[i].header.opcode, EMU_PACKET_MARKER);
        cr_assert(n < count && (n > i ? n - i : i - n) <= 4, "within the window");
        at[n] = i;
    }
    for (unsigned i = 0; i + 1 < count; i++)
        swapped[i] |= at[i] > at[i + 1];
}

/* Any two markers next to each other may change their order, those of a queue and those of a list,
 * and none ends up further off than the report says. */
Test(umd_limits, every_pair_of_neighbours_changes_its_order_now_and_then)
{
    AT_END(close_scene) struct scene s;
    open_scene(&s, "reorder");
    cr_assert_eq(report_of(&s).order_window, 4);
    for (unsigned count = 2; count <= MARKERS; count += 4) {
        bool in_lists[MARKERS] = {false}, in_queues[MARKERS] = {false};
        for (uint64_t round = 0; round < 200; round++) {
            const uint64_t first = 1 + round * 1000;
            emu_command_buffer out;
            cr_assert(s.driver->list_reset(s.list));
            for (uint64_t i = 0; i < count; i++) {
                emu__reference_list_mark(s.list, EMU_MARKER_SET, first + i);
                emu__reference_queue_mark(s.queue, EMU_MARKER_SET, first + i);
            }
            cr_assert(s.driver->list_close(s.list) && s.driver->queue_flush(s.queue, round, &out));
            check_order(s.list->recording->memory.cpu, count, first, in_lists);
            check_order(emu_gpu_translate(s.gpu, out.address + sizeof(struct emu_packet_queue),
                                          count * sizeof(struct emu_packet_marker)),
                        count, first, in_queues);
            s.driver->submission_retired(s.queue, round);
        }
        for (unsigned i = 0; i + 1 < count; i++)
            cr_expect(in_lists[i] && in_queues[i], "%u of %u", i, count);
    }
}
