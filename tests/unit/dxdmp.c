/* DirectX dump files: read as their layout is published, at any length, whoever wrote them
 * [ANN-FILE]. The files are built here byte by byte. */
#include <annot/dxdmp.h>

#include "asserts.h"
#include "dxdmp_file.h"
#include "golden_dumps.h"
#include "guarded.h"
#include "sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(dxdmp, .fini = guarded_expect_nothing_left);

static bool gather(void *user, const void *data, size_t size)
{
    struct file *file = user;
    for (size_t i = 0; i < size; i++)
        put(file, ((const unsigned char *)data)[i], 1);
    return true;
}

static bool has_finding(const annot_dxdmp *dump, const char *name)
{
    annot_dxdmp_finding finding;
    for (size_t i = 0; annot_dxdmp_finding_at(dump, i, &finding); i++)
        if (strcmp(finding.name, name) == 0)
            return true;
    return false;
}

enum { BEGIN = 1, END = 2, DISPATCH = 6, COPY = 9 };

/* ---- reading ---- */

/* The scopes that are open at the count of done operations, named by their contexts, are where the
 * list stopped. */
Test(dxdmp, breadcrumbs_say_where_a_list_stopped)
{
    const uint32_t ops[] = {BEGIN, BEGIN, DISPATCH, END, BEGIN, COPY, DISPATCH, END, END};
    const uint64_t contexts[][2] = {{0, 0x401}, {1, 0x402}, {4, 0x403}};
    struct file file = file_begin(1);
    section(&file, "DRIN", 12);
    put(&file, 4, 4);
    put(&file, 3, 4);
    put(&file, 0x887A0006, 4);
    node(&file, ops, 9, 6, contexts, 3);
    wide(&file, "DRWS", 0x401, "Frame 7");
    wide(&file, "DRWS", 0x402, "Depth");
    wide(&file, "DRWS", 0x403, "Shadows");
    annot_dxdmp *dump = open_file(&file);
    annot_dxdmp_node found;
    cr_assert(annot_dxdmp_node_at(dump, 0, &found));
    cr_assert_eq(found.op_count, 9);
    cr_assert_eq(found.done, 6);
    cr_assert_eq(found.context_count, 3);
    char *text = report_of_file(dump, false, NULL);
    cr_assert(strstr(text, "Frame 7 / Shadows"), "%s", text);
    cr_assert(strstr(text, "7 of 9, Dispatch: not done; 6, CopyResource: done"), "%s", text);
    cr_assert(strstr(text, "list 1 of 1 \"Shadow list\""), "%s", text);
    cr_assert(strstr(text, "queue \"Graphics queue\""), "%s", text);
    cr_assert(strstr(text, "DXGI_ERROR_DEVICE_HUNG"), "%s", text);
    free(text);
    file_end(&file, dump);
}

Test(dxdmp, finished_lists_are_not_called_unfinished)
{
    const uint32_t ops[] = {COPY, DISPATCH};
    struct file file = file_begin(1);
    section(&file, "DRIN", 12);
    put(&file, 4, 8);
    put(&file, 0, 4);
    node(&file, ops, 2, 2, NULL, 0);
    annot_dxdmp *dump = open_file(&file);
    char *text = report_of_file(dump, false, NULL);
    cr_expect(strstr(text, "in or behind submission 1 on queue"), "%s", text);
    cr_expect_null(strstr(text, "not done"));
    free(text);
    file_end(&file, dump);
}

Test(dxdmp, no_room_for_a_name_is_left_alone)
{
    const uint32_t ops[] = {BEGIN, DISPATCH};
    const uint64_t contexts[][2] = {{0, 0x401}};
    const uint64_t keys[2] = {0, 0x401};
    struct file file = file_begin(1);
    node(&file, ops, 2, 1, contexts, 1);
    wide(&file, "DRWS", 0x401, "Frame 7");
    wide(&file, "WSTR", 1, "Game.exe");
    annot_dxdmp *dump = open_file(&file);
    char name[8] = "whole";
    cr_assert_eq(annot_dxdmp_string(dump, 1, name, 0), 0);
    cr_assert_eq(annot_dxdmp_dred_string(dump, keys, name, 0), 0);
    cr_assert_eq(annot_dxdmp_adapter(dump, name, 0), 0);
    cr_assert_str_eq(name, "whole");
    file_end(&file, dump);
}

