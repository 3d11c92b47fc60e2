/* Lists, queues and what they refer to, as the reader takes them in: what belongs to nothing is
 * told and left out, and what can't be is no part of the model [docs/DUMP_FORMAT.md, ANN-CRASH-02].
 */
#include "dump_model.h"

TestSuite(dump_streams, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, OTHER_QUEUE = 20 };

static struct dump started(void)
{
    struct dump dump = dump_started(ERROR_NONE, 0);
    return dump;
}

static void put_set(struct dump *dump, uint64_t event, uint64_t parent)
{
    dump_put_SET(dump, &(struct annot__dump_SET){.event_id = event, .parent = parent}, NULL, 0);
}

static void put_begin(struct dump *dump, uint64_t event, uint64_t parent, bool is_closed)
{
    dump_add(dump, BEGIN, .event_id = event, .parent = parent,
             .flags = is_closed ? ANNOT__DUMP_MARKER_CLOSED : 0);
}

static void put_surplus_end(struct dump *dump, uint64_t parent)
{
    dump_put_SURPLUS_END(dump, &(struct annot__dump_SURPLUS_END){parent}, NULL, 0);
}

/* ---- records without a list or queue ---- */

Test(dump_streams, records_without_a_list_or_queue_are_told_and_left_out)
{
    struct dump dump = started();
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    put_begin(&dump, 1, 0, true);
    put_set(&dump, 2, 0);
    put_surplus_end(&dump, 0);
    dump_bundle(&dump, 1, 5, 100);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_put_OPERATION(&dump, &(struct annot__dump_OPERATION){0}, NULL, 0);
    dump_put_NAME(&dump, &(struct annot__dump_NAME){4, 0, 1}, "name", 4);
    annot_reader *reader = model_of(&dump);
    cr_expect_eq(MODEL_FOUND(reader, RECORD_ORPHAN), 6, "a name says nothing without one");
    cr_expect(reader->entry_count == 0 && reader->bundle_count == 0 && reader->surplus_count == 0);
    cr_expect_eqs(reader->submission_count, 0, reader->execution_count, 0);
    cr_expect_eqs(reader->operation_count, 0, reader->called_count, 0);
    model_done(reader, &dump);
}

/* Lists submit nothing, and bundles are executed by lists. */
Test(dump_streams, a_list_has_no_submissions_and_a_queue_no_bundles)
{
    struct dump dump = started();
    dump_recording(&dump, 1, 100);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_queue(&dump, QUEUE, 3, 0);
    dump_bundle(&dump, 1, 1, 100);
    dump_submit(&dump, 3, 2, (uint64_t[]){1, 0});
    dump_submit(&dump, 4, 0, NULL);
    annot_reader *reader = model_of(&dump);
    cr_expect_eq(MODEL_FOUND(reader, RECORD_ORPHAN), 1);
    cr_expect_eq(reader->submission_count, 2);
    cr_expect_eq(reader->bundle_count, 0);
    cr_expect_eq(MODEL_FOUND(reader, RECORDING_MISSING), 0, "recording 0 is none");
    cr_expect_eq(reader->streams[1].operations, 0, "no markers");
    cr_expect_eq(reader->streams[1].executions, 2);
    cr_expect_eq(reader->streams[0].executions, 1);
    cr_expect_eq(reader->streams[0].submissions.count, 0);
    model_done(reader, &dump);
}

/* ---- lists of a submission ---- */

