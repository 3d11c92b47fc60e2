/* Chunks of marker memory and the slots that give them their place in EventIDs. Chunks move between
 * the device's pool and arenas; slots are permanent, so an old EventID can always be compared with
 * its slot. */
#include "record/record.h"

#include <string.h>

#define PAGE_BYTES (sizeof(struct annot__slot) * ANNOT__SLOTS_PER_PAGE)

/* Makes a slot, or returns NULL without memory or slot numbers. Hold pool_lock. */
static struct annot__slot *slot_make(annot_device *device)
{
    uint32_t number = atomic_load_explicit(&device->slot_count, memory_order_relaxed);
    if (number == ANNOT__SLOTS_MAX)
        return NULL;
    _Atomic(struct annot__slot *) *page = &device->slot_pages[number / ANNOT__SLOTS_PER_PAGE];
    struct annot__slot *slots = atomic_load_explicit(page, memory_order_relaxed);
    if (!slots) {
        slots = annot__allocate(device, PAGE_BYTES, 64);
        if (!slots)
            return NULL;
        memset(slots, 0, PAGE_BYTES);
        atomic_store_explicit(page, slots, memory_order_release);
    }
    struct annot__slot *slot = slots + number % ANNOT__SLOTS_PER_PAGE;
    slot->number = number;
    atomic_store_explicit(&device->slot_count, number + 1, memory_order_release);
    return slot;
}

static void list_push(struct annot__slot **list, struct annot__slot *slot)
{
    atomic_store_explicit(&slot->next, *list, memory_order_relaxed);
    *list = slot;
}

static struct annot__slot *list_pop(struct annot__slot **list)
{
    struct annot__slot *slot = *list;
    if (slot)
        *list = atomic_load_explicit(&slot->next, memory_order_relaxed);
    return slot;
}

/* A block of chunks. A block is as large as all earlier blocks together, up to 2 MiB. So a device
 * with few markers stays small, and chunks don't cost the page or two that single allocations
 * add. */
struct annot__block {
    struct annot__block *next;
    void *memory;
    uint32_t chunks;
};

#define BLOCK_CHUNKS_MAX 32u

static bool block_allocate(const annot_device *device, struct annot__block *block, uint32_t chunks)
{
    block->chunks = chunks;
    block->memory = annot__allocate(device, (size_t)chunks * ANNOT__CHUNK_SIZE, ANNOT__CHUNK_SIZE);
    return block->memory != NULL;
}

/* Returns a slot without memory. Hold pool_lock. */
static struct annot__slot *slot_take(annot_device *device)
{
    struct annot__slot *slot = list_pop(&device->free_slots);
    return slot ? slot : slot_make(device);
}

/* Puts the chunks of a new block into the pool: the first chunk in `slot`, the others as long as
 * there are slots. The chunks' memory is not touched. Hold pool_lock. */
static void block_cut(annot_device *device, struct annot__block *block, struct annot__slot *slot)
{
    block->next = device->blocks;
    device->blocks = block;
    for (uint32_t i = 0; slot; i++) {
        slot->chunk =
            (struct annot__chunk *)(void *)((char *)block->memory + (size_t)i * ANNOT__CHUNK_SIZE);
        list_push(&device->pool, slot);
        slot = i + 1 < block->chunks ? slot_take(device) : NULL;
    }
}

static struct annot__block *block_make(annot_device *device)
{
    uint64_t reserved = atomic_load_explicit(&device->reserved_bytes, memory_order_relaxed);
    uint64_t chunks = reserved / ANNOT__CHUNK_SIZE;
    chunks = chunks < 1 ? 1 : chunks < BLOCK_CHUNKS_MAX ? chunks : BLOCK_CHUNKS_MAX;
    struct annot__block *block = annot__allocate(device, sizeof *block, ANNOT__MAX_ALIGN);
    if (!block)
        return NULL;
    if (block_allocate(device, block, (uint32_t)chunks) || block_allocate(device, block, 1)) {
        atomic_fetch_add_explicit(&device->reserved_bytes,
                                  (uint64_t)block->chunks * ANNOT__CHUNK_SIZE,
                                  memory_order_relaxed);
        return block;
    }
    annot__release(device, block, sizeof *block);
    return NULL;
}

static bool pool_fill(annot_device *device)
{
    annot__mutex_lock(&device->pool_lock);
    struct annot__slot *slot = slot_take(device);
    annot__mutex_unlock(&device->pool_lock);
    struct annot__block *block = slot ? block_make(device) : NULL;
    annot__mutex_lock(&device->pool_lock);
    if (block)
        block_cut(device, block, slot);
    else if (slot)
        list_push(&device->free_slots, slot);
    annot__mutex_unlock(&device->pool_lock);
    return block != NULL;
}

