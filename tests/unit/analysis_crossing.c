/* A later list's End closes a scope of an earlier list [ANN-CRASH-06]. */
#include "asserts.h"
#include "at_end.h"
#include "dump_builder.h"
#include "guarded.h"

#include <stdlib.h>
#include <string.h>

TestSuite(crossing, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21 };

static annot_state state_of(const annot_reader *reader, uint32_t execution, uint64_t event_id)
{
    return annot_reader_state(reader, execution, ANNOT_READER_NONE,
                              annot_reader_entry_find(reader, event_id), NULL);
}

static const uint64_t lists[] = {1, 2, 3};

static annot_reader *submitted(struct dump *dump, const uint32_t states[3], uint64_t reached)
{
    dump_queue(dump, QUEUE, 1, 0);
    dump_submit(dump, 1, 3, lists);
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t marker = states[i] == STARTED ? reached : 0;
        dump_row(dump, QUEUE, 1, i, 0, states[i], marker, marker);
    }
    dump_finish(dump);
    return dump_open(dump, ANNOT_OK);
}

/* The next list's first End closes the innermost of three scopes that one list leaves open. */
Test(crossing, an_end_closes_the_innermost_scope)
{
    AT_END(dump_free) struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
    const uint64_t outer = dump_begin(&dump, "outer");
    const uint64_t middle = dump_begin(&dump, "middle");
    const uint64_t inner = dump_begin(&dump, "inner");
    dump_recording(&dump, 2, 101);
    dump_end(&dump);
    const uint64_t reached = dump_set(&dump, "reached");
    dump_set(&dump, "not reached");
    dump_end(&dump);
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    AT_END(at_end_close)
    annot_reader *reader = submitted(&dump, (uint32_t[]){FINISHED, STARTED, NOT_STARTED}, reached);
    cr_expect_eq(state_of(reader, 0, inner), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 0, middle), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, 0, outer), ANNOT_STATE_IN_PROGRESS);
}

/* A third list's first End closes the later list's scope where two lists leave some open. */
Test(crossing, an_end_closes_the_latest_lists_scope)
{
    AT_END(dump_free) struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
    const uint64_t outer = dump_begin(&dump, "outer");
    dump_recording(&dump, 2, 101);
    const uint64_t inner = dump_begin(&dump, "inner");
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    const uint64_t reached = dump_set(&dump, "reached");
    dump_set(&dump, "not reached");
    dump_end(&dump);
    AT_END(at_end_close)
    annot_reader *reader = submitted(&dump, (uint32_t[]){FINISHED, FINISHED, STARTED}, reached);
    cr_expect_eq(state_of(reader, 1, inner), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 0, outer), ANNOT_STATE_IN_PROGRESS);
}

/* A list's End stands behind a bundle that the list calls, and nothing else: the GPU comes to it
 * when it is done with the bundle. */
Test(crossing, an_end_behind_a_bundle_that_hangs_is_not_reached)
{
    static const struct {
        uint32_t bundle, window;
        annot_state expected;
    } cases[] = {{STARTED, 0, ANNOT_STATE_IN_PROGRESS},
                 {NOT_STARTED, 0, ANNOT_STATE_IN_PROGRESS},
                 {FINISHED, 0, ANNOT_STATE_UNKNOWN},
                 {0, 0, ANNOT_STATE_UNKNOWN},
                 {STARTED, 4, ANNOT_STATE_UNKNOWN}}; /* the driver may have moved the End */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(dump_free) struct dump dump;
        dump_start(&dump, ERROR_HUNG, cases[i].window);
        dump_recording(&dump, 4, 103);
        const uint64_t inside = dump_set(&dump, "inside");
        dump_recording(&dump, 1, 100);
        const uint64_t scope = dump_begin(&dump, "scope");
        dump_recording(&dump, 2, 101);
        dump_bundle(&dump, 1, 4, 103);
        dump_end(&dump);
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 2, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 1, 1, 0, STARTED, 0, 0);
        const uint64_t reached = cases[i].bundle == STARTED ? inside : 0;
        dump_row(&dump, QUEUE, 1, 1, 1, cases[i].bundle, reached, reached);
        dump_finish(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, 0, scope), cases[i].expected, "%zu: %d", i,
                     state_of(reader, 0, scope));
    }
}

/* Lists overlap where the driver promises no order: the End's list is finished before the one whose
 * scope it closes [ANN-TRUTH-01]. */
Test(crossing, a_scope_is_finished_when_the_list_that_opens_it_is)
{
    static const struct {
        uint32_t opener;
        annot_state expected;
    } cases[] = {{FINISHED, ANNOT_STATE_FINISHED},
                 {STARTED, ANNOT_STATE_IN_PROGRESS},
                 {NOT_STARTED, ANNOT_STATE_NOT_STARTED},
                 {0, ANNOT_STATE_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(dump_free) struct dump dump;
        dump_start(&dump, ERROR_HUNG, 0);
        dump_recording(&dump, 1, 100);
        const uint64_t before = dump_set(&dump, "before"), scope = dump_begin(&dump, "scope");
        dump_recording(&dump, 2, 101);
        dump_end(&dump);
        dump_recording(&dump, 3, 102);
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 3, lists);
        const bool is_inside = cases[i].opener == STARTED;
        dump_row(&dump, QUEUE, 1, 0, 0, cases[i].opener, is_inside ? scope : 0,
                 is_inside ? before : 0);
        dump_row(&dump, QUEUE, 1, 1, 0, FINISHED, 0, 0);
        dump_finish(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, 0, scope), cases[i].expected, "%zu: %d", i,
                     state_of(reader, 0, scope));
    }
}

