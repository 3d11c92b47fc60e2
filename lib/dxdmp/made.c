#include "dxdmp/made.h"

#include <annot/ddi.h>

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- bytes ---- */

char *dxdmp_extend(struct dxdmp_made *made, size_t size)
{
    const annot_allocator *allocator = &made->from->allocator;
    if (!made->has_memory)
        return NULL;
    if (size > made->capacity - made->size) {
        const size_t capacity = 2 * (made->size + size);
        char *larger = allocator->allocate(allocator->user, capacity, 16);
        made->has_memory = larger != NULL;
        if (!larger)
            return NULL;
        if (made->bytes) {
            memcpy(larger, made->bytes, made->size);
            allocator->release(allocator->user, made->bytes, made->capacity);
        }
        made->bytes = larger;
        made->capacity = capacity;
    }
    char *at = made->bytes + made->size;
    memset(at, 0, size);
    made->size += size;
    return at;
}

void dxdmp_close_section(struct dxdmp_made *made)
{
    if (made->section == 0)
        return;
    char *header = made->bytes + made->section;
    const size_t size = made->size - made->section - ANNOT__DUMP_SECTION_HEADER;
    annot__put_u64(header + 16, size);
    annot__put_u64(header + 24, XXH64(header + ANNOT__DUMP_SECTION_HEADER, size,
                                      (uint64_t)(made->sections - 1) << 32 | made->kind));
}

