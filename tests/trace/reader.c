/* Traces as files: order, what is in two places, what is damaged [ANN-TRACE-03]. */
#include <capture/trace/read.h>
#include <capture/trace/schema.h>

#include "asserts.h"
#include "at_end.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOT_SIZE 8192u

/* A trace in memory, put together piece by piece. */
static struct {
    uint8_t bytes[1 << 16];
    size_t size;
} file;

static uint64_t broken = UINT64_MAX; /* the first byte that the disk doesn't give */

static size_t read_at(void *user, uint64_t offset, void *buffer, size_t size)
{
    (void)user;
    if (offset >= file.size)
        return 0;
    if (offset + size > broken) {
        errno = EIO;
        return 0;
    }
    if (size > file.size - offset)
        size = file.size - (size_t)offset;
    memcpy(buffer, file.bytes + offset, size);
    return size;
}

static void begin_file(uint32_t slots)
{
    struct trace_header header = {.version = TRACE_VERSION,
                                  .header_size = TRACE_HEADER_SIZE,
                                  .slot_count = slots,
                                  .chunk_size = SLOT_SIZE,
                                  .is_finished = 1};
    memset(&file, 0, sizeof file);
    memcpy(header.magic, TRACE_MAGIC, sizeof header.magic);
    memcpy(file.bytes, &header, sizeof header);
    file.size = TRACE_HEADER_SIZE + (size_t)slots * SLOT_SIZE;
}

static struct {
    uint8_t bytes[4096];
    uint32_t size;
    uint64_t first, last;
} records;

/* `begun`: of a LEAVE, the latest call that had begun. */
static void add(uint32_t kind, uint64_t call, int method, uint64_t begun)
{
    const struct trace_record record = {sizeof record + 16, kind, call,
                                        method < 0 ? 0 : schema_methods[method].digest, 2};
    const uint64_t words[2] = {begun, 0};
    memcpy(records.bytes + records.size, &record, sizeof record);
    memcpy(records.bytes + records.size + sizeof record, words, sizeof words);
    records.size += record.size;
    records.first = records.first ? records.first : call;
    records.last = call;
}

static struct trace_chunk chunk_of(uint64_t serial, uint32_t thread, uint32_t state)
{
    return (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                .state = state,
                                .serial = serial,
                                .thread = thread,
                                .first_call = records.first,
                                .last_call = records.last,
                                .used = records.size,
                                .stored = records.size,
                                .hash = XXH64(records.bytes, records.size, 0)};
}

static void put(size_t at, const struct trace_chunk *chunk)
{
    memcpy(file.bytes + at, chunk, sizeof *chunk);
    memcpy(file.bytes + at + sizeof *chunk, records.bytes, records.size);
}

static void log_chunk(uint64_t serial, uint32_t thread)
{
    const struct trace_chunk chunk = chunk_of(serial, thread, CHUNK_STORED);
    put(file.size, &chunk);
    file.size += sizeof chunk + records.size;
    memset(&records, 0, sizeof records);
}

static void slot_chunk(uint32_t slot, uint64_t serial, uint32_t thread, uint64_t left)
{
    struct trace_chunk chunk = chunk_of(serial, thread, CHUNK_OPEN);
    chunk.hash = chunk.stored = 0;
    chunk.left = left;
    put(TRACE_HEADER_SIZE + (size_t)slot * SLOT_SIZE, &chunk);
    memset(&records, 0, sizeof records);
}

static struct trace *open_it(void)
{
    const char *why;
    struct trace *trace = trace_open(read_at, NULL, file.size, &why);
    cr_assert(trace, "%s", why);
    return trace;
}

static const char kinds[] = "?ELMCFTA";

enum {
    CLOSE = METHOD_ID3D12GraphicsCommandList_Close,
    DRAW = METHOD_ID3D12GraphicsCommandList_DrawInstanced,
    ONE = sizeof(struct trace_chunk) + 40, /* a chunk of the log with one record */
    SECOND = TRACE_HEADER_SIZE + ONE       /* where the one behind it is */
};