/* ---- damage ---- */

Test(dxdmp, other_files_are_refused)
{
    annot_dxdmp *dump;
    struct file file = file_begin(1);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, "", 0, &dump), ANNOT_ERROR_NOT_A_DUMP);
    cr_assert_null(dump);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, "MDMP", 4, &dump),
                 ANNOT_ERROR_NOT_A_DUMP);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, file.bytes, 255, &dump),
                 ANNOT_ERROR_NOT_A_DUMP);
    cr_assert(annot_dxdmp_is(file.bytes, 4));
    cr_assert(!annot_dxdmp_is(file.bytes, 3));
    cr_assert(!annot_dxdmp_is(NULL, 4));
    free(file.bytes);
}

/* Larger than the first piece that is read. */
Test(dxdmp, a_file_on_disk_is_read_whole)
{
    static uint32_t ops[5000];
    struct file file = file_begin(1);
    node(&file, ops, 5000, 1, NULL, 0);
    wide(&file, "DRWS", 0x401, "behind it");
    char path[] = "/tmp/dxdmp-XXXXXX";
    const int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    cr_assert_eq(write(descriptor, file.bytes, file.size), (ssize_t)file.size);
    close(descriptor);
    annot_dxdmp *in_memory = open_file(&file), *on_disk = NULL;
    cr_assert_eq(annot_dxdmp_open_file(&guarded_memory, path, &on_disk), ANNOT_OK);
    unlink(path);
    cr_expect(!annot_dxdmp_is_damaged(on_disk));
    char *expected = report_of_file(in_memory, true, NULL);
    char *json = report_of_file(on_disk, true, NULL);
    cr_expect_str_eq(json, expected);
    free(expected);
    free(json);
    annot_dxdmp_close(in_memory);
    file_end(&file, on_disk);
}

/* However large it is: the first piece tells. */
Test(dxdmp, another_file_on_disk_is_not_read_whole)
{
    static const char other[10000];
    annot_reader_desc desc = guarded_memory;
    annot_dxdmp *dump;
    char path[] = "/tmp/dxdmp-XXXXXX";
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, other, sizeof other), (ssize_t)sizeof other);
    close(descriptor);
    desc.file_limit = 9000;
    cr_expect_eq(annot_dxdmp_open_file(&desc, path, &dump), ANNOT_ERROR_NOT_A_DUMP);
    unlink(path);
    errno = 0;
    cr_expect_eq(annot_dxdmp_open_file(&desc, "/tmp", &dump), ANNOT_ERROR_IO);
    cr_expect_eq(errno, EISDIR);
}

/* The result of opening these bytes, as a file on disk or in memory. */
static annot_result open_as(bool is_on_disk, const annot_reader_desc *desc, const void *bytes,
                            size_t size)
{
    char path[] = "/tmp/dxdmp-XXXXXX";
    annot_dxdmp *const untouched = (annot_dxdmp *)(void *)path, *dump = untouched;
    annot_result result;
    if (!is_on_disk) {
        result = annot_dxdmp_open_memory(desc, bytes, size, &dump);
    } else {
        const int descriptor = mkstemp(path);
        cr_assert_geq(descriptor, 0);
        cr_assert_eq(write(descriptor, bytes, size), (ssize_t)size);
        close(descriptor);
        result = annot_dxdmp_open_file(desc, path, &dump);
        unlink(path);
    }
    cr_expect(dump != untouched && (dump != NULL) == (result == ANNOT_OK), "%d", result);
    annot_dxdmp_close(dump);
    return result;
}

