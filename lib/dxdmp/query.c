/* The queries of an open DirectX dump file; each reads from the file's bytes. */
#include "dxdmp/dxdmp_model.h"

#include "base/search.h"
#include "base/utf.h"
#include "dump/dump_format.h"
#include "base/sized.h"

#include <annot/pix.h>

#include <stdio.h>
#include <string.h>

/* ---- how many ---- */

#define COUNT(things, member)                                                                      \
    size_t annot_dxdmp_##things##_count(const annot_dxdmp *dump)                                   \
    {                                                                                              \
        return dump->member;                                                                       \
    }
COUNT(section, section_count)
COUNT(annotation, annotation_count)
COUNT(node, groups[DXDMP_NODES].count)
COUNT(allocation, groups[DXDMP_ALLOCATIONS].count)
COUNT(owner, groups[DXDMP_OWNERS].count)
COUNT(object, groups[DXDMP_OBJECTS].count)

/* ---- finding sections ---- */

const struct dxdmp_section *dxdmp_first_section(const annot_dxdmp *dump, uint32_t type)
{
    for (uint32_t i = 0; i < dump->section_count; i++)
        if (!dump->sections[i].is_memory && dump->sections[i].type == type)
            return &dump->sections[i];
    return NULL;
}

static bool is_before(const struct dxdmp_section *section, uint32_t type, uint64_t key)
{
    return section->type < type || (section->type == type && section->key < key);
}

/* The memory buffer of this type with this key, or NULL. O(log n). */
static const struct dxdmp_section *buffer_with_key(const annot_dxdmp *dump, uint32_t type,
                                                   uint64_t key)
{
    uint32_t low = 0, high = dump->key_count;
    ANNOT__LOWER_BOUND(low, high, i, is_before(&dump->sections[dump->by_key[i]], type, key));
    if (low == dump->key_count)
        return NULL;
    const struct dxdmp_section *section = &dump->sections[dump->by_key[low]];
    return section->type == type && section->key == key ? section : NULL;
}

/* The section that holds thing `*index` of a group; *index becomes its place there. NULL past the
 * last. O(log n). */
static const struct dxdmp_section *section_of_thing(const annot_dxdmp *dump, int group,
                                                    size_t *index)
{
    const struct dxdmp_group *things = &dump->groups[group];
    if (*index >= things->count)
        return NULL;
    uint32_t low = 0, high = things->section_count; /* the first section that begins behind it */
    ANNOT__LOWER_BOUND(low, high, i, things->first[i] <= *index);
    *index -= things->first[low - 1];
    return &dump->sections[things->sections[low - 1]];
}

/* ---- text ---- */

enum { PIECE = 256 };

/* Adds valid UTF-8 to a NUL-terminated buffer. False: it is full, cut at a character's border. */
static bool add_text(char *buffer, size_t capacity, size_t *stored, const char *text, size_t size)
{
    size_t room = capacity - 1 - *stored;
    size_t part = size <= room ? size : annot__utf8_prefix(text, room);
    memcpy(buffer + *stored, text, part);
    *stored += part;
    buffer[*stored] = 0;
    return part == size;
}

static size_t utf8_text(const uint8_t *bytes, size_t size, char *buffer, size_t capacity)
{
    size_t stored = 0;
    const uint8_t *nul = memchr(bytes, 0, size);
    size_t end = nul ? (size_t)(nul - bytes) : size;
    char text[3 * PIECE + 1];
    for (size_t at = 0, part; at < end; at += part) {
        part = end - at;
        if (part > PIECE) { /* a character that goes on is left to the next piece */
            part = annot__utf8_prefix((const char *)bytes + at, PIECE);
            if (part == 0) /* none begins */
                part = PIECE;
        }
        size_t length = annot__utf8_from(text, sizeof text, bytes + at, part, ANNOT_TEXT_UTF8);
        if (!add_text(buffer, capacity, &stored, text, length))
            break;
    }
    return stored;
}