static struct annot__slot *pool_take(annot_device *device)
{
    struct annot__slot *slot;
    do {
        annot__mutex_lock(&device->pool_lock);
        slot = list_pop(&device->pool);
        annot__mutex_unlock(&device->pool_lock);
    } while (!slot && pool_fill(device));
    return slot;
}

static struct annot__slot *oversized_take(annot_device *device, uint64_t size)
{
    annot__mutex_lock(&device->pool_lock);
    struct annot__slot *slot = slot_take(device);
    annot__mutex_unlock(&device->pool_lock);
    if (!slot)
        return NULL;
    slot->chunk = annot__allocate(device, (size_t)size, ANNOT__CHUNK_SIZE);
    if (slot->chunk) {
        atomic_fetch_add_explicit(&device->reserved_bytes, size, memory_order_relaxed);
        return slot;
    }
    annot__mutex_lock(&device->pool_lock);
    list_push(&device->free_slots, slot);
    annot__mutex_unlock(&device->pool_lock);
    return NULL;
}

static struct annot__slot *chunk_take(annot_device *device, uint64_t size)
{
    struct annot__slot *slot =
        size == ANNOT__CHUNK_SIZE ? pool_take(device) : oversized_take(device, size);
    if (slot)
        slot->chunk->size = size;
    return slot;
}

bool annot__budget_take(annot_device *device, uint64_t bytes)
{
    uint64_t live = atomic_load_explicit(&device->live_bytes, memory_order_relaxed);
    for (;;) {
        if (bytes <= device->budget && live <= device->budget - bytes) {
            /* live_bytes must never be above the budget, because other threads would be refused. */
            if (atomic_compare_exchange_weak_explicit(&device->live_bytes, &live, live + bytes,
                                                      memory_order_relaxed, memory_order_relaxed))
                return true;
            continue;
        }
        if (bytes > device->budget || !device->evict(device))
            return false;
        live = atomic_load_explicit(&device->live_bytes, memory_order_relaxed);
    }
}

struct annot__slot *annot__chunk_acquire(annot_device *device, uint64_t record_bytes,
                                         bool unbudgeted)
{
    uint64_t size = ANNOT__CHUNK_SIZE;
    if (record_bytes > ANNOT__CHUNK_CAPACITY)
        size = sizeof(struct annot__chunk) + record_bytes + ANNOT__UNIT;
    if (unbudgeted)
        atomic_fetch_add_explicit(&device->live_bytes, size, memory_order_relaxed);
    else if (!annot__budget_take(device, size))
        return NULL;
    struct annot__slot *slot = chunk_take(device, size);
    if (!slot)
        atomic_fetch_sub_explicit(&device->live_bytes, size, memory_order_relaxed);
    return slot;
}

static void oversized_release(annot_device *device, struct annot__slot *slot)
{
    uint64_t size = slot->chunk->size;
    annot__release(device, slot->chunk, (size_t)size);
    atomic_fetch_sub_explicit(&device->reserved_bytes, size, memory_order_relaxed);
}

/* Releases a chunk. A slot with an exhausted use count is retired, because its EventIDs would
 * repeat; the chunk moves to another slot. */
void annot__chunk_release(annot_device *device, struct annot__slot *slot)
{
    bool exhausted = atomic_load_explicit(&slot->use, memory_order_relaxed) == UINT32_MAX;
    bool oversized = slot->chunk->size != ANNOT__CHUNK_SIZE;
    if (oversized)
        oversized_release(device, slot);
    annot__mutex_lock(&device->pool_lock);
    if (exhausted && !oversized) {
        struct annot__slot *fresh = slot_take(device);
        if (fresh) {
            fresh->chunk = slot->chunk;
            list_push(&device->pool, fresh);
        }
    } else if (!exhausted) {
        list_push(oversized ? &device->free_slots : &device->pool, slot);
    }
    annot__mutex_unlock(&device->pool_lock);
}

void annot__chunks_finish(annot_device *device)
{
    for (struct annot__block *block = device->blocks; block;) {
        struct annot__block *next = block->next;
        annot__release(device, block->memory, (size_t)block->chunks * ANNOT__CHUNK_SIZE);
        annot__release(device, block, sizeof *block);
        block = next;
    }
    for (uint32_t page = 0; page < ANNOT__SLOT_PAGES; page++)
        annot__release(device, atomic_load(&device->slot_pages[page]), PAGE_BYTES);
}
