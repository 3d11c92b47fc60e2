/* Makes the objects of a DirectX dump file: descriptions, owners of the page fault's address, and
 * blobs of application and driver. */
#include "dxdmp/made.h"

#include "reader/ask.h"

#include "base/little.h"

#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/shader.h>

#include <string.h>

enum { BUFFER = 1 /* D3D12_RESOURCE_DIMENSION */ };

/* ---- objects ---- */

/* Writes the shaders whose containers are among the bytes of a pipeline. The published layout does
 * not say where they begin. */
static void put_shaders(struct dxdmp_made *made, uint64_t id, const struct dxdmp_object *of)
{
    annot_container container;
    annot_shader shader;
    uint32_t count = 0;
    if (of->code_size > made->code_left)
        return;
    made->code_left -= of->code_size;
    for (size_t at = 0, size = (size_t)of->code_size; at < size && count < ANNOT_SHADERS_MAX;) {
        const bool is_shader = annot_container_open(of->code + at, size - at, &container) &&
                               annot_shader_read(container.data, container.size, &shader) &&
                               shader.form != ANNOT_SHADER_FORM_OTHER;
        at += is_shader ? container.size : 4;
        if (!is_shader)
            continue;
        struct annot__dump_SHADER fields = {.object = id,
                                            .xxh3 = shader.xxh3,
                                            .digest_low = annot__little_u64(shader.digest),
                                            .digest_high = annot__little_u64(shader.digest + 8),
                                            .hash_low = annot__little_u64(shader.hash),
                                            .hash_high = annot__little_u64(shader.hash + 8),
                                            .form = shader.form,
                                            .stage = shader.stage,
                                            .flags = shader.flags,
                                            .name_size = (uint32_t)shader.debug_name_size};
        DXDMP_PUT(made, SHADER, &fields, shader.debug_name,
                  dxdmp_take_name(made, shader.debug_name_size < ANNOT_SHADER_NAME_MAX
                                            ? shader.debug_name_size
                                            : ANNOT_SHADER_NAME_MAX));
        count++;
    }
}

static void put_object(struct dxdmp_made *made, uint64_t id, const struct dxdmp_object *of,
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
    const struct dxdmp_object object = {.kind = kind};
    if (id > made->from->counts[DXDMP_OBJECTS]) /* the file lacks the object */
        put_object(made, id, &object, is_freed, name, dxdmp_dred_name(made, keys, name));
}

/* Finds the name in DRED's data if the object has none in its own array. */
static size_t name_by_dred(struct dxdmp_made *made, uint64_t id, char name[DXDMP_NAME_MAX])
{
    for (uint32_t i = 0; i < made->node_count; i++) {
        const struct dxdmp_node *node = &made->nodes[i];
        if (node->queue_id == id || node->list_id == id)
            return dxdmp_dred_name(made, node->queue_id == id ? node->queue_name : node->list_name,
                                   name);
    }
    for (uint32_t i = 0; i < made->allocation_count; i++)
        if (made->allocations[i].id == id)
            return dxdmp_dred_name(made, made->allocations[i].name, name);
    return 0;
}

void dxdmp_put_objects(struct dxdmp_made *made)
{
    enum { LOOKED_UP = 1024 }; /* number of unnamed objects that are searched in DRED's names */
    static const uint64_t no_name[2];
    struct dxdmp_object object;
    struct dxdmp_thing thing = {0}, owner = {0};
    char name[DXDMP_NAME_MAX];
    uint32_t unnamed = 0, kind;
    while (dxdmp_next(made->from, DXDMP_OBJECTS, &thing)) {
        dxdmp_object_of(made->from, &thing, &object);
        size_t size = dxdmp_name(made, thing.section, object.name, name);
        if (size == 0 && unnamed++ < LOOKED_UP)
            size = name_by_dred(made, thing.number, name);
        put_object(made, thing.number, &object, false, name, size);
        object.resource.object = thing.number;
        if (object.resource.dimension != 0)
            DXDMP_PUT(made, RESOURCE, &object.resource, NULL, 0);
        put_shaders(made, thing.number, &object);
    }
    for (uint32_t i = 0; i < made->node_count; i++) {
        const struct dxdmp_node *node = &made->nodes[i];
        if (node->is_first)
            put_of_dred(made, node->queue_id, D3D12DDI_HT_COMMAND_QUEUE, false, node->queue_name);
        put_of_dred(made, node->list_id, D3D12DDI_HT_COMMAND_LIST, false, node->list_name);
    }
    for (uint32_t i = 0; i < made->allocation_count; i++) {
        const struct dxdmp_allocation *of = &made->allocations[i];
        put_of_dred(made, of->id, of->type, of->is_freed, of->name);
    }
    while (dxdmp_next(made->from, DXDMP_OWNERS, &owner)) {
        const uint64_t id = dxdmp_owner_id(made, &owner, &kind);
        put_of_dred(made, id, kind, false, no_name);
    }
}

