/* annot/evidence.h from a layer's side: a GPU of this file's own executes the writes that the layer
 * recorded, up to any point, and the report must say exactly that. */
#include "asserts.h"
#include "at_end.h"
#include "deaf_driver.h"
#include "device_dump.h"
#include "spy.h"

#include <annot/evidence.h>
#include <annot/reader.h>

#include <string.h>

enum { WORDS = 32, WRITES = 64 };

/* ---- a layer ---- */

struct write {
    uint64_t offset, value;
};

struct layer_list {
    annot_object *object;
    annot_context *context;
    annot_words words;
    struct write writes[WRITES]; /* as the command buffer has them */
    unsigned count;
    uint64_t ids[WRITES]; /* EventIDs in order of Begin and Set */
    unsigned markers;
};

static union {
    uint64_t align;
    char bytes[WORDS * 8];
} memory;
static uint32_t word_size;

static void record_write(struct layer_list *list, uint64_t offset, uint64_t value)
{
    if (offset != ANNOT_WORDS_NONE)
        list->writes[list->count++] = (struct write){offset, value};
}

static void ANNOT_DDI_CALL layer_begin(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    (void)metadata, (void)data, (void)size;
    struct layer_list *list = handle.pDrvPrivate;
    list->ids[list->markers++] = id;
    record_write(list, list->words.started, id);
}

static void ANNOT_DDI_CALL layer_end(D3D12DDI_HCOMMANDLIST handle, uint64_t id)
{
    struct layer_list *list = handle.pDrvPrivate;
    if (id)
        record_write(list, list->words.completed, id);
}

