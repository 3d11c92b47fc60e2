#include "dxdmp/made.h"

#include "base/search.h"

#include <annot/dump.h>

#include <stdlib.h>
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

size_t dxdmp_name(struct dxdmp_made *made, uint64_t id, char name[DXDMP_NAME_MAX])
{
    return dxdmp_take_name(made, annot_dxdmp_string(made->from, id, name, DXDMP_NAME_MAX));
}

size_t dxdmp_dred_name(struct dxdmp_made *made, const uint64_t keys[2], char name[DXDMP_NAME_MAX])
{
    return dxdmp_take_name(made, annot_dxdmp_dred_string(made->from, keys, name, DXDMP_NAME_MAX));
}

/* ---- identities ---- */

static int compare(uint64_t key, uint32_t kind, const struct dxdmp_known *to)
{
    const int order = annot__compare(key, to->key);
    return order != 0 ? order : annot__compare(kind, to->kind);
}

static int compare_known(const void *left, const void *right)
{
    const struct dxdmp_known *a = left, *b = right;
    const int order = compare(a->key, a->kind, b);
    return order != 0 ? order : annot__compare(a->object, b->object);
}

/* Addresses of a file may be anything: of two objects with one, the first has it. */
void dxdmp_know_objects(struct dxdmp_made *made)
{
    const annot_allocator *allocator = &made->from->allocator;
    const size_t count = annot_dxdmp_object_count(made->from);
    annot_dxdmp_object object;
    if (count == 0)
        return;
    made->known = allocator->allocate(allocator->user, 2 * count * sizeof *made->known, 16);
    made->has_memory = made->known != NULL;
    for (size_t i = 0; made->known && annot_dxdmp_object_at(made->from, i, &object); i++) {
        if (object.address != 0)
            made->known[made->known_count++] = (struct dxdmp_known){object.address, 0, (uint32_t)i};
        if (object.kind == D3D12DDI_HT_COMMAND_QUEUE ||
            object.kind == D3D12DDI_HT_COMMAND_ALLOCATOR)
            made->known[made->known_count++] =
                (struct dxdmp_known){object.handle, object.kind, (uint32_t)i};
    }
    if (made->known)
        qsort(made->known, made->known_count, sizeof *made->known, compare_known);
}

uint64_t dxdmp_known_id(const struct dxdmp_made *made, uint64_t key, uint32_t kind)
{
    uint32_t low = 0, high = (uint32_t)made->known_count;
    ANNOT__LOWER_BOUND(low, high, i, compare(key, kind, &made->known[i]) > 0);
    if (low == made->known_count || compare(key, kind, &made->known[low]) != 0)
        return 0;
    return made->known[low].object + (uint64_t)1;
}

static uint64_t id_of(const struct dxdmp_made *made, uint64_t known, uint64_t own)
{
    return known != 0 ? known : annot_dxdmp_object_count(made->from) + own;
}

uint64_t dxdmp_queue_id(const struct dxdmp_made *made, const annot_dxdmp_node *node)
{
    annot_dxdmp_node other;
    size_t i = 0;
    while (annot_dxdmp_node_at(made->from, i, &other) && other.queue != node->queue)
        i++;
    return id_of(made, dxdmp_known_id(made, node->queue, 0), 2 * i + 1);
}

uint64_t dxdmp_list_id(const struct dxdmp_made *made, const annot_dxdmp_node *node, size_t index)
{
    return id_of(made, dxdmp_known_id(made, node->list, 0), 2 * index + 2);
}

enum { FIRST_ALLOCATION = 2 * DXDMP_NODES_MADE + 16 };

uint64_t dxdmp_allocation_id(const struct dxdmp_made *made, const annot_dxdmp_allocation *of,
                             size_t index)
{
    return id_of(made, dxdmp_known_id(made, of->object, 0), FIRST_ALLOCATION + index);
}

uint64_t dxdmp_owner_id(const struct dxdmp_made *made, const annot_dxdmp_owner *owner, size_t index)
{
    const uint32_t kind =
        owner->is_queue ? D3D12DDI_HT_COMMAND_QUEUE : D3D12DDI_HT_COMMAND_ALLOCATOR;
    return id_of(made, dxdmp_known_id(made, owner->handle, kind),
                 FIRST_ALLOCATION + DXDMP_ALLOCATIONS_MADE + index);
}

/* ---- nodes ---- */

/* A history that many nodes share would be repeated for each: all together are no longer than the
 * file could hold [ANN-SEC-04]. */
size_t dxdmp_nodes_made(const annot_dxdmp *dump)
{
    annot_dxdmp_node node;
    uint64_t left = dump->size / 4 + DXDMP_RING;
    size_t count = 0;
    while (count < DXDMP_NODES_MADE && annot_dxdmp_node_at(dump, count, &node) &&
           node.ops_kept <= left) {
        left -= node.ops_kept;
        count++;
    }
    return count;
}

bool dxdmp_is_first_of_queue(const struct dxdmp_made *made, const annot_dxdmp_node *node,
                             size_t index)
{
    annot_dxdmp_node other;
    for (size_t i = 0; i < index && annot_dxdmp_node_at(made->from, i, &other); i++)
        if (other.queue == node->queue)
            return false;
    return true;
}
