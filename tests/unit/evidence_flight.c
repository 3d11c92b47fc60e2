/* Executions in flight keep their own words: bundles in lists of every mode, recordings that go
 * while the GPU still has them, and executions of one recording that follow each other
 * [ANN-TRUTH-01]. The GPU's writes are made by hand. */
#include "asserts.h"
#include "at_end.h"
#include "spy.h"

#include <annot/evidence.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { LISTS = 4, WORDS = 64 };

static uint64_t words[WORDS];

struct rig {
    annot_device *device;
    annot_tracker *tracker;
    annot_arena *arenas[LISTS];
    struct spy_child lists[LISTS], queue;
    annot_crash_report report;
};

/* The last list is of the mode RUNTIME_ONLY. */
enum { SILENT = LISTS - 1 };

static struct rig rig_made(annot_tracker_desc desc)
{
    struct rig rig = {.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0)};
    memset(words, 0xEE, sizeof words);
    desc.memory = words;
    if (!desc.memory_size)
        desc.memory_size = sizeof words;
    desc.word_size = 8;
    cr_assert_eq(annot_tracker_create(rig.device, &desc, &rig.tracker), ANNOT_OK);
    for (size_t i = 0; i < LISTS; i++) {
        annot_device_set_mode(rig.device,
                              i == SILENT ? ANNOT_MODE_RUNTIME_ONLY : ANNOT_MODE_DRIVER_RETAIL);
        rig.arenas[i] = spy_arena(rig.device);
        rig.lists[i] = spy_list(rig.device, 0, spy_handle(i));
    }
    rig.queue = spy_queue(rig.device, 0, NULL);
    return rig;
}

static void rig_done(struct rig *rig)
{
    for (size_t i = 0; i < LISTS; i++) {
        annot_tracker_forget(rig->tracker, rig->lists[i].context);
        spy_child_done(rig->lists[i]);
        annot_arena_destroy(rig->arenas[i]);
    }
    spy_child_done(rig->queue);
    annot_tracker_destroy(rig->tracker);
    spy_device_done(rig->device);
}

static const annot_tracker_desc both = {.writes_entered = true, .writes_completed = true};

static annot_words open_list(struct rig *rig, size_t list)
{
    cr_assert_eq(annot_context_open(rig->lists[list].context, rig->arenas[list]), ANNOT_OK);
    return annot_tracker_record(rig->tracker, rig->lists[list].context);
}

static void close_list(struct rig *rig, size_t list)
{
    cr_assert_eq(annot_context_close(rig->lists[list].context), ANNOT_OK);
}

static annot_words record(struct rig *rig, size_t list)
{
    const annot_words its = open_list(rig, list);
    close_list(rig, list);
    return its;
}

static void execute_bundle(struct rig *rig, size_t list, size_t bundle)
{
    annot_tracker_execute_bundle(rig->tracker, rig->lists[list].context,
                                 rig->lists[bundle].context);
}

static uint64_t mark(struct rig *rig, size_t list)
{
    annot_context_set_marker(rig->lists[list].context, 1, "m", 1);
    return spy_last()->id;
}

static uint64_t submit(struct rig *rig, size_t list)
{
    return annot_tracker_submit(rig->tracker, rig->queue.context, &rig->lists[list].context, 1,
                                NULL);
}

static annot_prologue submit_apart(struct rig *rig, size_t list)
{
    annot_prologue prologue;
    annot_tracker_submit_apart(rig->tracker, rig->queue.context, &rig->lists[list].context, 1,
                               &prologue);
    return prologue;
}

static void completed(struct rig *rig, uint64_t serial)
{
    annot_tracker_completed(rig->tracker, rig->queue.context, serial);
}

static void gpu_writes(uint64_t offset, uint64_t value)
{
    cr_assert(offset < sizeof words);
    words[offset / 8] = value;
}

static const annot_progress *row_of(struct rig *rig, size_t list, uint64_t serial, uint32_t bundle)
{
    const uint64_t object = annot_object_id(rig->lists[list].object);
    rig->report = (annot_crash_report){.size = sizeof rig->report};
    cr_assert(annot_tracker_report(rig->tracker, &rig->report));
    for (size_t i = 0; i < rig->report.progress_count; i++)
        if (rig->report.progress[i].object == object && rig->report.progress[i].bundle == bundle &&
            rig->report.progress[i].submission == serial)
            return &rig->report.progress[i];
    cr_assert_fail("no row");
    return NULL;
}

