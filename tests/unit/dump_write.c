/* The content of a device's dump [ANN-CRASH-01, -04, -07, ANN-MARK-11, ANN-NAME-05, -07; the format
 * as lib/dump/dump_format.h describes it]. */
#include "dump_scene.h"
#include "golden_dumps.h"
#include "record/types.h"

#include <stddef.h>
#include <sys/mman.h>

static uint64_t set(annot_context *context, const char *text)
{
    annot_context_set_marker(context, 5, text, (uint32_t)strlen(text));
    return spy_last()->id;
}

static uint64_t begin(annot_context *context, const char *text)
{
    annot_context_begin_event(context, 6, text, (uint32_t)strlen(text));
    return spy_last()->id;
}

static bool bytes_are(const struct dump_record *record, const char *text)
{
    return record->variable == strlen(text) && memcmp(record->bytes, text, record->variable) == 0;
}

/* ---- contents ---- */

Test(dump_write, an_empty_device_makes_a_valid_dump)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    size_t at = 0;
    const struct dump_record *about = taken_next(&d, RECORD_DEVICE, &at);
    cr_assert_not_null(about);
    cr_expect_eq(at, 1, "DEVICE comes first");
    cr_expect_eq(about->section, SECTION_ABOUT);
    cr_expect_eq(taken_u64(about, 24), 0, "no budget");
    cr_expect_eq(taken_u32(about, 40), 0);
    cr_expect_eq(taken_u32(about, 44), 1);
    cr_expect_eq(taken_u32(about, 48), 1);
    cr_expect_eq(taken_u32(about, 56), 0);
    cr_expect_eq(taken_u32(about, 60), sizeof(void *));
    cr_expect_eq(taken_count(&d, RECORD_LOSS), 0);
}

/* Every record kind with every field, against what was done to the device [ANN-CRASH-01, -04]. */
Test(dump_write, holds_what_was_recorded)
{
    AT_END(scene_done) struct scene s = scene_make(1 << 20);
    annot_object_set_name(s.list.object, "List", ANNOT_TEXT_UTF8);
    annot_object_set_name(s.queue.object, "Queue", ANNOT_TEXT_UTF8);
    annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE, .driver_handle = spy_handle(4)};
    annot_object *fence;
    annot_object_create(s.device, &desc, &fence);
    annot_object_set_name(fence, "Fence", ANNOT_TEXT_UTF8);
    annot_object_destroy(fence);

    annot_context_open(s.bundle.context, s.bundle_arena);
    set(s.bundle.context, "in bundle");
    annot_context_close(s.bundle.context);
    annot_context_open(s.list.context, s.arena);
    begin(s.list.context, "outer");
    begin(s.list.context, "inner");
    set(s.list.context, "leaf");
    annot_context_end_event(s.list.context);
    annot_context_execute_bundle(s.list.context, s.bundle.context);
    annot_context_execute_bundle(s.list.context, s.bundle.context);
    annot_context_end_event(s.list.context);
    annot_context_end_event(s.list.context); /* surplus */
    begin(s.list.context, "unclosed");
    annot_context_close(s.list.context);
    begin(s.queue.context, "on queue");
    annot_context *lists[] = {s.list.context, s.bundle.context};
    annot_context_submit(s.queue.context, lists, 2);
    annot_context_submit(s.queue.context, lists, 1);
    annot_context_submit(s.queue.context, NULL, 0);
    annot_context_completed(s.queue.context, 1);
    set(s.queue.context, "behind");
    annot_context_open(s.list.context, s.arena); /* still recording when the dump is taken */
    set(s.list.context, "live");

    annot_crash_report report;
    annot_progress rows[3];
    annot_blob blobs[3];
    annot_dump_info info = full_info(&s, &report, rows, blobs);
    AT_END(taken_free) struct dump d = taken_from(s.device, &info);
    AT_END(at_end_free) struct taken_print *print = calloc(1, sizeof *print);
    for (size_t i = 0; i < d.count; i++) {
        const struct dump_record *record = &d.records[i];
        const bool is_writers = record->kind == RECORD_TEXT && taken_u32(record, 0) == 5;
        if (record->kind == RECORD_PROGRESS && i > 0 && d.records[i - 1].kind != RECORD_PROGRESS)
            cr_expect_eqs(taken_u64(record, 16), rows[0].started, taken_u64(record, 24),
                          rows[0].completed, "garbage included");
        if (record->kind != RECORD_FACT && record->kind != RECORD_END && !is_writers)
            taken_print(print, record);
    }
    golden_expect_part("records", "everything", print->text.data);
    free(print->text.data);
}

