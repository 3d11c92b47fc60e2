/*
 * Chunks of marker memory and the slots that give them their place in EventIDs. Chunks wander
 * between the device's pool and arenas; slots stay for ever, so that an old EventID always finds
 * something to be compared with.
 */
#include "types.h"

#include <string.h>

#define PAGE_BYTES (sizeof(annot__slot) * ANNOT__SLOTS_PER_PAGE)

/* Under pool_lock. NULL without memory or slot numbers. */
static annot__slot *slot_make(annot_device *device)
{
    uint32_t number = atomic_load_explicit(&device->slot_count, memory_order_relaxed);
    if (number == ANNOT__SLOTS_MAX)
        return NULL;
    _Atomic(annot__slot *) *page = &device->slot_pages[number / ANNOT__SLOTS_PER_PAGE];
    annot__slot *slots = atomic_load_explicit(page, memory_order_relaxed);
    if (!slots) {
        slots = annot__allocate(device, PAGE_BYTES, 64);
        if (!slots)
            return NULL;
        memset(slots, 0, PAGE_BYTES);
        atomic_store_explicit(page, slots, memory_order_release);
    }
    annot__slot *slot = slots + number % ANNOT__SLOTS_PER_PAGE;
    slot->number = number;
    atomic_store_explicit(&device->slot_count, number + 1, memory_order_release);
    return slot;
}

static void list_push(annot__slot **list, annot__slot *slot)
{
    atomic_store_explicit(&slot->next, *list, memory_order_relaxed);
    *list = slot;
}

static annot__slot *list_pop(annot__slot **list)
{
    annot__slot *slot = *list;
    if (slot)
        *list = atomic_load_explicit(&slot->next, memory_order_relaxed);
    return slot;
}

static void chunk_free(annot_device *device, annot__slot *slot)
{
    uint64_t size = slot->chunk->size;
    annot__release(device, slot->chunk, (size_t)size);
    slot->chunk = NULL;
    atomic_fetch_sub_explicit(&device->reserved_bytes, size, memory_order_relaxed);
}

/* A slot with a chunk of this size, from the pool if it has one. */
static annot__slot *chunk_take(annot_device *device, uint64_t size)
{
    annot__mutex_lock(&device->pool_lock);
    annot__slot *slot = size == ANNOT__CHUNK_SIZE ? list_pop(&device->pool) : NULL;
    if (slot) {
        annot__mutex_unlock(&device->pool_lock);
        return slot;
    }
    slot = list_pop(&device->free_slots);
    if (!slot)
        slot = slot_make(device);
    annot__mutex_unlock(&device->pool_lock);
    if (!slot)
        return NULL;

    slot->chunk = annot__allocate(device, (size_t)size, ANNOT__CHUNK_SIZE);
    if (!slot->chunk) {
        annot__mutex_lock(&device->pool_lock);
        list_push(&device->free_slots, slot);
        annot__mutex_unlock(&device->pool_lock);
        return NULL;
    }
    slot->chunk->size = size;
    slot->chunk->slot = slot;
    atomic_fetch_add_explicit(&device->reserved_bytes, size, memory_order_relaxed);
    return slot;
}

bool annot__budget_take(annot_device *device, uint64_t bytes)
{
    uint64_t live = atomic_load_explicit(&device->live_bytes, memory_order_relaxed);
    for (;;) {
        if (bytes <= device->budget && live <= device->budget - bytes) {
            /* Never past the budget, not for a moment: others would be refused for it. */
            if (atomic_compare_exchange_weak_explicit(&device->live_bytes, &live, live + bytes,
                                                      memory_order_relaxed, memory_order_relaxed))
                return true;
            continue;
        }
        if (bytes > device->budget || !annot__queues_evict(device))
            return false;
        live = atomic_load_explicit(&device->live_bytes, memory_order_relaxed);
    }
}

/* A slot whose chunk can hold one record of `record_bytes`, charged to the budget; NULL when it
 * can't be had. */
annot__slot *annot__chunk_acquire(annot_device *device, uint64_t record_bytes, bool unbudgeted)
{
    uint64_t size = ANNOT__CHUNK_SIZE;
    if (record_bytes > ANNOT__CHUNK_CAPACITY)
        size = sizeof(annot__chunk) + record_bytes + ANNOT__UNIT;
    if (unbudgeted)
        atomic_fetch_add_explicit(&device->live_bytes, size, memory_order_relaxed);
    else if (!annot__budget_take(device, size))
        return NULL;
    annot__slot *slot = chunk_take(device, size);
    if (!slot)
        atomic_fetch_sub_explicit(&device->live_bytes, size, memory_order_relaxed);
    return slot;
}

/* Takes the chunk back from an arena; the caller has settled the budget. */
void annot__chunk_release(annot_device *device, annot__slot *slot)
{
    bool exhausted = atomic_load_explicit(&slot->use, memory_order_relaxed) == UINT32_MAX;
    bool oversized = slot->chunk->size != ANNOT__CHUNK_SIZE;
    if (oversized || exhausted)
        chunk_free(device, slot);
    if (exhausted) /* its next EventIDs would be old ones: the slot is retired */
        return;
    annot__mutex_lock(&device->pool_lock);
    list_push(oversized ? &device->free_slots : &device->pool, slot);
    annot__mutex_unlock(&device->pool_lock);
}

void annot__chunks_finish(annot_device *device)
{
    uint32_t count = atomic_load(&device->slot_count);
    for (uint32_t number = 0; number < count; number++) {
        annot__slot *slot = annot__device_slot(device, number);
        if (slot->chunk)
            chunk_free(device, slot);
    }
    for (uint32_t page = 0; page < ANNOT__SLOT_PAGES; page++)
        annot__release(device, atomic_load(&device->slot_pages[page]), PAGE_BYTES);
}