/* ---- bundles ---- */

Test(evidence_flight, a_bundle_in_a_list_that_retains_nothing_is_in_flight)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    const annot_words of_bundle = record(&rig, 0);
    open_list(&rig, SILENT);
    execute_bundle(&rig, SILENT, 0);
    close_list(&rig, SILENT);
    const uint64_t serial = submit(&rig, SILENT);
    annot_tracker_forget(rig.tracker, rig.lists[0].context);
    const annot_words of_other = record(&rig, 1);
    cr_assert_neq(of_other.started, of_bundle.started, "the GPU still writes them");
    gpu_writes(of_bundle.completed, ANNOT_WORD_LEFT);
    cr_expect_eq(row_of(&rig, 0, serial, 1)->state, ANNOT_PROGRESS_FINISHED);
    completed(&rig, serial);
}

/* The call is the third of its list, whatever the tracker knew of the first two. */
Test(evidence_flight, calls_of_unknown_bundles_are_counted)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    open_list(&rig, SILENT);
    execute_bundle(&rig, SILENT, 1);
    annot_context_execute_bundle(rig.lists[SILENT].context, rig.lists[2].context);
    execute_bundle(&rig, SILENT, 0);
    close_list(&rig, SILENT);
    const uint64_t serial = submit(&rig, SILENT);
    cr_expect_eq(row_of(&rig, 0, serial, 3)->state, ANNOT_PROGRESS_NOT_STARTED);
    completed(&rig, serial);
}

/* A list may be submitted when its bundle has another recording already, or is gone. */
Test(evidence_flight, a_list_keeps_the_words_of_its_bundles)
{
    for (int is_forgotten = 0; is_forgotten < 2; is_forgotten++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        const annot_words of_bundle = record(&rig, 0);
        open_list(&rig, 1);
        execute_bundle(&rig, 1, 0);
        close_list(&rig, 1);
        if (is_forgotten)
            annot_tracker_forget(rig.tracker, rig.lists[0].context);
        else
            record(&rig, 0);
        cr_expect_neq(record(&rig, 2).started, of_bundle.started, "%d", is_forgotten);
        const uint64_t serial = submit(&rig, 1);
        cr_expect_eq(row_of(&rig, 0, serial, 1)->state, ANNOT_PROGRESS_NOT_STARTED);
        gpu_writes(of_bundle.completed, ANNOT_WORD_LEFT);
        cr_expect_eq(row_of(&rig, 0, serial, 1)->state, ANNOT_PROGRESS_FINISHED);
        completed(&rig, serial);
        const uint64_t first = record(&rig, 1).started, second = record(&rig, 2).started;
        cr_expect(first == of_bundle.started || second == of_bundle.started,
                  "nothing executes it any more");
    }
}

/* A bundle inside a bundle writes its words whenever the outer one is executed. */
Test(evidence_flight, a_bundle_inside_a_bundle_is_in_flight_with_the_list)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    const annot_words innermost = record(&rig, 0);
    open_list(&rig, 1);
    execute_bundle(&rig, 1, 0);
    close_list(&rig, 1);
    open_list(&rig, 2);
    execute_bundle(&rig, 2, 1);
    close_list(&rig, 2);
    const uint64_t serial = submit(&rig, 2);
    cr_expect_eq(row_of(&rig, 1, serial, 1)->state, ANNOT_PROGRESS_NOT_STARTED);
    cr_expect_eq(rig.report.progress_count, 2, "the innermost has no number in the list");
    record(&rig, 2);
    record(&rig, 1);
    annot_tracker_forget(rig.tracker, rig.lists[0].context);
    for (size_t i = 0; i < 3; i++)
        cr_expect_neq(record(&rig, i).started, innermost.started, "the GPU still writes them");
    completed(&rig, serial);
}

/* The words that a recording had are no other one's, also where the layer asks for none. */
Test(evidence_flight, a_recording_without_words_has_not_those_of_the_last)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    cr_assert_eq(annot_context_open(rig.lists[0].context, rig.arenas[0]), ANNOT_OK);
    close_list(&rig, 0);
    const uint64_t serial = submit(&rig, 0);
    cr_expect_eq(row_of(&rig, 0, serial, 0)->state, ANNOT_PROGRESS_UNKNOWN);
    completed(&rig, serial);
}