/* UTF-16LE at any address and on any machine. */
static size_t utf16_text(const uint8_t *bytes, size_t size, char *buffer, size_t capacity)
{
    size_t stored = 0, count = 0;
    uint16_t units[PIECE];
    char text[3 * PIECE + 1];
    while (2 * count + 1 < size && (bytes[2 * count] || bytes[2 * count + 1]))
        count++;
    for (size_t at = 0, part; at < count; at += part) {
        part = count - at < PIECE ? count - at : PIECE;
        for (size_t i = 0; i < part; i++)
            units[i] = (uint16_t)(bytes[2 * (at + i)] | bytes[2 * (at + i) + 1] << 8);
        if (at + part < count && (units[part - 1] & 0xFC00) == 0xD800)
            part--; /* nor is a surrogate pair parted */
        size_t length = annot__utf8_from(text, sizeof text, units, part, ANNOT_TEXT_UTF16);
        if (!add_text(buffer, capacity, &stored, text, length))
            break;
    }
    return stored;
}

static size_t text_of(const annot_dxdmp *dump, const struct dxdmp_section *section, char *buffer,
                      size_t capacity)
{
    if (capacity > 0)
        buffer[0] = 0;
    if (!section || capacity == 0)
        return 0;
    const uint8_t *bytes = dump->bytes + section->data;
    return section->type == DXDMP_DRED_STRING ? utf8_text(bytes, section->size, buffer, capacity)
                                              : utf16_text(bytes, section->size, buffer, capacity);
}

size_t annot_dxdmp_string(const annot_dxdmp *dump, uint64_t id, char *buffer, size_t capacity)
{
    return text_of(dump, buffer_with_key(dump, DXDMP_STRING, id), buffer, capacity);
}

size_t annot_dxdmp_dred_string(const annot_dxdmp *dump, const uint64_t keys[2], char *buffer,
                               size_t capacity)
{
    const struct dxdmp_section *section = NULL;
    if (keys[1] != 0)
        section = buffer_with_key(dump, DXDMP_DRED_WIDE_STRING, keys[1]);
    if (!section && keys[0] != 0)
        section = buffer_with_key(dump, DXDMP_DRED_STRING, keys[0]);
    return text_of(dump, section, buffer, capacity);
}

size_t annot_dxdmp_adapter(const annot_dxdmp *dump, char *buffer, size_t capacity)
{
    enum { DESCRIPTION = 256 }; /* DXGI_ADAPTER_DESC3 begins with 128 characters */
    const struct dxdmp_section *section = dxdmp_first_section(dump, DXDMP_ADAPTER);
    if (capacity > 0)
        buffer[0] = 0;
    if (!section || capacity == 0)
        return 0;
    size_t size = section->size < DESCRIPTION ? section->size : DESCRIPTION;
    return utf16_text(dump->bytes + section->data, size, buffer, capacity);
}

/* ---- findings ---- */

static const annot_dxdmp_finding finding_rows[] = {
#define FINDING_ROW(name_, damage, text_) {.name = #name_, .text = text_, .is_damage = damage},
    ANNOT_DXDMP_FINDINGS(FINDING_ROW)};

size_t annot_dxdmp_finding_count(const annot_dxdmp *dump)
{
    size_t count = 0;
    for (int slot = 0; slot < DXDMP_FINDING_SLOTS; slot++)
        count += dump->findings[slot].count > 0;
    return count;
}

static bool dxdmp_finding_at(const annot_dxdmp *dump, size_t index, annot_dxdmp_finding *out)
{
    for (int slot = 0; slot < DXDMP_FINDING_SLOTS; slot++) {
        if (dump->findings[slot].count == 0 || index-- > 0)
            continue;
        *out = finding_rows[slot];
        out->count = dump->findings[slot].count;
        out->offset = dump->findings[slot].offset;
        return true;
    }
    return false;
}

bool annot_dxdmp_finding_at_sized(const annot_dxdmp *dump, size_t index, annot_dxdmp_finding *out,
                                  size_t out_size)
{
    annot_dxdmp_finding whole = {0};
    if (!dxdmp_finding_at(dump, index, &whole))
        return false;
    return ANNOT__GIVE(out, out_size, whole);
}