/* Many sections; payloads around the place where they are cut [dump_format.h: 32,768 bytes]. */
Test(dump_write, every_marker_is_there_whatever_its_size)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    static unsigned char payload[200000];
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (unsigned char)(i * 7 + i / 255);
    annot_context_open(s.list.context, s.arena);
    static const uint32_t large[] = {32700, 32760, 32766, 32767, 32768,
                                     32769, 32776, 65536, 200000};
    for (uint32_t size = 0; size < 3000; size++)
        annot_context_set_marker(s.list.context, size, payload, size);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        annot_context_begin_event(s.queue.context, 0, payload, large[i]);
    for (uint32_t i = 0; i < 20000; i++)
        annot_context_set_marker(s.list.context, i, payload, i % 40);
    for (uint32_t i = 0; i < 9000; i++) /* up to the last unit of a chunk */
        annot_context_set_marker(s.list.context, i, payload, 0);
    AT_END(taken_free) struct dump d = taken_from(s.device, NULL);
    cr_expect_gt(d.sections, 15);
    cr_assert_eq(taken_count(&d, RECORD_SET), 32000);
    cr_assert_eq(taken_count(&d, RECORD_BEGIN), sizeof large / sizeof *large);
    size_t set_at = 0, begin_at = 0;
    for (size_t i = 0; i < spy_calls.count; i++) { /* order in a stream is order of recording */
        const struct spy_call *call = &spy_calls.calls[i];
        const struct dump_record *r = call->function == SPY_LIST_SET
                                          ? taken_next(&d, RECORD_SET, &set_at)
                                          : taken_next(&d, RECORD_BEGIN, &begin_at);
        cr_assert_eq(taken_u64(r, 0), call->id);
        cr_assert_eq(taken_u32(r, 16), call->metadata);
        cr_assert_eq(taken_u32(r, 20), call->size);
        cr_assert_eq(r->variable, call->size < 32768 ? call->size : 32768);
        cr_assert_eq(memcmp(r->bytes, payload, r->variable), 0);
    }
}

/* ANN-LIFE-01, ANN-CRASH-01: what is live is there, what is expired is not. */
Test(dump_write, holds_live_markers_only)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context_open(s.list.context, s.arena);
    uint64_t gone = set(s.list.context, "gone");
    annot_context_close(s.list.context);
    annot_context_open(s.bundle.context, s.bundle_arena);
    uint64_t kept = set(s.bundle.context, "kept");
    spy_child_done(s.bundle);
    s.bundle = (struct spy_child){NULL, NULL};
    annot_context *lists[] = {s.list.context};
    annot_context_submit(s.queue.context, lists, 1);
    annot_arena_reset(s.arena);
    AT_END(taken_free) struct dump d = taken_from(s.device, NULL);
    cr_expect_null(taken_marker(&d, gone));
    cr_expect_not_null(taken_marker(&d, kept), "its allocator lives");
    cr_expect_eq(taken_count(&d, RECORD_SUBMISSION), 1);
    cr_expect_eq(taken_count(&d, RECORD_OBJECT), 3, "the list that is gone is still known");
    taken_free(&d);
    annot_arena_destroy(s.bundle_arena);
    s.bundle_arena = NULL;
    d = taken_from(s.device, NULL);
    cr_expect_null(taken_marker(&d, kept));
}

