/* Operations of recordings, which a dump has in pieces: each by its number, and how many markers
 * are between two of them, against a list of all [ANN-JOIN]. */
#include "dump_read/ops.h"
#include "dump_builder.h"
#include "unit_kit.h"

enum { LOGS = 4, LONGEST = 3000, ROUNDS = 12 };

/* A recording of the operations `first` to `end`. */
struct log {
    uint64_t id;
    uint32_t first, end, lost; /* from `lost` on a piece is missing in between */
    uint8_t ops[LONGEST];
};

static uint64_t random_state;

static uint32_t pick(uint32_t count)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count;
}

static void put_piece(struct dump *dump, const struct log *log, uint32_t from, uint32_t size)
{
    dump_add_with(dump, OPS, log->ops + (from - log->first), size, log->id, from);
}

/* Pieces of all sizes, also none, of all logs in turn. */
static void put_logs(struct dump *dump, struct log *logs)
{
    uint32_t at[LOGS];
    for (uint32_t i = 0; i < LOGS; i++) {
        struct log *log = &logs[i];
        log->id = (uint64_t)(LOGS - i) << 40 | 5;
        log->first = i % 2 ? pick(100000) : 0;
        log->end = log->lost = log->first + 1 + pick(LONGEST - 1);
        at[i] = log->first;
        for (uint32_t k = 0; k < LONGEST; k++)
            log->ops[k] = (uint8_t)pick(6);
        dump_add(dump, CRUMBS, .queue = 21, .log = log->id, .count = log->end);
    }
    for (bool is_left = true; is_left;) {
        is_left = false;
        for (uint32_t i = 0; i < LOGS; i++) {
            struct log *log = &logs[i];
            const uint32_t left = log->end - at[i];
            const uint32_t most = pick(3) ? pick(700) : pick(3);
            const uint32_t size = left < most ? left : most;
            if (log->lost == log->end && i == 3 && at[i] > log->first && pick(4) == 0 && left > 5) {
                log->lost = at[i]; /* a hole of one: what comes behind it is not believed */
                at[i]++;
            } else {
                put_piece(dump, log, at[i], size);
                at[i] += size;
            }
            is_left |= at[i] < log->end;
        }
    }
}

static uint32_t markers_between(const struct log *log, uint32_t from, uint32_t to)
{
    uint32_t markers = 0;
    for (uint32_t i = from; i < to; i++)
        markers += log->ops[i - log->first] <= 2; /* SETMARKER, BEGINEVENT, ENDEVENT */
    return markers;
}

static void expect_markers(const annot_reader *reader, const struct log *log, uint32_t from,
                           uint32_t to)
{
    uint32_t markers = 77;
    const bool is_there = from >= to || (from >= log->first && to <= log->lost);
    cr_assert_eq(annot__ops_markers(reader, log->id, from, to, &markers), is_there,
                 "%u to %u of %u to %u", from, to, log->first, log->lost);
    if (is_there)
        cr_assert_eq(markers, from < to ? markers_between(log, from, to) : 0, "%u to %u", from, to);
}

Test(analysis_ops, each_operation_is_found_and_markers_between_two_are_counted)
{
    random_state = 3;
    for (int round = 0; round < ROUNDS; round++) {
        static struct log logs[LOGS];
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        uint32_t none;
        dump_queue(&dump, 21, 0, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        put_logs(&dump, logs);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t i = 0; i < LOGS; i++) {
            const struct log *log = &logs[i];
            const uint32_t before = log->first < 3 ? 0 : log->first - 3;
            for (uint32_t number = before; number < log->end + 3; number++) {
                const bool is_there = number >= log->first && number < log->lost;
                cr_assert_eq(annot_reader_op(reader, i, number),
                             is_there ? log->ops[number - log->first] : ANNOT_READER_NONE,
                             "operation %u of %u to %u", number, log->first, log->lost);
            }
            cr_assert_eq(annot_reader_op(reader, i, UINT32_MAX), ANNOT_READER_NONE);
            const uint32_t length = log->end - log->first;
            for (int k = 0; k < 300; k++)
                expect_markers(reader, log, before + pick(length + 5), before + pick(length + 5));
            expect_markers(reader, log, log->first, log->lost);
            expect_markers(reader, log, log->first, log->lost + 1);
            expect_markers(reader, log, log->lost, log->lost);
            for (uint32_t block = 0; block < length; block += ANNOT__OP_BLOCK)
                expect_markers(reader, log, log->first, log->first + block);
        }
        cr_expect_not(annot__ops_markers(reader, 1, 0, 1, &none), "no such recording");
        cr_expect_not(annot__ops_markers(reader, UINT64_MAX, 0, 1, &none));
    }
}

/* Numbers that would pass the last one there is are none. */
Test(analysis_ops, numbers_do_not_wrap_around)
{
    for (uint32_t size = 4; size <= 6; size++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        const uint32_t first = UINT32_MAX - 5;
        dump_queue(&dump, 21, 0, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_put_CRUMBS(&dump, &(struct annot__dump_CRUMBS){.queue = 21, .log = 5}, NULL, 0);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){5, first}, "\4\4\4\4\4\4", size);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t i = 0; i < 6; i++) {
            cr_expect_eq(annot_reader_op(reader, 0, first + i),
                         size <= 5 && i < size ? 4u : ANNOT_READER_NONE, "%u of %u", i, size);
            cr_expect_eq(annot_reader_op(reader, 0, i), ANNOT_READER_NONE);
        }
    }
}
