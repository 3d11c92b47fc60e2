/* The first pass over a dump: counts all elements, so that each array is allocated once with its
 * final size, and finds damage of sections and records. */
#include "dump_read/builder.h"

/* Markers that the reader leaves out later can only make the number of runs smaller. */
static void count_event(const struct annot__record_view *record, struct annot__census *census)
{
    struct annot__bytes fixed = record->fixed;
    if (record->kind != ANNOT__DUMP_BEGIN && record->kind != ANNOT__DUMP_SET) {
        census->last_event = 0;
        return;
    }
    uint64_t event = annot__bytes_u64(&fixed); /* the first field of both */
    census->runs += census->last_event == 0 || !annot__id_follows(event, census->last_event);
    census->last_event = event;
}

static void count_record(annot_reader *reader, const struct annot__record_view *record,
                         struct annot__census *census)
{
    uint32_t slot = annot__dump_record_slot(record->kind);
    if (slot == ANNOT__DUMP_RECORD_SLOTS)
        ANNOT__FIND(&reader->findings, NEWER, record->offset, record->kind);
    else
        census->of[slot]++;
    count_event(record, census);
    if (record->kind == ANNOT__DUMP_SUBMISSION)
        census->lists += record->variable.size / ANNOT__LIST_BYTES;
    if (record->kind == ANNOT__DUMP_OPS)
        census->op_blocks += record->variable.size / ANNOT__OP_BLOCK + 1;
}

/* Counts a section's records. Records of unknown sections count only for the closing record's
 * sum. */
static void count_section(annot_reader *reader, const struct annot__section *section,
                          struct annot__census *census)
{
    struct annot__record_walk walk;
    struct annot__record_view record;
    bool is_known = annot__dump_section_is_known(section->kind);
    if (!is_known && !section->is_damaged)
        ANNOT__FIND(&reader->findings, NEWER, section->offset, section->kind);
    annot__record_walk_init(&walk, reader->file, section);
    while (annot__record_walk_next(&walk, &record)) {
        if (is_known)
            count_record(reader, &record, census);
        if (!is_known || record.kind != ANNOT__DUMP_END)
            census->records++;
    }
    if (is_known && walk.is_broken)
        ANNOT__FIND(&reader->findings, RECORD_BROKEN, walk.at, 0);
}

void annot__census_take(annot_reader *reader, size_t sections, struct annot__census *census)
{
    struct annot__section_walk walk;
    struct annot__section section;
    annot__section_walk_init(&walk, reader->file, sections, &reader->findings);
    while (annot__section_walk_next(&walk, &section)) {
        count_section(reader, &section, census);
        if (section.kind != ANNOT__DUMP_SECTION_END)
            census->sections++;
    }
    if (!census->of[ANNOT__DUMP_SLOT_END])
        ANNOT__FIND(&reader->findings, END_MISSING, reader->file.size, 0);
}

#define ANNOT__COUNTED(name)   census->of[ANNOT__DUMP_SLOT_##name]
#define SIZE(member, elements) reader->member##_capacity = (uint32_t)(elements);

bool annot__census_size_arrays(annot_reader *reader, const struct annot__census *census)
{
    const uint64_t *of = census->of;
    const uint64_t entries = ANNOT__COUNTED(BEGIN) + ANNOT__COUNTED(SET) +
                             ANNOT__COUNTED(SURPLUS_END) + ANNOT__COUNTED(BUNDLE) +
                             ANNOT__COUNTED(SUBMISSION);
    const uint64_t limit = UINT32_MAX / 8; /* an entry takes at most four positions */
    if (entries > limit || census->lists > limit || census->op_blocks > limit)
        return false;
    for (int slot = 0; slot < ANNOT__DUMP_RECORD_SLOTS; slot++)
        if (of[slot] > limit)
            return false;
    ANNOT__READER_ARRAYS(SIZE)
    return true;
}
