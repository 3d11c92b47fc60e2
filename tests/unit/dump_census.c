/* Memory of a reader: each record takes what the model has of it and no more, whatever order the
 * records come in, within the limit that the caller set [annot/reader_model.h]; and numbers of
 * records that 32-bit indices can't count are refused. */
#include "dump_builder.h"
#include "unit_kit.h"

#include "dump_read/builder.h"

TestSuite(dump_census, .fini = guarded_expect_nothing_left);

/* ---- memory per record ---- */

enum { FEW = 40, LISTS = 3, OPS = 256 };

#define SIZE(member)  sizeof *((annot_reader *)0)->member
#define INDEX_ENTRY   sizeof(struct annot__index_entry)
#define EVENT(number) (UINT64_C(0x900000010) + (number))

static void put_marker(struct dump *dump, bool is_scope, uint64_t event)
{
    const struct annot__dump_BEGIN fields = {.event_id = event};
    if (is_scope)
        dump_put_BEGIN(dump, &fields, NULL, 0);
    else
        dump_put_SET(dump, (const struct annot__dump_SET *)(const void *)&fields, NULL, 0);
}

/* The n-th record of some kind. */
static void put_scope(struct dump *d, uint32_t n)
{
    put_marker(d, true, EVENT(n));
}

static void put_set(struct dump *d, uint32_t n)
{
    put_marker(d, false, EVENT(n));
}

/* Each in a chunk of its own. */
static void put_far_set(struct dump *d, uint32_t n)
{
    put_marker(d, false, EVENT((uint64_t)n << 12));
}

static void put_set_and_surplus(struct dump *d, uint32_t n)
{
    put_marker(d, false, EVENT(n));
    dump_put_SURPLUS_END(d, &(struct annot__dump_SURPLUS_END){0}, NULL, 0);
}

#define PUT(name, NAME, ...)                                                                       \
    static void put_##name(struct dump *d, uint32_t n)                                             \
    {                                                                                              \
        (void)n;                                                                                   \
        dump_put_##NAME(d, &(struct annot__dump_##NAME)__VA_ARGS__, NULL, 0);                      \
    }
PUT(kind, KIND, {.kind = n})
PUT(object, OBJECT, {.id = n})
PUT(same_object, OBJECT, {.id = 5})
PUT(shader, SHADER, {.object = n})
PUT(resource, RESOURCE, {.object = n})
PUT(fact, FACT, {0})
PUT(blob, BLOB, {.index = n})
PUT(recording, RECORDING, {.id = 2 + n})
PUT(queue, QUEUE, {.object = 1000 + n})
PUT(bundle, BUNDLE, {.ordinal = n})
PUT(name, NAME, {0})
PUT(thread, THREAD, {.thread = (uint32_t)n})
PUT(row, PROGRESS, {0})
PUT(crumbs, CRUMBS, {0})
PUT(range, RANGE, {0})
PUT(clock, CLOCK, {.gpu = n, .cpu = n})
PUT(submitted, SUBMITTED, {0})
PUT(history, HISTORY, {0})
PUT(operation, OPERATION, {.number = n})
PUT(text, TEXT, {0})
PUT(loss, LOSS, {0})

static void put_submission(struct dump *d, uint32_t n)
{
    static const uint64_t lists[2 * LISTS];
    dump_add_with(d, SUBMISSION, lists, sizeof lists, .serial = n, .count = LISTS);
}

static void put_ops(struct dump *d, uint32_t n)
{
    static const uint8_t bytes[OPS];
    dump_put_OPS(d, &(struct annot__dump_OPS){.log = n}, bytes, sizeof bytes - 1);
}

static void put_whole_block(struct dump *d, uint32_t n)
{
    static const uint8_t bytes[OPS];
    dump_put_OPS(d, &(struct annot__dump_OPS){.log = n}, bytes, sizeof bytes);
}

