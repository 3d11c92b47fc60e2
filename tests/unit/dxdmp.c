/* DirectX dump files: read as their layout is published, at any length, whoever wrote them
 * [ANN-FILE]. The files are built here byte by byte. */
#include <annot/dxdmp.h>

#include "dxdmp_file.h"
#include "golden_dumps.h"
#include "sink.h"

TestSuite(dxdmp, .fini = guarded_expect_nothing_left);

static bool gather(void *user, const void *data, size_t size)
{
    struct file *file = user;
    for (size_t i = 0; i < size; i++)
        put(file, ((const unsigned char *)data)[i], 1);
    return true;
}

enum { BEGIN = 1, END = 2, DISPATCH = 6, COPY = 9 };

/* ---- reading ---- */

/* The scopes that are open at the count of done operations, named by their contexts, are where the
 * list stopped. */
Test(dxdmp, breadcrumbs_say_where_a_list_stopped)
{
    const uint32_t ops[] = {BEGIN, BEGIN, DISPATCH, END, BEGIN, COPY, DISPATCH, END, END};
    const uint64_t contexts[][2] = {{0, 0x401}, {1, 0x402}, {4, 0x403}};
    AT_END(file_end) struct file file = file_begin(1);
    section(&file, "DRIN", 12);
    put(&file, 4, 4);
    put(&file, 3, 4);
    put(&file, 0x887A0006, 4);
    node(&file, ops, 9, 6, contexts, 3);
    wide(&file, "DRWS", 0x401, "Frame 7");
    wide(&file, "DRWS", 0x402, "Depth");
    wide(&file, "DRWS", 0x403, "Shadows");
    AT_END(at_end_free) char *text = report_of_file(&file, false, NULL);
    cr_assert(strstr(text, "Frame 7 / Shadows"), "%s", text);
    cr_assert(strstr(text, "7 of 9 is not done: Dispatch; 6 is done: CopyResource"), "%s", text);
    cr_assert(strstr(text, "list 1 of 1 \"Shadow list\""), "%s", text);
    cr_assert(strstr(text, "queue \"Graphics queue\""), "%s", text);
    cr_assert(strstr(text, "DXGI_ERROR_DEVICE_HUNG"), "%s", text);
}

Test(dxdmp, finished_lists_are_not_called_unfinished)
{
    const uint32_t ops[] = {COPY, DISPATCH};
    AT_END(file_end) struct file file = file_begin(1);
    section(&file, "DRIN", 12);
    put(&file, 4, 8);
    put(&file, 0, 4);
    node(&file, ops, 2, 2, NULL, 0);
    AT_END(at_end_free) char *text = report_of_file(&file, false, NULL);
    cr_expect(strstr(text, "in or after submission 1 on queue"), "%s", text);
    cr_expect_null(strstr(text, "not done"));
}

/* ---- damage ---- */

/* What becomes of these bytes; a refused file gives nothing. */
static annot_result made_of(const annot_reader_desc *desc, const void *bytes, size_t size)
{
    struct kept made = {0};
    const annot_report_sink sink = kept_sink(&made);
    const annot_result result = annot_dxdmp_as_dump(desc, bytes, size, &sink);
    cr_expect_eq(made.size > 0, result == ANNOT_OK, "%d", result);
    free(made.data);
    return result;
}

Test(dxdmp, what_is_no_such_file_or_too_large_is_refused)
{
    AT_END(file_end) struct file file = file_begin(1);
    annot_reader_desc desc = guarded_memory;
    wide(&file, "WSTR", 1, "Game.exe");
    for (size_t size = 0; size < 256; size++)
        cr_expect_eq(made_of(&desc, file.bytes, size), ANNOT_ERROR_NOT_A_DUMP, "%zu bytes", size);
    cr_expect_eq(made_of(&desc, file.bytes, 256), ANNOT_OK);
    cr_assert(annot_dxdmp_is(file.bytes, 4) && !annot_dxdmp_is(file.bytes, 3));
    cr_assert(!annot_dxdmp_is(NULL, 4) && !annot_dxdmp_is("MDMP", 4));
    desc.file_limit = file.size;
    cr_expect_eq(made_of(&desc, file.bytes, file.size), ANNOT_OK);
    desc.file_limit = file.size - 1;
    cr_expect_eq(made_of(&desc, file.bytes, file.size), ANNOT_ERROR_TOO_LARGE);
    desc.file_limit = 2;
    cr_expect_eq(made_of(&desc, file.bytes, 3), ANNOT_ERROR_TOO_LARGE);
    if (SIZE_MAX > UINT32_MAX) { /* more sections than can be counted */
        desc.file_limit = UINT64_MAX;
        cr_expect_eq(made_of(&desc, file.bytes, (size_t)(8 * (uint64_t)UINT32_MAX) + 1),
                     ANNOT_ERROR_TOO_LARGE);
    }
    desc.file_limit = 0;
    desc.allocator.allocate = NULL;
    cr_expect_eq(made_of(&desc, file.bytes, file.size), ANNOT_ERROR_INVALID_ARGUMENT);
    desc.allocator = (annot_allocator){.allocate = guarded_memory.allocator.allocate};
    cr_expect_eq(made_of(&desc, file.bytes, file.size), ANNOT_ERROR_INVALID_ARGUMENT);
    desc = guarded_memory;
    file.bytes[0] = 'x';
    cr_expect_eq(made_of(&desc, file.bytes, file.size), ANNOT_ERROR_NOT_A_DUMP);
}

