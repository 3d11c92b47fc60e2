#include "device/descriptor_table.h"

#include <stdlib.h>

#define SLOTS      (DESCRIPTOR_TABLE_PAGES * DESCRIPTOR_TABLE_SLOTS)
#define LIFE_SHIFT 48
#define LIFE_MASK  0x7FFFu
#define SLOT_SHIFT 32

/* Returns the page of a slot, and makes it if needed. NULL: out of memory. */
static struct descriptor_table_page *find_or_add_page(struct descriptor_table *table, uint32_t slot)
{
    _Atomic(struct descriptor_table_page *) *entry = &table->pages[slot / DESCRIPTOR_TABLE_SLOTS];
    struct descriptor_table_page *page = atomic_load_explicit(entry, memory_order_acquire);
    if (page)
        return page;
    struct descriptor_table_page *fresh = calloc(1, sizeof *fresh);
    if (!fresh || atomic_compare_exchange_strong(entry, &page, fresh))
        return fresh;
    free(fresh);
    return page;
}

static uint64_t handle_of(uint32_t slot, unsigned life)
{
    /* +1: no handle is 0 */
    return (uint64_t)(life % LIFE_MASK + 1) << LIFE_SHIFT | (uint64_t)slot << SLOT_SHIFT;
}

uint64_t descriptor_table_add(struct descriptor_table *table, struct d3d12_descriptor_heap *heap)
{
    const uint32_t first = atomic_fetch_add(&table->next, 1);
    for (uint32_t i = 0; i < SLOTS; i++) {
        const uint32_t slot = (first + i) % SLOTS;
        struct descriptor_table_page *page = find_or_add_page(table, slot);
        struct d3d12_descriptor_heap *none = NULL;
        if (!page)
            return 0;
        const uint32_t at = slot % DESCRIPTOR_TABLE_SLOTS;
        if (atomic_compare_exchange_strong(&page->slots[at].heap, &none, heap))
            return handle_of(slot, atomic_load(&page->slots[at].life));
    }
    return 0;
}

/* Ends the slot's life first, so that a stale handle never finds the slot's next heap. */
void descriptor_table_remove(struct descriptor_table *table, uint64_t start)
{
    const uint32_t slot = (uint32_t)(start >> SLOT_SHIFT) % SLOTS;
    struct descriptor_table_page *page = table->pages[slot / DESCRIPTOR_TABLE_SLOTS];
    const uint32_t at = slot % DESCRIPTOR_TABLE_SLOTS;
    atomic_fetch_add(&page->slots[at].life, 1);
    atomic_store(&page->slots[at].heap, NULL);
}

struct d3d12_descriptor_heap *descriptor_table_find(struct descriptor_table *table, uint64_t handle)
{
    const uint32_t slot = (uint32_t)(handle >> SLOT_SHIFT) % SLOTS;
    struct descriptor_table_page *page =
        atomic_load_explicit(&table->pages[slot / DESCRIPTOR_TABLE_SLOTS], memory_order_acquire);
    if (!page)
        return NULL;
    const uint32_t at = slot % DESCRIPTOR_TABLE_SLOTS;
    if (handle >> SLOT_SHIFT != handle_of(slot, atomic_load(&page->slots[at].life)) >> SLOT_SHIFT)
        return NULL;
    return atomic_load_explicit(&page->slots[at].heap, memory_order_acquire);
}

void descriptor_table_finish(struct descriptor_table *table)
{
    for (size_t i = 0; i < DESCRIPTOR_TABLE_PAGES; i++)
        free(table->pages[i]);
}
