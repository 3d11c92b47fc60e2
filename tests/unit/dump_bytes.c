#include "dump_bytes.h"

#include "dump/dump_format.h"

#include <annot/reader.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool gather(void *user, const void *data, size_t size)
{
    struct dump *d = user;
    d->writes++;
    if (d->size + size > d->capacity) {
        d->capacity = (d->size + size) * 2;
        d->bytes = realloc(d->bytes, d->capacity);
    }
    memcpy(d->bytes + d->size, data, size);
    d->size += size;
    return true;
}

static bool finish(void *user, const void *magic, size_t size)
{
    struct dump *d = user;
    d->finishes++;
    memcpy(d->bytes, magic, size);
    return true;
}

annot_dump_sink taken_sink(struct dump *into)
{
    return (annot_dump_sink){into, gather, finish};
}

static uint64_t number(const unsigned char *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

uint32_t taken_u32(const struct dump_record *record, size_t at)
{
    cr_assert_leq(at + 4, record->fixed, "record kind %u", record->kind);
    return (uint32_t)number(record->fields + at, 4);
}

uint64_t taken_u64(const struct dump_record *record, size_t at)
{
    cr_assert_leq(at + 8, record->fixed, "record kind %u", record->kind);
    return number(record->fields + at, 8);
}

static const char *parse_records(struct dump *d, uint32_t section, const unsigned char *at,
                                 size_t size)
{
    while (size > 0) {
        if (size < 8)
            return "a record header crosses the section's end";
        struct dump_record record = {.section = section,
                                     .kind = (uint32_t)number(at, 2),
                                     .fixed = (uint32_t)number(at + 2, 2),
                                     .variable = (uint32_t)number(at + 4, 4),
                                     .fields = at + 8};
        record.bytes = record.fields + record.fixed;
        size_t used = 8 + (size_t)record.fixed + record.variable;
        size_t padded = (used + 7) / 8 * 8;
        if (padded > size)
            return "a record crosses the section's end";
        for (size_t i = used; i < padded; i++)
            if (at[i])
                return "a record's padding is not zero";
        if ((d->count & (d->count + 1)) == 0)
            d->records = realloc(d->records, (d->count * 2 + 2) * sizeof record);
        d->records[d->count++] = record;
        at += padded;
        size -= padded;
    }
    return NULL;
}

static const char *check_end(const struct dump *d)
{
    size_t markers = 0;
    for (size_t i = 0; i < d->count; i++)
        markers += d->records[i].kind == RECORD_BEGIN || d->records[i].kind == RECORD_SET;
    if (d->count == 0 || d->records[d->count - 1].kind != RECORD_END)
        return "no END record at the end";
    const struct dump_record *end = &d->records[d->count - 1];
    if (end->section != SECTION_END || taken_u64(end, 0) != d->sections - 1 ||
        taken_u64(end, 8) != d->count - 1 || taken_u64(end, 16) != markers)
        return "the END record counts otherwise";
    return NULL;
}

/* END closes the file, whatever numbers came after it into the format. */
static uint32_t rank_of(uint32_t section)
{
    return section == SECTION_END ? UINT32_MAX : section;
}

const char *taken_parse(struct dump *d)
{
    const unsigned char *at = d->bytes;
    free(d->records);
    d->records = NULL;
    d->count = d->sections = 0;
    if (d->size < 32 || memcmp(at, "ANNOTDMP", 8) != 0)
        return "no magic";
    if (number(at + 8, 2) != 1 || number(at + 10, 2) != 1 || number(at + 12, 4) != 32 ||
        number(at + 16, 8) != 0)
        return "header";
    if (XXH64(at + 8, 16, 0) != number(at + 24, 8))
        return "the header's hash";
    uint32_t last_rank = 0;
    for (size_t offset = 32; offset < d->size; d->sections++) {
        at = d->bytes + offset;
        size_t left = d->size - offset;
        if (left < 32 || memcmp(at, "ANNOTSEC", 8) != 0)
            return "no section where one should be";
        uint32_t kind = (uint32_t)number(at + 8, 4);
        uint64_t index = number(at + 12, 4), size = number(at + 16, 8);
        if (index != d->sections)
            return "sections are not numbered 0, 1, 2, ...";
        if (rank_of(kind) < last_rank || kind < SECTION_ABOUT)
            return "sections are not in order";
        last_rank = rank_of(kind);
        if (size == 0 || size > left - 32 || size > 256 * 1024)
            return "a section's size";
        if (XXH64(at + 32, (size_t)size, index << 32 | kind) != number(at + 24, 8))
            return "a section's hash";
        const char *wrong = parse_records(d, kind, at + 32, (size_t)size);
        if (wrong)
            return wrong;
        for (; size % 8; size++)
            if (at[32 + size])
                return "a section's padding is not zero";
        offset += 32 + (size_t)size;
    }
    return check_end(d);
}

struct dump taken_from(annot_device *device, const annot_dump_info *info)
{
    struct dump d = {0};
    annot_dump_writer *writer;
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    annot_dump_sink sink = taken_sink(&d);
    cr_assert_eq(annot_dump_write(writer, info, &sink), ANNOT_OK);
    annot_dump_writer_destroy(writer);
    cr_assert_eq(d.finishes, 1);
    const char *wrong = taken_parse(&d);
    cr_assert_null(wrong, "%s", wrong);
    return d;
}

void taken_free(struct dump *d)
{
    free(d->bytes);
    free(d->records);
    *d = (struct dump){0};
}

const struct dump_record *taken_next(const struct dump *d, uint32_t kind, size_t *at)
{
    while (*at < d->count)
        if (d->records[(*at)++].kind == kind)
            return &d->records[*at - 1];
    return NULL;
}

size_t taken_count(const struct dump *d, uint32_t kind)
{
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++)
        count += d->records[i].kind == kind;
    return count;
}

