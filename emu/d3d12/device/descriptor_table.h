/* Finds a device's descriptor heap by a handle. Handles are numbers, not pointers:
 *
 *     63     62      48 47    32 31                 0
 *     | GPU |   life   |  slot  | byte in the heap |
 *
 * slot: the heap's index in the table; life: counts the heaps that had this slot.
 *
 * An application's arithmetic on handles changes only the low half. A handle past a heap's end, or
 * of a destroyed heap, has no heap. Adding, removing and finding a heap takes no lock. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define DESCRIPTOR_TABLE_PAGES 64u
#define DESCRIPTOR_TABLE_SLOTS 1024u /* slots of a page */

struct d3d12_descriptor_heap;

struct descriptor_table_page {
    struct {
        _Atomic(struct d3d12_descriptor_heap *) heap; /* NULL: free */
        /* The `life` of the slot's handles; it grows by 1 when the slot is freed. */
        atomic_uint life;
    } slots[DESCRIPTOR_TABLE_SLOTS];
};

/* The table of a device's descriptor heaps. A table in zeroed memory is empty. */
struct descriptor_table {
    _Atomic(struct descriptor_table_page *) pages[DESCRIPTOR_TABLE_PAGES]; /* NULL until needed */
    atomic_uint next; /* slot at which the search for a free slot starts */
};

/* Frees the table's memory. Call this function when the table has no heaps. */
void descriptor_table_finish(struct descriptor_table *table);

/* Adds a heap and returns its first handle, or 0 if all slots are taken or memory runs out. */
uint64_t descriptor_table_add(struct descriptor_table *table, struct d3d12_descriptor_heap *heap);

/* Removes the heap with the first handle `start`, which descriptor_table_add returned. */
void descriptor_table_remove(struct descriptor_table *table, uint64_t start);

/* Returns the heap of the handle, or NULL if the handle's slot is empty or has another heap. */
struct d3d12_descriptor_heap *descriptor_table_find(struct descriptor_table *table,
                                                    uint64_t handle);