/* ANN-CRASH-04, ANN-LIFE-06: every loss is in the dump. */
Test(dump_write, says_what_was_lost)
{
    AT_END(scene_done) struct scene s = scene_make(4 * 65536);
    static const char big[70000], medium[30000];
    annot_context_open(s.list.context, s.arena);
    for (int i = 0; i < 20; i++) {
        annot_context_set_marker(s.queue.context, 0, medium, sizeof medium);
        annot_context_completed(s.queue.context, annot_context_submit(s.queue.context, NULL, 0));
    }
    annot_context_submit(s.queue.context, NULL, 0);
    for (int i = 0; i < 10; i++) /* nobody completes these */
        annot_context_set_marker(s.queue.context, 0, medium, sizeof medium);
    for (int i = 0; i < 10; i++)
        annot_context_set_marker(s.list.context, 0, big, sizeof big);
    annot_context *lists[20000];
    for (int i = 0; i < 20000; i++)
        lists[i] = s.list.context;
    spy_heap.fail_at = spy_heap.allocations + 1;
    annot_context_submit(s.queue.context, lists, 20000);
    spy_heap.fail_at = 0;
    annot_device_stats stats = spy_stats(s.device);
    cr_assert(stats.dropped_markers && stats.evicted_markers);
    AT_END(taken_free) struct dump d = taken_from(s.device, NULL);
    cr_expect_eq(taken_loss(&d, 1), stats.dropped_markers);
    cr_expect_eq(taken_loss(&d, 2), stats.dropped_bytes);
    cr_expect_eq(taken_loss(&d, 3), stats.evicted_markers);
    cr_expect_eq(taken_loss(&d, 4), 1, "the large submission");
    cr_expect_eq(taken_loss(&d, 5), 0);
    cr_expect_eq(taken_loss(&d, 6), 0);
    cr_expect_eq(taken_loss(&d, 9) + taken_count(&d, RECORD_SUBMISSION), 21);
    size_t at = 0;
    const struct dump_record *queue = taken_next(&d, RECORD_QUEUE, &at);
    at = 0;
    const struct dump_record *recording = taken_next(&d, RECORD_RECORDING, &at);
    cr_expect_eq(taken_u64(queue, 24) + taken_u64(recording, 16), stats.dropped_markers,
                 "each is some recording's or some queue's");
    cr_expect_gt(taken_u64(recording, 16), 9);
    cr_expect_eq(taken_u64(queue, 8), 22);
}

/* Submissions of any number of lists: more than a section holds is cut, and the count says so. */
Test(dump_write, long_submissions_are_cut_and_say_so)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    enum { HELD = (262144 - 8 - 28) / 16, MANY = HELD + 1000 };
    static annot_context *lists[MANY];
    for (int i = 0; i < MANY; i++)
        lists[i] = i % 2 ? s.list.context : s.bundle.context;
    static const uint32_t counts[] = {2049, HELD, HELD + 1, MANY};
    for (int i = 0; i < 4; i++)
        annot_context_submit(s.queue.context, lists, counts[i]);
    AT_END(taken_free) struct dump d = taken_from(s.device, NULL);
    size_t at = 0;
    for (int i = 0; i < 4; i++) {
        const struct dump_record *r = taken_next(&d, RECORD_SUBMISSION, &at);
        cr_expect_eq(taken_u32(r, 16), counts[i]);
        cr_expect_eq(r->variable, 16 * (counts[i] < HELD ? counts[i] : HELD));
    }
}

/* ANN-NAME-07: the latest destroyed objects keep their names, the forgotten ones are counted. */
Test(dump_write, names_of_recently_destroyed_objects_resolve)
{
    annot_device_desc desc = spy_desc();
    desc.freed_name_count = 100;
    AT_END(spy_device_ended) annot_device *device;
    annot_device_create(&desc, &device);
    uint64_t ids[250];
    for (int i = 0; i < 250; i++) {
        annot_object_desc object_desc = {.kind = D3D12DDI_HT_RESOURCE};
        AT_END(spy_object_ended) annot_object *object;
        annot_object_create(device, &object_desc, &object);
        ids[i] = annot_object_id(object);
        char name[16];
        snprintf(name, sizeof name, "r%d", i);
        annot_object_set_name(object, name, ANNOT_TEXT_UTF8);
    }
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    cr_expect_eq(taken_count(&d, RECORD_OBJECT), 100);
    cr_expect_eq(taken_loss(&d, 8), 150);
    size_t at = 0;
    for (int i = 150; i < 250; i++) {
        const struct dump_record *r = taken_next(&d, RECORD_OBJECT, &at);
        char name[16];
        snprintf(name, sizeof name, "r%d", i);
        cr_expect_eq(taken_u64(r, 0), ids[i]);
        cr_expect(bytes_are(r, name));
        cr_expect_eq(taken_u32(r, 24) & 3, 3);
    }
}

