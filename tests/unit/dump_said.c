/* A dump has all that its caller says, field by field: every member has a value of its own
 * [docs/DUMP_FORMAT.md]. */
#include "dump/dump_format.h"
#include "dump_bytes.h"
#include "golden_dumps.h"
#include "spy.h"

#include <sys/mman.h>

/* ---- rows without operations and stamps ---- */

/* Different values; their first and last bytes are not 0. */
#define LONG(n)  ((uint64_t)(n) << 56 | (n))
#define SHORT(n) ((uint32_t)(n) << 24 | (n))

Test(dump_said, every_row_of_every_kind_is_there_with_all_its_fields)
{
    enum { MANY = 2 };
    static const annot_allocation_range ranges[MANY] = {
        {LONG(1), LONG(2), LONG(3), LONG(4), SHORT(5), 0}, {LONG(6), LONG(7), LONG(8), 9, 10, 1}};
    static const annot_clock_pair clocks[MANY] = {{LONG(11), LONG(12), LONG(13)},
                                                  {LONG(14), LONG(15), LONG(16)}};
    static const annot_submitted submitted[MANY] = {{LONG(17), LONG(18), LONG(19), LONG(20),
                                                     LONG(21), LONG(22), SHORT(23), SHORT(24),
                                                     SHORT(25), SHORT(26)},
                                                    {27, 28, 29, 30, 31, 32, 33, 34, 35, 36}};
    static const annot_crumbs crumbs[MANY] = {{.queue = LONG(37),
                                               .submission = LONG(38),
                                               .list = SHORT(39),
                                               .bundle = SHORT(40),
                                               .log = LONG(41),
                                               .count = SHORT(42),
                                               .done = SHORT(43),
                                               .markers = SHORT(44),
                                               .flags = SHORT(45)},
                                              {.queue = 46, .log = 47}};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (size_t count = 0; count <= MANY; count += MANY) {
        const annot_dump_info info = {.ranges = ranges,
                                      .range_count = count,
                                      .clocks = clocks,
                                      .clock_count = count,
                                      .submitted = submitted,
                                      .submitted_count = count,
                                      .crumbs = crumbs,
                                      .crumb_count = count,
                                      .histories_lost = count};
        AT_END(taken_free) struct dump d = taken_from(device, &info);
        AT_END(at_end_free) struct taken_print *print = calloc(1, sizeof *print);
        taken_say(&print->text, "%s", "");
        for (size_t i = 0; i < d.count; i++)
            if (d.records[i].section != SECTION_ABOUT && d.records[i].kind != RECORD_END)
                taken_print(print, &d.records[i]);
        golden_expect_part("records", count > 0 ? "rows" : "no rows", print->text.data);
        free(print->text.data);
    }
}

/* What nobody says is 0 or not there, and what is empty is no part of a dump. */
Test(dump_said, what_a_writer_is_not_told_is_not_in_the_dump)
{
    for (int is_retail = 0; is_retail < 2; is_retail++) {
        AT_END(spy_device_ended)
        annot_device *device =
            spy_device(is_retail ? ANNOT_MODE_DRIVER_RETAIL : ANNOT_MODE_RUNTIME_ONLY, 0);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
        const annot_crash_report report = {
            .size = sizeof report, .progress_count = 5, .blob = "", .blob_size = 0};
        const annot_blob blobs[] = {{ANNOT_BLOB_KERNEL, 1, "", 0}, {ANNOT_BLOB_KERNEL, 2, NULL, 7}};
        const annot_dump_info empty = {.report = &report, .blobs = blobs, .blob_count = 2};
        for (int has_info = 0; has_info < 2; has_info++) {
            AT_END(taken_free) struct dump d = taken_from(device, has_info ? &empty : NULL);
            AT_END(at_end_close) annot_reader *reader;
            annot_reader_device said;
            annot_reader_object object;
            cr_expect_eq(taken_count(&d, ANNOT__DUMP_BLOB), 0u);
            cr_expect_eq(taken_count(&d, ANNOT__DUMP_FAULT), 0u);
            cr_expect_eq(taken_count(&d, ANNOT__DUMP_PROGRESS), 0u);
            cr_expect_eq(taken_count(&d, ANNOT__DUMP_LOSS), 0u);
            cr_assert_eq(annot_reader_open_memory(&guarded_memory, d.bytes, d.size, &reader),
                         ANNOT_OK);
            annot_reader_get_device(reader, &said);
            cr_expect(said.order_window == 0 && said.promises == 0 && said.error == 0);
            cr_expect_eq(said.has_report, has_info);
            cr_assert(annot_reader_object_at(reader, 0, &object));
            cr_expect_eq(object.is_retail, is_retail);
            cr_expect_not(object.is_destroyed || object.is_named);
        }
    }
}

