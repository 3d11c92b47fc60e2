/* Traces as files: order, what is in two places, what is damaged [ANN-TRACE-03]. */
#include <capture/trace/read.h>
#include <capture/trace/schema.h>

#include <criterion/criterion.h>

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

static size_t read_at(void *user, uint64_t offset, void *buffer, size_t size)
{
    (void)user;
    if (offset >= file.size)
        return 0;
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

/* "1E 2E 1L": calls and kinds in the order in which they come. */
static const char *order(struct trace *trace)
{
    static char text[256];
    struct trace_item item;
    size_t used = 0;
    text[0] = '\0';
    while (trace_next(trace, &item) && used < sizeof text - 24)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u%c", used ? " " : "",
                                 (unsigned)item.record.call, "?ELMCFTA"[item.record.kind]);
    return text;
}

static unsigned findings(const struct trace *trace)
{
    unsigned count = 0;
    while (trace_get_finding(trace, count))
        count++;
    return count;
}

enum {
    CLOSE = METHOD_ID3D12GraphicsCommandList_Close,
    DRAW = METHOD_ID3D12GraphicsCommandList_DrawInstanced
};

TestSuite(trace_file, .init = schema_init);

Test(trace_file, calls_of_all_threads_come_as_they_began)
{
    begin_file(0);
    add(RECORD_ENTER, 1, CLOSE, 0);
    add(RECORD_LEAVE, 1, CLOSE, 3); /* calls 2 and 3 of the other had begun */
    add(RECORD_ENTER, 4, DRAW, 0);
    log_chunk(1, 1);
    add(RECORD_ENTER, 2, DRAW, 0);
    add(RECORD_ENTER, 3, CLOSE, 0);
    add(RECORD_LEAVE, 3, CLOSE, 4);
    log_chunk(2, 2);
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 2E 3E 1L 4E 3L");
    trace_rewind(trace);
    cr_assert_str_eq(order(trace), "1E 2E 3E 1L 4E 3L", "also the second time");
    cr_assert(findings(trace) == 0 && trace_get_totals(trace).threads == 2);
    trace_close(trace);
}

Test(trace_file, a_chunk_in_a_slot_and_in_the_log_is_one_chunk)
{
    begin_file(2);
    add(RECORD_ENTER, 1, DRAW, 0);
    slot_chunk(1, 1, 1, 1);
    add(RECORD_ENTER, 1, DRAW, 0);
    log_chunk(1, 1);
    add(RECORD_ENTER, 2, DRAW, 0);
    slot_chunk(0, 2, 1, 2);
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 2E");
    trace_close(trace);
}

Test(trace_file, a_call_that_never_returned_is_named)
{
    struct trace_flight flight;
    begin_file(2);
    add(RECORD_ENTER, 1, DRAW, 0); /* leaves no record: the chunk says that it returned */
    slot_chunk(0, 1, 1, 1);
    add(RECORD_ENTER, 2, CLOSE, 0);
    slot_chunk(1, 2, 2, 0);
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 2E");
    cr_assert(trace_get_flight(trace, 0, &flight));
    cr_assert(flight.call == 2 && flight.thread == 2 && flight.method == CLOSE);
    cr_assert_not(trace_get_flight(trace, 1, &flight));
    trace_close(trace);
}

Test(trace_file, a_call_without_a_record_of_its_return_is_in_flight_until_the_chunk_says_so)
{
    struct trace_flight flight;
    begin_file(1);
    add(RECORD_ENTER, 7, DRAW, 0);
    slot_chunk(0, 1, 1, 6);
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "7E");
    cr_assert(trace_get_flight(trace, 0, &flight) && flight.call == 7);
    trace_close(trace);
}

Test(trace_file, a_damaged_chunk_is_left_out_and_said)
{
    begin_file(0);
    add(RECORD_ENTER, 1, DRAW, 0);
    log_chunk(1, 1);
    const size_t second = file.size;
    add(RECORD_ENTER, 2, DRAW, 0);
    log_chunk(2, 1);
    add(RECORD_ENTER, 3, DRAW, 0);
    log_chunk(3, 1);
    file.bytes[second + sizeof(struct trace_chunk) + 30] ^= 1;
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E 3E");
    cr_assert(findings(trace) == 1);
    trace_close(trace);
}

Test(trace_file, what_is_behind_a_damaged_header_of_a_chunk_is_lost_and_said)
{
    begin_file(0);
    add(RECORD_ENTER, 1, DRAW, 0);
    log_chunk(1, 1);
    const size_t second = file.size;
    add(RECORD_ENTER, 2, DRAW, 0);
    log_chunk(2, 1);
    file.bytes[second] ^= 1;
    struct trace *trace = open_it();
    cr_assert_str_eq(order(trace), "1E");
    cr_assert(findings(trace) == 1);
    trace_close(trace);
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
        struct trace *trace = open_it();
        cr_assert_str_eq(order(trace), "1E", "size %u", sizes[i]);
        cr_assert(findings(trace) == 1);
        trace_close(trace);
    }
}

Test(trace_file, every_cut_is_read_as_far_as_it_goes)
{
    begin_file(1);
    add(RECORD_ENTER, 1, DRAW, 0);
    log_chunk(1, 1);
    add(RECORD_ENTER, 2, DRAW, 0);
    log_chunk(2, 2);
    const size_t whole = file.size;
    for (file.size = 0; file.size < whole; file.size++) {
        const char *why = NULL;
        struct trace *trace = trace_open(read_at, NULL, file.size, &why);
        cr_assert(!trace == !!why);
        if (trace)
            order(trace);
        trace_close(trace);
    }
}

Test(trace_file, a_header_that_can_not_be_is_refused_with_a_word)
{
    struct trace_header *header = (struct trace_header *)(void *)file.bytes;
    const char *why;
    begin_file(0);
    header->magic[0] ^= 1;
    cr_assert(!trace_open(read_at, NULL, file.size, &why) && strstr(why, "no trace"));
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
