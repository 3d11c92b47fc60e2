/* Dumps in files: what a reader makes of files of any kind, and memory that fails at any time while
 * one is opened [annot/reader_model.h]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <fcntl.h>
#include <unistd.h>

/* ---- memory ---- */

struct counted {
    uint64_t calls, fail_at;
    size_t live;
    size_t sizes[8]; /* of the first ones */
};

static void *counted_allocate(void *user, size_t size, size_t alignment)
{
    struct counted *counted = user;
    cr_assert_gt(size, 0);
    if (++counted->calls == counted->fail_at)
        return NULL;
    counted->live += size;
    if (counted->calls <= 8)
        counted->sizes[counted->calls - 1] = size;
    return guarded_memory.allocator.allocate(guarded_memory.allocator.user, size, alignment);
}

static void counted_release(void *user, void *memory, size_t size)
{
    ((struct counted *)user)->live -= size;
    guarded_memory.allocator.release(guarded_memory.allocator.user, memory, size);
}

/* Everything comes in descending order, so that every index has to be sorted, and some EventIDs
 * twice, so that their runs are split. */
static void put_everything_backwards(struct dump *dump)
{
    enum { MANY = 9 };
    dump_start(dump, ERROR_HUNG, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    for (uint32_t i = MANY; i > 0; i--) {
        dump_put_KIND(dump, &(struct annot__dump_KIND){i}, "kind", 4);
        dump_object(dump, 100 + i, 22, "object");
        dump_put_SHADER(dump, &(struct annot__dump_SHADER){.object = 100 + i}, NULL, 0);
        dump_put_RESOURCE(dump, &(struct annot__dump_RESOURCE){.object = 100 + i}, NULL, 0);
        dump_put_FACT(dump, &(struct annot__dump_FACT){1, 1}, "kv", 2);
    }
    for (uint32_t i = MANY; i > 0; i--) {
        dump_recording(dump, i, 100 + i);
        dump->next_event = (uint64_t)i << 40 | 16;
        dump_begin(dump, "scope");
        dump_put_OPERATION(dump, &(struct annot__dump_OPERATION){.number = i}, NULL, 0);
        if (i > 1)
            dump_bundle(dump, 1, i - 1, 100 + i - 1);
        dump_set(dump, "marker");
        if (i % 4 == 0)
            dump->next_event -= 16;
        dump_set(dump, "again");
    }
    for (uint32_t i = MANY; i > 0; i--) {
        dump_queue(dump, 200 + i, 2, 0);
        dump_end(dump);
        dump_submit(dump, 1, 2, (uint64_t[]){i, MANY + 1 - i});
        dump_submit(dump, 2, 1, (uint64_t[]){i});
        dump_put_NAME(dump, &(struct annot__dump_NAME){4, 0xFFFFFFFF, 2}, "name", 4);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint32_t i = MANY; i > 0; i--) {
        dump_row(dump, 200 + i, 1, 1, 0, STARTED, 0, 0);
        dump_row(dump, 200 + i, 1, 0, 0, STARTED, 0, 0);
        dump_put_BLOB(dump, &(struct annot__dump_BLOB){.size = 1, .kind = 2, .index = i}, "b", 1);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = MANY; i > 0; i--) {
        dump_add(dump, CRUMBS, 200 + i, 1, i, i % 2, 0, 5, 2, 3, 0);
        dump_put_OPS(dump, &(struct annot__dump_OPS){i, 0}, "\1\1\1\3\3", 5);
        dump_put_RANGE(dump, &(struct annot__dump_RANGE){.address = i}, NULL, 0);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    for (uint32_t i = MANY; i > 0; i--) {
        dump_put_SUBMITTED(dump, &(struct annot__dump_SUBMITTED){.queue = 200 + i}, NULL, 0);
        dump_put_HISTORY(dump, &(struct annot__dump_HISTORY){.queue = 200 + i}, NULL, 0);
        dump_put_CLOCK(dump, &(struct annot__dump_CLOCK){i, i, 1}, NULL, 0);
    }
    dump_finish(dump);
}

Test(dump_files, memory_may_fail_at_any_time_of_opening)
{
    AT_END(dump_free) struct dump dump;
    uint64_t failures = 0;
    bool has_failed = true;
    put_everything_backwards(&dump);
    for (uint64_t n = 1; has_failed; n++) {
        struct counted counted = {.fail_at = n};
        const annot_reader_desc desc = {.allocator = {&counted, counted_allocate, counted_release}};
        annot_reader *reader = (annot_reader *)&counted;
        const annot_result result = annot_reader_open_memory(&desc, dump.data, dump.size, &reader);
        has_failed = counted.calls >= n;
        failures += has_failed;
        cr_assert_eq(result, has_failed ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_OK, "allocation %u",
                     (unsigned)n);
        cr_assert_eq(reader != NULL, !has_failed);
        annot_reader_close(reader);
        cr_assert_eq(counted.live, 0, "a leak when allocation %u fails", (unsigned)n);
    }
    cr_expect_gt(failures, 40);
}

/* ---- files ---- */

static void write_file(char *path, const void *data, size_t size)
{
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    for (size_t at = 0; at < size;) {
        const ssize_t written = write(file, (const char *)data + at, size - at);
        cr_assert_gt(written, 0);
        at += (size_t)written;
    }
    close(file);
}

/* Larger and larger ones: in each, memory may fail and limits may be met. */
Test(dump_files, a_file_is_read_within_memory_and_limits)
{
    static const size_t sizes[] = {1000, 4096 - 700, 5000, 70000, 200000};
    static uint8_t blob[200000];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char path[] = "/tmp/annot-dump-files-XXXXXX";
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add_with(&dump, BLOB, blob, sizes[s], .size = sizes[s], .kind = 2);
        dump_finish(&dump);
        write_file(path, dump.data, dump.size);
        bool has_failed = true;
        for (uint64_t n = 1; has_failed; n++) {
            struct counted counted = {.fail_at = n};
            const annot_reader_desc desc = {
                .allocator = {&counted, counted_allocate, counted_release}};
            annot_reader *reader;
            const annot_result result = annot_reader_open_file(&desc, path, &reader);
            has_failed = counted.calls >= n;
            cr_assert_eq(result, has_failed ? ANNOT_ERROR_OUT_OF_MEMORY : ANNOT_OK, "%zu, %u",
                         sizes[s], (unsigned)n);
            if (result == ANNOT_OK)
                cr_expect_eq(annot_reader_blob_count(reader), 1);
            annot_reader_close(reader);
            cr_assert_eq(counted.live, 0, "%zu, %u", sizes[s], (unsigned)n);
        }
        for (uint64_t limit = dump.size - 2; limit <= dump.size + 2; limit++) {
            const annot_reader_desc desc = {.allocator = guarded_memory.allocator,
                                            .file_limit = limit};
            AT_END(at_end_close) annot_reader *reader;
            const annot_result expected = limit < dump.size ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK;
            cr_expect_eq(annot_reader_open_file(&desc, path, &reader), expected);
            annot_reader_close(reader);
            cr_expect_eq(annot_reader_open_memory(&desc, dump.data, dump.size, &reader), expected);
        }
        const annot_reader_desc small = {.allocator = guarded_memory.allocator,
                                         .memory_limit = dump.size / 2};
        annot_reader *reader;
        cr_expect_eq(annot_reader_open_file(&small, path, &reader), ANNOT_ERROR_TOO_LARGE);
        cr_expect_null(reader);
        unlink(path);
    }
}

/* A file's memory is as much as the system says that it has, and a byte in which its end shows; a
 * pipe's grows. The first part is small, to turn other files down by. */
Test(dump_files, a_file_takes_the_memory_that_it_needs)
{
    static uint8_t bytes[140000];
    static const struct {
        size_t size, limit, taken[4];
        bool is_pipe;
    } rows[] = {{4088, 0, {4096}, false},
                {4096, 0, {4096, 8192}, false},
                {8184, 0, {4096, 8192}, false},
                {8192, 0, {4096, 8193}, false},
                {70000, 0, {4096, 70001}, false},
                {70000, 70000, {4096, 70001}, false},
                {70000, 69992, {4096}, false},
                {70000, 50, {4096}, false},
                {4088, 0, {4096}, true},
                {4096, 0, {4096, 65536}, true},
                {70000, 0, {4096, 65536, 131072}, true},
                {70000, 65536, {4096, 65536, 131072}, true},
                {70000, 65535, {4096, 65536}, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        char path[64] = "/tmp/annot-dump-files-XXXXXX";
        int ends[2];
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_put_BLOB(&dump, &(struct annot__dump_BLOB){.size = 5}, bytes, 8);
        const size_t more = rows[i].size - dump.size - 8 - 64; /* a record and the END section */
        dump_record(&dump, 999, NULL, 0, bytes, more);
        dump_finish(&dump);
        cr_assert_eq(dump.size, rows[i].size, "%zu", dump.size);
        if (rows[i].is_pipe) {
            cr_assert_eq(pipe(ends), 0);
            cr_assert_geq(fcntl(ends[1], F_SETPIPE_SZ, 1 << 17), 1 << 17);
            cr_assert_eq(write(ends[1], dump.data, dump.size), (ssize_t)dump.size);
            close(ends[1]);
            snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        } else {
            write_file(path, dump.data, dump.size);
        }
        struct counted counted = {0};
        const annot_reader_desc desc = {.allocator = {&counted, counted_allocate, counted_release},
                                        .file_limit = rows[i].limit};
        annot_reader *reader;
        const bool is_read = rows[i].limit == 0 || rows[i].limit >= rows[i].size;
        cr_expect_eq(annot_reader_open_file(&desc, path, &reader),
                     is_read ? ANNOT_OK : ANNOT_ERROR_TOO_LARGE, "row %zu", i);
        for (size_t k = 0; k < 4 && rows[i].taken[k] > 0; k++)
            cr_expect_eq(counted.sizes[1 + k], rows[i].taken[k], "row %zu: %zu", i,
                         counted.sizes[1 + k]);
        const uint64_t taken = 1u + (rows[i].taken[1] > 0) + (rows[i].taken[2] > 0);
        struct counted known = {0}; /* where the bytes are there already */
        const annot_reader_desc other = {.allocator = {&known, counted_allocate, counted_release}};
        annot_reader *same;
        cr_expect_eq(annot_reader_open_memory(&other, dump.data, dump.size, &same), ANNOT_OK);
        cr_expect_eq(counted.calls, taken + (is_read ? known.calls : 1), "row %zu", i);
        annot_reader_close(same);
        annot_reader_close(reader);
        cr_expect_eq(counted.live, 0);
        if (rows[i].is_pipe)
            close(ends[0]);
        else
            unlink(path);
    }
}

/* Other files are turned down by their beginning, however long they are; a folder can't be read. */
Test(dump_files, what_is_no_dump_is_refused_by_its_beginning)
{
    const annot_reader_desc desc = {.allocator = guarded_memory.allocator, .file_limit = 100000};
    annot_reader *reader = (annot_reader *)(uintptr_t)&desc;
    cr_expect_eq(annot_reader_open_file(&desc, "/dev/zero", &reader), ANNOT_ERROR_NOT_A_DUMP);
    cr_expect_null(reader);
    struct counted counted = {0};
    const annot_reader_desc counting = {.allocator = {&counted, counted_allocate, counted_release}};
    cr_expect_eq(annot_reader_open_file(&counting, "/dev/zero", &reader), ANNOT_ERROR_NOT_A_DUMP);
    cr_expect_eq(counted.calls, 2, "the reader, and the first part");
    const annot_reader_desc half = {.allocator = {&counted, counted_allocate, NULL}};
    cr_expect_eq(annot_reader_open_file(&half, "/dev/zero", &reader), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_reader_open_memory(&half, "ANNOTDMP", 8, &reader),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(reader);
    cr_expect_eq(annot_reader_open_file(&desc, "/dev/null", &reader), ANNOT_ERROR_NOT_A_DUMP);
    cr_expect_eq(annot_reader_open_file(&desc, "/tmp", &reader), ANNOT_ERROR_IO);
    cr_expect_eq(annot_reader_open_file(&desc, "/nonexistent/x", &reader), ANNOT_ERROR_IO);
    cr_expect_null(reader);
    guarded_expect_nothing_left();
}
