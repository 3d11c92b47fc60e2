/* What a damaged section says is marked or not taken in, and a stream that may have lost records is
 * damaged [docs/DUMP_FORMAT.md, ANN-CRASH-02]: the model as the reader makes it, before anything is
 * concluded from it. */
#include "dump_model.h"

TestSuite(dump_marks, .fini = guarded_expect_nothing_left);

/* ---- records of a damaged section ---- */

#define PUT(NAME, ...)                                                                             \
    static void put_##NAME(struct dump *d)                                                         \
    {                                                                                              \
        dump_put_##NAME(d, &(struct annot__dump_##NAME)__VA_ARGS__, NULL, 0);                      \
    }
PUT(DEVICE, {.error = 7, .order_window = 4, .promises = 3})
PUT(PROGRESS, {.queue = 21})
PUT(CRUMBS, {.queue = 21})
PUT(CLOCK, {.gpu = 1, .cpu = 1})
PUT(SUBMITTED, {.queue = 21})
PUT(HISTORY, {.queue = 21})
PUT(TIMES, {.forgotten = 5})
PUT(TDR, {.type = 1})
PUT(RECORDING, {.id = 2})
PUT(SET, {.event_id = 0x10})
PUT(OPERATION, {.number = 3})
PUT(SUBMISSION, {.serial = 1})

static bool is_device_marked(const annot_reader *reader)
{
    cr_expect(reader->has_device && reader->device.error == 7);
    cr_expect_eq(reader->order_window, (reader->promises ? 4 : ANNOT_ORDER_UNKNOWN));
    return reader->promises != 3;
}

static bool is_row_marked(const annot_reader *reader)
{
    return reader->rows[0].is_damaged;
}

static bool are_crumbs_marked(const annot_reader *reader)
{
    return reader->crumbs[0].is_damaged;
}

static bool is_clock_out(const annot_reader *reader)
{
    return reader->clock_count == 0;
}

static bool are_times_marked(const annot_reader *reader)
{
    return reader->submitted[0].is_damaged;
}

static bool is_history_marked(const annot_reader *reader)
{
    return reader->histories[0].is_damaged;
}

static bool is_count_out(const annot_reader *reader)
{
    return reader->times_forgotten != 5;
}

static bool is_tdr_out(const annot_reader *reader)
{
    return !reader->tdr.is_there;
}

static bool is_last_stream_damaged(const annot_reader *reader)
{
    return reader->streams[reader->stream_count - 1].is_damaged;
}

static const struct {
    const char *name;
    void (*put)(struct dump *dump);
    bool (*is_marked)(const annot_reader *reader);
    uint32_t section;
} records[] = {
    {"DEVICE", put_DEVICE, is_device_marked, ANNOT__DUMP_SECTION_ABOUT},
    {"PROGRESS", put_PROGRESS, is_row_marked, ANNOT__DUMP_SECTION_EVIDENCE},
    {"CRUMBS", put_CRUMBS, are_crumbs_marked, ANNOT__DUMP_SECTION_CRUMBS},
    {"CLOCK", put_CLOCK, is_clock_out, ANNOT__DUMP_SECTION_HISTORY},
    {"SUBMITTED", put_SUBMITTED, are_times_marked, ANNOT__DUMP_SECTION_HISTORY},
    {"HISTORY", put_HISTORY, is_history_marked, ANNOT__DUMP_SECTION_HISTORY},
    {"TIMES", put_TIMES, is_count_out, ANNOT__DUMP_SECTION_HISTORY},
    {"TDR", put_TDR, is_tdr_out, ANNOT__DUMP_SECTION_TDR},
    {"RECORDING", put_RECORDING, is_last_stream_damaged, ANNOT__DUMP_SECTION_LISTS},
    {"SET", put_SET, is_last_stream_damaged, ANNOT__DUMP_SECTION_LISTS},
    {"OPERATION", put_OPERATION, is_last_stream_damaged, ANNOT__DUMP_SECTION_LISTS},
    {"SUBMISSION", put_SUBMISSION, is_last_stream_damaged, ANNOT__DUMP_SECTION_QUEUES},
};

/* A section without a DEVICE, a list or a queue, and a section with the record, whose hash may be
 * wrong. */
Test(dump_marks, what_a_damaged_section_says_is_marked_or_left_out)
{
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        for (unsigned is_damaged = 0; is_damaged < 2; is_damaged++) {
            struct dump dump = dump_started(ERROR_NONE, 0);
            dump.size = ANNOT__DUMP_HEADER_SIZE; /* the builder's own records go */
            dump.section = dump.index = 0;
            dump.records = 0;
            if (records[i].section == ANNOT__DUMP_SECTION_QUEUES)
                dump_queue(&dump, 21, 1, 0);
            else
                dump_recording(&dump, 1, 100);
            dump_new_section(&dump, records[i].section);
            const size_t hash = dump.section + 24;
            records[i].put(&dump);
            dump_finish(&dump);
            dump.data[hash] ^= (uint8_t)is_damaged;
            annot_reader *reader = model_of(&dump);
            cr_expect_eq(MODEL_FOUND(reader, SECTION_HASH), is_damaged);
            cr_expect_eq(records[i].is_marked(reader), is_damaged, "%s", records[i].name);
            cr_expect_eq(reader->streams[0].is_damaged,
                         is_damaged && records[i].is_marked == is_last_stream_damaged &&
                             records[i].put != put_RECORDING,
                         "%s", records[i].name);
            model_done(reader, &dump);
        }
}