/* Nothing is executed by a list that isn't being recorded. */
Test(evidence_flight, a_bundle_outside_a_recording_is_not_executed)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    record(&rig, 1);
    execute_bundle(&rig, 1, 0);
    const uint64_t serial = submit(&rig, 1);
    row_of(&rig, 1, serial, 0);
    cr_expect_eq(rig.report.progress_count, 1);
    completed(&rig, serial);
}

/* ---- executions of one recording ---- */

/* The first has been through its marker and out, the second was reached and no more. */
Test(evidence_flight, an_execution_does_not_inherit_what_started)
{
    for (int writes_entered = 0; writes_entered < 2; writes_entered++) {
        AT_END(rig_done)
        struct rig rig = rig_made(
            (annot_tracker_desc){.writes_entered = writes_entered, .writes_completed = true});
        const annot_words its = open_list(&rig, 0);
        const uint64_t marker = mark(&rig, 0);
        close_list(&rig, 0);
        submit_apart(&rig, 0);
        const annot_prologue prologue = submit_apart(&rig, 0);
        gpu_writes(its.started, marker);
        gpu_writes(its.completed, marker);
        gpu_writes(its.completed, ANNOT_WORD_LEFT);
        gpu_writes(prologue.entered, ANNOT_WORD_ENTERED);
        cr_expect_eq(row_of(&rig, 0, 2, 0)->started, 0);
        gpu_writes(prologue.restarted, 0);
        gpu_writes(prologue.entered, ANNOT_WORD_LEFT);
        gpu_writes(prologue.claimed, ANNOT_WORD_ENTERED);
        gpu_writes(prologue.cleared, 0);
        gpu_writes(prologue.claimed, ANNOT_WORD_LEFT);
        cr_expect_eq(row_of(&rig, 0, 1, 0)->state, ANNOT_PROGRESS_FINISHED);
        cr_expect_eq(row_of(&rig, 0, 2, 0)->state, ANNOT_PROGRESS_STARTED);
        cr_expect_eq(row_of(&rig, 0, 2, 0)->started, 0, "the first one's");
        completed(&rig, 2);
    }
}

/* A GPU that claims the words again and again, until it is told to stop. */
struct gpu {
    annot_prologue prologue;
    atomic_bool is_over;
};

static void *claim(void *state)
{
    struct gpu *gpu = state;
    while (!atomic_load(&gpu->is_over))
        for (uint64_t word = 0; word <= ANNOT_WORD_LEFT; word += ANNOT_WORD_LEFT)
            __atomic_store_n(&words[gpu->prologue.claimed / 8], word, __ATOMIC_RELAXED);
    return NULL;
}

/* The GPU may claim the words between two looks at the prologue: what they hold then is not said to
 * be this execution's. Others are looked at meanwhile. */
Test(evidence_flight, words_that_change_hands_while_they_are_read_are_nobodys)
{
    enum { OTHERS = 500, LOOKS = 5000 };
    AT_END(rig_done) struct rig rig = rig_made(both);
    pthread_t thread;
    const annot_words its = open_list(&rig, 0);
    const uint64_t marker = mark(&rig, 0);
    close_list(&rig, 0);
    record(&rig, 1);
    submit_apart(&rig, 0);
    for (int i = 0; i < OTHERS; i++)
        submit(&rig, 1);
    struct gpu gpu = {.prologue = submit_apart(&rig, 0)};
    gpu_writes(its.completed, marker);
    gpu_writes(gpu.prologue.entered, ANNOT_WORD_LEFT);
    cr_assert_eq(pthread_create(&thread, NULL, claim, &gpu), 0);
    unsigned wrong = 0;
    for (int i = 0; i < LOOKS; i++) {
        const annot_progress *row = row_of(&rig, 0, OTHERS + 2, 0);
        wrong += row->completed && !(row->inside & ANNOT_INSIDE_COMPLETED);
    }
    atomic_store(&gpu.is_over, true);
    pthread_join(thread, NULL);
    cr_expect_eq(wrong, 0);
    completed(&rig, OTHERS + 2);
}

/* The first execution runs, and the second's prologue and its beginning: after each write nothing
 * is said of either that is not so. */
