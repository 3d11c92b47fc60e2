/* A later list's End closes a scope of an earlier list [ANN-CRASH-06]. */
#include "dump_builder.h"
#include "unit_kit.h"

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
    return dump_open(dump, ANNOT_OK);
}

/* A third list's first End closes the later list's scope where two lists leave some open. */
Test(crossing, an_end_closes_the_latest_lists_scope)
{
    AT_END(dump_free) struct dump dump = dump_hung();
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
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, cases[i].window);
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
                 {NOT_SAID /* and no marker was reached */, ANNOT_STATE_NOT_STARTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
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
        AT_END(dump_free) struct dump dump = dump_hung();
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_add(&dump, RECORDING, .id = 2, .object = 101, .dropped = dropped);
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
        AT_END(dump_free) struct dump dump = dump_hung();
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_queue(&dump, QUEUE, 1 + lacking, 1);
        dump_submit(&dump, 1, 1, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
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
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
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
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t i = 0; i < count; i++)
            cr_assert_eq(state_of(reader, scopes[i].opener, scopes[i].id),
                         expected_of(&scopes[i], reached), "round %u, scope %u", round, i);
    }
}

/* An End may have been passed or not where the driver says what a list started and not what it
 * completed: nothing is claimed of the scope that it closes. Breadcrumbs may say that it was not;
 * then the scope is around the place, unless the front end, which kept the order, was behind it. */
Test(crossing, an_end_that_may_have_been_passed_leaves_the_scope_unknown)
{
    for (uint32_t i = 0; i < 3; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, i / 2);
        char path[16];
        dump_recording(&dump, 1, 100);
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_recording(&dump, 2, 101);
        dump_set(&dump, "inside");
        dump_end(&dump);
        const uint64_t behind = dump_set(&dump, "behind");
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 2, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1, .list = 1, .started = behind,
                 .state = ANNOT_PROGRESS_STARTED, .inside = ANNOT_INSIDE_STARTED);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        if (i > 0)
            dump_add(&dump, CRUMBS, .queue = QUEUE, .submission = 1, .list = 1, .log = 5,
                     .count = 3, .done = 1, .markers = 3);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, (const uint8_t[]){0, 2, 0}, 3);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, 0, outer),
                     i > 0 ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN);
        annot_reader_stop_path(reader, 0, path, sizeof path);
        cr_expect_str_eq(path, i == 2 ? "outer" : "", "%s", path);
    }
}

/* ---- what a scope surrounds ---- */

enum { WAITS, RUNS, OVER, SILENT, STATES };

static const annot_state states[STATES] = {ANNOT_STATE_NOT_STARTED, ANNOT_STATE_IN_PROGRESS,
                                           ANNOT_STATE_FINISHED, ANNOT_STATE_UNKNOWN};

/* Of three lists: the first one opens the scope and the third one closes it. One that runs is known
 * to have begun, and no more; but that the first one has reached its last Begin. */
static annot_state surrounding(int opener, int middle, int closer)
{
    if (opener != OVER)
        return states[opener];
    if (middle == WAITS || middle == RUNS || closer == WAITS)
        return ANNOT_STATE_IN_PROGRESS;
    return middle == OVER && closer == OVER ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN;
}

static void put_state(struct dump *dump, uint64_t submission, uint32_t list, int state,
                      uint64_t started)
{
    static const uint32_t said[] = {NOT_STARTED, STARTED, FINISHED};
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    if (state != SILENT)
        dump_add(dump, PROGRESS, .queue = QUEUE, .submission = submission, .list = list,
                 .state = said[state % SILENT], .started = state == RUNS ? started : 0,
                 .inside =
                     state == RUNS && started ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_NOT_TRACKED);
}

/* Two of the three scopes that the first list leaves open are closed; another queue leaves one
 * open, which nothing closes. */
