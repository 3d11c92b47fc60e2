/* The objects of a DirectX dump file: what they are, who holds the address of a page fault, and the
 * bytes that others put into the file. */
#include "dxdmp/made.h"

#include "reader/ask.h"

#include <annot/dump.h>

#include <string.h>

enum { BUFFER = 1 /* D3D12_RESOURCE_DIMENSION */ };

/* ---- objects ---- */

static void put_object(struct dxdmp_made *made, uint64_t id, const annot_dxdmp_object *of,
                       bool is_freed, const char *name, size_t size)
{
    const struct annot__dump_OBJECT fields = {.id = id,
                                              .handle = of->handle,
                                              .kind = of->kind,
                                              .list_type = of->list_type,
                                              .flags =
                                                  (size > 0 ? ANNOT__DUMP_OBJECT_NAMED : 0u) |
                                                  (is_freed ? ANNOT__DUMP_OBJECT_DESTROYED : 0u),
                                              .name_size = (uint32_t)size};
    DXDMP_PUT(made, OBJECT, &fields, name, size);
}

static void put_of_dred(struct dxdmp_made *made, uint64_t id, uint32_t kind, bool is_freed,
                        const uint64_t keys[2])
{
    char name[DXDMP_NAME_MAX];
    const annot_dxdmp_object object = {.kind = kind};
    if (id > annot_dxdmp_object_count(made->from)) /* else it is among the file's */
        put_object(made, id, &object, is_freed, name, dxdmp_dred_name(made, keys, name));
}

static void put_resource(struct dxdmp_made *made, uint64_t id, const annot_resource *of)
{
    const struct annot__dump_RESOURCE fields = {.object = id,
                                                .width = of->width,
                                                .dimension = of->dimension,
                                                .format = of->format,
                                                .height = of->height,
                                                .depth = of->depth,
                                                .mips = of->mips,
                                                .samples = of->samples};
    if (of->dimension != 0)
        DXDMP_PUT(made, RESOURCE, &fields, NULL, 0);
}

/* The name that DRED has of an object that has none in its own array. */
static size_t name_by_dred(struct dxdmp_made *made, uint64_t id, char name[DXDMP_NAME_MAX])
{
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++) {
        if (dxdmp_known_id(made, node.queue, 0) == id)
            return dxdmp_dred_name(made, node.queue_name, name);
        if (dxdmp_known_id(made, node.list, 0) == id)
            return dxdmp_dred_name(made, node.list_name, name);
    }
    for (size_t i = 0;
         i < DXDMP_ALLOCATIONS_MADE && annot_dxdmp_allocation_at(made->from, i, &allocation); i++)
        if (dxdmp_known_id(made, allocation.object, 0) == id)
            return dxdmp_dred_name(made, allocation.name, name);
    return 0;
}

void dxdmp_put_objects(struct dxdmp_made *made)
{
    enum { LOOKED_UP = 1024 }; /* unnamed objects; each one costs a search of DRED's names */
    annot_dxdmp_object object;
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    annot_dxdmp_owner owner;
    char name[DXDMP_NAME_MAX];
    size_t unnamed = 0;
    for (size_t i = 0; annot_dxdmp_object_at(made->from, i, &object); i++) {
        size_t size = dxdmp_name(made, object.name, name);
        if (size == 0 && unnamed++ < LOOKED_UP)
            size = name_by_dred(made, i + 1, name);
        put_object(made, i + 1, &object, false, name, size);
        put_resource(made, i + 1, &object.resource);
    }
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++) {
        if (dxdmp_is_first_of_queue(made, &node, i))
            put_of_dred(made, dxdmp_queue_id(made, &node), D3D12DDI_HT_COMMAND_QUEUE, false,
                        node.queue_name);
        put_of_dred(made, dxdmp_list_id(made, &node, i), D3D12DDI_HT_COMMAND_LIST, false,
                    node.list_name);
    }
    for (size_t i = 0;
         i < DXDMP_ALLOCATIONS_MADE && annot_dxdmp_allocation_at(made->from, i, &allocation); i++)
        put_of_dred(made, dxdmp_allocation_id(made, &allocation, i), allocation.type,
                    allocation.is_freed, allocation.name);
    for (size_t i = 0; annot_dxdmp_owner_at(made->from, i, &owner); i++)
        put_of_dred(made, dxdmp_owner_id(made, &owner, i),
                    owner.is_queue ? D3D12DDI_HT_COMMAND_QUEUE : D3D12DDI_HT_COMMAND_ALLOCATOR,
                    false, (const uint64_t[2]){0, 0});
}