Test(dxdmp, what_is_no_such_file_or_too_large_is_refused_in_memory_and_on_disk)
{
    static uint32_t ops[5000];
    struct file file = file_begin(1), bad = file_begin(1);
    annot_reader_desc desc = guarded_memory;
    node(&file, ops, 5000, 1, NULL, 0);
    bad.bytes[0] = 'x';
    for (int is_on_disk = 0; is_on_disk < 2; is_on_disk++) {
        for (size_t size = 0; size < 256; size += is_on_disk ? 51 : 1)
            cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, size), ANNOT_ERROR_NOT_A_DUMP,
                         "%zu bytes", size);
        cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, 256), ANNOT_OK);
        cr_expect_eq(open_as(is_on_disk, &desc, bad.bytes, bad.size), ANNOT_ERROR_NOT_A_DUMP);
        desc.file_limit = file.size;
        cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, file.size), ANNOT_OK);
        desc.file_limit = file.size - 1;
        cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, file.size), ANNOT_ERROR_TOO_LARGE);
        desc.file_limit = 2;
        cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, 3), ANNOT_ERROR_TOO_LARGE);
        desc.file_limit = 0;
        cr_expect_eq(open_as(is_on_disk, &desc, file.bytes, file.size), ANNOT_OK);
        for (int missing = 0; missing < 2; missing++) {
            annot_reader_desc half = desc;
            if (missing)
                half.allocator.allocate = NULL;
            else
                half.allocator.release = NULL;
            cr_expect_eq(open_as(is_on_disk, &half, file.bytes, file.size),
                         ANNOT_ERROR_INVALID_ARGUMENT);
        }
    }
    if (SIZE_MAX > UINT32_MAX) { /* more sections than can be counted */
        annot_dxdmp *dump;
        desc.file_limit = UINT64_MAX;
        cr_expect_eq(annot_dxdmp_open_memory(&desc, file.bytes,
                                             (size_t)(8 * (uint64_t)UINT32_MAX) + 1, &dump),
                     ANNOT_ERROR_TOO_LARGE);
    }
    free(file.bytes);
    free(bad.bytes);
}

Test(dxdmp, where_memory_runs_out_no_file_is_open)
{
    static uint32_t ops[5000];
    struct file file = file_begin(1);
    node(&file, ops, 5000, 1, NULL, 0);
    for (int is_on_disk = 0; is_on_disk < 2; is_on_disk++) {
        unsigned allocation = 0;
        annot_result result;
        do {
            guarded_fail_at(++allocation);
            result = open_as(is_on_disk, &guarded_memory, file.bytes, file.size);
            guarded_fail_at(0);
            cr_expect(result == ANNOT_OK || result == ANNOT_ERROR_OUT_OF_MEMORY, "%d", result);
        } while (result != ANNOT_OK && allocation < 100);
        cr_expect_gt(allocation, is_on_disk ? 7 : 4);
    }
    free(file.bytes);
}

