/* Reads the shaders of pipelines, descriptions of resources, and operations of lists. */
#include "dump_read/builder.h"

#include "base/search.h"

ANNOT__READ(SHADER)
{
    struct annot__shader_entry *shader = &reader->shaders[reader->shader_count];
    shader->fields = *fields;
    shader->name =
        (annot_text){(const char *)builder->record.variable.data, builder->record.variable.size};
    annot__index_add(&reader->shader_index, shader->fields.object, reader->shader_count++);
}

ANNOT__READ(RESOURCE)
{
    (void)builder;
    struct annot__dump_RESOURCE *resource = &reader->resources[reader->resource_count];
    *resource = *fields;
    annot__index_add(&reader->resource_index, resource->object, reader->resource_count++);
}

static bool is_whole(const struct annot__dump_OPERATION *fields, size_t size)
{
    return fields->arguments <= ANNOT_OPERATION_ARGUMENTS &&
           fields->objects <= ANNOT_OPERATION_OBJECTS &&
           size >= (size_t)fields->arguments * 8 + (size_t)fields->objects * 16;
}

/* Returns true if the record goes on with the last record's barriers. */
static bool continues(const struct annot__operation *last, const struct annot__dump_OPERATION *next)
{
    return last->number == next->number && last->kind == next->kind &&
           annot__is_barrier(next->kind);
}

/* Numbers grow in a recording; one that doesn't is damage, and says nothing. */
ANNOT__READ(OPERATION)
{
    if (!builder->stream || builder->stream->is_queue) {
        ANNOT__FIND(&reader->findings, RECORD_ORPHAN, builder->record.offset, 0);
        return;
    }
    struct annot__stream *stream = builder->stream;
    stream->is_damaged |= builder->is_damaged;
    if (!is_whole(fields, builder->record.variable.size))
        return;
    stream->is_counted_apart |= (fields->number & ANNOT_OPERATION_APART) != 0;
    fields->number &= ~ANNOT_OPERATION_APART;
    const uint32_t known = reader->operation_count - stream->noted.first;
    const struct annot__operation *last = &reader->operations[reader->operation_count - 1];
    if (known > 0 && last->number >= fields->number && !continues(last, fields))
        return;
    reader->operations[reader->operation_count++] =
        (struct annot__operation){builder->record.offset, fields->number, fields->kind};
}

uint32_t annot__operation_find(const annot_reader *reader, uint32_t stream, uint32_t number)
{
    if (stream == ANNOT__NONE)
        return ANNOT__NONE;
    const struct annot__range *noted = &reader->streams[stream].noted;
    uint32_t low = noted->first, end = low + noted->count, high = end;
    ANNOT__LOWER_BOUND(low, high, i, reader->operations[i].number < number);
    return low < end && reader->operations[low].number == number ? low : ANNOT__NONE;
}

/* Reads the parts behind the objects, and skips unknown data. */
static void read_parts(struct annot__bytes *bytes, annot_reader_operation *out)
{
    while (bytes->size >= 16) {
        const uint64_t part = annot__bytes_u64(bytes);
        const uint32_t role = annot__bytes_u32(bytes), of = annot__bytes_u32(bytes);
        if (role == ANNOT_BOUND_PART && of < out->object_count)
            out->parts[of] = part;
    }
}

bool annot__operation_read(const annot_reader *reader, uint32_t operation,
                           annot_reader_operation *out)
{
    const struct annot__record_view record =
        annot__record_at(reader->file, (size_t)reader->operations[operation].offset);
    struct annot__dump_OPERATION fields;
    struct annot__bytes bytes = record.variable;
    annot__decode_OPERATION(record.fixed, &fields);
    if (!is_whole(&fields, bytes.size))
        return false;
    *out = (annot_reader_operation){.kind = fields.kind,
                                    .number = fields.number & ~ANNOT_OPERATION_APART,
                                    .argument_count = fields.arguments,
                                    .object_count = fields.objects,
                                    .scope = fields.parent};
    for (uint32_t i = 0; i < fields.arguments; i++)
        out->arguments[i] = (int64_t)annot__bytes_u64(&bytes);
    for (uint32_t i = 0; i < fields.objects; i++) {
        out->objects[i].object = annot__bytes_u64(&bytes);
        out->objects[i].role = annot__bytes_u32(&bytes);
        out->objects[i].layout = annot__bytes_u32(&bytes);
    }
    read_parts(&bytes, out);
    return true;
}