bool annot_dxdmp_is_damaged(const annot_dxdmp *dump)
{
    for (int slot = 0; slot < DXDMP_FINDING_SLOTS; slot++)
        if (dump->findings[slot].count > 0 && finding_rows[slot].is_damage)
            return true;
    return false;
}

/* ---- the file as a whole ---- */

/* A FILETIME counts 100 ns from 1601. What is before 1970 wraps round, and is too far as well. */
static uint64_t time_from_filetime(uint64_t filetime)
{
    const uint64_t epoch = UINT64_C(116444736000000000);
    if (filetime - epoch > UINT64_MAX / 100)
        return 0;
    return (filetime - epoch) * 100;
}

static void get_application(const annot_dxdmp *dump, annot_dxdmp_info *info)
{
    const struct dxdmp_section *section = dxdmp_first_section(dump, DXDMP_APPLICATION);
    info->executable = info->application = info->engine = DXDMP_NO_STRING;
    if (!section || section->size < 32)
        return;
    info->executable = dxdmp_u64(dump, section, 0);
    info->application = dxdmp_u64(dump, section, 8);
    info->engine = dxdmp_u64(dump, section, 24); /* behind a version of 64 bits */
}

static void get_system(const annot_dxdmp *dump, annot_dxdmp_info *info)
{
    enum { VENDOR = 256, DEVICE = 260, DRIVER_VERSION = 320, OS_BUILD = 8, OS_TEXT = 32 };
    const struct dxdmp_section *adapter = dxdmp_first_section(dump, DXDMP_ADAPTER);
    const struct dxdmp_section *os = dxdmp_first_section(dump, DXDMP_OS);
    if (adapter) {
        info->vendor = dxdmp_u32(dump, adapter, VENDOR);
        info->device = dxdmp_u32(dump, adapter, DEVICE);
        info->driver_version = dxdmp_u64(dump, adapter, DRIVER_VERSION);
    }
    info->os = DXDMP_NO_STRING;
    if (os && os->size >= OS_TEXT + 8) {
        info->os_build = dxdmp_u32(dump, os, OS_BUILD);
        info->os = dxdmp_u64(dump, os, OS_TEXT);
    }
}

static void get_dred(const annot_dxdmp *dump, annot_dxdmp_info *info)
{
    const struct dxdmp_section *dred = dxdmp_first_section(dump, DXDMP_DRED);
    const struct dxdmp_section *fault = dxdmp_first_section(dump, DXDMP_PAGE_FAULT);
    if (dred) {
        info->has_dred = true;
        info->dred_version = dxdmp_u32(dump, dred, 0);
        info->dred_state = dxdmp_u32(dump, dred, 4);
        info->removed_reason = dxdmp_u32(dump, dred, 8);
    }
    if (fault && fault->size >= 8) {
        info->has_page_fault = true;
        info->fault_address = dxdmp_u64(dump, fault, 0);
    }
}

void annot_dxdmp_get_info_sized(const annot_dxdmp *dump, annot_dxdmp_info *out, size_t out_size)
{
    const struct dxdmp_section header = {.size = DXDMP_HEADER_SIZE};
    annot_dxdmp_info whole = {
        .version = dxdmp_u32(dump, &header, DXDMP_HEADER_VERSION),
        .error = dxdmp_u32(dump, &header, DXDMP_HEADER_ERROR),
        .time = time_from_filetime(dxdmp_u64(dump, &header, DXDMP_HEADER_TIME)),
        .was_uploaded = dxdmp_u32(dump, &header, DXDMP_HEADER_UPLOADED) != 0,
        .was_debugged = dxdmp_u32(dump, &header, DXDMP_HEADER_DEBUGGED) != 0,
    };
    memcpy(whole.guid, dump->bytes + DXDMP_HEADER_GUID, sizeof whole.guid);
    get_application(dump, &whole);
    get_system(dump, &whole);
    get_dred(dump, &whole);
    ANNOT__GIVE(out, out_size, whole);
}