Test(dxdmp, arguments_that_are_missing_are_refused)
{
    struct file file = file_begin(1);
    const struct {
        annot_reader_desc known;
        char more; /* something of a version to come */
    } desc = {guarded_memory, 1};
    annot_dxdmp *dump;
    cr_expect_eq(annot_dxdmp_open_memory(NULL, file.bytes, file.size, NULL),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_open_memory(NULL, NULL, 1, &dump), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_null(dump);
    cr_expect_eq(annot_dxdmp_open_memory(NULL, NULL, 0, &dump), ANNOT_ERROR_NOT_A_DUMP);
    cr_expect_eq(annot_dxdmp_open_memory_sized(&desc.known, sizeof desc, file.bytes, file.size,
                                               &dump),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_open_file(NULL, NULL, &dump), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_open_file(NULL, "/nonexistent", NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_open_file_sized(&desc.known, sizeof desc, "/nonexistent", &dump),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    errno = 0;
    cr_expect_eq(annot_dxdmp_open_file(NULL, "/nonexistent", &dump), ANNOT_ERROR_IO);
    cr_expect_null(dump);
    cr_expect_eq(errno, ENOENT);
    free(file.bytes);
}

/* A memory buffer is as long as it says and as its section is; one without a whole header is of no
 * type, and what follows is read. */
Test(dxdmp, a_memory_buffer_is_as_long_as_it_says_and_as_there_is_room)
{
    enum { ROOM = 12, HEADER = 24 };
    for (unsigned said = 0; said <= ROOM + 2; said++) {
        struct file file = file_begin(1);
        annot_dxdmp_section found;
        section(&file, "Memr", HEADER + ROOM);
        put(&file, code("UmBl"), 8);
        put(&file, said, 8);
        put(&file, 77, 8);
        put(&file, 0, 8);
        put(&file, 0, 4);
        annot_dxdmp *dump = open_file(&file);
        cr_assert(annot_dxdmp_section_at(dump, 0, &found));
        cr_expect_eq(found.size, said < ROOM ? said : ROOM);
        cr_expect_eq(found.key, 77);
        cr_expect_eq(has_finding(dump, "SHORT"), said > ROOM, "%u bytes", said);
        file_end(&file, dump);
    }
    for (unsigned size = 0; size < HEADER; size++) {
        struct file file = file_begin(1);
        annot_dxdmp_section found;
        annot_dxdmp_finding finding;
        section(&file, "Memr", size);
        for (unsigned i = 0; i < size; i++)
            put(&file, 'W', 1);
        section(&file, "SMI0", 56);
        for (unsigned i = 0; i < 56; i++)
            put(&file, 0, 1);
        annot_dxdmp *dump = open_file(&file);
        cr_assert_eq(annot_dxdmp_section_count(dump), 2);
        cr_assert(annot_dxdmp_section_at(dump, 0, &found));
        cr_expect(found.mem_type == 0 && found.size == 0 && found.key == 0, "%u bytes", size);
        cr_expect_leq((const unsigned char *)found.data - file.bytes, 256 + 16 + (ptrdiff_t)size);
        cr_expect(annot_dxdmp_section_at(dump, 1, &found) && found.type == code("SMI0"));
        cr_expect(annot_dxdmp_finding_at(dump, 0, &finding) && strcmp(finding.name, "SHORT") == 0 &&
                  finding.count == 1 && finding.offset == 256);
        file_end(&file, dump);
    }
}

/* Numbers up to 0xFFFF are decimal. */
Test(dxdmp, errors_and_reasons_are_said_in_words)
{
    static const struct {
        uint32_t error, reason;
        const char *words[2];
    } rows[] = {
        {0xFFFF, 0, {"error        65535, ", "S_OK (0x00000000), "}},
        {0x10000, 0x887A0005, {"error        0x10000, ", "DXGI_ERROR_DEVICE_REMOVED ("}},
        {0x10001, 0x887A0006, {"error        0x10001, ", "DXGI_ERROR_DEVICE_HUNG ("}},
        {7, 0x887A0007, {"fault        none; 0x1000, by DRED", "DXGI_ERROR_DEVICE_RESET ("}},
        {9, 0x887A0020, {"GPU PAGE FAULT at 0x1000", "DXGI_ERROR_DRIVER_INTERNAL_ERROR ("}},
        {0, 1, {"error        0, ", "unknown (0x00000001), "}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = file_begin(1);
        for (unsigned k = 0; k < 4; k++)
            file.bytes[24 + k] = (unsigned char)(rows[i].error >> 8 * k);
        section(&file, "DRIN", 12);
        put(&file, 0, 8);
        put(&file, rows[i].reason, 4);
        section(&file, "DRPF", 16);
        put(&file, 0x1000, 8);
        put(&file, 0, 8);
        annot_dxdmp *dump = open_file(&file);
        char *text = report_of_file(dump, false, NULL);
        for (unsigned k = 0; k < 2; k++)
            cr_expect(strstr(text, rows[i].words[k]), "%s: %s", rows[i].words[k], text);
        free(text);
        file_end(&file, dump);
    }
}

/* dxdmp/every_prefix_is_shown: a cut file says so and shows what it has. */
Test(dxdmp, every_prefix_is_shown)
{
    const uint32_t ops[] = {BEGIN, DISPATCH, END};
    const uint64_t contexts[][2] = {{0, 0x401}};
    struct file file = file_begin(1);
    node(&file, ops, 3, 1, contexts, 1);
    wide(&file, "DRWS", 0x401, "Frame 7");
    size_t whole = file.size, border = 256;
    for (size_t size = 256; size <= whole; size++) {
        const size_t next = border + 16 + file.bytes[border + 8];
        border = size == next ? next : border;
        unsigned char *part = malloc(size); /* of its own, so that a sanitizer sees an over-read */
        memcpy(part, file.bytes, size);
        annot_dxdmp *dump;
        cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, part, size, &dump), ANNOT_OK);
        char *text = report_of_file(dump, false, NULL);
        char *json = report_of_file(dump, true, NULL);
        cr_expect_eq(annot_dxdmp_is_damaged(dump), size != border, "cut at %zu", size);
        cr_expect_eq(strstr(text, "\n  file         the file ends inside a section") != NULL,
                     size != border, "cut at %zu", size);
        free(text);
        free(json);
        annot_dxdmp_close(dump);
        free(part);
    }
    free(file.bytes);
}

Test(dxdmp, announced_sizes_are_not_believed)
{
    struct file file = file_begin(1);
    annot_dxdmp_object object;
    memory(&file, "DCQ0", UINT64_MAX, 40);
    for (int i = 0; i < 5; i++)
        put(&file, 1, 8);
    section(&file, "ApDs", UINT64_MAX - 8);
    put(&file, 1, 8);
    annot_dxdmp *dump = open_file(&file);
    cr_assert_eq(annot_dxdmp_object_count(dump), 1);
    cr_assert(annot_dxdmp_object_at(dump, 0, &object));
    cr_assert_eq(annot_dxdmp_finding_count(dump), 3);
    cr_assert(has_finding(dump, "COUNT"));
    cr_assert(has_finding(dump, "CUT"));
    cr_assert(has_finding(dump, "SHORT"));
    cr_assert(annot_dxdmp_is_damaged(dump));
    annot_dxdmp_finding finding;
    char *text = report_of_file(dump, false, NULL), words[256];
    for (size_t i = 0; annot_dxdmp_finding_at(dump, i, &finding); i++) {
        snprintf(words, sizeof words, "\n  file         %s: 1, the first at byte %u\n",
                 finding.text, (unsigned)finding.offset);
        cr_expect(strstr(text, words), "%s: %s", words, text);
    }
    free(text);
    file_end(&file, dump);
}

Test(dxdmp, newer_files_and_unknown_sections_are_no_damage)
{
    struct file file = file_begin(2);
    section(&file, "Zzzz", 8);
    put(&file, 1, 8);
    memory(&file, "Yyyy", 1, 8);
    put(&file, 1, 8);
    wide(&file, "WSTR", 1, "still read");
    annot_dxdmp *dump = open_file(&file);
    annot_dxdmp_section found;
    char name[32];
    cr_assert(has_finding(dump, "VERSION"));
    cr_assert(has_finding(dump, "UNKNOWN"));
    cr_assert(!annot_dxdmp_is_damaged(dump));
    annot_dxdmp_string(dump, 1, name, sizeof name);
    cr_assert_str_eq(name, "still read");
    cr_assert_eq(annot_dxdmp_section_count(dump), 3);
    cr_assert(annot_dxdmp_section_at(dump, 1, &found));
    cr_assert_eq(found.type, code("Memr"));
    cr_assert_eq(found.mem_type, code("Yyyy"));
    cr_assert_eq(found.size, 8);
    file_end(&file, dump);
}

Test(dxdmp, first_of_two_strings_counts)
{
    struct file file = file_begin(1);
    char name[32];
    wide(&file, "WSTR", 1, "first");
    wide(&file, "WSTR", 1, "second");
    annot_dxdmp *dump = open_file(&file);
    annot_dxdmp_string(dump, 1, name, sizeof name);
    cr_assert_str_eq(name, "first");
    cr_assert(has_finding(dump, "REPEATED"));
    cr_assert_eq(annot_dxdmp_string(dump, 1, name, 3), 2);
    cr_assert_str_eq(name, "fi");
    file_end(&file, dump);
}

/* ---- writing ---- */

static void expect_markers(const annot_reader *reader, const annot_dxdmp *dump)
{
    annot_reader_entry entry;
    annot_dxdmp_annotation annotation;
    size_t markers = 0;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++) {
        if (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET)
            continue;
        markers++;
        cr_assert(annot_dxdmp_annotation_find(dump, entry.event_id, &annotation));
        cr_assert_eq(annotation.metadata, entry.metadata);
        cr_assert_eq(annotation.size, entry.stored);
        cr_assert(entry.stored == 0 || memcmp(annotation.data, entry.data, entry.stored) == 0);
    }
    cr_assert_eq(annot_dxdmp_annotation_count(dump), markers);
    cr_assert_eq(annot_dxdmp_owner_count(dump), annot_reader_stream_count(reader));
}

static void expect_names(const annot_reader *reader, const annot_dxdmp *dump)
{
    annot_reader_object object;
    annot_dxdmp_object found;
    char name[1024];
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        size_t k = 0;
        while (annot_dxdmp_object_at(dump, k, &found) && found.address != object.id)
            k++;
        cr_assert(annot_dxdmp_object_at(dump, k, &found));
        size_t size = annot_dxdmp_string(dump, found.name, name, sizeof name);
        cr_assert_eq(size == 0, object.name.size == 0);
    }
}

