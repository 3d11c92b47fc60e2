/* Answers questions about an open DirectX dump file, from the file's bytes. */
#include "dxdmp/dxdmp_model.h"

#include "base/search.h"
#include "base/utf.h"

/* ---- finding sections ---- */

const struct dxdmp_section *dxdmp_first_section(const struct dxdmp *file, uint32_t type)
{
    for (uint32_t i = 0; i < file->section_count; i++)
        if (!file->sections[i].is_memory && file->sections[i].type == type)
            return &file->sections[i];
    return NULL;
}

const struct dxdmp_section *dxdmp_buffer(const struct dxdmp *file, uint32_t type, uint64_t key)
{
    const uint32_t at = dxdmp_lower(file->keys, file->key_count, key, type);
    return at < file->key_count && file->keys[at].key == key && file->keys[at].kind == type
               ? &file->sections[file->keys[at].at]
               : NULL;
}

bool dxdmp_next(const struct dxdmp *file, enum dxdmp_group group, struct dxdmp_thing *thing)
{
    thing->element++;
    while (!thing->section || thing->section->group != group ||
           thing->element >= thing->section->count) {
        if (thing->next == file->section_count)
            return false;
        thing->section = &file->sections[thing->next++];
        thing->element = 0;
    }
    thing->number++;
    return true;
}

/* ---- text ---- */

/* Returns the character at *at and moves *at past it; U+FFFD stands for what is ill-formed. Text of
 * 16-bit units is little-endian, at any address. */
