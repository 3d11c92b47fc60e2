/* Times of submissions find their submissions and calls, whatever order they come in; work that a
 * driver let not execute is said to be not executed; guilty queues come first
 * [ANN-TDR, annot/dump.h]. */
#include "dump_builder.h"
#include "unit_kit.h"
#include "dump_read/dump_model.h"

TestSuite(analysis_times, .fini = guarded_expect_nothing_left);

enum { QUEUES = 4, SERIALS = 6, LISTS = 3, PARTS = 3, KNOWN = 2 };

static uint64_t random_state;

static uint32_t pick(uint32_t count)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count;
}

static void shuffle(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = pick(i), was = order[i - 1];
        order[i - 1] = order[other];
        order[other] = was;
    }
}

/* Queue number i is object 20 + i; the last two are in no QUEUE record. Submissions have the
 * serials 10, 20, ... up to 10 * SERIALS, but the dump holds only every other one. */
static void put_queues(struct dump *dump)
{
    for (uint32_t i = 0; i < KNOWN; i++) {
        dump_queue(dump, 20 + i, 10 * SERIALS, 0);
        for (uint32_t k = 1; k <= SERIALS; k += 2)
            dump_submit(dump, 10 * k, 0, NULL);
    }
}

static void put_history(struct dump *dump, uint32_t number)
{
    const uint32_t queue = number % QUEUES, serial = number / QUEUES % SERIALS;
    const uint32_t list = number / QUEUES / SERIALS % LISTS;
    const uint32_t part = number / QUEUES / SERIALS / LISTS;
    if (serial % 3 == 2)
        return; /* without calls */
    dump_add(dump, HISTORY, .queue = 20 + queue, .submission = 10 * (serial + 1), .list = list,
             .first = part * 7);
}

static void put_times(struct dump *dump, uint32_t number)
{
    dump_add(dump, SUBMITTED, .queue = 20 + number % QUEUES,
             .submission = 10 * (number / QUEUES + 1), .sequence = number);
}

static void expect_times(const annot_reader *reader, uint32_t at)
{
    const uint32_t queue = at / SERIALS, serial = at % SERIALS;
    const struct annot__submitted_times *times = &reader->submitted[at];
    cr_assert_eq(times->fields.queue, 20 + queue);
    cr_assert_eq(times->fields.submission, 10 * (serial + 1));
    cr_assert_eq(times->fields.sequence, serial * QUEUES + queue);
    cr_assert_eq(times->queue, queue < KNOWN ? queue : ANNOT__NONE);
    const bool is_held = queue < KNOWN && serial % 2 == 0;
    cr_assert_eq(times->submission, is_held ? queue * (SERIALS / 2) + serial / 2 : ANNOT__NONE,
                 "queue %u, serial %u", queue, serial);
    cr_assert_eq(times->histories.count, serial % 3 == 2 ? 0u : (uint32_t)LISTS * PARTS);
    for (uint32_t i = 0; i < times->histories.count; i++) {
        const struct annot__dump_HISTORY *of =
            &reader->histories[times->histories.first + i].fields;
        cr_assert_eq(of->queue, 20 + queue);
        cr_assert_eq(of->submission, 10 * (serial + 1));
        cr_assert_eq(of->list, i / PARTS);
        cr_assert_eq(of->first, i % PARTS * 7);
    }
}