/* Damage to blobs costs no rows: they have a section of their own. */
Test(dump_said, blobs_have_their_own_section)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    const annot_crash_report report = {.size = sizeof report, .fault_address = 77};
    const annot_blob blob = {ANNOT_BLOB_KERNEL, 1, "kernel", 6};
    for (size_t count = 0; count < 2; count++) {
        const annot_dump_info info = {.report = &report, .blobs = &blob, .blob_count = count};
        AT_END(taken_free) struct dump d = taken_from(device, &info);
        cr_expect_eq(d.sections, 3 + count); /* about the device, evidence, and the end */
    }
}

/* In pieces of 32 KiB, up to the byte at which its memory ends. */
Test(dump_said, blobs_are_there_as_far_as_they_can_be_read)
{
    enum { PAGE = 4096, PAGES = 20 };
    static const struct {
        size_t size, readable; /* pages */
    } rows[] = {{1, 20},    {32767, 20}, {32768, 20}, {32769, 20}, {70000, 20}, {70000, 0},
                {70000, 1}, {70000, 8},  {70000, 9},  {70000, 17}, {65536, 16}, {5000, 1}};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *memory =
            mmap(NULL, PAGE * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        cr_assert_neq(memory, MAP_FAILED);
        for (size_t k = 0; k < PAGE * PAGES; k++)
            memory[k] = (char)(k * 7 + k / 256);
        const size_t limit = rows[i].readable * PAGE;
        mprotect(memory + limit, PAGE * PAGES - limit, PROT_NONE);
        const annot_blob blob = {ANNOT_BLOB_KERNEL, 1, memory, rows[i].size};
        const annot_dump_info info = {.blobs = &blob, .blob_count = 1};
        struct dump d = taken_from(device, &info);
        const struct dump_record *record;
        const size_t expected = rows[i].size < limit ? rows[i].size : limit;
        size_t next = 0, records = 0;
        for (size_t at = 0; (record = taken_next(&d, ANNOT__DUMP_BLOB, &at)); records++) {
            cr_expect_eq(taken_u64(record, 8), next, "row %zu", i);
            cr_expect_eq(taken_u64(record, 16), rows[i].size, "row %zu", i);
            cr_assert(record->variable <= 32768 && next + record->variable <= expected);
            cr_expect_eq(memcmp(record->bytes, memory + next, record->variable), 0, "row %zu", i);
            cr_expect(record->variable > 0 || expected == 0, "row %zu", i);
            next += record->variable;
        }
        cr_expect_eq(next, expected, "row %zu: %zu bytes", i, next);
        if (expected == rows[i].size)
            cr_expect_eq(records, (rows[i].size + 32767) / 32768, "row %zu", i);
        cr_expect(expected > 0 || records == 1, "it is told that there was one");
        cr_expect_eq(taken_loss(&d, ANNOT_LOSS_UNREADABLE), expected < rows[i].size, "row %zu", i);
        taken_free(&d);
        munmap(memory, PAGE * PAGES);
    }
}

