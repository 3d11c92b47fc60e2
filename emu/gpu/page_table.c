#include "gpu/page_table.h"

#include <stdbool.h>
#include <stdlib.h>

struct emu_page_node {
    struct emu_page_entry entries[EMU_PAGE_NODE_SIZE];
};

#define ROOT_LEVEL_SHIFT (2 * EMU_PAGE_NODE_SHIFT) /* an entry of the root has 2^20 pages */

/* Returns the index of a page's entry in its node; an entry has 2^shift pages. */
static uint64_t place_of(uint64_t page, unsigned shift)
{
    return shift == ROOT_LEVEL_SHIFT ? page >> shift : (page >> shift) & (EMU_PAGE_NODE_SIZE - 1);
}

/* Returns the first page behind the pages of this page's entry. */
static uint64_t end_of(uint64_t page, unsigned shift)
{
    return ((page >> shift) + 1) << shift;
}

static void free_nodes(const struct emu_page_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].below)
            continue;
        /* leaves only have owners, so this recursion has two levels */
        free_nodes(entries[i].below->entries, EMU_PAGE_NODE_SIZE);
        free(entries[i].below);
    }
}

void emu__pages_finish(struct emu_page_table *table)
{
    free_nodes(table->root, sizeof table->root / sizeof table->root[0]);
}

static bool has_node(struct emu_page_entry *entry)
{
    if (!entry->below)
        entry->below = calloc(1, sizeof *entry->below);
    return entry->below != NULL;
}

static enum emu_page_claim claim(struct emu_page_entry *entries, unsigned shift, uint64_t first,
                                 uint64_t end, void *owner, uint64_t *stop)
{
    uint64_t part_end;
    for (uint64_t page = first; page < end; page = part_end) {
        struct emu_page_entry *entry = &entries[place_of(page, shift)];
        part_end = emu__smaller(end, end_of(page, shift));
        *stop = page;
        if (entry->owner)
            return EMU_PAGES_TAKEN;
        if (part_end - page == (uint64_t)1 << shift && !entry->below) {
            entry->owner = owner;
            continue;
        }
        if (!has_node(entry))
            return EMU_PAGES_NO_MEMORY;
        const enum emu_page_claim below =
            claim(entry->below->entries, shift - EMU_PAGE_NODE_SHIFT, page, part_end, owner, stop);
        if (below != EMU_PAGES_CLAIMED)
            return below;
    }
    return EMU_PAGES_CLAIMED;
}

static void release(struct emu_page_entry *entries, unsigned shift, uint64_t first, uint64_t end)
{
    uint64_t part_end;
    for (uint64_t page = first; page < end; page = part_end) {
        struct emu_page_entry *entry = &entries[place_of(page, shift)];
        part_end = emu__smaller(end, end_of(page, shift));
        if (entry->owner)
            entry->owner = NULL;
        else
            release(entry->below->entries, shift - EMU_PAGE_NODE_SHIFT, page, part_end);
    }
}

enum emu_page_claim emu__pages_claim(struct emu_page_table *table, uint64_t first, uint64_t end,
                                     void *owner, uint64_t *stop)
{
    const enum emu_page_claim result =
        claim(table->root, ROOT_LEVEL_SHIFT, first, end, owner, stop);
    if (result != EMU_PAGES_CLAIMED)
        release(table->root, ROOT_LEVEL_SHIFT, first, *stop);
    return result;
}

void emu__pages_release(struct emu_page_table *table, uint64_t first, uint64_t end)
{
    release(table->root, ROOT_LEVEL_SHIFT, first, end);
}

void *emu__pages_owner(const struct emu_page_table *table, uint64_t page)
{
    const struct emu_page_entry *entries = table->root;
    for (unsigned shift = ROOT_LEVEL_SHIFT;; shift -= EMU_PAGE_NODE_SHIFT) {
        const struct emu_page_entry *entry = &entries[place_of(page, shift)];
        if (!entry->below)
            return entry->owner;
        entries = entry->below->entries;
    }
}