/* A memory buffer is as long as it says and as its section is; one without a whole header is of no
 * type, and what follows is read. */
Test(dxdmp, a_memory_buffer_is_as_long_as_it_says_and_as_there_is_room)
{
    enum { ROOM = 12, HEADER = 24 };
    for (unsigned said = 0; said <= ROOM + 2; said++) {
        struct file file = file_begin(1);
        section(&file, "Memr", HEADER + ROOM);
        put(&file, code("UmBl"), 8);
        put(&file, said, 8);
        put(&file, 77, 8);
        put(&file, 0, 8);
        put(&file, 0, 4);
        struct dxdmp *model = model_of(&file);
        cr_expect_eq(model->sections[0].size, said < ROOM ? said : ROOM);
        cr_expect_eq(model->sections[0].key, 77);
        cr_expect_eq(model->findings[DXDMP_FINDING_SHORT].count, said > ROOM, "%u bytes", said);
        model_end(model, &file);
    }
    for (unsigned size = 0; size < HEADER; size++) {
        struct file file = file_begin(1);
        section(&file, "Memr", size);
        for (unsigned i = 0; i < size; i++)
            put(&file, 'W', 1);
        section(&file, "SMI0", 56);
        for (unsigned i = 0; i < 56; i++)
            put(&file, 0, 1);
        struct dxdmp *model = model_of(&file);
        cr_assert_eq(model->section_count, 2);
        const struct dxdmp_section *found = &model->sections[0];
        cr_expect(found->type == 0 && found->size == 0 && found->key == 0, "%u bytes", size);
        cr_expect_leq(found->data, 256 + 16 + size);
        cr_expect_eq(model->sections[1].type, code("SMI0"));
        cr_expect_eqs(model->findings[DXDMP_FINDING_SHORT].count, 1,
                      model->findings[DXDMP_FINDING_SHORT].offset, 256);
        model_end(model, &file);
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
        AT_END(file_end) struct file file = file_begin(1);
        for (unsigned k = 0; k < 4; k++)
            file.bytes[24 + k] = (unsigned char)(rows[i].error >> 8 * k);
        section(&file, "DRIN", 12);
        put(&file, 0, 8);
        put(&file, rows[i].reason, 4);
        section(&file, "DRPF", 16);
        put(&file, 0x1000, 8);
        put(&file, 0, 8);
        AT_END(at_end_free) char *text = report_of_file(&file, false, NULL);
        for (unsigned k = 0; k < 2; k++)
            cr_expect(strstr(text, rows[i].words[k]), "%s: %s", rows[i].words[k], text);
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
        const struct file cut = {part, size, size};
        AT_END(at_end_free) char *text = report_of_file(&cut, false, NULL);
        AT_END(at_end_free) char *json = report_of_file(&cut, true, NULL);
        cr_expect_eq(strstr(json, "\"damaged\":true") != NULL, size != border, "cut at %zu", size);
        cr_expect_eq(strstr(text, "\n  file         the file ends inside a section") != NULL,
                     size != border, "cut at %zu", size);
        free(part);
    }
    free(file.bytes);
}

Test(dxdmp, announced_sizes_are_not_believed)
{
    static const char *const said[] = {
        "the file ends inside a section; the rest of it is lost: 1, the first at byte 336",
        "a section is shorter than what it should hold: 1, the first at byte 336",
        "an array announces more elements than its section has: 1, the first at byte 256"};
    AT_END(file_end) struct file file = file_begin(1);
    memory(&file, "DCQ0", UINT64_MAX, 40);
    for (int i = 0; i < 5; i++)
        put(&file, 1, 8);
    section(&file, "ApDs", UINT64_MAX - 8);
    put(&file, 1, 8);
    char *text = report_of_file(&file, false, NULL);
    char *json = report_of_file(&file, true, NULL);
    for (size_t i = 0; i < 3; i++)
        cr_expect(strstr(text, said[i]), "%s: %s", said[i], text);
    cr_expect(strstr(json, "\"damaged\":true"));
    free(text);
    free(json);
    struct kept bytes;
    annot_reader *reader = reader_of_file(&file, &bytes);
    cr_expect_eq(annot_reader_object_count(reader), 1);
    annot_reader_close(reader);
    free(bytes.data);
}

