/* Translates a trace's addresses, descriptor handles and system handles for this process. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct map;
struct map *map_create(void);
void map_destroy(struct map *map);

/* Adds a value of this kind (enum schema_kind), for example a handle of the system. */
bool map_add_value(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here);
bool map_value(const struct map *map, uint8_t kind, uint64_t recorded, uint64_t *here);

/* Adds a range of this kind: descriptor handles or GPU addresses. A newer range hides the parts of
 * older ranges that it overlaps. Values outside all ranges stay unchanged. */
bool map_add_range(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size);
uint64_t map_range(const struct map *map, uint8_t kind, uint64_t recorded);

/* The object that owns a range. An earlier object with the same number has another serial. */
struct map_owner {
    uint64_t number, serial;
};
bool map_add_owned(struct map *map, uint8_t kind, uint64_t recorded, uint64_t here, uint64_t size,
                   struct map_owner owner);
/* Finds the owner of the range that contains `here`. Returns the number of bytes from `here` to the
 * range's end, or 0 if no range contains it. */
uint64_t map_find_owner(const struct map *map, uint8_t kind, uint64_t here,
                        struct map_owner *owner);