Test(evidence_flight, words_change_hands_without_a_gap)
{
    enum { FIRST_IS_DONE = 4, SECOND_IS_REACHED = 5, WRITES = 13 };
    for (int writes_entered = 0; writes_entered < 2; writes_entered++) {
        struct rig rig = rig_made(
            (annot_tracker_desc){.writes_entered = writes_entered, .writes_completed = true});
        const annot_words its = open_list(&rig, 0);
        const uint64_t m = mark(&rig, 0);
        close_list(&rig, 0);
        submit_apart(&rig, 0);
        const annot_prologue second = submit_apart(&rig, 0);
        const struct {
            uint64_t offset, value;
        } writes[WRITES] = {
            {its.started, ANNOT_WORD_ENTERED},
            {its.started, m},
            {its.completed, m},
            {its.completed, ANNOT_WORD_LEFT},
            {second.entered, ANNOT_WORD_ENTERED},
            {second.restarted, 0},
            {second.entered, ANNOT_WORD_LEFT},
            {second.claimed, ANNOT_WORD_ENTERED},
            {second.cleared, 0},
            {second.claimed, ANNOT_WORD_LEFT},
            {its.started, ANNOT_WORD_ENTERED},
            {its.started, m},
            {its.completed, m},
        };
        for (int done = 1; done <= WRITES; done++) {
            if (!writes_entered && writes[done - 1].offset == its.started &&
                writes[done - 1].value == ANNOT_WORD_ENTERED)
                continue;
            gpu_writes(writes[done - 1].offset, writes[done - 1].value);
            const annot_progress first = *row_of(&rig, 0, 1, 0), *next = row_of(&rig, 0, 2, 0);
            if (done < FIRST_IS_DONE)
                cr_expect_eq(first.state, ANNOT_PROGRESS_STARTED, "%d", done);
            else
                cr_expect_eq(first.state, ANNOT_PROGRESS_FINISHED, "%d", done);
            cr_expect_eq(next->state,
                         done >= SECOND_IS_REACHED ? ANNOT_PROGRESS_STARTED
                         : writes_entered          ? ANNOT_PROGRESS_NOT_STARTED
                                                   : ANNOT_PROGRESS_UNKNOWN,
                         "%d", done);
            cr_expect_eq(next->started, done >= WRITES - 1 ? m : 0, "%d", done);
            cr_expect_eq(next->completed, done >= WRITES ? m : 0, "%d", done);
        }
        completed(&rig, 2);
        rig_done(&rig);
    }
}

/* The front end is in the second while the first hangs in front of its marker: what the words say
 * of the first goes, but not that it is unfinished. */
Test(evidence_flight, the_first_is_in_progress_when_the_second_is_reached)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    const annot_words its = open_list(&rig, 0);
    const uint64_t m = mark(&rig, 0);
    close_list(&rig, 0);
    submit_apart(&rig, 0);
    const annot_prologue second = submit_apart(&rig, 0);
    gpu_writes(its.started, m);
    gpu_writes(second.entered, ANNOT_WORD_ENTERED);
    gpu_writes(second.restarted, 0);
    for (uint64_t passed = ANNOT_WORD_ENTERED; passed <= ANNOT_WORD_LEFT; passed++) {
        const uint64_t started = passed == ANNOT_WORD_LEFT ? m : 0;
        gpu_writes(second.entered, passed);
        gpu_writes(its.started, started);
        const annot_progress *first = row_of(&rig, 0, 1, 0);
        cr_expect_eq(first->state, ANNOT_PROGRESS_STARTED);
        cr_expect_eqs(first->inside, ANNOT_INSIDE_COMPLETED, first->started, 0, "the second's");
        const annot_progress *next = row_of(&rig, 0, 2, 0);
        cr_expect_eq(next->state, ANNOT_PROGRESS_STARTED);
        cr_expect_eqs(next->inside, ANNOT_INSIDE_STARTED, next->started, started);
    }
    completed(&rig, 2);
}

/* A value that no prologue writes says that words are lost, and there are no others to tell. */
Test(evidence_flight, garbage_in_a_prologues_words_claims_nothing)
{
    for (int in_claimed = 0; in_claimed < 2; in_claimed++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        const annot_words its = record(&rig, 0);
        submit_apart(&rig, 0);
        const annot_prologue second = submit_apart(&rig, 0);
        gpu_writes(its.completed, ANNOT_WORD_LEFT);
        gpu_writes(in_claimed ? second.claimed : second.entered, 0xEEEEEEEE);
        for (uint64_t serial = 1; serial <= 2; serial++)
            cr_expect_eq(row_of(&rig, 0, serial, 0)->state, ANNOT_PROGRESS_UNKNOWN);
        gpu_writes(in_claimed ? second.claimed : second.entered, ANNOT_WORD_ENTERED);
        cr_expect_eq(row_of(&rig, 0, 1, 0)->state, ANNOT_PROGRESS_FINISHED, "each report is new");
        completed(&rig, 2);
    }
}