static const struct row {
    const char *name;
    uint32_t section;
    void (*put)(struct dump *dump, uint32_t n);
    size_t cost; /* bytes of each */
} rows[] = {
    {"TEXT", ANNOT__DUMP_SECTION_ABOUT, put_text, 0},
    {"LOSS", ANNOT__DUMP_SECTION_ABOUT, put_loss, 0},
    {"KIND", ANNOT__DUMP_SECTION_OBJECTS, put_kind, SIZE(kinds) + INDEX_ENTRY},
    {"OBJECT", ANNOT__DUMP_SECTION_OBJECTS, put_object, SIZE(objects) + INDEX_ENTRY},
    {"OBJECT of one identity", ANNOT__DUMP_SECTION_OBJECTS, put_same_object,
     SIZE(objects) + INDEX_ENTRY},
    {"SHADER", ANNOT__DUMP_SECTION_OBJECTS, put_shader, SIZE(shaders) + INDEX_ENTRY},
    {"RESOURCE", ANNOT__DUMP_SECTION_OBJECTS, put_resource, SIZE(resources) + INDEX_ENTRY},
    {"FACT", ANNOT__DUMP_SECTION_ABOUT, put_fact, SIZE(facts)},
    {"RECORDING", ANNOT__DUMP_SECTION_LISTS, put_recording, SIZE(streams) + 2 * INDEX_ENTRY},
    {"QUEUE", ANNOT__DUMP_SECTION_QUEUES, put_queue,
     SIZE(streams) + 2 * INDEX_ENTRY + SIZE(threads)},
    {"BEGIN", ANNOT__DUMP_SECTION_LISTS, put_scope, SIZE(entries) + SIZE(unclosed)},
    {"SET", ANNOT__DUMP_SECTION_LISTS, put_set, SIZE(entries)},
    {"SET of its own chunk", ANNOT__DUMP_SECTION_LISTS, put_far_set,
     SIZE(entries) + SIZE(runs) + INDEX_ENTRY},
    {"SET, SURPLUS_END", ANNOT__DUMP_SECTION_LISTS, put_set_and_surplus,
     2 * SIZE(entries) + SIZE(runs) + INDEX_ENTRY + SIZE(surplus)},
    {"BUNDLE", ANNOT__DUMP_SECTION_LISTS, put_bundle, SIZE(entries) + SIZE(bundles)},
    {"OPERATION", ANNOT__DUMP_SECTION_LISTS, put_operation, SIZE(operations)},
    {"SUBMISSION", ANNOT__DUMP_SECTION_QUEUES, put_submission,
     SIZE(entries) + SIZE(submissions) + LISTS *SIZE(executions)},
    {"NAME", ANNOT__DUMP_SECTION_QUEUES, put_name, SIZE(called)},
    {"THREAD", ANNOT__DUMP_SECTION_QUEUES, put_thread, SIZE(threads)},
    {"PROGRESS", ANNOT__DUMP_SECTION_EVIDENCE, put_row, SIZE(rows)},
    {"BLOB", ANNOT__DUMP_SECTION_EVIDENCE, put_blob, SIZE(blobs) + SIZE(pieces)},
    {"CRUMBS", ANNOT__DUMP_SECTION_CRUMBS, put_crumbs, SIZE(crumbs) + INDEX_ENTRY},
    {"OPS", ANNOT__DUMP_SECTION_CRUMBS, put_ops, SIZE(ops) + INDEX_ENTRY + SIZE(op_sums)},
    {"OPS of a whole block", ANNOT__DUMP_SECTION_CRUMBS, put_whole_block,
     SIZE(ops) + INDEX_ENTRY + 2 * SIZE(op_sums)},
    {"RANGE", ANNOT__DUMP_SECTION_CRUMBS, put_range, SIZE(ranges)},
    {"CLOCK", ANNOT__DUMP_SECTION_HISTORY, put_clock, SIZE(clocks)},
    {"SUBMITTED", ANNOT__DUMP_SECTION_HISTORY, put_submitted, SIZE(submitted)},
    {"HISTORY", ANNOT__DUMP_SECTION_HISTORY, put_history, SIZE(histories)},
};

