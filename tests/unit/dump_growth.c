/* The format grows [docs/DUMP_FORMAT.md]: a reader skips sections, records and fields that it
 * doesn't know, whatever their number and wherever they stand, and shows the rest as if they were
 * not there. */
#include "dump_builder.h"
#include "golden_dumps.h"
#include "unit_kit.h"

#include "dump/dump_section.h"

static const uint32_t unknown_kinds[] = {0, 57, 64, 77, 255, 256, 0x10003, 0xFFFFFFFF};

enum { KINDS = sizeof unknown_kinds / sizeof *unknown_kinds };

/* The report without the line that counts what is newer. */
static char *without_newer(char *report)
{
    char *line = strstr(report, "of a newer format were skipped");
    if (!line)
        return report;
    char *start = line;
    while (start > report && start[-1] != '\n')
        start--;
    char *end = strchr(line, '\n');
    memmove(start, end + 1, strlen(end + 1) + 1);
    return report;
}

static void put_unknown(struct dump *dump, uint32_t kind)
{
    if (kind == 0xFFFFFFFE) /* none */
        return;
    dump_new_section(dump, kind);
    dump_record(dump, 9999, "fixed", 5, "variable", 8);
    dump_record(dump, ANNOT__DUMP_SET, "\x99\x99\x99\x99\x99\x99\x99\x99", 8, NULL, 0);
    dump->markers--; /* whatever it is there, it is no marker */
}

/* A list and a queue over two sections each, with an unknown section in between. */
static char *report_around(uint32_t kind)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    put_unknown(&dump, kind);
    dump_object(&dump, 21, 19, "Graphics");
    put_unknown(&dump, kind);
    dump_recording(&dump, 1, 100);
    uint64_t scope = dump_begin(&dump, "Frame");
    put_unknown(&dump, kind);
    dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    uint64_t done = dump_set(&dump, "sky");
    dump_queue(&dump, 21, 1, 0);
    dump_begin(&dump, "Queue scope");
    put_unknown(&dump, kind);
    put_unknown(&dump, kind);
    dump_new_section(&dump, ANNOT__DUMP_SECTION_QUEUES);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_row(&dump, 21, 1, 0, 0, STARTED, done, 0);
    put_unknown(&dump, kind);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect(!annot_reader_is_damaged(reader), "kind %u", kind);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_NEWER), kind == 0xFFFFFFFE ? 0 : 6, "kind %u",
                 kind);
    cr_expect_neq(annot_reader_entry_find(reader, scope), ANNOT_READER_NONE);
    cr_expect_neq(annot_reader_entry_find(reader, done), ANNOT_READER_NONE);
    char *report = report_of(reader, false, &(annot_report_options){.all = true});
    annot_reader_close(reader);
    dump_free(&dump);
    return report;
}

Test(dump_growth, a_section_of_any_unknown_number_changes_nothing_else)
{
    AT_END(at_end_free) char *expected = report_around(0xFFFFFFFE);
    for (unsigned i = 0; i < KINDS; i++) {
        AT_END(at_end_free) char *report = without_newer(report_around(unknown_kinds[i]));
        cr_expect_str_eq(report, expected, "kind %u", unknown_kinds[i]);
    }
}

/* Its kind is not known, so it may have been part of the list around it: nothing is claimed there.
 */
Test(dump_growth, a_damaged_section_of_unknown_kind_breaks_the_stream_around_it)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "Frame");
    dump_new_section(&dump, 77);
    size_t at = dump.size;
    dump_record(&dump, ANNOT__DUMP_SET, "lost", 4, NULL, 0);
    dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_set(&dump, "behind");
    dump_end(&dump);
    dump_finish(&dump);
    dump.data[at + 9] ^= 1;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stream stream = dump_stream_at(reader, 0);
    cr_expect(stream.is_damaged);
}

/* ---- later files ---- */

#define KNOWN_SIZE(name, kind, doc, variable) [kind] = ANNOT__DUMP_##name##_FIXED,
static const uint16_t known_sizes[] = {ANNOT__DUMP_RECORDS(KNOWN_SIZE)};

