/* Breadcrumbs of bundles: a bundle's own decide its state and what is known inside of it
 * [ANN-MARK-11, ANN-JOIN-01, ANN-TRUTH-01]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(witness_bundles, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, NONE = -2, NEVER = -1, COUNTED = 98, ENDED = 99 };
enum { UNKNOWN, WAITS, RUNS, DONE };

static const annot_state states[] = {ANNOT_STATE_UNKNOWN, ANNOT_STATE_NOT_STARTED,
                                     ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED};

/* Frame { bundle 1, between, bundle 2 }; the bundle is trees { dispatch }, dispatch. */
static const uint8_t list_ops[] = {1, 16, 0, 16, 2}, bundle_ops[] = {1, 6, 2, 6},
                     list_markers[] = {1, 0, 2}, bundle_markers[] = {1, 2};

struct row {
    const char *why;
    bool is_markers_only;
    int list, bundle[2]; /* operations done; NEVER: not begun; NONE: nothing says it; COUNTED: all,
                            and nothing says of the end */
    uint32_t said;       /* the driver's row for bundle 1, NOT_SAID: none */
    int list_state, bundle_state[2], trees[2];
    const char *path;
};

static void put_crumbs(struct dump *dump, const struct row *row, uint32_t bundle, int done)
{
    const uint8_t *ops = row->is_markers_only ? (bundle ? bundle_markers : list_markers)
                         : bundle             ? bundle_ops
                                              : list_ops;
    const uint32_t markers = bundle ? 2 : 3;
    const uint32_t count = row->is_markers_only ? markers : bundle ? 4 : 5;
    if (done == NONE)
        return;
    const struct annot__dump_CRUMBS crumbs = {
        .queue = QUEUE,
        .submission = 2,
        .log = bundle ? 6 : 5,
        .bundle = bundle,
        .count = count,
        .done = done >= COUNTED ? count : (uint32_t)done,
        .markers = markers,
        .flags = (done == COUNTED ? 0u : ANNOT_CRUMBS_HAS_END) |
                 (done == ENDED ? ANNOT_CRUMBS_ENDED : 0u) |
                 (row->is_markers_only ? ANNOT_CRUMBS_MARKERS_ONLY : 0u)};
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    if (bundle < 2)
        dump_put_OPS(dump, &(struct annot__dump_OPS){.log = crumbs.log}, ops, count);
}

struct scene {
    struct dump dump;
    uint64_t trees;
};

static annot_reader *open_row(struct scene *s, const struct row *row)
{
    struct dump *dump = &s->dump;
    *dump = dump_hung();
    dump_begin(dump, "Frame");
    dump_bundle(dump, 1, 2, 200);
    dump_set(dump, "between");
    dump_bundle(dump, 2, 2, 200);
    dump_end(dump);
    dump_recording(dump, 2, 200);
    s->trees = dump_begin(dump, "trees");
    dump_end(dump);
    dump_queue(dump, QUEUE, 2, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){1}); /* of which nothing is known */
    dump_submit(dump, 2, 1, (uint64_t[]){1});
    if (row->said != NOT_SAID)
        dump_row(dump, QUEUE, 2, 0, 1, row->said, 0, 0);
    put_crumbs(dump, row, 2, row->bundle[1]); /* in any order */
    put_crumbs(dump, row, 0, row->list);
    put_crumbs(dump, row, 1, row->bundle[0]);
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    cr_assert(!annot_reader_is_damaged(reader));
    return reader;
}

static uint32_t bundle_entry(const annot_reader *reader, uint32_t ordinal)
{
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE && entry.ordinal == ordinal)
            return i;
    cr_assert_fail("no bundle %u", (unsigned)ordinal);
    return 0;
}

static void check(const struct row *row)
{
    struct scene s;
    annot_reader *reader = open_row(&s, row);
    annot_reader_execution execution;
    char path[128] = "";
    cr_assert(annot_reader_execution_at(reader, 1, &execution));
    cr_expect_eq(execution.state, states[row->list_state], "%s: list", row->why);
    const uint32_t trees = annot_reader_entry_find(reader, s.trees);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t bundle = bundle_entry(reader, i + 1);
        const annot_state is = annot_reader_state(reader, 1, ANNOT_READER_NONE, bundle, NULL);
        const annot_state inside = annot_reader_state(reader, 1, bundle, trees, NULL);
        cr_expect_eq(is, states[row->bundle_state[i]], "%s: bundle %u is %s", row->why,
                     (unsigned)i + 1, annot_state_text(is));
        cr_expect_eq(inside, states[row->trees[i]], "%s: trees in bundle %u are %s", row->why,
                     (unsigned)i + 1, annot_state_text(inside));
    }
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, row->path, "%s: path is \"%s\"", row->why, path);
    annot_reader_close(reader);
    dump_free(&s.dump);
}