enum order { ASCENDING, DESCENDING };

/* A list with a marker, then a queue when the records are of queues, then `count` records. */
static struct dump dump_of(const struct row *row, uint32_t count, enum order order)
{
    struct dump dump = dump_started(ERROR_NONE, 0);
    dump_recording(&dump, 1, 100);
    put_marker(&dump, false, 0x100000010);
    if (row->section == ANNOT__DUMP_SECTION_QUEUES)
        dump_queue(&dump, 1000, 0, 0);
    dump_section(&dump, row->section);
    for (uint32_t i = 0; i < count; i++)
        row->put(&dump, 1 + (order == ASCENDING ? i : count - 1 - i));
    dump_finish(&dump);
    return dump;
}

/* The bytes that the model of a dump takes. */
static uint64_t memory_of(const struct dump *dump, uint64_t limit, annot_result expected)
{
    const annot_reader_desc desc = {.allocator = guarded_memory.allocator, .memory_limit = limit};
    uint64_t file_limit;
    annot_reader *reader;
    cr_assert_eq(annot__reader_create(&desc, &reader, &file_limit), ANNOT_OK);
    reader->file = (struct annot__bytes){dump->data, dump->size};
    cr_expect_eq(annot__read_model(reader), expected, "limit %u", (unsigned)limit);
    const uint64_t used = reader->memory_used;
    annot__reader_destroy(reader);
    return used;
}

Test(dump_census, each_record_takes_what_the_model_has_of_it)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free)
        struct dump few = dump_of(&rows[i], FEW, ASCENDING),
                    many = dump_of(&rows[i], 3 * FEW, ASCENDING);
        const uint64_t first = memory_of(&few, 0, ANNOT_OK), second = memory_of(&many, 0, ANNOT_OK);
        cr_expect_eq(second - first, 2 * FEW * rows[i].cost, "%s: %llu bytes for %d, %zu each",
                     rows[i].name, (unsigned long long)(second - first), 2 * FEW, rows[i].cost);
        memory_of(&few, first, ANNOT_OK);
        memory_of(&few, first - 1, ANNOT_ERROR_TOO_LARGE);
    }
}

/* What sorting takes is given back. */
Test(dump_census, the_order_of_records_takes_no_memory)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].put == put_scope || rows[i].put == put_set ||
            rows[i].put == put_set_and_surplus)
            continue; /* EventIDs that descend are of other chunks */
        struct dump up = dump_of(&rows[i], FEW, ASCENDING),
                    down = dump_of(&rows[i], FEW, DESCENDING);
        cr_expect_eq(memory_of(&up, 0, ANNOT_OK), memory_of(&down, 0, ANNOT_OK), "%s",
                     rows[i].name);
        dump_free(&up);
        dump_free(&down);
    }
}

/* ---- numbers ---- */

/* Positions take at most eight numbers for an entry, and are 32-bit numbers. */
static const uint64_t most = UINT64_C(0xFFFFFFFF) / 8;

static bool fits(const struct annot__census *census)
{
    annot_reader reader = {0};
    return annot__census_size_arrays(&reader, census);
}

Test(dump_census, numbers_that_indices_cannot_count_are_refused)
{
    for (int slot = 0; slot < ANNOT__DUMP_RECORD_SLOTS; slot++)
        for (uint64_t more = 0; more < 2; more++) {
            struct annot__census census = {0};
            census.of[slot] = most + more;
            cr_expect_eq(fits(&census), more == 0, "record %d", slot);
        }
    for (uint64_t more = 0; more < 2; more++) {
        cr_expect_eq(fits(&(struct annot__census){.lists = most + more}), more == 0);
        cr_expect_eq(fits(&(struct annot__census){.op_blocks = most + more}), more == 0);
    }
}