/* The fixed part as this version would have written it: fields that the file is too old for have
 * the value that their absence means. Returns its size. */
static size_t complete_fixed(const struct annot__record_view *record, uint8_t fixed[256])
{
    size_t size = record->fixed.size, known = known_sizes[record->kind];
    memset(fixed, 0, 256);
    memcpy(fixed, record->fixed.data, size);
    if (record->kind == ANNOT__DUMP_PROGRESS && size == ANNOT__DUMP_PROGRESS_WITHOUT_INSIDE) {
        static const uint8_t none[16];
        bool names_marker = memcmp(fixed + 16, none, sizeof none) != 0;
        fixed[ANNOT__DUMP_PROGRESS_WITHOUT_INSIDE] = names_marker ? ANNOT_INSIDE_TRACKED : 0;
    }
    return size > known ? size : known;
}

/* Copies the sections of a whole dump into one that a later version might have written: every fixed
 * part has fields more, behind each record stands one of an unknown kind, behind each section one
 * of an unknown kind. */
static void write_later(struct dump *later, struct annot__bytes file)
{
    struct annot__section_walk walk;
    struct annot__section section;
    dump_start(later, ERROR_NONE, 0);
    later->size = ANNOT__DUMP_HEADER_SIZE; /* the header stays, the builder's own records go */
    later->section = later->index = 0;
    later->records = later->markers = 0;
    later->data[10] = 9; /* minor version */
    dump_sign_header(later);
    annot__section_walk_init(&walk, file, ANNOT__DUMP_HEADER_SIZE, NULL);
    while (annot__section_walk_next(&walk, &section) && section.kind != ANNOT__DUMP_SECTION_END) {
        struct annot__record_walk records;
        struct annot__record_view record;
        dump_new_section(later, section.kind);
        annot__record_walk_init(&records, file, &section);
        while (annot__record_walk_next(&records, &record)) {
            uint8_t fixed[256];
            size_t size = complete_fixed(&record, fixed);
            memset(fixed + size, 0x5A, 12);
            dump_record(later, record.kind, fixed, size + 12, record.variable.data,
                        record.variable.size);
            dump_record(later, 9999, "field", 5, "what is it", 10);
        }
        put_unknown(later, 57);
    }
    dump_finish(later);
}

static void expect_the_same_report(const char *name)
{
    struct golden_file golden = golden_read(name, ".annotdmp"),
                       expected = golden_read(name, ".txt");
    struct annot__bytes file = {golden.bytes, golden.size};
    annot_reader *reader;
    annot_reader_open_memory(&guarded_memory, golden.bytes, golden.size, &reader);
    bool is_damaged = annot_reader_is_damaged(reader);
    annot_reader_close(reader);
    if (!is_damaged) {
        AT_END(dump_free) struct dump later;
        write_later(&later, file);
        reader = dump_open(&later, ANNOT_OK);
        AT_END(at_end_free) char *report = report_of(reader, false, NULL);
        cr_expect(dump_found(reader, ANNOT_FINDING_NEWER) > 0);
        without_newer(report);
        if (strstr((char *)expected.bytes, "  Nothing was lost.\n"))
            strcat(report, "  Nothing was lost.\n"); /* the line about newer records stood for it */
        cr_expect_str_eq(report, (char *)expected.bytes, "%s", name);
        annot_reader_close(reader);
    }
    free(golden.bytes);
    free(expected.bytes);
}

Test(dump_growth, a_later_file_is_shown_as_far_as_it_is_known)
{
    golden_each(expect_the_same_report);
}

/* Dumps of 1.0 said 0x80000000; D3D12_DEVICE_ERROR_UNKNOWN is 0x88000000 [ANN-FILE]. */
Test(dump_growth, both_numbers_for_an_unknown_error_read_as_one)
{
    static const uint32_t numbers[] = {0x80000000, 0x88000000};
    for (size_t i = 0; i < 2; i++) {
        AT_END(dump_free) struct dump dump = dump_started(numbers[i], 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_device device;
        annot_reader_get_device(reader, &device);
        cr_expect_eq(device.error, 0x88000000u);
    }
}