/* ---- what lies between the sections of a stream ---- */

enum between {
    NOTHING,
    OTHER_KIND,         /* a section of another kind: the stream is over */
    DAMAGED_OTHER_KIND, /* its kind may be damaged, and its marker the stream's */
    UNKNOWN,
    DAMAGED_UNKNOWN,
    BYTES,  /* of no section */
    BROKEN, /* a record that reaches past its section */
    BETWEENS
};

static const struct {
    bool is_damaged;
    uint32_t markers, orphans;
} expected[BETWEENS] = {[NOTHING] = {false, 2, 0},
                        [OTHER_KIND] = {false, 0, 2},
                        [DAMAGED_OTHER_KIND] = {true, 1, 1},
                        [UNKNOWN] = {false, 1, 0},
                        [DAMAGED_UNKNOWN] = {true, 0, 1},
                        [BYTES] = {true, 1, 1},
                        [BROKEN] = {true, 1, 1}};

static size_t put_between(struct dump *dump, enum between what)
{
    if (what == OTHER_KIND || what == DAMAGED_OTHER_KIND)
        dump_new_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    if (what == UNKNOWN || what == DAMAGED_UNKNOWN)
        dump_new_section(dump, 77);
    const size_t hash = dump->section + 24;
    put_SET(dump);
    if (what == BROKEN) {
        const size_t record = dump->size;
        put_SET(dump);
        dump->data[record + 7] = 1; /* of the bytes that it claims */
    }
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    return hash;
}

Test(dump_marks, a_stream_ends_where_its_records_may_be_lost)
{
    for (enum between what = NOTHING; what < BETWEENS; what++) {
        struct dump dump = dump_started(ERROR_NONE, 0);
        dump_recording(&dump, 1, 100);
        const size_t hash = put_between(&dump, what), next = dump.section;
        dump_put_SET(&dump, &(struct annot__dump_SET){.event_id = 0x20}, NULL, 0);
        dump_recording(&dump, 2, 100);
        dump_finish(&dump);
        if (what == DAMAGED_OTHER_KIND || what == DAMAGED_UNKNOWN)
            dump.data[hash] ^= 1;
        if (what == BYTES) {
            struct dump moved = {.size = dump.size + 8};
            moved.data = malloc(moved.size);
            memcpy(moved.data, dump.data, next);
            memset(moved.data + next, 'x', 8);
            memcpy(moved.data + next + 8, dump.data + next, dump.size - next);
            dump_free(&dump);
            dump = moved;
        }
        annot_reader *reader = model_of(&dump);
        cr_assert_eq(reader->stream_count, 2);
        cr_expect_eq(reader->streams[0].is_damaged, expected[what].is_damaged, "%d", what);
        cr_expect_eq(reader->streams[0].entries.count, expected[what].markers, "%d", what);
        cr_expect_eq(MODEL_FOUND(reader, RECORD_ORPHAN), expected[what].orphans);
        cr_expect_not(reader->streams[1].is_damaged, "%d", what);
        model_done(reader, &dump);
    }
}

/* The last stream of a dump without an END record may have had more. */
Test(dump_marks, the_last_stream_of_a_dump_without_an_end_is_damaged)
{
    for (int has_end = 0; has_end < 2; has_end++) {
        struct dump dump = dump_started(ERROR_NONE, 0);
        dump_recording(&dump, 1, 100);
        dump_recording(&dump, 2, 100);
        const size_t size = dump.size;
        dump_finish(&dump);
        dump.size = has_end ? dump.size : size;
        annot_reader *reader = model_of(&dump);
        cr_expect_not(reader->streams[0].is_damaged);
        cr_expect_eq(reader->streams[1].is_damaged, !has_end);
        model_done(reader, &dump);
    }
}

/* ---- clocks ---- */

/* Neither goes back: a pair that does is left out. */
Test(dump_marks, clocks_go_on)
{
    static const struct {
        uint64_t gpu, cpu;
        bool is_kept;
    } pairs[] = {{5, 7, true},  {4, 9, false}, {9, 6, false},   {5, 7, true},
                 {4, 9, false}, {9, 6, false}, {4, 6, false},   {6, 7, true},
                 {6, 8, true},  {5, 8, false}, {6, 7, false},   {9, 9, true},
                 {0, 0, false}, {9, 99, true}, {99, 98, false}, {99, 99, true}};
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    struct dump dump = dump_started(ERROR_NONE, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
    for (size_t i = 0; i < PAIRS; i++)
        dump_put_CLOCK(&dump, &(struct annot__dump_CLOCK){pairs[i].gpu, pairs[i].cpu, i}, NULL, 0);
    annot_reader *reader = model_of(&dump);
    uint32_t kept = 0;
    for (size_t i = 0; i < PAIRS; i++)
        if (pairs[i].is_kept && kept < reader->clock_count)
            cr_expect_eq(reader->clocks[kept++].frequency, i);
    cr_expect_eq(reader->clock_count, kept);
    cr_expect_eq(kept, 7);
    model_done(reader, &dump);
}