/* ANN-NAME-07: of those that are gone, names are what is kept. */
Test(dump_write, a_destroyed_queue_without_a_name_is_no_object_any_more)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child kept = spy_queue(device, 0, NULL), gone = spy_queue(device, 0, NULL);
    const uint64_t id = annot_object_id(kept.object);
    spy_child_done(gone);
    AT_END(taken_free) struct dump d = taken_from(device, NULL);
    size_t at = 0;
    cr_assert_eq(taken_count(&d, RECORD_OBJECT), 1);
    cr_expect_eq(taken_u64(taken_next(&d, RECORD_OBJECT, &at), 0), id);
    spy_child_done(kept);
}

/* ANN-NAME-05: a name that is cut is still valid UTF-8, and so are the texts. */
Test(dump_write, long_texts_are_cut_at_a_characters_border)
{
    enum { LONG = 40000 };
    AT_END(at_end_free) char *name = malloc(LONG * 3 + 4);
    for (size_t shift = 0; shift < 3; shift++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, NULL);
        memset(name, 'x', shift);
        for (size_t i = 0; i < LONG; i++)
            memcpy(name + shift + 3 * i, "\xE2\x82\xAC", 3);
        name[shift + 3 * LONG] = 0;
        annot_object_set_name(list.object, name, ANNOT_TEXT_UTF8);
        annot_dump_info info = {.application = name, .reason = name};
        AT_END(taken_free) struct dump d = taken_from(device, &info);
        size_t at = 0;
        const struct dump_record *r = taken_next(&d, RECORD_OBJECT, &at);
        cr_expect_eq(taken_u32(r, 28), shift + 3 * LONG);
        cr_expect_eq((r->variable - shift) % 3, 0, "shift %zu: %u bytes", shift, r->variable);
        cr_expect_gt(r->variable, 32760);
        for (at = 0; (r = taken_next(&d, RECORD_TEXT, &at));)
            if (taken_u32(r, 0) == 1 || taken_u32(r, 0) == 4)
                cr_expect_eq((r->variable - shift) % 3, 0);
    }
}

/* ANN-DDI-03, ddi.h: rows and bytes past the documented limits are not read. */
Test(dump_write, a_report_is_read_up_to_its_limits)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(at_end_free) annot_progress *rows = calloc(ANNOT_CRASH_REPORT_MAX_ROWS, sizeof *rows);
    AT_END(at_end_free) unsigned char *blob = calloc(1, ANNOT_CRASH_REPORT_MAX_BLOB);
    for (size_t i = 0; i < ANNOT_CRASH_REPORT_MAX_ROWS; i++)
        rows[i].queue = i % 2 ? annot_object_id(s.queue.object) : 77;
    annot_crash_report report = {.size = sizeof report,
                                 .progress = rows,
                                 .progress_count = SIZE_MAX,
                                 .blob = blob,
                                 .blob_size = SIZE_MAX};
    annot_dump_info info = {.report = &report};
    struct dump d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), ANNOT_CRASH_REPORT_MAX_ROWS / 2);
    cr_expect_eq(taken_loss(&d, 7), ANNOT_CRASH_REPORT_MAX_ROWS / 2);
    uint64_t bytes = 0;
    size_t at = 0;
    for (const struct dump_record *r; (r = taken_next(&d, RECORD_BLOB, &at));) {
        cr_assert_eq(taken_u64(r, 8), bytes);
        cr_assert_leq(r->variable, 32768);
        bytes += r->variable;
    }
    cr_expect_eq(bytes, ANNOT_CRASH_REPORT_MAX_BLOB);
    taken_free(&d);
    report = (annot_crash_report){.progress_count = 5, .blob_size = 5}; /* counts of nothing */
    d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS) + taken_count(&d, RECORD_BLOB), 0);
    taken_free(&d);
}

/* ANN-DDI-03: a driver's pointers and counts need not be true. What is there is kept, and the rest
 * is noted. */
