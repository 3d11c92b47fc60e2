/* What was used for something else is as good as new: lists, bundles, queues, allocators, trackers
 * and writers give the same behind any other case as in their first case [ANN-LIFE-01,
 * ANN-CRASH-07].
 */
#include "asserts.h"
#include "at_end.h"
#include "dump_bytes.h"
#include "golden_dumps.h"
#include "spy.h"

#include <annot/evidence.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 512 << 10, HUGE_SIZE = 1 << 20, WORDS = 64 };

struct used {
    annot_device *device;
    annot_arena *arena, *bundle_arena, *hog_arena;
    struct spy_child list, bundle, hog, queue;
    annot_tracker *tracker;
    annot_dump_writer *writer;
    uint64_t words[WORDS];
};

static void used_make(struct used *u)
{
    *u = (struct used){.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, BUDGET)};
    u->arena = spy_arena(u->device);
    u->bundle_arena = spy_arena(u->device);
    u->hog_arena = spy_arena(u->device);
    u->list = spy_list(u->device, 0, spy_handle(1));
    u->bundle = spy_list(u->device, 1, spy_handle(2));
    u->hog = spy_list(u->device, 0, spy_handle(3));
    u->queue = spy_queue(u->device, 0, spy_handle(4));
    annot_context_set_marker(u->queue.context, 1, "first", 5); /* it has memory from the start */
    const annot_tracker_desc desc = {.memory = u->words,
                                     .memory_size = sizeof u->words,
                                     .word_size = 8,
                                     .writes_entered = true,
                                     .writes_completed = true};
    cr_assert_eq(annot_tracker_create(u->device, &desc, &u->tracker), ANNOT_OK);
    u->writer = spy_writer(u->device);
}

static void used_done(struct used *u)
{
    struct spy_child children[] = {u->list, u->bundle, u->hog, u->queue};
    annot_arena *arenas[] = {u->arena, u->bundle_arena, u->hog_arena};
    for (int i = 0; i < 4; i++) {
        annot_tracker_forget(u->tracker, children[i].context);
        spy_child_done(children[i]);
    }
    annot_tracker_destroy(u->tracker);
    for (int i = 0; i < 3; i++)
        annot_arena_destroy(arenas[i]);
    annot_dump_writer_destroy(u->writer);
    spy_device_done(u->device);
}

/* ---- calls of the cases ---- */

static void begin(annot_context *context, const char *name)
{
    annot_context_begin_event(context, 1, name, (uint32_t)strlen(name));
}

static void set(annot_context *context, const char *name)
{
    annot_context_set_marker(context, 1, name, (uint32_t)strlen(name));
}

static void operate(annot_context *list, uint32_t number)
{
    const int64_t argument = number + 5;
    const annot_operation operation = {
        .kind = 6, .number = number, .argument_count = 1, .arguments = &argument};
    annot_context_note_operation(list, &operation);
}

static annot_words list_open(struct used *u)
{
    cr_assert_eq(annot_context_open(u->list.context, u->arena), ANNOT_OK);
    return annot_tracker_record(u->tracker, u->list.context);
}

/* A recording of the bundle with this marker, which the list executes. Returns its words. */
static annot_words call(struct used *u, const char *marker)
{
    cr_assert_eq(annot_context_open(u->bundle.context, u->bundle_arena), ANNOT_OK);
    const annot_words words = annot_tracker_record(u->tracker, u->bundle.context);
    set(u->bundle.context, marker);
    annot_context_close(u->bundle.context);
    annot_tracker_execute_bundle(u->tracker, u->list.context, u->bundle.context);
    return words;
}

static uint64_t submit(struct used *u)
{
    return annot_tracker_submit(u->tracker, u->queue.context, &u->list.context, 1, NULL);
}

static uint64_t close_and_submit(struct used *u)
{
    annot_context_close(u->list.context);
    return submit(u);
}

static void write_word(struct used *u, uint64_t offset, uint64_t value)
{
    if (offset != ANNOT_WORDS_NONE)
        u->words[offset / 8] = value;
}

/* ---- cases; a case leaves the last submission in flight, and no scope of the queue open ---- */

static void balanced(struct used *u)
{
    const annot_words words = list_open(u);
    begin(u->list.context, "pass");
    operate(u->list.context, 0);
    const annot_words leaf = call(u, "leaf");
    const uint64_t leaf_id = spy_last()->id;
    operate(u->list.context, 2);
    annot_context_end_event(u->list.context);
    begin(u->queue.context, "frame");
    close_and_submit(u);
    annot_context_end_event(u->queue.context);
    write_word(u, words.started, ANNOT_WORD_ENTERED);
    write_word(u, leaf.started, leaf_id);
}

