/* What the reference driver puts into GPU memory, byte for byte, for what it is told; and how the
 * driver that reorders moves markers [ANN-CRASH-05]. */
#include "umd/driver.h"
#include "umd/types.h"
#include "rig.h"

#include <stdlib.h>

struct scene {
    emu_gpu *gpu;
    const emu_driver *driver;
    void *device, *queue, *list;
};

static void scene_init(struct scene *s, const char *driver)
{
    s->gpu = emu_gpu_create();
    s->driver = emu_driver_find(driver);
    s->device = s->driver->device_create(s->gpu, 0);
    s->queue = s->driver->queue_create(s->device, 0, 11);
    s->list = s->driver->list_create(s->device, 0, 12);
    cr_assert(s->device && s->queue && s->list);
}

static void scene_finish(struct scene *s)
{
    const struct emu_reference_device *device = s->device;
    s->driver->list_destroy(s->list);
    s->driver->queue_destroy(s->queue);
    cr_expect(!device->queues && !device->objects && device->row_count == 0, "all is forgotten");
    s->driver->device_destroy(s->device);
    cr_expect_eq(s->gpu->count, 0, "no memory of the GPU's is left");
    emu_gpu_destroy(s->gpu);
}

static const struct emu_recording *recording_of(void *list)
{
    return ((struct emu_reference_list *)list)->recording;
}

static void check_packets(const void *memory, uint64_t size, const struct buffer *expected,
                          const char *what)
{
    const unsigned char *is = memory, *should = expected->memory.cpu;
    cr_assert_eq(size, expected->used, "%s: %llu bytes", what, (unsigned long long)size);
    for (uint64_t i = 0; i < size; i++)
        cr_assert_eq(is[i], should[i], "%s: byte %llu is %u", what, (unsigned long long)i, is[i]);
}

/* Every member has a value of its own. */
static void fill(void *object, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)object)[i] = (unsigned char)(i + 1);
}

static emu_dispatch some_work(void)
{
    emu_dispatch work;
    fill(&work, sizeof work);
    return work;
}

/* A dispatch's packet has what a dispatch has, in its order. */
static struct emu_packet_dispatch work_packet(enum emu_opcode opcode, const emu_dispatch *work)
{
    struct emu_packet_dispatch packet = {.header = {(uint32_t)opcode, sizeof packet}};
    memcpy((char *)&packet + sizeof packet.header, work, sizeof *work);
    return packet;
}

static void put_indirect(struct buffer *b, enum emu_opcode opcode, const emu_dispatch *work,
                         const emu_indirect *indirect)
{
    struct emu_packet_indirect packet = {.header = {EMU_PACKET_INDIRECT, sizeof packet}};
    memcpy((char *)&packet + sizeof packet.header, indirect,
           offsetof(emu_indirect, constant_offsets) + sizeof indirect->constant_offsets);
    packet.work = work_packet(opcode, work);
    put(b, &packet, sizeof packet);
}

static void put_work(struct buffer *b, enum emu_opcode opcode, const emu_dispatch *work)
{
    const struct emu_packet_dispatch packet = work_packet(opcode, work);
    put(b, &packet, sizeof packet);
}

static void put_bindings(struct buffer *b, const emu_dispatch *work, uint32_t draws)
{
    struct emu_packet_bindings packet = {.header = {EMU_PACKET_BINDINGS, sizeof packet}};
    memcpy(packet.arguments, work->arguments, sizeof packet.arguments);
    memcpy(packet.constants, work->constants, sizeof packet.constants);
    packet.descriptors = work->descriptors;
    packet.draws = draws;
    put(b, &packet, sizeof packet);
}

static void put_fill(struct buffer *b, uint32_t unit, const unsigned char *pattern, size_t size)
{
    struct emu_packet_fill packet = {{EMU_PACKET_FILL, sizeof packet}, 21, 22, unit, 0, {0}};
    memcpy(packet.pattern, pattern, size);
    put(b, &packet, sizeof packet);
}