/* ---- the page fault ---- */

static bool holds(const struct dxdmp_made *made, const struct annot__dump_RANGE *range)
{
    return made->has_fault && annot__range_holds(range, made->fault);
}

/* Gets the address range of a buffer. Textures have no address, and only the driver knows their
 * size. */
static bool range_of(const struct dxdmp_made *made, const struct dxdmp_thing *thing,
                     struct annot__dump_RANGE *range)
{
    struct dxdmp_object object;
    dxdmp_object_of(made->from, thing, &object);
    *range = (struct annot__dump_RANGE){.address = object.gpu_address,
                                        .size = object.resource.width,
                                        .object = thing->number,
                                        .kind = object.kind};
    return object.resource.dimension == BUFFER && range->address != 0 && range->size != 0;
}

void dxdmp_find_heap(struct dxdmp_made *made)
{
    struct annot__dump_RANGE range;
    struct dxdmp_thing thing = {0};
    struct dxdmp_object object;
    uint64_t nearest = UINT64_MAX;
    while (made->has_fault && dxdmp_next(made->from, DXDMP_OBJECTS, &thing)) {
        if (!range_of(made, &thing, &range))
            continue;
        const uint64_t away = holds(made, &range) ? 0 : annot__range_distance(&range, made->fault);
        dxdmp_object_of(made->from, &thing, &object);
        if (away >= nearest || (away > 0 && !annot__range_is_near(&range, made->fault)))
            continue;
        nearest = away;
        made->fault_heap = object.heap;
    }
}

static void put_buffers(struct dxdmp_made *made, bool around_fault)
{
    struct annot__dump_RANGE range;
    struct dxdmp_thing thing = {0};
    while (dxdmp_next(made->from, DXDMP_OBJECTS, &thing))
        if (range_of(made, &thing, &range) && holds(made, &range) == around_fault) {
            DXDMP_PUT(made, RANGE, &range, NULL, 0);
            for (uint32_t i = 0; i < made->allocation_count; i++)
                made->allocations[i].is_said |= made->allocations[i].id == range.object;
        }
}

/* Writes ranges. The buffers at the fault come first, because readers show the first ranges. */
void dxdmp_put_ranges(struct dxdmp_made *made)
{
    put_buffers(made, true);
    for (uint32_t i = 0; made->has_fault && i < made->allocation_count; i++) {
        const struct dxdmp_allocation *of = &made->allocations[i];
        const struct annot__dump_RANGE range = {.address = made->fault,
                                                .object = of->id,
                                                .kind = of->type,
                                                .flags = of->is_freed ? ANNOT_RANGE_FREED : 0};
        if (!of->is_said)
            DXDMP_PUT(made, RANGE, &range, NULL, 0);
    }
    put_buffers(made, false);
}

/* ---- blobs ---- */

void dxdmp_put_blobs(struct dxdmp_made *made)
{
    struct dxdmp_thing thing = {0};
    while (dxdmp_next(made->from, DXDMP_BLOBS, &thing)) {
        const struct dxdmp_section *section = thing.section;
        struct annot__dump_BLOB blob = {.metadata = section->key,
                                        .size = section->size,
                                        .kind = section->kind,
                                        .index = thing.number - 1};
        do {
            const uint64_t left = section->size - blob.offset;
            const size_t part =
                left < ANNOT__DUMP_VARIABLE_MAX ? (size_t)left : ANNOT__DUMP_VARIABLE_MAX;
            DXDMP_PUT(made, BLOB, &blob, made->from->bytes + section->data + blob.offset, part);
            blob.offset += part;
        } while (blob.offset < section->size && made->has_memory);
    }
}
