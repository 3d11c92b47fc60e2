/* Finds the allocation of a GPU virtual address with a tree over pages of 64 KiB.
 *
 *     46        36 35        26 25        16 15         0
 *     |   root   |   middle   |    leaf    | in the page |
 *
 * An entry is empty, or has an owner or a node of the next level.
 *
 * If an owner covers all pages of an entry, the entry has the owner and no node, so that large
 * ranges cost little. A node stays until the table ends. The caller must hold a lock. */
#pragma once

#include <stdint.h>

#define EMU_PAGE_SHIFT      16u
#define EMU_PAGE_NODE_SHIFT 10u
#define EMU_PAGE_ROOT_SHIFT 11u
#define EMU_PAGE_NODE_SIZE  (1u << EMU_PAGE_NODE_SHIFT)

static inline uint64_t emu__smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct emu_page_node;

/* An entry of a node: an owner, a node of the next level, or nothing. */
struct emu_page_entry {
    void *owner;
    struct emu_page_node *below;
};

struct emu_page_table {
    struct emu_page_entry root[1u << EMU_PAGE_ROOT_SHIFT];
};

enum emu_page_claim { EMU_PAGES_CLAIMED, EMU_PAGES_TAKEN, EMU_PAGES_NO_MEMORY };

void emu__pages_finish(struct emu_page_table *table);

/* Gives the pages [first, end) to `owner`. If one of them is taken, or memory runs out, no page
 * changes its owner, and *stop is the page that caused the failure. */
enum emu_page_claim emu__pages_claim(struct emu_page_table *table, uint64_t first, uint64_t end,
                                     void *owner, uint64_t *stop);

/* Frees the pages [first, end), which must have been claimed together. */
void emu__pages_release(struct emu_page_table *table, uint64_t first, uint64_t end);

/* Returns the owner of this page (its allocation), or NULL. */
void *emu__pages_owner(const struct emu_page_table *table, uint64_t page);