void dxdmp_open_section(struct dxdmp_made *made, uint32_t kind)
{
    dxdmp_close_section(made);
    const size_t at = made->size;
    char *header = dxdmp_extend(made, ANNOT__DUMP_SECTION_HEADER);
    if (!header)
        return;
    memcpy(header, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    annot__put_u32(header + 8, kind);
    annot__put_u32(header + 12, made->sections++);
    made->section = at;
    made->kind = kind;
}

void dxdmp_put_record(struct dxdmp_made *made, uint32_t kind, const char *fixed, size_t fixed_size,
                      const void *variable, size_t size)
{
    const size_t whole = ANNOT__DUMP_RECORD_HEADER + fixed_size + size;
    char *at = dxdmp_extend(made, (whole + 7) & ~(size_t)7);
    if (!at)
        return;
    annot__put_u16(at, (uint16_t)kind);
    annot__put_u16(at + 2, (uint16_t)fixed_size);
    annot__put_u32(at + 4, (uint32_t)size);
    memcpy(at + ANNOT__DUMP_RECORD_HEADER, fixed, fixed_size);
    if (size > 0)
        memcpy(at + ANNOT__DUMP_RECORD_HEADER + fixed_size, variable, size);
    made->records += kind != ANNOT__DUMP_END;
}

/* ---- names ---- */

size_t dxdmp_take_name(struct dxdmp_made *made, size_t size)
{
    const bool has_room = size <= made->name_bytes_left;
    made->name_bytes_left -= has_room ? size : 0;
    made->names_left_out += !has_room;
    return has_room ? size : 0;
}

size_t dxdmp_name(struct dxdmp_made *made, const struct dxdmp_section *section, size_t offset,
                  char name[DXDMP_NAME_MAX])
{
    return dxdmp_take_name(made, dxdmp_string(made->from, section, offset, name, DXDMP_NAME_MAX));
}

size_t dxdmp_dred_name(struct dxdmp_made *made, const uint64_t keys[2], char name[DXDMP_NAME_MAX])
{
    return dxdmp_take_name(made, dxdmp_dred_string(made->from, keys, name, DXDMP_NAME_MAX));
}

/* ---- identities ---- */

/* Finds the ID of an address in the old process (`kind` 0), or of a handle. If two objects of the
 * file have one address, the first wins. */
static uint64_t id_of(const struct dxdmp_made *made, uint64_t key, uint32_t kind, uint64_t own)
{
    const uint32_t at = dxdmp_lower(made->known, made->known_count, key, kind);
    const bool is_known =
        at < made->known_count && made->known[at].key == key && made->known[at].kind == kind;
    return is_known && made->known[at].at != 0 ? made->known[at].at
                                               : made->from->counts[DXDMP_OBJECTS] + own;
}

enum { FIRST_ALLOCATION = 2 * DXDMP_NODES_MADE + 16 };

uint64_t dxdmp_owner_id(const struct dxdmp_made *made, const struct dxdmp_thing *owner,
                        uint32_t *kind)
{
    *kind = owner->section->type == DXDMP_QUEUE_ANNOTATIONS ? D3D12DDI_HT_COMMAND_QUEUE
                                                            : D3D12DDI_HT_COMMAND_ALLOCATOR;
    return id_of(made, dxdmp_u64(made->from, owner->section, 0), *kind,
                 FIRST_ALLOCATION + DXDMP_ALLOCATIONS_MADE + (uint64_t)owner->number - 1);
}

/* Finds the nodes. A history that nodes share is copied for each node; the file's size limits all
 * copies together [ANN-SEC-04]. */
static void know_nodes(struct dxdmp_made *made)
{
    struct dxdmp_thing thing = {0};
    uint64_t left = made->from->size / 4 + DXDMP_RING;
    while (made->node_count < DXDMP_NODES_MADE && dxdmp_next(made->from, DXDMP_NODES, &thing)) {
        const uint32_t index = made->node_count;
        struct dxdmp_node *node = &made->nodes[index];
        uint32_t first = 0; /* the first node of its queue */
        dxdmp_node_of(made->from, thing.section, node);
        if (node->ops_kept > left)
            return;
        left -= node->ops_kept;
        while (made->nodes[first].queue != node->queue)
            first++;
        node->is_first = first == index;
        node->list_id = id_of(made, node->list, 0, 2 * (uint64_t)index + 2);
        node->queue_id = id_of(made, node->queue, 0, 2 * (uint64_t)first + 1);
        made->node_count++;
    }
}

static void know_allocations(struct dxdmp_made *made)
{
    struct dxdmp_thing thing = {0};
    while (made->allocation_count < DXDMP_ALLOCATIONS_MADE &&
           dxdmp_next(made->from, DXDMP_ALLOCATIONS, &thing)) {
        const struct dxdmp_section *section = thing.section;
        const uint64_t object = dxdmp_u64(made->from, section, 24);
        made->allocations[made->allocation_count] = (struct dxdmp_allocation){
            .name = {dxdmp_u64(made->from, section, 0), dxdmp_u64(made->from, section, 8)},
            .type = dxdmp_u32(made->from, section, 16),
            .object = object,
            .is_freed = section->type == DXDMP_FREED_ALLOCATION,
            .id = id_of(made, object, 0, FIRST_ALLOCATION + (uint64_t)made->allocation_count),
        };
        made->allocation_count++;
    }
}

void dxdmp_know_objects(struct dxdmp_made *made)
{
    const annot_allocator *allocator = &made->from->allocator;
    const size_t count = made->from->counts[DXDMP_OBJECTS];
    struct dxdmp_thing thing = {0};
    struct dxdmp_object object;
    if (count > 0)
        made->known = allocator->allocate(allocator->user, 2 * count * sizeof *made->known, 16);
    made->has_memory = count == 0 || made->known;
    while (made->known && dxdmp_next(made->from, DXDMP_OBJECTS, &thing)) {
        dxdmp_object_of(made->from, &thing, &object);
        if (object.address != 0)
            made->known[made->known_count++] =
                (struct dxdmp_place){object.address, 0, thing.number};
        if (object.kind == D3D12DDI_HT_COMMAND_QUEUE ||
            object.kind == D3D12DDI_HT_COMMAND_ALLOCATOR)
            made->known[made->known_count++] =
                (struct dxdmp_place){object.handle, object.kind, thing.number};
    }
    dxdmp_sort(made->known, made->known_count);
    know_nodes(made);
    know_allocations(made);
}