static void unbalanced(struct used *u)
{
    const annot_words words = list_open(u);
    annot_context_end_event(u->list.context);
    annot_context_end_event(u->list.context);
    begin(u->list.context, "outer");
    begin(u->list.context, "inner");
    annot_context_end_event(u->queue.context);
    close_and_submit(u);
    write_word(u, words.completed, ANNOT_WORD_LEFT);
}

/* Scopes without memory, more than need none for their stack, which nobody ends. */
static void dropped(struct used *u)
{
    AT_END(at_end_free) char *huge = calloc(1, HUGE_SIZE);
    list_open(u);
    begin(u->list.context, "kept");
    for (int i = 0; i < 12; i++)
        annot_context_begin_event(u->list.context, 1, huge, HUGE_SIZE);
    set(u->list.context, "inside");
    call(u, "leaf");
    for (int i = 0; i < 5; i++)
        annot_context_begin_event(u->queue.context, 1, huge, HUGE_SIZE);
    set(u->queue.context, "inside");
    for (int i = 0; i < 5; i++)
        annot_context_end_event(u->queue.context);
    close_and_submit(u);
}

/* No memory for the recording itself until its last marker. */
static void starved(struct used *u)
{
    annot_context_open(u->hog.context, u->hog_arena);
    for (uint64_t none = spy_stats(u->device).dropped_markers;
         spy_stats(u->device).dropped_markers == none;)
        set(u->hog.context, "sixteen letters!");
    annot_context_close(u->hog.context);
    spy_forget_calls();
    list_open(u);
    begin(u->list.context, "lost");
    annot_context_end_event(u->list.context);
    annot_context_end_event(u->list.context);
    annot_context_execute_bundle(u->list.context, u->bundle.context);
    operate(u->list.context, 1);
    annot_arena_reset(u->hog_arena);
    set(u->list.context, "last");
    close_and_submit(u);
}

static void renamed(struct used *u)
{
    annot_object_set_name(u->list.object, "recorded", ANNOT_TEXT_UTF8);
    list_open(u);
    close_and_submit(u);
    annot_object_set_name(u->list.object, "submitted", ANNOT_TEXT_UTF8);
    annot_object_set_name(u->queue.object, "queue", ANNOT_TEXT_UTF8);
    submit(u);
    annot_object_set_name(u->list.object, NULL, ANNOT_TEXT_UTF8);
    annot_object_set_name(u->queue.object, NULL, ANNOT_TEXT_UTF8);
    submit(u);
}

static void withdrawn(struct used *u)
{
    list_open(u);
    call(u, "leaf");
    const uint64_t serial = close_and_submit(u);
    cr_assert_eq(annot_tracker_withdraw(u->tracker, u->queue.context, serial), ANNOT_OK);
    set(u->queue.context, "behind");
    submit(u);
}

/* One recording in flight twice, and its bundle once more; words of another execution. */
static void shared(struct used *u)
{
    const annot_words words = list_open(u);
    call(u, "leaf");
    annot_tracker_execute_bundle(u->tracker, u->list.context, u->bundle.context);
    close_and_submit(u);
    write_word(u, words.started, ANNOT_WORD_ENTERED);
    submit(u);
}

/* Several chunks; one payload by reference, which changes. */
static void large(struct used *u)
{
    static const char zeros[4000];
    static char text[8];
    memcpy(text, "before", 7);
    list_open(u);
    annot_context_begin_event_by_reference(u->list.context, 1, text, 6);
    for (int i = 0; i < 20; i++)
        annot_context_set_marker(u->list.context, 1, zeros, sizeof zeros);
    annot_context_end_event(u->list.context);
    memcpy(text, "behind", 7);
    close_and_submit(u);
}

static const struct use {
    const char *name;
    void (*run)(struct used *u);
} uses[] = {{"balanced", balanced}, {"unbalanced", unbalanced},
            {"dropped", dropped},   {"starved", starved},
            {"renamed", renamed},   {"withdrawn", withdrawn},
            {"shared", shared},     {"large", large}};
enum { USES = sizeof uses / sizeof *uses };

/* ---- what a case gives: the driver's calls, and the records of a dump ---- */