Test(dxdmp, newer_files_and_unknown_sections_are_no_damage_and_the_first_of_two_strings_counts)
{
    static const char *const said[] = {"product      still read\n",
                                       "the file is of a newer version",
                                       "sections of unknown types were skipped: 2,",
                                       "a key came twice; the first one counts: 1,"};
    AT_END(file_end) struct file file = file_begin(2);
    section(&file, "Zzzz", 8);
    put(&file, 1, 8);
    memory(&file, "Yyyy", 1, 8);
    put(&file, 1, 8);
    wide(&file, "WSTR", 1, "still read");
    wide(&file, "WSTR", 1, "second");
    section(&file, "ApDs", 56);
    for (int i = 0; i < 7; i++)
        put(&file, i == 1 ? 1 : UINT64_MAX, 8);
    AT_END(at_end_free) char *text = report_of_file(&file, false, NULL);
    AT_END(at_end_free) char *json = report_of_file(&file, true, NULL);
    for (size_t i = 0; i < 4; i++)
        cr_expect(strstr(text, said[i]), "%s: %s", said[i], text);
    cr_expect(strstr(json, "\"damaged\":false"));
}

/* ---- writing ---- */

static void expect_markers(const annot_reader *reader, const struct dxdmp *model)
{
    annot_reader_entry entry;
    uint32_t markers = 0;
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++) {
        if (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET)
            continue;
        markers++;
        const uint32_t at =
            dxdmp_lower(model->annotations, model->annotation_count, entry.event_id, 0);
        cr_assert_lt(at, model->annotation_count);
        const struct dxdmp_place *place = &model->annotations[at];
        const struct dxdmp_section *payload = dxdmp_buffer(model, code("AADT"), entry.event_id);
        cr_assert(payload && place->key == entry.event_id);
        cr_assert_eq(dxdmp_u32(model, &model->sections[place->kind], 16 * (size_t)place->at + 8),
                     entry.metadata);
        cr_assert_eq(payload->size, entry.stored);
        cr_assert(entry.stored == 0 ||
                  memcmp(model->bytes + payload->data, entry.data, entry.stored) == 0);
    }
    cr_assert_eq(model->annotation_count, markers);
    cr_assert_eq(model->counts[DXDMP_OWNERS], annot_reader_stream_count(reader));
}

static void expect_names(const annot_reader *reader, const struct dxdmp *model)
{
    annot_reader_object object;
    struct dxdmp_object found;
    char name[1024];
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        struct dxdmp_thing thing = {0};
        bool is_found = false;
        while (!is_found && dxdmp_next(model, DXDMP_OBJECTS, &thing)) {
            dxdmp_object_of(model, &thing, &found);
            is_found = found.address == object.id;
        }
        cr_assert_neq(is_found, object.is_destroyed); /* the arrays have what there is */
        if (!is_found)
            continue;
        const size_t size = dxdmp_string(model, thing.section, found.name, name, sizeof name);
        cr_assert_eq(size == 0, object.name.size == 0);
    }
}

static void round_trip(const char *name)
{
    struct golden_file golden = golden_read(name, ".annotdmp");
    struct file file = {0};
    annot_report_sink sink = {.user = &file, .write = gather};
    annot_reader *reader;
    annot_reader_device device;
    annot_reader_open_memory(&guarded_memory, golden.bytes, golden.size, &reader);
    if (reader && annot_reader_finding_count(reader) == 0) {
        cr_assert_eq(annot_dxdmp_write(reader, &sink), ANNOT_OK);
        struct dxdmp *model = model_of(&file);
        cr_assert_eq(findings_of(model), 0, "%s", name);
        annot_reader_get_device(reader, &device);
        cr_assert_eq(dxdmp_first_section(model, code("DRPF")) != NULL, device.fault_count > 0, "%s",
                     name);
        expect_markers(reader, model);
        expect_names(reader, model);
        const struct dxdmp_section *inner = dxdmp_inner(model);
        cr_assert(inner && inner->size == golden.size);
        cr_assert_arr_eq(model->bytes + inner->data, golden.bytes, golden.size);
        model_end(model, &file);
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