Test(crossing, a_scope_is_as_far_as_all_that_it_surrounds)
{
    for (int code = 0; code < STATES * STATES * STATES; code++) {
        const int of[] = {code % STATES, code / STATES % STATES, code / (STATES * STATES)};
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        uint64_t scopes[3];
        annot_evidence evidence;
        dump_recording(&dump, 9, 109);
        dump_begin(&dump, "of another queue");
        dump_recording(&dump, 1, 100);
        const uint64_t closed = dump_begin(&dump, "closed");
        dump_end(&dump);
        for (int i = 0; i < 3; i++)
            scopes[i] = dump_begin(&dump, (char[]){(char)('A' + i), 0});
        dump_recording(&dump, 2, 101);
        dump_set(&dump, "between");
        dump_recording(&dump, 3, 102);
        dump_end(&dump);
        dump_end(&dump);
        dump_queue(&dump, QUEUE - 1, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){9});
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 3, lists);
        for (uint32_t i = 0; i < 3; i++)
            put_state(&dump, 1, i, of[i], i == 0 ? scopes[2] : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const annot_state expected = surrounding(of[0], of[1], of[2]);
        char path[32] = "";
        annot_reader_stop_path(reader, 0, path, sizeof path);
        if (of[0] == OVER && of[1] == RUNS)
            cr_expect_str_eq(path, "B / C", "which are open around it: %s", path);
        for (int i = 0; i < 3; i++) {
            const annot_state is =
                annot_reader_state(reader, 1, ANNOT_READER_NONE,
                                   annot_reader_entry_find(reader, scopes[i]), &evidence);
            cr_expect_eq(is, i == 0 ? states[of[0]] : expected, "%d %d %d, scope %d: %s", of[0],
                         of[1], of[2], i, annot_state_text(is));
            if (i > 0 && of[0] == OVER && expected != ANNOT_STATE_FINISHED)
                cr_expect_eq(evidence,
                             expected == ANNOT_STATE_UNKNOWN ? ANNOT_EVIDENCE_NONE
                                                             : ANNOT_EVIDENCE_SURROUNDED,
                             "%d %d %d: %s", of[0], of[1], of[2],
                             annot_evidence_text(NULL, evidence));
        }
        cr_expect_eq(state_of(reader, 1, closed) == ANNOT_STATE_FINISHED, of[0] == OVER);
    }
}

/* The dump lacks a list between the two lists, and a list before both. */
Test(crossing, an_unknown_list_in_front_proves_nothing)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t outer = dump_begin(&dump, "outer");
    dump_recording(&dump, 2, 101);
    dump_set(&dump, "of an unknown list");
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    dump_queue(&dump, QUEUE, 1, 0);
    dump_submit(&dump, 1, 4, (uint64_t[]){2, 1, 2, 3});
    put_state(&dump, 1, 1, OVER, 0);
    put_state(&dump, 1, 3, OVER, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(state_of(reader, 1, outer), ANNOT_STATE_UNKNOWN);
}

/* ---- what may have been closed by something else ---- */

enum { BALANCED, BROKEN, LOSSY, OPENS, CLOSES, NOT_THERE, BUNDLES };

/* Recording 5 is a bundle of this kind, 4 one that is balanced. */
static void record_bundles(struct dump *dump, int kind)
{
    dump_recording(dump, 4, 103);
    dump_set(dump, "set");
    if (kind == LOSSY)
        dump_add(dump, RECORDING, .id = 5, .object = 104, .dropped = 1);
    else if (kind != NOT_THERE)
        dump_recording(dump, 5, 104);
    if (kind == OPENS)
        dump_begin(dump, "open");
    else if (kind == CLOSES)
        dump_end(dump);
    for (int i = 0; kind == BROKEN && i < 2; i++) /* two with one ordinal */
        dump_bundle(dump, 1, 4, 103);
}

/* All is finished, but a bundle may have closed the scope before its End came: in the list that
 * opens it, in the next one, or in the one with the End. */
Test(crossing, a_bundle_that_is_not_balanced_leaves_open_scopes_unknown)
{
    for (int kind = BALANCED; kind < BUNDLES; kind++)
        for (uint64_t where = 1; where <= 3; where++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
            uint64_t outer = 0;
            for (uint64_t list = 1; list <= 3; list++) {
                dump_recording(&dump, list, 99 + list);
                if (list == 1)
                    outer = dump_begin(&dump, "outer");
                dump_bundle(&dump, 1, 4, 103);
                dump_bundle(&dump, 2, list == where ? 5 : 4, list == where ? 104 : 103);
                if (list == 3)
                    dump_end(&dump);
            }
            record_bundles(&dump, kind);
            const bool has_begun = where != 2 || kind != CLOSES;
            AT_END(at_end_close)
            annot_reader *reader = submitted(
                &dump, (uint32_t[]){has_begun ? FINISHED : NOT_STARTED, FINISHED, FINISHED}, 0);
            cr_expect_eq(state_of(reader, 0, outer),
                         !has_begun         ? ANNOT_STATE_NOT_STARTED
                         : kind == BALANCED ? ANNOT_STATE_FINISHED
                                            : ANNOT_STATE_UNKNOWN,
                         "kind %d in list %u", kind, (unsigned)where);
        }
}