static void print_calls(struct taken_print *to)
{
    for (size_t i = 0; i < spy_calls.count; i++) {
        const struct spy_call *call = &spy_calls.calls[i];
        taken_say(&to->text, "call %d %u %u %llx %llu\n", call->function, call->metadata,
                  call->size, (unsigned long long)call->hash,
                  (unsigned long long)taken_number(&to->events, call->id));
    }
}

static struct dump dump_now(struct used *u)
{
    struct dump dump = {0};
    annot_crash_report report = {.size = sizeof report};
    const annot_dump_info info = {.time = 1, .report = &report};
    const annot_dump_sink sink = taken_sink(&dump);
    cr_assert(annot_tracker_report(u->tracker, &report));
    cr_assert_eq(annot_dump_write(u->writer, &info, &sink), ANNOT_OK);
    cr_assert_null(taken_parse(&dump));
    return dump;
}

static bool is_of_streams(const struct dump_record *record)
{
    return record->section == SECTION_QUEUES && record->kind != RECORD_QUEUE &&
           record->kind != RECORD_LOSS;
}

static size_t count_of_streams(const struct dump *dump)
{
    size_t count = 0;
    for (size_t i = 0; i < dump->count; i++)
        count += is_of_streams(&dump->records[i]);
    return count;
}

/* Runs the case; the caller frees what it gives. */
static struct taken_print *gist_of(struct used *u, void (*run)(struct used *u))
{
    struct taken_print *gist = calloc(1, sizeof *gist);
    AT_END(taken_free) struct dump before = dump_now(u);
    size_t old = count_of_streams(&before), at = 0;
    for (const struct dump_record *record;
         (record = taken_next(&before, RECORD_SUBMISSION, &at));) {
        gist->serial = taken_u64(record, 0);
        gist->number = taken_u64(record, 20);
    }
    spy_forget_calls();
    run(u);
    print_calls(gist);
    AT_END(taken_free) struct dump dump = dump_now(u);
    for (size_t i = 0; i < dump.count; i++) {
        const struct dump_record *record = &dump.records[i];
        const bool is_old = is_of_streams(record) && old > 0;
        old -= is_old;
        if ((record->section == SECTION_LISTS || is_of_streams(record) ||
             record->kind == RECORD_PROGRESS) &&
            !is_old)
            taken_print(gist, record);
    }
    return gist;
}

static void gist_free(struct taken_print **gist)
{
    free((*gist)->text.data);
    free(*gist);
}

/* What a program does between frames. */
static void settle(struct used *u)
{
    const uint64_t last = annot_tracker_submit(u->tracker, u->queue.context, NULL, 0, NULL);
    annot_tracker_completed(u->tracker, u->queue.context, last);
    annot_arena_reset(u->arena);
    annot_arena_reset(u->bundle_arena);
}

/* What the second use gives behind the first one, or, with NULL, alone. */
static struct taken_print *gist_behind(const struct use *first, const struct use *second)
{
    AT_END(used_done) struct used u;
    used_make(&u);
    if (first)
        first->run(&u);
    settle(&u);
    return gist_of(&u, second->run);
}

Test(used, things_give_the_same_behind_any_other_use)
{
    for (int second = 0; second < USES; second++) {
        AT_END(gist_free) struct taken_print *alone = gist_behind(NULL, &uses[second]);
        golden_expect_part("records", uses[second].name, alone->text.data);
        for (int first = 0; first < USES; first++) {
            AT_END(gist_free)
            struct taken_print *behind = gist_behind(&uses[first], &uses[second]);
            const char *is = behind->text.data, *was = alone->text.data;
            size_t line = 0, i = 0;
            for (; is[i] && is[i] == was[i]; i++)
                line = is[i] == '\n' ? i + 1 : line;
            cr_expect_eq(is[i], was[i], "%s behind %s: %.200s\nalone: %.200s", uses[second].name,
                         uses[first].name, is + line, was + line);
        }
    }
}

/* A new queue has the memory of a former one, and not the thread that called that [DUMP_FORMAT]. */
Test(used, a_queue_that_nobody_called_has_no_thread)
{
    AT_END(used_done) struct used u;
    used_make(&u);
    annot_tracker_forget(u.tracker, u.queue.context);
    spy_child_done(u.queue);
    u.queue = spy_queue(u.device, 0, spy_handle(5));
    AT_END(taken_free) struct dump dump = dump_now(&u);
    size_t at = 0;
    const struct dump_record *queue = taken_next(&dump, RECORD_QUEUE, &at);
    cr_assert_not_null(queue);
    cr_expect_eq(taken_u32(queue, 40), 0, "it has thread %u", (unsigned)taken_u32(queue, 40));
}
