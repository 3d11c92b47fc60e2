/* Traces that are written out of records of others: the file is what docs/TRACE_FORMAT.md says, and
 * reads as what was added [ANN-TRACE-02]. */
#include <capture/trace/schema.h>
#include <capture/trace/write.h>

#include "asserts.h"
#include "at_end.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CLOSE = METHOD_ID3D12GraphicsCommandList_Close };

static char folder[] = "/tmp/trace-writer-XXXXXX";
static char path[sizeof folder + 8];
static struct trace_header like;
static FILE *output;

static void begin(void)
{
    schema_init();
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/trace", folder);
    like = (struct trace_header){.version = TRACE_VERSION,
                                 .header_size = 8192,
                                 .slot_count = 3,
                                 .chunk_size = 4096,
                                 .wchar_size = 2,
                                 .process = 17,
                                 .started = 99,
                                 .memory_watch = TRACE_WATCH_USERFAULTFD,
                                 .runtime = "/runtime",
                                 .program = "/program",
                                 .trimmed_from = 4,
                                 .trimmed_to = 9};
    memcpy(like.magic, TRACE_MAGIC, sizeof like.magic);
}

static void end(void)
{
    remove(path);
    rmdir(folder);
}

TestSuite(trace_writer, .init = begin, .fini = end);

static struct trace_writer *open_it(bool is_plain)
{
    output = fopen(path, "wbx");
    cr_assert(output);
    struct trace_writer *writer = trace_writer_open(output, &like, is_plain);
    cr_assert(writer);
    return writer;
}

static bool close_it(struct trace_writer *writer)
{
    const bool ok = trace_writer_close(writer);
    return fclose(output) == 0 && ok;
}

/* A record whose data is so many bytes of this value. */
static void add(struct trace_writer *writer, uint32_t thread, uint32_t kind, uint64_t call,
                uint8_t value, size_t size)
{
    AT_END(at_end_free) uint8_t *data = malloc(size ? size : 1);
    cr_assert(data);
    memset(data, value, size);
    const struct trace_item item = {.record = {(uint32_t)(sizeof item.record + size), kind, call,
                                               schema_methods[CLOSE].digest, 0},
                                    .thread = thread,
                                    .method = CLOSE,
                                    .data = data,
                                    .size = size};
    cr_assert(trace_writer_add(writer, &item));
}

static uint8_t *read_all(size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    uint8_t *bytes = malloc(*size);
    rewind(file);
    cr_assert(bytes);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static struct trace_chunk chunk_at(const uint8_t *bytes, size_t at)
{
    struct trace_chunk chunk;
    memcpy(&chunk, bytes + at, sizeof chunk);
    return chunk;
}

Test(trace_writer, a_file_without_records_is_a_header_that_was_closed_in_order)
{
    size_t size;
    struct trace_header header;
    cr_assert(close_it(open_it(false)));
    AT_END(at_end_free) uint8_t *bytes = read_all(&size);
    memcpy(&header, bytes, sizeof header);
    cr_expect_eqs(size, 4096, header.file_size, 4096);
    cr_expect(header.header_size == 4096 && header.slot_count == 0 && header.chunk_size == 262144);
    cr_expect(header.is_finished == 1 && memcmp(header.magic, "ANNOTTRC", 8) == 0);
    cr_expect(header.version == 1 && header.wchar_size == 2 && header.process == 17);
    cr_expect_eqs(header.started, 99, header.memory_watch, 1);
    cr_expect_eqs(header.trimmed_from, 4, header.trimmed_to, 9);
    cr_expect(!strcmp(header.runtime, "/runtime") && !strcmp(header.program, "/program"));
}

Test(trace_writer, a_chunk_says_what_is_in_it)
{
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        size_t size;
        struct trace_writer *writer = open_it(is_plain);
        add(writer, 3, RECORD_ENTER, 11, 7, 400);
        add(writer, 3, RECORD_ENTER, 12, 7, 400);
        add(writer, 3, RECORD_LEAVE, 11, 7, 8);
        cr_assert(close_it(writer));
        uint8_t *bytes = read_all(&size);
        const struct trace_chunk c = chunk_at(bytes, 4096);
        cr_expect(c.magic == 0x4b4e4843u && c.state == 3 && c.serial == 1 && c.thread == 3);
        cr_expect(c.first_call == 11 && c.last_call == 12 && c.left == 12);
        cr_expect_eqs(c.used, 3 * 24 + 808, c.codec, is_plain ? 0 : 1);
        cr_expect(is_plain ? c.stored == c.used : c.stored < c.used);
        cr_expect_eq(c.hash, XXH64(bytes + 4160, c.stored, 0));
        cr_expect_eq(size, 4160 + (c.stored + 7) / 8 * 8);
        for (size_t i = 4160 + c.stored; i < size; i++)
            cr_expect_eq(bytes[i], 0);
        free(bytes);
        remove(path);
    }
}