/* ANN-LIFE-06: an End of a list that lost markers may belong to one of those, or to a scope of an
 * earlier list: which scopes are open behind it is not known. */
Test(crossing, an_end_of_a_list_with_losses_leaves_open_scopes_unknown)
{
    for (uint32_t dropped = 0; dropped < 2; dropped++) {
        AT_END(dump_free) struct dump dump;
        dump_start(&dump, ERROR_HUNG, 0);
        dump_recording(&dump, 1, 100);
        const uint64_t outer = dump_begin(&dump, "outer");
        const struct annot__dump_RECORDING lossy = {.id = 2, .object = 101, .dropped = dropped};
        dump_put_RECORDING(&dump, &lossy, NULL, 0);
        dump.depth = 0;
        dump_end(&dump);
        dump_recording(&dump, 3, 102);
        const uint64_t reached = dump_set(&dump, "reached");
        dump_end(&dump);
        AT_END(at_end_close)
        annot_reader *reader = submitted(&dump, (uint32_t[]){FINISHED, FINISHED, STARTED}, reached);
        annot_report_options all = {.all = true};
        AT_END(at_end_free) char *text = report_of(reader, false, &all);
        cr_expect_null(strstr(text, "[>] outer"), "%s", text);
        cr_expect_eq(state_of(reader, 0, outer),
                     dropped ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_FINISHED);
        cr_expect_not_null(strstr(text, dropped ? "[?] outer  0x" : "[X] outer  0x"), "%s", text);
    }
}

/* ANN-CRASH-06: a submission that the dump doesn't have may have closed what is open, also behind
 * the last one that it has. */
Test(crossing, a_submission_that_the_dump_lacks_leaves_open_scopes_unknown)
{
    for (uint32_t lacking = 0; lacking < 2; lacking++) {
        AT_END(dump_free) struct dump dump;
        dump_start(&dump, ERROR_HUNG, 0);
        dump_recording(&dump, 1, 100);
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_queue(&dump, QUEUE, 1 + lacking, 1);
        dump_submit(&dump, 1, 1, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_finish(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, 0, outer),
                     lacking ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_FINISHED);
    }
}

/* Any lists: each takes Ends, then a marker, then Begins, and one of them is where the GPU is. */
enum { LISTS = 7, OPEN_MAX = 3 };

struct scope {
    uint64_t id;
    uint32_t opener, closer; /* closer LISTS: none */
};

static annot_state expected_of(const struct scope *scope, uint32_t reached)
{
    if (scope->opener >= reached)
        return ANNOT_STATE_NOT_STARTED; /* Begins are behind the marker */
    const bool is_left = scope->closer <= reached || scope->closer == LISTS;
    return is_left ? ANNOT_STATE_FINISHED : ANNOT_STATE_IN_PROGRESS;
}

Test(crossing, ends_pair_up_whatever_the_lists)
{
    static const uint64_t recordings[LISTS] = {1, 2, 3, 4, 5, 6, 7};
    unsigned random = 17;
    for (unsigned round = 0; round < 400; round++) {
        struct scope scopes[LISTS * OPEN_MAX];
        uint32_t count = 0, open[LISTS * OPEN_MAX], depth = 0;
        uint64_t marks[LISTS];
        AT_END(dump_free) struct dump dump;
        dump_start(&dump, ERROR_HUNG, 0);
        for (uint32_t list = 0; list < LISTS; list++) {
            random = random * 1103515245u + 12345u;
            const uint32_t ends = random >> 16 & 3, begins = (random >> 20) % (OPEN_MAX + 1);
            dump_recording(&dump, recordings[list], 100 + list);
            for (uint32_t i = 0; i < ends; i++) {
                dump_end(&dump);
                if (depth > 0)
                    scopes[open[--depth]].closer = list;
            }
            marks[list] = dump_set(&dump, "mark");
            for (uint32_t i = 0; i < begins; i++) {
                open[depth++] = count;
                scopes[count++] = (struct scope){dump_begin(&dump, "scope"), list, LISTS};
            }
        }
        const uint32_t reached = (random >> 24) % LISTS;
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, LISTS, recordings);
        for (uint32_t list = 0; list < LISTS; list++)
            dump_row(&dump, QUEUE, 1, list, 0,
                     list < reached    ? FINISHED
                     : list == reached ? STARTED
                                       : NOT_STARTED,
                     list == reached ? marks[list] : 0, list == reached ? marks[list] : 0);
        dump_finish(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t i = 0; i < count; i++)
            cr_assert_eq(state_of(reader, scopes[i].opener, scopes[i].id),
                         expected_of(&scopes[i], reached), "round %u, scope %u", round, i);
    }
}

/* An End may have been passed or not where the driver says what a list started and not what it
 * completed: nothing is claimed of the scope that it closes. */
Test(crossing, an_end_that_may_have_been_passed_leaves_the_scope_unknown)
{
    AT_END(dump_free) struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
    const uint64_t outer = dump_begin(&dump, "outer");
    dump_recording(&dump, 2, 101);
    dump_set(&dump, "inside");
    dump_end(&dump);
    const uint64_t behind = dump_set(&dump, "behind");
    dump_queue(&dump, QUEUE, 1, 0);
    dump_submit(&dump, 1, 2, lists);
    dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    const struct annot__dump_PROGRESS row = {.queue = QUEUE,
                                             .submission = 1,
                                             .list = 1,
                                             .started = behind,
                                             .state = ANNOT_PROGRESS_STARTED,
                                             .inside = ANNOT_INSIDE_STARTED};
    dump_put_PROGRESS(&dump, &row, NULL, 0);
    dump_finish(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(state_of(reader, 0, outer), ANNOT_STATE_UNKNOWN);
}