Test(dump_write, a_report_is_read_as_far_as_there_is_memory)
{
    enum { ROWS = 5000, PAGE = 4096 };
    AT_END(scene_done) struct scene s = scene_make(0);
    const size_t whole = (ROWS * sizeof(annot_progress) + PAGE - 1) / PAGE * PAGE;
    char *memory =
        mmap(NULL, whole + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    cr_assert_eq(mprotect(memory + whole, PAGE, PROT_NONE), 0);
    annot_progress *rows =
        (annot_progress *)(void *)(memory + whole - ROWS * sizeof(annot_progress));
    for (int i = 0; i < ROWS; i++)
        rows[i].queue = annot_object_id(s.queue.object);
    annot_crash_report report = {.size = sizeof report,
                                 .progress = rows,
                                 .progress_count = SIZE_MAX,
                                 .blob = memory + whole - 100,
                                 .blob_size = SIZE_MAX};
    annot_dump_info info = {.report = &report};
    struct dump d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), ROWS);
    uint64_t bytes = 0;
    size_t at = 0;
    for (const struct dump_record *r; (r = taken_next(&d, RECORD_BLOB, &at));
         bytes += r->variable) {
        cr_expect_eq(taken_u64(r, 8), bytes);
        cr_expect_eq(taken_u64(r, 16), ANNOT_CRASH_REPORT_MAX_BLOB);
    }
    cr_expect_eq(bytes, 100);
    cr_expect_eq(taken_loss(&d, 10), 2);
    taken_free(&d);

    report.progress = (annot_progress *)(void *)(memory + whole);
    report.blob = (void *)(uintptr_t)8;
    d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), 0);
    cr_expect_eq(taken_loss(&d, 10), 2);
    taken_free(&d);
    report = (annot_crash_report){.progress = rows, .progress_count = ROWS};
    d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), ROWS);
    cr_expect_eq(taken_loss(&d, 10), 0);
    taken_free(&d);
    munmap(memory, whole + PAGE);
}

/* dump.h: "What it can't get at in bounded time is left out and noted in the dump." */
Test(dump_write, what_is_locked_is_left_out_and_noted)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context_open(s.list.context, s.arena);
    uint64_t locked = set(s.list.context, "locked");
    annot_context_open(s.bundle.context, s.bundle_arena);
    uint64_t seen = set(s.bundle.context, "seen");
    set(s.queue.context, "q");
    annot__mutex_lock(&s.arena->guard);
    struct dump d = taken_from(s.device, NULL);
    cr_expect_null(taken_marker(&d, locked));
    cr_expect_not_null(taken_marker(&d, seen));
    cr_expect_eq(taken_loss(&d, 5), 1);
    taken_free(&d);
    annot__mutex_unlock(&s.arena->guard);

    annot__mutex_lock(&s.device->objects_lock);
    d = taken_from(s.device, NULL);
    cr_expect_eq(taken_count(&d, RECORD_OBJECT) + taken_count(&d, RECORD_QUEUE), 0);
    cr_expect_not_null(taken_marker(&d, locked));
    cr_expect_gt(taken_loss(&d, 6), 0);
    taken_free(&d);
    annot__mutex_unlock(&s.device->objects_lock);

    annot_arena *queues = s.queue.context->queue->cursor.arena;
    annot__mutex_lock(&queues->guard);
    d = taken_from(s.device, NULL);
    cr_expect_eq(taken_count(&d, RECORD_SET), 2, "of the lists");
    cr_expect_eq(taken_loss(&d, 5), 2, "as a list's and as the queue's");
    taken_free(&d);
    annot__mutex_unlock(&queues->guard);

    /* A recording thread that was stopped inside a queue call holds nobody up. */
    annot__mutex_lock(&s.queue.context->queue->lock);
    d = taken_from(s.device, NULL);
    cr_expect_eq(taken_count(&d, RECORD_QUEUE), 1);
    cr_expect_eq(taken_count(&d, RECORD_SET), 3);
    cr_expect_eq(taken_loss(&d, 5) + taken_loss(&d, 6), 0, "the losses of one dump stay its own");
    taken_free(&d);
    annot__mutex_unlock(&s.queue.context->queue->lock);
}

