/* The kind of failure that a dump shows, how sure it is, and which evidence the dump has
 * [ANN-TRUTH-08]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>
#include <annot/hang.h>

TestSuite(failure, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, BUFFER = 41, FENCE = 51, DISPATCH = 6, AT = 0x8000 };
enum { LIST_STARTED = 1, LIST_WAITS = 2, LIST_UNKNOWN = 3 };
enum { ADDRESSES = ANNOT_SOURCE_ADDRESSES, CRUMBS = ANNOT_SOURCE_BREADCRUMBS };

struct row {
    uint32_t error, list;
    const char *reason, *key, *value; /* of a fact */
    uint64_t range;                   /* begin of a buffer of 256 bytes; the fault is at AT */
    uint32_t range_flags;
    uint32_t operations; /* behind the one that is not done, which breadcrumbs count to */
    bool is_counted, has_wait;
    const char *kind;
    uint32_t certainty, has; /* sources that are there, among others */
};

static void put_evidence(struct dump *dump, const struct row *row)
{
    static const uint8_t ops[] = {DISPATCH, DISPATCH, DISPATCH};
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    if (row->error == ERROR_PAGE_FAULT)
        dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = AT}, NULL, 0);
    if (row->has_wait)
        dump_add(dump, WAIT, .queue = QUEUE, .submission = 1, .fence = FENCE, .value = 7,
                 .certain = 1);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    if (row->is_counted) {
        dump_add(dump, CRUMBS, .queue = QUEUE, .submission = 1, .log = 1,
                 .count = 2 + row->operations, .done = 1);
        dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 1}, ops, 2 + row->operations);
    }
    if (row->range)
        dump_add(dump, RANGE, .address = row->range, .size = 256, .object = BUFFER,
                 .flags = row->range_flags);
}

static void build(struct dump *dump, const struct row *row)
{
    static const uint32_t states[] = {0, STARTED, NOT_STARTED, NOT_SAID};
    dump_start_because(dump, row->error, row->reason ? row->reason : "");
    dump_fact(dump, 3, row->key, row->value);
    dump_object(dump, QUEUE, 19, "Graphics");
    if (row->list != 0) {
        dump_recording(dump, 1, 100);
        dump_submitted(dump);
        dump_row(dump, QUEUE, 1, 0, 0, states[row->list], 0, 0);
    }
    put_evidence(dump, row);
    dump_finish(dump);
}

enum { UNSURE = ANNOT_CERTAINTY_UNKNOWN, LIKELY, CERTAIN };

#define FAULT ERROR_PAGE_FAULT
#define HANG  ERROR_HUNG
#define LOST  0x88000000u

static const struct row rows[] = {
    {0, LIST_STARTED, .kind = "none", .certainty = CERTAIN},
    {FAULT, .range = AT - 16, .range_flags = 1, .kind = "fault_freed", .certainty = CERTAIN,
     .has = ADDRESSES},
    {FAULT, .range = AT, .kind = "fault_live", .certainty = CERTAIN, .has = ADDRESSES},
    {FAULT, .range = AT - 256, .kind = "fault_beyond", .certainty = LIKELY, .has = ADDRESSES},
    {FAULT, .range = (uint64_t)AT * 1000, .kind = "fault_nowhere", .certainty = LIKELY,
     .has = ADDRESSES},
    {FAULT, LIST_STARTED, .kind = "fault", .certainty = CERTAIN},
    {HANG, LIST_STARTED, .is_counted = true, .kind = "hang_operation", .certainty = CERTAIN,
     .has = CRUMBS},
    {HANG, LIST_STARTED, .is_counted = true, .operations = 1, .kind = "hang_operation",
     .certainty = LIKELY, .has = CRUMBS},
    {HANG, LIST_STARTED, .kind = "hang_queue", .certainty = CERTAIN},
    {HANG, LIST_UNKNOWN, .kind = "hang_queue", .certainty = LIKELY},
    {HANG, .kind = "hang", .certainty = UNSURE},
    {HANG, LIST_WAITS, .has_wait = true, .kind = "deadlock", .certainty = LIKELY,
     .has = ANNOT_SOURCE_WAITS},
    {HANG, LIST_STARTED, .has_wait = true, .kind = "hang_queue", .certainty = CERTAIN,
     .has = ANNOT_SOURCE_WAITS},
    {LOST, LIST_STARTED, .key = ANNOT_FACT_SLOW, .value = "3 s", .kind = "slow",
     .certainty = CERTAIN},
    {LOST, LIST_STARTED, .key = ANNOT_FACT_RESET_OF, .value = "another process, pid 17",
     .kind = "reset", .certainty = CERTAIN, .has = ANNOT_SOURCE_KERNEL},
    {LOST, .reason = ANNOT_REASON_REFUSED ": a call", .kind = "refused", .certainty = CERTAIN},
    {LOST, .key = "removed", .value = "DXGI_ERROR_INVALID_CALL (0x887a0001)", .kind = "refused",
     .certainty = CERTAIN},
    {(uint32_t)ANNOT_DEVICE_ERROR_APPLICATION, .kind = "application", .certainty = CERTAIN},
    {LOST, LIST_STARTED, .key = "message.1", .value = "error", .kind = "lost", .certainty = UNSURE,
     .has = ANNOT_SOURCE_MESSAGES},
};

Test(failure, has_a_kind_a_certainty_and_its_evidence)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump;
        annot_reader_hang hang;
        char line[256];
        build(&dump, &rows[i]);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_get_hang(reader, &hang);
        cr_expect_str_eq(annot_failure_word(hang.failure), rows[i].kind, "row %zu", i);
        cr_expect_eq(hang.certainty, rows[i].certainty, "row %zu: %u", i, hang.certainty);
        const uint32_t mine =
            ADDRESSES | CRUMBS | ANNOT_SOURCE_WAITS | ANNOT_SOURCE_KERNEL | ANNOT_SOURCE_MESSAGES;
        cr_expect_eq(hang.available & mine, rows[i].has, "row %zu: %x", i, hang.available);
        cr_expect_eq(hang.cut_sources, 0, "row %zu", i);
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        AT_END(at_end_free) char *json = report_of(reader, true, NULL);
        snprintf(line, sizeof line, "\n  kind         %s: ", rows[i].kind);
        cr_expect_eq(strstr(text, line) != NULL, rows[i].error != 0, "row %zu: %s", i, text);
        snprintf(line, sizeof line, "\"failure\":{\"kind\":\"%s\",", rows[i].kind);
        cr_expect(strstr(json, line), "row %zu: %s", i, json);
    }
}

/* What a dump lacks may have been in the part that is lost. */
Test(failure, of_a_dump_without_its_end_is_never_certain)
{
    const struct row row = {HANG, LIST_STARTED, .is_counted = true};
    AT_END(dump_free) struct dump dump;
    annot_reader_hang hang;
    build(&dump, &row);
    dump.size -= 40;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_get_hang(reader, &hang);
    cr_expect_eq(hang.failure, ANNOT_FAILURE_HANG_OPERATION);
    cr_expect_eq(hang.certainty, LIKELY);
    cr_expect(hang.cut_sources & ADDRESSES && !(hang.cut_sources & CRUMBS));
    cr_expect_str_eq(annot_failure_word(999), "lost");
}