/* Between the list that opens a scope and the one that closes it lies a submission that the dump
 * doesn't have, or one of whose lists it has only the first. */
Test(crossing, a_gap_in_front_of_the_end_leaves_open_scopes_unknown)
{
    static const struct {
        uint64_t serials[3];
        uint64_t cut; /* the one that lacks a list */
        annot_state outer;
    } rows[] = {{{1, 2, 3}, 0, ANNOT_STATE_FINISHED}, {{1, 3, 4}, 0, ANNOT_STATE_UNKNOWN},
                {{1, 2, 4}, 0, ANNOT_STATE_UNKNOWN},  {{2, 3, 4}, 0, ANNOT_STATE_FINISHED},
                {{1, 2, 3}, 2, ANNOT_STATE_UNKNOWN},  {{1, 2, 3}, 3, ANNOT_STATE_FINISHED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_recording(&dump, 9, 109);
        dump_set(&dump, "set");
        dump_recording(&dump, 1, 100);
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_recording(&dump, 2, 100);
        dump_set(&dump, "between");
        dump_recording(&dump, 3, 100);
        dump_end(&dump);
        dump_queue(&dump, QUEUE - 1, 7, 0);
        dump_submit(&dump, 7, 1, (uint64_t[]){9});
        dump_queue(&dump, QUEUE, rows[i].serials[2], 0);
        for (uint8_t k = 0; k < 3; k++) {
            const uint8_t list[16] = {(uint8_t)(k + 1), [8] = 100};
            dump_add_with(&dump, SUBMISSION, list, sizeof list, .serial = rows[i].serials[k],
                          .count = 1 + (rows[i].serials[k] == rows[i].cut));
        }
        for (int k = 0; k < 3; k++)
            put_state(&dump, rows[i].serials[k], 0, OVER, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, 1, outer), rows[i].outer, "row %zu", i);
    }
}

/* ---- where an End is ---- */

/* The list "set, End, scope { set, End of the scope }, End, set" on a GPU that does one operation
 * after the other, from an exact driver: an End was passed when a marker behind it is done, and was
 * not when the one before it is not. */
Test(crossing, an_end_lies_between_the_markers_around_it)
{
    enum { OPS = 7 };
    static const char ops[OPS + 1] = "s.Bs}.s";
    for (int done = 0; done <= OPS; done++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        uint64_t ids[OPS] = {0}, started = 0, completed = 0;
        const uint64_t outer = dump_begin(&dump, "outer"), inner = dump_begin(&dump, "inner");
        dump_recording(&dump, 2, 101);
        for (int i = 0; i < OPS; i++) {
            if (ops[i] == '.' || ops[i] == '}')
                dump_end(&dump);
            else
                ids[i] = ops[i] == 's' ? dump_set(&dump, "s") : dump_begin(&dump, "B");
            if (i < done && ids[i])
                started = ids[i];
            if (i < done && ops[i] != '.' && ops[i] != 'B')
                completed = ops[i] == '}' ? ids[2] : ids[i];
        }
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 2, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 1, 1, 0, STARTED, started, completed);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const annot_state of_inner = done < 1   ? ANNOT_STATE_IN_PROGRESS
                                     : done < 4 ? ANNOT_STATE_UNKNOWN
                                                : ANNOT_STATE_FINISHED;
        const annot_state of_outer = done < 5   ? ANNOT_STATE_IN_PROGRESS
                                     : done < 7 ? ANNOT_STATE_UNKNOWN
                                                : ANNOT_STATE_FINISHED;
        cr_expect_eq(state_of(reader, 0, inner), of_inner, "%d done: %s", done,
                     annot_state_text(state_of(reader, 0, inner)));
        cr_expect_eq(state_of(reader, 0, outer), of_outer, "%d done: %s", done,
                     annot_state_text(state_of(reader, 0, outer)));
    }
}

/* Behind a gap the lists of one submission are not apart. The dump has its queue before its lists.
 */
Test(crossing, a_gap_in_front_of_both_lists_leaves_nothing_unknown)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_queue(&dump, QUEUE, 3, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){2});
    dump_submit(&dump, 3, 3, lists);
    dump_recording(&dump, 1, 100);
    const uint64_t outer = dump_begin(&dump, "outer");
    dump_recording(&dump, 2, 101);
    dump_set(&dump, "between");
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    for (uint32_t i = 0; i < 3; i++)
        put_state(&dump, 3, i, OVER, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(state_of(reader, 1, outer), ANNOT_STATE_FINISHED);
}
