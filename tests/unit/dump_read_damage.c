/* Any bytes give a model, findings or a clear error; damage adds no claims [ANN-CRASH-01, -04,
 * design: reading]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <unistd.h>

static void exercise(const annot_reader *reader)
{
    annot_report_options all = {.all = true, .node_limit = 5000};
    free(report_of(reader, false, NULL));
    free(report_of(reader, false, &all));
    free(report_of(reader, true, &all));
}

/* The bytes lie alone in memory of exactly their size, so that a sanitizer sees any step past their
 * end. */
static annot_reader *open_bytes(const uint8_t *bytes, size_t size, uint8_t **copy,
                                annot_result *result)
{
    annot_reader *reader;
    *copy = malloc(size ? size : 1);
    memcpy(*copy, bytes, size);
    *result = annot_reader_open_memory(NULL, *copy, size, &reader);
    cr_assert_eq(reader != NULL, *result == ANNOT_OK || *result == ANNOT_ERROR_INCOMPLETE);
    return reader;
}

static bool is_damaged_dump(const uint8_t *bytes, size_t size)
{
    uint8_t *copy;
    annot_result result;
    annot_reader *reader = open_bytes(bytes, size, &copy, &result);
    bool is_damaged = !reader || annot_reader_is_damaged(reader);
    if (reader)
        exercise(reader);
    annot_reader_close(reader);
    free(copy);
    return is_damaged;
}

Test(dump_read, a_whole_dump_has_no_finding)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_finding finding;
    bool is_any = annot_reader_finding(reader, 0, &finding);
    cr_expect_not(is_any, "%s", finding.name);
}

Test(dump_read, every_truncation_is_noticed)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    for (size_t size = 0; size < dump.size; size++)
        cr_assert(is_damaged_dump(dump.data, size), "cut at byte %zu of %zu", size, dump.size);
}

/* A read's claim about one marker: its execution by queue, serial and list, the bundle's ordinal,
 * the EventID. */
static bool is_finished_in(const annot_reader *reader, uint64_t queue, uint64_t serial,
                           uint32_t list, uint64_t event_id)
{
    annot_reader_execution execution;
    annot_reader_submission submission;
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_execution_at(reader, i, &execution); i++) {
        annot_reader_submission_at(reader, execution.submission, &submission);
        annot_reader_stream_at(reader, execution.queue, &stream);
        if (stream.object == queue && submission.serial == serial && execution.list == list)
            return annot_reader_state(reader, i, ANNOT_READER_NONE,
                                      annot_reader_entry_find(reader, event_id),
                                      NULL) == ANNOT_STATE_FINISHED;
    }
    return false;
}

static void expect_no_new_claims(const annot_reader *damaged, const annot_reader *whole, size_t at)
{
    annot_reader_execution execution;
    annot_reader_submission submission;
    annot_reader_stream queue, stream;
    annot_reader_entry entry;
    for (uint32_t i = 0; annot_reader_execution_at(damaged, i, &execution); i++) {
        annot_reader_submission_at(damaged, execution.submission, &submission);
        annot_reader_stream_at(damaged, execution.queue, &queue);
        if (!annot_reader_stream_at(damaged, execution.stream, &stream))
            continue;
        for (uint32_t k = 0; k < stream.entry_count; k++) {
            uint32_t index = stream.first_entry + k;
            annot_reader_entry_at(damaged, index, &entry);
            if (annot_reader_entry_find(whole, entry.event_id) == ANNOT_READER_NONE ||
                annot_reader_state(damaged, i, ANNOT_READER_NONE, index, NULL) !=
                    ANNOT_STATE_FINISHED)
                continue;
            cr_assert(is_finished_in(whole, queue.object, submission.serial, execution.list,
                                     entry.event_id),
                      "byte %zu: 0x%llx became finished", at, (unsigned long long)entry.event_id);
        }
    }
}