/* ---- the page fault ---- */

/* Textures have no address of their own, and their size is the driver's. */
static bool range_of(const struct dxdmp_made *made, size_t index, struct annot__dump_RANGE *range)
{
    annot_dxdmp_object object;
    if (!annot_dxdmp_object_at(made->from, index, &object) || object.resource.dimension != BUFFER ||
        object.gpu_address == 0 || object.resource.width == 0)
        return false;
    *range = (struct annot__dump_RANGE){.address = object.gpu_address,
                                        .size = object.resource.width,
                                        .object = index + 1,
                                        .kind = object.kind};
    return true;
}

static void put_buffers(struct dxdmp_made *made, const annot_dxdmp_info *info, bool holds)
{
    struct annot__dump_RANGE range;
    const size_t count = annot_dxdmp_object_count(made->from);
    for (size_t i = 0; i < count; i++)
        if (range_of(made, i, &range) &&
            holds == (info->has_page_fault && annot__range_holds(&range, info->fault_address)))
            DXDMP_PUT(made, RANGE, &range, NULL, 0);
}

static void put_allocations(struct dxdmp_made *made, uint64_t fault)
{
    annot_dxdmp_allocation allocation;
    struct annot__dump_RANGE range;
    for (size_t i = 0;
         i < DXDMP_ALLOCATIONS_MADE && annot_dxdmp_allocation_at(made->from, i, &allocation); i++) {
        const uint64_t known = dxdmp_known_id(made, allocation.object, 0);
        if (known != 0 && range_of(made, known - 1, &range) && annot__range_holds(&range, fault))
            continue; /* said already */
        range = (struct annot__dump_RANGE){.address = fault,
                                           .object = dxdmp_allocation_id(made, &allocation, i),
                                           .kind = allocation.type,
                                           .flags = allocation.is_freed ? ANNOT_RANGE_FREED : 0};
        DXDMP_PUT(made, RANGE, &range, NULL, 0);
    }
}

/* Readers show the first ones. */
void dxdmp_put_ranges(struct dxdmp_made *made, const annot_dxdmp_info *info)
{
    put_buffers(made, info, true);
    if (info->has_page_fault)
        put_allocations(made, info->fault_address);
    put_buffers(made, info, false);
}

/* ---- blobs ---- */

static uint32_t blob_kind(uint32_t mem_type)
{
    return mem_type == DXDMP_APPLICATION_BLOB ? ANNOT_BLOB_APPLICATION
           : mem_type == DXDMP_KERNEL_BLOB    ? ANNOT_BLOB_KERNEL
           : mem_type == DXDMP_DRIVER_BLOB    ? ANNOT_BLOB_DRIVER
                                              : 0;
}

bool dxdmp_has_blobs(const annot_dxdmp *dump)
{
    for (uint32_t i = 0; i < dump->section_count; i++)
        if (dump->sections[i].is_memory && blob_kind(dump->sections[i].type) != 0)
            return true;
    return false;
}

void dxdmp_put_blobs(struct dxdmp_made *made)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < made->from->section_count; i++) {
        const struct dxdmp_section *section = &made->from->sections[i];
        const uint32_t kind = section->is_memory ? blob_kind(section->type) : 0;
        if (kind == 0)
            continue;
        struct annot__dump_BLOB blob = {
            .metadata = section->key, .size = section->size, .kind = kind, .index = index++};
        do {
            const uint64_t left = section->size - blob.offset;
            const size_t part =
                left < ANNOT__DUMP_VARIABLE_MAX ? (size_t)left : ANNOT__DUMP_VARIABLE_MAX;
            DXDMP_PUT(made, BLOB, &blob, made->from->bytes + section->data + blob.offset, part);
            blob.offset += part;
        } while (blob.offset < section->size && made->has_memory);
    }
}