Test(analysis_times, each_submission_finds_its_own_in_any_order)
{
    random_state = 5;
    for (int round = 0; round < 20; round++) {
        uint32_t histories[QUEUES * SERIALS * LISTS * PARTS], times[QUEUES * SERIALS];
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        put_queues(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
        shuffle(histories, sizeof histories / sizeof *histories);
        shuffle(times, sizeof times / sizeof *times);
        for (uint32_t i = 0; i < sizeof times / sizeof *times; i++)
            put_times(&dump, times[i]);
        for (uint32_t i = 0; i < sizeof histories / sizeof *histories; i++)
            put_history(&dump, histories[i]);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert_eq(reader->submitted_count, (uint32_t)QUEUES * SERIALS);
        for (uint32_t i = 0; i < QUEUES * SERIALS; i++)
            expect_times(reader, i);
    }
}

/* A submission that its fence says is done was not executed, if its driver said so in a part of the
 * dump that is whole; then its lists were neither. */
Test(analysis_times, null_rendering_is_not_execution)
{
    for (int bits = 0; bits < 16; bits++) {
        const bool is_null = bits & 1, is_done = bits & 2, is_other = bits & 4,
                   is_damaged = bits & 8;
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_execution execution;
        annot_reader_submission submission;
        dump_set(&dump, "m");
        dump_queue(&dump, 21, 2, is_done ? 2 : 1);
        for (uint64_t serial = 1; serial <= 2; serial++)
            dump_submit(&dump, serial, 2, (uint64_t[]){1, 1});
        const uint64_t last = dump_set(&dump, "last");
        dump_row(&dump, 21, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, last, last);
        dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
        const size_t at = dump.size;
        for (uint64_t serial = 1; serial <= 2; serial++) {
            dump_add(&dump, SUBMITTED, .queue = is_other ? 22 : 21, .submission = serial,
                     .sequence = 7,
                     .flags = ANNOT_SUBMITTED_CALLED |
                              (is_null && serial == 2 ? ANNOT_SUBMITTED_NULL_RENDERING : 0u));
        }
        dump_finish(&dump);
        if (is_damaged)
            dump.data[at + 8 + 16] ^= 0x80; /* in a time of the first */
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const bool is_believed = is_null && is_done && !is_other && !is_damaged;
        annot_evidence evidence;
        const annot_state of_queue =
            annot_reader_queue_state(reader, annot_reader_entry_find(reader, last), &evidence);
        cr_expect_eq(of_queue, is_believed ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_FINISHED,
                     "bits %d: its markers went with work that was not executed", bits);
        cr_expect(!is_believed || evidence == ANNOT_EVIDENCE_UNDECIDED);
        for (uint32_t i = 0; i < 4; i++) {
            const bool is_it = is_believed && i >= 2;
            cr_assert(annot_reader_execution_at(reader, i, &execution));
            cr_expect_eq(execution.state == ANNOT_STATE_NOT_EXECUTED, is_it, "bits %d, list %u",
                         bits, i);
            cr_expect_eq(execution.evidence == ANNOT_EVIDENCE_NULL_RENDERING, is_it);
            if (!is_it && (is_done || i < 2))
                cr_expect_eq(execution.state, ANNOT_STATE_FINISHED, "bits %d, list %u", bits, i);
            cr_assert(annot_reader_submission_at(reader, i / 2, &submission));
            cr_expect_eq(submission.state == ANNOT_STATE_NOT_EXECUTED, is_it);
        }
    }
}

/* The driver's word goes before the kernel's; the others keep their order. */
Test(analysis_times, stops_of_the_guilty_queue_come_first)
{
    enum { STOPPED = 4 };
    for (uint64_t context = 20; context <= 25; context++)
        for (uint64_t queue = 20; queue <= 25; queue++)
            for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
                AT_END(dump_free) struct dump dump = dump_hung();
                annot_reader_stop stop;
                const uint64_t named = context == 20 ? 0 : context; /* 21 to 24 are queues */
                const uint64_t engine = queue == 20 ? 0 : queue;
                const uint64_t guilty = is_damaged ? 0 : named ? named : engine;
                dump_set(&dump, "m");
                for (uint64_t i = 1; i <= STOPPED; i++) {
                    dump_queue(&dump, 20 + i, 1, 0);
                    dump_submit(&dump, 1, 1, (uint64_t[]){1});
                }
                for (uint64_t i = 1; i <= STOPPED; i++)
                    dump_row(&dump, 20 + i, 1, 0, 0, STARTED, 0, 0);
                dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
                const size_t at = dump.size;
                dump_add(&dump, TDR, .queue = engine, .context = named);
                dump_finish(&dump);
                if (is_damaged)
                    dump.data[at + 8 + 32] ^= 1; /* the time that it took */
                AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
                cr_assert_eq(annot_reader_stop_count(reader), (size_t)STOPPED);
                uint32_t expected[STOPPED], count = 0; /* streams: the list is 0 */
                for (uint32_t i = 1; i <= STOPPED; i++)
                    if (20 + i == guilty)
                        expected[count++] = i;
                const uint32_t first = count;
                for (uint32_t i = 1; i <= STOPPED; i++)
                    if (20 + i != guilty)
                        expected[count++] = i;
                for (uint32_t i = 0; i < STOPPED; i++) {
                    cr_assert(annot_reader_stop_at(reader, i, &stop));
                    cr_expect_eq(stop.queue, expected[i], "guilty %u: stop %u is of %u",
                                 (unsigned)guilty, i, stop.queue);
                    cr_expect_eq(stop.is_guilty, i < first);
                }
            }
}