/* Two recordings are in flight twice; the first executions are over, and the host knows:
 * whose the words were then is no answer for the second ones. */
Test(evidence_flight, an_execution_follows_one_that_the_host_has_seen_end)
{
    for (int is_entered = 0; is_entered < 2; is_entered++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        annot_prologue second[2];
        for (size_t list = 0; list < 2; list++)
            record(&rig, list);
        for (size_t i = 0; i < 4; i++)
            second[i % 2] = submit_apart(&rig, i % 2);
        row_of(&rig, 0, 1, 0);
        completed(&rig, 2);
        for (size_t list = 0; list < 2; list++) {
            gpu_writes(second[list].entered, is_entered ? ANNOT_WORD_ENTERED : 0);
            const annot_progress *row = row_of(&rig, list, 3 + list, 0);
            cr_expect_eq(row->state,
                         is_entered ? ANNOT_PROGRESS_STARTED : ANNOT_PROGRESS_NOT_STARTED);
            cr_expect_eq(row->inside, is_entered ? ANNOT_INSIDE_STARTED : ANNOT_INSIDE_NOT_TRACKED);
        }
        completed(&rig, 4);
    }
}

/* The GPU is in the third execution, and the second's prologue has written nothing: that one is
 * lost, and was not skipped. */
Test(evidence_flight, a_prologue_that_the_gpu_has_passed_without_a_word_claims_nothing)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    submit_apart(&rig, 0);
    const annot_prologue second = submit_apart(&rig, 0);
    gpu_writes(submit_apart(&rig, 0).entered, ANNOT_WORD_LEFT);
    cr_expect_eq(row_of(&rig, 0, 1, 0)->state, ANNOT_PROGRESS_STARTED);
    cr_expect_eq(row_of(&rig, 0, 2, 0)->state, ANNOT_PROGRESS_UNKNOWN);
    cr_expect_eq(row_of(&rig, 0, 3, 0)->state, ANNOT_PROGRESS_STARTED);
    gpu_writes(second.entered, ANNOT_WORD_LEFT);
    const annot_progress *row = row_of(&rig, 0, 2, 0);
    cr_expect_eqs(row->state, ANNOT_PROGRESS_STARTED, row->inside, ANNOT_INSIDE_NOT_TRACKED);
    completed(&rig, 3);
}

/* Work that is done was begun, whichever of its words has come out. */
Test(evidence_flight, an_execution_of_which_only_the_end_is_seen_has_begun)
{
    for (int writes_entered = 0; writes_entered < 2; writes_entered++) {
        AT_END(rig_done)
        struct rig rig = rig_made(
            (annot_tracker_desc){.writes_entered = writes_entered, .writes_completed = true});
        const annot_words its = open_list(&rig, 0);
        const uint64_t m = mark(&rig, 0);
        close_list(&rig, 0);
        submit(&rig, 0);
        gpu_writes(its.completed, m);
        const annot_progress *row = row_of(&rig, 0, 1, 0);
        cr_expect_eqs(row->state, ANNOT_PROGRESS_STARTED, row->completed, m);
        gpu_writes(its.started, ANNOT_WORD_LEFT); /* in `started`, too, it is no EventID */
        row = row_of(&rig, 0, 1, 0);
        cr_expect_eqs(row->state, ANNOT_PROGRESS_STARTED, row->started, 0);
        completed(&rig, 1);
    }
}

/* A word of eight bytes is no EventID because it is long enough for one [ANN-DDI-03]. */
Test(evidence_flight, a_long_word_that_no_marker_has_is_lost)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    const annot_words its = open_list(&rig, 0);
    const uint64_t m = mark(&rig, 0);
    close_list(&rig, 0);
    const uint64_t words_of_none[] = {m + ((uint64_t)1 << 32), (uint32_t)m, 0x7FF00123, 0xFFFFFFFF,
                                      0xEEEEEEEEEEEEEEEE};
    submit(&rig, 0);
    spy_fail();
    open_list(&rig, 1);
    for (int i = 0; i < 4096; i++) /* lost markers have the last places */
        mark(&rig, 1);
    spy_heap.fail_at = 0;
    close_list(&rig, 1);
    for (size_t i = 0; i < sizeof words_of_none / sizeof *words_of_none; i++) {
        gpu_writes(its.started, words_of_none[i]);
        const annot_progress *row = row_of(&rig, 0, 1, 0);
        cr_expect_eq(row->state, ANNOT_PROGRESS_UNKNOWN, "%zu", i);
        cr_expect_eq(row->inside, ANNOT_INSIDE_LOST, "%zu", i);
    }
    gpu_writes(its.started, m);
    cr_expect_eq(row_of(&rig, 0, 1, 0)->started, m);
    completed(&rig, 1);
}