/* A file by a script:
 *
 *     1E  1e             call 1 of DrawInstanced or of Close
 *     1L3                Close returned; calls up to 3 had begun
 *     1M                 another record, by its letter in `kinds`
 *     >SERIAL.THREAD     those before are a chunk of the log
 *     @SLOT.SERIAL.THREAD.LEFT  or one of a slot
 */
static void make_file(uint32_t slots, const char *script)
{
    char copy[128], *rest = copy, *word;
    begin_file(slots);
    snprintf(copy, sizeof copy, "%s", script);
    while ((word = strtok_r(rest, " ", &rest))) {
        unsigned call, begun = 0, slot, serial, thread, left;
        char kind;
        if (sscanf(word, ">%u.%u", &serial, &thread) == 2)
            log_chunk(serial, thread);
        else if (sscanf(word, "@%u.%u.%u.%u", &slot, &serial, &thread, &left) == 4)
            slot_chunk(slot, serial, thread, left);
        else if (sscanf(word, "%u%c%u", &call, &kind, &begun) >= 2)
            add((uint32_t)(strchr(kinds, toupper(kind)) - kinds), call,
                kind == 'E'                  ? DRAW
                : kind == 'e' || kind == 'L' ? CLOSE
                                             : -1,
                begun);
    }
    cr_assert_eq(records.size, 0, "%s", script);
}

/* "1E 2E 1L": calls and kinds in the order in which they come. */
static const char *order(struct trace *trace)
{
    static char text[256];
    struct trace_item item;
    size_t used = 0;
    text[0] = '\0';
    while (trace_next(trace, &item) && used < sizeof text - 24)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u%c", used ? " " : "",
                                 (unsigned)item.record.call, kinds[item.record.kind]);
    return text;
}

static unsigned findings(const struct trace *trace)
{
    unsigned count = 0;
    while (trace_get_finding(trace, count))
        count++;
    return count;
}

static void trace_ended(struct trace **trace)
{
    trace_close(*trace);
}

TestSuite(trace_file, .init = schema_init);

Test(trace_file, calls_of_all_threads_come_as_they_began)
{
    make_file(0, "1e 1L3 4E >1.1 2E 3e 3L4 >2.2");
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 2E 3E 1L 4E 3L");
    trace_rewind(trace);
    cr_assert_str_eq(order(trace), "1E 2E 3E 1L 4E 3L", "also the second time");
    cr_assert_eqs(findings(trace), 0, trace_get_totals(trace).threads, 2);
}

Test(trace_file, each_record_comes_once_at_its_call)
{
    static const struct {
        const char *claim, *script, *order;
    } files[] = {
        {"a chunk in a slot and in the log is one", "1E @1.1.1.1 1E >1.1 2E @0.2.1.2", "1E 2E"},
        {"chunks of a thread come by serial", "3E @0.3.1.3 1E @1.1.1.1 2E >2.1", "1E 2E 3E"},
        {"other records stand at their call", "1M 1e 1C 1L1 >1.1 2T >2.2", "1M 1E 1C 1L 2T"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        make_file(2, files[i].script);
        AT_END(trace_ended) struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), files[i].order, "%s", files[i].claim);
    }
}

Test(trace_file, a_call_that_never_returned_is_named)
{
    struct trace_flight flight;
    /* Call 1 leaves no record: the chunk says that it returned. */
    make_file(2, "1E @0.1.1.1 2e @1.2.2.0");
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 2E");
    cr_assert(trace_get_flight(trace, 0, &flight));
    cr_assert_eq3(flight.call, 2, flight.thread, 2, flight.method, CLOSE);
    cr_assert_not(trace_get_flight(trace, 1, &flight));
}

Test(trace_file, a_call_without_a_record_of_its_return_is_in_flight_until_the_chunk_says_so)
{
    struct trace_flight flight;
    make_file(1, "7E @0.1.1.6");
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "7E");
    cr_assert(trace_get_flight(trace, 0, &flight));
    cr_assert_eq(flight.call, 7);
}