/* ---- sections ---- */

bool annot_dxdmp_section_at_sized(const annot_dxdmp *dump, size_t index, annot_dxdmp_section *out,
                                  size_t out_size)
{
    if (index >= dump->section_count)
        return false;
    const struct dxdmp_section *section = &dump->sections[index];
    annot_dxdmp_section whole = {
        .type = section->is_memory ? DXDMP_MEMORY : section->type,
        .mem_type = section->is_memory ? section->type : 0,
        .key = section->key,
        .offset = section->header,
        .data = dump->bytes + section->data,
        .size = section->size,
    };
    return ANNOT__GIVE(out, out_size, whole);
}

/* ---- DRED ---- */

static uint32_t section_index(const annot_dxdmp *dump, const struct dxdmp_section *section)
{
    return section ? (uint32_t)(section - dump->sections) : ANNOT_READER_NONE;
}

bool annot_dxdmp_node_at_sized(const annot_dxdmp *dump, size_t index, annot_dxdmp_node *out,
                               size_t out_size)
{
    const struct dxdmp_section *section = section_of_thing(dump, DXDMP_NODES, &index);
    if (!section)
        return false;
    uint64_t history_key = dxdmp_u64(dump, section, DXDMP_NODE_HISTORY);
    uint64_t contexts_key = dxdmp_u64(dump, section, DXDMP_NODE_CONTEXTS);
    const struct dxdmp_section *history = buffer_with_key(dump, DXDMP_HISTORY, history_key);
    const struct dxdmp_section *contexts = buffer_with_key(dump, DXDMP_CONTEXTS, contexts_key);
    annot_dxdmp_node whole = {
        .list = dxdmp_u64(dump, section, DXDMP_NODE_LIST),
        .queue = dxdmp_u64(dump, section, DXDMP_NODE_QUEUE),
        .op_count = dxdmp_u32(dump, section, DXDMP_NODE_COUNT),
        .done = dxdmp_u32(dump, section, DXDMP_NODE_DONE),
        .context_count = dxdmp_u32(dump, section, DXDMP_NODE_CONTEXT_COUNT),
        .ops_section = section_index(dump, history),
        .contexts_section = section_index(dump, contexts),
    };
    for (size_t i = 0; i < 2; i++) {
        whole.list_name[i] = dxdmp_u64(dump, section, DXDMP_NODE_LIST_NAME + 8 * i);
        whole.queue_name[i] = dxdmp_u64(dump, section, DXDMP_NODE_QUEUE_NAME + 8 * i);
    }
    size_t kept = history ? history->size / 4 : 0;
    if (kept > whole.op_count)
        kept = whole.op_count;
    whole.ops_kept = (uint32_t)(kept < DXDMP_RING ? kept : DXDMP_RING);
    size_t has = contexts ? contexts->size / DXDMP_CONTEXT_SIZE : 0;
    if (whole.context_count > has)
        whole.context_count = (uint32_t)has;
    return ANNOT__GIVE(out, out_size, whole);
}

bool annot_dxdmp_node_op_sized(const annot_dxdmp *dump, const annot_dxdmp_node *node,
                               size_t node_size, uint32_t op, uint32_t *kind)
{
    annot_dxdmp_node known = {0};
    if (!ANNOT__TAKE(known, node, node_size))
        return false;
    if (known.ops_section >= dump->section_count || op >= known.op_count)
        return false;
    uint32_t oldest = known.op_count > DXDMP_RING ? known.op_count - DXDMP_RING : 0;
    uint32_t place = op % DXDMP_RING;
    if (op < oldest || place >= known.ops_kept)
        return false;
    *kind = dxdmp_u32(dump, &dump->sections[known.ops_section], (size_t)place * 4);
    return true;
}

