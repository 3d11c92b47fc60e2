/* Operations and their shaders, for programs. */
#include "reader/bound.h"

#include "analysis/operation.h"
#include "dump_read/ops.h"
#include "base/search.h"
#include "base/sized.h"

#include <annot/dump.h>

#include <stdio.h>

/* ---- shaders ---- */

static void put_half(uint8_t *bytes, uint64_t half)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(half >> (8 * i));
}

bool annot_reader_shader_at_sized(const annot_reader *reader, size_t index,
                                  annot_reader_shader *out, size_t out_size)
{
    if (index >= reader->shader_count)
        return false;
    const struct annot__shader_entry *entry = &reader->shaders[index];
    const struct annot__dump_SHADER *fields = &entry->fields;
    annot_reader_shader whole = {
        .object = fields->object,
        .xxh3 = fields->xxh3,
        .form = fields->form,
        .stage = fields->stage,
        .flags = fields->flags,
        .is_name_cut = fields->name_size > entry->name.size,
        .debug_name = entry->name,
    };
    put_half(whole.digest, fields->digest_low);
    put_half(whole.digest + 8, fields->digest_high);
    put_half(whole.hash, fields->hash_low);
    put_half(whole.hash + 8, fields->hash_high);
    return ANNOT__GIVE(out, out_size, whole);
}

bool annot_reader_shader_of_sized(const annot_reader *reader, uint64_t object, uint32_t index,
                                  annot_reader_shader *out, size_t out_size)
{
    const struct annot__index *shaders = &reader->shader_index;
    const uint32_t first = annot__index_lower(shaders, object);
    if (index >= shaders->count - first || shaders->entries[first + index].key != object)
        return false;
    return annot_reader_shader_at_sized(reader, shaders->entries[first + index].value, out,
                                        out_size);
}