/* ANN-CRASH-07: taking a dump changes nothing, so the next one is the same. */
Test(dump_write, a_writer_can_be_used_again)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context_open(s.list.context, s.arena);
    for (int i = 0; i < 10000; i++)
        set(s.list.context, "marker");
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    /* The first one misses something; its losses are not the others'. */
    annot_progress row = {.queue = 99};
    annot_crash_report report = {.progress = &row, .progress_count = 1};
    annot_dump_info info = {.report = &report};
    struct dump lossy = {0};
    annot_dump_sink lossy_sink = taken_sink(&lossy);
    annot__mutex_lock(&s.arena->guard);
    cr_assert_eq(annot_dump_write(writer, &info, &lossy_sink), ANNOT_OK);
    annot__mutex_unlock(&s.arena->guard);
    annot__mutex_lock(&s.device->objects_lock);
    cr_assert_eq(annot_dump_write(writer, &info, &lossy_sink), ANNOT_OK);
    annot__mutex_unlock(&s.device->objects_lock);
    taken_free(&lossy);
    struct dump dumps[3] = {{0}};
    annot_dump_info moment = {.time = 1};
    for (int i = 0; i < 3; i++) {
        annot_dump_sink sink = taken_sink(&dumps[i]);
        cr_assert_eq(annot_dump_write(writer, &moment, &sink), ANNOT_OK);
        cr_assert_null(taken_parse(&dumps[i]));
        cr_expect_eq(taken_count(&dumps[i], RECORD_LOSS), 0);
        cr_expect_eq(dumps[i].size, dumps[0].size);
        cr_expect_eq(memcmp(dumps[i].bytes, dumps[0].bytes, dumps[0].size), 0);
    }
    cr_expect_eq(spy_lookup(s.device, set(s.list.context, "on")), ANNOT_LOOKUP_LIVE);
    for (int i = 0; i < 3; i++)
        taken_free(&dumps[i]);
    annot_dump_writer_destroy(NULL);
}

/* A driver of an older version fills in less: what lies behind its size is not read. */
Test(dump_write, a_report_counts_up_to_its_size)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_progress row = {.queue = annot_object_id(s.queue.object), .list = ANNOT_PROGRESS_QUEUE};
    annot_crash_report report = {.size = offsetof(annot_crash_report, progress),
                                 .order_window = 4,
                                 .fault_address = 0x1000,
                                 .progress = &row,
                                 .progress_count = 1,
                                 .blob = "blob",
                                 .blob_size = 4};
    annot_dump_info info = {.report = &report};
    AT_END(taken_free) struct dump d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_FAULT), 1);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), 0);
    cr_expect_eq(taken_count(&d, RECORD_BLOB), 0);
    taken_free(&d);
    report.size = sizeof report + 64; /* of a later version */
    d = taken_from(s.device, &info);
    cr_expect_eq(taken_count(&d, RECORD_PROGRESS), 1);
    cr_expect_eq(taken_count(&d, RECORD_BLOB), 1);
}

/* What the kernel and the runtime say beside the driver, and which thread failed [ANN-TRUTH-08]. */
Test(dump_write, faults_waits_and_the_thread_that_failed_come_back)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    const annot_crash_report report = {.size = sizeof report, .fault_address = 0x1000};
    const annot_fault faults[] = {{0x2000, ANNOT_FAULT_KERNEL, 0}, {0, ANNOT_FAULT_RUNTIME, 0}};
    const annot_wait wait = {.queue = annot_object_id(s.queue.object),
                             .submission = 1,
                             .fence = 77,
                             .value = 7,
                             .reached = 6,
                             .signallers = {annot_object_id(s.queue.object), 99, 0, 5},
                             .is_certain = true,
                             .flags = ANNOT_WAIT_ENDLESS};
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_PAGE_FAULT,
                            .report = &report,
                            .faults = faults,
                            .fault_count = 2,
                            .waits = &wait,
                            .wait_count = 1,
                            .thread = 4711};
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_wait read = {0};
    annot_reader_hang hang;
    annot_context_open(s.list.context, s.arena);
    set(s.list.context, "m");
    annot_context_close(s.list.context);
    annot_context_submit(s.queue.context, (annot_context *[]){s.list.context}, 1);
    AT_END(taken_free) struct dump d = taken_from(s.device, &info);
    size_t at = 0;
    cr_expect_eq(taken_u32(taken_next(&d, RECORD_DEVICE, &at), 72), 4711);
    cr_assert_eq(annot_reader_open_memory(NULL, d.bytes, d.size, &reader), ANNOT_OK);
    annot_reader_get_hang(reader, &hang);
    cr_expect_eq(hang.fault_address, 0x2000);
    cr_expect_eq(hang.fault_otherwise, 0x1000);
    cr_expect_eq(hang.fault_witnesses, ANNOT_WITNESS_KERNEL);
    cr_assert(annot_reader_wait_at(reader, 0, &read));
    cr_expect(read.fence == 77 && read.value == 7 && read.reached == 6);
    cr_expect_eq(read.signaller, annot_object_id(s.queue.object));
}