/* Without memory an execution of a bundle can't be noted: whoever executes the bundle later, the
 * words of it and of those inside may be those of that execution, and are never given away. */
Test(evidence_flight, words_of_a_bundle_that_could_not_be_noted_say_nothing)
{
    static const size_t callers[] = {2, SILENT};
    for (size_t i = 0; i < 2; i++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        const annot_words innermost = record(&rig, 0), bundle = open_list(&rig, 1);
        execute_bundle(&rig, 1, 0);
        close_list(&rig, 1);
        open_list(&rig, callers[i]);
        mark(&rig, callers[i]);
        annot_tracker_execute_bundle(rig.tracker, rig.lists[callers[i]].context, NULL);
        spy_fail();
        execute_bundle(&rig, callers[i], 1);
        spy_heap.fail_at = 0;
        close_list(&rig, callers[i]);
        open_list(&rig, 2);
        execute_bundle(&rig, 2, 1);
        close_list(&rig, 2);
        const uint64_t serial = submit(&rig, 2);
        cr_expect_eq(row_of(&rig, 2, serial, 0)->state, ANNOT_PROGRESS_NOT_STARTED);
        cr_expect_eq(row_of(&rig, 1, serial, 1)->state, ANNOT_PROGRESS_UNKNOWN, "caller %zu", i);
        completed(&rig, serial);
        record(&rig, 2);
        for (size_t list = 0; list < 2; list++)
            annot_tracker_forget(rig.tracker, rig.lists[list].context);
        for (size_t round = 0; round < 6; round++) {
            const uint64_t started = record(&rig, round % 3).started;
            cr_expect(started != innermost.started && started != bundle.started, "caller %zu", i);
        }
    }
}

/* The same where the bundle has no words and executes one that has. */
Test(evidence_flight, words_inside_a_bundle_that_could_not_be_noted_say_nothing)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    open_list(&rig, SILENT);
    for (size_t bundle = 0; bundle < 3; bundle += 2) {
        record(&rig, bundle);
        execute_bundle(&rig, SILENT, bundle);
    }
    close_list(&rig, SILENT);
    open_list(&rig, 1);
    mark(&rig, 1);
    annot_context_execute_bundle(rig.lists[1].context, rig.lists[2].context);
    spy_fail();
    execute_bundle(&rig, 1, SILENT);
    spy_heap.fail_at = 0;
    for (size_t bundle = 0; bundle < 3; bundle += 2)
        execute_bundle(&rig, 1, bundle);
    close_list(&rig, 1);
    const uint64_t serial = submit(&rig, 1);
    for (uint32_t bundle = 0; bundle < 3; bundle += 2)
        cr_expect_eq(row_of(&rig, bundle, serial, 3 + bundle / 2)->state, ANNOT_PROGRESS_UNKNOWN);
    cr_expect_eq(row_of(&rig, 1, serial, 0)->state, ANNOT_PROGRESS_NOT_STARTED);
    completed(&rig, serial);
}

/* What there is room for is noted where there is no more memory. */
Test(evidence_flight, room_that_is_there_needs_no_memory)
{
    enum { BUNDLES = 8 };
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    record(&rig, 1);
    submit(&rig, 1);
    spy_fail();
    const uint64_t second = submit(&rig, 1);
    spy_heap.fail_at = 0;
    row_of(&rig, 1, second, 0);
    cr_expect_eq(rig.report.progress_count, 2);
    completed(&rig, second);
    open_list(&rig, 2);
    for (uint32_t i = 1; i <= BUNDLES; i++) {
        spy_heap.fail_at = i == BUNDLES ? spy_heap.allocations + 1 : 0;
        execute_bundle(&rig, 2, 0);
    }
    spy_heap.fail_at = 0;
    close_list(&rig, 2);
    row_of(&rig, 0, submit(&rig, 2), BUNDLES);
    cr_expect_eq(rig.report.progress_count, 1 + BUNDLES);
}