uint64_t dxdmp_context_of(const annot_dxdmp *dump, const annot_dxdmp_node *node, uint32_t op)
{
    if (node->contexts_section >= dump->section_count)
        return 0;
    const struct dxdmp_section *contexts = &dump->sections[node->contexts_section];
    uint32_t low = 0, high = node->context_count;
    ANNOT__LOWER_BOUND(low, high, i,
                       dxdmp_u32(dump, contexts, (size_t)i * DXDMP_CONTEXT_SIZE) < op);
    size_t at = (size_t)low * DXDMP_CONTEXT_SIZE;
    if (low == node->context_count || dxdmp_u32(dump, contexts, at) != op)
        return 0;
    return dxdmp_u64(dump, contexts, at + DXDMP_CONTEXT_STRING);
}

bool annot_dxdmp_allocation_at_sized(const annot_dxdmp *dump, size_t index,
                                     annot_dxdmp_allocation *out, size_t out_size)
{
    const struct dxdmp_section *section = section_of_thing(dump, DXDMP_ALLOCATIONS, &index);
    if (!section)
        return false;
    annot_dxdmp_allocation whole = {
        .name = {dxdmp_u64(dump, section, 0), dxdmp_u64(dump, section, 8)},
        .type = dxdmp_u32(dump, section, 16),
        .object = dxdmp_u64(dump, section, 24),
        .is_freed = section->type == DXDMP_FREED_ALLOCATION,
    };
    return ANNOT__GIVE(out, out_size, whole);
}

/* ---- annotations ---- */

bool annot_dxdmp_annotation_at_sized(const annot_dxdmp *dump, size_t index,
                                     annot_dxdmp_annotation *out, size_t out_size)
{
    if (index >= dump->annotation_count)
        return false;
    const struct dxdmp_annotation_place *place = &dump->annotations[index];
    const struct dxdmp_section *section = &dump->sections[place->section];
    const struct dxdmp_section *data =
        buffer_with_key(dump, DXDMP_ANNOTATION_DATA, place->event_id);
    size_t at = (size_t)place->element * DXDMP_ANNOTATION_SIZE;
    annot_dxdmp_annotation whole = {
        .event_id = place->event_id,
        .metadata = dxdmp_u32(dump, section, at + DXDMP_ANNOTATION_METADATA),
        .type = (uint8_t)dxdmp_u32(dump, section, at + DXDMP_ANNOTATION_TYPE),
        .data = data ? dump->bytes + data->data : NULL,
        .size = data ? data->size : 0,
    };
    return ANNOT__GIVE(out, out_size, whole);
}

bool dxdmp_annotation_index(const annot_dxdmp *dump, uint64_t event_id, size_t *index)
{
    uint32_t low = 0, high = dump->annotation_count;
    ANNOT__LOWER_BOUND(low, high, i, dump->annotations[i].event_id < event_id);
    *index = low;
    return low < dump->annotation_count && dump->annotations[low].event_id == event_id;
}

bool annot_dxdmp_annotation_find_sized(const annot_dxdmp *dump, uint64_t event_id,
                                       annot_dxdmp_annotation *out, size_t out_size)
{
    size_t index;
    return dxdmp_annotation_index(dump, event_id, &index) &&
           annot_dxdmp_annotation_at_sized(dump, index, out, out_size);
}

bool annot_dxdmp_owner_at_sized(const annot_dxdmp *dump, size_t index, annot_dxdmp_owner *out,
                                size_t out_size)
{
    const struct dxdmp_section *section = section_of_thing(dump, DXDMP_OWNERS, &index);
    if (!section)
        return false;
    uint64_t count = dxdmp_u64(dump, section, DXDMP_OWNER_COUNT);
    uint64_t room = (section->size - DXDMP_OWNER_IDS) / 8; /* a shorter one has no count */
    annot_dxdmp_owner whole = {
        .handle = dxdmp_u64(dump, section, 0),
        .is_queue = section->type == DXDMP_QUEUE_ANNOTATIONS,
        .id_count = (uint32_t)(count < room ? count : room),
        .section = section_index(dump, section),
    };
    return ANNOT__GIVE(out, out_size, whole);
}

