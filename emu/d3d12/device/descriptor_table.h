/* The device's descriptor heaps by handle. Handles are numbers, not pointers:
 *
 *     63     62      48 47    32 31                 0
 *     | GPU |   life   |  slot  | byte in the heap |
 *
 * slot: the heap's index in the table; life: counts the heaps that had this slot.
 *
 * An application's arithmetic on handles changes only the low half. A handle past its heap's end,
 * or of a destroyed heap, is not found. Adding, removing and finding take no lock.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define DESCRIPTOR_TABLE_PAGES 64u
#define DESCRIPTOR_TABLE_SLOTS 1024u /* slots of a page */

struct d3d12_descriptor_heap;

struct descriptor_table_page {
    struct {
        _Atomic(struct d3d12_descriptor_heap *) heap; /* NULL: free */
        atomic_uint life;                             /* grows when the slot is freed */
    } slots[DESCRIPTOR_TABLE_SLOTS];
};

/* The table. Zeroed memory is an empty one. */
struct descriptor_table {
    _Atomic(struct descriptor_table_page *) pages[DESCRIPTOR_TABLE_PAGES]; /* NULL until needed */
    atomic_uint next; /* the slot at which the search for a free one starts */
};

/* No heap is left. */
void descriptor_table_finish(struct descriptor_table *table);

/* Adds a heap and returns its first handle; 0 if all slots are taken, or without memory. */
uint64_t descriptor_table_add(struct descriptor_table *table, struct d3d12_descriptor_heap *heap);

/* `start`: what descriptor_table_add returned. */
void descriptor_table_remove(struct descriptor_table *table, uint64_t start);

/* The heap of the handle's slot; NULL: there is none, or another heap has the slot now. */
struct d3d12_descriptor_heap *descriptor_table_find(struct descriptor_table *table,
                                                    uint64_t handle);
