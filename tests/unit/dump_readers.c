/* What is written has a reader: a dump in which a field has another value is shown in another way
 * by reports, by the timeline or by the reader's functions [docs/DUMP_FORMAT.md]. */
#include "dump_builder.h"
#include "golden_dumps.h"
#include "sink.h"

#include <annot/timeline.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct field {
    const char *record, *name;
    uint32_t kind, at, size;
    bool is_shown, is_whole; /* whether its low bits are shown; and its highest byte */
};

static struct field fields[256];
static size_t field_count;

static void add_field(const char *record, uint32_t kind, uint32_t *at, uint32_t size,
                      const char *name)
{
    fields[field_count++] = (struct field){record, name, kind, *at, size, false, size == 4};
    *at += size;
}

static void add_fields(void)
{
#define FIELD_U32(name, doc) add_field(record, kind, &at, 4, #name);
#define FIELD_U64(name, doc) add_field(record, kind, &at, 8, #name);
#define RECORD(name, number, doc, variable)                                                        \
    {                                                                                              \
        const char *record = #name;                                                                \
        const uint32_t kind = number;                                                              \
        uint32_t at = 0;                                                                           \
        ANNOT__DUMP_FIELDS_##name(FIELD_U32, FIELD_U64)                                            \
    }
    ANNOT__DUMP_RECORDS(RECORD)
}

/* Changes the field in all records of the kind, and the hashes of their sections. Returns the
 * number of records. */
static uint32_t change(uint8_t *bytes, size_t size, const struct field *field, uint32_t byte,
                       uint8_t mask)
{
    uint32_t count = 0;
    for (size_t section = ANNOT__DUMP_HEADER_SIZE; section < size;) {
        uint8_t *payload = bytes + section + ANNOT__DUMP_SECTION_HEADER;
        uint32_t frame[2], record[2];
        uint64_t payload_size;
        memcpy(frame, bytes + section + 8, 8);
        memcpy(&payload_size, bytes + section + 16, 8);
        for (size_t at = 0; at < payload_size;
             at += (8 + (record[0] >> 16) + record[1] + 7) & ~7u) {
            memcpy(record, payload + at, 8);
            if ((record[0] & 0xFFFF) != field->kind || record[0] >> 16 <= field->at)
                continue;
            payload[at + 8 + field->at + byte] ^= mask;
            count++;
        }
        const uint64_t hash = XXH64(payload, payload_size, (uint64_t)frame[1] << 32 | frame[0]);
        memcpy(bytes + section + 24, &hash, 8);
        section += ANNOT__DUMP_SECTION_HEADER + ((payload_size + 7) & ~(uint64_t)7);
    }
    return count;
}

/* All that is shown of the dump; the caller frees it. */
static char *show(const uint8_t *bytes, size_t size)
{
    const annot_report_options all = {.all = true, .operations = true};
    struct kept kept = {0};
    const annot_report_sink sink = kept_sink(&kept);
    annot_timeline *timeline;
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_open_memory(NULL, bytes, size, &reader);
    cr_assert_not_null(reader);
    annot_report_text(reader, &all, &sink);
    annot_report_json(reader, &all, &sink);
    cr_assert_eq(annot_timeline_create(reader, &timeline), ANNOT_OK);
    annot_timeline_text(timeline, &all, &sink);
    annot_timeline_json(timeline, &sink);
    annot_timeline_destroy(timeline);
    annot_reader_object object;
    annot_reader_wait wait;
    char part[64];
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++)
        if (object.kind_name.size > 0)
            kept_take(&kept, object.kind_name.data, object.kind_name.size);
    for (size_t i = 0; annot_reader_wait_at(reader, i, &wait); i++)
        kept_take(&kept, part,
                  (size_t)snprintf(part, sizeof part, "%llu", (unsigned long long)wait.waited));
    for (size_t i = 0; i < annot_reader_blob_count(reader); i++)
        kept_take(&kept, part, annot_reader_blob_read(reader, i, 0, part, sizeof part));
    return kept.data;
}

static bool is_shown(const uint8_t *bytes, size_t size, const char *before,
                     const struct field *field, uint32_t byte, uint8_t mask)
{
    AT_END(at_end_free) uint8_t *changed = malloc(size);
    memcpy(changed, bytes, size);
    if (change(changed, size, field, byte, mask) == 0)
        return false;
    AT_END(at_end_free) char *after = show(changed, size);
    return strcmp(before, after) != 0;
}

static void look_for_fields(const uint8_t *bytes, size_t size)
{
    AT_END(at_end_free) char *before = show(bytes, size);
    for (size_t i = 0; i < field_count; i++) {
        struct field *of = &fields[i];
        for (uint8_t mask = 1; !of->is_shown && mask <= 4; mask = (uint8_t)(mask << 1))
            of->is_shown = is_shown(bytes, size, before, of, 0, mask);
        if (!of->is_whole)
            of->is_whole = is_shown(bytes, size, before, of, of->size - 1, 1);
    }
}

static void look_at(const char *name)
{
    char path[256];
    annot_reader *reader;
    snprintf(path, sizeof path, "../reports/%s", name);
    struct golden_file dump = golden_read(path, ".annotdmp");
    annot_reader_open_memory(NULL, dump.bytes, dump.size, &reader);
    if (!annot_reader_is_damaged(reader))
        look_for_fields(dump.bytes, dump.size);
    annot_reader_close(reader);
    free(dump.bytes);
}

/* Fields that only programs with the format's table read. */
static const char *const unread[][2] = {
    {"LOSS.object", "a report adds up each kind of loss for the whole device"},
    {"RECORDING.unclosed", "the reader counts the scopes itself, and some may be missing"},
    {"QUEUE.open_scopes", "the same"},
    {"HISTORY.object", "SUBMISSION names the list"},
    {"SUBMITTED.sequence", "the writer compares the numbers, and `problem` is the result"},
    {"WAIT.list", "no stored dump has a list that waits; hang.c reads one"},
};

static bool is_unread(const struct field *field)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", field->record, field->name);
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        if (strcmp(unread[i][0], name) == 0)
            return true;
    return false;
}

Test(dump_format, every_field_is_shown)
{
    add_fields();
    golden_each_of("reports", ".annotdmp", look_at);
    for (size_t i = 0; i < field_count; i++) {
        const struct field *of = &fields[i];
        const bool is_read = !is_unread(of);
        cr_expect_eqs(of->is_shown, is_read, of->is_whole, is_read || of->size == 4, "%s.%s",
                      of->record, of->name);
    }
}