/* Whatever the memory of a writer held before. */
Test(dump_said, a_writer_begins_without_a_path)
{
    annot_device *device;
    annot_dump_writer *writer = (annot_dump_writer *)&device;
    char bytes[2048];
    size_t size = 7;
    const annot_device_desc desc = {.allocator = guarded_memory.allocator};
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    cr_expect_eq(annot_dump_writer_create(NULL, &writer), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(writer);
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    cr_expect_str_empty(annot_dump_writer_path(writer));
    cr_expect_eq(annot_dump_write_memory(writer, NULL, bytes, sizeof bytes, &size), ANNOT_OK);
    cr_expect_gt(size, 64u);
    cr_expect_eq(annot_dump_write_memory(writer, NULL, NULL, 1, &size),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_write_memory(NULL, NULL, bytes, sizeof bytes, NULL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
}

/* ---- operations of recordings ---- */

static uint8_t ring[ANNOT_CRUMBS_OPS];

/* Number i of any recording. */
static uint8_t op_of(uint64_t i)
{
    return (uint8_t)(i * 7 + i / 251);
}

/* The dump has the operations `first` to `count` of the recording, each once, in order, and no
 * record is larger than one may be. */
static void expect_ops(const struct dump *d, uint64_t log, uint32_t first, uint32_t count)
{
    const struct dump_record *record;
    uint32_t next = first;
    for (size_t at = 0; (record = taken_next(d, ANNOT__DUMP_OPS, &at));) {
        if (taken_u64(record, 0) != log)
            continue;
        cr_assert_eq(taken_u32(record, 8), next, "log %llu", (unsigned long long)log);
        cr_assert(record->variable > 0 && record->variable <= ANNOT__DUMP_VARIABLE_MAX);
        for (uint32_t i = 0; i < record->variable; i++)
            cr_assert_eq(record->bytes[i], op_of(next + i), "operation %u", next + i);
        next += record->variable;
    }
    cr_expect_eq(next, count, "log %llu: up to %u", (unsigned long long)log, next);
}

static void fill_ring(uint32_t count)
{
    const uint32_t from = count > ANNOT_CRUMBS_OPS ? count - ANNOT_CRUMBS_OPS : 0;
    for (uint32_t i = from; i < count; i++)
        ring[i % ANNOT_CRUMBS_OPS] = op_of(i);
}

/* A recording's operations are those that its ring still has, wherever in it they begin; a
 * breadcrumb and a history of it say the same. */
Test(dump_said, the_operations_that_are_kept_are_there_in_order)
{
    static const struct {
        uint32_t count, kept;
    } rows[] = {{1, 1},
                {100, 100},
                {100, 99},
                {100, 0},
                {ANNOT__DUMP_VARIABLE_MAX, ANNOT__DUMP_VARIABLE_MAX},
                {ANNOT__DUMP_VARIABLE_MAX + 1, ANNOT__DUMP_VARIABLE_MAX + 1},
                {ANNOT_CRUMBS_OPS, ANNOT_CRUMBS_OPS},
                {ANNOT_CRUMBS_OPS + 1, ANNOT_CRUMBS_OPS},
                {ANNOT_CRUMBS_OPS + 40000, ANNOT_CRUMBS_OPS},
                {3 * ANNOT_CRUMBS_OPS + 5, 70},
                {3 * ANNOT_CRUMBS_OPS + 5, 5},
                {3 * ANNOT_CRUMBS_OPS + 5, 6}};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t is_history = 0; is_history < 2; is_history++) {
            const annot_crumbs crumbs = {
                .log = 77, .count = rows[i].count, .kept = rows[i].kept, .ops = ring};
            const annot_history history = {
                .log = 77, .op_count = rows[i].count, .kept = rows[i].kept, .ops = ring};
            const annot_dump_info info = {.crumbs = &crumbs,
                                          .crumb_count = 1 - is_history,
                                          .histories = &history,
                                          .history_count = is_history};
            fill_ring(rows[i].count);
            AT_END(taken_free) struct dump d = taken_from(device, &info);
            expect_ops(&d, 77, rows[i].count - rows[i].kept, rows[i].count);
        }
}

/* More kept than recorded, more than a ring has, no ring, no identity: none of them is read. */
Test(dump_said, operations_that_cannot_be_are_left_out)
{
    const annot_crumbs crumbs[] = {
        {.log = 1, .count = 9, .kept = 10, .ops = ring},
        {.log = 2, .count = ANNOT_CRUMBS_OPS + 2, .kept = ANNOT_CRUMBS_OPS + 1, .ops = ring},
        {.log = 3, .count = 9, .kept = 9}};
    const annot_history history = {.op_count = 9, .kept = 9, .ops = ring};
    const annot_dump_info info = {
        .crumbs = crumbs, .crumb_count = 3, .histories = &history, .history_count = 1};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(taken_free) struct dump d = taken_from(device, &info);
    cr_expect_eq(taken_count(&d, ANNOT__DUMP_CRUMBS), 3u);
    cr_expect_eq(taken_count(&d, ANNOT__DUMP_OPS), 0u);
}

/* Executions of one recording share its operations: those that come close to each other, and
 * histories those of breadcrumbs, are written once. */
Test(dump_said, executions_of_a_recording_share_its_operations)
{
    enum { EXECUTIONS = 12, LOGS = 5 };
    annot_crumbs crumbs[EXECUTIONS];
    annot_history histories[EXECUTIONS];
    uint8_t ops[LOGS][8];
    for (int i = 0; i < LOGS; i++)
        memset(ops[i], 0x40 + i, sizeof ops[i]);
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        const unsigned log = i * 2 % 3; /* 0, 2, 1, 0, 2, 1, ... */
        const unsigned other = i % 2 ? 3 + i % 4 / 2 : log;
        crumbs[i] = (annot_crumbs){.log = log + 1, .count = 8, .kept = 8, .ops = ops[log]};
        histories[i] =
            (annot_history){.log = other + 1, .op_count = 8, .kept = 8, .ops = ops[other]};
    }
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (size_t with_crumbs = 0; with_crumbs < 2; with_crumbs++) {
        const annot_dump_info info = {.crumbs = crumbs,
                                      .crumb_count = with_crumbs * EXECUTIONS,
                                      .histories = histories,
                                      .history_count = EXECUTIONS};
        AT_END(taken_free) struct dump d = taken_from(device, &info);
        const struct dump_record *record;
        unsigned found[LOGS + 1] = {0};
        for (size_t at = 0; (record = taken_next(&d, ANNOT__DUMP_OPS, &at));) {
            const uint64_t log = taken_u64(record, 0);
            cr_assert(log >= 1 && log <= LOGS);
            found[log]++;
            cr_expect_eq(record->variable, 8u);
            cr_expect_eq(record->bytes[7], 0x40 + log - 1);
        }
        for (int i = 1; i <= LOGS; i++)
            cr_expect_eq(found[i], 1u, "log %d: %u times", i, found[i]);
        cr_expect_eq(taken_count(&d, ANNOT__DUMP_HISTORY), (size_t)EXECUTIONS);
    }
}

/* How often the dump has the first operation of a recording. */
static unsigned times_of(annot_device *device, const annot_dump_info *info, uint64_t log)
{
    const struct dump_record *record;
    struct dump d = taken_from(device, info);
    unsigned times = 0;
    for (size_t at = 0; (record = taken_next(&d, ANNOT__DUMP_OPS, &at));)
        times += taken_u64(record, 0) == log;
    taken_free(&d);
    return times;
}

/* Sixteen executions back, and of histories among the first 256 breadcrumbs: a dump takes no time
 * that grows with the square of its executions. */
Test(dump_said, operations_that_come_again_are_looked_for_so_far)
{
    enum { EXECUTIONS = 300, LOG = 7777 };
    static annot_crumbs crumbs[EXECUTIONS];
    static annot_history histories[EXECUTIONS];
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    for (unsigned i = 0; i < EXECUTIONS; i++) {
        crumbs[i] = (annot_crumbs){.log = 1 + i, .count = 8, .kept = 8, .ops = ring};
        histories[i] = (annot_history){.log = 1000 + i, .op_count = 8, .kept = 8, .ops = ring};
    }
    crumbs[3].log = histories[3].log = LOG;
    for (unsigned distance = 1; distance <= 18; distance++) {
        crumbs[3 + distance].log = histories[3 + distance].log = LOG;
        const annot_dump_info by_crumbs = {.crumbs = crumbs, .crumb_count = 30};
        const annot_dump_info by_histories = {.histories = histories, .history_count = 30};
        const unsigned expected = distance <= 16 ? 1 : 2;
        cr_expect_eq(times_of(device, &by_crumbs, LOG), expected, "%u", distance);
        cr_expect_eq(times_of(device, &by_histories, LOG), expected, "%u", distance);
        crumbs[3 + distance].log = histories[3 + distance].log = 2000;
    }
    crumbs[3].log = 4;
    for (unsigned at = 0; at < EXECUTIONS; at += at == 0 ? 254 : 1) {
        crumbs[at].log = LOG;
        const annot_dump_info both = {.crumbs = crumbs,
                                      .crumb_count = EXECUTIONS,
                                      .histories = histories,
                                      .history_count = 5};
        cr_expect_eq(times_of(device, &both, LOG), at < 256 ? 1 : 2, "%u", at);
        crumbs[at].log = 1 + at;
    }
}

/* ---- times of calls ---- */

/* ---- facts ---- */
