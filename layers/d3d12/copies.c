/* Words by CopyBufferRegion, for devices without WriteBufferImmediate: each word is copied from a
 * table. Its place in the table is used for nothing else while its recording may be executed.
 *
 *     barrier    all work so far is done
 *     copy       4 bytes
 *     barrier    the copy is done before later work begins
 *
 * A copy is illegal in render passes and bundles, and a predicate may skip it; no word is written
 * there. Between draws it is expensive, because it ends the render pass that a translation layer
 * has gathered. */
#include "layer.h"

#include <stdlib.h>

#include <utlist.h>

enum { TABLE_WORDS = 4096 };

struct layer_table {
    ID3D12Resource *buffer;
    uint32_t *words;
    uint32_t used;
    struct layer_table *next;
};

static void destroy(struct layer_device *device, struct layer_table *table)
{
    if (!table)
        return;
    layer_release(device, table->buffer);
    free(table);
}

static struct layer_table *create(struct layer_device *device, uint32_t words)
{
    struct layer_table *table = calloc(1, sizeof *table);
    void *mapped = NULL;
    if (!table)
        return NULL;
    table->buffer =
        layer_buffer_create(device, D3D12_HEAP_TYPE_UPLOAD, words * sizeof *table->words,
                            D3D12_RESOURCE_STATE_GENERIC_READ, &mapped);
    table->words = mapped;
    if (table->buffer)
        return table;
    free(table);
    return NULL;
}

bool layer_copies_open(struct layer_device *device)
{
    device->constants = create(device, LAYER_CONSTANTS);
    for (uint32_t i = 0; device->constants && i < LAYER_CONSTANTS; i++)
        device->constants->words[i] = i;
    return device->constants != NULL;
}

void layer_copies_finish(struct layer_device *device)
{
    destroy(device, device->constants);
    device->constants = NULL;
}

/* ---- writes ---- */

static void barrier(ID3D12GraphicsCommandList *list)
{
    static const D3D12_RESOURCE_BARRIER all[] = {{.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV},
                                                 {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING}};
    list->lpVtbl->ResourceBarrier(list, sizeof all / sizeof *all, all);
}

static void copy(const struct layer_device *device, ID3D12GraphicsCommandList *list,
                 uint64_t offset, const struct layer_table *from, uint32_t index)
{
    barrier(list);
    list->lpVtbl->CopyBufferRegion(list, device->memory.buffer, offset, from->buffer,
                                   index * sizeof *from->words, sizeof *from->words);
    barrier(list);
}

void layer_copies_write_constant(const struct layer_device *device, void *list, uint64_t offset,
                                 uint32_t value)
{
    copy(device, list, offset, device->constants, value);
}

/* Finds a table with room, which is always the first one. */
static struct layer_table *table_with_room(struct layer_arena *arena)
{
    struct layer_table *table = arena->sources;
    if (table && table->used < TABLE_WORDS)
        return table;
    table = create(arena->device, TABLE_WORDS);
    if (table)
        LL_PREPEND(arena->sources, table);
    return table;
}

void layer_copies_write(const struct layer_device *device, struct layer_arena *arena, void *list,
                        uint64_t offset, uint32_t value)
{
    /* if memory runs out, a value that no marker has: later markers of the recording are unknown */
    enum { WORD_LOST = 3 };
    struct layer_table *table = table_with_room(arena);
    if (!table) {
        layer_copies_write_constant(device, list, offset, WORD_LOST);
        return;
    }
    table->words[table->used] = value;
    copy(device, list, offset, table, table->used++);
}

/* ---- ends ---- */

void layer_copies_leave(struct layer_arena *arena)
{
    struct layer_table *table, *next;
    LL_FOREACH_SAFE(arena->sources, table, next)
    destroy(arena->device, table);
    arena->sources = NULL;
}

/* Frees all tables except one, which stays for the next recordings. */
void layer_copies_reset(struct layer_arena *arena)
{
    struct layer_table *kept = arena->sources;
    if (!kept)
        return;
    LL_DELETE(arena->sources, kept);
    layer_copies_leave(arena);
    kept->used = 0;
    LL_PREPEND(arena->sources, kept);
}