Test(umd_packets, each_command_becomes_a_packet_that_says_what_it_was_told)
{
    AT_END(scene_finish) struct scene s;
    scene_init(&s, "reference");
    const emu_driver *driver = s.driver;
    struct buffer expected = buffer_create(s.gpu);
    const emu_dispatch work = some_work();
    unsigned char pattern[20];
    emu_indirect indirect;
    fill(&indirect, sizeof indirect);
    fill(pattern, sizeof pattern);
    void *bundle = driver->list_create(s.device, EMU_LIST_TYPE_BUNDLE, 13);
    driver->cmd_barrier(bundle);
    cr_assert(driver->list_close(bundle));
    const struct emu_recording *callee = recording_of(bundle);
    for (uint64_t i = 0; i < 400; i++) /* so that its memory is not zeros */
        emu__reference_list_mark(s.list, EMU_MARKER_SET, UINT64_MAX);
    cr_assert(driver->list_reset(s.list));
#define SAME(expected_packet, command)                                                             \
    expected_packet, driver->command,                                                              \
        check_packets(recording_of(s.list)->memory.cpu, recording_of(s.list)->used, &expected,     \
                      #command)
    SAME(put_copy(&expected, 1, 2, 3), cmd_copy(s.list, 1, 2, 3));
    SAME(PUT(&expected, EMU_PACKET_RESOLVE, struct emu_packet_copy, 4, 5, 6),
         cmd_resolve(s.list, 4, 5, 6));
    SAME(put_fill(&expected, 3, pattern, 3), cmd_fill(s.list, 21, 22, pattern, 3));
    SAME(put_fill(&expected, 20, pattern, 16), cmd_fill(s.list, 21, 22, pattern, 20));
    SAME(PUT(&expected, EMU_PACKET_PREDICATE, struct emu_packet_predicate, 7, 0, 0),
         cmd_predicate(s.list, 7, false));
    SAME(PUT(&expected, EMU_PACKET_PREDICATE, struct emu_packet_predicate, 8, 1, 0),
         cmd_predicate(s.list, 8, true));
    SAME(PUT(&expected, EMU_PACKET_WRITE_IMMEDIATE, struct emu_packet_write_immediate, 9, 10, 11),
         cmd_write_immediate(s.list, 9, 10, 11));
    SAME(put_bare(&expected, EMU_PACKET_BARRIER), cmd_barrier(s.list));
    SAME(put_work(&expected, EMU_PACKET_DISPATCH, &work), cmd_dispatch(s.list, &work));
    SAME(put_work(&expected, EMU_PACKET_DRAW, &work), cmd_draw(s.list, &work));
    SAME(put_indirect(&expected, EMU_PACKET_DISPATCH, &work, &indirect),
         cmd_execute_indirect(s.list, &work, false, &indirect));
    SAME(put_indirect(&expected, EMU_PACKET_DRAW, &work, &indirect),
         cmd_execute_indirect(s.list, &work, true, &indirect));
    SAME(put_bindings(&expected, &work, 0), cmd_bindings(s.list, &work, false));
    SAME(put_bindings(&expected, &work, 1), cmd_bindings(s.list, &work, true));
    SAME(PUT(&expected, EMU_PACKET_TIMESTAMP, struct emu_packet_timestamp, 12),
         cmd_timestamp(s.list, 12));
    for (uint32_t row = 1; row <= 2; row++)
        SAME(PUT(&expected, EMU_PACKET_CALL, struct emu_packet_call, callee->memory.address,
                 callee->used, row, 0),
             cmd_execute_bundle(s.list, bundle));
    cr_assert(driver->list_close(s.list));
    driver->list_destroy(bundle);
    emu_gpu_free(s.gpu, expected.memory.address);
}

/* Without memory, and when it is closed, a list takes no command, whichever it is. */
Test(umd_packets, a_list_that_takes_nothing_takes_no_command_of_any_kind)
{
    static const char *const states[] = {"lost", "closed"};
    for (size_t state = 0; state < 2; state++) {
        AT_END(scene_finish) struct scene s;
        scene_init(&s, "reference");
        const emu_driver *driver = s.driver;
        const emu_dispatch work = some_work();
        const emu_indirect indirect = {0};
        const uint64_t limit = s.gpu->end;
        void *bundle = driver->list_create(s.device, EMU_LIST_TYPE_BUNDLE, 13);
        cr_assert(driver->list_close(bundle));
        if (state == 0)
            exhaust(s.gpu);
        else
            cr_assert(driver->list_close(s.list));
        driver->cmd_copy(s.list, 1, 2, 3);
        s.gpu->end = limit; /* what is lost stays lost */
        driver->cmd_resolve(s.list, 1, 2, 3);
        driver->cmd_fill(s.list, 1, 2, "ab", 2);
        driver->cmd_predicate(s.list, 1, true);
        driver->cmd_write_immediate(s.list, 1, 2, 3);
        driver->cmd_barrier(s.list);
        driver->cmd_dispatch(s.list, &work);
        driver->cmd_draw(s.list, &work);
        driver->cmd_execute_indirect(s.list, &work, true, &indirect);
        driver->cmd_bindings(s.list, &work, true);
        driver->cmd_timestamp(s.list, 1);
        driver->op_end(s.list);
        driver->cmd_set_marker(s.list);
        emu__reference_list_mark(s.list, EMU_MARKER_SET, 1);
        cr_expect_eq(recording_of(s.list)->used, 0, "%s", states[state]);
        cr_expect_eq(recording_of(s.list)->calls, 0, "%s", states[state]);
        cr_expect_eq(driver->list_close(s.list), state == 1, "%s", states[state]);
        driver->list_destroy(bundle);
    }
}

/* ---- the end of operations and calls ---- */

/* B: a packet; M: a marker; O: the end of an operation; S: SetMarker. What is left are packets, b
 * or m, with a breadcrumb (!), a time stamp (@) or both. */
static void play(const struct scene *s, const char *calls)
{
    for (; *calls; calls++)
        if (*calls == 'B')
            s->driver->cmd_barrier(s->list);
        else if (*calls == 'M')
            emu__reference_list_mark(s->list, EMU_MARKER_SET, 7);
        else if (*calls == 'O')
            s->driver->op_end(s->list);
        else
            s->driver->cmd_set_marker(s->list);
}

static void written(const struct scene *s, char *out)
{
    const char *at = recording_of(s->list)->memory.cpu;
    const uint64_t used = recording_of(s->list)->used;
    struct emu_packet_header header;
    for (const char *end = used ? at + used : at; at < end; at += header.size) {
        memcpy(&header, at, sizeof header);
        *out++ = (header.opcode & 0xFF) == EMU_PACKET_MARKER ? 'm' : 'b';
        if (header.opcode & EMU_PACKET_CRUMB)
            *out++ = '!';
        if (header.opcode & EMU_PACKET_STAMP)
            *out++ = '@';
    }
    *out = '\0';
}

/* driver.h, op_end and cmd_set_marker: the last packet says that it is over, or one of its own. A
 * marker that moves can't; markers, and what op_end adds, are no work. */
Test(umd_packets, operations_and_calls_end_with_the_packet_that_says_so)
{
    static const struct {
        const char *calls, *reference, *reorder;
    } cases[] = {
        {"", "", ""},
        {"O", "b!", "b!"},
        {"OO", "b!b!", "b!b!"},
        {"BO", "b!", "b!"},
        {"BBO", "bb!", "bb!"},
        {"BOO", "b!b!", "b!b!"},
        {"BOBO", "b!b!", "b!b!"},
        {"MO", "m!", "mb!"},
        {"BMO", "bm!", "bmb!"},
        {"MBO", "mb!", "mb!"},
        {"BOM", "b!m", "b!m"},
        {"S", "", ""},
        {"BS", "b@", "b@"},
        {"BSS", "b@", "b@"},
        {"BSBS", "b@b@", "b@b@"},
        {"BBS", "bb@", "bb@"},
        {"MS", "m", "m"},
        {"BMS", "bm", "bm"},
        {"BSO", "b!@", "b!@"},
        {"BOS", "b!@", "b!@"},
        {"OS", "b!", "b!"},
        {"SO", "b!", "b!"},
        {"BSOS", "b!@", "b!@"},
        {"BSOOS", "b!@b!", "b!@b!"},
        {"BSOOBS", "b!@b!b@", "b!@b!b@"},
        {"MOS", "m!", "mb!"},
        {"BSMOS", "b@m!", "b@mb!"},
    };
    static const char *const drivers[] = {"reference", "reorder"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int d = 0; d < 2; d++) {
            AT_END(scene_finish) struct scene s;
            char out[32];
            scene_init(&s, drivers[d]);
            play(&s, cases[i].calls);
            written(&s, out);
            cr_expect_str_eq(out, d ? cases[i].reorder : cases[i].reference, "%s of %s: %s",
                             cases[i].calls, drivers[d], out);
            cr_assert(s.driver->list_close(s.list) && s.driver->list_close(s.list));
        }
}

/* A second close moves nothing again. */
Test(umd_reorder, markers_move_once)
{
    AT_END(scene_finish) struct scene s;
    scene_init(&s, "reorder");
    for (uint64_t i = 1; i <= 40; i++)
        emu__reference_list_mark(s.list, EMU_MARKER_SET, i);
    cr_assert(s.driver->list_close(s.list));
    char first[40 * sizeof(struct emu_packet_marker)];
    memcpy(first, recording_of(s.list)->memory.cpu, sizeof first);
    cr_assert(s.driver->list_close(s.list));
    cr_expect_eq(memcmp(first, recording_of(s.list)->memory.cpu, sizeof first), 0);
}

/* ---- submissions ---- */

static void put_execution(struct buffer *b, void *list, uint64_t rows, uint32_t row_count,
                          uint64_t crumbs)
{
    PUT(b, EMU_PACKET_EXECUTION_BEGIN, struct emu_packet_execution_begin, rows, row_count, 0,
        crumbs, 0);
    PUT(b, EMU_PACKET_CALL, struct emu_packet_call, recording_of(list)->memory.address,
        recording_of(list)->used, 0, 0);
    put_bare(b, EMU_PACKET_EXECUTION_END);
}

/* The rows of each list and of its bundles, then the queue's markers, then the lists. */
Test(umd_packets, a_submission_is_its_rows_and_what_runs_its_lists)
{
    AT_END(scene_finish) struct scene s;
    scene_init(&s, "reference");
    const emu_driver *driver = s.driver;
    void *bundle = driver->list_create(s.device, EMU_LIST_TYPE_BUNDLE, 13);
    void *lists[2] = {s.list, driver->list_create(s.device, 0, 14)};
    const uint64_t crumbs[2] = {4096, 8192};
    const struct emu_reference_queue *queue = s.queue;
    driver->cmd_barrier(bundle);
    cr_assert(driver->list_close(bundle));
    for (int i = 0; i < 2; i++) {
        driver->cmd_execute_bundle(s.list, bundle);
        driver->cmd_barrier(lists[i]);
    }
    for (int i = 0; i < 2; i++)
        cr_assert(driver->list_close(lists[i]));
    struct buffer expected = {{0}, 0};
    expected.memory = allocate(s.gpu, 65536);
    for (uint64_t serial = 1; serial <= 3; serial++) { /* the third without breadcrumbs */
        emu__reference_queue_mark(s.queue, EMU_MARKER_BEGIN, 70 + serial);
        emu__reference_queue_mark(s.queue, EMU_MARKER_END, 80 + serial);
        emu_command_buffer out;
        cr_assert(driver->queue_submit(
            s.queue, &(emu_submission){lists, 2, serial, serial < 3 ? crumbs : NULL, NULL}, &out));
        const uint64_t rows = out.address - 4 * sizeof(struct emu_progress);
        expected.used = 0;
        PUT(&expected, EMU_PACKET_QUEUE, struct emu_packet_queue, queue->memory.address, 0, serial);
        put_marker(&expected, EMU_MARKER_BEGIN, 70 + serial);
        put_marker(&expected, EMU_MARKER_END, 80 + serial);
        put_execution(&expected, lists[0], rows, 3, serial < 3 ? 4096 : 0);
        put_execution(&expected, lists[1], rows + 3 * sizeof(struct emu_progress), 1,
                      serial < 3 ? 8192 : 0);
        put_bare(&expected, EMU_PACKET_END);
        check_packets(emu_gpu_translate(s.gpu, out.address, out.size), out.size, &expected,
                      "submission");
        static const struct emu_progress none[4];
        cr_expect_eq(memcmp(emu_gpu_translate(s.gpu, rows, sizeof none), none, sizeof none), 0);
        cr_expect_null(out.submit);
    }
    driver->list_destroy(lists[1]);
    driver->list_destroy(bundle);
    emu_gpu_free(s.gpu, expected.memory.address);
}

static size_t submissions_of(const struct scene *s)
{
    size_t count = 0;
    for (const struct emu_reference_submission *submission =
             ((struct emu_reference_queue *)s->queue)->first;
         submission; submission = submission->next)
        count++;
    return count;
}

/* Whichever of three it is, the others stay, and the next one is the last. */
Test(umd_packets, each_submission_can_be_withdrawn_and_its_memory_comes_back)
{
    for (uint64_t withdrawn = 0; withdrawn <= 4; withdrawn++) {
        AT_END(scene_finish) struct scene s;
        emu_command_buffer out;
        scene_init(&s, "reference");
        s.driver->cmd_barrier(s.list);
        cr_assert(s.driver->list_close(s.list));
        const uint64_t rows = ((struct emu_reference_device *)s.device)->row_count;
        const size_t memory = s.gpu->count;
        for (uint64_t serial = 1; serial <= 3; serial++)
            cr_assert(s.driver->queue_submit(
                s.queue, &(emu_submission){&s.list, 1, serial, NULL, NULL}, &out));
        s.driver->submission_withdrawn(s.queue, withdrawn); /* 0 and 4 are none of them */
        const size_t left = withdrawn >= 1 && withdrawn <= 3 ? 2 : 3;
        cr_expect_eq(submissions_of(&s), left);
        cr_expect_eq(((struct emu_reference_device *)s.device)->row_count, rows + left);
        cr_assert(
            s.driver->queue_submit(s.queue, &(emu_submission){&s.list, 1, 5, NULL, NULL}, &out));
        cr_expect_eq(submissions_of(&s), left + 1);
        s.driver->submission_retired(s.queue, 3);
        cr_expect_eq(submissions_of(&s), 1, "the last is the fifth");
        s.driver->submission_retired(s.queue, 5);
        cr_expect_eq(submissions_of(&s), 0);
        cr_expect_eq(((struct emu_reference_device *)s.device)->row_count, rows);
        cr_expect_leq(s.gpu->count, memory + 1, "one stays for the next submission");
    }
}

/* ---- history buffers ---- */

/* A buffer that is used again has nothing of its last submission, and none of it is lost. */
Test(umd_packets, history_buffers_come_back_empty)
{
    AT_END(scene_finish) struct scene s;
    const uint32_t high = 3;
    uint64_t first = 0;
    scene_init(&s, "reference");
    s.driver->set_marker_mode(s.device, D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, 0);
    for (int i = 0; i < 600; i++) { /* more time stamps than the smallest buffer has room for */
        s.driver->cmd_barrier(s.list);
        s.driver->cmd_set_marker(s.list);
    }
    cr_assert(s.driver->list_close(s.list));
    for (uint64_t serial = 1; serial <= 4; serial++) {
        emu_command_buffer out;
        cr_assert(s.driver->queue_submit(s.queue,
                                         &(emu_submission){&s.list, 1, serial, NULL, &high}, &out));
        const uint64_t at = EMU_HISTORY_ADDRESS(out.submit->HistoryBufferArray[0]);
        const uint32_t expected[] = {(uint32_t)(0x80000000u + serial), 602, 8, 0, 1, 2};
        uint64_t *stamps = emu_gpu_translate(s.gpu, at + sizeof expected, 602 * 8);
        cr_assert_not_null(stamps);
        cr_expect_eq(memcmp((char *)stamps - sizeof expected, expected, sizeof expected), 0);
        for (int i = 0; i < 602; i++)
            cr_assert_eq(stamps[i], 0, "submission %d", (int)serial);
        memset(stamps, 0xEE, 602 * sizeof *stamps);
        first = first ? first : at;
        cr_expect_eq(at, first, "the same memory");
        s.driver->submission_retired(s.queue, serial);
    }
}

/* ---- debug blobs ---- */

enum { BLOB_ROOM = 4096 };

/* What is behind the names: nothing, or the report's rows. */
static size_t expected_blob(const struct scene *s, bool has_rows, char *out)
{
    annot_crash_report report = {.size = sizeof report};
    s->driver->crash_report(s->device, &report);
    const uint64_t count = report.progress_count;
    const size_t size = count * sizeof(annot_progress);
    memcpy(out, report.blob, report.blob_size);
    if (!has_rows)
        return report.blob_size;
    memcpy(out + report.blob_size, "EMUROWS1", 8);
    memcpy(out + report.blob_size + 8, &count, 8);
    memcpy(out + report.blob_size + 16, report.progress, size);
    return report.blob_size + 16 + size;
}

/* dump_file.c: full blobs have the rows when the runtime asked for markers; what there is no room
 * for is refused whole. */
Test(umd_packets, a_debug_blob_has_names_and_rows_or_is_refused)
{
    static char expected[BLOB_ROOM], data[BLOB_ROOM];
    static const D3D12DDI_DEBUG_BLOB_TYPE types[] = {
        D3D12DDI_DEBUG_BLOB_TYPE_MINI, D3D12DDI_DEBUG_BLOB_TYPE_FULL, (D3D12DDI_DEBUG_BLOB_TYPE)77};
    AT_END(scene_finish) struct scene s;
    emu_command_buffer out;
    scene_init(&s, "reference");
    const D3D12DDI_DUMP_FILE_FUNCS_0121 *funcs = s.driver->dump_file;
    const D3D12DDI_HDEVICE device = {s.device};
    cr_assert(s.driver->list_close(s.list));
    cr_assert(s.driver->queue_submit(s.queue, &(emu_submission){&s.list, 1, 1, NULL, NULL}, &out));
    for (uint32_t options = 0; options <= EMU_DUMP_EVENT_MARKERS; options += EMU_DUMP_EVENT_MARKERS)
        for (size_t t = 0; t < 3; t++) {
            funcs->pfnSetDumpFileOptions(device, options | EMU_DUMP_NO_OVERHEAD);
            const size_t needed = expected_blob(
                &s, options != 0 && types[t] == D3D12DDI_DEBUG_BLOB_TYPE_FULL, expected);
            D3D12DDI_DEBUG_BLOB_DETAILS details[3];
            for (size_t i = 0; i < 3; i++)
                details[i] = (D3D12DDI_DEBUG_BLOB_DETAILS){types[t], needed - 1 + i};
            D3D12DDI_DEBUG_BLOB_INFO info = {3, details};
            cr_assert_eq(funcs->pfnGetDebugBlobInfo(device, NULL, 0, &info), 0);
            for (size_t i = 0; i < 3; i++)
                cr_expect_eq(details[i].size, i > 0 && t < 2 ? needed : 0, "%zu, %zu of type %zu",
                             details[i].size, needed, t);
            for (size_t room = needed - 1; t < 2 && room <= needed + 1; room++) {
                D3D12DDI_DEBUG_BLOB blob = {types[t], room, data};
                memset(data, 0x77, sizeof data);
                const int32_t hr = funcs->pfnGetDebugBlob(device, NULL, 0, &blob);
                cr_expect_eq((uint32_t)hr, room < needed ? 0x8007000E : 0);
                cr_expect_eq(blob.size, room < needed ? room : needed);
                cr_expect(room < needed ? data[0] == 0x77 : memcmp(data, expected, needed) == 0);
                cr_expect_eq(data[needed], 0x77);
            }
        }
}

/* ---- objects ---- */

/* In whichever order objects go, the names of those that are left stay in the blob. */
Test(umd_packets, names_stay_as_long_as_their_objects_in_every_order_of_destruction)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int order = 0; order < 6; order++) {
        AT_END(scene_finish) struct scene s;
        scene_init(&s, "reference");
        void *objects[3];
        bool is_there[3] = {true, true, true};
        for (int i = 0; i < 3; i++) {
            const ANNOT_DDI_WCHAR name[] = {(ANNOT_DDI_WCHAR)('a' + i), 0};
            objects[i] = s.driver->object_create(s.device, D3D12DDI_HT_FENCE, 20 + (uint64_t)i);
            emu__reference_set_name((D3D12DDI_HANDLE_AND_TYPE){objects[i], D3D12DDI_HT_FENCE},
                                    name);
        }
        for (int gone = 0; gone < 3; gone++) {
            s.driver->object_destroy(objects[orders[order][gone]]);
            is_there[orders[order][gone]] = false;
            annot_crash_report report = {.size = sizeof report};
            s.driver->crash_report(s.device, &report);
            const struct emu_reference_blob *blob = report.blob;
            const struct emu_reference_blob_name *entry = (const void *)(blob + 1);
            cr_assert_eq(blob->name_count, 2 - (uint32_t)gone);
            for (int i = 2; i >= 0; i--) /* the newest comes first */
                if (is_there[i]) {
                    cr_expect_eq(entry->id, 20 + (uint64_t)i);
                    cr_expect_eq(*(const ANNOT_DDI_WCHAR *)(entry + 1), (ANNOT_DDI_WCHAR)('a' + i));
                    cr_expect_eq(entry->bytes, sizeof(ANNOT_DDI_WCHAR));
                    entry = (const void *)((const char *)(entry + 1) + 8);
                }
            cr_expect_eq((const char *)entry, (const char *)report.blob + report.blob_size);
        }
    }
}