/* Room that is made keeps what was there, one execution and one bundle, too; and where none can be
 * made, no words are taken for an execution that is not noted. */
Test(evidence_flight, room_is_made_for_many_at_once)
{
    enum { INNER = 8, ROOM = 64 };
    AT_END(rig_done) struct rig rig = rig_made(both);
    annot_context *lists[ROOM];
    record(&rig, 0);
    open_list(&rig, 1);
    for (int i = 0; i < INNER; i++)
        execute_bundle(&rig, 1, 0);
    close_list(&rig, 1);
    open_list(&rig, 2);
    execute_bundle(&rig, 2, 0);
    execute_bundle(&rig, 2, 1);
    close_list(&rig, 2);
    for (size_t i = 0; i < ROOM; i++)
        lists[i] = rig.lists[2].context;
    submit(&rig, 0);
    annot_tracker_submit(rig.tracker, rig.queue.context, lists, ROOM, NULL);
    row_of(&rig, 0, 1, 0);
    row_of(&rig, 0, 2, 1);
    row_of(&rig, 1, 2, 2);
    cr_expect_eq(rig.report.progress_count, 1 + 3 * ROOM);
    completed(&rig, 2);
    /* there is room for 1,024 now: list 2 takes 11 of them, and list 1 takes 9 */
    submit_apart(&rig, 2);
    for (int i = 0; i < (1024 - 11) / 9; i++)
        submit(&rig, 1);
    spy_fail();
    const annot_prologue none = submit_apart(&rig, 2);
    spy_heap.fail_at = 0;
    cr_expect_eqs(none.entered, ANNOT_WORDS_NONE, none.claimed, ANNOT_WORDS_NONE);
}

/* The first of many lists, and nothing is known of the others. */
static annot_context *first_list(const void *list, uint32_t index)
{
    return index == 0 ? ((const struct spy_child *)list)->context : NULL;
}

/* A report has ANNOT_CRASH_REPORT_MAX_ROWS rows at most. Memory for so many is asked for, and for
 * one more it is not. */
Test(evidence_flight, as_many_executions_as_a_report_has_rows_are_noted)
{
    for (uint32_t more = 0; more < 2; more++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        const size_t before = spy_heap.allocations;
        spy_heap.fail_at = before + 1;
        spy_heap.fail_from = true;
        annot_tracker_submit_each(rig.tracker, rig.queue.context, first_list, &rig.lists[SILENT],
                                  ANNOT_CRASH_REPORT_MAX_ROWS + more, NULL, NULL, NULL, NULL);
        spy_heap.fail_at = 0;
        cr_expect_eq(spy_heap.allocations > before, more == 0, "%u more", more);
    }
}

/* The same for the bundles of one list: each bundle of a chain executes the one before it twice. */
Test(evidence_flight, as_many_bundles_as_a_report_has_rows_are_noted)
{
    enum { CHAIN = 17, HALF = ANNOT_CRASH_REPORT_MAX_ROWS / 2 }; /* the last has HALF / 2 - 2 */
    for (size_t more = 0; more < 2; more++) {
        AT_END(rig_done) struct rig rig = rig_made(both);
        record(&rig, 0);
        for (size_t i = 1, last = 0; i <= CHAIN; last = 2 - i++ % 2) {
            open_list(&rig, 2 - i % 2);
            for (int twice = 0; twice < 2; twice++)
                execute_bundle(&rig, 2 - i % 2, last);
            close_list(&rig, 2 - i % 2);
        }
        open_list(&rig, 2); /* HALF - 1, or HALF */
        for (size_t i = 0; i < 3 + more; i++)
            execute_bundle(&rig, 2, i < 2);
        open_list(&rig, SILENT); /* HALF */
        for (size_t i = 0; i < 4; i++)
            execute_bundle(&rig, SILENT, i < 2);
        const size_t before = spy_heap.allocations;
        spy_heap.fail_at = before + 1;
        spy_heap.fail_from = true;
        execute_bundle(&rig, SILENT, 2);
        spy_heap.fail_at = 0;
        cr_expect_eq(spy_heap.allocations > before, more == 0, "%zu more", more);
        close_list(&rig, 2);
        close_list(&rig, SILENT);
        row_of(&rig, 0, submit(&rig, SILENT), 4);
        cr_expect_eq(rig.report.progress_count, 5, "a list and its bundles, not those inside");
    }
}