static void ANNOT_DDI_CALL layer_set(D3D12DDI_HCOMMANDLIST handle, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t id)
{
    layer_begin(handle, metadata, data, size, id);
    layer_end(handle, id);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {deaf_queue_marker, deaf_queue_end,
                                                                  deaf_queue_marker, layer_begin,
                                                                  layer_end,         layer_set,
                                                                  deaf_set_name};
static const annot_driver driver = {"layer", 1, &table, 0};

struct layer {
    annot_device *device;
    annot_tracker *tracker;
    annot_arena *arena;
    struct layer_list lists[3];
    annot_object *queue_object;
    annot_context *queue;
};

static void layer_make_on(struct layer *layer, const annot_driver *on, uint32_t bytes,
                          uint64_t memory_size)
{
    *layer = (struct layer){0};
    word_size = bytes;
    memset(&memory, 0xEE, sizeof memory);
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.driver = on;
    desc.allocator = spy_allocator;
    desc.force_driver_retail = true;
    cr_assert_eq(annot_device_create(&desc, &layer->device), ANNOT_OK);
    annot_tracker_desc tracked = {.memory = &memory,
                                  .memory_size = memory_size,
                                  .word_size = bytes,
                                  .writes_entered = true,
                                  .writes_completed = true};
    cr_assert_eq(annot_tracker_create(layer->device, &tracked, &layer->tracker), ANNOT_OK);
    annot_arena_create(layer->device, &layer->arena);
    for (int i = 0; i < 3; i++) {
        annot_object_desc of = {
            .kind = 6, .type = ANNOT_OBJECT_COMMAND_LIST, .driver_handle = &layer->lists[i]};
        annot_object_create(layer->device, &of, &layer->lists[i].object);
        annot_context_create(layer->lists[i].object, &layer->lists[i].context);
    }
    annot_object_desc of = {.kind = 4, .type = ANNOT_OBJECT_QUEUE, .driver_handle = &layer->queue};
    annot_object_create(layer->device, &of, &layer->queue_object);
    annot_context_create(layer->queue_object, &layer->queue);
}

static void layer_make(struct layer *layer, uint32_t bytes, uint64_t memory_size)
{
    layer_make_on(layer, &driver, bytes, memory_size);
}

static void layer_done(struct layer *layer)
{
    for (int i = 0; i < 3; i++) {
        annot_tracker_forget(layer->tracker, layer->lists[i].context);
        annot_context_destroy(layer->lists[i].context);
        annot_object_destroy(layer->lists[i].object);
    }
    annot_context_destroy(layer->queue);
    annot_object_destroy(layer->queue_object);
    annot_tracker_destroy(layer->tracker);
    annot_arena_destroy(layer->arena);
    spy_device_done(layer->device);
}

/* `layer` for this block. */
#define LAYER(bytes, memory_size)                                                                  \
    AT_END(layer_done) struct layer layer;                                                         \
    layer_make(&layer, bytes, memory_size)

static struct layer_list *list_open(struct layer *layer, int index)
{
    struct layer_list *list = &layer->lists[index];
    list->count = list->markers = 0;
    cr_assert_eq(annot_context_open(list->context, layer->arena), ANNOT_OK);
    list->words = annot_tracker_record(layer->tracker, list->context);
    record_write(list, list->words.started, ANNOT_WORD_ENTERED);
    return list;
}

static void list_close(struct layer_list *list)
{
    annot_context_close(list->context);
    record_write(list, list->words.completed, ANNOT_WORD_LEFT);
}

/* A recording of this marker, or, with NULL, of none. */
static struct layer_list *list_of(struct layer *layer, int index, const char *marker)
{
    struct layer_list *list = list_open(layer, index);
    if (marker)
        annot_context_set_marker(list->context, 1, marker, (uint32_t)strlen(marker));
    list_close(list);
    return list;
}

static uint64_t submit(struct layer *layer, struct layer_list *list)
{
    return annot_tracker_submit(layer->tracker, layer->queue, &list->context, 1, NULL);
}

/* ---- a GPU ---- */

static void execute(const struct layer_list *list, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        memcpy(memory.bytes + list->writes[i].offset, &list->writes[i].value, word_size);
}

/* The rows of the report, which has `count`. They last until the next call. */
static const annot_progress *rows_of(struct layer *layer, size_t count)
{
    static annot_crash_report report;
    report = (annot_crash_report){.size = sizeof report};
    cr_assert(annot_tracker_report(layer->tracker, &report));
    cr_assert_eq(report.progress_count, count);
    return report.progress;
}

static const annot_progress *only_row(struct layer *layer)
{
    return rows_of(layer, 1);
}

/* ---- tests ---- */

/* The layer's promises of the order between executions are in its reports, and decide what they
 * tell. */
Test(evidence, a_report_has_the_trackers_window_and_promises)
{
    const uint32_t promises = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER;
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (uint32_t i = 0; i <= promises; i++) {
        const annot_tracker_desc desc = {.memory = &memory,
                                         .memory_size = sizeof memory,
                                         .word_size = 8,
                                         .order_window = 10 + i,
                                         .promises = i};
        annot_crash_report report = {.size = sizeof report, .promises = promises};
        annot_tracker *tracker;
        cr_assert_eq(annot_tracker_create(device, &desc, &tracker), ANNOT_OK);
        cr_assert(annot_tracker_report(tracker, &report));
        cr_expect_eq(report.promises, i);
        cr_expect_eq(report.order_window, 10 + i);
        cr_expect_eq(report.progress_count, 0);
        annot_tracker_destroy(tracker);
    }
}

/* Frame { sky, Shadow { } }, stopped behind each write: [started, completed] as the writes say. */
Test(evidence, every_point_of_a_recording_is_told_exactly)
{
    for (uint32_t bytes = 4; bytes <= 8; bytes += 4) {
        LAYER(bytes, sizeof memory);
        struct layer_list *list = list_open(&layer, 0);
        annot_context_begin_event(list->context, 1, "Frame", 5);
        annot_context_set_marker(list->context, 1, "sky", 3);
        annot_context_begin_event(list->context, 1, "Shadow", 6);
        annot_context_end_event(list->context);
        annot_context_end_event(list->context);
        list_close(list);
        cr_assert_eq(list->count, 8);
        uint64_t frame = list->ids[0], sky = list->ids[1], shadow = list->ids[2];
        const struct {
            uint32_t state;
            uint64_t started, completed;
        } expected[] = {
            {ANNOT_PROGRESS_NOT_STARTED, 0, 0},       {ANNOT_PROGRESS_STARTED, 0, 0},
            {ANNOT_PROGRESS_STARTED, frame, 0},       {ANNOT_PROGRESS_STARTED, sky, 0},
            {ANNOT_PROGRESS_STARTED, sky, sky},       {ANNOT_PROGRESS_STARTED, shadow, sky},
            {ANNOT_PROGRESS_STARTED, shadow, shadow}, {ANNOT_PROGRESS_STARTED, shadow, frame},
            {ANNOT_PROGRESS_FINISHED, 0, 0},
        };
        for (unsigned stop = 0; stop <= 8; stop++) {
            uint64_t serial = submit(&layer, list);
            execute(list, 0, stop);
            const annot_progress *row = only_row(&layer);
            cr_expect_eq(row->submission, serial);
            cr_expect_eq(row->state, expected[stop].state, "%u bytes, stop %u", bytes, stop);
            cr_expect_eq(row->started, expected[stop].started, "%u bytes, stop %u", bytes, stop);
            cr_expect_eq(row->completed, expected[stop].completed, "%u, stop %u", bytes, stop);
            annot_tracker_completed(layer.tracker, layer.queue, serial);
        }
    }
}

/* "It lets the GPU write EventIDs": without a table nobody is told of them, so that none in the
 * words is no proof that no marker was reached. A table of NULLs is none. */
Test(evidence, without_a_drivers_table_markers_are_unknown_and_lists_are_not)
{
    static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 empty = {0};
    static const annot_driver nothing = {"nothing", 1, &empty, 0};
    const annot_driver *const drivers[] = {NULL, &nothing};
    for (int i = 0; i < 2; i++) {
        AT_END(layer_done) struct layer layer;
        layer_make_on(&layer, drivers[i], 4, sizeof memory);
        struct layer_list *list = list_open(&layer, 0);
        annot_context_begin_event(list->context, 1, "Frame", 5);
        annot_context_end_event(list->context);
        list_close(list);
        cr_assert_eq(list->count, 2);
        const uint64_t serial = submit(&layer, list);
        cr_expect_eq(only_row(&layer)->state, ANNOT_PROGRESS_NOT_STARTED);
        execute(list, 0, 1);
        cr_expect_eq(only_row(&layer)->state, ANNOT_PROGRESS_STARTED);
        cr_expect_eq(only_row(&layer)->inside, ANNOT_INSIDE_NOT_TRACKED);
        execute(list, 1, 2);
        cr_expect_eq(only_row(&layer)->state, ANNOT_PROGRESS_FINISHED);
        annot_tracker_completed(layer.tracker, layer.queue, serial);
    }
}

/* The memory of an allocator that was reset has new markers, whose words are other uses of the same
 * place. */
Test(evidence, words_of_four_bytes_follow_the_allocator)
{
    LAYER(4, sizeof memory);
    uint64_t before = 0;
    for (int frame = 0; frame < 100; frame++) {
        struct layer_list *list = list_of(&layer, 0, "m");
        uint64_t serial = submit(&layer, list);
        execute(list, 0, 2);
        cr_assert_eq(only_row(&layer)->started, list->ids[0]);
        cr_assert_neq(list->ids[0], before);
        before = list->ids[0];
        annot_tracker_completed(layer.tracker, layer.queue, serial);
        annot_arena_reset(layer.arena);
    }
}

Test(evidence, with_words_of_their_own_two_executions_stay_apart)
{
    LAYER(8, sizeof memory);
    annot_words words[2];
    struct layer_list *list = list_of(&layer, 0, NULL);
    annot_context *twice[] = {list->context, list->context};
    uint64_t serial = annot_tracker_submit(layer.tracker, layer.queue, twice, 2, words);
    cr_assert(words[0].started != words[1].started && words[0].started != ANNOT_WORDS_NONE);
    uint64_t entered = ANNOT_WORD_ENTERED, left = ANNOT_WORD_LEFT;
    memcpy(memory.bytes + words[0].completed, &left, 8);
    memcpy(memory.bytes + words[1].started, &entered, 8);
    const annot_progress *rows = rows_of(&layer, 2);
    cr_expect_eq(rows[0].state, ANNOT_PROGRESS_FINISHED);
    cr_expect_eq(rows[1].state, ANNOT_PROGRESS_STARTED);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

/* A list that was given no words may execute bundles: those that the tracker is told of have
 * rows. */
Test(evidence, bundles_of_a_list_without_words_have_rows)
{
    for (int is_told = 0; is_told < 2; is_told++) {
        LAYER(8, sizeof memory);
        struct layer_list *bundle = list_of(&layer, 1, "leaf");
        struct layer_list *list = &layer.lists[0];
        annot_context_open(list->context, layer.arena);
        annot_tracker_execute_bundle(is_told ? layer.tracker : NULL, list->context,
                                     bundle->context);
        annot_tracker_execute_bundle(NULL, NULL, bundle->context);
        annot_tracker_execute_bundle(NULL, list->context, NULL);
        annot_context_close(list->context);
        const uint64_t serial = submit(&layer, list);
        const annot_progress *rows = rows_of(&layer, is_told ? 2 : 1);
        cr_expect_eq(rows[0].object, annot_object_id(list->object));
        cr_expect_eq(rows[0].state, ANNOT_PROGRESS_UNKNOWN);
        if (is_told) {
            cr_expect_eq(rows[1].object, annot_object_id(bundle->object));
            cr_expect_eq(rows[1].bundle, 1);
            cr_expect_eq(rows[1].state, ANNOT_PROGRESS_NOT_STARTED);
        }
        annot_tracker_completed(layer.tracker, layer.queue, serial);
    }
}

/* Words for one recording only: the second has none, and is unknown; when the first is done the
 * words are free. */
Test(evidence, without_words_an_execution_is_unknown)
{
    LAYER(8, 16);
    struct layer_list *first = list_of(&layer, 0, NULL);
    annot_arena *arena = layer.arena;
    annot_arena_create(layer.device, &layer.arena);
    struct layer_list *second = list_open(&layer, 1);
    cr_expect_eq(second->words.started, ANNOT_WORDS_NONE);
    cr_expect_eq(second->words.completed, ANNOT_WORDS_NONE);
    list_close(second);
    submit(&layer, first);
    uint64_t serial = submit(&layer, second);
    const annot_progress *rows = rows_of(&layer, 2);
    cr_expect_eq(rows[1].state, ANNOT_PROGRESS_UNKNOWN);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
    annot_tracker_forget(layer.tracker, first->context);
    second = list_open(&layer, 1);
    cr_expect_eq(second->words.started, 0, "the first one's words");
    list_close(second);
    annot_arena_destroy(layer.arena);
    layer.arena = arena;
}

/* However many there are: each has its row. */
Test(evidence, follows_two_hundred_submissions_in_flight)
{
    enum { COUNT = 200 };
    LAYER(8, sizeof memory);
    uint64_t serial = 0;
    struct layer_list *list = list_of(&layer, 0, NULL);
    for (int i = 0; i < COUNT; i++)
        serial = submit(&layer, list);
    const annot_progress *rows = rows_of(&layer, COUNT);
    for (uint64_t i = 0; i < COUNT; i++)
        cr_expect_eq(rows[i].submission, i + 1);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

/* A list that is recorded anew while the GPU still has the old recording gets other words. */
Test(evidence, words_in_flight_are_not_given_away)
{
    LAYER(8, sizeof memory);
    struct layer_list *list = list_open(&layer, 0);
    annot_words old = list->words;
    list_close(list);
    uint64_t serial = submit(&layer, list);
    list_open(&layer, 0);
    cr_expect_neq(list->words.started, old.started);
    list_close(list);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
    list = list_open(&layer, 1);
    cr_expect_eq(list->words.started, old.started, "free again");
    list_close(list);
}

Test(evidence, without_memory_nothing_is_claimed)
{
    for (size_t fail = 1; fail < 6; fail++) {
        LAYER(8, sizeof memory);
        annot_crash_report report = {.size = sizeof report};
        spy_heap.fail_at = spy_heap.allocations + fail;
        struct layer_list *list = list_of(&layer, 0, "m");
        uint64_t serial = submit(&layer, list);
        spy_heap.fail_at = 0;
        execute(list, 0, list->count);
        cr_assert(annot_tracker_report(layer.tracker, &report));
        for (size_t i = 0; i < report.progress_count; i++)
            cr_expect(report.progress[i].state == ANNOT_PROGRESS_FINISHED ||
                          report.progress[i].state == ANNOT_PROGRESS_UNKNOWN,
                      "allocation %zu", fail);
        annot_tracker_completed(layer.tracker, layer.queue, serial);
    }
}

Test(evidence, a_word_that_nobody_writes_claims_nothing)
{
    LAYER(4, sizeof memory);
    struct layer_list *list = list_of(&layer, 0, NULL);
    uint64_t serial = submit(&layer, list);
    uint32_t garbage = 0x7FF00123;
    memcpy(memory.bytes + list->words.started, &garbage, 4);
    const annot_progress *row = only_row(&layer);
    cr_expect_eq(row->started, 0);
    cr_expect_eq(row->completed, 0);
    cr_expect_eq(row->state, ANNOT_PROGRESS_UNKNOWN);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

/* One word that no marker can have makes the other one worthless: both are lost, and nothing is
 * said of the execution [ANN-DDI-03]. */
Test(evidence, a_word_that_no_marker_has_says_that_the_words_are_lost)
{
    const uint32_t garbage = 0x7FF00123;
    for (int in = 0; in < 3; in++) { /* in none, in `started`, in `completed` */
        LAYER(4, sizeof memory);
        struct layer_list *list = list_of(&layer, 0, "m");
        uint64_t serial = submit(&layer, list);
        execute(list, 0, 3);
        if (in > 0)
            memcpy(memory.bytes + (in == 1 ? list->words.started : list->words.completed), &garbage,
                   4);
        const annot_progress *row = only_row(&layer);
        const uint64_t marker = in == 0 ? list->ids[0] : 0;
        cr_expect_eq(row->inside, in == 0 ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_LOST, "%d", in);
        cr_expect_eq(row->state, in == 0 ? ANNOT_PROGRESS_STARTED : ANNOT_PROGRESS_UNKNOWN, "%d",
                     in);
        cr_expect_eqs(row->started, marker, row->completed, marker, "%d", in);
        annot_tracker_completed(layer.tracker, layer.queue, serial);
    }
}

/* A write that waits for nothing says that the GPU's front end got there, and nothing of what is
 * done. */
Test(evidence, starts_alone_claim_nothing)
{
    const uint32_t garbage = 0x7FF00123;
    LAYER(4, sizeof memory);
    annot_tracker_destroy(layer.tracker);
    annot_tracker_desc desc = {
        .memory = &memory, .memory_size = sizeof memory, .word_size = 4, .writes_entered = true};
    cr_assert_eq(annot_tracker_create(layer.device, &desc, &layer.tracker), ANNOT_OK);
    struct layer_list *list = list_of(&layer, 0, "m");
    uint64_t serial = submit(&layer, list);
    execute(list, 0, 1);
    cr_expect_eq(only_row(&layer)->inside, ANNOT_INSIDE_NOT_TRACKED, "entered, no marker yet");
    execute(list, 1, 3);
    const annot_progress *row = only_row(&layer);
    cr_expect_eq(row->state, ANNOT_PROGRESS_UNKNOWN);
    cr_expect_eqs(row->inside, ANNOT_INSIDE_STARTED, row->started, list->ids[0]);
    memcpy(memory.bytes + list->words.started, &garbage, 4);
    row = only_row(&layer);
    cr_expect_eqs(row->inside, ANNOT_INSIDE_NOT_TRACKED, row->started, 0, "no marker's word");
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

Test(evidence, odd_descriptions_are_refused)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_tracker *tracker;
    annot_tracker_desc desc = {.memory = memory.bytes, .memory_size = 64, .word_size = 3};
    cr_expect_eq(annot_tracker_create(device, &desc, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    desc.word_size = 8, desc.memory = memory.bytes + 4;
    cr_expect_eq(annot_tracker_create(device, &desc, &tracker), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(tracker);
    annot_tracker_destroy(NULL);
    annot_tracker_forget(NULL, NULL);
}

/* A tracker of no words, one pair and two, with any of its allocations failing. */
Test(evidence, without_memory_there_is_no_tracker)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (uint64_t pairs = 0; pairs < 3; pairs++)
        for (size_t fail = 1; fail <= 3; fail++) {
            const annot_tracker_desc desc = {
                .memory = &memory, .memory_size = pairs * 16, .word_size = 8};
            const bool fails = fail <= (pairs > 0 ? 2 : 1);
            annot_tracker *tracker = (annot_tracker *)&memory;
            spy_heap.fail_at = spy_heap.allocations + fail;
            cr_expect_eq(annot_tracker_create(device, &desc, &tracker),
                         fails ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_OK);
            cr_expect_eq(tracker == NULL, fails, "%zu of %d pairs", fail, (int)pairs);
            spy_heap.fail_at = 0;
            annot_tracker_destroy(tracker);
        }
}

/* ---- submissions that are told apart, taken back, copied ---- */

static void write_word(uint64_t offset, uint64_t value)
{
    cr_assert_neq(offset, ANNOT_WORDS_NONE);
    memcpy(memory.bytes + offset, &value, word_size);
}

static void expect_states(struct layer *layer, annot_progress_state first,
                          annot_progress_state second, const char *when)
{
    const annot_progress *rows = rows_of(layer, 2);
    cr_expect_eq(rows[0].state, first, "%s: the first is %d", when, rows[0].state);
    cr_expect_eq(rows[1].state, second, "%s: the second is %d", when, rows[1].state);
}

/* The prologue of an execution whose recording is in flight already says where the one ends and the
 * other begins. */
Test(evidence, with_prologues_executions_of_one_recording_stay_apart)
{
    LAYER(8, sizeof memory);
    annot_prologue prologues[2];
    struct layer_list *list = list_of(&layer, 0, "m");
    annot_context *const lists[] = {list->context, list->context};
    uint64_t serial = annot_tracker_submit_apart(layer.tracker, layer.queue, lists, 2, prologues);
    cr_expect_eqs(prologues[0].entered, ANNOT_WORDS_NONE, prologues[0].cleared, ANNOT_WORDS_NONE);
    cr_expect_eq(prologues[0].claimed, ANNOT_WORDS_NONE, "the first needs none");
    expect_states(&layer, ANNOT_PROGRESS_NOT_STARTED, ANNOT_PROGRESS_NOT_STARTED, "at first");
    execute(list, 0, 2);
    expect_states(&layer, ANNOT_PROGRESS_STARTED, ANNOT_PROGRESS_NOT_STARTED, "in the first");
    write_word(prologues[1].entered, ANNOT_WORD_ENTERED);
    write_word(prologues[1].restarted, 0);
    write_word(prologues[1].entered, ANNOT_WORD_LEFT);
    expect_states(&layer, ANNOT_PROGRESS_STARTED, ANNOT_PROGRESS_STARTED, "the front end is ahead");
    execute(list, 2, 3);
    const annot_progress *rows = rows_of(&layer, 2);
    cr_expect_eq(rows[0].inside, ANNOT_INSIDE_COMPLETED, "what started is the second's");
    cr_expect_eq(rows[0].started, 0);
    cr_expect_eq(rows[0].completed, list->ids[0]);
    execute(list, 3, list->count);
    expect_states(&layer, ANNOT_PROGRESS_FINISHED, ANNOT_PROGRESS_STARTED, "behind the first");
    write_word(prologues[1].claimed, ANNOT_WORD_ENTERED);
    write_word(prologues[1].cleared, 0);
    write_word(prologues[1].claimed, ANNOT_WORD_LEFT);
    expect_states(&layer, ANNOT_PROGRESS_FINISHED, ANNOT_PROGRESS_STARTED, "in the second");
    execute(list, 0, list->count);
    expect_states(&layer, ANNOT_PROGRESS_FINISHED, ANNOT_PROGRESS_FINISHED, "behind the second");
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

struct own_lists {
    struct layer *layer;
    struct layer_list *lists[2];
    annot_prologue prologues[2];
    bool succeeds;
    unsigned made;
};

static annot_context *own_list_at(const void *lists, uint32_t index)
{
    return ((const struct own_lists *)lists)->lists[index]->context;
}

/* A watchdog that looks while the driver has the submission is not kept waiting, and sees it. */
static bool make_own(void *user, uint64_t serial)
{
    struct own_lists *own = user;
    annot_crash_report report = {.size = sizeof report};
    own->made++;
    cr_expect_eq(serial, own->made);
    cr_expect(annot_tracker_report(own->layer->tracker, &report), "the tracker is not locked");
    cr_expect_eq(report.progress_count, 2);
    cr_expect_neq(own->prologues[1].entered, ANNOT_WORDS_NONE, "filled in before");
    return own->succeeds;
}

Test(evidence, lists_of_the_layers_own_structure_are_submitted_in_the_queues_order)
{
    LAYER(8, sizeof memory);
    struct layer_list *list = list_of(&layer, 0, NULL);
    struct own_lists own = {.layer = &layer, .lists = {list, list}, .succeeds = true};
    cr_expect_eq(annot_tracker_submit_each(layer.tracker, layer.queue, own_list_at, &own, 2, NULL,
                                           own.prologues, make_own, &own),
                 1);
    annot_tracker_completed(layer.tracker, layer.queue, 1);
    own.succeeds = false;
    cr_expect_eq(annot_tracker_submit_each(layer.tracker, layer.queue, own_list_at, &own, 2, NULL,
                                           own.prologues, make_own, &own),
                 0);
    cr_expect_eq(own.made, 2);
    rows_of(&layer, 0); /* what was not made is not in flight */
    cr_expect_eq(submit(&layer, list), 2, "and its serial is given out again");
    annot_tracker_completed(layer.tracker, layer.queue, 2);
}

/* Serials that never were, come again, or come in another order: the tracker and the queue refuse
 * or ignore them alike. s: submits; cN and wN: completes and withdraws serial N. */
Test(evidence, odd_serials_are_odd_to_the_tracker_and_the_queue)
{
    static const struct {
        const char *calls, *left; /* serials in flight */
    } rows[] = {
        {"sc9", "1"},       {"ssc0", "12"},  {"ssc1c1", "2"},   {"sssc2c1", "3"},  {"ssw3", "12"},
        {"ssw0", "12"},     {"ssw2w2", "1"}, {"sssw1", "23"},   {"sssw2w2", "13"}, {"ssc2w2w1", ""},
        {"ssw2sw1s", "23"}, {"sssw2c3", ""}, {"ssw1c1c9", "2"}, {"ssw1w2s", "2"},  {"c1sc0", "1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LAYER(8, sizeof memory);
        struct layer_list *list = list_of(&layer, 0, NULL);
        const char *left = rows[i].left;
        annot_reader_stream queue;
        annot_reader_submission submission;
        for (const char *at = rows[i].calls; *at; at++) {
            const uint64_t serial = (uint64_t)(at[1] - '0');
            if (*at == 's')
                submit(&layer, list);
            else if (*at == 'c')
                annot_tracker_completed(layer.tracker, layer.queue, serial);
            else if (*at == 'w')
                annot_tracker_withdraw(layer.tracker, layer.queue, serial);
        }
        const annot_progress *flights = rows_of(&layer, strlen(left));
        for (size_t k = 0; k < strlen(left); k++)
            cr_expect_eq(flights[k].submission, (uint64_t)(left[k] - '0'), "%s", rows[i].calls);
        AT_END(device_dump_done) struct device_dump dump = device_dump_take(layer.device, NULL);
        for (uint32_t k = 0; annot_reader_submission_at(dump.reader, k, &submission); k++) {
            annot_reader_stream_at(dump.reader, submission.queue, &queue);
            if (submission.serial > queue.completed)
                cr_expect_eq(submission.serial, (uint64_t)(*left++ - '0'), "%s", rows[i].calls);
        }
        cr_expect_eq(*left, 0, "%s", rows[i].calls);
        annot_tracker_completed(layer.tracker, layer.queue, (uint64_t)strlen(rows[i].left) + 1);
    }
}

/* The oldest rows, as many as there is room for, and how many there are. */
Test(evidence, rows_are_copied_as_far_as_there_is_room)
{
    LAYER(8, sizeof memory);
    annot_progress rows[4];
    uint32_t count = 77, in_flight = 77;
    cr_assert(annot_tracker_copy_rows(layer.tracker, rows, 4, &count, &in_flight));
    cr_expect_eqs(count, 0, in_flight, 0);
    uint64_t serial = 0;
    for (int i = 0; i < 3; i++)
        serial = submit(&layer, list_of(&layer, i, NULL));
    execute(&layer.lists[0], 0, 1);
    cr_expect_not(annot_tracker_copy_rows(layer.tracker, rows, 4, NULL, &in_flight));
    cr_expect_not(annot_tracker_copy_rows(layer.tracker, rows, 4, &count, NULL));
    cr_expect_not(annot_tracker_copy_rows(layer.tracker, NULL, 4, &count, &in_flight));
    memset(rows, 0x55, sizeof rows);
    cr_assert(annot_tracker_copy_rows(layer.tracker, rows, 2, &count, &in_flight));
    cr_expect_eqs(count, 2, in_flight, 3);
    cr_expect_eqs(rows[0].submission, serial - 2, rows[1].submission, serial - 1);
    cr_expect_eqs(rows[0].state, ANNOT_PROGRESS_STARTED, rows[1].state, ANNOT_PROGRESS_NOT_STARTED);
    cr_expect_eq(((const unsigned char *)&rows[2])[0], 0x55,
                 "beyond the capacity nothing is written");
    cr_assert(annot_tracker_copy_rows(layer.tracker, rows, 4, &count, &in_flight));
    cr_expect(count == 3 && in_flight == 3 && rows[2].submission == serial);
    annot_tracker_completed(layer.tracker, layer.queue, serial);
}

/* Where there is not enough room, each queue's oldest have it: the newest of all may be what hangs
 * [ANN-TRUTH-07]. */
Test(evidence, rows_that_are_cut_are_those_of_the_longest_queue)
{
    enum { ROOM = 10 };
    static const struct {
        uint32_t first, second, of_first;
    } rows[] = {{20, 1, 9}, {1, 20, 1}, {20, 20, 5}, {20, 4, 6}, {20, 0, 10}, {5, 5, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LAYER(8, sizeof memory);
        annot_progress copied[ROOM];
        uint32_t count, in_flight, of_first = 0;
        AT_END(spy_child_ended) struct spy_child other = spy_queue(layer.device, 4, spy_handle(9));
        struct layer_list *lists[] = {list_of(&layer, 0, NULL), list_of(&layer, 1, NULL)};
        uint64_t serial = 0;
        for (uint32_t k = 0; k < rows[i].first; k++)
            serial = submit(&layer, lists[0]);
        uint64_t others = 0;
        for (uint32_t k = 0; k < rows[i].second; k++)
            others =
                annot_tracker_submit(layer.tracker, other.context, &lists[1]->context, 1, NULL);
        cr_assert(annot_tracker_copy_rows(layer.tracker, copied, ROOM, &count, &in_flight));
        cr_expect_eqs(count, ROOM, in_flight, rows[i].first + rows[i].second);
        for (uint32_t k = 0; k < count; k++) {
            const bool is_first = copied[k].queue == annot_object_id(layer.queue_object);
            cr_expect_eq(copied[k].submission, is_first ? of_first + 1 : k - of_first + 1);
            of_first += is_first;
        }
        cr_expect_eq(of_first, rows[i].of_first, "row %zu: %u", i, of_first);
        annot_tracker_completed(layer.tracker, layer.queue, serial);
        annot_tracker_completed(layer.tracker, other.context, others);
    }
}