Test(trace_file, a_damaged_chunk_is_left_out_and_said)
{
    make_file(0, "1E >1.1 2E >2.1 3E >3.1");
    file.bytes[SECOND + sizeof(struct trace_chunk) + 30] ^= 1;
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 3E");
    cr_assert_eq(findings(trace), 1);
}

Test(trace_file, what_is_behind_a_damaged_header_of_a_chunk_is_lost_and_said)
{
    make_file(0, "1E >1.1 2E >2.1");
    file.bytes[SECOND] ^= 1;
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E");
    cr_assert_eq(findings(trace), 1);
}

Test(trace_file, a_record_that_goes_beyond_its_chunk_ends_it)
{
    const uint32_t sizes[] = {0, 8, 39, 48, 0xfffffff8u};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        begin_file(0);
        add(RECORD_ENTER, 1, DRAW, 0);
        add(RECORD_ENTER, 2, DRAW, 0);
        memcpy(records.bytes + 40, &sizes[i], 4);
        log_chunk(1, 1);
        AT_END(trace_ended) struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), "1E", "size %u", sizes[i]);
        cr_assert_eq(findings(trace), 1);
    }
}

Test(trace_file, every_cut_is_read_as_far_as_it_goes)
{
    make_file(1, "1E >1.1 2E >2.2");
    const size_t whole = file.size;
    for (file.size = 0; file.size < whole; file.size++) {
        const char *why = NULL;
        AT_END(trace_ended) struct trace *trace = trace_open(read_at, NULL, file.size, &why);
        cr_assert_eq(!trace, !!why);
        if (trace)
            order(trace);
    }
}

Test(trace_file, a_header_that_can_not_be_is_refused_with_a_word)
{
    struct trace_header *header = (struct trace_header *)(void *)file.bytes;
    const char *why;
    begin_file(0);
    header->magic[0] ^= 1;
    cr_assert(!trace_open(read_at, NULL, file.size, &why) && strstr(why, "not a trace"));
    begin_file(0);
    header->version++;
    cr_assert(!trace_open(read_at, NULL, file.size, &why) && strstr(why, "newer"));
    begin_file(0);
    header->header_size = 100;
    cr_assert(!trace_open(read_at, NULL, file.size, &why) && strstr(why, "damaged"));
    begin_file(0);
    header->slot_count = UINT32_MAX;
    cr_assert(!trace_open(read_at, NULL, file.size, &why));
    begin_file(0);
    header->slot_count = 1;
    header->chunk_size = 16;
    cr_assert(!trace_open(read_at, NULL, file.size, &why));
}

Test(trace_file, a_disk_that_fails_is_named)
{
    const char *why = NULL, *finding, *last = NULL;
    make_file(0, "1E >1.1 2E >2.1");
    broken = SECOND;
    struct trace *trace = open_it();
    cr_expect_str_eq(order(trace), "1E");
    for (size_t i = 0; (finding = trace_get_finding(trace, i)); i++)
        last = finding;
    cr_assert_not_null(last);
    cr_expect_str_eq(last, strerror(EIO));
    trace_close(trace);
    broken = 1;
    cr_assert(!trace_open(read_at, NULL, file.size, &why));
    cr_expect_str_eq(why, strerror(EIO));
}

Test(trace_file, calls_of_many_threads_come_as_they_began)
{
    enum { THREADS = 7, CALLS = 60 };
    struct trace_item item;
    uint64_t expected = 0;
    begin_file(0);
    /* call i is of thread i * i mod 7: some begin late, some have few */
    for (uint64_t thread = 0; thread < THREADS; thread++) {
        for (uint64_t call = 1; call <= CALLS; call++)
            if (call * call % THREADS == thread)
                add(RECORD_ENTER, call, DRAW, 0);
        if (records.size)
            log_chunk(thread + 1, (uint32_t)(THREADS - thread));
    }
    AT_END(trace_ended) struct trace *trace = open_it();
    while (trace_next(trace, &item)) {
        cr_assert_eq(item.record.call, ++expected);
        cr_assert_eq(item.thread, THREADS - expected * expected % THREADS);
    }
    cr_assert_eq(expected, CALLS);
}