uint64_t taken_loss(const struct dump *d, uint32_t what)
{
    uint64_t count = 0;
    size_t at = 0;
    const bool is_of_queue =
        what == ANNOT_LOSS_SUBMISSIONS || what == ANNOT_LOSS_EVICTED_SUBMISSIONS;
    for (const struct dump_record *loss; (loss = taken_next(d, RECORD_LOSS, &at));)
        if (taken_u32(loss, 16) == what) {
            cr_assert_eq(taken_u64(loss, 8) != 0, is_of_queue, "whose loss %u is", what);
            count += taken_u64(loss, 0);
        }
    return count;
}

const struct dump_record *taken_marker(const struct dump *d, uint64_t id)
{
    for (size_t i = 0; i < d->count; i++)
        if ((d->records[i].kind == RECORD_BEGIN || d->records[i].kind == RECORD_SET) &&
            taken_u64(&d->records[i], 0) == id)
            return &d->records[i];
    return NULL;
}

/* ---- records as text ---- */

uint64_t taken_number(struct taken_ids *ids, uint64_t id)
{
    size_t i = 0;
    if (id == 0 || id == UINT32_MAX)
        return id;
    while (i < ids->count && ids->known[i] != id)
        i++;
    if (i == ids->count) {
        cr_assert_lt(ids->count, sizeof ids->known / sizeof *ids->known);
        ids->known[ids->count++] = id;
    }
    return i + 1;
}

void taken_say(struct kept *to, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    kept_take(to, words, strlen(words));
}

static uint64_t since(uint64_t value, uint64_t before)
{
    return value > before ? value - before : 0;
}

/* The value of a field, without what differs from run to run. */
static uint64_t plain_value(struct taken_print *to, uint32_t kind, const char *name, uint64_t value)
{
    static const char *const changing[] = {"live_bytes", "pointer_size", "thread", "handle"};
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        if (strcmp(name, changing[i]) == 0 && kind != ANNOT__DUMP_SUBMITTED)
            return value != 0;
    if (strcmp(name, "event_id") == 0 || strcmp(name, "parent") == 0 ||
        (kind == ANNOT__DUMP_PROGRESS &&
         (strcmp(name, "started") == 0 || strcmp(name, "completed") == 0)))
        return taken_number(&to->events, value);
    if (strcmp(name, "recording") == 0 ||
        (strcmp(name, "id") == 0 && kind == ANNOT__DUMP_RECORDING))
        return taken_number(&to->recordings, value);
    if (strcmp(name, "serial") == 0 || strcmp(name, "submission") == 0)
        return since(value, to->serial);
    return strcmp(name, "number") == 0 && kind == ANNOT__DUMP_SUBMISSION ? since(value, to->number)
                                                                         : value;
}

void taken_print(struct taken_print *to, const struct dump_record *record)
{
    const bool has_lists = record->kind == ANNOT__DUMP_SUBMISSION;
    size_t at = 0;
#define PRINT(name, value)                                                                         \
    taken_say(&to->text, " %s=%llu", #name,                                                        \
              (unsigned long long)plain_value(to, record->kind, #name, value));
#define PRINT_U32(name, doc) PRINT(name, taken_u32(record, at)) at += 4;
#define PRINT_U64(name, doc) PRINT(name, taken_u64(record, at)) at += 8;
#define PRINT_RECORD(name, kind_number, doc, variable)                                             \
    if (record->kind == kind_number) {                                                             \
        taken_say(&to->text, "%s", #name);                                                         \
        ANNOT__DUMP_FIELDS_##name(PRINT_U32, PRINT_U64)                                            \
    }
    ANNOT__DUMP_RECORDS(PRINT_RECORD)
    for (size_t i = 0; has_lists && i < record->variable; i += 8) {
        const uint64_t value = number(record->bytes + i, 8);
        taken_say(&to->text, " %llu",
                  (unsigned long long)(i % 16 ? value : taken_number(&to->recordings, value)));
    }
    if (record->variable > 0 && !has_lists)
        taken_say(&to->text, " '%.*s'", (int)record->variable, (const char *)record->bytes);
    taken_say(&to->text, "\n");
}