size_t annot_reader_shader_hash(const annot_reader_shader *shader, char *buffer, size_t capacity)
{
    const uint8_t *bytes = shader->flags & ANNOT_SHADER_HAS_HASH     ? shader->hash
                           : shader->flags & ANNOT_SHADER_HAS_DIGEST ? shader->digest
                                                                     : NULL;
    char text[2 * ANNOT_SHADER_DIGEST_SIZE + 1];
    if (!bytes)
        snprintf(text, sizeof text, "%016llx", (unsigned long long)shader->xxh3);
    for (unsigned i = 0; bytes && i < ANNOT_SHADER_DIGEST_SIZE; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    if (capacity > 0)
        snprintf(buffer, capacity, "%s", text);
    return strlen(text);
}

/* ---- operations ---- */

const char *annot_op_text(uint32_t op)
{
    enum { NO_CALL = 255 };
    const char *name = op == NO_CALL ? NULL : annot_breadcrumb_op_text(op);
    return name ? name : "operation";
}

const char *annot_bound_role_text(uint32_t role)
{
    static const char *const texts[] = {"object",    "pipeline", "target",      "depth",  "indices",
                                        "arguments", "counts",   "destination", "source", "bundle",
                                        "barrier",   "access",   "vertices"};
    return texts[role < sizeof texts / sizeof texts[0] ? role : 0];
}

/* Returns the word before an argument that needs an explanation, by D3D12_AUTO_BREADCRUMB_OP. */
static const char *label_of(uint32_t kind, uint32_t argument)
{
    static const char *const indirect[] = {"at most ", "offset ", "count's offset "};
    static const char *const copy[] = {"to ", "from ", "bytes "};
    static const char *const bundle[] = {"number "};
    const char *const *labels = kind == ANNOT__EXECUTE_INDIRECT     ? indirect
                                : kind == ANNOT__COPY_BUFFER_REGION ? copy
                                : kind == ANNOT__EXECUTE_BUNDLE     ? bundle
                                                                    : NULL;
    const uint32_t count = kind == ANNOT__EXECUTE_BUNDLE ? 1 : 3;
    return labels && argument < count ? labels[argument] : "";
}

size_t annot_reader_operation_text(const annot_reader_operation *operation, char *buffer,
                                   size_t capacity)
{
    size_t used = 0;
    if (capacity == 0)
        return 0;
    int size = snprintf(buffer, capacity, "%s", annot_op_text(operation->kind));
    /* a barrier's arguments are states of objects */
    const uint32_t count = annot__is_barrier(operation->kind) ? 0 : operation->argument_count;
    for (uint32_t i = 0; i < count && i < ANNOT_OPERATION_ARGUMENTS; i++) {
        used = (size_t)size >= capacity - used ? capacity - 1 : used + (size_t)size;
        size = snprintf(buffer + used, capacity - used, "%s%s%lld", i == 0 ? "(" : ", ",
                        label_of(operation->kind, i), (long long)operation->arguments[i]);
    }
    used = (size_t)size >= capacity - used ? capacity - 1 : used + (size_t)size;
    if (count > 0 && used + 1 < capacity) {
        buffer[used++] = ')';
        buffer[used] = 0;
    }
    return used;
}

size_t annot_reader_operation_count(const annot_reader *reader, uint32_t stream)
{
    return stream < reader->stream_count ? reader->streams[stream].noted.count : 0;
}

bool annot__noted_at(const annot_reader *reader, uint32_t stream, uint32_t noted,
                     annot_reader_operation *out)
{
    const struct annot__range *entries = &reader->streams[stream].entries;
    uint32_t low = entries->first, end = low + entries->count;
    if (!annot__operation_read(reader, noted, out))
        return false;
    ANNOT__LOWER_BOUND(low, end, i, reader->entries[i].offset < reader->operations[noted].offset);
    out->before = low;
    out->stream = stream;
    out->crumbs = ANNOT__NONE;
    return true;
}

bool annot_reader_operation_at_sized(const annot_reader *reader, uint32_t stream, size_t index,
                                     annot_reader_operation *out, size_t out_size)
{
    annot_reader_operation whole = {0};
    if (index >= annot_reader_operation_count(reader, stream) ||
        !annot__noted_at(reader, stream, reader->streams[stream].noted.first + (uint32_t)index,
                         &whole))
        return false;
    return ANNOT__GIVE(out, out_size, whole);
}

annot_operation_state annot_reader_operation_state(const annot_reader *reader, uint32_t execution,
                                                   uint32_t bundle,
                                                   const annot_reader_operation *operation)
{
    if (execution >= reader->execution_count || operation->stream >= reader->stream_count)
        return ANNOT_OPERATION_UNKNOWN;
    const struct annot__execution *of = &reader->executions[execution];
    uint32_t stream = of->stream;
    if (bundle != ANNOT__NONE) {
        if (bundle >= reader->entry_count || reader->entries[bundle].kind != ANNOT_ENTRY_BUNDLE ||
            annot__entry_stream(reader, bundle) != of->stream)
            return ANNOT_OPERATION_UNKNOWN;
        stream = reader->entries[bundle].leaf.link;
    }
    return stream == operation->stream
               ? annot__operation_state(reader, execution, bundle, operation)
               : ANNOT_OPERATION_UNKNOWN;
}

const char *annot_operation_state_text(annot_operation_state state)
{
    static const char *const texts[] = {"unknown", "done", "not done", "not done"};
    return texts[(unsigned)state < sizeof texts / sizeof texts[0] ? state : 0];
}

uint32_t annot__noted_behind(const annot_reader *reader, uint32_t first, uint32_t end,
                             uint64_t offset)
{
    ANNOT__LOWER_BOUND(first, end, i, reader->operations[i].offset < offset);
    return first;
}

size_t annot__operation_name(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                             uint32_t number, char *buffer, size_t capacity)
{
    annot_reader_operation operation;
    if (!annot__operation_at(reader, crumbs, stream, number, &operation))
        operation = (annot_reader_operation){
            .kind = annot__op_at(reader, reader->crumbs[crumbs].fields.log, number)};
    return annot_reader_operation_text(&operation, buffer, capacity);
}