/* Queues of one device, too. */
Test(umd_packets, a_report_has_the_queues_that_are_left_in_their_order)
{
    for (int gone = 0; gone < 3; gone++) {
        AT_END(scene_finish) struct scene s;
        scene_init(&s, "reference");
        void *queues[3] = {s.queue, s.driver->queue_create(s.device, 0, 21),
                           s.driver->queue_create(s.device, 0, 31)};
        s.driver->queue_destroy(queues[gone]);
        s.queue = queues[gone == 0];
        annot_crash_report report = {.size = sizeof report};
        s.driver->crash_report(s.device, &report);
        cr_assert_eq(report.progress_count, 2);
        cr_expect_eq(report.progress[0].queue, gone == 0 ? 21 : 11);
        cr_expect_eq(report.progress[1].queue, gone == 2 ? 21 : 31);
        s.driver->queue_destroy(queues[gone == 2 ? 1 : 2]);
    }
}

/* ---- markers that move ---- */

enum { MARKERS_MAX = 40 };

/* Markers with EventIDs from `base` on, and packets of two sizes among them. */
static void put_markers(struct buffer *b, uint32_t count, uint64_t base)
{
    b->used = 0;
    for (uint32_t i = 0; i < count; i++) {
        put_marker(b, EMU_MARKER_SET, base + i);
        if (i % 3 == 0)
            put_copy(b, base, i, 0);
        if (i % 4 == 1)
            put_bare(b, EMU_PACKET_BARRIER);
    }
}