static void flip_every_byte(uint32_t order_window, uint8_t mask)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    if (order_window) { /* in the dump's first section, so its hash is made new */
        dump_free(&dump);
        dump_start(&dump, ERROR_HUNG, order_window);
        dump_recording(&dump, 1, 100);
        dump_begin(&dump, "a");
        uint64_t b = dump_set(&dump, "b"), c = dump_set(&dump, "c"), d = dump_set(&dump, "d");
        (void)b, (void)c;
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, d, d);
    }
    AT_END(at_end_close) annot_reader *whole = dump_open(&dump, ANNOT_OK);
    AT_END(at_end_free) uint8_t *bytes = malloc(dump.size);
    for (size_t i = 0; i < dump.size; i++) {
        memcpy(bytes, dump.data, dump.size);
        bytes[i] ^= mask;
        AT_END(at_end_free) uint8_t *copy;
        annot_result result;
        AT_END(at_end_close) annot_reader *reader = open_bytes(bytes, dump.size, &copy, &result);
        if (reader) {
            exercise(reader);
            expect_no_new_claims(reader, whole, i);
        }
    }
}

/* ANN-CRASH-05, and the same for damage: nothing becomes finished by a flipped byte. */
Test(dump_read, a_flipped_byte_never_makes_a_marker_finished)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xFF, 0x02, 0x10};
    for (size_t i = 0; i < sizeof masks; i++) {
        flip_every_byte(0, masks[i]);
        flip_every_byte(2, masks[i]);
    }
}

Test(dump_read, flips_of_bytes_that_mean_something_are_noticed)
{
    AT_END(dump_free) struct dump dump;
    size_t noticed = 0;
    dump = dump_frame();
    for (size_t i = 0; i < dump.size; i++) {
        dump.data[i] ^= 0x20;
        noticed += is_damaged_dump(dump.data, dump.size);
        dump.data[i] ^= 0x20;
    }
    /* only padding between a payload and the next section carries nothing: here there is none */
    cr_expect_eq(noticed, dump.size);
}

Test(dump_read, random_bytes_are_survived)
{
    AT_END(dump_free) struct dump dump;
    unsigned seed = 3;
    dump = dump_frame();
    AT_END(at_end_free) uint8_t *bytes = malloc(dump.size);
    for (int round = 0; round < 5000; round++) {
        size_t size = (size_t)rand_r(&seed) % dump.size;
        bool is_all_random = round % 4 == 0;
        memcpy(bytes, dump.data, dump.size);
        for (int k = 0; k < (is_all_random ? (int)size : 1 + round % 30); k++)
            bytes[is_all_random ? (size_t)k : (size_t)rand_r(&seed) % dump.size] =
                (uint8_t)rand_r(&seed);
        if (round % 8 == 0)
            memcpy(bytes, dump.data, 64);
        is_damaged_dump(bytes, is_all_random ? size : dump.size);
    }
}

static size_t find_section(const struct dump *dump, uint32_t index)
{
    for (size_t i = 0; i + 16 <= dump->size; i += 8)
        if (memcmp(dump->data + i, ANNOT__DUMP_SECTION_MAGIC, 8) == 0 &&
            dump->data[i + 12] == index)
            return i;
    cr_assert_fail("no section %u", index);
    return 0;
}

/* design: a reader sees absent, incomplete or valid. */
Test(dump_read, a_dump_without_magic_is_incomplete_and_shown)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    memset(dump.data, 0, 8);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_ERROR_INCOMPLETE);
    cr_expect(annot_reader_is_damaged(reader));
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_INCOMPLETE), 1);
    cr_expect_eq(annot_reader_stop_count(reader), 1);
}

Test(dump_read, what_is_no_dump_is_refused)
{
    static const char text[64] = "Just a text file, and long enough for a header.\n";
    static const uint8_t zeros[64];
    struct dump dump = {.data = (uint8_t *)(uintptr_t)text, .size = sizeof text};
    dump_open(&dump, ANNOT_ERROR_NOT_A_DUMP);
    dump = (struct dump){.data = (uint8_t *)(uintptr_t)zeros, .size = sizeof zeros};
    dump_open(&dump, ANNOT_ERROR_NOT_A_DUMP);
    dump.size = 0;
    dump_open(&dump, ANNOT_ERROR_NOT_A_DUMP);
}

Test(dump_read, a_future_major_version_is_refused)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_NONE, 0);
    dump_finish(&dump);
    dump.data[8] = 2;
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_HEADER), 1, "a wrong hash is damage, no version");
    annot_reader_close(reader);
    dump_sign_header(&dump);
    dump_open(&dump, ANNOT_ERROR_NOT_A_DUMP);
}

