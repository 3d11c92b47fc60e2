/* Maps the numbers of a trace to objects, addresses, descriptor handles and system handles of this
 * process. */
#ifndef REPLAY_MAP_H
#define REPLAY_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct map;
struct map *map_create(void);
void map_destroy(struct map *map);

/* Objects by their number. A pointer that is there is replaced. NULL: there is none. */
bool map_add_object(struct map *map, uint64_t number, void *pointer);
void *map_object(const struct map *map, uint64_t number);

/* Single values of a kind, enum schema_kind: handles of the system. */
bool map_add_value(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here);
bool map_value(const struct map *map, uint8_t kind, uint64_t recorded, uint64_t *here);

/* Ranges of a kind: descriptor handles, GPU addresses. A newer one hides what it overlaps. A value
 * in no range is itself. */
bool map_add_range(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size);
uint64_t map_range(const struct map *map, uint8_t kind, uint64_t recorded);

#endif