Test(witness_bundles, a_bundles_own_breadcrumbs_decide_its_state_and_the_path_inside_it)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"in its first operation", false, 1, {0, NEVER}, NOT_SAID, RUNS, {RUNS, UNKNOWN},
         {UNKNOWN, UNKNOWN}, "Frame"},
        {"in its scope", false, 1, {1, NEVER}, NOT_SAID, RUNS, {RUNS, UNKNOWN}, {RUNS, UNKNOWN},
         "Frame / trees"},
        {"behind its scope", false, 1, {3, NEVER}, NOT_SAID, RUNS, {RUNS, UNKNOWN}, {DONE, UNKNOWN},
         "Frame"},
        {"all its operations are done and it is not", false, 1, {4, NEVER}, NOT_SAID, RUNS,
         {RUNS, UNKNOWN}, {DONE, UNKNOWN}, "Frame"},
        {"it is done and its caller has not counted it yet", false, 1, {ENDED, NEVER}, NOT_SAID,
         RUNS, {DONE, UNKNOWN}, {DONE, UNKNOWN}, "Frame"},
        {"the second one", false, 3, {ENDED, 1}, NOT_SAID, RUNS, {DONE, RUNS}, {DONE, RUNS},
         "Frame / trees"},
        {"by markers only", true, 1, {1, NEVER}, NOT_SAID, RUNS, {RUNS, UNKNOWN}, {RUNS, UNKNOWN},
         "Frame / trees"},
        {"behind its last marker", true, 2, {ENDED, 2}, NOT_SAID, RUNS, {DONE, RUNS}, {DONE, DONE},
         "Frame"},
        {"nothing says of the one that may have begun", false, 1, {NONE, NONE}, NOT_SAID, RUNS,
         {UNKNOWN, UNKNOWN}, {UNKNOWN, UNKNOWN}, "Frame"},
        {"nothing says of one behind a marker that is done", false, 3, {NONE, NONE}, NOT_SAID, RUNS,
         {DONE, UNKNOWN}, {DONE, UNKNOWN}, "Frame"},
        {"a driver's row says otherwise", false, 1, {1, NEVER}, FINISHED, RUNS, {RUNS, UNKNOWN},
         {RUNS, UNKNOWN}, "Frame / trees"},
        {"its end is not counted", false, 1, {COUNTED, NEVER}, NOT_SAID, RUNS, {UNKNOWN, UNKNOWN},
         {DONE, UNKNOWN}, "Frame"},
        {"its end is not counted, and the list is past it", false, 3, {COUNTED, 1}, NOT_SAID, RUNS,
         {DONE, RUNS}, {DONE, RUNS}, "Frame / trees"},
        {"the list is done, whatever its bundles' breadcrumbs say", false, ENDED, {1, NEVER},
         NOT_SAID, DONE, {DONE, DONE}, {DONE, DONE}, ""},
        {"the list has not begun, whatever they say", false, NEVER, {1, ENDED}, NOT_SAID, WAITS,
         {WAITS, WAITS}, {WAITS, WAITS}, ""},
        {"the list is done", false, ENDED, {NONE, NONE}, NOT_SAID, DONE, {DONE, DONE}, {DONE, DONE},
         ""},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
}

/* ANN-JOIN-03: what the driver says of a bundle and its breadcrumbs rule out is told. */
Test(witness_bundles, a_row_that_breadcrumbs_rule_out_is_a_finding)
{
    static const uint32_t said[] = {NOT_SAID, STARTED, FINISHED, NOT_STARTED};
    for (size_t i = 0; i < 4; i++) {
        const struct row row = {"",
                                false,
                                1,
                                {1, NEVER},
                                said[i],
                                RUNS,
                                {RUNS, UNKNOWN},
                                {RUNS, UNKNOWN},
                                "Frame / trees"};
        struct scene s;
        annot_reader *reader = open_row(&s, &row);
        annot_finding finding;
        uint64_t count = 0;
        for (size_t k = 0; annot_reader_finding(reader, k, &finding); k++)
            if (finding.kind == ANNOT_FINDING_WITNESSES_DISAGREE)
                count = finding.count;
        cr_expect_eq(count, said[i] == FINISHED || said[i] == NOT_STARTED, "row %zu", i);
        annot_reader_close(reader);
        dump_free(&s.dump);
    }
}