/* A section whose size is destroyed must not take its neighbours along. */
Test(dump_read, reading_goes_on_behind_a_section_with_a_broken_header)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    size_t lists = find_section(&dump, 2);
    memset(dump.data + lists + 16, 0xEE, 8);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_submission_count(reader), 4, "the queues are still there");
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_SECTION_CUT), 1);
    cr_expect_neq(annot_reader_entry_find(reader, 0x500000010), ANNOT_READER_NONE, "and the list");
}

Test(dump_read, a_missing_section_is_a_finding_and_its_followers_are_shown)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    size_t from = find_section(&dump, 2), to = find_section(&dump, 3);
    memmove(dump.data + from, dump.data + to, dump.size - to);
    dump.size -= to - from;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_SECTION_MISSING), 1);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_RECORDING_MISSING), 4);
    cr_expect_eq(annot_reader_submission_count(reader), 4);
    exercise(reader);
}

Test(dump_read, a_section_that_comes_twice_counts_once)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    size_t from = find_section(&dump, 2), to = find_section(&dump, 3);
    AT_END(at_end_free) uint8_t *bytes = malloc(dump.size + to - from);
    memcpy(bytes, dump.data, to);
    memcpy(bytes + to, dump.data + from, dump.size - from);
    struct dump twice = {.data = bytes, .size = dump.size + to - from};
    AT_END(at_end_close) annot_reader *reader = dump_open(&twice, ANNOT_OK);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_SECTION_REPEATED), 1);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_EVENT_ID_REPEATED), 0);
}

/* A writer is free to give EventIDs in any order; one that lies in the range of others is found
 * beside them. */
Test(dump_read, event_ids_are_found_in_whatever_order_they_come)
{
    static const unsigned orders[][6] = {
        {0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {0, 2, 1, 5, 3, 4}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        uint64_t base = dump.next_event, ids[6];
        for (unsigned i = 0; i < 6; i++) {
            dump.next_event = base + orders[o][i];
            ids[i] = dump_set(&dump, "x");
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_EVENT_ID_REPEATED), 0);
        for (uint32_t i = 0; i < 6; i++)
            cr_expect_eq(annot_reader_entry_find(reader, ids[i]), i);
        cr_expect_eq(annot_reader_entry_find(reader, base + 6), ANNOT_READER_NONE);
        cr_expect_eq(annot_reader_entry_find(reader, base - 1), ANNOT_READER_NONE);
    }
}

/* Forward compatibility: more fields, unknown records, unknown sections. */
Test(dump_read, a_newer_minor_version_is_read_as_far_as_it_is_known)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    uint8_t wide[ANNOT__DUMP_RECORDING_FIXED + 24] = {0};
    wide[0] = 1, wide[8] = 100;
    dump_section(&dump, 77);
    dump_record(&dump, 500, "x", 1, "y", 1);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_record(&dump, ANNOT__DUMP_RECORDING, wide, sizeof wide, NULL, 0);
    dump_record(&dump, 900, NULL, 0, "new", 3);
    uint64_t id = dump_set(&dump, "known");
    dump_record(&dump, ANNOT__DUMP_SET, "\x01\x02\x03\x04\x05\x06\x07\x00", 8, NULL, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_neq(annot_reader_entry_find(reader, id), ANNOT_READER_NONE);
    cr_expect_neq(annot_reader_entry_find(reader, 0x07060504030201), ANNOT_READER_NONE,
                  "a record with fewer fields");
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_NEWER), 2);
}

/* ---- memory ---- */

struct meter {
    uint64_t calls, fail_at, live, peak;
};

static void *meter_allocate(void *user, size_t size, size_t alignment)
{
    struct meter *meter = user;
    cr_assert(alignment <= _Alignof(max_align_t));
    if (++meter->calls == meter->fail_at)
        return NULL;
    meter->live += size;
    meter->peak = meter->live > meter->peak ? meter->live : meter->peak;
    return malloc(size);
}

static void meter_release(void *user, void *memory, size_t size)
{
    ((struct meter *)user)->live -= size;
    free(memory);
}

static bool discard(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return true;
}