Test(dump_streams, a_submission_has_the_lists_that_are_there_and_said)
{
    static const uint64_t lists[2 * 4] = {0, 100, 0, 101, 0, 102, 0, 103};
    static const struct {
        uint32_t said;
        size_t bytes;
        uint32_t lists;
    } rows[] = {{0, 64, 0}, {3, 64, 3}, {4, 64, 4}, {5, 64, 4}, {4, 63, 3}, {4, 0, 0}, {3, 48, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dump dump = started();
        dump_queue(&dump, QUEUE, 1, 0);
        dump_add_with(&dump, SUBMISSION, lists, rows[i].bytes, .serial = 1, .count = rows[i].said);
        annot_reader *reader = model_of(&dump);
        const bool is_cut = rows[i].lists < rows[i].said;
        cr_expect_eq(reader->execution_count, rows[i].lists, "row %zu", i);
        cr_expect_eq(reader->submissions[0].is_cut, is_cut, "row %zu", i);
        cr_expect_eq(MODEL_FOUND(reader, SUBMISSION_CUT), is_cut, "row %zu", i);
        for (uint32_t k = 0; k < rows[i].lists; k++)
            cr_expect_eq(reader->executions[k].object, 100 + k);
        model_done(reader, &dump);
    }
}

/* ---- names ---- */

Test(dump_streams, a_list_is_called_as_its_last_name_says_in_whatever_field)
{
    for (uint32_t size = 3; size <= 5; size++) {
        struct dump dump = started();
        dump_recording(&dump, 1, 100);
        dump_put_NAME(&dump, &(struct annot__dump_NAME){size, 0, 0}, "list", 4);
        annot_reader *reader = model_of(&dump);
        const struct annot__stream *list = &reader->streams[0];
        cr_expect(list->has_name && list->name.size == 4 && !memcmp(list->name.data, "list", 4));
        cr_expect_eq(list->is_name_cut, size > 4);
        cr_expect_eq(reader->called_count, 0);
        model_done(reader, &dump);
    }
}

/* ---- scopes ---- */

/* O(log depth) jumps and steps lead from any depth to any scope outside. */
Test(dump_streams, scopes_outside_are_few_jumps_away)
{
    enum { DEPTH = 4096, MOST = 3 * 12 };
    struct dump dump = started();
    dump_recording(&dump, 1, 100);
    for (uint64_t i = 1; i <= DEPTH; i++)
        put_begin(&dump, 0x100000000 + i, i == 1 ? 0 : 0xFFFFFFFF + i, false);
    annot_reader *reader = model_of(&dump);
    const struct annot__entry *entries = reader->entries;
    cr_assert_eq(entries[DEPTH - 1].depth, DEPTH - 1);
    for (uint32_t from = 0; from < DEPTH; from += 77)
        for (uint32_t to = 0; to <= from; to += 13) {
            uint32_t at = from, steps = 0;
            for (; at != to; steps++) {
                const uint32_t jump = entries[at].scope.jump;
                cr_assert(jump <= at);
                at = jump >= to && jump < at ? jump : entries[at].parent;
            }
            cr_assert_leq(steps, MOST, "%u steps from %u to %u", steps, from, to);
        }
    model_done(reader, &dump);
}

/* ---- bundles ---- */

/* Ordinals grow; a call whose ordinal doesn't, or whose recording is a list that executes bundles
 * itself, executes nothing that is known. */
Test(dump_streams, bundle_calls_that_cannot_be_lead_nowhere)
{
    struct dump dump = started();
    dump_recording(&dump, 1, 100);
    const uint64_t nested = dump.size;
    dump_bundle(&dump, 1, 2, 101);
    dump_bundle(&dump, 2, 3, 102);
    dump_bundle(&dump, 2, 3, 102);
    dump_bundle(&dump, 3, 0, 103);
    const uint64_t missing = dump.size;
    dump_bundle(&dump, 4, 77, 104);
    dump_recording(&dump, 2, 101);
    dump_bundle(&dump, 1, 3, 102);
    dump_recording(&dump, 3, 102);
    annot_reader *reader = model_of(&dump);
    static const uint32_t links[] = {ANNOT__NONE, 2, ANNOT__NONE, ANNOT__NONE, ANNOT__NONE, 2};
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eqs(reader->entries[i].leaf.link, links[i], annot__entry_event_id(reader, i), 0,
                      "call %u", i);
    cr_expect_eq(reader->bundle_count, 5);
    cr_expect(reader->streams[0].is_damaged && !reader->streams[1].is_damaged);
    cr_expect(reader->streams[1].is_bundle && reader->streams[2].is_bundle);
    const struct annot__finding_count *found = reader->findings.of;
    cr_expect_eq(found[ANNOT__FINDING_SLOT_BUNDLE_NESTED].count, 1);
    cr_expect_eq(found[ANNOT__FINDING_SLOT_BUNDLE_NESTED].offset, nested);
    cr_expect_eq(found[ANNOT__FINDING_SLOT_BUNDLE_NESTED].value, 2);
    cr_expect_eq(found[ANNOT__FINDING_SLOT_RECORDING_MISSING].count, 1);
    cr_expect_eq(found[ANNOT__FINDING_SLOT_RECORDING_MISSING].offset, missing);
    cr_expect_eq(found[ANNOT__FINDING_SLOT_RECORDING_MISSING].value, 77);
    cr_expect_eq(reader->expired, 0);
    model_done(reader, &dump);
}

/* ---- the closing record ---- */

/* It counts every record before it, those of unknown sections, too, but itself. */
Test(dump_streams, records_of_unknown_sections_are_counted_whatever_they_would_be)
{
    for (uint64_t more = 0; more < 3; more++) {
        struct dump dump = started();
        dump_new_section(&dump, 77);
        dump_record(&dump, ANNOT__DUMP_END, NULL, 0, NULL, 0);
        dump_record(&dump, 999, NULL, 0, NULL, 0);
        dump.records += more; /* the builder doesn't count the first */
        annot_reader *reader = model_of(&dump);
        cr_expect_eq(MODEL_FOUND(reader, END_MISMATCH), more != 1, "%u", (unsigned)more);
        model_done(reader, &dump);
    }
}

/* ---- identities ---- */

Test(dump_streams, identities_that_come_twice_are_told)
{
    struct dump dump = started();
    dump_object(&dump, 5, 1, "a");
    dump_object(&dump, 4, 1, "b");
    dump_object(&dump, 5, 1, "c");
    for (int i = 0; i < 3; i++)
        dump_recording(&dump, 7, 100);
    dump_queue(&dump, QUEUE, 0, 0);
    dump_queue(&dump, OTHER_QUEUE, 0, 0);
    dump_queue(&dump, QUEUE, 0, 0);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
    dump_row(&dump, OTHER_QUEUE, 1, 0, 0, STARTED, 0, 0);
    annot_reader *reader = model_of(&dump);
    cr_expect_eq(MODEL_FOUND(reader, ID_REPEATED), 4);
    cr_expect_eqs(reader->rows[0].queue, 3, reader->rows[1].queue, 4);
    model_done(reader, &dump);
}

/* 0 is no EventID, even where a record has it; 1 is one like another. */
Test(dump_streams, event_id_0_is_none)
{
    struct dump dump = started();
    annot_reader *reader = model_of(&dump);
    cr_expect_eq(annot__event_find(reader, 5), ANNOT__NONE, "there is none");
    model_done(reader, &dump);
    dump = started();
    dump_recording(&dump, 1, 100);
    put_set(&dump, 0, 0);
    put_set(&dump, 1, 0);
    dump_finish(&dump);
    reader = model_of(&dump);
    cr_expect_eq(annot__event_find(reader, 0), ANNOT__NONE);
    cr_expect_eq(annot__event_find(reader, 1), 1);
    cr_expect_eq(annot__event_find(reader, 2), ANNOT__NONE);
    cr_expect_eq(annot__operation_find(reader, ANNOT__NONE, 1), ANNOT__NONE);
    model_done(reader, &dump);
}

/* ---- payloads ---- */

Test(dump_streams, payloads_are_counted_by_what_became_of_them)
{
    enum { CLOSED = 1, BY_REFERENCE = 2, CHANGED = 4, UNREADABLE = 8 };
    for (uint32_t flags = 0; flags < 16; flags++)
        for (uint32_t said = 3; said <= 4; said++) {
            struct dump dump = started();
            dump_recording(&dump, 1, 100);
            dump_add_with(&dump, SET, "abc", 3, .event_id = 1, .size = said, .flags = flags);
            dump_put_SET(&dump, &(struct annot__dump_SET){.event_id = 2, .size = 2}, "ab", 2);
            annot_reader *reader = model_of(&dump);
            const bool is_unreadable = (flags & BY_REFERENCE) && (flags & UNREADABLE);
            const bool is_changed =
                (flags & BY_REFERENCE) && (flags & CHANGED) && !(flags & UNREADABLE);
            cr_expect_eq(reader->payloads.unreadable, is_unreadable, "flags %u", flags);
            cr_expect_eq(reader->payloads.changed, is_changed, "flags %u", flags);
            cr_expect_eq(reader->payloads.cut, said > 3 && !is_unreadable, "flags %u", flags);
            cr_expect_eq(reader->payloads.longest, 3);
            model_done(reader, &dump);
        }
}

/* ---- operations, rows, the kernel ---- */

Test(dump_streams, a_list_whose_operations_are_counted_apart_says_so)
{
    static const uint32_t apart = UINT32_C(1) << 30;
    for (uint32_t is_apart = 0; is_apart < 2; is_apart++) {
        struct dump dump = started();
        dump_recording(&dump, 1, 100);
        dump_add(&dump, OPERATION, .number = is_apart * apart);
        dump_put_OPERATION(&dump, &(struct annot__dump_OPERATION){.number = 1}, NULL, 0);
        annot_reader *reader = model_of(&dump);
        cr_expect_eq(reader->streams[0].is_counted_apart, is_apart);
        cr_expect_eq(reader->operation_count, 2);
        model_done(reader, &dump);
    }
}

/* A queue's stream begins in the middle where its oldest part made room: what lay in scopes that
 * went is in those that are left, and nothing is damaged. Where nothing made room, it is. */
Test(dump_streams, scopes_that_made_room_are_a_loss)
{
    for (uint64_t evicted = 0; evicted < 2; evicted++) {
        struct dump dump = started();
        dump_queue(&dump, QUEUE, 0, 0);
        put_begin(&dump, 0x10, 0, false);
        put_begin(&dump, 0x20, 0x10, true);
        const size_t first = dump.size;
        put_set(&dump, 0x30, 0x999);
        put_set(&dump, 0x40, 0x10);
        dump_add(&dump, LOSS, .count = evicted, .what = ANNOT_LOSS_QUEUE_MARKERS);
        annot_reader *reader = model_of(&dump);
        const struct annot__finding_count *of = reader->findings.of;
        const struct annot__finding_count *found =
            &of[evicted ? ANNOT__FINDING_SLOT_SCOPE_EVICTED : ANNOT__FINDING_SLOT_PARENT_UNKNOWN];
        cr_expect(found->count == 1 && found->offset == first && found->value == 0x999);
        cr_expect_eq(MODEL_FOUND(reader, SCOPE_EVICTED) + MODEL_FOUND(reader, PARENT_UNKNOWN), 1);
        cr_expect_eqs(reader->entries[2].parent, 0, reader->entries[3].parent, 0);
        model_done(reader, &dump);
    }
}

/* annot_finding: its place is that of the first one, be it a list's or a queue's. */
Test(dump_streams, of_scopes_that_are_missing_the_first_is_told)
{
    struct dump dump = started();
    dump_recording(&dump, 1, 100);
    const size_t first = dump.size;
    put_set(&dump, 0x30, 0x999);
    dump_queue(&dump, QUEUE, 0, 0);
    put_set(&dump, 0x40, 0x998);
    annot_reader *reader = model_of(&dump);
    const struct annot__finding_count *found =
        &reader->findings.of[ANNOT__FINDING_SLOT_PARENT_UNKNOWN];
    cr_expect(found->count == 2 && found->offset == first && found->value == 0x999);
    model_done(reader, &dump);
}