/* How far the one that moved most did. */
static uint32_t moved(const struct buffer *b, uint32_t count, uint64_t base)
{
    bool seen[MARKERS_MAX] = {false};
    uint32_t most = 0, i = 0;
    const char *at = b->memory.cpu, *end = at + b->used;
    for (struct emu_packet_header header; at < end; at += header.size) {
        memcpy(&header, at, sizeof header);
        struct emu_packet_marker marker;
        if (header.opcode != EMU_PACKET_MARKER)
            continue;
        memcpy(&marker, at, sizeof marker);
        const uint64_t was = marker.event_id - base;
        cr_assert(was < count && !seen[was]);
        seen[was] = true;
        const uint32_t off = was > i ? (uint32_t)was - i : i - (uint32_t)was;
        most = off > most ? off : most;
        i++;
    }
    cr_assert_eq(i, count);
    return most;
}

/* driver.h: no further than the window, which is 16 at most; as far as that now and then; always
 * the same way; and nothing else moves. */
Test(umd_reorder, markers_move_as_far_as_the_window_and_nothing_else_does)
{
    AT_END(gpu_ended) emu_gpu *gpu = emu_gpu_create();
    struct buffer b = buffer_create(gpu), other = buffer_create(gpu);
    for (uint32_t window = 0; window <= 20; window++) {
        const uint32_t limit = window < 16 ? window : 16;
        uint32_t most = 0;
        for (uint64_t base = 1; base < 400; base++) {
            const uint32_t count = (uint32_t)base % (MARKERS_MAX + 1);
            put_markers(&b, count, base * 1000);
            put_markers(&other, count, base * 1000);
            const uint64_t used = b.used;
            emu__reorder_markers(b.memory.cpu, b.used, window);
            emu__reorder_markers(other.memory.cpu, other.used, window);
            const uint32_t far = moved(&b, count, base * 1000);
            cr_assert_leq(far, limit, "window %u: %u", window, far);
            most = far > most ? far : most;
            cr_assert_eq(memcmp(b.memory.cpu, other.memory.cpu, used), 0, "another way");
        }
        /* by odd windows whole ones need lists that are longer */
        cr_expect_geq(most, limit - (limit > 8 ? limit % 2 : 0), "window %u: %u", window, most);
    }
    emu__reorder_markers(NULL, 0, 4);
}