Test(dump_read, every_failing_allocation_is_survived)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    annot_report_sink sink = {.write = discard};
    uint64_t failures = 0;
    for (uint64_t n = 1;; n++) {
        struct meter meter = {.fail_at = n};
        annot_reader_desc desc = {.allocator = {&meter, meter_allocate, meter_release}};
        annot_reader *reader;
        annot_result result = annot_reader_open_memory(&desc, dump.data, dump.size, &reader);
        if (result == ANNOT_OK)
            result = annot_report_text(reader, NULL, &sink);
        if (result == ANNOT_OK)
            result = annot_report_json(reader, NULL, &sink);
        annot_reader_close(reader);
        cr_assert_eq(meter.live, 0, "allocation %llu fails: a leak", (unsigned long long)n);
        if (meter.calls < n)
            break;
        cr_assert_eq(result, ANNOT_ERROR_OUT_OF_MEMORY, "allocation %llu", (unsigned long long)n);
        failures++;
    }
    cr_expect(failures > 15, "only %llu allocations", (unsigned long long)failures);
}

Test(dump_read, limits_are_kept)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    for (uint64_t limit = 1; limit < 20000; limit += 97) {
        struct meter meter = {0};
        annot_reader_desc desc = {.allocator = {&meter, meter_allocate, meter_release},
                                  .memory_limit = limit};
        AT_END(at_end_close) annot_reader *reader;
        annot_result result = annot_reader_open_memory(&desc, dump.data, dump.size, &reader);
        cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_TOO_LARGE);
        cr_assert(meter.peak <= limit + 8192, "limit %llu, peak %llu", (unsigned long long)limit,
                  (unsigned long long)meter.peak);
    }
    annot_reader_desc desc = {.file_limit = dump.size - 1};
    annot_reader *reader;
    cr_expect_eq(annot_reader_open_memory(&desc, dump.data, dump.size, &reader),
                 ANNOT_ERROR_TOO_LARGE);
}

Test(dump_read, blobs_are_put_together_from_their_pieces)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    struct annot__dump_BLOB piece = {.metadata = 5, .offset = 0, .size = 8, .kind = 2};
    dump_put_BLOB(&dump, &piece, "abc", 3);
    piece.offset = 5;
    dump_put_BLOB(&dump, &piece, "fgh", 3);
    piece.offset = UINT64_MAX - 1;
    dump_put_BLOB(&dump, &piece, "zzz", 3);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char bytes[16] = "----------";
    cr_assert_eq(annot_reader_blob_count(reader), 1);
    cr_expect_eq(annot_reader_blob_read(reader, 0, 1, bytes, sizeof bytes), 7);
    cr_expect_arr_eq(bytes, "bc\0\0fgh---", 10);
    cr_expect_eq(annot_reader_blob_read(reader, 1, 0, bytes, sizeof bytes), 0, "there is one");
    for (size_t offset = 0; offset < 10; offset++)
        for (size_t capacity = 0; capacity < 10; capacity++) {
            const size_t left = offset < 8 ? 8 - offset : 0;
            const size_t expected = capacity < left ? capacity : left;
            memset(bytes, '-', sizeof bytes);
            cr_expect_eq(annot_reader_blob_read(reader, 0, offset, bytes, capacity), expected,
                         "%zu bytes at %zu", capacity, offset);
            cr_expect_arr_eq(bytes, &"abc\0\0fgh"[offset < 8 ? offset : 8], expected);
            for (size_t i = expected; i < sizeof bytes; i++)
                cr_expect_eq(bytes[i], '-', "%zu bytes at %zu: byte %zu", capacity, offset, i);
        }
}

static bool is_damaged_stream(const annot_reader *reader, uint64_t event_id)
{
    annot_reader_entry entry;
    annot_reader_stream stream;
    cr_assert(annot_reader_entry_at(reader, annot_reader_entry_find(reader, event_id), &entry) &&
              annot_reader_stream_at(reader, entry.stream, &stream));
    return stream.is_damaged;
}

/* The recording that the file ends in may have had more. */
Test(dump_read, the_recording_that_a_cut_ends_in_is_damaged)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t first = dump_set(&dump, "first");
    dump_recording(&dump, 2, 101);
    const uint64_t second = dump_set(&dump, "second");
    dump_finish(&dump);
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        dump.size -= (size_t)is_cut; /* the mark of the end */
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_not(is_damaged_stream(reader, first));
        cr_expect_eq(is_damaged_stream(reader, second), is_cut);
    }
}

