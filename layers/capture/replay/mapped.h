/* The memory of mapped buffers, and of heaps over memory of the program's, by the object's number
 * in the trace. */
#ifndef REPLAY_MAPPED_H
#define REPLAY_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

struct mapped;

/* False: out of memory. */
bool mapped_add(struct mapped **all, uint64_t number, void *memory, uint64_t size);
void mapped_remove(struct mapped **all, uint64_t number);
void mapped_remove_all(struct mapped **all);

/* NULL: the object has none, or fewer bytes. */
uint8_t *mapped_bytes(struct mapped *all, uint64_t number, uint64_t offset, uint64_t size);

#endif