/* ---- what writes no words ---- */

/* A list that retains nothing needs no memory of the tracker, and has words of its bundles for as
 * long as its recording. */
Test(evidence_flight, a_list_that_retains_nothing_has_no_words_of_its_own)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    const size_t blocks = spy_heap.blocks;
    cr_expect_eq(record(&rig, SILENT).started, ANNOT_WORDS_NONE);
    cr_expect_eq(spy_heap.blocks, blocks);
    const annot_words of_bundle = record(&rig, 0);
    open_list(&rig, SILENT);
    execute_bundle(&rig, SILENT, 0);
    close_list(&rig, SILENT);
    cr_expect_eq(record(&rig, SILENT).started, ANNOT_WORDS_NONE);
    annot_tracker_forget(rig.tracker, rig.lists[0].context);
    cr_expect_eq(record(&rig, 1).started, of_bundle.started, "nothing executes it any more");
}

/* The list is recorded anew, and the layer asks for no words; that it executes bundles gives it
 * none. */
Test(evidence_flight, bundles_give_their_list_no_words)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    record(&rig, 0);
    record(&rig, 1);
    cr_assert_eq(annot_context_open(rig.lists[0].context, rig.arenas[0]), ANNOT_OK);
    execute_bundle(&rig, 0, 1);
    close_list(&rig, 0);
    const uint64_t serial = submit(&rig, 0);
    cr_expect_eq(row_of(&rig, 0, serial, 0)->state, ANNOT_PROGRESS_UNKNOWN);
    cr_expect_eq(row_of(&rig, 1, serial, 1)->state, ANNOT_PROGRESS_NOT_STARTED);
    completed(&rig, serial);
}

/* A report has a list without words, but no bundle without; a queue is no bundle; there may be no
 * lists. */
Test(evidence_flight, what_writes_no_words_has_no_rows)
{
    AT_END(rig_done) struct rig rig = rig_made(both);
    annot_words none[2];
    cr_assert_eq(annot_context_open(rig.lists[SILENT].context, rig.arenas[SILENT]), ANNOT_OK);
    execute_bundle(&rig, SILENT, 2);
    close_list(&rig, SILENT);
    row_of(&rig, SILENT, submit(&rig, SILENT), 0);
    cr_expect_eq(rig.report.progress_count, 1);
    open_list(&rig, 0);
    annot_tracker_execute_bundle(rig.tracker, rig.lists[0].context, rig.queue.context);
    close_list(&rig, 0);
    row_of(&rig, 0, submit(&rig, 0), 0);
    cr_expect_eq(rig.report.progress_count, 2);
    cr_expect_eq(annot_tracker_submit(rig.tracker, rig.queue.context, NULL, 2, none), 3);
    cr_expect_eqs(none[0].started, ANNOT_WORDS_NONE, none[1].completed, ANNOT_WORDS_NONE);
    annot_prologue prologues[2];
    cr_expect_eq(annot_tracker_submit_apart(rig.tracker, rig.queue.context, NULL, 2, prologues), 4);
    cr_expect_eqs(prologues[0].entered, ANNOT_WORDS_NONE, prologues[1].cleared, ANNOT_WORDS_NONE);
    annot_tracker_completed(rig.tracker, rig.lists[0].context, 2); /* a list is no queue */
    row_of(&rig, 0, 2, 0);
    cr_expect_eq(rig.report.progress_count, 2);
}

/* Without memory for its recording a bundle has words, and nothing else is retained of the calls:
 * they are counted all the same. */
Test(evidence_flight, calls_of_bundles_without_a_recording_are_numbered)
{
    enum { CALLS = 3 };
    AT_END(rig_done) struct rig rig = rig_made(both);
    spy_fail();
    cr_assert_eq(annot_context_open(rig.lists[0].context, rig.arenas[0]), ANNOT_OK);
    spy_heap.fail_at = 0;
    annot_tracker_record(rig.tracker, rig.lists[0].context);
    close_list(&rig, 0);
    open_list(&rig, SILENT);
    for (int i = 0; i < CALLS; i++)
        execute_bundle(&rig, SILENT, 0);
    close_list(&rig, SILENT);
    const uint64_t serial = submit(&rig, SILENT);
    for (uint32_t i = 1; i <= CALLS; i++)
        row_of(&rig, 0, serial, i);
    cr_expect_eq(rig.report.progress_count, 1 + CALLS);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 0, "no marker was lost");
}
