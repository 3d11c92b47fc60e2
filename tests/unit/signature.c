/* Dumps that share a signature, and dumps that don't [ANN-RPT-01]: docs/FLEET.md's rules, one after
 * the other. */
#include "asserts.h"
#include "at_end.h"
#include "hang_dump.h"
#include "guarded.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(signature, .fini = guarded_expect_nothing_left);

/* ---- names ---- */

static const char *fold(const char *name)
{
    static char buffers[4][256];
    static int next;
    char *buffer = buffers[next++ % 4];
    cr_assert_eq(annot_fold_name(name, strlen(name), buffer, sizeof buffers[0]), strlen(buffer));
    char alone[256], *copy = malloc(strlen(name) + 1); /* sanitizers see what is read around it */
    memcpy(copy, name, strlen(name) + 1);
    copy = realloc(copy, strlen(name) > 0 ? strlen(name) : 1);
    annot_fold_name(copy, strlen(name), alone, sizeof alone);
    free(copy);
    cr_assert_str_eq(alone, buffer);
    return buffer;
}

Test(fold_name, makes_every_spelling_of_a_number_one_sign)
{
    static const char *const pairs[][2] = {
        {"Cascade 2", "Cascade #"},
        {"Tile (3, 7)", "Tile (#, #)"},
        {"-1.5 ms", "# ms"},
        {"1.5e-07 s", "# s"},
        {"2e+10", "#"},
        {"1,234,567 triangles", "# triangles"},
        {"12:30:59.25", "#"},
        {"x=+3", "x=#"},
        {"Mesh 0x7fFe12", "Mesh #"},
        {"00007ffe12ab34cd", "#"},
        {"{0c8a1b2d-12ab-4cd3-a0f1-0123456789ab}", "{#}"},
        {"frame_00017.draw12", "frame_#.draw#"},
        {"Pass03b", "Pass#b"},
        {"\xE2\x82\xAC 12", "\xE2\x82\xAC #"},
        {"[1abcdef2", "[#"},
        {"1abcdef\xC3\xA9", "#abcdef\xC3\xA9"},
        {"\xC3\xA9"
         "1abcdef9",
         "\xC3\xA9#abcdef#"},
        {"gc8a1b2d-12ab-4cd3-a0f1-0123456789ab", "gc#a#b#d-#ab-#cd#-a#f#-#"},
        {"1.5e+x", "#e+x"},
        {"1.5e", "#e"},
        {"5", "#"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        cr_assert_str_eq(fold(pairs[i][0]), pairs[i][1], "%s: %s", pairs[i][0], fold(pairs[i][0]));
}

Test(fold_name, leaves_words_alone)
{
    static const char *const same[] = {
        "Shadow pass", "facade",     "deadbeef", "a - b", "A-B",
        "0x",          "added face", "e-e",      "",      "Gr\xC3\xBC\xC3\x9F"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (strcmp(same[i], "0x") != 0)
            cr_assert_str_eq(fold(same[i]), same[i]);
    cr_assert_str_eq(fold("0x"), "#x");
    cr_assert_str_eq(fold("10-20"), "#-#", "a dash between numbers is no sign");
    cr_assert_str_eq(fold("(1)-2"), "(#)-#");
    cr_assert_str_eq(fold("Pass3e5"), "Pass#e#", "an exponent has a sign or follows a fraction");
    cr_assert_str_eq(fold("1.5e5"), "#");
    cr_assert_str_eq(fold("7, "), "#,");
    cr_assert_str_eq(fold("v1deadbeef9"), "v#deadbeef#", "an address is a word of its own");
}

Test(fold_name, makes_white_space_and_controls_one_space)
{
    cr_assert_str_eq(fold("  a \t\n b\x7f"
                          "c  "),
                     "a b c");
    cr_assert_str_eq(fold("\x01\x02"), "");
    cr_assert_str_eq(fold("a!b"), "a!b");
    char buffer[16];
    annot_fold_name("1\0002 3", 5, buffer, sizeof buffer);
    cr_assert_str_eq(buffer, "# # #");
    annot_fold_name("a\xC3", 2, buffer, sizeof buffer);
    cr_assert_str_eq(buffer, "a\xC3", "what is not cut stays");
}

Test(fold_name, cuts_at_a_character)
{
    char small[8];
    cr_assert_eq(annot_fold_name("abcdef\xE2\x82\xAC", 9, small, sizeof small), 6);
    cr_assert_str_eq(small, "abcdef");
    cr_assert_eq(annot_fold_name("abcd\xE2\x82\xAC", 7, small, sizeof small), 7);
    cr_assert_str_eq(small, "abcd\xE2\x82\xAC");
    cr_assert_eq(annot_fold_name("abcd\xF0\x9F\x98\x80", 8, small, sizeof small), 4);
    cr_assert_eq(annot_fold_name("abc", 3, small, 1), 0);
    cr_assert_eq(small[0], 0);
    small[0] = 'x';
    cr_assert_eq(annot_fold_name("abc", 3, small, 0), 0);
    cr_assert_eq(small[0], 'x');
}

/* ---- dumps ---- */

static annot_signature signature_of_bytes(const void *data, size_t size)
{
    annot_reader *reader;
    annot_signature signature;
    annot_reader_open_memory(&guarded_memory, data, size, &reader);
    cr_assert(reader);
    annot_reader_signature(reader, &signature);
    annot_reader_close(reader);
    return signature;
}

static annot_signature signature_of(struct hang hang)
{
    struct dump dump;
    if (hang.error == 0)
        hang.error = ERROR_HUNG;
    hang_dump_build(&dump, &hang);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

static const struct hang shadows = {.scopes = {"Frame 7", "Shadow pass", "Cascade 2"}};

#define EXPECT_SAME(...)                                                                           \
    do {                                                                                           \
        annot_signature same_a = signature_of(shadows),                                            \
                        same_b = signature_of((struct hang){__VA_ARGS__});                         \
        cr_assert_str_eq(same_a.id, same_b.id, "%s and %s", same_a.title, same_b.title);           \
    } while (0)

#define EXPECT_OTHER(...)                                                                          \
    do {                                                                                           \
        annot_signature other_a = signature_of(shadows),                                           \
                        other_b = signature_of((struct hang){__VA_ARGS__});                        \
        cr_assert_str_neq(other_a.id, other_b.id, "%s and %s", other_a.title, other_b.title);      \
    } while (0)

Test(signature, says_version_quality_and_title)
{
    annot_signature signature = signature_of(shadows);
    cr_assert_eq(signature.version, 1);
    cr_assert_eq(signature.quality, ANNOT_SIGNATURE_FULL);
    cr_assert(!signature.is_redacted);
    cr_assert_eq(strlen(signature.id), 19);
    cr_assert_eq(strncmp(signature.id, "v1-", 3), 0);
    cr_assert_eq(strspn(signature.id + 3, "0123456789abcdef"), 16);
    cr_assert_str_eq(signature.title, "GPU HANG: Frame # / Shadow pass / Cascade #");
}

/* A number of version 1 means the same for ever: what a database holds must be found again. */
Test(signature, of_version_1_never_changes)
{
    cr_assert_str_eq(signature_of(shadows).id, "v1-b668e2d642d42ad6");
}

Test(signature, does_not_depend_on_numbers_in_names)
{
    EXPECT_SAME(.scopes = {"Frame 123456", "Shadow pass", "Cascade 0"});
    EXPECT_OTHER(.scopes = {"Frame 7", "Shadow pass", "Casket 2"});
}

Test(signature, does_not_depend_on_identities_serials_and_event_ids)
{
    EXPECT_SAME(.scopes = {"Frame 7", "Shadow pass", "Cascade 2"}, .ids = 1000);
    EXPECT_SAME(.scopes = {"Frame 7", "Shadow pass", "Cascade 2"}, .done_before = 5);
}

Test(signature, depends_on_the_path_and_its_order)
{
    EXPECT_OTHER(.scopes = {"Frame 7", "Shadow pass"});
    EXPECT_OTHER(.scopes = {"Shadow pass", "Frame 7", "Cascade 2"});
    EXPECT_OTHER(.scopes = {"Frame 7", "Shadow passCascade 2"});
    EXPECT_OTHER(.queue_scope = "Present", .scopes = {"Frame 7", "Shadow pass", "Cascade 2"});
}

Test(signature, takes_scopes_of_one_name_inside_each_other_as_one)
{
    annot_signature twice = signature_of((struct hang){.scopes = {"Tree", "Node 1", "Node 2"}});
    annot_signature once = signature_of((struct hang){.scopes = {"Tree", "Node 8"}});
    cr_assert_str_eq(twice.id, once.id);
    annot_signature apart = signature_of((struct hang){.scopes = {"Node 1", "Tree", "Node 2"}});
    cr_assert_str_neq(apart.id, once.id);
}

Test(signature, depends_on_the_error)
{
    EXPECT_OTHER(.error = ERROR_PAGE_FAULT, .scopes = {"Frame 7", "Shadow pass", "Cascade 2"});
    annot_signature lost = signature_of((struct hang){.error = 0x88000000, .scopes = {"Frame 7"}});
    annot_signature older = signature_of((struct hang){.error = 0x80000000, .scopes = {"Frame 7"}});
    cr_assert_str_eq(lost.id, older.id, "both numbers mean unknown");
}

Test(signature, depends_on_the_operation)
{
    struct hang draw = shadows, dispatch = shadows;
    draw.op = 3;
    dispatch.op = 6;
    annot_signature a = signature_of(draw), b = signature_of(dispatch),
                    none = signature_of(shadows);
    cr_assert_str_eq(a.title, "GPU HANG: Frame # / Shadow pass / Cascade #, DrawInstanced");
    cr_assert_str_neq(a.id, b.id);
    cr_assert_str_neq(a.id, none.id);
}

/* Breadcrumbs tell the scope, with or without a driver that reports. */
Test(signature, takes_the_scope_from_breadcrumbs)
{
    struct hang told = shadows, untold = shadows;
    told.op = untold.op = 6;
    untold.is_unsaid = true;
    annot_signature a = signature_of(told), b = signature_of(untold);
    cr_assert_str_eq(a.id, b.id, "%s and %s", a.title, b.title);
    cr_assert_eq(b.quality, ANNOT_SIGNATURE_FULL);
}

/* FLEET.md: breadcrumbs decide the scope where they can be counted against the markers; otherwise
 * the oldest unfinished scope does. */
Test(signature, keeps_the_drivers_scope_where_breadcrumbs_can_not_be_counted)
{
    struct hang counted = shadows, uncountable = shadows;
    counted.op = uncountable.op = 6;
    uncountable.is_uncountable = true;
    annot_signature a = signature_of(counted), b = signature_of(uncountable);
    cr_assert_str_eq(b.title, "GPU HANG: Frame # / Shadow pass / Cascade #, Dispatch");
    cr_assert_str_eq(a.id, b.id);
}

static void put_list_crumbs(struct dump *dump, uint32_t bundle, uint64_t log, const uint8_t *ops,
                            uint32_t count, uint32_t done)
{
    const struct annot__dump_CRUMBS crumbs = {.queue = QUEUE_OBJECT,
                                              .submission = 1,
                                              .bundle = bundle,
                                              .log = log,
                                              .count = count,
                                              .done = done,
                                              .markers = 2};
    const struct annot__dump_OPS fields = {.log = log};
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump, &crumbs, NULL, 0);
    dump_put_OPS(dump, &fields, ops, count);
}

/* A list "Pass" that calls a bundle "Casters"; breadcrumbs as given, and no driver that reports. */
static annot_signature of_bundle(uint32_t list_done, uint32_t bundle_done)
{
    static const uint8_t list_ops[] = {1, 16, 2}, bundle_ops[] = {1, 6, 2};
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, LIST_OBJECT);
    const uint64_t pass = dump_begin(&dump, "Pass");
    const struct annot__dump_BUNDLE bundle = {
        .parent = pass, .recording = 2, .object = 101, .ordinal = 1};
    dump_put_BUNDLE(&dump, &bundle, NULL, 0);
    dump_end(&dump);
    dump_recording(&dump, 2, 101);
    dump_begin(&dump, "Casters");
    dump_end(&dump);
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    put_list_crumbs(&dump, 0, 77, list_ops, 3, list_done);
    put_list_crumbs(&dump, 1, 78, bundle_ops, 3, bundle_done);
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

Test(signature, goes_into_a_bundle_by_its_breadcrumbs)
{
    cr_assert_str_eq(of_bundle(1, 1).title, "GPU HANG: Pass / Casters, Dispatch");
    cr_assert_str_eq(of_bundle(1, 0).title, "GPU HANG: Pass, BeginEvent Casters");
    cr_assert_str_eq(of_bundle(1, 2).title, "GPU HANG: Pass / Casters, EndEvent");
    cr_assert_str_eq(of_bundle(2, 3).title, "GPU HANG: Pass, EndEvent");
}

/* A BeginEvent that is not done is around itself: the driver that saw it started says so, too. */
Test(signature, takes_a_scope_that_is_just_beginning)
{
    annot_signature told = of_bundle(0, ANNOT_CRUMBS_NOT_BEGUN);
    cr_assert_str_eq(told.title, "GPU HANG: BeginEvent Pass");
}

Test(signature, depends_on_the_kind_of_fault)
{
    struct hang fault = shadows;
    fault.error = ERROR_PAGE_FAULT;
    fault.fault = 0x10000;
    annot_signature nothing = signature_of(fault);
    fault.fault_name = "Light grid 3";
    annot_signature alive = signature_of(fault);
    fault.range_flags = ANNOT_RANGE_FREED;
    annot_signature freed = signature_of(fault);
    fault.fault = 0x990000;
    fault.fault_name = "Light grid 4";
    annot_signature elsewhere = signature_of(fault);
    fault.fault_name = "Particle pool";
    annot_signature other = signature_of(fault);
    cr_assert_str_neq(nothing.id, alive.id);
    cr_assert_str_neq(alive.id, freed.id);
    cr_assert_str_eq(freed.id, elsewhere.id, "addresses don't count");
    cr_assert_str_neq(freed.id, other.id);
    cr_assert_str_eq(freed.title, "GPU PAGE FAULT in a freed object: Light grid #, at: Frame # / "
                                  "Shadow pass / Cascade #");
}

/* docs/FLEET.md: of the objects around the address one that lives comes before a destroyed one,
 * then the one destroyed last; `no object` when none of those listed is around it. */
Test(signature, names_the_object_that_the_fault_was_in)
{
    enum { FREED = ANNOT_RANGE_FREED };
    static const struct {
        struct annot__dump_RANGE ranges[3];
        const char *title;
    } rows[] = {
        {{{0x8000, 0x1000, 51, 0, 0, 0}, {0x11000, 0x1000, 52, 0, 0, 0}}, "GPU PAGE FAULT: Frame"},
        {{{0x8000, 0x1000, 51, 0, 0, 0}, {0x10000, 0x1, 52, 0, 0, 0}},
         "GPU PAGE FAULT in an object: Buffer B, at"},
        {{{0xf000, 0x1000, 51, 0, 0, 0},
          {0xf000, 0x1001, 52, 5, 0, FREED},
          {0x10000, 8, 53, 0, 0, 0}},
         "GPU PAGE FAULT in an object: Buffer C, at"},
        {{{0x10000, 8, 51, 0, 0, 0}, {0x10000, 8, 52, 5, 0, FREED}},
         "GPU PAGE FAULT in an object: Buffer A, at"},
        {{{0x10000, 8, 51, 7, 0, FREED},
          {0x10000, 8, 52, 5, 0, FREED},
          {0x10000, 8, 53, 6, 0, FREED}},
         "GPU PAGE FAULT in a freed object: Buffer B, at"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hang fault = shadows;
        fault.error = ERROR_PAGE_FAULT;
        fault.fault = 0x10000;
        fault.ranges = rows[i].ranges;
        fault.range_count = rows[i].ranges[2].object ? 3 : 2;
        annot_signature signature = signature_of(fault);
        fault.range_count = 0;
        cr_expect_str_neq(signature.id, signature_of(fault).id, "%zu: as if none was listed", i);
        cr_expect(strncmp(signature.title, rows[i].title, strlen(rows[i].title)) == 0, "%zu: %s", i,
                  signature.title);
    }
}

Test(signature, names_the_list_where_it_has_no_scope)
{
    annot_signature a = signature_of((struct hang){.queue_scope = "Frame 3", .list = "UI list 7"});
    annot_signature b = signature_of((struct hang){.queue_scope = "Frame 4", .list = "UI list 8"});
    annot_signature c = signature_of((struct hang){.queue_scope = "Frame 4", .list = "Post list"});
    cr_assert_str_eq(a.title, "GPU HANG: Frame # / UI list #");
    cr_assert_str_eq(a.id, b.id);
    cr_assert_str_neq(b.id, c.id);
}

/* A list of a pool is renamed for each use, and its latest name says nothing of the one that hung.
 */
Test(signature, takes_the_lists_name_of_that_recording)
{
    annot_signature a = signature_of((struct hang){.list = "UI list 7"});
    annot_signature b =
        signature_of((struct hang){.list = "In the pool", .recorded_as = "UI list 9"});
    cr_assert_str_eq(b.title, "GPU HANG: UI list #");
    cr_assert_str_eq(a.id, b.id);
    a = signature_of((struct hang){.list = "UI list 7", .is_unsaid = true});
    b = signature_of(
        (struct hang){.list = "In the pool", .recorded_as = "UI list 9", .is_unsaid = true});
    cr_assert_str_eq(b.title, "GPU HANG: Graphics queue / UI list #");
    cr_assert_str_eq(a.id, b.id);
}

Test(signature, is_weak_where_nothing_says_where_it_stopped)
{
    struct hang hang = shadows;
    hang.queue_scope = "Frame 1";
    hang.is_unsaid = true;
    annot_signature a = signature_of(hang);
    cr_assert_eq(a.quality, ANNOT_SIGNATURE_WEAK);
    cr_assert_str_eq(a.title, "GPU HANG: Frame # / Graphics queue");
    hang.ids = 50;
    hang.queue_scope = "Frame 2";
    cr_assert_str_eq(signature_of(hang).id, a.id);
    hang.queue_scope = NULL;
    cr_assert_str_eq(signature_of(hang).title, "GPU HANG: Graphics queue / Frame list");
}

static annot_signature of_row(uint32_t order_window, uint32_t inside, bool has_scope, uint32_t op)
{
    struct dump dump;
    struct annot__dump_PROGRESS row = {
        .queue = QUEUE_OBJECT, .submission = 1, .state = ANNOT_PROGRESS_STARTED, .inside = inside};
    dump_start(&dump, ERROR_HUNG, order_window);
    dump_recording(&dump, 1, LIST_OBJECT);
    if (has_scope) {
        const uint64_t id = dump_begin(&dump, "Frame"), next = dump_set(&dump, "next");
        for (int i = 0; i < 3; i++)
            dump_set(&dump, "behind");
        if (inside & ANNOT_INSIDE_STARTED)
            row.started = order_window ? next : id;
        dump_end(&dump);
    }
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(&dump, &row, NULL, 0);
    if (op) {
        const uint8_t ops[] = {1, (uint8_t)op, 0, 0, 0, 0, 2};
        const struct annot__dump_CRUMBS crumbs = {
            .queue = QUEUE_OBJECT, .submission = 1, .log = 5, .count = 7, .done = 1, .markers = 6};
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    }
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

/* docs/FLEET.md: only an operation or the innermost scope names the work. */
Test(signature, is_full_only_where_evidence_names_the_work)
{
    enum { BOTH = ANNOT_INSIDE_TRACKED };
    static const struct {
        uint32_t order_window, inside;
        bool has_scope;
        uint32_t op;
        annot_signature_quality quality;
    } rows[] = {
        {0, BOTH, true, 0, ANNOT_SIGNATURE_FULL},
        {0, BOTH, false, 0, ANNOT_SIGNATURE_WEAK_LIST},
        {0, 0, true, 0, ANNOT_SIGNATURE_WEAK_LIST},
        {0, 0, true, 6, ANNOT_SIGNATURE_FULL},
        {0, ANNOT_INSIDE_STARTED, true, 0, ANNOT_SIGNATURE_WEAK_SCOPE},
        {1, BOTH, true, 0, ANNOT_SIGNATURE_WEAK_SCOPE},
        {1, BOTH, true, 6, ANNOT_SIGNATURE_FULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const annot_signature signature =
            of_row(rows[i].order_window, rows[i].inside, rows[i].has_scope, rows[i].op);
        cr_expect_eq(signature.quality, rows[i].quality, "row %zu: %s, %s", i,
                     annot_signature_quality_text(signature.quality), signature.title);
        cr_expect_str_eq(annot_signature_quality_word(signature.quality),
                         rows[i].quality == ANNOT_SIGNATURE_FULL ? "full" : "weak");
        cr_expect(signature.id[0] != 0);
    }
}

static annot_signature of_submissions(const char *const *scopes)
{
    struct dump dump;
    const uint64_t recording = 1;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, LIST_OBJECT);
    dump_queue(&dump, QUEUE_OBJECT, 3, 1);
    for (uint64_t i = 0; i < 3; i++) {
        dump_begin(&dump, scopes[i]);
        dump_submit(&dump, i + 1, 1, &recording);
        dump_end(&dump);
    }
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

/* Neither what is finished in front of it counts nor what waits behind it. */
Test(signature, that_is_weak_is_of_the_oldest_unfinished_submission)
{
    static const char *const names[] = {"Depth", "Shadow", "Post", "Bloom", "Video"};
    for (int i = 0; i < 5; i++) {
        const char *const scopes[] = {names[i], names[(i + 1) % 5], names[(i + 2) % 5]};
        annot_signature signature = of_submissions(scopes);
        cr_assert_eq(signature.quality, ANNOT_SIGNATURE_WEAK);
        cr_assert_eq(strncmp(signature.title + 10, scopes[1], strlen(scopes[1])), 0, "%s",
                     signature.title);
    }
}

/* The queue that counts among several with work in progress is one whose breadcrumbs are at work,
 * before one at a marker, before one that has no scope, in whatever order the dump has them. */
static annot_signature of_queues(const uint64_t *queues, const uint32_t *ops,
                                 const char *const *scopes)
{
    struct dump dump;
    uint64_t started[3];
    dump_start(&dump, ERROR_HUNG, 0);
    for (uint64_t i = 0; i < 3; i++) {
        dump_recording(&dump, i + 1, LIST_OBJECT);
        started[i] = scopes[i] ? dump_begin(&dump, scopes[i]) : 0;
        if (scopes[i])
            dump_end(&dump);
    }
    for (uint64_t i = 0; i < 3; i++) {
        const uint64_t recording = i + 1;
        dump_queue(&dump, queues[i], 1, 0);
        dump_submit(&dump, 1, 1, &recording);
    }
    for (uint64_t i = 0; i < 3; i++)
        dump_row(&dump, queues[i], 1, 0, 0, STARTED, started[i], 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint64_t i = 0; i < 3; i++) {
        const uint32_t markers = scopes[i] ? 2 : 0;
        const struct annot__dump_CRUMBS crumbs = {.queue = queues[i],
                                                  .submission = 1,
                                                  .log = 70 + i,
                                                  .count = markers + 1,
                                                  .done = markers / 2,
                                                  .markers = markers + (ops[i] == 0)};
        const struct annot__dump_OPS log = {.log = 70 + i};
        const uint8_t bytes[] = {1, (uint8_t)ops[i], 2};
        const uint8_t alone = (uint8_t)ops[i];
        dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
        dump_put_OPS(&dump, &log, markers ? bytes : &alone, markers + 1);
    }
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

Test(signature, prefers_a_queue_that_is_at_work)
{
    static const char *const names[] = {"Working", "Waiting", "Idle", "Other", "More", "Last"};
    static const uint64_t queues[] = {21, 22, 23};
    for (int i = 0; i < 6; i++)
        for (int at = 0; at < 3; at++) {
            uint32_t ops[3] = {0, 0, 0};
            const char *scopes[3];
            for (int k = 0; k < 3; k++)
                scopes[k] = names[(i + 1 + k) % 6];
            ops[at] = 6;
            scopes[at] = names[i];
            annot_signature signature = of_queues(queues, ops, scopes);
            cr_assert_eq(strncmp(signature.title + 10, names[i], strlen(names[i])), 0,
                         "%s at %d: %s", names[i], at, signature.title);
        }
}

/* Two that are alike are told apart by their hash, not by their order. */
Test(signature, does_not_depend_on_the_order_of_queues)
{
    static const uint64_t queues[] = {21, 22, 23};
    static const uint32_t ops[] = {6, 6, 6};
    static const char *const names[][3] = {
        {"A", "B", "C"}, {"C", "A", "B"}, {"B", "C", "A"}, {"C", "B", "A"}};
    annot_signature first = of_queues(queues, ops, names[0]);
    for (int i = 1; i < 4; i++)
        cr_assert_str_eq(of_queues(queues, ops, names[i]).id, first.id);
}

/* The innermost scope of one queue is certain, of the other one it isn't. */
static annot_signature of_a_certain_and_an_uncertain(const char *certain, const char *uncertain)
{
    struct dump dump;
    uint64_t started[2];
    dump_start(&dump, ERROR_HUNG, 0);
    for (uint64_t i = 0; i < 2; i++) {
        dump_recording(&dump, i + 1, LIST_OBJECT);
        started[i] = dump_begin(&dump, i == 0 ? certain : uncertain);
        dump_set(&dump, "not reached");
        dump_end(&dump);
    }
    for (uint64_t i = 0; i < 2; i++) {
        const uint64_t recording = i + 1;
        dump_queue(&dump, QUEUE_OBJECT + i, 1, 0);
        dump_submit(&dump, 1, 1, &recording);
    }
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint64_t i = 0; i < 2; i++) {
        const struct annot__dump_PROGRESS row = {.queue = QUEUE_OBJECT + i,
                                                 .submission = 1,
                                                 .state = ANNOT_PROGRESS_STARTED,
                                                 .inside = i == 0 ? ANNOT_INSIDE_TRACKED
                                                                  : ANNOT_INSIDE_STARTED,
                                                 .started = started[i]};
        dump_put_PROGRESS(&dump, &row, NULL, 0);
    }
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

/* Whatever the names are, which a redacted copy doesn't have [ANN-RPT-01]. */
Test(signature, prefers_a_scope_that_is_certain)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    for (int i = 0; i < 16; i++) {
        if (i / 4 == i % 4)
            continue;
        const annot_signature signature = of_a_certain_and_an_uncertain(names[i / 4], names[i % 4]);
        cr_expect_eq(signature.quality, ANNOT_SIGNATURE_FULL, "%s", signature.title);
        cr_expect_eq(signature.title[10], names[i / 4][0], "%s", signature.title);
    }
}

/* A queue that never executed anything. */
static void expect_none_of_an_idle_queue(uint32_t error, annot_signature_quality quality)
{
    AT_END(dump_free) struct dump dump;
    dump_start(&dump, error, 0);
    dump_queue(&dump, 21, 0, 0);
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    cr_assert_eq(signature.quality, quality);
    cr_assert_str_eq(signature.id, "");
}

Test(signature, is_none_of_a_live_device)
{
    expect_none_of_an_idle_queue(ERROR_NONE, ANNOT_SIGNATURE_NO_ERROR);
}

Test(signature, is_none_where_nothing_was_unfinished)
{
    expect_none_of_an_idle_queue(ERROR_HUNG, ANNOT_SIGNATURE_NO_WORK);
}

/* A dump that was cut anywhere has none, never another one. */
Test(signature, of_a_cut_dump_is_none)
{
    AT_END(dump_free) struct dump dump;
    struct hang hang = shadows;
    hang.error = ERROR_HUNG;
    hang.op = 6;
    hang_dump_build(&dump, &hang);
    for (size_t size = 80; size < dump.size; size += 8) {
        annot_signature signature = signature_of_bytes(dump.data, size);
        cr_assert_eq(signature.quality, ANNOT_SIGNATURE_DAMAGED, "cut at %zu", size);
        cr_assert_str_eq(signature.id, "");
    }
}

/* The writer was killed behind the last byte, in front of the magic: nothing is missing. */
Test(signature, of_a_dump_without_its_magic_is_the_same)
{
    AT_END(dump_free) struct dump dump;
    struct hang hang = shadows;
    hang.error = ERROR_HUNG;
    hang_dump_build(&dump, &hang);
    memset(dump.data, 0, 8);
    cr_assert_str_eq(signature_of_bytes(dump.data, dump.size).id, signature_of(shadows).id);
}

Test(signature, of_an_application_crash_is_its_reason)
{
    annot_signature signatures[3];
    static const char *const reasons[] = {"SIGSEGV at 0x7f12", "SIGSEGV at 0x99", "SIGABRT"};
    for (int i = 0; i < 3; i++) {
        struct dump dump;
        dump_start_because(&dump, ANNOT_DEVICE_ERROR_APPLICATION, reasons[i]);
        dump_queue(&dump, 21, 0, 0);
        dump_finish(&dump);
        signatures[i] = signature_of_bytes(dump.data, dump.size);
        dump_free(&dump);
        cr_assert_eq(signatures[i].quality, ANNOT_SIGNATURE_WEAK_REASON);
    }
    cr_assert_str_eq(signatures[0].title, "APPLICATION CRASH: SIGSEGV at #");
    cr_assert_str_eq(signatures[0].id, signatures[1].id);
    cr_assert_str_neq(signatures[0].id, signatures[2].id);
}

/* ---- what a redacted dump holds ---- */

static annot_signature with_fact(uint32_t source, const char *key, const char *value)
{
    struct dump dump;
    struct annot__dump_FACT fact = {.source = source, .key_size = (uint32_t)strlen(key)};
    char text[128];
    snprintf(text, sizeof text, "%s%s", key, value);
    dump_start(&dump, ERROR_HUNG, 0);
    dump_put_FACT(&dump, &fact, text, strlen(text));
    dump_recording(&dump, 1, LIST_OBJECT);
    const uint64_t scope = dump_begin(&dump, "Frame 7");
    dump_end(&dump);
    dump_queue(&dump, QUEUE_OBJECT, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, QUEUE_OBJECT, 1, 0, 0, STARTED, scope, 0);
    dump_finish(&dump);
    annot_signature signature = signature_of_bytes(dump.data, dump.size);
    dump_free(&dump);
    return signature;
}

Test(signature, of_a_redacted_dump_is_the_stored_one)
{
    static const char id[] = "v1-0123456789abcdef";
    annot_signature stored = with_fact(ANNOT_FACT_LIBRARY, "annot.signature.v1", id);
    cr_assert(stored.is_redacted);
    cr_assert_str_eq(stored.id, id);
    cr_assert_eq(stored.quality, ANNOT_SIGNATURE_FULL);
    annot_signature forged = with_fact(ANNOT_FACT_DEVICE, "annot.signature.v1", id);
    cr_assert(!forged.is_redacted);
    cr_assert_str_neq(forged.id, id);
    static const char *const wrong[] = {"v1-0123456789abcdeg", "v2-0123456789abcdef", "v1-", "",
                                        "v1-0123456789ABCDEF", "v1-0123456789abcdef0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        annot_signature bad = with_fact(ANNOT_FACT_LIBRARY, "annot.signature.v1", wrong[i]);
        cr_assert_str_eq(bad.id, "");
        cr_assert(bad.is_redacted);
    }
}