Test(trace_writer, records_read_as_they_were_added)
{
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        static const struct {
            uint32_t thread, kind;
            uint64_t call;
        } expected[] = {{1, RECORD_ENTER, 1}, {2, RECORD_ENTER, 2}, {1, RECORD_CHECK, 3},
                        {1, RECORD_ENTER, 3}, {7, RECORD_ENTER, 4}, {2, RECORD_TEXT, 5}};
        const char *why;
        struct trace_item item;
        struct trace_writer *writer = open_it(is_plain);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            add(writer, expected[i].thread, expected[i].kind, expected[i].call, (uint8_t)i, 16 * i);
        cr_assert(close_it(writer));
        struct trace *trace = trace_open_file(path, &why);
        cr_assert(trace, "%s", why);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            cr_assert(trace_next(trace, &item));
            cr_expect_eqs(item.thread, expected[i].thread, item.record.kind, expected[i].kind);
            cr_expect_eqs(item.record.call, expected[i].call, item.size, 16 * i);
            cr_expect_eq(item.method, CLOSE);
            for (size_t k = 0; k < item.size; k++)
                cr_assert_eq(item.data[k], i);
        }
        cr_expect(!trace_next(trace, &item) && !trace_get_finding(trace, 0));
        cr_expect_eq(trace_get_totals(trace).threads, 3);
        trace_close(trace);
        remove(path);
    }
}

Test(trace_writer, a_chunk_is_no_longer_than_a_slot_and_has_whole_records)
{
    enum { SIZE = 1000, RECORDS = 700 };
    const uint32_t whole = (262144 - 64) / (SIZE + 24); /* records of one chunk */
    size_t size, at = 4096;
    struct trace_writer *writer = open_it(true);
    for (uint64_t i = 1; i <= RECORDS; i++)
        add(writer, 1, RECORD_ENTER, i, 0, SIZE);
    cr_assert(close_it(writer));
    AT_END(at_end_free) uint8_t *bytes = read_all(&size);
    for (uint64_t serial = 1, call = 1; call <= RECORDS; serial++) {
        const struct trace_chunk c = chunk_at(bytes, at);
        const uint64_t left = RECORDS - call + 1, count = left < whole ? left : whole;
        cr_assert_eqs(c.serial, serial, c.used, count * (SIZE + 24));
        cr_assert_eq3(c.first_call, call, c.last_call, call + count - 1, c.thread, 1);
        cr_assert_eq(c.left, c.last_call);
        call += count;
        at += 64 + c.stored;
    }
    cr_expect_eq(at, size);
}

Test(trace_writer, a_chunk_may_be_filled_to_its_last_byte)
{
    size_t size;
    struct trace_writer *writer = open_it(true);
    add(writer, 1, RECORD_ENTER, 1, 1, 16);
    add(writer, 1, RECORD_ENTER, 2, 2, 262144 - 64 - 2 * 24 - 16);
    cr_assert(close_it(writer));
    AT_END(at_end_free) uint8_t *bytes = read_all(&size);
    cr_expect_eq(chunk_at(bytes, 4096).used, 262144 - 64);
    cr_expect_eq(size, 4096 + 262144);
}

Test(trace_writer, a_record_that_no_slot_holds_has_a_chunk_of_its_own)
{
    size_t size;
    struct trace_writer *writer = open_it(true);
    add(writer, 1, RECORD_ENTER, 1, 1, 8);
    add(writer, 1, RECORD_ENTER, 2, 2, 300000);
    add(writer, 1, RECORD_ENTER, 3, 3, 8);
    cr_assert(close_it(writer));
    AT_END(at_end_free) uint8_t *bytes = read_all(&size);
    cr_expect_eq(chunk_at(bytes, 4096).used, 32);
    cr_expect_eq(chunk_at(bytes, 4096 + 64 + 32).used, 300024);
    cr_expect_eq(chunk_at(bytes, 4096 + 64 + 32 + 64 + 300024).used, 32);
    cr_expect_eq(size, 4096 + 3 * 64 + 2 * 32 + 300024);
}

Test(trace_writer, a_call_in_flight_is_named_by_who_reads_it)
{
    const char *why;
    struct trace_item item;
    struct trace_flight flight;
    struct trace_writer *writer = open_it(false);
    const int draw = METHOD_ID3D12GraphicsCommandList_DrawInstanced; /* leaves no record */
    for (uint32_t thread = 1; thread <= 2; thread++) {
        const struct trace_item enter = {.record = {24, RECORD_ENTER, 10 + thread,
                                                    schema_methods[draw].digest, 0},
                                         .thread = thread,
                                         .method = draw,
                                         .data = (const uint8_t *)""};
        cr_assert(trace_writer_add(writer, &enter));
    }
    trace_writer_in_flight(writer, &(struct trace_flight){12, 2, draw});
    trace_writer_in_flight(writer, &(struct trace_flight){99, 1, draw}); /* not in this file */
    cr_assert(close_it(writer));
    struct trace *trace = trace_open_file(path, &why);
    cr_assert(trace, "%s", why);
    while (trace_next(trace, &item))
        ;
    cr_expect(trace_get_flight(trace, 0, &flight) && flight.call == 12 && flight.thread == 2);
    cr_expect_not(trace_get_flight(trace, 1, &flight));
    trace_close(trace);
}

Test(trace_writer, what_could_not_be_written_is_told)
{
    const struct rlimit limit = {8192, 8192};
    struct trace_writer *writer = open_it(true);
    add(writer, 1, RECORD_ENTER, 1, 1, 20000);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_not(trace_writer_close(writer));
    cr_expect_eq(errno, EFBIG);
    fclose(output);
}
