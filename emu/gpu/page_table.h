/*
 * Which allocation a GPU virtual address belongs to: a tree over pages of 64 KiB whose entries are claimed and given
 * back one compare-and-swap each. Nobody waits for anybody: whoever finds an entry taken learns it at once.
 *
 *     46        36 35        26 25        16 15         0
 *     |   root   |   middle   |    leaf    | in the page |     an entry: 0, an owner (odd), or a node below (even)
 *
 * An owner that covers all that an entry stands for takes the entry itself, so that large ranges cost little. A node,
 * once there, stays until the end.
 */
#ifndef EMU_GPU_PAGE_TABLE_H
#define EMU_GPU_PAGE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EMU_PAGE_SHIFT      16u
#define EMU_PAGE_NODE_SHIFT 10u
#define EMU_PAGE_ROOT_SHIFT 11u
#define EMU_PAGE_NODE_SIZE  (1u << EMU_PAGE_NODE_SHIFT)

typedef struct emu_page_table {
    _Atomic uint64_t root[1u << EMU_PAGE_ROOT_SHIFT];
} emu_page_table;

typedef enum emu_page_claim {
    EMU_PAGES_CLAIMED,
    EMU_PAGES_TAKEN,
    EMU_PAGES_NO_MEMORY
} emu_page_claim;

void emu__pages_finish(emu_page_table *table);

/* Makes the pages [first, end) `owner`'s, an odd number. When one is taken, or without memory, none is, and *stop says
 * where it failed. Between two that want the same pages one may see what the other is about to give back. */
emu_page_claim emu__pages_claim(emu_page_table *table, uint64_t first, uint64_t end, uint64_t owner,
                                uint64_t *stop);

/* Gives back what `owner` has claimed. */
void emu__pages_release(emu_page_table *table, uint64_t first, uint64_t end, uint64_t owner);

/* The owner of a page, 0: nobody's. */
uint64_t emu__pages_owner(const emu_page_table *table, uint64_t page);

#endif