/* Behind a gap nobody knows whose the records are: they must not join the list before it. */
Test(dump_read, records_behind_a_gap_join_no_list)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t kept = dump_set(&dump, "kept");
    dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(&dump, 2, 101);
    dump_set(&dump, "lost");
    dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    uint64_t orphan = dump_set(&dump, "of the second list");
    dump_recording(&dump, 3, 102);
    uint64_t third = dump_set(&dump, "of the third list");
    dump_finish(&dump);
    size_t from = find_section(&dump, 2), to = find_section(&dump, 3);
    memmove(dump.data + from, dump.data + to, dump.size - to);
    dump.size -= to - from;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_neq(annot_reader_entry_find(reader, kept), ANNOT_READER_NONE);
    cr_expect_eq(annot_reader_entry_find(reader, orphan), ANNOT_READER_NONE);
    cr_expect_neq(annot_reader_entry_find(reader, third), ANNOT_READER_NONE);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_RECORD_ORPHAN), 1);
    cr_expect(is_damaged_stream(reader, kept), "the gap may have had more of it");
    cr_expect_not(is_damaged_stream(reader, third));
}

Test(dump_read, a_file_reads_like_memory_and_leaves_nothing_behind)
{
    AT_END(dump_free) struct dump dump;
    char path[] = "/tmp/annot-dump-read-XXXXXX";
    dump = dump_frame();
    int file = mkstemp(path);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, dump.data, dump.size), (ssize_t)dump.size);
    close(file);
    struct meter meter = {0};
    annot_reader_desc desc = {.allocator = {&meter, meter_allocate, meter_release}};
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_file(&desc, path, &reader), ANNOT_OK);
    cr_expect_eq(annot_reader_stop_count(reader), 1);
    annot_reader_close(reader);
    cr_expect_eq(meter.live, 0);
    desc.file_limit = dump.size;
    cr_expect_eq(annot_reader_open_file(&desc, path, &reader), ANNOT_OK);
    annot_reader_close(reader);
    desc.file_limit = dump.size - 1;
    cr_expect_eq(annot_reader_open_file(&desc, path, &reader), ANNOT_ERROR_TOO_LARGE);
    cr_expect_eq(meter.live, 0);
    unlink(path);
}

/* The bytes lie in a pipe, of which nobody knows the size, or in a file. */
static annot_result open_stored(const void *bytes, size_t size, bool is_pipe, annot_reader **reader)
{
    char path[64] = "/tmp/annot-dump-read-XXXXXX";
    int ends[2];
    if (is_pipe)
        cr_assert_eq(pipe(ends), 0);
    else
        ends[0] = ends[1] = mkstemp(path);
    cr_assert_eq(write(ends[1], bytes, size), (ssize_t)size);
    if (is_pipe) {
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    }
    const annot_result result = annot_reader_open_file(NULL, path, reader);
    close(ends[0]);
    if (!is_pipe)
        unlink(path);
    return result;
}

Test(dump_read, files_and_pipes_of_any_size_are_read_to_their_end)
{
    static unsigned char blob[9000], copy[sizeof blob];
    for (size_t i = 0; i < sizeof blob; i++)
        blob[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t size = 3600; size < sizeof blob; size += size == 4200 ? 3400 : 8) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add_with(&dump, BLOB, blob, size, .metadata = 5, .size = size, .kind = 2);
        dump_finish(&dump);
        for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
            AT_END(at_end_close) annot_reader *reader;
            cr_assert_eq(open_stored(dump.data, dump.size, is_pipe, &reader), ANNOT_OK, "%zu",
                         size);
            cr_expect_eq(annot_reader_blob_read(reader, 0, 0, copy, sizeof copy), size);
            cr_expect_arr_eq(copy, blob, size);
        }
    }
}

Test(dump_read, short_files_are_refused_as_short_memory_is)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    for (size_t size = 0; size < 96; size++)
        for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
            AT_END(at_end_close) annot_reader *reader, *other;
            const annot_result expected = annot_reader_open_memory(NULL, dump.data, size, &other);
            cr_expect_eq(open_stored(dump.data, size, is_pipe, &reader), expected, "%zu", size);
        }
}