uint64_t annot_dxdmp_owner_id_sized(const annot_dxdmp *dump, const annot_dxdmp_owner *owner,
                                    size_t owner_size, uint32_t index)
{
    annot_dxdmp_owner known = {0};
    if (!ANNOT__TAKE(known, owner, owner_size))
        return 0;
    if (known.section >= dump->section_count || index >= known.id_count)
        return 0;
    return dxdmp_u64(dump, &dump->sections[known.section], DXDMP_OWNER_IDS + (size_t)index * 8);
}

/* ---- objects ---- */

/* D3D12DDI_HANDLETYPE and DX_DUMP_FILE_D3D_OBJECT_TYPE of what has no array of its own there, or
 * none here. */
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

/* D3D12_RESOURCE_DESC2: 16-bit numbers stand between others. */
static void get_resource(const annot_dxdmp *dump, const struct dxdmp_section *section, size_t at,
                         annot_dxdmp_object *object)
{
    enum {
        ADDRESS = 24,
        DESC = 48,
        WIDTH = 64,
        HEIGHT = 72,
        DEPTH = 76,
        FORMAT = 80,
        SAMPLES = 84
    };
    const uint32_t depth_and_mips = dxdmp_u32(dump, section, at + DEPTH);
    object->gpu_address = dxdmp_u64(dump, section, at + ADDRESS);
    object->resource = (annot_resource){.dimension = dxdmp_u32(dump, section, at + DESC),
                                        .width = dxdmp_u64(dump, section, at + WIDTH),
                                        .height = dxdmp_u32(dump, section, at + HEIGHT),
                                        .depth = depth_and_mips & 0xFFFF,
                                        .mips = depth_and_mips >> 16,
                                        .format = dxdmp_u32(dump, section, at + FORMAT),
                                        .samples = dxdmp_u32(dump, section, at + SAMPLES)};
}

bool annot_dxdmp_object_at_sized(const annot_dxdmp *dump, size_t index, annot_dxdmp_object *out,
                                 size_t out_size)
{
    const struct dxdmp_section *section = section_of_thing(dump, DXDMP_OBJECTS, &index);
    if (!section)
        return false;
    size_t at = index * dxdmp_element_size(section->type);
    annot_dxdmp_object whole = {
        .kind = dxdmp_object_kind(section->type),
        .address = dxdmp_u64(dump, section, at + DXDMP_OBJECT_ADDRESS),
        .name = dxdmp_u64(dump, section, at + DXDMP_OBJECT_NAME),
    };
    if (section->type == DXDMP_GENERICS)
        whole.kind = kind_of_generic(dxdmp_u32(dump, section, at + DXDMP_OBJECT_HANDLE));
    else
        whole.handle = dxdmp_u64(dump, section, at + DXDMP_OBJECT_HANDLE);
    if (section->type == DXDMP_RESOURCES)
        get_resource(dump, section, at, &whole);
    else if (section->type == DXDMP_FENCES)
        whole.completed = dxdmp_u64(dump, section, at + DXDMP_FENCE_COMPLETED);
    else if (section->type == DXDMP_QUEUES || section->type == DXDMP_LISTS ||
             section->type == DXDMP_ALLOCATORS)
        whole.list_type = dxdmp_u32(dump, section, at + DXDMP_OBJECT_LIST_TYPE);
    return ANNOT__GIVE(out, out_size, whole);
}

/* ---- the annotation dump inside ---- */

bool annot_dxdmp_inner(const annot_dxdmp *dump, const void **data, size_t *size)
{
    for (uint32_t i = 0; i < dump->section_count; i++) {
        const struct dxdmp_section *section = &dump->sections[i];
        if (!section->is_memory || section->type != DXDMP_DRIVER_BLOB ||
            section->size < ANNOT__DUMP_MAGIC_SIZE ||
            memcmp(dump->bytes + section->data, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE) != 0)
            continue;
        *data = dump->bytes + section->data;
        *size = section->size;
        return true;
    }
    return false;
}
