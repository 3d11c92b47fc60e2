/* Rules of a dump's records: serials ascend, scopes end from the inside out. Nothing is claimed of
 * records that break them [ANN-CRASH-02, ANN-SEC-04]. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { QUEUE = 21 };

static annot_state state_at(const annot_reader *reader, uint32_t index)
{
    annot_reader_execution execution = dump_execution_at(reader, index);
    return execution.state;
}

/* Two submissions of one serial can't be told apart: a row or a fence would speak of both. */
Test(dump_order, serials_of_a_queue_ascend)
{
    static const struct {
        uint64_t first, second;
        bool is_odd;
    } serials[] = {{4, 5, false}, {5, 5, true}, {5, 4, true}, {1, 9, false}};
    for (size_t i = 0; i < sizeof serials / sizeof *serials; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 9, 0);
        dump_submit(&dump, serials[i].first, 1, (uint64_t[]){1});
        dump_submit(&dump, serials[i].second, 1, (uint64_t[]){1});
        dump_row(&dump, QUEUE, serials[i].second, 0, 0, FINISHED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_SUBMISSION_ORDER), serials[i].is_odd, "%zu",
                     i);
        cr_expect_eq(state_at(reader, 1),
                     serials[i].is_odd ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_FINISHED, "%zu", i);
    }
}

static const uint64_t outer_id = 0x500000010, inner_id = 0x500000020, behind_id = 0x500000030;

static void put_begin(struct dump *dump, uint64_t id, uint64_t parent, bool is_closed)
{
    dump_add(dump, BEGIN, .event_id = id, .parent = parent,
             .flags = is_closed ? ANNOT__DUMP_MARKER_CLOSED : 0);
}

/* A marker that lies outside a scope, and so behind it, needs the scope's End before it. */
Test(dump_order, a_scope_that_was_left_has_an_end)
{
    for (int is_closed = 0; is_closed < 2; is_closed++)
        for (int is_open = 0; is_open < 2; is_open++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_NONE, 0);
            dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
            dump_add(&dump, RECORDING, .id = 1, .object = 100, .open = (uint32_t)is_open);
            put_begin(&dump, outer_id, 0, is_closed);
            dump_add(&dump, SET, .event_id = behind_id, .parent = 0);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            /* of a list that still records, the flag may be older than the marker */
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_SCOPE_ORDER), !is_closed && !is_open,
                         "closed %d, open %d", is_closed, is_open);
        }
}

/* At a recording's end, a scope with an End has none without one inside. */
Test(dump_order, a_scope_ends_before_the_one_around_it)
{
    for (int outer = 0; outer < 2; outer++)
        for (int inner = 0; inner < 2; inner++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_NONE, 0);
            dump_recording(&dump, 1, 100);
            put_begin(&dump, outer_id, 0, outer);
            put_begin(&dump, inner_id, outer_id, inner);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_SCOPE_ORDER), outer && !inner,
                         "outer %d, inner %d", outer, inner);
            annot_reader_entry entry;
            cr_assert(
                annot_reader_entry_at(reader, annot_reader_entry_find(reader, outer_id), &entry));
            cr_expect_eq(entry.is_closed, outer, "outer %d, inner %d", outer, inner);
        }
}

/* As many surplus Ends as there are records of them, when the recording says less. */
Test(dump_order, surplus_ends_are_at_least_those_that_are_there)
{
    for (uint32_t said = 0; said <= 4; said += 2) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_NONE, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(&dump, RECORDING, .id = 1, .object = 100, .surplus_ends = said);
        dump.depth = 0;
        for (int i = 0; i < 3; i++)
            dump_end(&dump);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stream stream = dump_stream_at(reader, 0);
        cr_expect_eq(stream.surplus_ends, said > 3 ? said : 3);
    }
}