static void round_trip(const char *name)
{
    struct golden_file golden = golden_read(name, ".annotdmp");
    struct file file = {0};
    annot_report_sink sink = {.user = &file, .write = gather};
    annot_reader *reader;
    const void *inner;
    size_t size;
    annot_reader_open_memory(&guarded_memory, golden.bytes, golden.size, &reader);
    if (reader && annot_reader_finding_count(reader) == 0) {
        cr_assert_eq(annot_dxdmp_write(reader, &sink), ANNOT_OK);
        annot_dxdmp *dump = open_file(&file);
        cr_assert_eq(annot_dxdmp_finding_count(dump), 0, "%s", name);
        annot_reader_device device;
        annot_dxdmp_info info;
        annot_reader_get_device(reader, &device);
        annot_dxdmp_get_info(dump, &info);
        cr_assert_eq(info.has_page_fault, device.fault_count > 0, "%s", name);
        cr_assert_eq(info.time, device.time / 100 * 100, "%s: in units of 100 ns", name);
        expect_markers(reader, dump);
        expect_names(reader, dump);
        cr_assert(annot_dxdmp_inner(dump, &inner, &size));
        cr_assert_eq(size, golden.size);
        cr_assert_arr_eq(inner, golden.bytes, size);
        file_end(&file, dump);
    }
    annot_reader_close(reader);
    free(golden.bytes);
}

/* dxdmp/round_trip: markers, names and the dump itself come back. */
Test(dxdmp, round_trip)
{
    golden_each(round_trip);
}

Test(dxdmp, full_disk_is_told)
{
    struct golden_file golden = golden_read("demo_frame", ".annotdmp");
    unsigned left = 0;
    const annot_report_sink sink = full_sink(&left);
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, golden.bytes, golden.size, &reader),
                 ANNOT_OK);
    cr_assert_eq(annot_dxdmp_write(reader, &sink), ANNOT_ERROR_IO);
    annot_reader_close(reader);
    free(golden.bytes);
}