Test(trace_file, slots_that_are_free_hold_nothing)
{
    make_file(3, "1E @0.1.1.1 2E @2.2.1.2");
    const uint32_t is_free = CHUNK_FREE;
    memcpy(file.bytes + TRACE_HEADER_SIZE + 4, &is_free, 4);
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "2E");
    cr_assert_eqs(findings(trace), 0, trace_get_totals(trace).chunks, 1);
}

Test(trace_file, a_full_slot_is_read_as_an_open_one)
{
    make_file(1, "1E @0.1.1.1");
    const uint32_t is_full = CHUNK_FULL;
    memcpy(file.bytes + TRACE_HEADER_SIZE + 4, &is_full, 4);
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E");
}

/* A value of each field that can't be. */
Test(trace_file, a_slot_that_can_not_be_is_left_out_and_said)
{
    static const struct {
        size_t at;
        uint32_t value;
    } damages[] = {{0, 0}, {8, 0}, {16, 0}, {40, SLOT_SIZE - 56}, {40, 41}, {40, 0x80000000u}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        make_file(2, "1E @0.1.1.1 2E @1.2.1.2");
        memcpy(file.bytes + TRACE_HEADER_SIZE + damages[i].at, &damages[i].value, 4);
        AT_END(trace_ended) struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), "2E", "damage %u", (unsigned)i);
        cr_assert_eq(findings(trace), 1);
        cr_assert(strstr(trace_get_finding(trace, 0), "slot 0"));
    }
}

Test(trace_file, a_slot_may_be_full_to_its_last_byte)
{
    begin_file(1);
    while (records.size + 40 <= sizeof records.bytes)
        add(RECORD_ENTER, records.last + 1, DRAW, 0);
    const uint64_t last = records.last;
    const uint32_t chunk_size = (uint32_t)sizeof(struct trace_chunk) + records.size;
    slot_chunk(0, 1, 1, last);
    memcpy(file.bytes + 20, &chunk_size, 4);
    file.size = TRACE_HEADER_SIZE + chunk_size;
    AT_END(trace_ended) struct trace *trace = open_it();
    struct trace_item item = {0};
    uint64_t count = 0;
    for (; trace_next(trace, &item); count++)
        cr_assert_eq(item.record.call, count + 1);
    cr_assert_eqs(count, last, findings(trace), 0);
}

Test(trace_file, sizes_that_contradict_each_other_and_unknown_codecs_are_said)
{
    static const struct {
        size_t at;
        uint32_t value;
        const char *said;
    } damages[] = {{40, 48, "contradict"}, {20, 9, "unknown codec"}, {20, 1, "chunk 2"}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        make_file(0, "1E >1.1 2E >2.1 3E >3.1");
        memcpy(file.bytes + SECOND + damages[i].at, &damages[i].value, 4);
        AT_END(trace_ended) struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), "1E 3E");
        cr_assert(findings(trace) == 1 && strstr(trace_get_finding(trace, 0), damages[i].said),
                  "%s", trace_get_finding(trace, 0));
    }
}

Test(trace_file, a_chunk_that_claims_more_than_it_can_hold_is_not_unpacked)
{
    const uint32_t claimed = 1u << 30, zstd = CODEC_ZSTD;
    make_file(0, "1E >1.1");
    memcpy(file.bytes + TRACE_HEADER_SIZE + 20, &zstd, 4);
    memcpy(file.bytes + TRACE_HEADER_SIZE + 40, &claimed, 4);
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "");
    cr_assert(strstr(trace_get_finding(trace, 0), "its stated size is impossible"));
}