static uint32_t next_character(const uint8_t *bytes, size_t size, bool is_wide, size_t *at)
{
    const uint32_t replacement = 0xFFFD;
    if (!is_wide) {
        const uint32_t value = annot__utf8_next(bytes, size, at);
        return value == ANNOT__UTF_INVALID ? replacement : value;
    }
    const uint32_t unit = (uint32_t)(bytes[*at] | bytes[*at + 1] << 8);
    *at += 2;
    if (!annot__is_surrogate(unit))
        return unit;
    const uint32_t low = size - *at >= 2 ? (uint32_t)(bytes[*at] | bytes[*at + 1] << 8) : 0;
    if (unit >= 0xDC00 || low < 0xDC00 || low > 0xDFFF)
        return replacement;
    *at += 2;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* Stores a section's text up to its NUL. Where the buffer is full, the text is cut at a character's
 * border. */
static size_t text_of(const struct dxdmp *file, const struct dxdmp_section *section, char *buffer,
                      size_t capacity)
{
    const bool is_wide = section && section->type != DXDMP_DRED_STRING;
    const size_t end = section ? section->size & ~(size_t)is_wide : 0; /* without half a unit */
    size_t stored = 0;
    for (size_t at = 0; at < end;) {
        char bytes[4];
        const uint32_t value = next_character(file->bytes + section->data, end, is_wide, &at);
        const unsigned size = annot__utf8_encode(bytes, value);
        if (value == 0 || size > capacity - 1 - stored)
            break;
        memcpy(buffer + stored, bytes, size);
        stored += size;
    }
    buffer[stored] = 0;
    return stored;
}

size_t dxdmp_string(const struct dxdmp *file, const struct dxdmp_section *section, size_t offset,
                    char *buffer, size_t capacity)
{
    const bool has_id = section && section->size >= 8 && offset <= section->size - 8;
    const uint64_t id = dxdmp_u64(file, section, offset);
    return text_of(file, has_id ? dxdmp_buffer(file, DXDMP_STRING, id) : NULL, buffer, capacity);
}

size_t dxdmp_dred_string(const struct dxdmp *file, const uint64_t keys[2], char *buffer,
                         size_t capacity)
{
    const struct dxdmp_section *section = NULL;
    if (keys[1] != 0)
        section = dxdmp_buffer(file, DXDMP_DRED_WIDE_STRING, keys[1]);
    if (!section && keys[0] != 0)
        section = dxdmp_buffer(file, DXDMP_DRED_STRING, keys[0]);
    return text_of(file, section, buffer, capacity);
}

size_t dxdmp_adapter(const struct dxdmp *file, char *buffer, size_t capacity)
{
    enum { DESCRIPTION = 256 }; /* DXGI_ADAPTER_DESC3 begins with 128 characters */
    const struct dxdmp_section *adapter = dxdmp_first_section(file, DXDMP_ADAPTER);
    struct dxdmp_section name = adapter ? *adapter : (struct dxdmp_section){0};
    name.size = name.size < DESCRIPTION ? name.size : DESCRIPTION;
    return text_of(file, &name, buffer, capacity);
}

/* ---- DRED ---- */

void dxdmp_node_of(const struct dxdmp *file, const struct dxdmp_section *section,
                   struct dxdmp_node *out)
{
    const uint64_t ops = dxdmp_u64(file, section, DXDMP_NODE_HISTORY);
    const uint64_t contexts = dxdmp_u64(file, section, DXDMP_NODE_CONTEXTS);
    *out = (struct dxdmp_node){
        .list = dxdmp_u64(file, section, DXDMP_NODE_LIST),
        .queue = dxdmp_u64(file, section, DXDMP_NODE_QUEUE),
        .op_count = dxdmp_u32(file, section, DXDMP_NODE_COUNT),
        .done = dxdmp_u32(file, section, DXDMP_NODE_DONE),
        .context_count = dxdmp_u32(file, section, DXDMP_NODE_CONTEXT_COUNT),
        .ops = dxdmp_buffer(file, DXDMP_HISTORY, ops),
        .contexts = dxdmp_buffer(file, DXDMP_CONTEXTS, contexts),
    };
    for (size_t i = 0; i < 2; i++) {
        out->list_name[i] = dxdmp_u64(file, section, DXDMP_NODE_LIST_NAME + 8 * i);
        out->queue_name[i] = dxdmp_u64(file, section, DXDMP_NODE_QUEUE_NAME + 8 * i);
    }
    size_t kept = out->ops ? out->ops->size / 4 : 0;
    if (kept > out->op_count)
        kept = out->op_count;
    out->ops_kept = (uint32_t)(kept < DXDMP_RING ? kept : DXDMP_RING);
    const size_t has = out->contexts ? out->contexts->size / DXDMP_CONTEXT_SIZE : 0;
    if (out->context_count > has)
        out->context_count = (uint32_t)has;
}

bool dxdmp_node_op(const struct dxdmp *file, const struct dxdmp_node *node, uint32_t op,
                   uint32_t *kind)
{
    const uint32_t oldest = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    const uint32_t place = op % DXDMP_RING;
    if (op < oldest || op >= node->op_count || place >= node->ops_kept)
        return false;
    *kind = dxdmp_u32(file, node->ops, (size_t)place * 4);
    return true;
}

uint64_t dxdmp_context_of(const struct dxdmp *file, const struct dxdmp_node *node, uint32_t op)
{
    uint32_t low = 0, high = node->context_count;
    ANNOT__LOWER_BOUND(low, high, i,
                       dxdmp_u32(file, node->contexts, (size_t)i * DXDMP_CONTEXT_SIZE) < op);
    const size_t at = (size_t)low * DXDMP_CONTEXT_SIZE;
    if (low == node->context_count || dxdmp_u32(file, node->contexts, at) != op)
        return 0;
    return dxdmp_u64(file, node->contexts, at + DXDMP_CONTEXT_STRING);
}

/* ---- objects ---- */

/* D3D12DDI_HANDLETYPE and DX_DUMP_FILE_D3D_OBJECT_TYPE of kinds without an array in the format or
 * in this code. */
static const uint8_t generic_types[][2] = {
    {20, 1},  {21, 2},  {23, 9},  {24, 6},  {25, 8},  {26, 7},  {27, 10}, {28, 11},
    {29, 12}, {30, 13}, {32, 15}, {34, 5},  {36, 18}, {37, 19}, {38, 20}, {39, 21},
    {42, 22}, {43, 23}, {45, 28}, {46, 29}, {47, 30}, {48, 32}, {49, 33},
};

uint32_t dxdmp_generic_type(uint32_t kind)
{
    const uint32_t extension = 35;
    for (size_t i = 0; i < sizeof generic_types / sizeof *generic_types; i++)
        if (generic_types[i][0] == kind)
            return generic_types[i][1];
    return extension;
}

static uint32_t kind_of_generic(uint32_t type)
{
    for (size_t i = 0; i < sizeof generic_types / sizeof *generic_types; i++)
        if (generic_types[i][1] == type)
            return generic_types[i][0];
    return 0;
}

/* Reads a D3D12_RESOURCE_DESC2, in which 16-bit numbers are between other numbers. */
static void get_resource(const struct dxdmp *file, const struct dxdmp_section *section, size_t at,
                         struct dxdmp_object *object)
{
    enum {
        ADDRESS = 24,
        DESC = 48,
        WIDTH = 64,
        HEIGHT = 72,
        DEPTH = 76,
        FORMAT = 80,
        SAMPLES = 84,
        HEAP = 32,
        MEMORY = 40 /* DX_DUMP_FILE_D3D_RESOURCE_HEAP_TYPE is annot_memory without unknown */
    };
    const uint32_t memory = dxdmp_u32(file, section, at + MEMORY);
    const uint32_t depth_and_mips = dxdmp_u32(file, section, at + DEPTH);
    object->gpu_address = dxdmp_u64(file, section, at + ADDRESS);
    object->heap = dxdmp_u64(file, section, at + HEAP);
    object->resource =
        (struct annot__dump_RESOURCE){.dimension = dxdmp_u32(file, section, at + DESC),
                                      .width = dxdmp_u64(file, section, at + WIDTH),
                                      .height = dxdmp_u32(file, section, at + HEIGHT),
                                      .depth = depth_and_mips & 0xFFFF,
                                      .mips = depth_and_mips >> 16,
                                      .format = dxdmp_u32(file, section, at + FORMAT),
                                      .samples = dxdmp_u32(file, section, at + SAMPLES),
                                      .memory = memory < ANNOT_MEMORY_IN_BUFFER ? memory + 1 : 0};
}

/* Gets the bytes behind a section's array. An element has the offset and the size of the bytes. */
static void get_code(const struct dxdmp *file, const struct dxdmp_section *section, size_t at,
                     struct dxdmp_object *object)
{
    const uint64_t offset = dxdmp_u64(file, section, at);
    const uint64_t size = dxdmp_u64(file, section, at + 8);
    const size_t table = (size_t)section->count * section->element_size;
    const size_t room = section->size - table;
    if (offset >= room || size > room - offset)
        return;
    object->code = file->bytes + section->data + table + (size_t)offset;
    object->code_size = size;
}

void dxdmp_object_of(const struct dxdmp *file, const struct dxdmp_thing *thing,
                     struct dxdmp_object *out)
{
    const struct dxdmp_section *section = thing->section;
    const size_t at = (size_t)thing->element * section->element_size;
    *out = (struct dxdmp_object){
        .kind = section->kind,
        .address = dxdmp_u64(file, section, at + DXDMP_OBJECT_ADDRESS),
        .name = at + DXDMP_OBJECT_NAME,
    };
    if (section->type == DXDMP_GENERICS)
        out->kind = kind_of_generic(dxdmp_u32(file, section, at + DXDMP_OBJECT_HANDLE));
    else
        out->handle = dxdmp_u64(file, section, at + DXDMP_OBJECT_HANDLE);
    if (section->type == DXDMP_RESOURCES)
        get_resource(file, section, at, out);
    else if (section->type == DXDMP_FENCES)
        out->completed = dxdmp_u64(file, section, at + DXDMP_FENCE_COMPLETED);
    else if (section->type == DXDMP_ROOT_SIGNATURES)
        get_code(file, section, at + DXDMP_ROOT_SIGNATURE_OFFSET, out);
    else if (section->type == DXDMP_PIPELINE_STATES || section->type == DXDMP_STATE_OBJECTS)
        get_code(file, section, at + DXDMP_SUBOBJECTS_OFFSET, out);
    else if (section->type == DXDMP_QUEUES || section->type == DXDMP_LISTS ||
             section->type == DXDMP_ALLOCATORS)
        out->list_type = dxdmp_u32(file, section, at + DXDMP_OBJECT_LIST_TYPE);
}

/* ---- the annotation dump inside ---- */

const struct dxdmp_section *dxdmp_inner(const struct dxdmp *file)
{
    struct dxdmp_thing blob = {0};
    while (dxdmp_next(file, DXDMP_BLOBS, &blob))
        if (blob.section->type == DXDMP_DRIVER_BLOB &&
            blob.section->size >= ANNOT__DUMP_MAGIC_SIZE &&
            memcmp(file->bytes + blob.section->data, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE) ==
                0)
            return blob.section;
    return NULL;
}
