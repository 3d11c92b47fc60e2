/* Makes the model from a dump's bytes, in two passes. The first pass counts and collects findings.
 * Then every array is allocated with its final size, and the second pass fills the arrays. Both
 * passes see the same records, so the second pass can't exceed the counts.
 *
 * Damage never stops the reading. A section with a wrong hash is used as far as its records parse,
 * and the stream that they belong to is marked as damaged: the analysis then claims nothing about
 * it. After a gap the records up to the next list or queue are skipped, because their stream is not
 * known. */
#include "dump_read/builder.h"

#define CASE(name, kind, doc, variable)                                                            \
    case ANNOT__DUMP_##name:                                                                       \
        annot__read_##name(builder);                                                               \
        break;

static void read_record(struct annot__builder *builder)
{
    switch (builder->record.kind) {
        ANNOT__DUMP_RECORDS(CASE)
    default:
        break;
    }
}

static void read_section(struct annot__builder *builder, const struct annot__section *section)
{
    struct annot__record_walk walk;
    const bool is_known = annot__dump_section_is_known(section->kind);
    /* a damaged unknown section may have had the stream's records */
    if (section->is_detached || (!is_known && section->is_damaged))
        annot__break_stream(builder);
    if (!is_known)
        return;
    if (!section->is_damaged && section->kind != builder->kind)
        annot__finish_stream(builder);
    builder->kind = section->kind;
    builder->is_damaged = section->is_damaged;
    annot__record_walk_init(&walk, builder->reader->file, section);
    while (annot__record_walk_next(&walk, &builder->record))
        read_record(builder);
    if (walk.is_broken)
        annot__break_stream(builder);
}

static void read_sections(annot_reader *reader, size_t sections, const struct annot__census *census)
{
    struct annot__builder builder = {.reader = reader, .census = census};
    struct annot__section_walk walk;
    struct annot__section section;
    annot__section_walk_init(&walk, reader->file, sections, NULL);
    walk.is_verified = reader->findings.of[ANNOT__FINDING_SLOT_SECTION_HASH].count == 0;
    while (annot__section_walk_next(&walk, &section))
        read_section(&builder, &section);
    annot__break_stream(&builder); /* no effect if the END section has finished the last stream */
}

annot_result annot__read_model(annot_reader *reader)
{
    size_t sections;
    annot_result result = annot__dump_header(reader->file, &reader->findings, &sections);
    if (result == ANNOT_ERROR_NOT_A_DUMP)
        return result;
    struct annot__census census = {0};
    annot__census_take(reader, sections, &census);
    if (!annot__census_size_arrays(reader, &census))
        return ANNOT_ERROR_TOO_LARGE;
    if (!annot__reader_allocate_arrays(reader))
        return reader->allocation;
    read_sections(reader, sections, &census);
    if (!annot__index_model(reader))
        return reader->allocation;
    annot__resolve_model(reader);
    return result;
}
