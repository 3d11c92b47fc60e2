#include "gpu/page_table.h"

#include <stdlib.h>

typedef _Atomic uint64_t entry;

struct node {
    entry entries[EMU_PAGE_NODE_SIZE];
};

#define ROOT_LEVEL_SHIFT (2 * EMU_PAGE_NODE_SHIFT) /* an entry of the root stands for 2^20 pages */

static bool is_owner(uint64_t value)
{
    return (value & 1) != 0;
}

static struct node *node_of(uint64_t value)
{
    return (struct node *)(uintptr_t)value;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Where in its node the entry for a page is; `shift`: what an entry there stands for, as a power of two of pages. */
static uint64_t place_of(uint64_t page, unsigned shift)
{
    return shift == ROOT_LEVEL_SHIFT ? page >> shift : (page >> shift) & (EMU_PAGE_NODE_SIZE - 1);
}

/* The first page past what the page's entry stands for. */
static uint64_t end_of(uint64_t page, unsigned shift)
{
    return ((page >> shift) + 1) << shift;
}

static void free_nodes(entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = atomic_load_explicit(&entries[i], memory_order_relaxed);
        if (value == 0 || is_owner(value))
            continue;
        /* leaves have owners only, so that this goes two levels deep */
        free_nodes(node_of(value)->entries, EMU_PAGE_NODE_SIZE);
        free(node_of(value));
    }
}

void emu__pages_finish(emu_page_table *table)
{
    free_nodes(table->root, sizeof table->root / sizeof table->root[0]);
}

/* What the entry holds now: what it held, or a fresh node. 0 without memory. */
static uint64_t find_or_add_node(entry *at)
{
    uint64_t value = atomic_load_explicit(at, memory_order_acquire);
    if (value != 0)
        return value;
    struct node *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return 0;
    if (atomic_compare_exchange_strong_explicit(at, &value, (uint64_t)(uintptr_t)fresh,
                                                memory_order_acq_rel, memory_order_acquire))
        return (uint64_t)(uintptr_t)fresh;
    free(fresh);
    return value;
}

static emu_page_claim claim(entry *entries, unsigned shift, uint64_t first, uint64_t end,
                            uint64_t owner, uint64_t *stop)
{
    uint64_t part_end;
    for (uint64_t page = first; page < end; page = part_end) {
        entry *at = &entries[place_of(page, shift)];
        part_end = smaller(end, end_of(page, shift));
        *stop = page;
        uint64_t value = 0;
        if (part_end - page == (uint64_t)1 << shift) {
            if (atomic_compare_exchange_strong_explicit(at, &value, owner, memory_order_release,
                                                        memory_order_acquire))
                continue;
        } else {
            value = find_or_add_node(at);
        }
        if (value == 0)
            return EMU_PAGES_NO_MEMORY;
        if (is_owner(value))
            return EMU_PAGES_TAKEN;
        const emu_page_claim below = claim(node_of(value)->entries, shift - EMU_PAGE_NODE_SHIFT,
                                           page, part_end, owner, stop);
        if (below != EMU_PAGES_CLAIMED)
            return below;
    }
    return EMU_PAGES_CLAIMED;
}

static void release(entry *entries, unsigned shift, uint64_t first, uint64_t end, uint64_t owner)
{
    uint64_t part_end;
    for (uint64_t page = first; page < end; page = part_end) {
        entry *at = &entries[place_of(page, shift)];
        const uint64_t value = atomic_load_explicit(at, memory_order_acquire);
        part_end = smaller(end, end_of(page, shift));
        if (value == owner)
            atomic_store_explicit(at, 0, memory_order_release);
        else
            release(node_of(value)->entries, shift - EMU_PAGE_NODE_SHIFT, page, part_end, owner);
    }
}

emu_page_claim emu__pages_claim(emu_page_table *table, uint64_t first, uint64_t end, uint64_t owner,
                                uint64_t *stop)
{
    const emu_page_claim result = claim(table->root, ROOT_LEVEL_SHIFT, first, end, owner, stop);
    if (result != EMU_PAGES_CLAIMED)
        release(table->root, ROOT_LEVEL_SHIFT, first, *stop, owner);
    return result;
}

void emu__pages_release(emu_page_table *table, uint64_t first, uint64_t end, uint64_t owner)
{
    release(table->root, ROOT_LEVEL_SHIFT, first, end, owner);
}

uint64_t emu__pages_owner(const emu_page_table *table, uint64_t page)
{
    const entry *entries = table->root;
    for (unsigned shift = ROOT_LEVEL_SHIFT;; shift -= EMU_PAGE_NODE_SHIFT) {
        const uint64_t value =
            atomic_load_explicit(&entries[place_of(page, shift)], memory_order_acquire);
        if (value == 0 || is_owner(value))
            return value;
        entries = node_of(value)->entries;
    }
}