/* "in the log zeros follow up to a multiple of 8" */
Test(trace_file, stored_bytes_are_padded_in_the_log)
{
    begin_file(0);
    add(RECORD_ENTER, 1, DRAW, 0);
    struct trace_chunk chunk = chunk_of(1, 1, CHUNK_STORED);
    chunk.stored -= 3;
    put(file.size, &chunk);
    file.size += sizeof chunk + records.size;
    memset(&records, 0, sizeof records);
    add(RECORD_ENTER, 2, DRAW, 0);
    log_chunk(2, 1);
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "2E", "behind the padding");
}

Test(trace_file, a_log_that_ends_within_a_chunk_is_said)
{
    make_file(0, "1E >1.1 2E >2.1");
    for (file.size--; file.size > SECOND; file.size--) {
        AT_END(trace_ended) struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), "1E", "%u bytes", (unsigned)file.size);
        cr_assert_eq(findings(trace), 1);
        cr_assert(strstr(trace_get_finding(trace, 0), "the rest is lost"));
    }
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E");
    cr_assert_eq(findings(trace), 0);
}

Test(trace_file, a_trace_that_was_not_closed_is_said)
{
    struct trace_header *header = (struct trace_header *)(void *)file.bytes;
    begin_file(0);
    header->is_finished = 0;
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_eqs(findings(trace), 1, trace_is_damaged(trace), false);
    cr_assert(strstr(trace_get_finding(trace, 0), "ended without closing the trace"));
}

Test(trace_file, a_closed_trace_that_was_cut_is_said)
{
    struct trace_header *header = (struct trace_header *)(void *)file.bytes;
    make_file(0, "1E >1.1 2E >2.1");
    const size_t whole = file.size;
    for (int has_size = 0; has_size < 2; has_size++) {
        header->file_size = has_size ? whole : 0; /* older traces don't have their size */
        for (file.size = sizeof *header; file.size <= whole; file.size++) {
            const bool is_whole = file.size == whole || (!has_size && file.size == SECOND);
            AT_END(trace_ended) struct trace *trace = open_it();
            cr_assert_eqs(findings(trace), !is_whole, trace_is_damaged(trace), !is_whole);
            cr_assert_eq(trace_get_header(trace)->is_finished, is_whole);
        }
    }
}

Test(trace_file, totals_are_those_of_all_chunks)
{
    make_file(1, "1E @0.1.1.1 2E 3E >2.2");
    AT_END(trace_ended) struct trace *trace = open_it();
    const struct trace_totals totals = trace_get_totals(trace);
    cr_assert_eq3(totals.file_size, file.size, totals.chunks, 2, totals.threads, 2);
    cr_assert_eqs(totals.used, 120, totals.stored, 120);
}

Test(trace_file, paths_end_within_their_fields)
{
    struct trace_header *header = (struct trace_header *)(void *)file.bytes;
    begin_file(0);
    memset(header->runtime, 'r', sizeof header->runtime);
    memset(header->program, 'p', sizeof header->program);
    AT_END(trace_ended) struct trace *trace = open_it();
    cr_assert_eq(strlen(trace_get_header(trace)->runtime), sizeof header->runtime - 1);
    cr_assert_eq(strlen(trace_get_header(trace)->program), sizeof header->program - 1);
}

Test(trace_file, calls_in_flight_are_the_last_of_their_threads)
{
    struct trace_flight flight;
    make_file(0, "1e >1.1 2e 2L3 >2.2 3e >3.3");
    AT_END(trace_ended) struct trace *trace = open_it();
    order(trace);
    cr_assert(trace_get_flight(trace, 0, &flight));
    cr_assert_eqs(flight.call, 1, flight.thread, 1);
    cr_assert(trace_get_flight(trace, 1, &flight));
    cr_assert_eqs(flight.call, 3, flight.thread, 3);
    cr_assert_not(trace_get_flight(trace, 2, &flight));
}

Test(trace_file, a_path_that_leads_nowhere_is_refused_with_a_word)
{
    const char *why = NULL;
    cr_assert(!trace_open_file("/nonexistent/trace", &why) && strstr(why, "check its path"));
    cr_assert(!trace_open_file("/", &why) && why);
    cr_assert(!trace_open_file("/dev/null", &why) && strstr(why, "too short"));
}
